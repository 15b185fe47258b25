"""What no path leads to in the rows of pydantic-evals, function by function."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table
from sampleui.integrations.pydantic_evals import hooks as pydantic_evals


def test_a_case_of_pydantic_evals_passes_if_all_holds_and_nothing_crashed() -> None:
    def outcome(*held: bool, **more: Plain) -> Plain:
        assertions: Table = {str(at): {"value": one} for at, one in enumerate(held)}
        return pydantic_evals.prepare({"assertions": assertions, **more})[pydantic_evals.OUTCOME]

    assert (outcome(True, True), outcome(True, False), outcome()) == (True, False, None)
    assert outcome(True, evaluator_failures=[{"name": "x"}]) is False
