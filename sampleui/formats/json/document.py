"""A deck in JSON."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import ClassVar, Self

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.data import CONTAINERS, MESSAGE_KEYS, DataPath, Plain, Table, without_value_at
from sampleui.formats.document import Lazy, Splice
from sampleui.formats.external_items import (
    ExternalItems,
    FileItem,
    path_in_place,
    path_of,
)
from sampleui.formats.json.chunks import MARK_REFUSED_BY, JsonChunks, constant, doubled_message, with_lists_as_texts
from sampleui.formats.json.spans import (
    SPACE,
    Container,
    Member,
    comma_end,
    constants,
    container_at,
    decode,
    doubled_keys,
    guard_size,
    skip_blank,
    walk,
)
from sampleui.formats.json.writing import Style, file_style, new_gaps, spelled, style_of
from sampleui.formats.single_sample import ONLY_BY_MESSAGES
from sampleui.formats.slots import SampleSlot
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_SAMPLES
from sampleui.text.position import Position, Span, error_at, indent_at, key_offset, position_at

_NAMING = re.compile(r'\s*(?:"|\{\s*"(?:path|config)"\s*:)')
"""How the chunk of an item begins that may name a file."""
_NAME = re.compile(r'[ \t\r\n]*+("(?:[^"\\]|\\.|)*+")')
"""How the chunk of a keyed sample begins."""


@dataclass(frozen=True, repr=False)
class JsonDocument(JsonChunks):
    """A JSON deck: a list of samples, an object that holds a list or one of each, or a single sample.

    A chunk is the whitespace before a sample, its key in a keyed deck, its value, and the comma after it. The head
    ends with the bracket that opens the samples; what follows the last value is the tail.

    Attributes:
        holder: the keys that lead to the samples.
        keyed_samples: whether samples are the members of an object.
        closed: whether there is no list that could take another sample: the file is one sample, or has none.
        unusual: whether samples stand where they were looked for by a table of the user's alone.
        anything: whether the file is treated as one sample whatever it holds.
        followed: whether the last sample has its comma, as if another were behind it.
    """

    format: ClassVar[str] = "json"

    holder: tuple[str, ...] = ()
    keyed_samples: bool = False
    closed: bool = False
    unusual: bool = False
    anything: bool = False
    followed: bool = False

    _names: Lazy[Counter[str]] = field(default_factory=Lazy, kw_only=True, compare=False)
    _external: Lazy[ExternalItems] = field(default_factory=Lazy, kw_only=True, compare=False)

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Raises FormatError when it is not JSON, or its root cannot hold samples."""
        guard_size(text)
        start = skip_blank(text, int(text.startswith("\ufeff")))
        style = file_style(text, start)
        if text[start : start + 1] not in {"[", "{"}:
            decode(text, start)
            raise error_at(text, start, "a deck is a list or an object")
        root = container_at(text, start, frozenset(CONTAINERS))
        rest = skip_blank(text, root.span.end)
        if rest < len(text):
            raise error_at(text, rest, "Extra data")
        if text[start] == "[":
            return cls._listed(text, root, style, ())
        lists = [member for key in MESSAGE_KEYS if (member := root.member(key))]
        if any(text[member.span.start] != "{" for member in lists):
            pieces = (text[:start], text[start : root.span.end], text[root.span.end :])
            return cls(pieces, style, closed=True)
        for key in CONTAINERS:
            member = root.member(key)
            if member and member.inner and not _is_file(text, member.inner):
                return cls._listed(text, member.inner, style, (key,))
        return cls((text, ""), style, closed=True)

    @classmethod
    def whole(cls, text: str) -> Self:
        """Take a file as one sample, whatever it holds. Raises FormatError as `parse` does."""
        start, end = skip_blank(text, int(text.startswith("\ufeff"))), len(text.rstrip())
        pieces = (text[:start], text[start:end], text[end:])
        return cls(pieces, JsonDocument.parse(text).style, closed=True, anything=True)

    @classmethod
    def under(cls, text: str, holder: tuple[str, ...]) -> Self | None:
        """Split JSON whose samples are under keys that few files have them under; None if none are."""
        start = skip_blank(text, int(text.startswith("\ufeff")))
        try:
            offset = [member.span.start for _, member in walk(text, start, holder)][-1] if holder else start
            samples = container_at(text, offset) if text[offset] in "[{" else None
            if samples is None or (text[offset] == "{" and not samples.members):
                return None
            if not all(text[member.span.start] == "{" for member in samples.members):
                return None
            return replace(cls._listed(text, samples, file_style(text, start), holder), unusual=True)
        except (PathError, FormatError):
            return None

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        if self.anything:
            return self.whole(text)
        document = self.under(text, self.holder) if self.unusual else None
        return self.parse(text) if document is None else document

    @classmethod
    def _listed(cls, text: str, samples: Container, style: Style, holder: tuple[str, ...]) -> Self:
        members, keyed = samples.members, text[samples.span.start] == "{"
        objects = any(text[member.span.start] == "{" for member in members)
        if members and not objects and not (holder and _all_name_files(text, samples)):
            raise error_at(text, members[0].span.start, "a sample must be an object")
        cuts = [samples.span.start + 1, *(comma_end(text, member) for member in members[:-1])]
        if members:
            cuts.append(members[-1].end)
        chunks = (text[index:end] for index, end in pairwise(cuts))
        return cls((text[: cuts[0]], *chunks, text[cuts[-1] :]), style, holder, keyed)

    def are_apart(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Tell whether samples are the items of a list: in an object a name may be given again."""
        guard_size(self.text)
        return not self.closed and not self.keyed_samples and len(self) <= MAX_SAMPLES

    # Pieces

    def parted(self) -> Self:
        """Return the same with a comma behind the last sample, where there is a list of them."""
        if self.closed:
            return self
        last = len(self.pieces) - 2
        pieces = (*self.pieces[:last], f"{self.pieces[last]},", self.pieces[-1]) if last else self.pieces
        return replace(self.spliced(0, len(self.pieces), pieces), followed=True)

    def joined(self, pieces: Sequence[str]) -> tuple[str, ...]:
        """Return pieces of documents that were parted as those of a file."""
        if self.closed or len(pieces) < 3:
            return (*pieces,)
        *before, last, tail = pieces
        return (*before, last.rstrip(SPACE).removesuffix(",").rstrip(SPACE), tail)

    def spliced(self, start: int, end: int, added: tuple[str, ...]) -> Self:
        """Return the same with pieces replaced."""
        changed = super().spliced(start, end, added)
        same_names = _names_in(added) == _names_in(self.pieces[start:end])
        names = self._names if same_names else Lazy[Counter[str]]()
        return replace(changed, _names=names)

    # Reading

    @cached_property
    def named_files(self) -> tuple[FileItem, ...]:
        """The files that hold further samples: items of the list of samples, or in its place."""
        return (*self._beside(), *self._named_pieces.files(self.pieces))

    def _beside(self) -> Iterator[FileItem]:
        for key in CONTAINERS if self.closed else ():
            if named := path_in_place(self.context.get(key)):
                yield FileItem(*named, position_at(self.text, key_offset(self.text, key) or 0))

    def _may_name(self, piece: str) -> bool:
        return not self.keyed_samples and _NAMING.match(piece) is not None

    def _item_in(self, piece: int) -> tuple[Plain, int]:
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
        return piece == len(self.pieces) - 2 and not self.followed

    def _key(self, index: int) -> Member:
        """Return the member that a chunk of a keyed deck is, without a look at its value."""
        chunk = self.chunk(index)
        key_start = skip_blank(chunk, 0)
        key, end = decode(chunk, key_start)
        assert isinstance(key, str)
        start = skip_blank(chunk, skip_blank(chunk, end) + 1)
        return Member(key, Span(key_start, end), Span(start, start))

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
        if not isinstance(value, dict):
            return {}
        return without_value_at(value, self.holder) if self.holder else value

    @property
    def _around_samples(self) -> tuple[str, int]:
        """The root with `null` for the samples and no BOM, and where what follows them is in it; else nothing."""
        if self.closed:
            return ("" if len(self) else self.pieces[0].removeprefix("\ufeff")), 0
        head = self.pieces[0].removeprefix("\ufeff")[:-1] + "null"
        return head + self.pieces[-1].lstrip(SPACE)[1:], len(head)

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return what is beside the samples: keys and names given again, NaN, a byte order mark."""
        doubled = tuple(
            (Finding("duplicate-key", Severity.ERROR, doubled_message(path), path), position)
            for path, position in (*self._doubled_around(), *self._doubled_names())
        )
        return (*self._mark_notes(MARK_REFUSED_BY), *doubled, *self._constants_around())

    def _constants_around(self) -> Iterator[tuple[Finding, Position]]:
        for piece in sorted({0, len(self.pieces) - 1}):
            for offset, word in constants(self.pieces[piece]):
                start = sum(map(len, self.pieces[:piece]))
                yield constant(word, ()), position_at(self.text, start + offset)

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

    @property
    def names(self) -> Counter[str]:
        """How many samples of a keyed deck have each name."""
        return self._names.get(self._name_counts)

    def _name_counts(self) -> Counter[str]:
        return Counter(self._key(index).key or "" for index in range(len(self) if self.keyed_samples else 0))

    # Edits

    def _to_edit(self, index: int) -> Table:
        value = super()._to_edit(index)
        if self.keyed_samples and self.names[self.name(index) or ""] > 1:
            raise EditRefusedError(f"there is more than one sample {self.name(index)!r}")
        return value

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Refuse what would make the one sample of a file something else."""
        if self.anything:
            return True
        if self.closed and not _has_messages(after.read(0)):
            raise EditRefusedError(ONLY_BY_MESSAGES)
        if not self.holder and not len(after) and after.named_files:
            raise EditRefusedError("the file would no longer be a deck: only names of files would be left in it")
        return super()._fits(splice, after)

    def _slot(self, piece: int) -> SampleSlot:
        chunk = self.pieces[piece]
        start = skip_blank(chunk, 0)
        end = len(chunk) if self._is_last(piece) else len(chunk.rstrip(SPACE).removesuffix(",").rstrip(SPACE))
        return SampleSlot(chunk[:start], chunk[start:end], chunk[end:])

    def _new_slot(self, near: int) -> SampleSlot:
        pieces = [self.piece_of(index) for index in self._surveyed]
        leads = Counter(self._slot(piece).lead for piece in pieces if piece > 1)
        lead = leads.most_common(1)[0][0] if leads else self._slot(pieces[0]).lead
        return SampleSlot(lead if len(self.pieces) > 3 or "\n" in lead else self.style.comma[1:], "", ",")

    def _body(self, index: int, data: Table) -> str:
        if self.closed:
            raise EditRefusedError("the file has no list that could take another sample")
        like, indent, style = self._model(index)
        if not self.keyed_samples:
            return spelled(with_lists_as_texts(data, like), like, indent, style)
        name = data.get("id")
        if not isinstance(name, str) or self.names[name]:
            raise EditRefusedError("a new sample here needs an `id` of its own: it becomes the sample's key")
        value: Plain = {step: item for step, item in data.items() if step != "id"}
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


def _is_file(text: str, samples: Container) -> bool:
    """Tell whether a table in the place of samples names a file of them."""
    return any(member.key == "path" and text.startswith('"', member.span.start) for member in samples.members)


def _all_name_files(text: str, samples: Container) -> bool:
    values = (
        decode(text, member.span.start)[0] for member in samples.members if text.startswith('"', member.span.start)
    )
    return sum(path_of(value) is not None for value in values) == len(samples.members)


def _has_messages(data: Table) -> bool:
    """Tell whether an object by itself is a sample, as `parse` takes it: its messages must not be a table."""
    return any(key in data and not isinstance(data[key], dict) for key in MESSAGE_KEYS)


def _names_in(pieces: Sequence[str]) -> list[str | None]:
    """Return the names that pieces begin with, as they are spelled."""
    return [name[1] if (name := _NAME.match(piece)) else None for piece in pieces]
