"""The filters of a review's queue, as pure functions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from sampleui.formats.data import Table, shown
from sampleui.review.baseline import Trend
from sampleui.review.filters import Filters, choices_of
from sampleui.review.grouping import texts_of
from sampleui.review.queue import Order
from sampleui.review.record import Outcome
from sampleui.review.reports.against_baselines import records_by_telling
from sampleui.review.results.file import Results
from sampleui.review.verdict import Verdict
from sampleui.sample.argument_types import argument_values
from sampleui.text.limits import MAX_FILTER_CHOICES
from sampleui.tui.review.draws import SAMPLED
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


UNSTABLE = "unstable over attempts"
"""The name of the filter for samples of which some attempts passed and others did not."""


def filter_choices(review: ReviewSession, now: Filters) -> Mapping[str, Filters]:
    """Return what may be chosen, by label. A filter that is set is marked, and choosing it removes it."""
    return dict(_choices(review, now))


def _choices(review: ReviewSession, now: Filters) -> Iterator[tuple[str, Filters]]:
    items = review.queue.items
    yield f"all records ({len(items):,})", Filters()
    counts = Counter(item.undisputed_verdict for item in items)
    failed, unreviewed, stale = now.failed, now.unreviewed, now.stale
    yield (
        _marked(review.queue.failed_words, sum(item.failed for item in items), failed),
        now._replace(failed=not failed),
    )
    came_out = Counter(item.outcome for item in items)
    yield from _of_a_field(now, "outcome", [(item, came_out[item]) for item in Outcome])
    open_ones = sum(item.verdict is None for item in items)
    yield _marked("unreviewed", open_ones, unreviewed), now._replace(unreviewed=not unreviewed)
    changed = sum(item.stale for item in items)
    yield _marked("sample changed since the verdict", changed, stale), now._replace(stale=not stale)
    yield from _of_a_field(now, "verdict", [(item, counts[item]) for item in Verdict])
    for label, only in named_records(review).items():
        on = now.only == only
        yield _marked(label, len(only), on), Filters() if on else Filters(only=only, named=label)
    choices, codes = choices_of(items), Counter(code for item in items for code in item.view.codes)
    yield from _of_a_field(now, "evaluator", choices.evaluators[:MAX_FILTER_CHOICES], "failed by")
    if len(choices.targets) > 1:
        yield from _of_a_field(now, "target", choices.targets[:MAX_FILTER_CHOICES])
    yield from _of_a_field(now, "code", codes.most_common(MAX_FILTER_CHOICES))
    yield from _of_a_field(now, "tag", choices.tags[:MAX_FILTER_CHOICES])


def _of_a_field(
    now: Filters, field: str, counts: Iterable[tuple[str, int]], label: str = ""
) -> Iterator[tuple[str, Filters]]:
    """Yield the values of a field of filters, with how many records have it; one that none has if it is set."""
    for value, count in counts:
        on = getattr(now, field) == value
        if count or on:
            chosen: dict[str, Any] = {field: None if on else value}
            yield _marked(f"{label or field}: {value}", count, on), now._replace(**chosen)


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
    items, drawn = review.queue.items, review.state.draw is not None
    waiting = (item.entry.index for item in items if item.view.waiting)
    others: dict[str, Iterable[int]] = {
        UNSTABLE: (index for index, tried in review.attempts.items() if tried.unstable),
        **(records_by_telling(review.results) if review.results.complete else {}),
        SAMPLED: review.queue.ranks[Order.DRAWN] if drawn else (),
        "expectation changed since the run": review.state.reworded,
        "without a sample in the deck": review.unjoined,
        "reviewers disagree": (item.index for item in review.results.counted if review.log.disputed(item.digest)),
        "proposed by a program": (*waiting, *review.state.edits),
        "adjudicated": (item.entry.index for item in items if item.adjudicated),
        "replaced by a rerun": review.results.superseded,
    }
    return groups | {name: records for name, found in others.items() if (records := frozenset(found))}


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


def _marked(label: str, count: int, on: bool) -> str:
    return f"{'✓ ' if on else ''}{label} ({count:,})"
