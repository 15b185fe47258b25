"""A deck in JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import Self

from sampleui.errors import EditRefusedError
from sampleui.formats.bare import MESSAGE_KEYS, ONE
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import Splice
from sampleui.formats.json.embedded import as_held
from sampleui.formats.json.reading import JsonReading
from sampleui.formats.json.spans import SPACE, skip_blank
from sampleui.formats.json.spelling import Style, indent_at, new_gaps, spelled, style_of
from sampleui.formats.slots import Slot
from sampleui.text.position import Span

_NAME = re.compile(r'[ \t\r\n]*+("(?:[^"\\]|\\.)*+")')
"""How the chunk of a keyed sample begins."""


class JsonDocument(JsonReading):
    """A JSON deck. What is written is laid out as the samples near it are."""

    def _after(self, splice: Splice) -> Self:
        changed = super()._after(splice)
        if "names" in self.__dict__ and _names_in(splice.added) == _names_in(splice.removed):
            changed.__dict__["names"] = self.names
        return changed

    def _to_edit(self, index: int) -> Table:
        value = super()._to_edit(index)
        if self.keyed_samples and self.names[self.name(index) or ""] > 1:
            raise EditRefusedError(f"there is more than one sample {self.name(index)!r}")
        return value

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Refuse what would make the one sample of a file something else."""
        if self.closed and not _has_messages(after.read(0)):
            raise EditRefusedError(ONE)
        if not self.holder and not len(after) and after.references:
            raise EditRefusedError("the file would no longer be a deck: only names of files would be left in it")
        return super()._fits(splice, after)

    def _slot(self, piece: int) -> Slot:
        chunk = self.pieces[piece]
        start = skip_blank(chunk, 0)
        end = len(chunk) if self._is_last(piece) else len(chunk.rstrip(SPACE).removesuffix(",").rstrip(SPACE))
        return Slot(chunk[:start], chunk[start:end], chunk[end:])

    def _new_slot(self, near: int) -> Slot:
        pieces = [self.piece_of(index) for index in self._some]
        leads = Counter(self._slot(piece).lead for piece in pieces if piece > 1)
        lead = leads.most_common(1)[0][0] if leads else self._slot(pieces[0]).lead
        return Slot(lead if len(self.pieces) > 3 or "\n" in lead else self.style.comma[1:], "", ",")

    def _body(self, index: int, data: Table) -> str:
        if self.closed:
            raise EditRefusedError("the file has no list that could take another sample")
        like, indent, style = self._model(index)
        if not self.keyed_samples:
            return spelled(as_held(data, like), like, indent, style)
        name = data.get("id")
        if not isinstance(name, str) or self.names[name]:
            raise EditRefusedError("a new sample here needs an `id` of its own: it becomes the sample's key")
        value: Plain = {step: kept for step, kept in data.items() if step != "id"}
        colon = self._colon(index) if len(self) else style.colon
        return spelled(name, "", None, style) + colon + spelled(value, like, indent, style)

    def _model(self, index: int) -> tuple[str, str | None, Style]:
        """Return the text to lay a new sample out by, the indentation of its line if it has one, and the style."""
        if not len(self):
            return "", new_gaps(self.style, self._base_indent).indent, self.style
        near = self._typical(max(index - 1, 0))
        chunk, span = self.chunk(near), self.span(near, ())
        like = chunk[span.start : span.end]
        gap = self._new_slot(near).lead
        indent = gap[gap.rfind("\n") + 1 :] if "\n" in gap else None
        return like, indent, style_of(like, self.manner)

    def _colon(self, index: int) -> str:
        near = max(index - 1, 0)
        key = self._key(near)
        return self.chunk(near)[key.key_span.end : key.span.start]

    def _key_span(self, index: int) -> Span:
        return self._key(index).key_span

    @property
    def _base_indent(self) -> str | None:
        """The indentation of the line with the bracket that opens the samples; None in a file of one line."""
        head = self.pieces[0]
        return indent_at(head, len(head)) if "\n" in head or not self.holder else None

    def _first(self, body: str) -> Splice:
        gaps, tail = new_gaps(self.style, self._base_indent), self.pieces[1]
        return Splice(1, (tail,), (gaps.opening + body, gaps.closing + tail.lstrip(SPACE)))

    def _none_left(self) -> Splice:
        if self.closed:
            raise EditRefusedError("the file is this one sample: delete the file")
        return Splice(1, self.pieces[1:2], ())


def _has_messages(data: Table) -> bool:
    """Tell whether an object by itself is a sample, as `parse` does: a table of that name is something else."""
    return any(key in data and not isinstance(data[key], dict) for key in MESSAGE_KEYS)


def _names_in(pieces: Sequence[str]) -> list[str | None]:
    """Return the names that pieces begin with, as they are spelled."""
    return [found[1] if (found := _NAME.match(piece)) else None for piece in pieces]
