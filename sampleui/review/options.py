"""What a reviewer asks for when starting a review."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.review.queue import Order

if TYPE_CHECKING:
    from sampleui.review.results.dialect import ResultDialect
    from sampleui.review.sampling import Design


class ReviewOptions(NamedTuple):
    """A review.

    Attributes:
        results: the results file, or the folder of a run.
        reviewer: the name written beside every verdict.
        decks: the decks that were run; none to review without them, None to look for them.
        hint: what to say about the deck, such as how to pass one; empty for nothing.
        fail_under: scores under it fail.
        everything: whether the records that passed are in the queue at first too.
        order: how the queue is sorted at first.
        baseline: the results of an earlier run to compare with.
        given: the decks that were asked for, also for another run that is opened from here; none to look for them.
        among: the path whose runs may be opened from here; that of the results where it is None.
        dialects: result dialects of this session, before those of the settings.
        sample: which records are to be drawn at random; None to show those that failed.
        record_id: the record to begin with; empty for the first one that is not decided.
    """

    results: Path
    reviewer: str
    decks: tuple[Path, ...] | None = ()
    hint: str = ""
    fail_under: float | None = None
    everything: bool = False
    order: Order = Order.SCORE
    baseline: Path | None = None
    given: tuple[Path, ...] = ()
    among: Path | None = None
    dialects: tuple[ResultDialect, ...] = ()
    sample: Design | None = None
    record_id: str = ""


AT_ONCE = 64 << 20
"""Bytes up to which a file is read to its end before the next record of it is returned."""
