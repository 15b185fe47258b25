"""Files whose entries are made into samples: promptfoo's `scenarios`, and the tests of one, in files of their own.

As in `combining.py`, an edit is one of the entry that holds the value, and so of every sample that is made of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Self

from sampleui.errors import EditError, EditRefusedError, FormatError, PathError
from sampleui.formats.data import DataPath, Table, shown
from sampleui.formats.document import Document, Splice
from sampleui.formats.refusing import Refusing
from sampleui.formats.scenarios.combining import (
    MOST_MADE,
    TOO_MANY,
    Apart,
    Combined,
    Config,
    entries_of,
    files_in,
    left_out,
    made_of,
    shared_entry,
)
from sampleui.formats.scenarios.entry_edits import EntryEdits, Make
from sampleui.formats.whole import AS_ONE
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, Span


@dataclass(frozen=True, repr=False)
class Crossed(EntryEdits, Refusing):
    """A file whose samples are made of its entries.

    Attributes:
        listing: the same file with its entries as samples.
        configs: what each of its tests goes with; None if each of its entries is a scenario with its own.
        whole: whether it has all tests of a scenario, or is one, and not some among its tests.
    """

    listing: Document
    configs: tuple[Config, ...] | None = None
    whole: bool = True

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Its listing is read by the file's name (`crossing.py`)."""
        raise FormatError("a file of entries is read by its name")

    @property
    def format(self) -> str:  # type: ignore[override]
        """The format of the file."""
        return self.listing.format

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        listing = self.listing.again(text)
        return replace(self, pieces=listing.pieces, listing=listing)

    def spliced(self, start: int, end: int, added: tuple[str, ...]) -> Self:
        """Return the same with pieces replaced."""
        listing = self.listing.spliced(start, end, added)
        return replace(self, pieces=listing.pieces, listing=listing)

    @cached_property
    def _made(self) -> tuple[Combined, ...]:
        return tuple(islice(self._each(), MOST_MADE))

    def _each(self) -> Iterator[Combined]:
        listing = self.listing
        read = [(at, value) for at in range(len(listing)) if (value := listing._reading(at)) is not None]
        if self.configs is None:
            yield from (one for at, scenario in read for one in entries_of(scenario, (at,)))
            return
        held = [(path, _as_row(value) if listing.columns else value) for path, value in self.configs]
        yield from (Combined(path, (at,), value, test) for at, test in read for path, value in held)

    def _combined(self, index: int) -> Combined:
        if not 0 <= index < len(self._made):
            raise PathError(f"there is no sample {index} among {len(self)}")
        return self._made[index]

    def _held(self, index: int, path: DataPath) -> tuple[int, DataPath]:
        """Return the entry of the listing that holds a value, and where in the entry.

        Raises:
            EditRefusedError: when the value is in the file that names this one, or in two entries.
        """
        place = self._combined(index).place(path)
        first = place[0]
        if not isinstance(first, int):
            raise EditRefusedError(f"it stands in {shown(place)} of the file that names this one")
        return first, place[1:]

    # What they say

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self._made)

    def read(self, index: int) -> Table:
        """Return a sample's value."""
        return self._combined(index).value

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds the entry of its test."""
        return self.listing.piece_of(self._entry(index))

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples whose tests a piece holds."""
        inner = self.listing.samples_in(piece)
        found = [at for at in range(len(self)) if self._entry(at) in inner]
        return range(found[0], found[-1] + 1) if found else range(0)

    def _entry(self, index: int) -> int:
        made = self._combined(index)
        return next(step for step in (*made.second[:1], *made.first[:1]) if isinstance(step, int))

    def span(self, index: int, path: DataPath) -> Span:
        """Return where a value is: one of another file where the entry of the test is."""
        return self.listing.span(*self._shown(index, path))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        return self.listing.key_span(*self._shown(index, path))

    def _shown(self, index: int, path: DataPath) -> tuple[int, DataPath]:
        first, *rest = self._combined(index).shown_at(path)
        return (first, tuple(rest)) if isinstance(first, int) else (self._entry(index), ())

    @property
    def columns(self) -> tuple[str, ...] | None:
        """No columns: a sample is more than a row."""
        return None

    @property
    def from_suite(self) -> bool:
        """Whether paths in the file are counted from the folder of the file that names it: so does promptfoo."""
        return self.whole

    @property
    def refers(self) -> bool:
        """Whether tests are in other files."""
        return any(True for _ in self.files_apart())

    def files_apart(self) -> Iterator[tuple[Apart, Position]]:
        """Yield the files that scenarios keep tests in, and where each is named."""
        for at in range(len(self.listing)) if self.configs is None else ():
            for apart in files_in(self.listing._reading(at) or {}, (at,)):
                yield apart, self.listing.position(at, self.listing.span(at, apart.at[1:]).start)

    def sharing(self, index: int, path: DataPath) -> tuple[str, int]:
        """Return the entry that a value of a sample stands in, and how many samples are made of it."""
        return shared_entry(self._combined(index), path, self._made)

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return what is to be said about the file, and how many samples are made of its entries."""
        return (*self.listing.notes(), *self._told())

    def _told(self) -> Iterator[tuple[Finding, Position]]:
        if len(self._made) == MOST_MADE:
            yield TOO_MANY, Position(1, 1)
        if self.configs is not None:
            if len(self.configs) > 1:
                made = f"{len(self):,} samples of {len(self.configs):,} x {len(self.listing):,} entries"
                said = f"a scenario makes {made}; an edit of a test is one of all that are made of it"
                yield Finding("samples-combined", Severity.INFO, said), Position(1, 1)
            return
        counts = Counter(one.first[0] for one in self._made)
        for at in range(len(self.listing)):
            scenario = self.listing._reading(at) or {}
            why = left_out(scenario)
            said = f"is not shown: {why}" if why else made_of(scenario, counts[at])
            if said:
                rule = "samples-elsewhere" if why else "samples-combined"
                place = self.listing.position(at, self.listing.start(at))
                yield Finding(rule, Severity.INFO, f"this scenario {said}"), place

    # Edits: each is one of the entry that holds the value

    def _in_entry(self, at: int, place: DataPath, make: Make) -> Splice:
        return make(self.listing, at, place)

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Refuse it: samples are not put beside these."""
        raise EditRefusedError(_NO_SAMPLES)

    def delete_sample(self, index: int) -> Splice:
        """Delete a sample: the entry of its test, if no other sample is made of it."""
        made = self._combined(index)
        *above, last = made.second or (None,)
        if not isinstance(last, int) or sum(made.second == one.second for one in self._made) > 1:
            raise EditRefusedError("cannot delete it alone: other samples are made of its entries")
        at = made.second[0]
        assert isinstance(at, int)
        splice = self.listing.delete(at, (*above[1:], last)) if above else self.listing.delete_sample(last)
        if len(self.apply(splice)) != len(self) - 1:
            raise EditRefusedError("cannot delete it alone: other samples would change")
        return splice

    def move_sample(self, index: int, to: int) -> Splice:
        """Refuse it: the order is that of the entries."""
        raise EditRefusedError(_NO_SAMPLES)

    def rename_sample(self, index: int, name: str) -> Splice:
        """Refuse it: these samples have no names."""
        raise EditRefusedError(_NO_SAMPLES)

    def _refusal(self, index: int) -> EditError:
        return EditRefusedError(_NO_SAMPLES)


_NO_SAMPLES = "the samples here are made of entries of scenarios; these are edited"


def as_scenarios(listing: Document) -> Document:
    """Return a file with what its scenarios make as its samples."""
    if isinstance(listing, Crossed):
        return listing
    if (listing.container or not len(listing)) and listing.format in AS_ONE:
        listing = AS_ONE[listing.format].parse(listing.text)
    return Crossed(listing.pieces, listing)


def _as_row(value: Table) -> Table:
    """Return an entry of `config` as a row of a table has it: its variables by their names."""
    held = value.get("vars")
    rest = {key: kept for key, kept in value.items() if key != "vars"}
    return {**rest, **held} if isinstance(held, dict) else rest
