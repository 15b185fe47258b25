"""What shows that a file may be Braintrust's. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "braintrust",
    modules=("dialect",),
    dialects=("braintrust",),
    signs=("input expected",),
    result_dialect="braintrust",
    row_signs=("scores input output", "scores input error"),
)
