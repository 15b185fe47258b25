"""What a review shows: the places of its queue, and everything about one of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from sampleui.review.baseline import Compared
from sampleui.review.queue import Item
from sampleui.review.record import Entry, Record
from sampleui.review.verdict import Decision
from sampleui.sample.model import Sample


@dataclass(frozen=True, slots=True)
class Missing:
    """What this run has no record of: a sample of one of the decks, or a record that only the baseline has."""

    id: str
    deck: int | None = None
    old: Entry | None = None


Spot: TypeAlias = int | Missing
"""A place in the queue: the index of a record, or what has none."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything about one place of the queue.

    Attributes:
        item: None for what has no record; then only `sample` or `old` is known.
        expected: the text to compare the answer with, None where nobody says what was expected.
        decisions: what each reviewer decided; those of others once one's own is made.
        changed: whether the sample was changed since the run, or since the verdict.
        compared: how it fares against the baseline.
        old: the baseline's record.
        draft: the comment that waits for the verdict.
        problem: why the record cannot be read; empty when it can. Then nothing else of it is known.
    """

    item: Item | None = None
    record: Record | None = None
    sample: Sample | None = None
    expected: str | None = None
    decisions: tuple[Decision, ...] = ()
    changed: bool = False
    compared: Compared | None = None
    old: Record | None = None
    fail_under: float | None = None
    draft: str = ""
    problem: str = ""
