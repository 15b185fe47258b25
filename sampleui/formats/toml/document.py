"""A TOML deck: `[[samples]]`, keyed `[samples.NAME]`, and whatever else TOML can spell a list of tables with."""

from __future__ import annotations

import dataclasses
import gc
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import ClassVar, Self

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.data import DataPath, Plain, Table, same
from sampleui.formats.document import Document, Splice
from sampleui.formats.toml import banners, edits, emit, proof, samples, scan, tables
from sampleui.formats.toml.edits import Sheet
from sampleui.formats.toml.emit import Layout
from sampleui.formats.toml.pieces import BOM, CONTAINERS, held, load, ordered, parted, split, stray_notes
from sampleui.formats.toml.samples import Template
from sampleui.formats.toml.tree import Pair, Place, Tables, place_at, span_of, tree
from sampleui.formats.toml.tree import Table as TableNode
from sampleui.formats.toml.values import Shape
from sampleui.text.diagnostic import Finding
from sampleui.text.edit import TextEdit
from sampleui.text.position import Position, Span


@dataclass(frozen=True, repr=False)
class TomlDocument(Document):
    """A TOML deck.

    The comments directly above a sample's header belong to it and move with it, and so does a banner (a comment
    that blank lines part from both sides) that is about it alone. Other banners, and tables that are no samples,
    stay where they are when samples around them move or go.

    Attributes:
        holder: the key under which the samples stand.
        is_keyed: whether they are named by their keys.
        mixed: whether a piece may hold another number of samples than one: samples that interleave, that dotted
            keys spell, or that stand in one inline array.
        beside: what the file holds beside the samples.
        strays: what stands among the samples and is no table: names, or places in the list.
    """

    format: ClassVar[str] = "toml"

    holder: str = CONTAINERS[0]
    is_keyed: bool = False
    mixed: bool = False
    beside: Table = field(default_factory=dict, compare=False, repr=False)
    strays: tuple[str | int, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Split a text into pieces. Raises FormatError where it is not TOML, with line and column."""
        collects = gc.isenabled()
        gc.disable()
        try:
            data = load(text)
            found = split(text, data)
        finally:
            if collects:
                gc.enable()
        strays, beside = parted(data, found.holder)
        return cls(found.pieces, found.holder, found.keyed, found.mixed, beside, strays)

    # Reading

    def read(self, index: int) -> Table:
        """Return a sample's value."""
        piece = self.piece_of(index)
        held = self._held(self.pieces[piece])
        at = index - self.samples_in(piece).start
        if len(held) != len(self.samples_in(piece)):
            raise FormatError("the text is not exactly one sample", line=1, column=1)
        return self._ordered(self.pieces[piece])[at][1]

    def span(self, index: int, path: DataPath) -> Span:
        """Return where the value at a path stands: for a table, from its first header to its last pair."""
        return span_of(place_at(tree(self.chunk(index)), (*self._base(index), *path)))

    def start(self, index: int) -> int:
        """Return where a sample begins in its chunk: at the first statement, wherever a piece is one sample."""
        if self.mixed:
            return super().start(index)
        chunk = self.chunk(index)
        below = scan.trivia_end(chunk, int(chunk.startswith(BOM)))
        return below + len(chunk[below:]) - len(chunk[below:].lstrip(" \t"))

    def key_span(self, index: int, path: DataPath) -> Span:
        """Return where the key that ends a path stands."""
        place = place_at(tree(self.chunk(index)), (*self._base(index), *path))
        key = None if isinstance(place, TableNode) and path and isinstance(path[-1], int) else place.key
        return Span(key.start, key.end) if key and (path or self.keyed) else span_of(place)

    def name(self, index: int) -> str | None:
        """Return the name of a keyed sample."""
        return str(self._base(index)[1]) if self.keyed else None

    @property
    def container(self) -> tuple[str, ...]:
        """The key under which the samples stand."""
        return (self.holder,)

    def begun_under(self, container: tuple[str, ...]) -> Self:
        """Return a document whose first sample goes under a key; TOML has no list without one."""
        return replace(self, holder=container[0]) if container else self

    @property
    def context(self) -> Table:
        """The values of the file beside its samples."""
        return self.beside

    def notes(self) -> tuple[tuple[Finding, Position], ...]:
        """Return `parse-error` for what stands among the samples and is no table."""
        return stray_notes(self.text, self.holder, self.strays)

    @property
    def keyed(self) -> bool:
        """Whether samples are named by their key."""
        return self.is_keyed

    # Pieces

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        """The number of samples before each piece, and at the end of all; only for mixed documents."""
        inner = (len(self._held(piece)) for piece in self.pieces[1:-1])
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

    @cached_property
    def newline(self) -> str:
        """How the file ends its lines; as its first line does."""
        for piece in self.pieces:
            end = piece.find("\n")
            if end >= 0:
                return "\r\n" if piece[max(end - 1, 0)] == "\r" else "\n"
        return "\n"

    # Edits

    def _after(self, splice: Splice) -> Self:
        changed = super()._after(splice)
        if len(splice.removed) < len(self.pieces):
            return changed
        # The first sample, or the last, says what the file is.
        return dataclasses.replace(type(self).parse(changed.text), pieces=changed.pieces)

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether the changed pieces read the same between the head and the tail as by themselves."""
        if not proof.ends_lines(after.pieces, splice):
            return False
        if not len(self) or not len(after):
            again = type(self).parse(after.text)
            alike = len(again) == len(after) and same(again.context, self.context)
            return alike and all(same(again.read(at), after.read(at)) for at in range(len(after)))
        if self.mixed and self.is_keyed and len(splice.removed) == len(splice.added) == 1:
            old, new = (ordered(piece, self.holder, True) for piece in (*splice.removed, *splice.added))
            if sum(one[0] != other[0] for one, other in zip(old, new, strict=False)) > 1:
                return False  # one name may change, but no two samples their places
        # An edit inside a sample cannot reach what is beside it, unless that stands in the same piece.
        inside = not self.mixed and len(splice.added) == len(splice.removed)
        if inside and not proof.has_others(splice.removed, self.holder):
            return True
        places = range(splice.at, splice.at + len(splice.added))
        wanted = [after.read(index) for at in places for index in after.samples_in(at)]
        return proof.reads_among(self.pieces, after.pieces, splice, (self.holder, self.is_keyed), wanted)

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        yield from edits.set_value(self._sheet(index), (*self._base(index), *path), value)

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        yield from edits.insert_value(self._sheet(index), (*self._base(index), *path), value)

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        yield from edits.delete_value(self._sheet(index), (*self._base(index), *path))

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        yield from edits.move_value(self._sheet(index), (*self._base(index), *path), to)

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        yield edits.rename_key(self._sheet(index), (*self._base(index), *path), name)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        if self._inline_list:
            yield from self._in_list(edits.insert_value(self._list_sheet, (self.holder, index), data))
            return
        count = len(self)
        at = self.piece_of(index) if index < count else len(self.pieces) - 1
        if count:
            samples.check_spelled(self.pieces[at if index < count else at - 1], self.holder)
        if index < count and self.samples_in(at).start != index:
            samples.check_whole(self.pieces[at], self.holder)
        if not count and (edit := self._into_brackets(data)) is not None:
            yield Splice(0, self.pieces, type(self).parse(edit.apply(self.text)).pieces)
            return
        core = self._written(index, data)
        if not count:
            if self.holder in self.beside:
                raise EditRefusedError(f"{self.holder} is not a list of tables in this file")
            yield samples.first(self.pieces[0], self.pieces[-1], core, self.newline)
        elif index < count:
            yield self._put_before(at, core)
        else:
            before, gap = self._parts(at - 1)
            yield Splice(at - 1, (before + gap,), (before + self._gap(at - 1), core + gap))

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        if self._inline_list:
            yield from self._in_list(edits.delete_value(self._list_sheet, (self.holder, index)))
            return
        at = self.piece_of(index)
        piece, before = self.pieces[at], self.pieces[at - 1]
        samples.check_spelled(piece, self.holder)
        core, gap = self._parts(at)
        alone = len(self.samples_in(at)) == 1
        if not alone or proof.has_others((core,), self.holder):
            rest = samples.without(piece, self._place(index))
            yield Splice(at - alone, (before, piece)[not alone :], (before * alone + rest,))
            return
        follows = at + 1 < len(self.pieces) - 1
        following = self._banner(at + 1) if follows else ""
        gap, rest = gap.removesuffix(following), before.removesuffix(self._banner(at))
        if gap.strip():
            kept = gap[gap.rindex("\n", 0, len(gap) - len(gap.lstrip())) + 1 :]
            yield Splice(at - 1, (before, piece), (rest + kept + following,))
        elif follows or self.pieces[-1].strip():
            yield Splice(at - 1, (before, piece), (rest + following,))
        else:
            above = rest.rstrip(" \t\r\n")
            yield Splice(at - 1, (before, piece), (above + gap if above.strip(BOM) else above,))

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        if self._inline_list:
            yield from self._in_list(edits.move_value(self._list_sheet, (self.holder, index), to))
            return
        source, target = self.piece_of(index), self.piece_of(to)
        for at in (source, target):
            samples.check_whole(self.pieces[at], self.holder)
        low, high = min(source, target), max(source, target)
        parts = [self._parts(at) for at in range(low, high + 1)]
        order = list(range(len(parts)))
        order.insert(target - low, order.pop(source - low))
        own = [self._banner(at) for at in range(low, high + 1)]
        yield Splice(
            low - 1, self.pieces[low - 1 : high + 1], banners.moved(self.pieces[low - 1], parts, own, order)
        )

    # Helpers of the edits

    @property
    def _inline_list(self) -> bool:
        """Whether the samples stand in one inline array."""
        if self.is_keyed or not self.mixed:
            return False
        return isinstance(tree(self.pieces[1]).entries[self.holder], Pair)

    def _held(self, piece: str) -> dict[str | int, Table]:
        return held(piece, self.holder, self.is_keyed)

    def _ordered(self, piece: str) -> tuple[tuple[str | int, Table], ...]:
        return ordered(piece, self.holder, self.is_keyed)

    def _base(self, index: int) -> DataPath:
        """Return where a sample stands in the tree of its piece."""
        piece = self.piece_of(index)
        held = self._ordered(self.pieces[piece])
        return (self.holder, held[index - self.samples_in(piece).start][0])

    def _place(self, index: int) -> Place:
        return place_at(tree(self.chunk(index)), self._base(index))

    def _sheet(self, index: int) -> Sheet:
        def as_blocks(path: DataPath) -> bool:
            for near in (index - 1, index + 1, index - 2, index + 2):
                if 0 <= near < len(self):
                    try:
                        place = place_at(tree(self.chunk(near)), (*self._base(near), *path[2:]))
                    except PathError:
                        continue
                    return isinstance(place, Tables)
            return self.is_keyed

        return Sheet(self.chunk(index), tree(self.chunk(index)), self.newline, as_blocks)

    @property
    def _list_sheet(self) -> Sheet:
        piece = self.pieces[1]
        return Sheet(piece, tree(piece), self.newline, lambda _: False)

    def _in_list(self, made: Iterator[TextEdit]) -> Iterator[Splice]:
        piece = self.pieces[1]
        return (Splice(1, (piece,), (edit.apply(piece),)) for edit in made)

    def _parts(self, at: int) -> tuple[str, str]:
        """Return the text of the samples in a piece, and what stands between them and the next piece."""
        piece = self.pieces[at]
        end = samples.core_end(piece, self.holder)
        return piece[:end], piece[end:]

    def _banner(self, at: int) -> str:
        """Return the banner that ends the piece before another, and is about the one sample of that."""

        def above(at: int) -> str:
            before = self.pieces[0] if at == 1 else self._parts(at - 1)[1]
            return banners.set_off(before, opens_file=at == 1)

        return "" if self.mixed else banners.owned(above, at, len(self.pieces) - 2)

    def _put_before(self, at: int, core: str) -> Splice:
        """Return the splice that puts a sample before a piece: above the banner that is about that one."""
        before = self.pieces[at - 1]
        own = self._banner(at)
        if not own:
            return Splice(at, (), (core + self._gap(at),))
        return Splice(at - 1, (before,), (before.removesuffix(own), core + self._gap(at) + own))

    def _gap(self, near: int) -> str:
        """Return what stands between two samples: the blank lines that the file has there, or one."""
        for at in (near, near - 1, near + 1):
            if 0 < at < len(self.pieces) - 2:
                gap = self._parts(at)[1]
                if not gap.strip():
                    return gap
        return self.newline * 2

    def _written(self, index: int, data: Table) -> str:
        near = min(max(index - 1, 0), len(self) - 1)
        place = self._place(near) if near >= 0 else None
        template = Template(self.chunk(near), place) if isinstance(place, TableNode) else None
        shown = template and tables.indentation(template.text, template.table, self.newline)
        layout = shown or Layout(self.newline)
        if not self.is_keyed:
            return samples.written(emit.key(self.holder), data, template, layout, keyed=False)
        name, rest = self._named(data)
        # Only a piece that shows the name, or may spell it with escapes, is worth reading.
        likely = (piece for piece in self.pieces[1:-1] if name in piece or "\\" in piece)
        if any(name in self._held(piece) for piece in likely):
            raise EditRefusedError(f"there is a sample of the name {name} already")
        return samples.written(f"{emit.key(self.holder)}.{emit.key(name)}", rest, template, layout, keyed=True)

    def _into_brackets(self, data: Table) -> TextEdit | None:
        """Return the edit that puts the first sample into an empty inline table, None where there is none."""
        sheet = Sheet(self.text, tree(self.text), self.newline, lambda _: False)
        entry = sheet.root.entries.get(self.holder)
        if not isinstance(entry, Pair) or entry.node.shape is not Shape.INLINE:
            return None
        name, rest = self._named(data)
        return next(edits.set_value(sheet, (self.holder, name), rest))

    def _named(self, data: Table) -> tuple[str, Table]:
        """Return the name of a new sample of a keyed deck, and its values."""
        name = data.get("id")
        if not isinstance(name, str):
            raise EditRefusedError("the samples of this deck are keyed by name: a new one needs a text as its id")
        return name, {key: value for key, value in data.items() if key != "id"}
