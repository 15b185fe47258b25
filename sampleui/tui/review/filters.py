"""What the queue of a review can be filtered by: labels and the filters they lead to, pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sampleui.review.baseline import DIFFERING, Trend
from sampleui.review.filters import Filters, choices_of
from sampleui.review.verdict import Verdict
from sampleui.tui.review.session import ReviewSession

_MOST = 200


class Choice(NamedTuple):
    """Filters to go to, and what their `only` is called."""

    filters: Filters
    narrowed: str = ""


def filter_choices(review: ReviewSession, narrowed: str) -> Mapping[str, Choice]:
    """Return what may be chosen, by label. A filter that is set is marked, and choosing it removes it."""
    return dict(_choices(review, Choice(review.queue.filters, narrowed)))


def _choices(review: ReviewSession, now: Choice) -> Iterator[tuple[str, Choice]]:
    items, filters = review.queue.items, now.filters
    yield f"all records ({len(items):,})", Choice(Filters())
    counts = Counter(item.settled for item in items)
    toggles = (
        ("failed", "failed", sum(item.failed for item in items)),
        ("unreviewed", "unreviewed", sum(item.verdict is None for item in items)),
        ("stale", "sample changed since the verdict", sum(item.stale for item in items)),
    )
    for name, label, count in toggles:
        on = bool(getattr(filters, name))
        yield _marked(label, count, on), _with(now, **{name: not on})
    for verdict in Verdict:
        if counts[verdict] or filters.verdict is verdict:
            on = filters.verdict is verdict
            yield _marked(f"verdict: {verdict}", counts[verdict], on), _with(now, verdict=None if on else verdict)
    yield from _comparisons(review, now)
    found = choices_of(items)
    for name, count in found.evaluators[:_MOST]:
        on = filters.evaluator == name
        yield _marked(f"failed by: {name}", count, on), _with(now, evaluator=None if on else name)
    if len(found.targets) > 1:
        for target, count in found.targets[:_MOST]:
            on = filters.target == target
            yield _marked(f"target: {target}", count, on), _with(now, target=None if on else target)
    for kind, count in Counter(kind for item in items if not item.disputed for kind in item.kinds).most_common(
        _MOST
    ):
        on = filters.kind == kind
        yield _marked(f"kind of failure: {kind}", count, on), _with(now, kind=None if on else kind)
    for tag, count in found.tags[:_MOST]:
        on = filters.tag == tag
        yield _marked(f"tag: {tag}", count, on), _with(now, tag=None if on else tag)


def _comparisons(review: ReviewSession, now: Choice) -> Iterator[tuple[str, Choice]]:
    groups: dict[str, frozenset[int]] = {}
    if review.compared:
        by_trend: dict[Trend, list[int]] = {}
        for at, one in review.compared.items():
            by_trend.setdefault(one.trend, []).append(at)
        differing = [at for trend, found in by_trend.items() if trend in DIFFERING for at in found]
        groups["differs from the baseline"] = frozenset(differing)
        groups |= {_name(trend): frozenset(by_trend[trend]) for trend in Trend if trend in by_trend}
        groups |= _graders(review)
    if review.reworded:
        groups["expectation changed since the run"] = review.reworded
    if review.unjoined:
        groups["without a sample in the deck"] = review.unjoined
    if disputed := frozenset(one.index for one in review.results.counted if review.log.disputed(one.digest)):
        groups["reviewers disagree"] = disputed
    if settled := frozenset(item.entry.index for item in review.queue.items if item.adjudicated):
        groups["adjudicated"] = settled
    if review.results.superseded:
        groups["replaced by a rerun"] = frozenset(review.results.superseded)
    for label, only in groups.items():
        on = now.filters.only == only
        filters = Filters() if on else Filters(only=only)
        yield _marked(label, len(only), on), Choice(filters, "" if on else label)


def _graders(review: ReviewSession) -> dict[str, frozenset[int]]:
    """Return by evaluator the records that it scores worse, and better, than in the baseline."""
    changed: dict[str, set[int]] = {}
    for at, one in review.compared.items():
        for change in one.graders:
            if change.trend in (Trend.WORSE, Trend.BETTER):
                changed.setdefault(f"{change.name}: {change.trend} than the baseline", set()).add(at)
    return {label: frozenset(found) for label, found in changed.items()}


def _name(trend: Trend) -> str:
    return f"{trend} than the baseline" if trend in (Trend.BETTER, Trend.WORSE) else f"compared: {trend}"


def _with(now: Choice, **changes: object) -> Choice:
    return Choice(now.filters._replace(**changes), now.narrowed)  # type: ignore[arg-type]


def _marked(label: str, count: int, on: bool) -> str:
    return f"{'✓ ' if on else ''}{label} ({count:,})"
