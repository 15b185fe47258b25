"""What of a queue is shown. Pure values; nothing here reads a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sampleui.review.record import Entry
from sampleui.review.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Item:
    """A record in the queue.

    Attributes:
        failing: the names of the evaluators that it failed.
        rank: where it stands in the order by score, lowest first.
        verdict: what was decided last, None when nothing was.
        stale: whether the sample has changed since that decision.
        carried: whether it was decided on an earlier run, about the same answer.
        adjudicated: whether that decision settled a disagreement.
        kinds: the kinds of failure that it was tagged with.
    """

    entry: Entry
    failed: bool
    failing: tuple[str, ...]
    rank: float
    verdict: Verdict | None = None
    stale: bool = False
    carried: bool = False
    adjudicated: bool = False
    kinds: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Filters:
    """What is shown: records that pass every filter that is set.

    Attributes:
        verdict: decided so.
        evaluator: failed by this evaluator.
        target: answered by this target.
        kind: tagged with this kind of failure.
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
    kind: str | None = None
    text: str = ""
    found: frozenset[int] = frozenset()
    only: frozenset[int] | None = None

    @property
    def by_decision(self) -> bool:
        """Whether a decision can change what passes."""
        return self.unreviewed or self.stale or self.verdict is not None or self.kind is not None


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


def passing(items: Sequence[Item], filters: Filters) -> list[int]:
    """Return the places of the items that pass every filter that is set."""
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
    if filters.kind is not None:
        found = [at for at in found if filters.kind in items[at].kinds]
    if filters.text:
        wanted = filters.text.casefold()
        found = [at for at in found if at in filters.found or wanted in _words(items[at].entry)]
    return found


def _words(entry: Entry) -> str:
    return "\n".join((entry.id, entry.target or "", entry.error or "")).casefold()
