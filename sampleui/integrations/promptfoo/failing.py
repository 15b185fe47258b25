"""Which assertions made a test fail, by promptfoo's own rule (its `AssertionsResult`, 0.123).

A test, and a set of assertions, fails when one of them does; with a threshold it fails when the mean of their
scores by their weights is under that, whatever each says. What compares the answers to a test is judged after that,
and a person's rating in its viewer overrules all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, as_table, is_number, tables_in

PERSON = "human"
"""The type of the component that promptfoo's viewer adds for a person's rating, which overrules all others."""

COMPARING = ("select-best", "max-score")
"""The types of assertions that compare the answers to a test, in the order in which they are judged."""


class _Component(NamedTuple):
    """A component of a grade, and those that are parts of it: of a set, or of what a program gave."""

    position: int
    data: Table
    parts: tuple[_Component, ...]


def made_fail(row: Table) -> frozenset[int]:
    """Return which components of a row's grade made it fail, by their places; none if it passed or had an error."""
    grading = as_table(row.get("gradingResult"))
    if row.get("success", grading.get("pass")) is not False:
        return frozenset()
    listed = [*tables_in(grading.get("componentResults"))]
    components = [*_nested(listed, 0, len(listed))]
    rated = [component for component in components if _kind(component.data) == PERSON]
    if rated:
        return frozenset(component.position for component in rated if component.data.get("pass") is False)
    case = as_table(row.get("testCase"))
    compared = [component for component in components if _kind(component.data) in COMPARING]
    others = [component for component in components if component not in compared]
    by_program = case.get("assertScoringFunction") is not None
    found = (
        *_blamed(others, _threshold(case.get("threshold")), by_score=by_program),
        *_blamed(compared, None),
    )
    return frozenset(found)


def _blamed(components: Sequence[_Component], threshold: float | None, *, by_score: bool = False) -> Iterator[int]:
    """Yield the places of what made a test or a set fail, and in a set of what made that fail."""
    failing = [component for component in components if component.data.get("pass") is False]
    if threshold is not None or by_score:
        lost = [component for component in components if _is_lost(component.data)]
        failing = [component for component in lost if component in failing] or lost or failing
    for component in failing:
        yield component.position
        several = as_table(as_table(component.data.get("metadata")).get("assertionSet"))
        yield from _blamed(component.parts, _threshold(several.get("threshold")))


def _is_lost(component: Table) -> bool:
    """Tell whether a component took something from the score of which it is a part."""
    score = component.get("score")
    several = as_table(as_table(component.get("metadata")).get("assertionSet"))
    weight = as_table(component.get("assertion")).get("weight", several.get("weight"))
    return is_number(score) and score < 1 and weight != 0


def _nested(listed: Sequence[Table], begin: int, end: int) -> Iterator[_Component]:
    """Yield the components of a part of a list in which each stands before copies of its own parts."""
    offset = begin
    while offset < end:
        parts = [as_table(item) for item in as_list(listed[offset].get("componentResults"))]
        until = offset + 1 + len(parts)
        pairs = zip(parts, listed[offset + 1 : until], strict=False)
        repeated = (part.get(key) == copy.get(key) for part, copy in pairs for key in ("pass", "score", "reason"))
        copied = until <= end and all(repeated)
        yield _Component(offset, listed[offset], tuple(_nested(listed, offset + 1, until)) if copied else ())
        offset = until if copied else offset + 1


def _kind(component: Table) -> Plain:
    return as_table(component.get("assertion")).get("type")


def _threshold(value: Plain) -> float | None:
    return value if is_number(value) else None
