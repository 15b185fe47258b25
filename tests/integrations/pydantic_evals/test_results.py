"""What the results of pydantic-evals tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

from pathlib import Path

from sampleui.review.record import failed
from sampleui.review.results.file import Results, open_results

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


def test_repeats_are_tries_of_one_target() -> None:
    results = opened("repeated.json")
    assert [one.id for one in results.entries][:4] == ["capital", "capital#2", "sum", "sum#2"]


def test_an_evaluator_that_crashed_lets_no_case_pass_and_fails_none() -> None:
    results = opened("report.json")
    table = next(one for one in results.entries if one.id == "table")
    assert failed(table)
    assert ("Close", None) in [(one.name, one.verdict) for one in table.grades]
    assert results.record(table.index).evaluators[-1].reasoning == "ValueError: cannot judge this"
