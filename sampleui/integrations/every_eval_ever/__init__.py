"""What shows that a file may be Every Eval Ever's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "every_eval_ever",
    modules=("results",),
    result_dialect="every-eval-ever",
    row_signs=("evaluation_id sample_id interaction_type",),
)
