"""A TOML deck: `[[samples]]`, keyed `[samples.NAME]`, and whatever else TOML can spell a list of tables with."""

from __future__ import annotations

import contextlib
import operator
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, Self

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats import banners
from sampleui.formats.data import CONTAINERS, DataPath, Plain, Table, leaves, same, shown, without_null_contents
from sampleui.formats.document import Document, Splice
from sampleui.formats.operations import Insert, Operation, Set
from sampleui.formats.toml import scan, writing
from sampleui.formats.toml.pieces import (
    at_keys,
    ends_lines,
    has_others,
    load,
    may_move_others,
    moves_others,
    reads_among,
    samples_by_name,
    samples_in_order,
    samples_of,
    split,
    stray_notes,
    strays_and_beside,
)
from sampleui.formats.toml.scan import BOM, Holder
from sampleui.garbage import collector_off
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.position import Position, Span, TextEdit, position_at


def _newer(what: str, path: DataPath) -> Finding:
    message = f"{what} is TOML 1.1; readers of 1.0, such as Python's own up to 3.14, refuse it"
    return Finding("reader-refuses", Severity.WARNING, message, path)


def _without_null_contents(data: Table) -> Table:
    table = without_null_contents(data)
    assert isinstance(table, dict)
    return table


@dataclass(frozen=True, repr=False)
class TomlDocument(Document):
    """A TOML deck.

    The comments directly above a sample's header belong to it and move with it, and so does a banner (a comment
    that blank lines part from both sides) that is about it alone. Other banners, and tables that are not samples,
    stay where they are when samples around them move or go.

    Attributes:
        holder: the keys under which the samples stand.
        unusual: whether they were looked for there for a table of the user's alone.
        is_keyed: whether they are named by their keys.
        mixed: whether a piece may hold another number of samples than one: samples that interleave, that dotted
            keys spell, or that are in one inline array.
        beside: what the file holds beside the samples.
        strays: what is among the samples and is not a table: names, or places in the list.
    """

    format: ClassVar[str] = "toml"
    has_dates: ClassVar[bool] = True
    has_null: ClassVar[bool] = False

    holder: Holder = CONTAINERS[:1]
    is_keyed: bool = False
    mixed: bool = False
    beside: Table = field(default_factory=dict, compare=False, repr=False)
    strays: tuple[str | int, ...] = ()
    unusual: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Raises FormatError if it is not TOML, with line and column."""
        return cls._split(text, None)[0]

    @classmethod
    def under(cls, text: str, holder: Holder) -> Self | None:
        """Split TOML whose samples are under keys that few files have them under; None if none are."""
        document, data = cls._split(text, holder)
        container = at_keys(data, holder)
        items = [*container.values()] if isinstance(container, dict) else container
        items = items if isinstance(items, list) else []
        count = sum(isinstance(item, dict) for item in items)
        alone = not holder and count < len(items)
        return replace(document, unusual=True) if count and count == len(document) and not alone else None

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        return replace(self._split(text, self.holder)[0], unusual=True) if self.unusual else self.parse(text)

    @classmethod
    def _split(cls, text: str, holder: Holder | None) -> tuple[Self, Table]:
        with collector_off():
            parts, data = split(text, holder)
        strays, beside = strays_and_beside(data, parts.holder)
        return cls(parts.pieces, parts.holder, parts.keyed, parts.mixed, beside, strays), data

    def read(self, index: int) -> Table:
        """Return a sample's value."""
        return self._own(index)[1]

    def span(self, index: int, path: DataPath) -> Span:
        """Return where the value at a path is: for a table, from its first header to its last pair."""
        return writing.tree.span_of(writing.tree.place_at(self._node(index), path))

    def start(self, index: int) -> int:
        """Return where a sample begins in its chunk: at the first statement, wherever a piece is one sample."""
        if self.mixed:
            return super().start(index)
        chunk = self.chunk(index)
        below = scan.trivia_end(chunk, int(chunk.startswith(BOM)))
        return below + len(chunk[below:]) - len(chunk[below:].lstrip(" \t"))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path is."""
        table = writing.tree.place_at(self._node(index), path)
        key = (
            None if isinstance(table, writing.tree.TableNode) and path and isinstance(path[-1], int) else table.key
        )
        return Span(key.start, key.end) if key and (path or self.keyed) else writing.tree.span_of(table)

    def name(self, index: int) -> str | None:
        """Return the name of a keyed sample."""
        return str(self._base(index)[-1]) if self.keyed else None

    @property
    def container(self) -> tuple[str, ...]:
        """The keys under which the samples stand."""
        return self.holder

    def begun_under(self, container: tuple[str, ...]) -> Self:
        """Return a document whose first sample goes under some keys; TOML has no list without one."""
        usual = not container or (len(container) == 1 and container[0] in CONTAINERS)
        return replace(self, holder=container or self.holder, unusual=not usual)

    @property
    def context(self) -> Table:
        """The values of the file beside its samples."""
        return self.beside

    def fitting(self, data: Table) -> tuple[Table, tuple[str, ...]]:
        """Return a sample as it is but for `content: null` of turns that call.

        Raises:
            EditRefusedError: for any other null, with its place.
        """
        data = _without_null_contents(data)
        if nulls := [path for path, item in leaves(data) if item is None]:
            raise EditRefusedError(f"TOML has no null: leave out {', '.join(map(shown, nulls))}")
        return super().fitting(data)

    def edit(self, index: int, operation: Operation) -> Splice:
        """Return the splice that makes an operation; `content: null` of turns that call is left out."""
        if isinstance(operation, Set | Insert):
            self._refuse_unwritable(operation.value)
            operation = replace(operation, value=without_null_contents(operation.value))
        return super().edit(index, operation)

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Insert a sample before an index, as `edit` writes values."""
        self._refuse_unwritable(data)
        return super().insert_sample(index, _without_null_contents(data))

    def findings(self, index: int) -> tuple[Finding, ...]:
        """Return `reader-refuses` for what readers of TOML 1.0 do not read."""
        if self.mixed:  # several samples share a piece, and the file tells of all
            return ()
        newer = scan.since_1_1(self.chunk(index))
        return tuple(_newer(what, self.innermost(index, offset)) for offset, what in newer)

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return `parse-error` for what is among samples and no table, and what others refuse around them."""
        ends = {0: 0, len(self.pieces) - 1: sum(map(len, self.pieces[:-1]))}
        texts = [(0, self.text)] if self.mixed else [(start, self.pieces[piece]) for piece, start in ends.items()]
        refused = (
            (_newer(what, ()), position_at(self.text, start + offset))
            for start, text in texts
            for offset, what in scan.since_1_1(text)
        )
        marked = self._mark_notes("Python's tomllib and others")
        return (*marked, *stray_notes(self.text, self.holder, self.strays), *refused)

    @property
    def keyed(self) -> bool:
        """Whether samples are named by their key."""
        return self.is_keyed

    def are_apart(self, before: Sequence[str], after: Sequence[str]) -> bool:
        """Tell whether changed pieces hold tables of samples alone, by the same names as before."""
        if scan.marks("".join(after)) > scan.marks("".join(before)):
            scan.guard_file(self.text)
        if self.mixed or not self.holder:
            return False
        had, beside_them = samples_of(load("".join(before)), self.holder, self.is_keyed)
        have, beside_these = samples_of(load("".join(after)), self.holder, self.is_keyed)
        return not beside_them and not beside_these and (not self.is_keyed or had.keys() == have.keys())

    # Pieces

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """The number of samples before each piece, and at the end of all; only for mixed documents."""
        inner = (len(self._by_name(piece)) for piece in self.pieces[1:-1])
        return tuple(accumulate(inner, initial=0))

    def __len__(self) -> int:
        """Return the number of samples."""
        return self._starts[-1] if self.mixed else super().__len__()

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample."""
        return bisect_right(self._starts, index) if self.mixed else super().piece_of(index)

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples that a piece holds."""
        if not self.mixed or not 0 < piece < len(self.pieces) - 1:
            return super().samples_in(piece)
        return range(self._starts[piece - 1], self._starts[piece])

    # Where samples are in their pieces

    def _by_name(self, piece: str) -> dict[str | int, Table]:
        return samples_by_name(piece, self.holder, self.is_keyed)

    def _in_order_of(self, piece: str) -> tuple[tuple[str | int, Table], ...]:
        return samples_in_order(piece, self.holder, self.is_keyed)

    def _own(self, index: int) -> tuple[str | int, Table]:
        """Return a sample, behind its name or its index in its piece. Raises FormatError if there is none."""
        piece = self.piece_of(index)
        samples = self._in_order_of(self.pieces[piece])
        if len(samples) != len(self.samples_in(piece)):
            raise FormatError("the text is not exactly one sample", line=1, column=1)
        return samples[index - self.samples_in(piece).start]

    def _base(self, index: int) -> DataPath:
        """Return where a sample is in the tree of its piece."""
        return (*self.holder, self._own(index)[0])

    def _node(self, index: int) -> writing.tree.TreeNode:
        return writing.tree.place_at(writing.tree.tree_of(self.chunk(index)), self._base(index))

    # Edits

    def _after(self, splice: Splice) -> Self:
        changed = super()._after(splice)
        # One piece that holds all samples may hold what is beside them too, with no header to recognize it by.
        likely = self.mixed or may_move_others(self.pieces, splice, self.holder)
        if len(splice.removed) < len(self.pieces) and not (likely and moves_others(splice, self.holder)):
            return changed
        # The first sample, or the last, says what the file is; and what is beside the samples is read but once.
        again = self.again(changed.text)
        return replace(again, pieces=changed.pieces, _habits=changed._habits)

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether the changed pieces read the same between the head and the tail as by themselves."""
        if not ends_lines(after.pieces, splice):
            return False
        if not len(self) or not len(after):
            again = self.again(after.text)
            alike = len(again) == len(after) and same(again.context, self.context)
            return alike and all(same(again.read(number), after.read(number)) for number in range(len(after)))
        if self.mixed and self.is_keyed and len(splice.removed) == len(splice.added) == 1:
            old, new = (
                [name for name, _ in self._in_order_of(piece)] for piece in (*splice.removed, *splice.added)
            )
            kept = [name for name in old if name in new] if len(new) < len(old) else old
            if sum(map(operator.ne, kept, new)) > 1:
                return False  # one name may change, but no two samples their places
        # An edit inside a sample cannot reach what is beside it, unless that is in the same piece.
        inside = not self.mixed and len(splice.added) == len(splice.removed)
        if inside and not has_others(splice.removed, self.holder):
            return True
        pieces = range(splice.start, splice.start + len(splice.added))
        wanted = [after.read(index) for piece in pieces for index in after.samples_in(piece)]
        return reads_among(self.pieces, after.pieces, splice, (self.holder, self.is_keyed), wanted)

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        yield from writing.edits.set_value(self._sheet(index), (*self._base(index), *path), value)

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        yield from writing.edits.insert_value(self._sheet(index), (*self._base(index), *path), value)

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        yield from writing.edits.delete_value(self._sheet(index), (*self._base(index), *path))

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        yield from writing.edits.move_value(self._sheet(index), (*self._base(index), *path), to)

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        yield writing.edits.rename_key(self._sheet(index), (*self._base(index), *path), name)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        if self._inline_list:
            yield from self._in_list(writing.edits.insert_value(self._list_sheet, (*self.holder, index), data))
            return
        count = len(self)
        piece = self.piece_of(index) if index < count else len(self.pieces) - 1
        if count:
            writing.samples.check_spelled(self.pieces[piece if index < count else piece - 1], self.holder)
        if index < count and self.samples_in(piece).start != index:
            writing.samples.check_whole(self.pieces[piece], self.holder)
        if not count and (edit := self._into_brackets(data)) is not None:
            yield Splice(0, self.pieces, self.again(edit.apply(self.text)).pieces)
            return
        core = self._written(index, data)
        if not count:
            if self.holder and at_keys(self.beside, self.holder) is not None:
                raise EditRefusedError(f"{'.'.join(self.holder)} is not a list of tables in this file")
            yield writing.samples.first_sample(self.pieces[0], self.pieces[-1], core, self.newline)
        elif index < count:
            yield self._put_before(piece, core)
        else:
            before, gap = self._parts(piece - 1)
            yield Splice(piece - 1, (before + gap,), (before + self._gap(piece - 1), core + gap))

    def heading(self, index: int) -> str:
        """Return the heading right above a sample."""
        return self._above(self.piece_of(index))

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        return self._without(index, self._banner)

    def _delete_below_heading(self, index: int) -> Iterator[Splice]:
        return self._without(index, lambda _: "")

    def _without(self, index: int, banner: Callable[[int], str]) -> Iterator[Splice]:
        """Yield splices that delete a sample with what `banner` says is the heading of its piece."""
        if self._inline_list:
            yield from self._in_list(writing.edits.delete_value(self._list_sheet, (*self.holder, index)))
            return
        removed = self.piece_of(index)
        piece, before = self.pieces[removed], self.pieces[removed - 1]
        writing.samples.check_spelled(piece, self.holder)
        core, gap = self._parts(removed)
        alone = len(self.samples_in(removed)) == 1
        if not alone or has_others((core,), self.holder):
            rest = writing.samples.without(piece, self._node(index))
            if not alone:
                yield Splice(removed, (piece,), (rest,))
                return
            if rest.strip():
                yield Splice(removed - 1, (before, piece), (before + rest,))
                return
        following = self._banner(removed + 1) if removed + 1 < len(self.pieces) - 1 else ""
        rest = banners.deleted(self.pieces, removed, before.removesuffix(banner(removed)), gap, following)
        yield Splice(removed - 1, (before, piece), (rest,))

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        if self._inline_list:
            yield from self._in_list(writing.edits.move_value(self._list_sheet, (*self.holder, index), to))
            return
        source, target = self.piece_of(index), self.piece_of(to)
        for piece in (source, target):
            writing.samples.check_whole(self.pieces[piece], self.holder)
        low, high = min(source, target), max(source, target)
        pieces = banners.moved(self.pieces, source, target, self._above, self._parts)
        yield Splice(low - 1, self.pieces[low - 1 : high + 1], pieces)

    # Helpers of the edits

    @property
    def _inline_list(self) -> bool:
        """Whether the samples are in one inline array."""
        if self.is_keyed or not self.mixed:
            return False
        return isinstance(writing.tree.tree_of(self.pieces[1]).entries[self.holder[0]], writing.tree.Pair)

    def _sheet(self, index: int) -> writing.edits.EditContext:
        def as_blocks(path: DataPath, data: Plain) -> bool:
            return self._has_headers(index, path[len(self._base(index)) :], data)

        def among(path: DataPath, names: Sequence[str]) -> int:
            return self._place_of(index, path[len(self._base(index)) :], names)

        return writing.edits.EditContext(
            self.chunk(index), writing.tree.tree_of(self.chunk(index)), self._layout, as_blocks, among
        )

    @property
    def _list_sheet(self) -> writing.edits.EditContext:
        piece = self.pieces[1]
        return writing.edits.EditContext(piece, writing.tree.tree_of(piece), self._layout, lambda *_: False)

    def _has_headers(self, index: int, path: DataPath, data: Plain) -> bool:
        """Tell whether most samples write what is at a path under headers, the nearest where they are even.

        Where none has it: whether most lists of tables have headers, or most tables.
        """
        counts = Counter[bool]()
        for near in sorted(self._surveyed, key=lambda number: abs(number - index)):
            with contextlib.suppress(PathError):
                node = writing.tree.place_at(self._node(near), path) if near != index else None
                counts.update(() if node is None else [writing.habits.headed(node)])
        if counts:
            return counts.most_common(1)[0][0]
        if isinstance(data, list):
            return self.habits.headed.get(writing.habits.LISTS, self.is_keyed)
        return self.habits.headed.get("", False)

    @property
    def habits(self) -> writing.habits.TomlHabits:
        """How most of the samples are written."""
        habits: writing.habits.TomlHabits = self._habits.get(
            lambda: writing.habits.habits_of((self.chunk(index), self._node(index)) for index in self._surveyed)
        )
        return habits

    @property
    def _layout(self) -> writing.habits.Layout:
        return writing.habits.Layout(self.newline, habits=self.habits)

    def _in_list(self, edits: Iterator[TextEdit]) -> Iterator[Splice]:
        piece = self.pieces[1]
        return (Splice(1, (piece,), (edit.apply(piece),)) for edit in edits)

    def _text_alone(self, index: int) -> str:
        return self._parts(self.piece_of(index))[0].strip()

    def _parts(self, number: int) -> tuple[str, str]:
        """Return the text of the samples in a piece, and what is between them and the next piece."""
        piece = self.pieces[number]
        end = writing.samples.core_end(piece, self.holder)
        return piece[:end], piece[end:]

    def _above(self, piece: int) -> str:
        """Return the banner that ends the piece before another."""
        if self.mixed or "#" not in self.pieces[piece - 1]:
            return ""
        before = self.pieces[0] if piece == 1 else self._parts(piece - 1)[1]
        return banners.banner_ending(before, opens_file=piece == 1)

    def _banner(self, piece: int) -> str:
        """Return the banner above a piece if it is about the one sample of that."""
        return banners.banner_of_one(self._above, piece, len(self.pieces) - 2)

    def _put_before(self, piece: int, core: str) -> Splice:
        """Return the splice that puts a sample before a piece: above the banner that is about that one."""
        before = self.pieces[piece - 1]
        banner = self._banner(piece)
        if not banner:
            return Splice(piece, (), (core + self._gap(piece),))
        return Splice(piece - 1, (before,), (before.removesuffix(banner), core + self._gap(piece) + banner))

    def _gap(self, near: int) -> str:
        """Return what is between two samples: as many blank lines as between most of them, or one."""
        some = (self.piece_of(index) for index in sorted(self._surveyed, key=lambda index: abs(index + 1 - near)))
        gaps = (self._parts(piece)[1] for piece in dict.fromkeys(some) if piece < len(self.pieces) - 2)
        counted = Counter(gap for gap in gaps if not gap.strip())
        return counted.most_common(1)[0][0] if counted else self.newline * 2

    def _written(self, index: int, data: Table) -> str:
        nearest = sorted(self._surveyed, key=lambda number: (abs(number - index + 1), number))
        nodes = ((self.chunk(number), self._node(number)) for number in nearest)
        like = [
            writing.samples.Template(text, node) for text, node in nodes if isinstance(node, writing.tree.TableNode)
        ]
        if not self.is_keyed:
            return writing.samples.new_sample(self._header, data, like, self._layout, keyed=False)
        name, rest = self._named(data)
        # Only a piece that shows the name, or may spell it with escapes, is worth reading.
        likely = (piece for piece in self.pieces[1:-1] if name in piece or "\\" in piece)
        if any(name in self._by_name(piece) for piece in likely):
            raise EditRefusedError(f"there is already a sample named {name}")
        return writing.samples.new_sample(
            ".".join(map(writing.emit.key, (*self.holder, name))), rest, like, self._layout, keyed=True
        )

    @property
    def _header(self) -> str:
        return ".".join(map(writing.emit.key, self.holder))

    def _into_brackets(self, data: Table) -> TextEdit | None:
        """Return the edit that puts the first sample into an empty inline table, None if there is none."""
        sheet = writing.edits.EditContext(
            self.text, writing.tree.tree_of(self.text), self._layout, lambda *_: False
        )
        entry = sheet.root.entries.get(self.holder[0]) if len(self.holder) == 1 else None
        if not isinstance(entry, writing.tree.Pair) or entry.node.shape is not writing.tree.ValueForm.INLINE:
            return None
        name, rest = self._named(data)
        return next(writing.edits.set_value(sheet, (*self.holder, name), rest))

    def _named(self, data: Table) -> tuple[str, Table]:
        """Return the name of a new sample of a keyed deck, and its values."""
        name = data.get("id")
        if not isinstance(name, str):
            raise EditRefusedError("the samples of this deck are keyed by name: a new one needs a text as its id")
        return name, {key: value for key, value in data.items() if key != "id"}
