"""A table that is read piece by piece, and what of it nobody has read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sampleui.formats.data import DataPath, Plain, Table


class OpenTable:
    """A table while it is read: what is taken of it is known by its place, whatever its value."""

    def __init__(self, table: Table, path: DataPath = ()) -> None:
        self.table, self.path = table, path
        self._taken: dict[str, OpenTable | None] = {}

    def take(self, *keys: str) -> Plain:
        """Return the first value that there is under some keys, as one that is read; None if there is none."""
        key = next((key for key in keys if self.table.get(key) is not None), None)
        if key is None:
            return None
        self._taken.setdefault(key, None)
        return self.table[key]

    def take_all(self, keys: Iterable[str]) -> None:
        """Take the values under some keys."""
        for key in keys:
            self._taken.setdefault(key, None)

    def inner(self, key: str) -> OpenTable:
        """Return the table under a key, to be read piece by piece itself; one of nothing where there is none."""
        value = self.table.get(key)
        if not isinstance(value, dict):
            return OpenTable({}, (*self.path, key))
        opened = self._taken.get(key) or OpenTable(value, (*self.path, key))
        self._taken[key] = opened
        return opened

    def left(self) -> Iterator[DataPath]:
        """Yield the paths of the values that nobody has read; of those that say nothing none."""
        for key, value in self.table.items():
            if key not in self._taken:
                if value not in (None, "", [], {}):
                    yield (*self.path, key)
            elif (opened := self._taken[key]) is not None:
                yield from opened.left()
