"""What is plotted of a run, as values: whoever draws them, in a terminal or on a page, shows the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from sampleui.review.reports.distributions import Distribution, Measurements, scores_of
from sampleui.review.reports.figures import Figures, Group, Measure, ScoreBin
from sampleui.review.reports.words import number
from sampleui.review.results.file import Results
from sampleui.statistics.values import Interval
from sampleui.text.wording import shown_ms

_MOST_RATES = 12
"""Groups of which rates are plotted."""

MOST_MEASURED = 20_000
"""Records up to which each is read for what it cost."""


class Estimated(NamedTuple):
    """A rate with its interval, and what it is of."""

    name: str
    rate: float | None
    interval: Interval | None


class Rates(NamedTuple):
    """Rates beside each other."""

    title: str
    estimates: tuple[Estimated, ...]


class RatesOverTime(NamedTuple):
    """Rates one after the other, the oldest first."""

    title: str
    points: tuple[Estimated, ...]


class Reliability(NamedTuple):
    """How often answers are right by the score that a grader gave: as often as it says, on the diagonal."""

    title: str
    bins: tuple[ScoreBin, ...]


Plot: TypeAlias = Distribution | Rates | RatesOverTime | Reliability


def spreads_of(results: Results) -> tuple[Distribution, ...]:
    """Return how scores are spread over a run; latency, cost and tokens too if its records are not too many.

    Raises:
        ResultsError: a record can no longer be read.
    """
    entries = results.counted
    scores = scores_of(entries)
    measurements = Measurements()
    for entry in entries if len(entries) <= MOST_MEASURED else ():
        measurements.add(results.record(entry.index))
    return (*(() if scores is None else (scores,)), *measurements.distributions)


def plots_of(figures: Figures, spreads: Iterable[Distribution]) -> Iterator[Plot]:
    """Yield what is plotted: how values are spread, rates of groups, how reliable graders are, runs over time."""
    yield from spreads
    if figures.targets:
        yield _rates("Pass rate by target", figures.targets)
    if figures.groups is not None and figures.groups.groups and figures.groups.fields != ("target",):
        yield _rates(f"Pass rate by {', '.join(figures.groups.fields)}", figures.groups.groups)
    for grader in figures.graders:
        shares = (
            ("right passed", grader.true_positive_rate),
            ("wrong failed", grader.true_negative_rate),
            ("precision", grader.precision),
            ("agreement", grader.agreement),
        )
        known = tuple(Estimated(name, share.value, share.interval) for name, share in shares)
        if any(item.rate is not None for item in known):
            yield Rates(f"Reliability of {grader.evaluator or 'all graders together'}", known)
        if any(item.right.value is not None for item in grader.bins):
            yield Reliability(f"Right answers by score of {grader.evaluator or 'the run'}", grader.bins)
    if figures.series is not None and figures.series.runs:
        points = tuple(estimated(item.name, item.pass_rate) for item in figures.series.runs)
        yield RatesOverTime("Pass rate over time", points)


def _rates(title: str, groups: Sequence[Group]) -> Rates:
    shown = tuple(
        estimated(", ".join(value or "-" for value in group.values), group.pass_rate)
        for group in groups[:_MOST_RATES]
    )
    more = f" ({_MOST_RATES} of {len(groups):,})" if len(groups) > _MOST_RATES else ""
    return Rates(title + more, shown)


def estimated(name: str, rate: Measure) -> Estimated:
    """Return a rate to be plotted, without an interval that is known to be too short."""
    return Estimated(name, rate.value, None if rate.very_few else rate.interval)


def value_words(unit: str, value: float) -> str:
    """Return a value of a distribution in its unit."""
    match unit:
        case "score":
            return f"{value:.2f}"
        case "ms":
            return shown_ms(value)
        case "usd":
            return f"${value:.6f}".rstrip("0").rstrip(".") if value < 1 else f"${value:,.2f}"
        case "tokens":
            return f"{value:,.0f}"
    return number(value)
