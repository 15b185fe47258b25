"""A deck that many samples are appended to: each is proved with a few before it, not with the whole file."""

from __future__ import annotations

from dataclasses import dataclass, field

from sampleui.formats.data import Table
from sampleui.formats.document import MOST_ASKED, Document

_FROM = 2 * MOST_ASKED


@dataclass
class Growing:
    """A document and what is being put at its end.

    A new sample is written as the samples that show the habits of a file are, and proved beside its neighbour. So
    the document that it is put into holds these alone: what it becomes there it would become in the whole one, but
    that would have to be built anew for each sample. Habits are learned once, as soon as there are many samples.

    Attributes:
        begun: the document, whole as long as it is small.
    """

    begun: Document
    _chunks: list[str] = field(default_factory=list)
    _near: Document | None = None

    @property
    def document(self) -> Document:
        """The whole document."""
        if self._near is None:
            return self.begun
        pieces = self._near.pieces
        return self._near.spliced(1, len(pieces) - 1, tuple(self._chunks))

    def add(self, data: Table) -> None:
        """Put a sample at the end. Raises as `Document.insert_sample` does."""
        if self._near is None:
            self.begun = self.begun.apply(self.begun.insert_sample(len(self.begun), data))
            if len(self.begun) >= _FROM and _is_plain(self.begun):
                self._near, self._chunks = self.begun, [*self.begun.pieces[1:-1]]
            return
        some = self._chunks[:: len(self._chunks) // MOST_ASKED][:MOST_ASKED]
        near = self._near.spliced(1, len(self._near.pieces) - 1, (*some, self._chunks[-1]))
        if self._near is self.begun:
            near = near.without_habits()
        splice = near.insert_sample(len(near), data)
        if splice.start <= MOST_ASKED:  # it changes more than the end
            self.begun, self._near = self.document, None
            self.add(data)
            return
        self._near = near.apply(splice)
        self._chunks[-1:] = self._near.pieces[1 + MOST_ASKED : -1]


def _is_plain(document: Document) -> bool:
    """Tell whether each sample has a piece of its own and no name to tell from others."""
    return not document.keyed and not document.made_from and len(document.pieces) == len(document) + 2
