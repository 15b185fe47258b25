"""What the results of LangSmith tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.file import Results, open_results

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


@pytest.mark.parametrize("name", ["results.csv", "results.jsonl"])
def test_a_row_of_langsmith_tells_its_feedback_and_the_answers(name: str) -> None:
    results = opened(name)
    assert [one.sample_id[-2:] for one in results.entries] == ["01", "02", "03"]
    record = results.record(0)
    assert (record.actual, record.expected) == ("Lyon, or Paris", "Paris")
    assert [(one.name, one.score) for one in record.evaluators] == [("exact", 0.0), ("length", 1.4), ("tone", None)]
    assert [one.verdict for one in record.evaluators] == ["fail", None, None]
    assert record.evaluators[2].reasoning == "plain"
    assert record.latency_ms is not None
    assert results.record(2).asked == ({"role": "user", "content": "Is it Monday?"},)


@pytest.mark.parametrize("key", ["evaluation_results", "evaluationResults"])
def test_a_row_of_evaluate_of_langsmith_is_read_as_well(key: str) -> None:
    row: Table = {
        "run": {"id": "r", "outputs": {"label": 1}, "error": None, "inputs": {"question": "?"}},
        "example": {"id": "e", "inputs": {"question": "?"}, "outputs": {"label": 2}},
        key: {
            "results": [
                {"key": "exact", "score": 0, "value": None, "comment": "not 2"},
                {"key": "tone", "value": "x"},
            ]
        },
    }
    adapter = adapter_of(row)
    assert adapter is not None
    entry, record = adapter.parse(row).entry, adapter.parse(row).details()
    assert entry is not None
    assert (entry.sample_id, entry.score, entry.error) == ("e", 0.0, None)
    assert (record.actual, record.expected) == ('{\n  "label": 1\n}', '{\n  "label": 2\n}')
    assert [one.reasoning for one in record.evaluators] == ["not 2", "x"]
    nothing: tuple[Table | None, Table] = (None, {"output": None})  # the second is what 0.15.1 gives
    for outputs in nothing:
        broken: Table = {**row, "run": {"id": "r", "outputs": outputs, "error": "ValueError('no')"}}
        entry = adapter.parse(broken).entry
        assert entry is not None
        assert entry.error == "ValueError('no')"
        assert not adapter.parse(broken).details().actual
