"""The plots of a run as values, drawn alike in a terminal and on a page."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import NamedTuple, TypeAlias

from sampleui.review.record import Entry, Record, on_scale
from sampleui.review.reports.figures import FEW_TARGETS, Figures, Group, ScoreBin
from sampleui.review.reports.words import number
from sampleui.review.results.file import Results
from sampleui.statistics import LARGEST, Interval
from sampleui.statistics.graders import Estimate
from sampleui.statistics.means import Measure
from sampleui.text.limits import MAX_MEASURED_RECORDS
from sampleui.text.wording import dollars, shown_ms

BINS = 20
_FEW = 5
_SKEWED = 100
"""How often the least value is in the greatest from which on bins are of equal ratio instead of equal width."""


class Bin(NamedTuple):
    """How many values there are from one, included, to another; the last bin has its end too."""

    low: float
    high: float
    size: int


class Distribution(NamedTuple):
    """The values of one measure.

    Attributes:
        name: what was measured.
        unit: `score` (from 0 to 1), `own` (a score of a scale of its own), `ms`, `usd` or `tokens`.
        n: records that have a value.
        missing: those that have none.
        low: the least value.
        middle: the median.
        high: the greatest value.
        ratio: whether bins are of equal ratio, for values that differ by more than a hundred times.
        bins: in order; of values that are all the same one.
    """

    name: str
    unit: str
    n: int
    missing: int
    low: float
    middle: float
    high: float
    ratio: bool
    bins: tuple[Bin, ...]

    @property
    def is_plain(self) -> bool:
        """Whether a histogram would say no more than words."""
        return self.n < _FEW or len(self.bins) == 1


_UNITS = {"Latency": "ms", "Cost": "usd", "Tokens": "tokens"}


class Measurements:
    """The cost, time and tokens of records, gathered one by one."""

    def __init__(self) -> None:
        self._records = 0
        self._values = {name: list[float]() for name in _UNITS}

    def add(self, record: Record) -> None:
        """Note a record."""
        self._records += 1
        tokens = [count for count in (record.tokens or ())[:2] if count is not None]
        measured = (record.latency_ms, record.cost_usd, sum(tokens) if tokens else None)
        for value, values in zip(measured, self._values.values(), strict=True):
            if value is not None and math.isfinite(value) and value >= 0:
                values.append(value)

    def include(self, other: Measurements) -> None:
        """Add the measurements of other records."""
        self._records += other._records
        for name, values in other._values.items():
            self._values[name] += values

    @property
    def distributions(self) -> tuple[Distribution, ...]:
        """The spread of each measure that any record has."""
        return tuple(
            distribution_of(name, _UNITS[name], values, self._records)
            for name, values in self._values.items()
            if values
        )


def scores_of(entries: Sequence[Entry]) -> Distribution | None:
    """Return how the scores of records are spread; None where none has one."""
    scores = [entry.score for entry in entries if entry.score is not None and abs(entry.score) <= LARGEST]
    if not scores:
        return None
    bounded = all(entry.bounded for entry in entries) and all(map(on_scale, scores))
    return distribution_of("Scores", "score" if bounded else "own", scores, len(entries))


def distribution_of(name: str, unit: str, values: Sequence[float], records: int) -> Distribution:
    """Return the distribution of some values, at least one, of a number of records."""
    low, high = min(values), max(values)
    ratio = unit not in ("score", "own") and low > 0 and high / low > _SKEWED
    start, end = (0.0, max(high, 1.0)) if unit == "score" else (low, high)
    positions = [math.log(value) for value in values] if ratio else values
    first, last = (math.log(start), math.log(end)) if ratio else (start, end)
    width = (last - first) / BINS
    bins: tuple[Bin, ...] = (Bin(low, high, len(values)),)
    if width > 0:
        counts = [0] * BINS
        for path in positions:
            counts[min(int((path - first) / width), BINS - 1)] += 1
        edges = [first + index * width for index in range(BINS + 1)]
        edges = [math.exp(edge) for edge in edges] if ratio else edges
        bins = tuple(map(Bin, edges, edges[1:], counts))
    return Distribution(name, unit, len(values), records - len(values), low, median(values), high, ratio, bins)


class Estimated(NamedTuple):
    """A rate with its interval, and what it is of."""

    name: str
    rate: float | None
    interval: Interval | None

    @property
    def share(self) -> Estimate:
        """The rate with its interval alone."""
        return Estimate(self.rate, self.interval)


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
    for entry in entries if len(entries) <= MAX_MEASURED_RECORDS else ():
        measurements.add(results.record(entry.index))
    return (*(() if scores is None else (scores,)), *measurements.distributions)


def plots_of(figures: Figures, spreads: Iterable[Distribution]) -> Iterator[Plot]:
    """Yield the plots: how values are spread, rates of groups, how reliable graders are, runs over time."""
    yield from spreads
    if figures.targets:
        worst = ", the worst" if len(figures.targets) > FEW_TARGETS else ""
        yield _rates(f"Pass rate by target{worst}", figures.targets)
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
        for group in groups[:FEW_TARGETS]
    )
    more = f", {FEW_TARGETS} of {len(groups):,}" if len(groups) > FEW_TARGETS else ""
    return Rates(title + more, shown)


def estimated(name: str, rate: Measure) -> Estimated:
    """Return a rate to be plotted."""
    return Estimated(name, rate.value, rate.interval)


def value_words(unit: str, value: float) -> str:
    """Return a value of a distribution in its unit."""
    match unit:
        case "score":
            return f"{value:.2f}"
        case "ms":
            return shown_ms(value)
        case "usd":
            return dollars(value)
        case "tokens":
            return f"{value:,.0f}"
    return number(value)
