"""A deck's files as one value: every edit makes a new one that shares all it did not change."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.document import Document, Splice
from sampleui.formats.made_samples import MadeSamples
from sampleui.text.diagnostic import Diagnostic
from sampleui.text.position import shared_end, shared_start


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


class DeckFile(NamedTuple):
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
        if or_made and named is None and isinstance(self.document, MadeSamples):
            named = self.document.made_name(index)
        return self.path.parent.name if named is None and self.document.anonymous else named

    @property
    def changed(self) -> bool:
        """Whether the document differs from the file on disk."""
        saved, mine = self.disk.saved.pieces, self.document.pieces
        if saved is mine:
            return False
        head = shared_start(saved, mine)
        tail = shared_end(saved[head:], mine[head:])
        return "".join(saved[head : len(saved) - tail]) != "".join(mine[head : len(mine) - tail])


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
    sources: tuple[DeckFile, ...]
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
