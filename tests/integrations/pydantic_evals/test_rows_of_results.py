"""What no path leads to in the rows of pydantic-evals, function by function."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.integrations.pydantic_evals import dialect as pydantic_evals
from sampleui.review.record import Outcome, outcome_of


def test_a_case_of_pydantic_evals_passes_if_all_holds() -> None:
    def outcome(*held: bool, **more: Plain) -> Plain:
        assertions: Table = {str(at): {"value": one} for at, one in enumerate(held)}
        return pydantic_evals.prepare({"assertions": assertions, **more})[pydantic_evals.OUTCOME]

    assert (outcome(True, True), outcome(True, False), outcome()) == (True, False, None)


def test_an_evaluator_that_raised_gave_no_score_and_fails_nothing() -> None:
    def came_out(held: bool) -> tuple[Outcome, list[float | None]]:
        row: Table = {
            "name": "a",
            "inputs": "q",
            "output": "x",
            "assertions": {"Equals": {"name": "Equals", "value": held}},
            "scores": {},
            "evaluator_failures": [{"name": "Raises", "error_message": "ValueError: boom"}],
        }
        entry = pydantic_evals.parse_row(row).entry
        assert entry is not None
        return outcome_of(entry), [mark.score for mark in entry.grades]

    assert came_out(held=True) == (Outcome.UNGRADED, [1.0, None])
    assert came_out(held=False) == (Outcome.FAILED, [0.0, None])
