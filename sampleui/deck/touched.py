"""Which samples of a deck an edit may have changed, so that no other has to be looked at again."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.deck.model import DeckFiles
from sampleui.deck.regions import outer_region
from sampleui.formats.document import Document


def touched(old: DeckFiles, new: DeckFiles) -> frozenset[int] | None:
    """Return the samples whose text differs between two states of a deck's files; None if it may be any of them.

    It may be any where samples came or went, where something beside them changed, which holds for all, and where
    others are made of what changed or refer to it.
    """
    if len(old.sources) != len(new.sources):
        return None
    found: set[int] = set()
    before = 0
    for item, other in zip(old.sources, new.sources, strict=True):
        inner = _touched(item.document, other.document)
        if inner is None or item.path != other.path:
            return None
        found.update(before + index for index in inner)
        before += len(other.document)
    return frozenset(found)


def _touched(old: Document, new: Document) -> frozenset[int] | None:
    if old is new:
        return frozenset()
    if len(old) != len(new) or len(old.pieces) != len(new.pieces) or new.made_from or old.context != new.context:
        return None
    pieces = [*_differing(old, new)]
    if any(not new.samples_in(piece) or old.referred_to(piece) or new.referred_to(piece) for piece in pieces):
        return None
    return frozenset(index for at in pieces for index in new.samples_in(at))


def _differing(old: Document, new: Document) -> Iterator[int]:
    return (index for index in outer_region(old.pieces, new.pieces).after if old.pieces[index] != new.pieces[index])
