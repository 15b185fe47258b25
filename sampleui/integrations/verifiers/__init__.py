"""What shows that a file may be that of verifiers. It is read at every start, so it imports nothing slow."""

from sampleui.integrations.entry import IndexEntry

ENTRY = IndexEntry(
    "verifiers",
    modules=("results",),
    result_dialect="verifiers",
    row_signs=(
        *("example_id reward", "prompt completion reward"),
        *("traces env task ok", "nodes task rewards"),
    ),
    files=frozenset({"example_id"}),
)
