"""Where a new key of a table goes: in the place that breaks the order of the fewest similar tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

from sampleui.formats.data import DataPath, Plain, Table


def place(key: str, names: Sequence[str], alike: Iterable[Table]) -> int:
    """Return the index of a new key among others: where it breaks the order of the fewest tables alike.

    Where they say nothing of it, it is the last.
    """
    return _place(key, names, Counter(map(tuple, alike)))


def _place(key: str, names: Sequence[str], orders: Mapping[tuple[str, ...], int]) -> int:
    """Return the same, given in how many tables the keys are in each order."""
    places = [
        ({name: number for number, name in enumerate(order)}, n) for order, n in orders.items() if key in order
    ]
    votes = [sum(_vote(positions, name, key) * count for positions, count in places) for name in names]
    totals = [0, *accumulate(votes)]
    return max(range(len(totals)), key=lambda index: (totals[index], index))


def _vote(places: dict[str, int], name: str, key: str) -> int:
    """Return 1 where a table has the key after a name, -1 where before it, 0 if it lacks the name."""
    position = places.get(name)
    if position is None:
        return 0
    return 1 if position < places[key] else -1


def ordered(value: Plain, alike: Sequence[Plain]) -> Plain:
    """Return a value with the keys of its tables, inner ones too, in the order of most values alike."""
    if isinstance(value, list):
        items = [item for value in alike if isinstance(value, list) for item in value]
        return [ordered(item, items) for item in value]
    if not isinstance(value, dict):
        return value
    tables = [each for each in alike if isinstance(each, dict)]
    orders = Counter(map(tuple, tables))
    names: Sequence[str] = [*value]
    if orders.keys() - {tuple(names)}:
        names = _names(value, orders)
    return {key: ordered(value[key], [table[key] for table in tables if key in table]) for key in names}


def _names(value: Table, orders: Mapping[tuple[str, ...], int]) -> list[str]:
    """Return the keys of a table in the order that most have."""
    known = {key for order in orders for key in order}
    names: list[str] = []
    for key in value:
        names.insert(_place(key, names, orders) if key in known else len(names), key)
    return names


def tables_at(value: Plain, path: DataPath) -> Iterator[Table]:
    """Yield the tables that stand where a path leads, at any item of the lists on its way."""
    if not path:
        if isinstance(value, dict):
            yield value
    elif isinstance(value, dict) and path[0] in value:
        yield from tables_at(value[str(path[0])], path[1:])
    elif isinstance(value, list) and isinstance(path[0], int):
        for item in value:
            yield from tables_at(item, path[1:])
