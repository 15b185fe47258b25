"""Units of a mean, each alone or in clusters, as the sums that its figures are made of."""

from __future__ import annotations

from typing import NamedTuple


class Sums(NamedTuple):
    """The sums over the independent units of a mean from which all of its figures come, however many there are.

    A unit has a total, the sum of its values, and a size, how many these are: 1 unless values are clustered. What
    is squared is the distance of a total from what it would be with some mean near that of all, so that rounding
    takes nothing.

    Attributes:
        units: independent units: clusters if there are any of two values or more, else values.
        values: the sum of the sizes.
        total: the sum of the totals.
        around: the mean that distances are from, `total - around * size`.
        squares: the sum of the squares of these distances.
        products: the sum of the products of distance and size.
        square_sizes: the sum of the squares of the sizes.
        largest: the largest size.
    """

    units: int = 0
    values: int = 0
    total: float = 0.0
    around: float = 0.0
    squares: float = 0.0
    products: float = 0.0
    square_sizes: int = 0
    largest: int = 0

    @property
    def clustered(self) -> bool:
        """Whether some unit has more than one value."""
        return self.values > self.units

    @property
    def lopsided(self) -> bool:
        """Whether one cluster, larger than others, has over a third of all values."""
        return 3 * self.largest > self.values and self.units * self.largest > self.values

    @property
    def mean(self) -> float | None:
        """The mean of the values; None if there are none."""
        return self.total / self.values if self.values else None

    def squares_from(self, mean: float) -> float:
        """Return the sum of the squares of `total - mean * size`."""
        off = mean - self.around
        return max(0.0, self.squares - 2 * off * self.products + off * off * self.square_sizes)


class Summing:
    """Adds up units one after the other; distances are from the mean of the first."""

    def __init__(self) -> None:
        self._sums = Sums()

    def add(self, total: float, size: int = 1, times: int = 1) -> None:
        """Add a unit, or several that are alike."""
        units, values, totals, around, squares, products, square_sizes, largest = self._sums
        if not units:
            around = total / size
        distance = total - around * size
        self._sums = Sums(
            units + times,
            values + size * times,
            totals + total * times,
            around,
            squares + distance * distance * times,
            products + distance * size * times,
            square_sizes + size * size * times,
            max(largest, size),
        )

    def sums(self) -> Sums:
        """Return the sums of what was added."""
        return self._sums
