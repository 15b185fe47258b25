"""Lists that a deck has as text, with their JSON inside quotes: read and edited as lists.

Some programs write the turns of a conversation so in tables, or did so in JSON, and take a text and a list alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate

from sampleui.formats.data import Plain, Table
from sampleui.formats.json.spans import SPACE, Member, decode, skip_blank, structure
from sampleui.formats.json.writing import PLAIN, Style, respelled, spelled, style_of, units
from sampleui.text.position import Span, TextEdit

HELD = frozenset({"turns"})
"""The keys of a sample whose text may hold a list."""


def read_held(value: Table) -> Table:
    """Return a sample with the lists that its texts hold in the place of these texts."""
    lists = {key: items for key in HELD & value.keys() if (items := list_in(value[key])) is not None}
    return {**value, **lists} if lists else value


def list_in(value: Plain) -> list[Plain] | None:
    """Return the JSON list that a text holds, None for anything else."""
    parsed = structure(value) if isinstance(value, str) else None
    return parsed if isinstance(parsed, list) else None


@dataclass(frozen=True, slots=True)
class HeldText:
    """A text that holds a list.

    Attributes:
        offset: where its quotes begin in the chunk.
        raw: how it is written there.
        text: what it says.
    """

    offset: int
    raw: str
    text: str

    @property
    def start(self) -> int:
        """Where the list begins in the text."""
        return skip_blank(self.text, 0)

    def placed(self, member: Member) -> Member:
        """Return a member of what the text holds, with its places in the chunk."""
        ends = [0, *accumulate(map(len, units(self.raw[1:-1])))]
        if len(ends) <= len(self.text):
            whole = Span(self.offset, self.offset + len(self.raw))
            return member._replace(key_span=whole, span=whole)
        key, value = (
            Span(*(self.offset + 1 + ends[offset] for offset in (span.start, span.end)))
            for span in (member.key_span, member.span)
        )
        return member._replace(key_span=key, span=value)

    def edited(self, edit: TextEdit, style: Style) -> TextEdit:
        """Return the edit of the chunk for one of what the text says; the rest of it is written as it was."""
        return TextEdit(self.offset, self.offset + len(self.raw), respelled(self.raw, edit.apply(self.text), style))


def held_at(chunk: str, span: Span) -> HeldText | None:
    """Return the text at a place of a chunk, None if it is none that holds a list."""
    raw = chunk[span.start : span.end]
    text = decode(raw, 0)[0] if raw.startswith('"') else None
    return HeldText(span.start, raw, text) if isinstance(text, str) and list_in(text) is not None else None


def as_held(data: Table, like: str) -> Table:
    """Return a new sample with its lists as texts where the sample it is laid out by has them so.

    Args:
        data: the sample.
        like: the text of the other one; may be empty.
    """
    if not like.startswith("{") or not HELD & data.keys():
        return data
    model, _ = decode(like, 0)
    copy = dict(data)
    for key in HELD & data.keys():
        text = model.get(key) if isinstance(model, dict) else None
        if isinstance(data[key], list) and isinstance(text, str) and list_in(text) is not None:
            inner = text.strip(SPACE)
            copy[key] = spelled(data[key], inner, None, style_of(inner, PLAIN))
    return copy
