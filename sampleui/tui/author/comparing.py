"""What the deck of an author screen is compared with: the disk, or what git has; and what differs from it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from sampleui.deck.base import Base
from sampleui.deck.diff import changed_samples
from sampleui.deck.regions import changed_regions
from sampleui.errors import FormatError
from sampleui.formats.data import DataPath, Table, same
from sampleui.sample.parse import value_at
from sampleui.tui.drawing.items import Item

if TYPE_CHECKING:
    from sampleui.deck.model import DeckFiles
    from sampleui.deck.regions import Region
    from sampleui.formats.document import Document


class Comparing:
    """The base of an author screen; `files` returns the deck as it is now.

    Attributes:
        base: what the deck is compared with.
    """

    def __init__(self, files: Callable[[], DeckFiles]) -> None:
        self._files = files
        self.base = Base.DISK
        self._olds: tuple[Document, ...] | None = None
        self._known: tuple[DeckFiles, tuple[Document, ...] | None, frozenset[int]] | None = None

    @property
    def olds(self) -> tuple[Document, ...] | None:
        """The files of the deck in the base; None for those on disk, as when other files belong to the deck now."""
        if self._olds is not None and len(self._olds) != len(self._files().sources):
            self.base, self._olds = Base.DISK, None
        return self._olds

    async def choose(self, base: Base) -> None:
        """Compare with something else.

        Raises:
            NoBaseError: if there is no such thing.
        """
        from sampleui.deck.gitbase import documents_of  # the start must not wait for it

        olds = await asyncio.to_thread(documents_of, self._files(), base)
        self.base, self._olds = base, olds

    @property
    def changed(self) -> frozenset[int]:
        """The indexes of the samples that differ from the base."""
        files, olds = self._files(), self.olds
        if self._known is None or self._known[0] is not files or self._known[1] is not olds:
            found = frozenset(index for index in changed_samples(files, olds) if _differs(files, olds, index))
            self._known = (files, olds, found)
        return self._known[2]

    def changed_items(self, index: int, data: Table, items: tuple[Item, ...]) -> frozenset[int]:
        """Return which turns and fields of a sample differ from the base; all of them in a new one."""
        files = self._files()
        if index < 0:
            return frozenset()
        at, inner = files.locate(index)
        source, olds = files.sources[at], self.olds
        old = olds[at] if olds is not None else source.disk.saved
        if old is source.document:
            return frozenset()
        piece = source.document.piece_of(inner)
        regions = changed_regions(old.pieces, source.document.pieces)
        region = next((one for one in regions if piece in one.after), None)
        if region is None:
            return frozenset()
        was = _was(old, source.document, region, inner)
        return frozenset(at for at, item in enumerate(items) if was is None or not _same(was, data, item.path))


def _differs(files: DeckFiles, olds: tuple[Document, ...] | None, index: int) -> bool:
    """Tell whether a sample in a changed piece differs itself: those that are made of others share one piece."""
    at, inner = files.locate(index)
    source = files.sources[at]
    old = olds[at] if olds is not None else source.disk.saved
    if not source.document.combines or len(old) != len(source.document):
        return True
    try:
        return not same(old.read(inner), source.document.read(inner))
    except FormatError:
        return True


def _was(old: Document, document: Document, region: Region, inner: int) -> Table | None:
    """Return a changed sample as it was, None if nothing is in its place there."""
    if len(region.before) != len(region.after):
        return None
    piece = document.piece_of(inner)
    before = old.samples_in(region.before[piece - region.after.start])
    own = document.samples_in(piece)
    try:
        return old.read(before[inner - own.start]) if len(before) == len(own) else None
    except FormatError:
        return None


def _same(was: Table, data: Table, path: DataPath) -> bool:
    return not path or same(value_at(was, path), value_at(data, path))
