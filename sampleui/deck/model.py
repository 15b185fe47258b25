"""A deck's files as one value: every edit makes a new one that shares all it did not change."""

from __future__ import annotations

import dataclasses
from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.document import Document, Splice
from sampleui.text.diagnostic import Diagnostic
from sampleui.text.position import shared_end, shared_start


class Region(NamedTuple):
    """Pieces `before` of the old text that became pieces `after` of the new; either range may be empty."""

    before: range
    after: range


def changed_regions(old: Sequence[str], new: Sequence[str], moved: Container[str] = ()) -> list[Region]:
    """Return the regions in which two lists of texts differ, in order. All outside them is identical.

    Where two texts change places either may be the one that moved: it is the one that is among the `moved`.
    """
    outer = outer_region(old, new)
    regions: list[Region] = []
    i, j = outer.before.start, outer.after.start
    anchors = _anchors(old, outer.before, new, outer.after, moved)
    for anchor, other in (*anchors, (outer.before.stop, outer.after.stop)):
        if anchor > i or other > j:
            regions += _between(old, range(i, anchor), new, range(j, other))
        i, j = anchor + 1, other + 1
    return regions


def outer_region(old: Sequence[str], new: Sequence[str]) -> Region:
    """Return the one region from the first to the last difference, empty if there is none."""
    head = shared_start(old, new)
    tail = shared_end(old[head:], new[head:])
    return Region(range(head, len(old) - tail), range(head, len(new) - tail))


def _anchors(
    old: Sequence[str], before: range, new: Sequence[str], after: range, moved: Container[str]
) -> list[tuple[int, int]]:
    """Return places of pieces that both sides have once and in the same order: as many as there are.

    Between them little is left to compare, so that many changes all over a deck cost what they are long, and not
    what they are long times the deck (Bram Cohen's patience diff).
    """
    counts, others = Counter(old[index] for index in before), Counter(new[index] for index in after)
    places = {new[index]: index for index in after}
    once = (number for number in before if counts[old[number]] == others[old[number]] == 1)
    pairs = [(place, places[old[place]]) for place in once if old[place] not in moved]
    return _increasing(pairs)


def _increasing(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest run of pairs whose second numbers grow, as their first ones do."""
    ends: list[int] = []
    last: list[int] = []
    before: list[int] = []
    for index, (_, place) in enumerate(pairs):
        depth = bisect_left(ends, place)
        ends[depth : depth + 1] = [place]
        last[depth : depth + 1] = [index]
        before.append(last[depth - 1] if depth else -1)
    chain: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(pairs[index])
        index = before[index]
    return chain[::-1]


def _between(old: Sequence[str], before: range, new: Sequence[str], after: range) -> Iterator[Region]:
    from difflib import SequenceMatcher

    matcher = SequenceMatcher(None, old[before.start : before.stop], new[after.start : after.stop])
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield Region(shifted_range(range(i1, i2), before.start), shifted_range(range(j1, j2), after.start))


def shifted_range(span: range, by: int) -> range:
    """Return a range whose start and end are moved by a distance."""
    return range(span.start + by, span.stop + by)


class Base(StrEnum):
    """What a deck is compared with, in words."""

    DISK = "the file on disk"
    INDEX = "git's index"
    HEAD = "the last commit"


class Stamp(NamedTuple):
    """What shows that a file changed, without a look at its bytes: its size, and its time in nanoseconds."""

    size: int
    mtime_ns: int


@dataclass(slots=True)
class Disk:
    """What a file held when it was last read or written here.

    The one thing about a deck that is not a frozen value: all states of a deck (the edited one, those in its undo
    history, those a script still holds) refer to the same file, so a save through one of them counts for all.
    `deck.save` alone changes it.

    Attributes:
        saved: what it held, byte for byte, if it exists.
        stamp: what shows that it changed since; None for a file that does not exist yet.
        read: whether `saved` was read from the first character of the file to its last, or proved to read so.
    """

    saved: Document
    stamp: Stamp | None
    read: bool = False


class Source(NamedTuple):
    """One file of a deck: its document as edited, and what is on disk.

    Attributes:
        path: the file.
        document: its document as edited.
        disk: what is on disk.
        suite: the index of the file that names this one among its own samples, and whose shared values so hold for
            it too; None if the file stands for itself.
        unless_samples: what is said at the reference to it while it has no samples.
        as_rows: whether the keys of its samples are columns: variables, whatever they are called.
    """

    path: Path
    document: Document
    disk: Disk
    suite: int | None = None
    unless_samples: Diagnostic | None = None
    as_rows: bool = False

    def name(self, index: int, *, or_made: bool = False) -> str | None:
        """Return what a sample is called by its key; one that is a whole file without an id, by its folder.

        Args:
            index: the sample.
            or_made: whether one that is made of two entries has a name by their places.
        """
        named = self.document.name(index)
        if or_made and named is None:
            named = self.document.made_name(index)
        return self.path.parent.name if named is None and self.document.anonymous else named

    @property
    def changed(self) -> bool:
        """Whether the document differs from the file on disk."""
        saved, mine = self.disk.saved.pieces, self.document.pieces
        if saved is mine:
            return False
        apart = outer_region(saved, mine)
        old, new = saved[apart.before.start : apart.before.stop], mine[apart.after.start : apart.after.stop]
        return "".join(old) != "".join(new)


class Change(NamedTuple):
    """An edit of a deck: a splice of one of its files."""

    source: int
    splice: Splice

    def inverse(self) -> Change:
        """Return the change that undoes this one."""
        return Change(self.source, self.splice.inverse())


@dataclass(frozen=True, slots=True)
class DeckFiles:
    """The files of a deck: the deck itself first, then those it references, in order.

    Attributes:
        path: the deck's own file.
        sources: its files. A Markdown file holds no samples of its own.
        notes: what loading found, such as references that lead nowhere.
        named: whether a person named its own file, so that a link stands for the file that it leads to. A deck that
            was found in a folder, or is named by data, is never written through a link; nor are the other files.
    """

    path: Path
    sources: tuple[Source, ...]
    notes: tuple[Diagnostic, ...] = ()
    named: bool = True

    def __len__(self) -> int:
        """Return the number of samples in all files."""
        return sum(len(source.document) for source in self.sources)

    @property
    def changed(self) -> bool:
        """Whether any file differs from what is on disk."""
        return any(source.changed for source in self.sources)

    def locate(self, index: int) -> tuple[int, int]:
        """Return the file that holds a sample and the sample's index in it.

        Raises:
            IndexError: if there is no such sample.
        """
        if index >= 0:
            for number, source in enumerate(self.sources):
                if index < len(source.document):
                    return number, index
                index -= len(source.document)
        raise IndexError("there is no such sample")

    def apply(self, change: Change) -> DeckFiles:
        """Return the files with a change made."""
        source = self.sources[change.source]
        edited = source._replace(document=source.document.apply(change.splice))
        sources = (*self.sources[: change.source], edited, *self.sources[change.source + 1 :])
        return dataclasses.replace(self, sources=sources)
