"""What the results of DeepEval tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

from pathlib import Path

from sampleui.review.results.file import Results, open_results
from sampleui.review.results.run_paths import index_of, sibling_runs

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


def test_what_evaluate_of_deepeval_returns_has_its_metrics() -> None:
    record = opened("evaluated.json").record(0)
    assert (record.id, record.actual, record.expected) == ("capital", "Lyon", "Paris")
    assert [(one.name, one.score, one.verdict) for one in record.evaluators] == [("Exact", 0.0, "fail")]


def test_of_a_folder_of_test_runs_the_latest_opens() -> None:
    assert index_of(WRITTEN).name == "test_run_20261122_164833.json"
    assert len(sibling_runs(WRITTEN)) == 2
