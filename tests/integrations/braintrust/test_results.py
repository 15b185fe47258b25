"""What the results of Braintrust tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

from pathlib import Path

from sampleui.formats.data import Table
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.file import Results, open_results
from sampleui.sample.tokens import Tokens

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


def test_a_row_of_braintrust_is_found_by_the_row_that_it_ran() -> None:
    row: Table = {
        "id": "span",
        "input": {"question": "?"},
        "error": {"message": "no tool"},
        "expected": "x",
        "scores": {},
        "origin": {"object_type": "dataset", "id": "row-1"},
        "metrics": {"prompt_tokens": 3, "completion_tokens": 4, "duration": 0.5},
    }
    adapter = adapter_of(row)
    assert adapter is not None
    parsed = adapter.parse(row)
    entry, usage = parsed.entry, parsed.usage()
    assert entry is not None
    assert (entry.sample_id, entry.error, entry.score) == ("row-1", "no tool", None)
    assert (usage.latency_ms, usage.tokens) == (500, Tokens(3, 4, 7))
    assert [(one.name, one.score) for one in opened("result.json").record(0).evaluators] == [("exact", 0.0)]
