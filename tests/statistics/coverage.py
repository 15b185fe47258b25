"""How often intervals hold the truth, over sources whose truth is known: seeded, so that counts repeat.

    python -m tests.statistics.coverage

A source draws what one independent unit came to, as a sum and a number of values, with the true mean of them all.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import NamedTuple, TypeAlias

from sampleui.statistics.means import DIFFERENCE_SCALE, UNIT_SCALE, Scale, interval_of
from sampleui.statistics.units import Summing

Draw: TypeAlias = Callable[[Random], tuple[float, int]]

SINGLE = "0/1, single"
UNITS = (3, 5, 10, 20, 40, 100)
RUNS = 1_500


class Source(NamedTuple):
    """Where units come from.

    Attributes:
        kind: what it is like.
        name: which of its kind it is.
        mean: the true mean.
        draw: draws a unit.
        scale: the scale of the values; None if it has no ends.
    """

    kind: str
    name: str
    mean: float
    draw: Draw
    scale: Scale | None = UNIT_SCALE


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


def _pair(worse: float, better: float, step: float = 1.0) -> Draw:
    def draw(random: Random) -> tuple[float, int]:
        point = random.random()
        return (-step if point < worse else step if point < worse + better else 0.0), 1

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
    *(
        Source("differences of pairs", f"{worse:g} and {better:g}", better - worse, draw, DIFFERENCE_SCALE)
        for worse, better, draw in (
            (0.0, 0.02, _pair(0.0, 0.02)),
            (0.02, 0.06, _pair(0.02, 0.06)),
            (0.1, 0.1, _pair(0.1, 0.1)),
            (0.05, 0.3, _pair(0.05, 0.3)),
            (0.3, 0.4, _pair(0.3, 0.4)),
        )
    ),
    Source("differences of pairs", "a third of a point", 0.1 / 3, _pair(0.1, 0.2, 1 / 3), DIFFERENCE_SCALE),
    Source("ratings (Student's t)", "normal", 4.0, _rating, None),
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
    interval, _ = interval_of(summing.sums(), source.scale)
    return interval is not None and interval.low - 1e-12 <= source.mean <= interval.high + 1e-12


def table(runs: int = RUNS) -> Iterator[str]:
    """Yield the lines of a table: of each kind, the least and the most of its sources, in percent, by units."""
    kinds = dict.fromkeys(source.kind for source in SOURCES)
    yield f"{'intervals that hold the truth, %':<34}" + "".join(f"{f'u = {units}':>10}" for units in UNITS)
    for kind in kinds:
        sources = [source for source in SOURCES if source.kind == kind]
        cells = []
        for units in UNITS:
            found = [100 * coverage(source, units, runs) for source in sources]
            cells.append(f"{min(found):.0f}–{max(found):.0f}")
        yield f"{kind:<34}" + "".join(f"{cell:>10}" for cell in cells)


if __name__ == "__main__":
    for line in table(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS):
        print(line)
