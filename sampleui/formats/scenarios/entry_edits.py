"""Edits of samples made of entries: each is one of the entry that holds the value, proved by the sample."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import TypeAlias

from sampleui.errors import EditRefusedError
from sampleui.formats.data import (
    DataPath,
    Plain,
    Table,
    same,
    shown,
    with_delete,
    with_insert,
    with_move,
    with_rename,
    with_set,
)
from sampleui.formats.document import Document, Splice
from sampleui.formats.scenarios.combining import KEY

Make: TypeAlias = Callable[[Document, int, DataPath], Splice]
"""An edit of a document: of the value at a path of one of its samples."""


class EntryEdits(Document):
    """A document with samples that are made of entries."""

    @abstractmethod
    def _held(self, index: int, path: DataPath) -> tuple[int, DataPath]:
        """Return the sample of the document without those that are made in which a value is, and where in it.

        Raises:
            EditRefusedError: when the value is in two entries.
        """

    @abstractmethod
    def _in_entry(self, at: int, place: DataPath, make: Make) -> Splice:
        """Return an edit of the value that `_held` found."""

    @property
    def combines(self) -> bool:
        """Whether values are made into samples."""
        return True

    def set(self, index: int, path: DataPath, value: Plain) -> Splice:
        """Set the value at a path; a missing last key is created."""
        return self._edited(
            index, path, lambda one, at, place: one.set(at, place, value), lambda data: with_set(data, path, value)
        )

    def insert(self, index: int, path: DataPath, value: Plain) -> Splice:
        """Insert a list item before the index that ends the path."""
        return self._edited(
            index,
            path,
            lambda one, at, place: one.insert(at, place, value),
            lambda data: with_insert(data, path, value),
        )

    def delete(self, index: int, path: DataPath) -> Splice:
        """Delete a key or a list item."""
        return self._edited(
            index, path, lambda one, at, place: one.delete(at, place), lambda data: with_delete(data, path)
        )

    def move(self, index: int, path: DataPath, to: int) -> Splice:
        """Move a list item so that its index becomes `to`."""
        there = (*path[:-1], to)
        (at, place), (other, end) = self._held(index, path), self._held(index, there)
        last = end[-1]
        if (at, place[:-1]) != (other, end[:-1]) or not isinstance(last, int):
            raise EditRefusedError(f"cannot move {shown(path)}: {shown(there)} is in another entry")
        return self._edited(
            index, path, lambda one, at, place: one.move(at, place, last), lambda data: with_move(data, path, to)
        )

    def rename(self, index: int, path: DataPath, name: str) -> Splice:
        """Give the key that ends a path another name."""
        return self._edited(
            index,
            path,
            lambda one, at, place: one.rename(at, place, name),
            lambda data: with_rename(data, path, name),
        )

    def _edited(self, index: int, path: DataPath, make: Make, wanted: Callable[[Table], Plain]) -> Splice:
        meant, (at, place) = wanted(self.read(index)), self._held(index, path)
        splice = self._in_entry(at, place, make)
        after = self.apply(splice)
        if len(after) != len(self) or not same(after.read(index), meant):
            raise EditRefusedError(f"cannot edit {shown(path)} alone: it stands in two entries of {KEY}")
        return splice
