"""How values are spread over the records of a run: scores, latency, cost, tokens."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

from sampleui.review.record import Entry, Record, on_scale

BINS = 20
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


class Measurements:
    """What records have cost, gathered one by one."""

    def __init__(self) -> None:
        self._records = 0
        self._latency: list[float] = []
        self._cost: list[float] = []
        self._tokens: list[float] = []

    def add(self, record: Record) -> None:
        """Take note of a record."""
        self._records += 1
        tokens = record.tokens
        total = None if tokens is None or tokens == (None, None) else (tokens.input or 0) + (tokens.output or 0)
        for value, values in (
            (record.latency_ms, self._latency),
            (record.cost_usd, self._cost),
            (total, self._tokens),
        ):
            if value is not None and math.isfinite(value) and value >= 0:
                values.append(value)

    def include(self, other: Measurements) -> None:
        """Take note of the records that others were taken of."""
        self._records += other._records
        for values, more in (
            (self._latency, other._latency),
            (self._cost, other._cost),
            (self._tokens, other._tokens),
        ):
            values.extend(more)

    @property
    def distributions(self) -> tuple[Distribution, ...]:
        """The spread of each measure that any record has."""
        named = (("Latency", "ms", self._latency), ("Cost", "usd", self._cost), ("Tokens", "tokens", self._tokens))
        return tuple(distribution_of(name, unit, values, self._records) for name, unit, values in named if values)


def scores_of(entries: Sequence[Entry]) -> Distribution | None:
    """Return how the scores of records are spread; None where none has one."""
    scores = [entry.score for entry in entries if entry.score is not None and math.isfinite(entry.score)]
    if not scores:
        return None
    bounded = all(entry.bounded for entry in entries) and all(map(on_scale, scores))
    return distribution_of("Scores", "score" if bounded else "own", scores, len(entries))


def distribution_of(name: str, unit: str, values: Sequence[float], records: int) -> Distribution:
    """Return how one value or more are spread, of so many records."""
    low, high = min(values), max(values)
    ratio = unit not in ("score", "own") and low > 0 and high / low > _SKEWED
    start, end = (0.0, max(high, 1.0)) if unit == "score" else (low, high)
    places = [math.log(value) for value in values] if ratio else values
    first, last = (math.log(start), math.log(end)) if ratio else (start, end)
    width = (last - first) / BINS
    bins: tuple[Bin, ...] = (Bin(low, high, len(values)),)
    if width > 0:
        counts = [0] * BINS
        for place in places:
            counts[min(int((place - first) / width), BINS - 1)] += 1
        edges = [first + index * width for index in range(BINS + 1)]
        edges = [math.exp(edge) for edge in edges] if ratio else edges
        bins = tuple(map(Bin, edges, edges[1:], counts))
    return Distribution(name, unit, len(values), records - len(values), low, median(values), high, ratio, bins)
