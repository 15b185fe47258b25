"""How a JSON deck is read: a list of samples, an object that holds a list or one of each, or a single sample."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Self

from sampleui.errors import FormatError, PathError
from sampleui.formats.bare import MESSAGE_KEYS
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.formats.json.chunks import JsonChunks, doubled_message
from sampleui.formats.json.spans import (
    SPACE,
    Container,
    Member,
    comma_end,
    container_at,
    decode,
    doubled_keys,
    error_at,
    guard_size,
    skip_blank,
    walk,
)
from sampleui.formats.json.spelling import Style, file_style
from sampleui.formats.referring import Named, Referring, held_in, path_of
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, Span, key_offset, position_at

CONTAINER_KEYS = ("samples", "evalcases", "tests", "cases")
_NAMING = re.compile(r'\s*(?:"|\{\s*"(?:path|config)"\s*:)')
"""How the chunk of an item begins that may name a file."""


@dataclass(frozen=True, repr=False)
class JsonReading(Referring, JsonChunks):
    """A JSON deck as it is read.

    A chunk is the whitespace before a sample, its key in a keyed deck, its value, and the comma after it. The head
    ends with the bracket that opens the samples; what follows the last value is the tail.

    Attributes:
        holder: the keys that lead to the samples.
        keyed_samples: whether samples are the members of an object.
        closed: whether there is no list that could take another sample: the file is one sample, or has none.
        unusual: whether samples stand where they were looked for by a table of the user's alone.
    """

    format: ClassVar[str] = "json"

    holder: tuple[str, ...] = ()
    keyed_samples: bool = False
    closed: bool = False
    unusual: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Raises FormatError when it is not JSON, or its root cannot hold samples."""
        guard_size(text)
        start = skip_blank(text, int(text.startswith("\ufeff")))
        style = file_style(text, start)
        if text[start : start + 1] not in {"[", "{"}:
            decode(text, start)
            raise error_at(text, start, "a deck is a list or an object")
        root = container_at(text, start, frozenset(CONTAINER_KEYS))
        rest = skip_blank(text, root.span.end)
        if rest < len(text):
            raise error_at(text, rest, "Extra data")
        if text[start] == "[":
            return cls._listed(text, root, style, ())
        told = [member for key in MESSAGE_KEYS if (member := root.member(key))]
        if any(text[member.span.start] != "{" for member in told):
            pieces = (text[:start], text[start : root.span.end], text[root.span.end :])
            return cls(pieces, style, closed=True)
        for key in CONTAINER_KEYS:
            member = root.member(key)
            if member and member.inner and not _is_file(text, member.inner):
                return cls._listed(text, member.inner, style, (key,))
        return cls((text, ""), style, closed=True)

    @classmethod
    def under(cls, text: str, holder: tuple[str, ...]) -> Self | None:
        """Split a text whose samples are under keys that few files have them under; None if none do.

        Args:
            text: JSON, which `parse` has read.
            holder: the keys that lead to the samples; none for an object that has a sample under each of its keys.
        """
        start = skip_blank(text, int(text.startswith("\ufeff")))
        try:
            at = [member.span.start for _, member in walk(text, start, holder)][-1] if holder else start
            held = container_at(text, at) if text[at] in "[{" else None
            several = held is not None and all(text[member.span.start] == "{" for member in held.members)
            if held is None or not several or (text[at] == "{" and not held.members):
                return None
            return replace(cls._listed(text, held, file_style(text, start), holder), unusual=True)
        except (PathError, FormatError):
            return None

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        found = self.under(text, self.holder) if self.unusual else None
        return self.parse(text) if found is None else found

    @classmethod
    def _listed(cls, text: str, samples: Container, style: Style, holder: tuple[str, ...]) -> Self:
        members, keyed = samples.members, text[samples.span.start] == "{"
        objects = any(text[member.span.start] == "{" for member in members)
        if members and not objects and not (holder and _all_name_files(text, samples)):
            raise error_at(text, members[0].span.start, "a sample must be an object")
        cuts = [samples.span.start + 1, *(comma_end(text, member) for member in members[:-1])]
        if members:
            cuts.append(members[-1].end)
        chunks = (text[at:end] for at, end in pairwise(cuts))
        return cls((text[: cuts[0]], *chunks, text[cuts[-1] :]), style, holder, keyed)

    # Reading

    @property
    def refers(self) -> bool:
        """Whether samples stand in other files."""
        return bool(self.references)

    @cached_property
    def references(self) -> tuple[Named, ...]:
        """The files that hold further samples: items of the list of samples, or in its place."""
        return (*self._beside(), *self.listed())

    def _beside(self) -> Iterator[Named]:
        for key in CONTAINER_KEYS if self.closed else ():
            if named := held_in(self.context.get(key)):
                yield Named(*named, position_at(self.text, key_offset(self.text, key) or 0))

    def may_name(self, piece: str) -> bool:
        """Tell whether a piece may name a file instead of being a sample."""
        return not self.keyed_samples and _NAMING.match(piece) is not None

    def item_in(self, piece: int) -> tuple[Plain, int]:
        """Return the item that a piece is, and where in the piece."""
        start = skip_blank(self.pieces[piece], 0)
        return decode(self.pieces[piece], start)[0], start

    def _start(self, index: int) -> int:
        return self._key(index).span.start if self.keyed_samples else skip_blank(self.chunk(index), 0)

    def _end(self, index: int, end: int) -> int:
        if self._is_last(self.piece_of(index)):
            return end
        chunk = self.chunk(index)
        comma = skip_blank(chunk, end)
        return comma + 1 if chunk.startswith(",", comma) else len(chunk) + 1

    def _is_last(self, piece: int) -> bool:
        return piece == len(self.pieces) - 2

    def _key(self, index: int) -> Member:
        """Return the member that a chunk of a keyed deck is, without a look at its value."""
        chunk = self.chunk(index)
        at = skip_blank(chunk, 0)
        key, end = decode(chunk, at)
        assert isinstance(key, str)
        start = skip_blank(chunk, skip_blank(chunk, end) + 1)
        return Member(key, Span(at, end), Span(start, start))

    def name(self, index: int) -> str | None:
        """Return the key of a sample in a keyed deck."""
        return self._key(index).key if self.keyed_samples else None

    @property
    def container(self) -> tuple[str, ...]:
        """The key under which the samples stand; empty when the file itself is the list or the one sample."""
        return self.holder

    @property
    def keyed(self) -> bool:
        """Whether samples are the members of an object."""
        return self.keyed_samples

    @cached_property
    def context(self) -> Table:
        """The members of the root object beside the samples; nothing when the file is one sample."""
        around, _ = self._around_samples
        value = decode(around, skip_blank(around, 0))[0] if around else {}
        return _without(value, self.holder) if isinstance(value, dict) else {}

    @property
    def _around_samples(self) -> tuple[str, int]:
        """The root with `null` for the samples and no BOM, and where what follows them is in it; else nothing."""
        if self.closed:
            return ("" if len(self) else self.pieces[0].removeprefix("\ufeff")), 0
        head = self.pieces[0].removeprefix("\ufeff")[:-1] + "null"
        return head + self.pieces[-1].lstrip(SPACE)[1:], len(head)

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return `duplicate-key` for keys beside the samples, and names of samples, that are given again."""
        return tuple(
            (Finding("duplicate-key", Severity.ERROR, doubled_message(path), path), place)
            for path, place in (*self._doubled_around(), *self._doubled_names())
        )

    def _doubled_around(self) -> Iterator[tuple[DataPath, Position]]:
        around, tail_at = self._around_samples
        for path, span in doubled_keys(around, skip_blank(around, 0)) if around else ():
            text = self.text
            shift = len(text) - len(around) if span.start >= tail_at else int(text.startswith("\ufeff"))
            yield path, position_at(text, span.start + shift)

    def _doubled_names(self) -> Iterator[tuple[DataPath, Position]]:
        left = self.names.copy()
        for index in range(len(self)) if left.total() > len(left) else ():
            name = self.name(index) or ""
            left[name] -= 1
            if left[name]:
                yield (*self.holder, name), self.position(index, self._key(index).start)

    @cached_property
    def names(self) -> Counter[str]:
        """How many samples of a keyed deck have each name."""
        return Counter(self._key(index).key or "" for index in range(len(self) if self.keyed_samples else 0))


def _is_file(text: str, samples: Container) -> bool:
    """Tell whether a table in the place of samples names a file of them."""
    return any(one.key == "path" and text.startswith('"', one.span.start) for one in samples.members)


def _all_name_files(text: str, samples: Container) -> bool:
    values = (decode(text, one.span.start)[0] for one in samples.members if text.startswith('"', one.span.start))
    return sum(path_of(value) is not None for value in values) == len(samples.members)


def _without(value: Table, holder: tuple[str, ...]) -> Table:
    """Return a table without the samples, and without the tables around them that hold nothing else."""
    if not holder:
        return value
    rest = {key: kept for key, kept in value.items() if key != holder[0]}
    around = value.get(holder[0])
    inner = _without(around, holder[1:]) if isinstance(around, dict) else {}
    return {**rest, holder[0]: inner} if inner else rest
