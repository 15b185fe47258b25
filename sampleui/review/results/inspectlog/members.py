"""The members of an archive by their names, looked up while the table of contents is still being read.

The table of a log of 100,000 samples takes longer to go through than the first record of a file of lines takes to
show. Samples stand in it in the order of their summaries, as a rule, so that each is found after a few entries; the
few others, written last, are looked for from the end.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.review.results.inspectlog.contents import ENTRY_SIZE, SIGN, Member, entry_at

READ_AT_ONCE = 2_000
"""Entries of the longest table that is gone through before anything is looked up."""

SAMPLES = "samples/"


class Members(Mapping[str, Member]):
    """The members of an archive; of those that share a name the last.

    While the table is being read, a sample is the first of its name; that it comes once more is told in the end.

    Attributes:
        again: the samples that came once more after they had been looked up, once all is read.
        problem: where the table cannot be read on.
    """

    def __init__(self, table: bytes, start: int, count: int, path: Path) -> None:
        """Take a table of contents.

        Args:
            table: its bytes.
            start: where it stands in the file.
            count: how many entries it says it has.
            path: the file.

        Raises:
            ResultsError: when no entry can be read, or, of a short table, not all of them.
        """
        self._table, self._start, self._path = table, start, path
        self._places: dict[str, int] = {}
        self._asked: set[str] = set()
        self._at = 0
        self._reading = threading.Lock()
        self.count = count
        self.again: list[str] = []
        self.problem: ResultsError | None = None
        self._begin()

    def _begin(self) -> None:
        """Read a short table whole, and of a long one the first entry."""
        self._read_on(1 if self.count > READ_AT_ONCE else None)
        if self.problem is not None:
            raise self.problem

    @property
    def whole(self) -> bool:
        """Whether the table is read to its end."""
        return self._at >= len(self._table)

    def __getitem__(self, name: str) -> Member:
        """Return a member by its name, as far as the table has to be read for it."""
        place = self._place(name)
        if place is None:
            raise KeyError(name)
        return entry_at(self._table, place)[0]

    def __contains__(self, name: object) -> bool:
        """Tell whether there is a member of a name."""
        return isinstance(name, str) and self._place(name) is not None

    def __iter__(self) -> Iterator[str]:
        """Yield the names of all members; the table is read to its end for it."""
        self._read_on()
        return iter(self._places)

    def __len__(self) -> int:
        """Return how many names there are; the table is read to its end for it."""
        self._read_on()
        return len(self._places)

    def _place(self, name: str) -> int | None:
        if not self.whole and not name.startswith(SAMPLES):
            return self._from_the_end(name)
        if name not in self._places:
            self._read_on(wanted=name)
        if not self.whole:
            self._asked.add(name)
        return self._places.get(name)

    def _from_the_end(self, name: str) -> int | None:
        raw = name.encode()
        at = len(self._table)
        while (at := self._table.rfind(raw, 0, at)) >= 0:
            place = at - ENTRY_SIZE
            if place >= 0 and self._table.startswith(SIGN, place) and entry_at(self._table, place)[0].name == name:
                return place
        return None

    def _read_on(self, most: int | None = None, wanted: str | None = None) -> None:
        """Read so many entries, or to one that is wanted, or all."""
        with self._reading:
            table, places, asked = self._table, self._places, self._asked
            at, left = self._at, -1 if most is None else most
            while left and at < len(table) and (wanted is None or wanted not in places):
                if not table.startswith(SIGN, at) or at + ENTRY_SIZE > len(table):
                    broken = self._start + at
                    said = "missing" if not at else "broken"
                    told = f"the table of contents of the archive is {said} at byte {broken:,}"
                    self.problem, at = ResultsError(told, self._path), len(table)
                    break
                name, end = _name_at(table, at)
                if name in asked:
                    self.again.append(name)
                places[name] = at
                at, left = end, left - 1
            self._at = at


def _name_at(table: bytes, at: int) -> tuple[str, int]:
    """Return the name of an entry and where the next one begins. Layout: APPNOTE.TXT 6.3.10, 4.3.12."""
    named = at + ENTRY_SIZE
    length = table[at + 28] | table[at + 29] << 8
    raw = table[named : named + length]
    end = named + length + (table[at + 30] | table[at + 31] << 8) + (table[at + 32] | table[at + 33] << 8)
    return (raw.decode("ascii") if raw.isascii() else entry_at(table, at)[0].name), end
