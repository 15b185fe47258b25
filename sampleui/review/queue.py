"""The queue of records: what is asked for, its items, their order, what comes next. No file is read here."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from sampleui.review.filters import Filters, QueueItem, passing
from sampleui.review.record import CaseKey, Entry, failed, failing_evaluators
from sampleui.review.verdict import Decision, LogAction, RecordView, Verdict, is_stale

if TYPE_CHECKING:
    from sampleui.review.results.dialect import ResultDialect
    from sampleui.review.sampling import Design


class Order(StrEnum):
    """How a queue is sorted.

    By score (errors, then the lowest or the widest miss of the truth), by place, by target and then by score, by
    how unstable a sample is over its attempts, or as it was drawn at random.
    """

    SCORE = "score"
    FILE = "file"
    TARGET = "target"
    UNSTABLE = "unstable"
    DRAWN = "drawn"


CHOSEN_ORDERS = tuple(order for order in Order if order is not Order.DRAWN)
"""The orders that any run can be sorted in."""


ErrorKey: TypeAlias = tuple[CaseKey, str, str | None]
"""A sample, an error without what differs each time, and who answered where that keeps rows apart."""

_BEGINNING = 1_000
"""Characters of an error that are compared: a traceback may be long."""

_PASSING = re.compile(
    r"\b(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.]*Z?|\d+\.\d+|\d{5,}|(?:[a-z]+_)?(?=[a-z]*\d)[0-9a-z]{16,}\b)",
    re.IGNORECASE,
)
"""What an error has of its own each time: ids of requests, times, seconds, long numbers. Short codes stay."""


class ReviewOptions(NamedTuple):
    """What a reviewer asks for when starting a review.

    Attributes:
        results: the results file, or the folder of a run.
        reviewer: the name written beside every verdict.
        decks: the decks that were asked for, also for runs opened from here; none to look for them.
        fail_under: scores under it fail.
        everything: whether the records that passed are in the queue at first too.
        order: how the queue is sorted at first.
        baseline: the results of an earlier run to compare with.
        runs_path: the path whose runs may be opened from here; that of the results where it is None.
        dialects: result dialects of this session, before those of the settings.
        sample: which records are to be drawn at random; None to show those that failed.
        record_id: the record to begin with; empty for the first one that is not decided.
    """

    results: Path
    reviewer: str
    decks: tuple[Path, ...] = ()
    fail_under: float | None = None
    everything: bool = False
    order: Order = Order.SCORE
    baseline: Path | None = None
    runs_path: Path | None = None
    dialects: tuple[ResultDialect, ...] = ()
    sample: Design | None = None
    record_id: str = ""


_NOTHING_BESIDE = RecordView()


class ReviewProgress(NamedTuple):
    """How much of the visible queue is decided: neither what reviewers disagree about, nor what one has skipped.

    Attributes:
        waiting: the records that one has not decided about, disputed ones among them.
        read: the records that one decided about, or wrote a note on.
        fully_indexed: whether that is all; until everything is indexed, decisions of earlier runs are not counted.
    """

    reviewed: int
    total: int
    by_verdict: tuple[tuple[Verdict, int], ...]
    disputed: int = 0
    fully_indexed: bool = True
    waiting: int = 0
    read: int = 0

    def words(self, count: int) -> str:
        """Return one of these counts as text, followed by `…` while it may still grow."""
        return f"{count:,}" if self.fully_indexed else f"{count:,}…" if count else "…"


@dataclass(frozen=True)
class Queue:
    """All items in file order, and the indexes of those that are visible, in the order they are stepped through.

    Attributes:
        hidden: those that a later record replaced; visible only where they are asked for by `Filters.only`.
        ranks: by index, the places of records in the orders that no record tells of by itself.
        opened: what the records have in common that are a row each, though they are of one sample with one error.
    """

    items: tuple[QueueItem, ...] = ()
    filters: Filters = field(default_factory=Filters)
    order: Order = Order.SCORE
    visible: tuple[int, ...] = ()
    hidden: frozenset[int] = frozenset()
    ranks: Mapping[Order, Mapping[int, float]] = field(default_factory=dict)
    opened: frozenset[ErrorKey] = frozenset()

    @cached_property
    def failed_words(self) -> str:
        """What the records are called that failed, where errors are among them too."""
        errors = any(item.entry.error is not None for item in self.items)
        return "failed and errors" if errors else "failed"

    def shown(self, filters: Filters | None = None, order: Order | None = None) -> Queue:
        """Return the queue under other filters or in another order."""
        filters, order = filters or self.filters, order or self.order
        visible = self._passing(filters)
        if order is not Order.FILE:
            key = _key(order, self.ranks)
            visible.sort(key=lambda index: key(self.items[index]))  # equal keys keep the order of the file
        return replace(self, filters=filters, order=order, visible=tuple(visible))

    def ranked(self, order: Order, ranks: Mapping[int, float]) -> Queue:
        """Return the queue with the ranks of its records in an order that records alone do not determine."""
        return replace(self, ranks={**self.ranks, order: ranks}).shown()

    def with_items(self, items: Iterable[QueueItem], hidden: frozenset[int] = frozenset()) -> Queue:
        """Return the queue with items added at its end, as the index grows. It filters and sorts all: add many."""
        return replace(self, items=(*self.items, *items), hidden=hidden).shown()

    def revised(
        self,
        of: Callable[[Entry], bool],
        decision_of: Callable[[str], Decision | None],
        sample_hash_of: Callable[[Entry], str | None],
        view_of: Callable[[str], RecordView] = lambda _: _NOTHING_BESIDE,
    ) -> Queue:
        """Return the queue after records were decided, or a sample was changed, which makes decisions stale.

        `of` tells which records that is about. What was carried over from another run may count no longer.
        """
        items = tuple(
            _with(item, decision_of(digest), sample_hash_of(item.entry), view_of(digest))
            if of(item.entry) and (digest := item.entry.digest)
            else item
            for item in self.items
        )
        changed = replace(self, items=items)
        return changed.shown() if self.filters.by_decision else changed

    @cached_property
    def groups(self) -> Mapping[int, LikeErrors]:
        """By index, the visible records of one sample with the same error, where there are several."""
        return like_errors(self.items, self.visible, by_target=self.order is Order.TARGET)

    def is_open(self, group: LikeErrors) -> bool:
        """Tell whether each of a group has a row of its own."""
        return group.key in self.opened

    def turned(self, group: LikeErrors) -> Queue:
        """Return the queue with a row for each of a group, or with one for all of them."""
        return replace(self, opened=self.opened ^ {group.key})

    def row_of(self, index: int) -> int:
        """Return the record whose row stands for one: of a group that is one row, the first that is not decided."""
        group = self.groups.get(index)
        return index if group is None or self.is_open(group) else self._first_of(group)

    def _first_of(self, group: LikeErrors) -> int:
        return next((index for index in group.members if self.items[index].verdict is None), group.members[0])

    @cached_property
    def rows(self) -> tuple[int, ...]:
        """The visible records that have a row."""
        closed = [group for group in {*self.groups.values()} if not self.is_open(group)]
        folded = {index for group in closed for index in group.members if index != self._first_of(group)}
        return tuple(index for index in self.visible if index not in folded) if folded else self.visible

    def rows_with(self, index: int) -> tuple[int, ...]:
        """Return the rows, and among them one for a record even if it is not visible."""
        if self.shows(index):
            return self.rows
        position = self.position(index, self.rows)
        return (*self.rows[:position], index, *self.rows[position:])

    @cached_property
    def _visible(self) -> frozenset[int]:
        return frozenset(self.visible)

    def shows(self, index: int) -> bool:
        """Tell whether a record is visible."""
        return index in self._visible

    def step(self, current: int | None, by: int = 1) -> int | None:
        """Return the record so many rows from the current one; None if that is beyond the ends.

        The current record need no longer be visible: the step goes from where it would be.
        """
        rows = self.rows
        if current is None:
            position = -1 if by > 0 else len(rows)
        else:
            position = self.position(current, rows)
            if by > 0 and rows[position : position + 1] != (current,):
                position -= 1
        position += by
        return rows[position] if 0 <= position < len(rows) else None

    def next_unreviewed(self, current: int | None, passing_over: Container[int] = ()) -> int | None:
        """Return the next visible record that is not decided, starting again at the top; None when all are.

        Some may be passed over.
        """
        position = 0 if current is None else self.position(current)
        after = [index for index in self.visible[position:] if index != current]
        undecided = (index for index in (*after, *self.visible[:position]) if self.items[index].verdict is None)
        return next((index for index in undecided if index not in passing_over), None)

    def position(self, index: int, among: Sequence[int] | None = None) -> int:
        """Return the position of a record among the visible ones, from 0; where it would be if it is hidden.

        `among` are fewer of these, in the same order.
        """
        key = _key(self.order, self.ranks)
        return bisect_left(
            self.visible if among is None else among,
            (key(self.items[index]), index),
            key=lambda other: (key(self.items[other]), other),
        )

    @cached_property
    def progress(self) -> ReviewProgress:
        """Count the decisions about the records that pass the filters, apart from the filters by decision."""
        filters = self.filters._replace(unreviewed=False, verdict=None, stale=False, code=None)
        items = [self.items[index] for index in self._passing(filters)]
        counts = Counter(item.undisputed_verdict for item in items if item.undisputed_verdict is not None)
        by_verdict = tuple((verdict, counts[verdict]) for verdict in Verdict)
        disputed = len([item for item in items if item.view.disputed])
        waiting = len([item for item in items if item.verdict is None])
        reviewed = sum(count for verdict, count in counts.items() if verdict.decides)
        read = len([item for item in items if item.is_read])
        return ReviewProgress(reviewed, len(items), by_verdict, disputed, waiting=waiting, read=read)

    def _passing(self, filters: Filters) -> list[int]:
        indexes = passing(self.items, filters)
        hidden = self.hidden.difference(filters.only or ())
        return [index for index in indexes if index not in hidden] if hidden else indexes


def items_of(
    entries: Iterable[Entry],
    decision_of: Callable[[str], Decision | None],
    sample_hash_of: Callable[[Entry], str | None] = lambda _: None,
    fail_under: float | None = None,
    view_of: Callable[[str], RecordView] = lambda _: _NOTHING_BESIDE,
) -> tuple[QueueItem, ...]:
    """Return the items of entries.

    Args:
        entries: the records' facts.
        decision_of: the decision that stands about a record digest.
        sample_hash_of: the digest of a record's sample as its deck has it now; asked for decided records only.
        fail_under: scores under it fail.
        view_of: what others say about a record digest.
    """

    def item(entry: Entry) -> QueueItem:
        plain = QueueItem(entry, failed(entry, fail_under), failing_evaluators(entry, fail_under), _rank(entry))
        decision, view = decision_of(entry.digest), view_of(entry.digest)
        if decision is None and view == _NOTHING_BESIDE:
            return plain
        return _with(plain, decision, None if decision is None else sample_hash_of(entry), view)

    return tuple(map(item, entries))


def _with(item: QueueItem, decision: Decision | None, sample_hash: str | None, view: RecordView) -> QueueItem:
    """Return an item after a decision about it, or after it was taken back."""
    plain = QueueItem(item.entry, item.failed, item.failing, item.rank, view=view)
    if decision is None:
        return plain
    return plain._replace(
        verdict=decision.verdict,
        stale=is_stale(decision, sample_hash),
        carried=decision.carried,
        adjudicated=decision.kind is LogAction.ADJUDICATE,
    )


def _rank(entry: Entry) -> float:
    if entry.error is not None:
        return -math.inf
    if entry.score is None:
        return math.inf
    return entry.score if entry.truth_score is None else -abs(entry.score - entry.truth_score)


def first_of(
    items: Iterable[QueueItem], order: Order, ranks: Mapping[int, float] | None = None
) -> QueueItem | None:
    """Return the item that a queue of these would begin with, None if there is none.

    `ranks` has their places in an order that they do not tell of by themselves.
    """
    return min(items, key=_key(order, {order: ranks or {}}), default=None)


def _key(order: Order, ranks: Mapping[Order, Mapping[int, float]]) -> Callable[[QueueItem], tuple[str, float]]:
    """Return the sort key of an order."""
    match order:
        case Order.SCORE:
            return lambda item: ("", item.rank)
        case Order.TARGET:
            return lambda item: (item.entry.target or "", item.rank)
        case Order.FILE:
            return lambda _: ("", 0.0)
    rank_of = ranks.get(order, {})
    return lambda item: ("", rank_of.get(item.entry.index, math.inf))


class LikeErrors(NamedTuple):
    """Records that are one row of a queue until it is opened.

    Attributes:
        key: what they have in common.
        members: their indexes, in the order of the queue.
    """

    key: ErrorKey
    members: tuple[int, ...]


def like_errors(
    items: Sequence[QueueItem],
    visible: Sequence[int],
    *,
    by_target: bool = False,
) -> dict[int, LikeErrors]:
    """Return, by the index of a record, the group of those of its sample with the same error, if there are several.

    Args:
        items: the records.
        visible: the indexes of those that are shown, in their order.
        by_target: whether records of different targets stay apart, as in a queue that has a heading for each.
    """
    found: dict[ErrorKey, list[int]] = {}
    for index in visible:
        entry = items[index].entry
        if entry.error is not None:
            key = entry.case, alike(entry.error), entry.target if by_target else None
            found.setdefault(key, []).append(index)
    groups = (LikeErrors(key, tuple(indexes)) for key, indexes in found.items() if len(indexes) > 1)
    return {index: group for group in groups for index in group.members}


@lru_cache(maxsize=1 << 16)
def alike(error: str) -> str:
    """Return the beginning of an error with `…` for what it has of its own each time it occurs."""
    return _PASSING.sub("…", " ".join(error[:_BEGINNING].split()))
