"""What the deck of an author screen is compared with: the disk, or what git has; and what differs from it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable

from sampleui.deck.diff import changed_samples, counterparts
from sampleui.deck.model import Base, DeckFiles
from sampleui.formats.data import Table, same
from sampleui.formats.document import Document
from sampleui.sample.parse import value_at
from sampleui.tui.drawing.items import Item


class Comparing:
    """The base of an author screen; `files` returns the deck as it is now.

    Attributes:
        base: what the deck is compared with.
    """

    def __init__(self, files: Callable[[], DeckFiles]) -> None:
        self._files = files
        self.base = Base.DISK
        self._olds: tuple[Document, ...] | None = None
        self._known: tuple[DeckFiles, tuple[Document, ...], frozenset[int]] | None = None
        self._moved: set[str] = set()

    @property
    def olds(self) -> tuple[Document, ...] | None:
        """The files of the deck in the base; None for those on disk, as when other files belong to the deck now."""
        if self._olds is not None and len(self._olds) != len(self._files().sources):
            self.base, self._olds = Base.DISK, None
        return self._olds

    @property
    def files(self) -> tuple[Document, ...]:
        """The files of the deck in the base as they are now: a save changes what is on disk."""
        return self.olds or tuple(source.disk.saved for source in self._files().sources)

    async def choose(self, base: Base) -> None:
        """Compare with something else.

        Raises:
            NoBaseError: if there is no such thing.
        """
        from sampleui.deck.git_changes import documents_of  # the start must not wait for it

        olds = await asyncio.to_thread(documents_of, self._files(), base)
        self.base, self._olds = base, olds

    def moved(self, samples: Iterable[int]) -> None:
        """Note which samples the author moved: of two that changed places the moved one counts as changed."""
        files = self._files()
        for index in samples:
            source, inner = files.locate(index)
            document = files.sources[source].document
            self._moved |= {document.chunk(inner), document.own_text(inner)}

    @property
    def changed(self) -> frozenset[int]:
        """The indexes of the samples that differ from the base."""
        files, olds = self._files(), self.files
        if self._known is None or self._known[0] is not files or self._known[1] != olds:
            self._known = (files, olds, changed_samples(files, olds, self._moved))
        return self._known[2]

    def changed_items(self, index: int, data: Table, items: tuple[Item, ...]) -> frozenset[int]:
        """Return which turns and fields of a sample differ from the base; all of them in a new one."""
        if index not in self.changed:
            return frozenset()
        files = self._files()
        source, inner = files.locate(index)
        old = self.files[source]
        before = counterparts(old, files.sources[source].document, self._moved).get(inner)
        was = None if before is None else old.reading(before)
        return frozenset(
            position
            for position, item in enumerate(items)
            if was is None or (item.path and not same(value_at(was, item.path), value_at(data, item.path)))
        )
