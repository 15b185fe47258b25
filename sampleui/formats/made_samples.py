"""Files some of whose samples a tool makes of other values in them, and what such a file answers besides."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sampleui.formats.document import Document
from sampleui.text.position import Position


class IncludedFile(NamedTuple):
    """A file that holds entries which samples of the file that names it are made of.

    Attributes:
        path: as it is written.
        position: where it is named.
        read: reads the file, given its text, its path, and all parts that stand for this file.
        values: what reading it needs to know of the place that names it.
    """

    path: str
    position: Position
    read: Callable[[str, Path, Sequence[IncludedFile]], Document]
    values: tuple[Any, ...] = ()


class MadeSamples(Document):
    """A file of an integration's (`References.with_made_samples`) with the samples that its program makes.

    Such samples have no text of their own: they are shown like all others, and what they are made of is edited in
    the text of the file.
    """

    @property
    @abstractmethod
    def made_from(self) -> str:
        """The key of the values that samples are made of."""

    @abstractmethod
    def edited_in(self, index: int) -> Document:
        """Return the document that a sample is edited in. Raises EditRefusedError for one that is made."""

    @property
    def as_listed(self) -> Document:
        """The same file with the samples alone that it lists, without those made of values beside them."""
        return self

    @property
    def from_suite(self) -> bool:
        """Whether paths in the file are counted from the folder of the file that names it, as in a part of that."""
        return False

    def parts(self) -> Iterator[IncludedFile]:
        """Yield the files with entries that samples of this one are made of."""
        return iter(())

    def shares_id(self, index: int) -> bool:
        """Tell whether the id of a sample is that of an entry which other samples are made of too."""
        return False

    def made_name(self, index: int) -> str | None:
        """Return what a sample that is made of two entries is called by their places; None for any other."""
        return None

    def own_text(self, index: int) -> str:
        """Return what a sample says and nothing of its neighbours: its value, as its text may be of several."""
        return f"{self.name(index)} {self.reading(index)!r}"


def edited_in(document: Document, index: int) -> Document:
    """Return the document that a sample is edited in. Raises EditRefusedError for one without a text."""
    return document.edited_in(index) if isinstance(document, MadeSamples) else document


def is_from_suite(document: Document) -> bool:
    """Tell whether paths in a file are counted from the folder of the file that names it."""
    return isinstance(document, MadeSamples) and document.from_suite
