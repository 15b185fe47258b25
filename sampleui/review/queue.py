"""The queue of records: what is in it, in which order, what is next. Pure values; nothing here reads a file."""

from __future__ import annotations

import dataclasses
import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from sampleui.review.record import Entry, failed, failing_evaluators
from sampleui.review.verdict import Decision, Verdict, is_stale


class Order(StrEnum):
    """How a queue is sorted: by score (errors, then the lowest or the widest miss of the truth) or by place."""

    SCORE = "score"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Item:
    """A record in the queue.

    Attributes:
        failing: the names of the evaluators that it failed.
        rank: where it stands in the order by score, lowest first.
        verdict: what was decided last, None when nothing was.
        stale: whether the sample has changed since that decision.
        carried: whether it was decided on an earlier run, about the same answer.
    """

    entry: Entry
    failed: bool
    failing: tuple[str, ...]
    rank: float
    verdict: Verdict | None = None
    stale: bool = False
    carried: bool = False


@dataclass(frozen=True, slots=True)
class Filters:
    """What is shown: records that pass every filter that is set.

    Attributes:
        verdict: decided so.
        evaluator: failed by this evaluator.
        target: answered by this target.
        text: in the id, the target or the error, upper and lower case alike; or the record is one of `found`.
        found: indexes of records whose texts hold `text`, from `Results.search`.
        only: indexes of records to stay among, such as those that differ from a baseline; None for all.
    """

    failed: bool = False
    unreviewed: bool = False
    stale: bool = False
    verdict: Verdict | None = None
    evaluator: str | None = None
    tag: str | None = None
    target: str | None = None
    text: str = ""
    found: frozenset[int] = frozenset()
    only: frozenset[int] | None = None

    @property
    def by_decision(self) -> bool:
        """Whether a decision can change what passes."""
        return self.unreviewed or self.stale or self.verdict is not None


@dataclass(frozen=True, slots=True)
class Progress:
    """How much of the visible queue is decided."""

    reviewed: int
    total: int
    by_verdict: tuple[tuple[Verdict, int], ...]


@dataclass(frozen=True, slots=True)
class Queue:
    """All items in file order, and the indexes of those that are visible, in the order they are stepped through.

    Attributes:
        hidden: those that a later record replaced; visible only where they are asked for by `Filters.only`.
    """

    items: tuple[Item, ...] = ()
    filters: Filters = Filters()
    order: Order = Order.SCORE
    visible: tuple[int, ...] = ()
    hidden: frozenset[int] = frozenset()

    def shown(self, filters: Filters | None = None, order: Order | None = None) -> Queue:
        """Return the queue under other filters or in another order."""
        filters, order = filters or self.filters, order or self.order
        return dataclasses.replace(
            self, filters=filters, order=order, visible=_sorted(self.items, self._passing(filters), order)
        )

    def with_items(self, items: Iterable[Item], hidden: frozenset[int] = frozenset()) -> Queue:
        """Return the queue with items added at its end, as the index grows. It filters and sorts anew: add many."""
        return dataclasses.replace(self, items=(*self.items, *items), hidden=hidden).shown()

    def decided(self, digest: str, decision: Decision | None, sample_hash: str | None = None) -> Queue:
        """Return the queue after a decision about a record digest, or after it was taken back (None)."""
        verdict = decision.verdict if decision else None
        stale = _is_stale(decision, sample_hash)
        carried = decision is not None and decision.carried
        items = tuple(
            dataclasses.replace(item, verdict=verdict, stale=stale, carried=carried)
            if item.entry.digest == digest
            else item
            for item in self.items
        )
        changed = dataclasses.replace(self, items=items)
        return changed.shown() if self.filters.by_decision else changed

    def resampled(
        self,
        sample_id: str,
        decision_of: Callable[[str], Decision | None],
        sample_hash: str | None,
        of: Callable[[Entry], bool] = lambda _: True,
    ) -> Queue:
        """Return the queue after a sample was changed: decisions about it before that are stale.

        `of` tells whether a record answers the sample, and not one of that id in another deck.
        """
        items = tuple(
            dataclasses.replace(item, stale=_is_stale(decision_of(item.entry.digest), sample_hash))
            if item.entry.sample_id == sample_id and of(item.entry)
            else item
            for item in self.items
        )
        changed = dataclasses.replace(self, items=items)
        return changed.shown() if self.filters.stale else changed

    def step(self, current: int | None, by: int = 1) -> int | None:
        """Return the visible record that many steps from the current one, None when there is none so far away.

        The current record need not be visible any more: the step goes from where it would stand.
        """
        if current is None:
            place = -1 if by > 0 else len(self.visible)
        else:
            place = self._place(current)
            gone = place >= len(self.visible) or self.visible[place] != current
            place -= gone and by > 0
        place += by
        return self.visible[place] if 0 <= place < len(self.visible) else None

    def next_unreviewed(self, current: int | None) -> int | None:
        """Return the next visible record that is not decided, beginning anew at the top; None when all are."""
        place = 0 if current is None else self._place(current)
        after = [at for at in self.visible[place:] if at != current]
        return next((at for at in (*after, *self.visible[:place]) if self.items[at].verdict is None), None)

    def progress(self) -> Progress:
        """Count the decisions about the records that pass the filters, but for the filters by decision."""
        filters = dataclasses.replace(self.filters, unreviewed=False, verdict=None, stale=False)
        among = self._passing(filters)
        counts = Counter(verdict for at in among if (verdict := self.items[at].verdict) is not None)
        return Progress(counts.total(), len(among), tuple((verdict, counts[verdict]) for verdict in Verdict))

    def _passing(self, filters: Filters) -> list[int]:
        found = _passing(self.items, filters)
        hidden = self.hidden - (filters.only or frozenset())
        return [at for at in found if at not in hidden] if hidden else found

    def _place(self, current: int) -> int:
        if self.order is Order.FILE:
            return bisect_left(self.visible, current)
        return bisect_left(
            self.visible, (self.items[current].rank, current), key=lambda at: (self.items[at].rank, at)
        )


def items_of(
    entries: Iterable[Entry],
    decision_of: Callable[[str], Decision | None],
    sample_hash_of: Callable[[Entry], str | None] = lambda _: None,
    fail_under: float | None = None,
) -> tuple[Item, ...]:
    """Return the items of entries.

    Args:
        entries: the records' facts.
        decision_of: the decision that stands about a record digest.
        sample_hash_of: the digest of a record's sample as its deck has it now; asked for decided records only.
        fail_under: scores under it fail.
    """
    return tuple(_item(entry, decision_of(entry.digest), sample_hash_of, fail_under) for entry in entries)


@dataclass(frozen=True, slots=True)
class Choices:
    """What there is to filter by, with how many records each would show, most first."""

    evaluators: tuple[tuple[str, int], ...]
    tags: tuple[tuple[str, int], ...]
    targets: tuple[tuple[str, int], ...] = ()


def choices_of(items: Iterable[Item]) -> Choices:
    """Return the evaluators that items failed, their tags and their targets."""
    evaluators, tags, targets = Counter[str](), Counter[str](), Counter[str]()
    for item in items:
        evaluators.update(item.failing)
        tags.update(item.entry.tags)
        if item.entry.target is not None:
            targets[item.entry.target] += 1
    return Choices(tuple(evaluators.most_common()), tuple(tags.most_common()), tuple(targets.most_common()))


@dataclass(frozen=True, slots=True)
class Joined:
    """Which sample each record answers, by index; what answers nothing and what nothing answers."""

    sample_of: tuple[int | None, ...]
    records_without_sample: tuple[int, ...]
    samples_without_record: tuple[int, ...]
    duplicate_samples: tuple[int, ...]


def join(record_samples: Sequence[str], sample_ids: Sequence[str]) -> Joined:
    """Join records with samples by id.

    Several records may answer one sample. Of samples that share an id the first one counts; the others are listed
    as duplicates, since no record can be told to answer them.
    """
    first: dict[str, int] = {}
    duplicates = tuple(at for at, sample in enumerate(sample_ids) if first.setdefault(sample, at) != at)
    sample_of = tuple(first.get(sample) for sample in record_samples)
    answered = set(sample_of)
    return Joined(
        sample_of=sample_of,
        records_without_sample=tuple(at for at, sample in enumerate(sample_of) if sample is None),
        samples_without_record=tuple(at for at in first.values() if at not in answered),
        duplicate_samples=duplicates,
    )


def _item(
    entry: Entry,
    decision: Decision | None,
    sample_hash_of: Callable[[Entry], str | None],
    fail_under: float | None,
) -> Item:
    stale = decision is not None and is_stale(decision, sample_hash_of(entry))
    verdict = decision.verdict if decision else None
    failing = failing_evaluators(entry, fail_under)
    carried = decision is not None and decision.carried
    return Item(entry, failed(entry, fail_under), failing, _rank(entry), verdict, stale, carried)


def _is_stale(decision: Decision | None, sample_hash: str | None) -> bool:
    return decision is not None and is_stale(decision, sample_hash)


def _rank(entry: Entry) -> float:
    if entry.error is not None:
        return -math.inf
    if entry.score is None:
        return math.inf
    return entry.score if entry.truth_score is None else -abs(entry.score - entry.truth_score)


def _sorted(items: Sequence[Item], found: list[int], order: Order) -> tuple[int, ...]:
    # Sorting is stable, so equal ranks keep the order of the file.
    return tuple(found if order is Order.FILE else sorted(found, key=lambda at: items[at].rank))


def _passing(items: Sequence[Item], filters: Filters) -> list[int]:
    # One plain pass for each filter that is set: 100,000 items take a few milliseconds each.
    found = list(range(len(items)))
    if filters.only is not None:
        found = [at for at in found if at in filters.only]
    if filters.failed:
        found = [at for at in found if items[at].failed]
    if filters.unreviewed:
        found = [at for at in found if items[at].verdict is None]
    if filters.stale:
        found = [at for at in found if items[at].stale]
    if filters.verdict is not None:
        found = [at for at in found if items[at].verdict == filters.verdict]
    if filters.evaluator is not None:
        found = [at for at in found if filters.evaluator in items[at].failing]
    if filters.tag is not None:
        found = [at for at in found if filters.tag in items[at].entry.tags]
    if filters.target is not None:
        found = [at for at in found if items[at].entry.target == filters.target]
    if filters.text:
        wanted = filters.text.casefold()
        found = [at for at in found if at in filters.found or wanted in _words(items[at].entry)]
    return found


def _words(entry: Entry) -> str:
    return "\n".join((entry.id, entry.target or "", entry.error or "")).casefold()
