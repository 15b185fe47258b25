"""Edits of whole samples where each has a piece of its own: added, deleted and moved, with nothing else changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sampleui.formats.document import Splice


@dataclass(frozen=True, slots=True)
class SampleSlot:
    """One chunk: what is before a sample, the sample (with its key, in a keyed deck), what is after it."""

    lead: str
    body: str
    trail: str

    @property
    def text(self) -> str:
        """The chunk."""
        return self.lead + self.body + self.trail


SampleSlotOf = Callable[[int], SampleSlot]
"""Returns a piece of a document as the sample and what is around it."""


def inserted(
    pieces: Sequence[str], slot: SampleSlotOf, piece: int, new: SampleSlot, *, first: bool, last: bool
) -> Splice:
    """Return the splice that puts a sample before that of a piece.

    Args:
        pieces: the pieces of the document.
        slot: returns each as a slot.
        piece: the piece of the sample that the new one is put before, or behind if it is to be the last.
        new: the new sample, with what is to be around it between two others.
        first: whether it is to be the first sample.
        last: whether it is to be the last.
    """
    near = slot(piece)
    if last:
        added = (replace(near, trail=new.trail), replace(new, trail=near.trail))
    elif first:
        added = (replace(new, lead=near.lead), replace(near, lead=new.lead))
    else:
        added = (new, near)
    return Splice(piece, (pieces[piece],), tuple(slot.text for slot in added))


def deleted(pieces: tuple[str, ...], slot: SampleSlotOf, piece: int) -> Splice:
    """Return the splice that takes out the sample of a piece; it must not be the only sample."""
    last = len(pieces) - 2
    if piece == 1:
        after = replace(slot(2), lead=slot(1).lead)
        return Splice(1, pieces[1:3], (after.text,))
    if piece == last:
        before = replace(slot(last - 1), trail=slot(last).trail)
        return Splice(last - 1, pieces[last - 1 : last + 1], (before.text,))
    return Splice(piece, (pieces[piece],), ())


def moved_slot(pieces: tuple[str, ...], slot: SampleSlotOf, numbers: Sequence[int], *, back: bool) -> Splice:
    """Return the splice that moves a sample past others.

    Args:
        pieces: the pieces of the document.
        slot: returns each as a slot.
        numbers: the pieces of the samples, in order, of which the first is moved behind the last.
        back: whether it is the last that is moved before the first.
    """
    slots = {piece: slot(piece) for piece in numbers}
    bodies = [slots[piece].body for piece in numbers]
    if back:
        bodies.insert(0, bodies.pop())
    else:
        bodies.append(bodies.pop(0))
    texts = {piece: replace(slots[piece], body=body).text for piece, body in zip(numbers, bodies, strict=True)}
    before = pieces[numbers[0] : numbers[-1] + 1]
    return Splice(
        numbers[0], before, tuple(texts.get(piece, text) for piece, text in enumerate(before, numbers[0]))
    )
