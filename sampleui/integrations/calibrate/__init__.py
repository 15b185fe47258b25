"""What shows that a file may be calibrate's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.calibrate.fields import BESIDE, FIELDS
from sampleui.integrations.entry import IndexEntry
from sampleui.sample.dialects.field import telling

ENTRY = IndexEntry(
    "calibrate",
    modules=(
        "dialect",
        "rules",
        "conversion",
        "grading",
        "results",
    ),
    dialects=("calibrate",),
    signs=("samples", "messages", *telling(FIELDS), *telling(BESIDE)),
    broken_signs=("messages", "samples"),
    result_dialect="calibrate",
    row_signs=("grader_score", "truth_score id"),
    reads_others=1,
    documents=("graderResults",),
)
