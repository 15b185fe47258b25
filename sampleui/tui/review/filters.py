"""The filters of a review's queue, as pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sampleui.formats.data import Table, shown
from sampleui.review.baseline import Trend
from sampleui.review.filters import Filters, choices_of
from sampleui.review.grouping import texts_of
from sampleui.review.queue import Order
from sampleui.review.reports.against_baselines import records_by_telling
from sampleui.review.results.file import Results
from sampleui.review.verdict import Verdict
from sampleui.sample.argument_types import argument_values
from sampleui.text.limits import MAX_FILTER_CHOICES
from sampleui.tui.review.joined import DecksOfRun
from sampleui.tui.review.session import DIFFERS, ReviewSession
from sampleui.workspace.filtering import FIRST, fields_of

_DEEPEST_GROUP = 2
"""Keys on the way to a value by which grouping is offered."""


def known_in(results: Results, decks: DecksOfRun) -> tuple[str, ...]:
    """Return the fields that the first records and their samples have.

    Raises:
        ResultsError: when the file changed since it was indexed, or cannot be read.
    """
    return tuple(dict.fromkeys(name for data in _first_data(results, decks) for name in fields_of(data)))


def _first_data(results: Results, decks: DecksOfRun) -> Iterator[Table]:
    """Yield what the samples of the first records say, and then these records."""
    first = results.entries[:FIRST]
    yield from (sample.data for entry in first if (sample := decks.sample(entry)) is not None)
    yield from (results.record(index).data for index in range(len(first)))


def group_names(results: Results, decks: DecksOfRun) -> list[str]:
    """Return what records may be grouped by: what each tool spells in its own way, then the fields they have.

    Those are of samples and then of records, tables left out for what is in them; the fields of which the first
    records have the same value twice come first, since others have as many groups as there are records.

    Raises:
        ResultsError: when the file changed since it was indexed, or cannot be read.
    """
    entries = results.counted
    usual = {
        "target": any(entry.target for entry in entries),
        "tag": any(entry.tags for entry in entries),
        "suite": any(entry.suite for entry in entries),
        "deck": any(entry.source for entry in entries),
    }
    names = [name for name, known in usual.items() if known]
    values: dict[str, list[str]] = {}
    for data in _first_data(results, decks):
        for path, value in argument_values(data):
            if len(path) <= _DEEPEST_GROUP and not isinstance(value, dict) and (texts := texts_of(value)):
                values.setdefault(shown(path), []).extend(texts)
    fields = sorted(values, key=lambda name: len({*values[name]}) == len(values[name]))
    return [*names, *(name for name in fields if name not in usual)]


SAMPLED = "random sample"
"""What the records of a draw are called where they alone are shown."""

UNSTABLE = "unstable over attempts"
"""The name of the filter for samples of which some attempts passed and others did not."""


class Choice(NamedTuple):
    """Filters to go to, and what their `only` is called."""

    filters: Filters
    narrowed: str = ""


def filter_choices(review: ReviewSession, narrowed: str, filters: Filters) -> Mapping[str, Choice]:
    """Return what may be chosen, by label. A filter that is set is marked, and choosing it removes it."""
    return dict(_choices(review, Choice(filters, narrowed)))


def _choices(review: ReviewSession, now: Choice) -> Iterator[tuple[str, Choice]]:
    items, filters = review.queue.items, now.filters
    yield f"all records ({len(items):,})", Choice(Filters())
    counts = Counter(item.undisputed_verdict for item in items)
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
    yield from _named_choices(review, now)
    choices = choices_of(items)
    for name, count in choices.evaluators[:MAX_FILTER_CHOICES]:
        on = filters.evaluator == name
        yield _marked(f"failed by: {name}", count, on), _with(now, evaluator=None if on else name)
    if len(choices.targets) > 1:
        for target, count in choices.targets[:MAX_FILTER_CHOICES]:
            on = filters.target == target
            yield _marked(f"target: {target}", count, on), _with(now, target=None if on else target)
    for kind, count in Counter(kind for item in items if not item.disputed for kind in item.kinds).most_common(
        MAX_FILTER_CHOICES
    ):
        on = filters.kind == kind
        yield _marked(f"kind of failure: {kind}", count, on), _with(now, kind=None if on else kind)
    for tag, count in choices.tags[:MAX_FILTER_CHOICES]:
        on = filters.tag == tag
        yield _marked(f"tag: {tag}", count, on), _with(now, tag=None if on else tag)


def named_records(review: ReviewSession) -> dict[str, frozenset[int]]:
    """Return the records that differ, are unstable, drawn, disputed and the like, by the name of their filter."""
    groups: dict[str, frozenset[int]] = {}
    if review.compared:
        by_trend: dict[tuple[bool, Trend], list[int]] = {}
        for record_index, fared in review.compared.items():
            by_trend.setdefault((fared.by_people, fared.trend), []).append(record_index)
        groups[DIFFERS] = review.differing
        groups |= {
            trend_name(trend, by_people=by_people): frozenset(by_trend[by_people, trend])
            for by_people in (False, True)
            for trend in Trend
            if (by_people, trend) in by_trend
        }
        groups |= _graders(review)
    if unstable := frozenset(index for index, tried in review.attempts.items() if tried.unstable):
        groups[UNSTABLE] = unstable
    groups |= records_by_telling(review.results) if review.results.complete else {}
    if review.draws.last is not None:
        groups[SAMPLED] = frozenset(review.queue.ranks[Order.DRAWN])
    if review.expectations.reworded:
        groups["expectation changed since the run"] = review.expectations.reworded
    if review.unjoined:
        groups["without a sample in the deck"] = review.unjoined
    if disputed := frozenset(item.index for item in review.results.counted if review.log.disputed(item.digest)):
        groups["reviewers disagree"] = disputed
    waiting = (item.entry.index for item in review.queue.items if item.offered)
    if proposed := frozenset((*waiting, *review.proposals.edits)):
        groups["proposed by a program"] = proposed
    if adjudicated := frozenset(item.entry.index for item in review.queue.items if item.adjudicated):
        groups["adjudicated"] = adjudicated
    if review.results.superseded:
        groups["replaced by a rerun"] = frozenset(review.results.superseded)
    return groups


def _named_choices(review: ReviewSession, now: Choice) -> Iterator[tuple[str, Choice]]:
    for label, only in named_records(review).items():
        on = now.filters.only == only
        filters = Filters() if on else Filters(only=only)
        yield _marked(label, len(only), on), Choice(filters, "" if on else label)


def _graders(review: ReviewSession) -> dict[str, frozenset[int]]:
    """Return by evaluator the records that it scores worse, and better, than in the baseline."""
    changed: dict[str, set[int]] = {}
    for record_index, item in review.compared.items():
        for change in item.graders:
            if change.trend in (Trend.WORSE, Trend.BETTER):
                changed.setdefault(f"{change.name}: {change.trend} than the baseline", set()).add(record_index)
    return {label: frozenset(indexes) for label, indexes in changed.items()}


def trend_name(trend: Trend, *, by_people: bool = False) -> str:
    """Return what the filter of records of a trend is called."""
    name = f"{trend} than the baseline" if trend in (Trend.BETTER, Trend.WORSE) else f"compared: {trend}"
    return f"{name}, by people" if by_people else name


def _with(now: Choice, **changes: object) -> Choice:
    return Choice(now.filters._replace(**changes), now.narrowed)  # type: ignore[arg-type]


def _marked(label: str, count: int, on: bool) -> str:
    return f"{'✓ ' if on else ''}{label} ({count:,})"
