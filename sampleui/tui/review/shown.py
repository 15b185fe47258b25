"""What a review shows: the places of its queue, and everything about one of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from sampleui.review.baseline import Compared
from sampleui.review.filters import Item
from sampleui.review.record import Entry, Record
from sampleui.review.samples.accept_answer import criteria_in, expectation
from sampleui.review.targets import Attempts
from sampleui.review.verdict import Decision
from sampleui.runs.archive import AsRun
from sampleui.runs.requests import Asked
from sampleui.sample.model import Sample
from sampleui.tui.review.sides import Sides


@dataclass(frozen=True, slots=True)
class Missing:
    """What this run has no record of: a sample, a record of the baseline, or one that a verdict was about."""

    id: str
    deck: int | None = None
    verdict: Decision | None = None
    old: Entry | None = None


class Criteria(NamedTuple):
    """Words that an answer is judged by, and what a sample calls them."""

    name: str
    text: str


class Wanted(NamedTuple):
    """What an answer is compared with, and what it is judged by instead where there is nothing of the kind.

    Attributes:
        any_of: the answers that are right, where there are several; `expected` names them all then.
    """

    expected: str | None
    criteria: Criteria | None = None
    any_of: tuple[str, ...] = ()


def wanted(sample: Sample | None, record: Record | None) -> Wanted:
    """Return what an answer is compared with, by its sample, or else by what its record says was expected."""
    of_record = Wanted(None) if record is None else Wanted(record.expects, any_of=record.any_of)
    expected = expectation(sample) if sample is not None else None
    if sample is None or expected is None:
        return of_record
    if name := criteria_in(sample):
        return of_record if of_record.expected else Wanted(None, Criteria(name, expected.text))
    return Wanted(expected.text, any_of=expected.any_of)


Spot: TypeAlias = int | Missing
"""A place in the queue: the index of a record, or what has none."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything about one place of the queue.

    Attributes:
        item: None for what has no record; then only `sample` or `old` is known.
        expected: the text to compare the answer with, None if nobody says what was expected.
        any_of: the answers that are right, where there are several; `expected` names them all then.
        criteria: what the answer is judged by where nothing is there to compare it with, and what that is called.
        decisions: what each reviewer decided; those of others once one's own is made.
        offered: what was decided on an earlier run about the same answer, in words, where it does not count here.
        changed: whether the sample was changed since the run, or since the verdict.
        compared: how it fares against the baseline.
        comparison: how the run fares against the baseline, in words; empty without one.
        old: the baseline's record.
        flaky: whether an earlier run was found flaky about the sample.
        attempts: how the attempts at the sample by this target came out, if there are several.
        draft: the comment that waits for the verdict.
        asked: what was sent to the model, beside what the deck renders today.
        as_run: the sample as it was run, where the run keeps a copy of it.
        sides: the answers to the sample by other targets and in other tries.
        problem: why the record cannot be read; empty when it can. Then nothing else of it is known.
    """

    item: Item | None = None
    record: Record | None = None
    sample: Sample | None = None
    expected: str | None = None
    any_of: tuple[str, ...] = ()
    criteria: Criteria | None = None
    decisions: tuple[Decision, ...] = ()
    offered: tuple[str, ...] = ()
    changed: bool = False
    compared: Compared | None = None
    comparison: str = ""
    old: Record | None = None
    fail_under: float | None = None
    flaky: bool = False
    attempts: Attempts | None = None
    draft: str = ""
    asked: Asked = field(default_factory=Asked)
    as_run: AsRun | None = None
    sides: Sides | None = None
    problem: str = ""
