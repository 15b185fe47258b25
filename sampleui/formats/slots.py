"""Documents with one chunk per sample: samples are added, deleted and moved, and nothing around them changes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Table
from sampleui.formats.document import Document, Splice


@dataclass(frozen=True, slots=True)
class Slot:
    """One chunk: what is before a sample, the sample (with its key, in a keyed deck), what is after it."""

    lead: str
    body: str
    trail: str

    @property
    def text(self) -> str:
        """The chunk."""
        return self.lead + self.body + self.trail


@dataclass(frozen=True, repr=False)
class Slotted(Document):
    """A document with one chunk per sample. What is before and after each stays; only the samples change places."""

    @abstractmethod
    def _slot(self, piece: int) -> Slot:
        """Return a chunk as the sample and what is around it."""

    @abstractmethod
    def _new_slot(self, near: int) -> Slot:
        """Return what is to be around a sample between two others, as around the sample near it."""

    @abstractmethod
    def _body(self, index: int, data: Table) -> str:
        """Return the text of a new sample."""

    @abstractmethod
    def _first(self, body: str) -> Splice:
        """Return the splice that puts a sample where there was none."""

    @abstractmethod
    def _none_left(self) -> Splice:
        """Return the splice that takes out the only sample."""

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        body = self._body(index, data)
        if len(self.pieces) == 2:
            yield self._first(body)
            return
        if not len(self):
            raise EditRefusedError("there is no sample to put one beside, but names of files alone")
        near = min(index, len(self) - 1)
        at = self.piece_of(near)
        old, new = self._slot(at), replace(self._new_slot(near), body=body)
        if index == len(self):
            added: tuple[Slot, ...] = (replace(old, trail=new.trail), replace(new, trail=old.trail))
        elif index == 0:
            added = (replace(new, lead=old.lead), replace(old, lead=new.lead))
        else:
            added = (new, old)
        yield Splice(at, (self.pieces[at],), tuple(slot.text for slot in added))

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        at, last = self.piece_of(index), len(self.pieces) - 2
        if last == 1:
            yield self._none_left()
        elif at == 1:
            after = replace(self._slot(2), lead=self._slot(1).lead)
            yield Splice(1, self.pieces[1:3], (after.text,))
        elif at == last:
            before = replace(self._slot(last - 1), trail=self._slot(last).trail)
            yield Splice(last - 1, self.pieces[last - 1 : last + 1], (before.text,))
        else:
            yield Splice(at, (self.pieces[at],), ())

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        low, high = min(index, to), max(index, to)
        places = [self.piece_of(at) for at in range(low, high + 1)]
        slots = {at: self._slot(at) for at in places}
        bodies = [slots[at].body for at in places]
        bodies.insert(to - low, bodies.pop(index - low))
        moved = {at: replace(slots[at], body=body).text for at, body in zip(places, bodies, strict=True)}
        before = self.pieces[places[0] : places[-1] + 1]
        yield Splice(places[0], before, tuple(moved.get(at, text) for at, text in enumerate(before, places[0])))
