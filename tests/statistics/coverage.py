"""How often intervals hold the truth, and how often a difference is found, over sources whose truth is known.

    python -m tests.statistics.coverage

Seeded, so that counts repeat. A source draws what one independent unit came to, as a sum and a number of values,
with the true mean of them all.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import Literal, NamedTuple, TypeAlias, get_args

from sampleui.statistics import Interval
from sampleui.statistics.beta import t_quantile
from sampleui.statistics.graders import Estimate, Label, ReviewedStratum, corrected_rate, grader_estimate
from sampleui.statistics.means import difference_interval, interval_of, standard_error
from sampleui.statistics.units import Summing

Draw: TypeAlias = Callable[[Random], tuple[float, int]]
DrawPair: TypeAlias = Callable[[Random], tuple[float, float]]

SINGLE, PAIRS, GRADERS = "0/1, single", "differences of pairs", "graders"
UNITS = (3, 5, 10, 20, 40, 100)
RUNS = 1_500


class Source(NamedTuple):
    """Where units come from.

    Attributes:
        kind: what it is like.
        name: which of its kind it is.
        mean: the true mean.
        draw: draws a unit.
        bounded: whether its values are from 0 to 1.
    """

    kind: str
    name: str
    mean: float
    draw: Draw
    bounded: bool = True


def _single(chance: float) -> Draw:
    return lambda random: (float(random.random() < chance), 1)


def _attempts(a: float, b: float) -> Draw:
    def draw(random: Random) -> tuple[float, int]:
        chance = random.betavariate(a, b)
        return sum(random.random() < chance for _ in range(3)) / 3, 1

    return draw


def _score(a: float, b: float) -> Draw:
    return lambda random: (random.betavariate(a, b), 1)


def _cluster(a: float, b: float) -> Draw:
    def draw(random: Random) -> tuple[float, int]:
        chance, size = random.betavariate(a, b), random.randint(1, 8)
        return float(sum(random.random() < chance for _ in range(size))), size

    return draw


def _rating(random: Random) -> tuple[float, int]:
    return random.gauss(4.0, 1.5), 1


SOURCES = (
    *(Source(SINGLE, f"{chance:g}", chance, _single(chance)) for chance in (0.02, 0.1, 0.3, 0.5, 0.8, 0.95)),
    *(
        Source("three attempts, averaged", f"Beta({a:g}, {b:g})", a / (a + b), _attempts(a, b))
        for a, b in ((0.5, 0.5), (2, 2), (6, 2), (1, 4), (9, 1))
    ),
    *(
        Source("scores 0 to 1", f"Beta({a:g}, {b:g})", a / (a + b), _score(a, b))
        for a, b in ((0.3, 0.3), (2, 2), (8, 2), (1, 6))
    ),
    *(
        Source("clusters of 1 to 8", f"Beta({a:g}, {b:g})", a / (a + b), _cluster(a, b))
        for a, b in ((0.5, 0.5), (2, 2), (3, 1))
    ),
    Source("ratings (Student's t)", "normal", 4.0, _rating, bounded=False),
)


class Pairs(NamedTuple):
    """Where pairs of scores from 0 to 1 come from: the true difference, and what draws a pair."""

    name: str
    difference: float
    draw: DrawPair


def _outcomes(worse: float, better: float, step: float = 1.0) -> DrawPair:
    def draw(random: Random) -> tuple[float, float]:
        point = random.random()
        if point < worse:
            return step, 0.0
        return (0.0, step) if point < worse + better else (0.0, 0.0)

    return draw


def _shifted(shift: float, spread: float) -> DrawPair:
    def draw(random: Random) -> tuple[float, float]:
        before = random.uniform(0.3, 0.7)
        return before, before + shift + random.uniform(-spread, spread)

    return draw


def _seldom(chance: float, low: float, high: float) -> DrawPair:
    def draw(random: Random) -> tuple[float, float]:
        return 0.1, 0.1 + (random.uniform(low, high) if random.random() < chance else 0.0)

    return draw


PAIR_SOURCES = (
    *(
        Pairs(f"{worse:g} worse, {better:g} better", better - worse, _outcomes(worse, better))
        for worse, better in (
            *((0.0, 0.02), (0.02, 0.06), (0.1, 0.1), (0.05, 0.3), (0.3, 0.4), (0.0, 0.3), (0.0, 0.9), (0.2, 0.2)),
        )
    ),
    Pairs("a third of a point", 0.1 / 3, _outcomes(0.1, 0.2, 1 / 3)),
    *(
        Pairs(f"{shift:g} more, within {spread:g}", shift, _shifted(shift, spread))
        for shift, spread in ((0.0, 0.05), (0.05, 0.02), (0.05, 0.1), (0.1, 0.2), (-0.03, 0.05))
    ),
    Pairs("a few large ones among zeros", 0.1 * 0.5, _seldom(0.1, 0.3, 0.7)),
    Pairs("a third of them, small", 0.3 * 0.1, _seldom(0.3, 0.05, 0.15)),
)


def coverage(source: Source, units: int, runs: int) -> float:
    """Return the share of runs whose interval holds the true mean; of single 0 and 1 it is exact."""
    if source.kind == SINGLE:
        chance = source.mean
        return sum(
            math.comb(units, passed) * chance**passed * (1 - chance) ** (units - passed)
            for passed in range(units + 1)
            if _holds(source, [(1.0, 1)] * passed + [(0.0, 1)] * (units - passed))
        )
    random = Random(f"{source.kind} {source.name} {units}")
    held = [run for run in range(runs) if _holds(source, [source.draw(random) for _ in range(units)])]
    return len(held) / runs


def _holds(source: Source, drawn: Iterable[tuple[float, int]]) -> bool:
    summing = Summing()
    for total, size in drawn:
        summing.add(total, size)
    interval, _ = interval_of(summing.sums(), bounded=source.bounded)
    return interval is not None and _inside(source.mean, interval)


def _inside(value: float, interval: Interval) -> bool:
    return interval.low - 1e-12 <= value <= interval.high + 1e-12


def differences(source: Pairs, units: int, runs: int) -> tuple[float, float, float]:
    """Return how often the interval of a difference holds it, lies beside 0, and Student's lies beside 0."""
    random = Random(f"{source.name} {units}")
    held = found = by_t = 0
    for _ in range(runs):
        drawn = [source.draw(random) for _ in range(units)]
        summing = Summing()
        for before, now in drawn:
            summing.add(now - before)
        sums, furthest = summing.sums(), max(abs(now - before) for before, now in drawn)
        interval = difference_interval(sums, furthest=furthest, bounded=True)
        assert interval is not None
        held += _inside(source.difference, interval)
        found += not interval.low <= 0 <= interval.high
        by_t += abs(sums.mean or 0.0) > t_quantile(0.975, units - 1) * (standard_error(sums) or 0.0)
    return held / runs, found / runs, by_t / runs


GraderRate = Literal[
    "true_positive_rate",
    "true_negative_rate",
    "pass_rate",
    "precision",
    "negative_predictive_value",
    "corrected_rate",
]
GRADER_RATES: Sequence[GraderRate] = get_args(GraderRate)


class Review(NamedTuple):
    """A review of a grader: how many records, how many passes of them reviewed (0: all), and the true rates."""

    records: int
    passes: int
    rate: float
    right: float
    caught: float


REVIEWS = (
    *(Review(60, 0, 0.7, 0.95, 0.8), Review(100, 20, 0.85, 0.9, 0.7), Review(500, 40, 0.85, 0.9, 0.7)),
    *(Review(500, 160, 0.85, 0.9, 0.7), Review(200, 40, 0.6, 0.99, 0.95), Review(300, 40, 0.5, 0.95, 0.6)),
)


def held_of_grader(review: Review, runs: int) -> dict[GraderRate, float]:
    """Return how often the intervals of a grader's rates hold them, where they are known at all."""
    random = Random(str(review))
    _, _, rate, right, caught = review
    passing = rate * right + (1 - rate) * (1 - caught)
    truths: dict[GraderRate, float] = {
        "true_positive_rate": right,
        "true_negative_rate": caught,
        "pass_rate": rate,
        "corrected_rate": rate,
        "precision": rate * right / passing,
        "negative_predictive_value": (1 - rate) * caught / (1 - passing),
    }
    held, known = dict.fromkeys(truths, 0), dict.fromkeys(truths, 0)
    for _ in range(runs):
        records = []
        for _ in range(review.records):
            person = random.random() < rate
            records.append(Label(random.random() < (right if person else 1 - caught), person))
        failed, passed = ([label for label in records if label.grader is grade] for grade in (False, True))
        drawn = random.sample(passed, min(review.passes or len(passed), len(passed)))
        strata = [ReviewedStratum(len(failed), "fail", failed), ReviewedStratum(len(passed), "pass", drawn)]
        found = grader_estimate(strata)
        others = sum(random.random() < passing for _ in range(review.records))
        corrected = corrected_rate(strata, others, review.records).rate
        for name, truth in truths.items():
            estimate: Estimate = corrected if name == "corrected_rate" else getattr(found, name)
            if (interval := estimate.interval) is not None:
                known[name] += 1
                held[name] += _inside(truth, interval)
    return {name: held[name] / known[name] for name in truths}


def table(runs: int = RUNS) -> Iterator[str]:
    """Yield the lines of tables: of each kind, the least and the most of its sources, in percent, by units."""
    kinds = dict.fromkeys(source.kind for source in SOURCES)
    yield f"{'intervals that hold the truth, %':<34}" + "".join(f"{f'u = {units}':>10}" for units in UNITS)
    for kind in kinds:
        sources = [source for source in SOURCES if source.kind == kind]
        yield _row(kind, ([coverage(source, units, runs) for source in sources] for units in UNITS))
    several = [[differences(source, units, runs) for source in PAIR_SOURCES] for units in UNITS]
    yield _row(PAIRS, ([held for held, *_ in found] for found in several))
    yield "differences found, % (by Student's t)"
    for index, source in enumerate(PAIR_SOURCES):
        cells = (f"{100 * found[index][1]:.0f} ({100 * found[index][2]:.0f})" for found in several)
        yield f"{source.name:<34}" + "".join(f"{cell:>10}" for cell in cells)
    yield "rates of graders whose interval holds them, %"
    reviews = [held_of_grader(review, runs) for review in REVIEWS]
    for name in GRADER_RATES:
        yield _row(name, [[review[name] for review in reviews]])


def _row(name: str, shares: Iterable[Sequence[float]]) -> str:
    cells = (f"{100 * min(found):.0f}–{100 * max(found):.0f}" for found in shares)
    return f"{name:<34}" + "".join(f"{cell:>10}" for cell in cells)


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS):
        print(line)
