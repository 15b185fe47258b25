"""What JSON and JSON Lines decks share: chunks that hold one JSON value each, read and edited by their spans."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from itertools import accumulate
from typing import ClassVar, Self, TypeAlias

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats import slots
from sampleui.formats.data import DataPath, Plain, Table, shown
from sampleui.formats.document import Document, Splice
from sampleui.formats.json.spans import (
    SPACE,
    Member,
    constants,
    decode,
    doubled_keys,
    guard_size,
    skip_blank,
    structure,
    walk,
)
from sampleui.formats.json.writing import (
    PLAIN,
    Style,
    are_short,
    delete_member,
    insert_item,
    move_item,
    rename_member,
    respelled,
    set_value,
    spelled,
    style_of,
    units,
)
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Span, TextEdit, error_at

MARK_REFUSED_BY = "JavaScript's JSON.parse and Python's json"
TEXT_OR_LIST = frozenset({"turns"})
"""The keys of a sample whose text may hold a list."""

_Make: TypeAlias = Callable[[str, int, DataPath, Style], TextEdit]
"""Makes an edit of a text, given where the value begins that a path leads into, and how to write a new one."""


def constant(word: str, path: DataPath) -> Finding:
    """Return the finding about a word that is no JSON."""
    message = f"{word} is no JSON; Python's reader takes it for a number, JavaScript's and most others refuse it"
    return Finding("reader-refuses", Severity.WARNING, message, path)


@dataclass(frozen=True, repr=False)
class JsonChunks(Document):
    """A document whose chunks hold one JSON object each. `style` is how the file is written as a whole."""

    surrogates: ClassVar[bool] = True

    style: Style = PLAIN

    @abstractmethod
    def _start(self, index: int) -> int:
        """Return where the value of a sample begins in its chunk."""

    @abstractmethod
    def _end(self, index: int, end: int) -> int:
        """Return where the chunk of a sample should end, given where its value does."""

    def read(self, index: int) -> Table:
        """Return a sample's value. NaN and the infinities, which are not JSON, are read as Python's reader does."""
        chunk, start = self.chunk(index), self._start(index)
        value, end = _decoded(chunk, start)
        if not isinstance(value, dict):
            raise error_at(chunk, start, "a sample must be an object")
        stop = self._end(index, end)
        if stop != len(chunk):
            raise error_at(chunk, stop, "there is something else beside the sample")
        return value

    def span(self, index: int, path: DataPath) -> Span:
        """Return where the value at a path is in the sample's chunk; in a broken sample, the whole sample."""
        if path:
            return self._member(index, path).span
        chunk, start = self.chunk(index), self._start(index)
        try:
            return Span(start, decode(chunk, start)[1])
        except FormatError:
            return Span(start, max(start, len(chunk.rstrip())))

    def source_span(self, index: int) -> Span:
        """Return where the object of a sample is: without the comma and the blanks around it."""
        return self.span(index, ())

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is; of several such keys the last, whose value counts."""
        return self._member(index, path).key_span if path else self.span(index, ())

    def _member(self, index: int, path: DataPath) -> Member:
        try:
            if embedded := self._text_around(index, path[:-1]):
                return embedded.placed([member for _, member in walk(embedded.text, embedded.start, path[1:])][-1])
            return [member for _, member in walk(self.chunk(index), self._start(index), path)][-1]
        except FormatError as error:
            raise PathError(f"there is no {shown(path)}: {error.message}") from error

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return `parse-error` for a sample that cannot be read, `duplicate-key`, and `reader-refuses` for NaN."""
        try:
            self.read(index)
        except FormatError as error:
            return (Finding("parse-error", Severity.ERROR, error.message),)
        doubled = [path for path, _ in doubled_keys(self.chunk(index), self._start(index))]
        for key in TEXT_OR_LIST & self.read(index).keys():
            embedded = self._text_around(index, (key,))
            doubled += [(key, *path) for path, _ in doubled_keys(embedded.text, embedded.start)] if embedded else []
        refused = (constant(word, self.innermost(index, offset)) for offset, word in constants(self.chunk(index)))
        return (
            *(Finding("duplicate-key", Severity.ERROR, doubled_message(path), path) for path in doubled),
            *refused,
        )

    def _text_around(self, index: int, path: DataPath) -> ListInText | None:
        """Return the text that holds the list which a path leads to or into, None if no text does."""
        if not path or path[0] not in TEXT_OR_LIST or path[0] not in self.read(index):
            return None
        chunk = self.chunk(index)
        _, member = next(walk(chunk, self._start(index), path[:1]))
        return list_text_at(chunk, member.span)

    # How most samples are written: learned once, and kept through edits

    @property
    def manner(self) -> Style:
        """The style of the file, with what most of its samples show."""
        manner: Style = self._habits.get(
            lambda: replace(self.style, short=are_short(self.chunk(index) for index in self._surveyed))
        )
        return manner

    def manner_for(self, value: Plain) -> Style:
        """Return the manner in which to write a value."""
        return self.manner

    def _typical(self, near: int) -> int:
        """Return the sample nearest to an index that is laid out as most are."""
        nearest = sorted(self._surveyed, key=lambda index: abs(index - near))
        shown = {index: self._laid(index) for index in nearest if self.is_object(index)}
        counted = Counter(shown.values())
        usual = counted.most_common(1)[0][0] if counted else None
        return next((index for index, laid in shown.items() if laid == usual), near)

    def _laid(self, index: int) -> tuple[str, str, str, bool]:
        body = self.chunk(index)[self._start(index) :]
        style = style_of(body, self.style)
        return style.comma, style.colon, style.unit, "\n" in body.strip()

    # Edits of one sample

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        among = partial(self._place_of, index, path)

        def edit(text: str, start: int, rest: DataPath, style: Style) -> TextEdit:
            return set_value(text, start, rest, value, style, among=among)

        yield self._edit_of(index, path, edit, value, path if isinstance(value, list) else path[:-1])

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        yield self._edit_of(
            index, path, lambda text, start, rest, style: insert_item(text, start, rest, value, style), value
        )

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        yield self._edit_of(index, path, lambda text, start, rest, _: delete_member(text, start, rest))

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        yield self._edit_of(index, path, lambda text, start, rest, _: move_item(text, start, rest, to))

    def _edit_of(
        self, index: int, path: DataPath, make: _Make, value: Plain = None, inside: DataPath | None = None
    ) -> TextEdit:
        """Return an edit of a chunk, or of what a text in it holds where a path leads into one."""
        embedded = self._text_around(index, path[:-1] if inside is None else inside)
        if embedded is None:
            return make(self.chunk(index), self._start(index), path, self.manner_for(value))
        manner = replace(PLAIN, ascii=self._escapes_inside)
        return embedded.edited(make(embedded.text, embedded.start, path[1:], manner), self.manner_for(value))

    @cached_property
    def _escapes_inside(self) -> bool:
        """Whether JSON in texts has escapes for what is not ASCII, where the text itself does not show it."""
        some = [self.chunk(index) for index in self._surveyed]
        return all(map(str.isascii, some)) and any(r"\\u" in chunk for chunk in some)

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        if path:
            yield self._edit_of(
                index, path, lambda text, start, rest, style: rename_member(text, start, rest, name, style), name
            )
            return
        span = self._key_span(index)
        yield TextEdit(span.start, span.end, spelled(name, "", None, self.manner_for(name)))

    def _key_span(self, index: int) -> Span:
        """Return where the name of a sample is in a keyed deck."""
        raise EditRefusedError("the samples of this deck have no names")

    # Edits of samples as a whole

    @abstractmethod
    def _slot(self, piece: int) -> slots.SampleSlot:
        """Return a chunk as the sample and what is around it."""

    @abstractmethod
    def _new_slot(self, near: int) -> slots.SampleSlot:
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
        body, count = self._body(index, data), len(self)
        if len(self.pieces) == 2:
            yield self._first(body)
            return
        if not count:
            raise EditRefusedError("there is no sample to add one beside, but only names of files")
        near = min(index, count - 1)
        new = replace(self._new_slot(near), body=body)
        piece = self.piece_of(near)
        yield slots.inserted(self.pieces, self._slot, piece, new, first=index == 0, last=index == count)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        alone = len(self.pieces) == 3
        yield self._none_left() if alone else slots.deleted(self.pieces, self._slot, self.piece_of(index))

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        low, high = min(index, to), max(index, to)
        pieces = [self.piece_of(other) for other in range(low, high + 1)]
        yield slots.moved_slot(self.pieces, self._slot, pieces, back=to < index)

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Refuse what would leave nothing that a deck begins with."""
        if len(after) and not any(after.is_object(index) for index in range(len(after))):
            raise EditRefusedError("the file would no longer be a deck: nothing left in it is an object")
        return True

    def is_object(self, index: int) -> bool:
        """Tell whether a sample begins as an object does, read or not."""
        return self.chunk(index).startswith("{", self._start(index))


@lru_cache(maxsize=32)
def _decoded(chunk: str, start: int) -> tuple[Plain, int]:
    """Return a value, shared by all who ask for it while they look at one sample."""
    guard_size(chunk)
    value, end = decode(chunk, start)
    return with_lists_read(value) if isinstance(value, dict) else value, end


def doubled_message(path: DataPath) -> str:
    """Return the message about a key that an object has more than once."""
    return f"the key {path[-1]!r} is given more than once; the last one counts"


# Lists that a sample has as text, with their JSON inside quotes: some programs write the turns of a conversation so


def with_lists_read(value: Table) -> Table:
    """Return a sample with the lists that its texts hold in the place of these texts."""
    lists = {key: items for key in TEXT_OR_LIST & value.keys() if (items := list_in(value[key])) is not None}
    return {**value, **lists} if lists else value


def list_in(value: Plain) -> list[Plain] | None:
    """Return the JSON list that a text holds, None for anything else."""
    parsed = structure(value) if isinstance(value, str) else None
    return parsed if isinstance(parsed, list) else None


@dataclass(frozen=True, slots=True)
class ListInText:
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


def list_text_at(chunk: str, span: Span) -> ListInText | None:
    """Return the text at a place of a chunk; None if it is not a text that holds a list."""
    raw = chunk[span.start : span.end]
    text = decode(raw, 0)[0] if raw.startswith('"') else None
    return ListInText(span.start, raw, text) if isinstance(text, str) and list_in(text) is not None else None


def with_lists_as_texts(data: Table, like: str) -> Table:
    """Return a new sample with its lists as texts where the sample that it is modelled on has texts.

    Args:
        data: the sample.
        like: the text of the other one; may be empty.
    """
    if not like.startswith("{") or not TEXT_OR_LIST & data.keys():
        return data
    model, _ = decode(like, 0)
    copy = dict(data)
    for key in TEXT_OR_LIST & data.keys():
        text = model.get(key) if isinstance(model, dict) else None
        if isinstance(data[key], list) and isinstance(text, str) and list_in(text) is not None:
            inner = text.strip(SPACE)
            copy[key] = spelled(data[key], inner, None, style_of(inner, PLAIN))
    return copy
