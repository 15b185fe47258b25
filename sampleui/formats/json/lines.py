"""JSON Lines decks: one sample per line. Lines are read when needed, and a broken one spoils no other."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from sampleui.errors import FormatError
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import Lazy, Splice
from sampleui.formats.json.chunks import MARK_REFUSED_BY, JsonChunks, with_lists_as_texts
from sampleui.formats.json.spans import SPACE, decode, skip_blank
from sampleui.formats.json.writing import Style, escapes, spelled, style_of
from sampleui.formats.slots import SampleSlot
from sampleui.text.diagnostic import Finding
from sampleui.text.limits import MAX_SAMPLES
from sampleui.text.position import Position, error_at

_BLANK_LINES = re.compile(r"(?:[ \t\r]*+\n|)*+(?:[ \t\r]*+\Z)?")


@dataclass(frozen=True, repr=False)
class JsonlDocument(JsonChunks):
    """A JSON Lines deck.

    A chunk is a line with its end, and the blank lines after it. The head holds a BOM and blank lines at the start;
    the tail is empty. A line that is no JSON object is a sample that cannot be read.
    """

    format: ClassVar[str] = "jsonl"

    _has_escapes: Lazy[bool] = field(default_factory=Lazy, kw_only=True, compare=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into lines. Raises FormatError when there are lines and none of them begins an object."""
        begin = int(text.startswith("\ufeff"))
        start = skip_blank(text, begin)
        if start < len(text):
            start = max(text.rfind("\n", 0, start) + 1, begin)
        pieces = [text[:start], *_lines(text, start), ""]
        if len(pieces) > 2 and not any(line.lstrip(SPACE).startswith("{") for line in pieces[1:-1]):
            raise error_at(text, skip_blank(text, start), _why_none(pieces[1]))
        return cls(tuple(pieces), _style(text, start))

    @classmethod
    def of_lines(cls, lines: Sequence[str]) -> Self | None:
        """Return the deck of lines with their ends, none of which is blank; None where the text is to be parsed.

        That is so where the first line is no object, and where there are too many.
        """
        if not lines or not lines[0].startswith("{") or len(lines) > MAX_SAMPLES:
            return None
        breaks = Lazy((0, *(1,) * (len(lines) - 1), lines[-1].count("\n"), 0))
        return cls(("", *lines, ""), _style(lines[0], 0), _breaks=breaks)

    # Reading

    def _start(self, index: int) -> int:
        return skip_blank(self.chunk(index), 0)

    def start(self, index: int) -> int:
        """Return where a sample begins in its chunk, which shows without reading it."""
        return self._start(index)

    def _end(self, index: int, end: int) -> int:
        return skip_blank(self.chunk(index), end)

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return `byte-order-mark` where the first line has one before it."""
        return tuple(self._mark_notes(MARK_REFUSED_BY))

    def are_apart(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Tell whether the file keeps to its limit: no line reaches another."""
        return len(self) <= MAX_SAMPLES

    # Edits

    def _escaped(self) -> bool:
        """Tell whether characters outside ASCII are written as escapes: some are, and none is written as it is."""
        texts = [self.pieces[0].removeprefix("\ufeff"), *self.pieces[1:]]
        return all(map(str.isascii, texts)) and any(escapes(text, False) for text in texts)

    def manner_for(self, value: Plain) -> Style:
        """Return the manner in which to write a value; the whole file is searched for escapes if it needs some."""
        needless = self.style.ascii or json.dumps(value, ensure_ascii=False, default=str).isascii()
        return self.manner if needless else replace(self.manner, ascii=self._has_escapes.get(self._escaped))

    def _neighbours(self, index: int) -> range:
        """Return no index: a line cannot touch another, and a broken neighbour is no reason to refuse an edit."""
        return range(0)

    def move_sample(self, index: int, to: int) -> Splice:
        """Move a line as it stands, past broken ones too."""
        self._check(index)
        self._check(to)
        return next(self._move_sample(index, to))

    def _slot(self, piece: int) -> SampleSlot:
        chunk = self.pieces[piece]
        body = chunk.rstrip(SPACE)
        return SampleSlot("", body, chunk[len(body) :])

    def _new_slot(self, near: int) -> SampleSlot:
        trails = Counter(self._slot(index + 1).trail for index in self._surveyed if index < len(self) - 1)
        return SampleSlot(
            "", "", max(trails, key=lambda trail: (trails[trail], -len(trail)), default=self.style.eol)
        )

    def _body(self, index: int, data: Table) -> str:
        near = self._typical(max(index - 1, 0))
        like = self._slot(near + 1).body.lstrip(SPACE) if len(self) else ""
        try:
            decode(like, 0)
        except FormatError:
            like = ""
        return spelled(with_lists_as_texts(data, like), like, None, style_of(like, self.manner_for(data)))

    def _first(self, body: str) -> Splice:
        return Splice(1, (self.pieces[1],), (body + self.style.eol, self.pieces[1]))

    def _none_left(self) -> Splice:
        return Splice(1, self.pieces[1:2], ())


def _why_none(line: str) -> str:
    """Return the message about a file in which no line is an object, given its first line."""
    try:
        value, _ = decode(line, skip_blank(line, 0))
    except FormatError:
        value = None
    if isinstance(value, str) and value.lstrip(SPACE).startswith("{"):
        return "the lines are texts that hold JSON: the file was encoded twice"
    return "no line is a JSON object"


def _lines(text: str, start: int) -> list[str]:
    """Return the lines of a text from an offset on, with their ends, each with the blank lines after it."""
    lines: list[str] = []
    find, size = text.find, len(text)
    while start < size:
        end = find("\n", start) + 1 or size
        if end < size and text[end] in SPACE:
            end = _blank_end(text, end)
        lines.append(text[start:end])
        if len(lines) > MAX_SAMPLES:
            raise error_at(text, start, f"more than {MAX_SAMPLES:,} lines")
        start = end
    return lines


def _blank_end(text: str, start: int) -> int:
    """Return where the blank lines that begin at an offset end."""
    blanks = _BLANK_LINES.match(text, start)
    assert blanks is not None
    return blanks.end()


def _style(text: str, start: int) -> Style:
    """Return the habits of a file, as its first line shows them."""
    eol = "\r\n" if text[: text.find("\n") + 1].endswith("\r\n") else "\n"
    end = text.find("\n", start)
    first = text[start : len(text) if end < 0 else end].strip(SPACE)
    return style_of(first[:10_000], Style(eol=eol))
