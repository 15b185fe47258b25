"""A deck file as text in pieces: how it is read, and its edits, each of which is proved before it counts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from sampleui.errors import EditError, EditRefusedError, FormatError, PathError
from sampleui.formats.banners import without_heading
from sampleui.formats.data import (
    DataPath,
    Plain,
    Table,
    lookup,
    refuse_surrogates,
    refuse_unplain,
    same,
)
from sampleui.formats.external_items import NO_ITEMS, ExternalItems, FileItem, external_items
from sampleui.formats.operations import (
    Delete,
    Insert,
    Move,
    Operation,
    Rename,
    Set,
    applied,
    deed_of,
    written,
)
from sampleui.formats.timestamps import dates_as_texts
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_VOTING_KEYS
from sampleui.text.position import Position, Span, TextEdit, position_at


def place_of_key(key: str, names: Sequence[str], orders: Mapping[tuple[str, ...], int]) -> int:
    """Return the index of a new key among others: where it breaks the order of the fewest tables alike.

    Where they say nothing of it, it is the last. `orders` tells in how many tables the keys are in each order.
    """
    candidates = [
        ({name: number for number, name in enumerate(order)}, n) for order, n in orders.items() if key in order
    ]
    votes = [sum(_vote(positions, name, key) * count for positions, count in candidates) for name in names]
    totals = [0, *accumulate(votes)]
    return max(range(len(totals)), key=lambda index: (totals[index], index))


def _vote(positions: dict[str, int], name: str, key: str) -> int:
    """Return 1 where a table has the key after a name, -1 where before it, 0 if it lacks the name."""
    position = positions.get(name)
    if position is None:
        return 0
    return 1 if position < positions[key] else -1


def ordered(value: Plain, alike: Sequence[Plain]) -> Plain:
    """Return a value with the keys of its tables, inner ones too, in the order that most similar values have."""
    if isinstance(value, list):
        items = [item for value in alike if isinstance(value, list) for item in value]
        return [ordered(item, items) for item in value]
    if not isinstance(value, dict):
        return value
    tables = [each for each in alike if isinstance(each, dict)]
    orders = Counter(map(tuple, tables))
    names: Sequence[str] = [*value]
    if orders.keys() - {tuple(names)}:
        names = _names(value, orders)
    return {key: ordered(value[key], [table[key] for table in tables if key in table]) for key in names}


def _names(value: Table, orders: Mapping[tuple[str, ...], int]) -> list[str]:
    """Return the keys of a table in the order that most have.

    Each key asks all before it for its place. In a table so large that this would take long, such as one of entries
    by their names, keys follow the most usual order of all, and those that it lacks follow the key before them.
    """
    if len(value) > MAX_VOTING_KEYS:
        usual = max(orders, key=lambda order: orders[order])
        ranks, rank = {key: number for number, key in enumerate(usual)}, -1
        return sorted(value, key={key: (rank := ranks.get(key, rank)) for key in value}.__getitem__)
    known = {key for order in orders for key in order}
    names: list[str] = []
    for key in value:
        names.insert(place_of_key(key, names, orders) if key in known else len(names), key)
    return names


def tables_at(value: Plain, path: DataPath) -> Iterator[Table]:
    """Yield the tables that stand where a path leads, at any item of the lists on its way."""
    if not path:
        if isinstance(value, dict):
            yield value
    elif isinstance(value, dict) and path[0] in value:
        yield from tables_at(value[str(path[0])], path[1:])
    elif isinstance(value, list) and isinstance(path[0], int):
        for item in value:
            yield from tables_at(item, path[1:])


T = TypeVar("T")

MAX_ASKED = 24
"""Samples that are read to learn the habits of a file."""

_ENCODED_AT_ONCE = 500


class Splice(NamedTuple):
    """A change of a document: the pieces from index `start` on that equal `removed` become `added`."""

    start: int
    removed: tuple[str, ...]
    added: tuple[str, ...]

    def inverse(self) -> Splice:
        """Return the splice that undoes this one."""
        return Splice(self.start, self.added, self.removed)

    def text_edit(self) -> TextEdit:
        """Return the change as one minimal edit, relative to the start of piece `start`."""
        before = "".join(self.removed)
        return TextEdit(0, len(before), "".join(self.added)).trimmed(before)


def _without_comments_behind(text: str) -> str:
    """Return the text of a sample without the comments behind it, which may stand above the next one."""
    lines = text.split("\n")
    while len(lines) > 1 and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return "\n".join(lines).rstrip("\r")


class SharedValue(NamedTuple):
    """A value of a sample that is written once in its file and that others repeat.

    Attributes:
        path: where it is in the sample.
        name: what it is called by those who repeat it.
        home: the index of the sample that it is written in; below 0 for what is beside the samples.
        home_path: where it is written there.
        users: the indexes of the samples that have it, that of its home included.
    """

    path: DataPath
    name: str
    home: int
    home_path: DataPath
    users: tuple[int, ...]


class Lazy(Generic[T]):
    """A value that is worked out when it is first asked for; shared by documents for which it is the same."""

    def __init__(self, *known: T) -> None:
        """Hold a value that is known already, or none yet."""
        self._known = known

    @property
    def is_known(self) -> bool:
        """Whether the value was asked for, or was known from the beginning."""
        return bool(self._known)

    def get(self, work_out: Callable[[], T]) -> T:
        """Return the value."""
        if not self._known:
            self._known = (work_out(),)
        return self._known[0]


class _LastProof(Generic[T]):
    """The splice that was proved last, and what the document becomes by it.

    It is given away once and not kept: a document must not hold on to its successors.
    """

    def __init__(self) -> None:
        self._proved: tuple[Splice, T] | None = None

    def keep(self, splice: Splice, after: T) -> None:
        """Keep what a splice makes, in place of what was kept before."""
        self._proved = (splice, after)

    def take(self, splice: Splice) -> T | None:
        """Return what a splice makes, if that is known."""
        proved, self._proved = self._proved, None
        return proved[1] if proved is not None and proved[0] is splice else None


@dataclass(frozen=True, repr=False)
class Document(ABC):
    """One deck file: `"".join(pieces)` is its text, BOM and line endings included. Immutable.

    `pieces` is the head, then one chunk per sample in file order, then the tail; a piece between these that names a
    file of samples has none. A form whose samples interleave in the text may keep several samples in one piece; it
    overrides `__len__`, `piece_of` and `samples_in`.
    """

    format: ClassVar[str]

    has_dates: ClassVar[bool] = False
    """Whether the format has dates and times, which all its readers know from texts."""

    has_null: ClassVar[bool] = True
    """Whether the format has null; where it has not, a turn that calls needs none for its content."""

    surrogates: ClassVar[bool] = False
    """Whether a half of a surrogate pair, which has no UTF-8, can be written as an escape."""

    pieces: tuple[str, ...]

    _habits: Lazy[Any] = field(default_factory=Lazy, kw_only=True, compare=False)
    """How most of the samples are written: learned with the first edit that asks for it, and kept through edits."""

    _breaks: Lazy[tuple[int, ...]] = field(default_factory=Lazy, kw_only=True, compare=False)
    _breaks_before: Lazy[tuple[int, ...]] = field(default_factory=Lazy, kw_only=True, compare=False)
    _external: Lazy[ExternalItems] = field(default_factory=lambda: Lazy(NO_ITEMS), kw_only=True, compare=False)
    """The pieces that name a file. Nearly no deck has any, and an edit that brings none in leaves it so."""

    _last_proof: _LastProof[Any] = field(default_factory=_LastProof, init=False, compare=False)

    def __repr__(self) -> str:
        """Return what it is, and not the whole file."""
        return f"{type(self).__name__}({len(self)} samples)"

    # The text in pieces: which samples are in which piece, and on which line and column

    @property
    def text(self) -> str:
        """The whole file."""
        return "".join(self.pieces)

    def encoded(self, errors: str = "strict") -> Iterator[bytes]:
        """Yield the bytes of the file, some pieces at a time: as one text a large file would take its memory twice.

        Raises:
            UnicodeEncodeError: for half of a surrogate pair, unless `errors`, as of `str.encode`, says otherwise.
        """
        for start in range(0, len(self.pieces), _ENCODED_AT_ONCE):
            yield "".join(self.pieces[start : start + _ENCODED_AT_ONCE]).encode("utf-8", errors)

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.pieces) - 2 - len(self._named_pieces)

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample."""
        return self._named_pieces.piece_of(index)

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples that a piece holds, none if it names a file."""
        return self._named_pieces.samples_in(piece, len(self.pieces) - 1)

    @property
    def _named_pieces(self) -> ExternalItems:
        return self._external.get(lambda: external_items(self.pieces, self._may_name, self._item_in))

    def _may_name(self, piece: str) -> bool:
        """Tell whether a piece may name a file instead of being a sample, in a format in which one can."""
        return False

    def _item_in(self, piece: int) -> tuple[Plain, int]:
        """Return the item that a piece is, and where in the piece. Raises FormatError as `read` does."""
        raise NotImplementedError

    def chunk(self, index: int) -> str:
        """Return the text of the piece that holds a sample."""
        return self.pieces[self.piece_of(index)]

    @property
    def breaks(self) -> tuple[int, ...]:
        """The number of line feeds in each piece."""
        return self._breaks.get(lambda: tuple(piece.count("\n") for piece in self.pieces))

    @property
    def breaks_before(self) -> tuple[int, ...]:
        """The number of line feeds before each piece."""
        return self._breaks_before.get(lambda: tuple(accumulate(self.breaks, initial=0)))

    @cached_property
    def newline(self) -> str:
        """How the file ends its lines: as it does the first one."""
        first = next((piece for piece in self.pieces if "\n" in piece), "")
        return "\r\n" if first[: first.find("\n")].endswith("\r") else "\n"

    def position(self, index: int, offset: int = 0) -> Position:
        """Return the place in the file of an offset into a sample's chunk."""
        piece = self.piece_of(index)
        inner = position_at(self.pieces[piece], offset)
        before = self.breaks_before[piece]
        if inner.line > 1:
            return Position(before + inner.line, inner.column)
        return Position(before + 1, self._columns_before(piece) + inner.column)

    def _columns_before(self, piece: int) -> int:
        """Return how many characters are before a piece on the line that it begins on."""
        if not piece:
            return 0
        text = self.pieces[piece - 1]
        alone = piece == 1 or self.breaks[piece - 1]  # what is before that does not matter
        return len(text) - text.rfind("\n") - 1 if alone else self._all_left[piece]

    @cached_property
    def _all_left(self) -> tuple[int, ...]:
        """The characters before each piece on its line, for a file in which pieces share lines."""

        def behind(left: int, text: str) -> int:
            last_break = text.rfind("\n")
            return left + len(text) if last_break < 0 else len(text) - last_break - 1

        return tuple(accumulate(self.pieces, behind, initial=0))

    def spliced(self, start: int, end: int, added: tuple[str, ...]) -> Self:
        """Return the document with the pieces from `start` to `end` replaced; what is known of others is kept."""
        pieces = list(self.pieces)
        pieces[start:end] = added
        breaks, breaks_before = Lazy[tuple[int, ...]](), Lazy[tuple[int, ...]]()
        if self._breaks.is_known:
            counts = tuple(piece.count("\n") for piece in added)
            if counts == self.breaks[start:end]:
                breaks, breaks_before = self._breaks, self._breaks_before
            else:
                breaks = Lazy(self.breaks[:start] + counts + self.breaks[end:])
        habits = self._habits if len(self) else Lazy[Any]()
        none_named = not self._named_pieces and not any(map(self._may_name, added))
        external = Lazy(NO_ITEMS) if none_named else Lazy[ExternalItems]()
        return replace(
            self,
            pieces=tuple(pieces),
            _habits=habits,
            _breaks=breaks,
            _breaks_before=breaks_before,
            _external=external,
        )

    def without_habits(self) -> Self:
        """Return the document with its habits forgotten; they are worked out again when they are needed."""
        return replace(self, _habits=Lazy())

    # Reading

    @classmethod
    @abstractmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces.

        Raises:
            FormatError: when the text as a whole is not in this format, with its line and column.
        """

    @classmethod
    def whole(cls, text: str) -> Self:
        """Take a file as one sample, whatever it holds, where one can be a table. Raises FormatError as `parse`."""
        raise FormatError("a file in this format cannot be one table")

    @classmethod
    def under(cls, text: str, holder: tuple[str, ...]) -> Self | None:
        """Split a text whose samples are under unusual keys; None if there are none under these.

        Args:
            text: one that `parse` has read.
            holder: the keys that lead to the samples; none for a table that has a sample under each of its keys.
        """
        return None

    @abstractmethod
    def read(self, index: int) -> Table:
        """Return a sample's value, never to be changed by the caller.

        Raises:
            FormatError: when the chunk is not exactly one sample. Positions are relative to the chunk.
        """

    def reading(self, index: int) -> Table | None:
        """Return a sample's value, never to be changed by the caller; None for one that cannot be read."""
        try:
            return self.read(index)
        except FormatError:
            return None

    @abstractmethod
    def span(self, index: int, path: DataPath) -> Span:
        """Return where the value at a path is in the sample's chunk (for the empty path, the whole sample).

        Raises:
            PathError: when the path does not exist.
        """

    def start(self, index: int) -> int:
        """Return where a sample begins in its chunk, comments and blank lines above left out; 0 if unreadable."""
        try:
            return self.span(index, ()).start
        except (PathError, FormatError):
            return 0

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is; the value's span if there is none (list items)."""
        return self.span(index, path)

    def name(self, index: int) -> str | None:
        """Return the name of a keyed sample, None if samples are list items."""
        return None

    @property
    def keyed(self) -> bool:
        """Whether samples are named by their key and not listed."""
        return False

    @property
    def named_files(self) -> tuple[FileItem, ...]:
        """The files that hold further samples: items of the list of samples, or in its place."""
        return ()

    @property
    def refers(self) -> bool:
        """Whether the file names other files for its samples."""
        return bool(self.named_files)

    @property
    def anonymous(self) -> bool:
        """Whether the file is one sample as a whole that does not say its id."""
        return False

    @property
    def container(self) -> tuple[str, ...]:
        """The keys under which the samples stand: `("samples",)`; empty when the file itself is the list."""
        return ()

    @property
    def context(self) -> Table:
        """The values of the file beside its samples, such as `meta`, `prompts` or `execution`."""
        return {}

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The keys that any sample of a table can have; None if each sample has keys of its own."""
        return None

    def referred_to(self, piece: int) -> bool:
        """Tell whether other samples may read otherwise when a piece changes, because they refer into it."""
        return False

    def with_kinds(self, structured: frozenset[str], numbers: frozenset[str]) -> Self:
        """Return a table with further columns in which cells may be JSON lists or tables, or numbers."""
        return self

    def with_trimmed_names(self) -> Self:
        """Return a table with the names of its columns without blanks around them; any other file as it is."""
        return self

    def fitting(self, data: Table) -> tuple[Table, tuple[str, ...]]:
        """Return a sample as closely as the format can hold it and, in words, what is lost.

        Raises:
            EditRefusedError: when it would be another sample without what the format cannot hold.
        """
        return dates_as_texts(data, has_dates=self.has_dates)

    def again(self, text: str) -> Self:
        """Read another text as this one was read. Raises FormatError as `parse` does."""
        return self.parse(text)

    def parted(self) -> Self:
        """Return the document with its last sample parted from what may be put behind it, as the others are.

        That is what two writers of one file are compared by: a sample is not changed by another behind it.
        `joined` takes it back.
        """
        text = self.text
        if not text or text.endswith("\n"):
            return self
        try:
            after = self.again(text + self.newline)
        except FormatError:
            return self
        last = len(self) - 1
        is_alike = len(after) == last + 1 and (last < 0 or same(after.reading(last), self.reading(last)))
        return after if is_alike else self  # in a block of YAML a line feed at the end may be a part of the text

    def joined(self, pieces: Sequence[str]) -> tuple[str, ...]:
        """Return pieces of documents that were parted as those of a file that ends as this one does."""
        last = next((index for index in reversed(range(len(pieces))) if pieces[index]), 0)
        if self.parted() is self:
            return (*pieces,)
        return (*pieces[:last], pieces[last].removesuffix("\n").removesuffix("\r"), *pieces[last + 1 :])

    def are_apart(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Tell whether a change can affect only the neighbours of the pieces that it changed, and breaks no limit.

        That is so where each of these pieces is one sample and nothing else, and has nothing that readers hold
        against what stands farther away, such as a name given again or an anchor.
        A format that cannot tell says no.

        Args:
            before: the pieces that a change took away.
            after: those that are there in their place.

        Raises:
            FormatError: when one of them, or the file, could not be read.
        """
        return False

    def begun_under(self, container: tuple[str, ...]) -> Self:
        """Return a document without samples whose first one is to be under some keys."""
        return self

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return what the format itself says about a sample, such as duplicate keys."""
        return ()

    def innermost(self, index: int, offset: int) -> DataPath:
        """Return the path of the innermost value of a sample that an offset of its chunk is in."""
        path: DataPath = ()
        value: Plain = self.read(index)
        while True:
            named = value.items() if isinstance(value, dict) else ()
            steps = enumerate(value) if isinstance(value, list) else named
            inside = ((step, item) for step, item in steps if self._covers(index, (*path, step), offset))
            found = next(inside, None)
            if found is None:
                return path
            path, value = (*path, found[0]), found[1]

    def _covers(self, index: int, path: DataPath, offset: int) -> bool:
        try:
            span = self.span(index, path)
        except PathError:
            return False
        return span.start <= offset < span.end

    def tags(self, index: int) -> tuple[tuple[DataPath, str], ...]:
        """Return what a sample's text says of values beyond the values: the tags of its own that YAML may have."""
        return ()

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return what the format says about the file outside its samples, with absolute positions."""
        return ()

    def _mark_notes(self, readers: str) -> Iterator[tuple[Finding, Position]]:
        """Yield `byte-order-mark` where a file begins with one, as some programs on Windows write it."""
        if self.pieces[0].startswith("\ufeff"):
            text = f"the file begins with a byte order mark (U+FEFF), which {readers} refuse"
            yield Finding("byte-order-mark", Severity.WARNING, text), Position(1, 1)

    # Edits: each returns the splice that makes it, proved by reading the result back

    def apply(self, splice: Splice) -> Self:
        """Return the document with a splice made."""
        proved: Self | None = self._last_proof.take(splice)  # the proof has made it already
        return self._after(splice) if proved is None else proved

    def _after(self, splice: Splice) -> Self:
        return self.spliced(splice.start, splice.start + len(splice.removed), splice.added)

    def edit(self, index: int, operation: Operation) -> Splice:
        """Return the splice that makes an operation on the value of a sample (`operations.py`).

        Raises:
            PathError: when its path does not exist.
            EditRefusedError: when no text was found that reads back as wanted and leaves the rest alone.
        """
        self._refuse_unwritable(written(operation))
        wanted = applied(operation, self._to_edit(index))
        return self._proved(index, self._texts(index, operation), wanted, deed_of(operation))

    def rename_sample(self, index: int, name: str) -> Splice:
        """Give a keyed sample another name, wherever the text repeats it. Raises as `edit` does."""
        self._refuse_unwritable(name)
        value = self._to_edit(index)
        if not self.keyed:
            raise EditRefusedError("the samples of this deck have no names: they are items of a list")
        if any(self.name(other) == name for other in range(len(self)) if other != index):
            raise EditRefusedError(f"there is already a sample named {name}")
        splice = self._proved(index, self._rename(index, (), name), value, "rename the sample")
        if self.apply(splice).name(index) != name:
            raise EditRefusedError("cannot rename the sample: the name would read as something else")
        return splice

    def source_span(self, index: int) -> Span:
        """Return where a sample's own text is in its piece, as an author edits it."""
        return Span(0, len(self.chunk(index)))

    def own_text(self, index: int) -> str:
        """Return what a sample says and nothing of its neighbours: two that are equal by it are the same sample.

        That is its text without what parts it from the next one, or its value where it has no text to itself.
        """
        if len(self.samples_in(self.piece_of(index))) > 1:
            return f"{self.name(index)} {self.reading(index)!r}"
        return f"{self.name(index)} {self._text_alone(index)}"

    def _text_alone(self, index: int) -> str:
        span = self.source_span(index)
        return self.chunk(index)[span.start : span.end]

    def shared_values(self, index: int) -> tuple[SharedValue, ...]:
        """Return the values of a sample that it shares with others; none in a format without references."""
        return ()

    def edit_of_all(self, shared: SharedValue, operation: Operation) -> Splice:
        """Return the splice of an operation on a shared value, for all who have it. Raises as `edit` does."""
        raise EditRefusedError("nothing is shared in this file")

    def changing_all(self) -> Self:
        """Return the document such that an edit may change a value that others repeat, for them too."""
        return self

    def own_copy(self, index: int, path: DataPath) -> Splice:
        """Return the splice by which a sample shares nothing at a path and no value changes. Raises as `edit`."""
        raise EditRefusedError("nothing is shared in this file")

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Insert a sample before an index. In a keyed document `data["id"]` is the name. Raises as `edit` does."""
        if not 0 <= index <= len(self):
            raise PathError(f"there is no place {index} among {len(self)} samples")
        self._refuse_unwritable(data)
        data = self._in_order(data)
        around = self._neighbours(index)
        neighbours = [(other + 1 if other >= index else other, self.reading(other)) for other in around]
        wanted = {key: value for key, value in data.items() if key != "id"} if self.keyed else data
        return self._proved_samples(
            self._insert_sample(index, data), [*neighbours, (index, wanted)], len(self) + 1, "insert the sample"
        )

    def duplicate_sample(self, index: int, to: int, data: Table) -> Splice:
        """Insert a copy of a sample before an index: its text as it is, but for the keys that `data` has otherwise.

        Where that text does not fit, the copy is written as an inserted sample is. Raises as `edit` does.
        """
        inserted = self.insert_sample(to, data)
        after = self.apply(inserted)
        number, alone = after.piece_of(to) - inserted.start, after._text_alone(to)
        try:
            if not alone or len(self.samples_in(self.piece_of(index))) > 1:
                return inserted
            before, _, behind = inserted.added[number].partition(_without_comments_behind(alone))
            text = self._renewed(index, data)._text_to_copy(index, None)
            copied = before + _without_comments_behind(text) + behind
            added = (*inserted.added[:number], copied, *inserted.added[number + 1 :])
            wanted = [(other, after.reading(other)) for other in after._neighbours(to)]
            splice = Splice(inserted.start, inserted.removed, added)
            return self._proved_samples([splice], wanted, len(after), "copy the sample")
        except EditRefusedError:
            return inserted

    def _renewed(self, index: int, data: Table) -> Self:
        """Return the document with the values of a sample that are others in `data` set, and its name."""
        document, value = self, self.read(index)
        if self.keyed and data.get("id") != self.name(index):
            document = document.apply(document.rename_sample(index, str(data["id"])))
        for key, item in data.items():
            if not (self.keyed and key == "id") and not (key in value and same(value[key], item)):
                document = document.apply(document.edit(index, Set((key,), item)))
        return document

    def duplicate(self, index: int, path: DataPath, operation: Insert | Set) -> Splice:
        """Return the splice of an operation that writes a value which the sample has at a path: its text, as it is.

        Where that text does not fit, or the value is another, it is written as any value is. Raises as `edit` does.
        """
        written_anew = self.edit(index, operation)
        if not same(operation.value, lookup(self.read(index), path)) or len(written_anew.added) > 1:
            return written_anew  # another value, or a column of a table
        after = self.apply(written_anew)
        chunk, span = after.chunk(index), after.span(index, operation.path)
        copied = chunk[: span.start] + self._text_to_copy(index, self.span(index, path)) + chunk[span.end :]
        splice = Splice(written_anew.start, written_anew.removed, (copied,))
        try:
            return self._proved_samples([splice], [(index, after.reading(index))], len(self), "copy the value")
        except EditRefusedError:
            return written_anew

    def _text_to_copy(self, index: int, span: Span | None) -> str:
        """Return the text of a value, or of the whole sample, as a copy of it repeats it."""
        return self._text_alone(index) if span is None else self.chunk(index)[span.start : span.end]

    def delete_sample(self, index: int) -> Splice:
        """Delete a sample, with the heading that is about it alone. Raises as `edit` does."""
        return self._deleted(index, self._delete_sample)

    def delete_below_heading(self, index: int) -> Splice:
        """Delete a sample and leave the heading above it. Raises as `edit` does."""
        return self._deleted(index, self._delete_below_heading)

    def _deleted(self, index: int, texts: Callable[[int], Iterator[Splice]]) -> Splice:
        self._check(index)
        others = (other for other in self._neighbours(index) if other != index)
        neighbours = [(other - 1 if other > index else other, self.reading(other)) for other in others]
        return self._proved_samples(texts(index), neighbours, len(self) - 1, "delete the sample")

    def heading(self, index: int) -> str:
        """Return the heading right above a sample: a comment with blank lines around it; empty for none.

        It is about this sample and those below it, up to the next one that has a heading.
        """
        return ""

    def delete_heading(self, heading: str) -> Splice:
        """Delete a heading that no sample is below, with its lines. Raises as `edit` does."""
        text = without_heading(self.text, heading)
        splices = [Splice(0, self.pieces, self.again(text).pieces)] if text is not None else []
        readings = [(index, self.reading(index)) for index in range(len(self))]
        return self._proved_samples(splices, readings, len(self), "delete the heading")

    def move_sample(self, index: int, to: int) -> Splice:
        """Move a sample so that its index becomes `to`. Raises as `edit` does."""
        self._check(index)
        self._check(to)
        order = [other for other in range(len(self)) if other != index]
        order.insert(to, index)
        near = sorted({*self._neighbours(index), *self._neighbours(to)})
        wanted = [(position, self.reading(order[position])) for position in near]
        return self._proved_samples(self._move_sample(index, to), wanted, len(self), "move the sample")

    # Habits: what most of the samples have, of as many as can be read unnoticed

    @property
    def _surveyed(self) -> Sequence[int]:
        """The indexes of the samples whose text shows the habits of the file, all of them if they are few."""
        step = max(len(self) // MAX_ASKED, 1)
        return range(0, len(self), step)[:MAX_ASKED]

    def _in_order(self, data: Table) -> Table:
        """Return a new sample with its keys in the order that most samples have."""
        others = [value for index in self._surveyed if (value := self.reading(index)) is not None]
        in_order = ordered(data, others)
        assert isinstance(in_order, dict)
        return in_order

    def _place_of(self, index: int, path: DataPath, names: Sequence[str]) -> int:
        """Return where the key that ends a path goes among others of a sample's table, by the samples' habit."""
        readings = (self.reading(other) for other in dict.fromkeys((index, *self._surveyed)))
        alike = (table for value in readings if value is not None for table in tables_at(value, path[:-1]))
        return place_of_key(str(path[-1]), names, Counter(map(tuple, alike)))

    # What a format supplies: texts that may make an edit, the plainest first. Each is tried until one reads back as
    # wanted, so a format may offer a style that only sometimes fits. Raise EditRefusedError to say why none can. A
    # format that supplies none refuses the edit.

    def _texts(self, index: int, operation: Operation) -> Iterator[TextEdit]:
        match operation:
            case Set(path, value):
                return self._set(index, path, value)
            case Insert(path, value):
                return self._insert(index, path, value)
            case Delete(path):
                return self._delete(index, path)
            case Move(path, to):
                return self._move(index, path, to)
            case Rename(path, name):
                return self._rename(index, path, name)

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        raise self._refusal(index)

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        """Yield edits that rename the key that ends a path, for the empty path the key of a keyed sample."""
        raise self._refusal(index)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise self._refusal(index)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        raise self._refusal(index)

    def _delete_below_heading(self, index: int) -> Iterator[Splice]:
        """Yield splices that delete a sample and no heading; a format without comments has none."""
        return self._delete_sample(index)

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        raise self._refusal(index)

    def _refusal(self, index: int) -> EditError:
        """Return why a format supplies no text for an edit."""
        return EditRefusedError("the samples of this file are not edited here")

    # The proof

    def _check(self, index: int) -> None:
        if not 0 <= index < len(self):
            raise PathError(f"there is no sample {index} among {len(self)}")

    def _refuse_unwritable(self, value: Plain) -> None:
        refuse_unplain(value)
        if not self.surrogates:
            refuse_surrogates(value)

    def _to_edit(self, index: int) -> Table:
        """Return the value of a sample that is to be edited."""
        self._check(index)
        try:
            return self.read(index)
        except FormatError as error:
            raise EditRefusedError(f"the sample cannot be read, so it cannot be edited: {error.message}") from None

    def _neighbours(self, index: int) -> range:
        """Return the indexes of the samples whose text may touch a sample's."""
        return range(max(index - 1, 0), min(index + 2, len(self)))

    def _proved(self, index: int, edits: Iterable[TextEdit], wanted: Plain, deed: str) -> Splice:
        number = self.piece_of(index)
        piece = self.pieces[number]
        readings: list[tuple[int, Plain]] = [
            (other, wanted if other == index else self.reading(other)) for other in self.samples_in(number)
        ]
        splices = (Splice(number, (piece,), (edit.apply(piece),)) for edit in edits)
        return self._proved_samples(splices, readings, len(self), deed)

    def _proved_samples(
        self, splices: Iterable[Splice], wanted: Iterable[tuple[int, Plain]], count: int, deed: str
    ) -> Splice:
        """Return the first splice after which samples read as wanted; if none does, the first one is explained."""
        wanted, first_fault = list(wanted), ""
        for splice in splices:
            fault = self._fault(splice, wanted, count)
            if not fault:
                return splice
            first_fault = first_fault or fault
        raise EditRefusedError(f"cannot {deed}: {first_fault or 'there is no way to write it where it is'}")

    def _fault(self, splice: Splice, wanted: Iterable[tuple[int, Plain]], count: int) -> str:
        """Return why a splice does not make the edit it is for; nothing if it does."""
        try:
            after = self._after(splice)
            if len(after) != count:
                return f"the deck would read as {len(after):,} samples and not as {count:,}"
            other = next((index for index, value in wanted if not same(after.reading(index), value)), None)
            self._last_proof.keep(splice, after)
            if other is not None:
                return f"{after.name(other) or f'sample {other + 1:,}'} would {after._misreading(other)}"
            fits = self._fits(splice, after)
            return "" if fits else "the text around it would not be read as it is, by every reader"
        except FormatError as error:
            return f"the text would not be readable: {error.message}"

    def _misreading(self, index: int) -> str:
        """Return what is wrong with a sample that reads as something other than it should."""
        try:
            self.read(index)
        except FormatError as error:
            return f"not be readable: {error.message}"
        return "read as something else"

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether what a splice adds reads the same among what is around it as it does by itself.

        Raises:
            EditRefusedError: when no other text for the edit would either, saying why.
        """
        return True
