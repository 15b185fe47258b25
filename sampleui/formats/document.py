"""A deck file that can be edited: every edit is proved before it counts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.data import (
    DataPath,
    Plain,
    Table,
    refuse_surrogates,
    refuse_unplain,
    same,
    shown,
    with_delete,
    with_insert,
    with_move,
    with_rename,
    with_set,
)
from sampleui.formats.order import ordered, place, tables_at
from sampleui.formats.readable import Readable
from sampleui.text.edit import TextEdit
from sampleui.text.position import Span

MOST_ASKED = 24
"""Samples that are read to learn the habits of a file."""


class Splice(NamedTuple):
    """A change of a document: the pieces from index `at` on that equal `removed` become `added`."""

    at: int
    removed: tuple[str, ...]
    added: tuple[str, ...]

    def inverse(self) -> Splice:
        """Return the splice that undoes this one."""
        return Splice(self.at, self.added, self.removed)

    def text_edit(self) -> TextEdit:
        """Return the change as one minimal edit, relative to the start of piece `at`."""
        before = "".join(self.removed)
        return TextEdit(0, len(before), "".join(self.added)).trimmed(before)


@dataclass(frozen=True, repr=False)
class Document(Readable):
    """One deck file, and its edits. Immutable."""

    surrogates: ClassVar[bool] = False
    """Whether a half of a surrogate pair, which has no UTF-8, can be written as an escape."""

    learned: ClassVar[tuple[str, ...]] = ()
    """What is learned of how the samples are written: cached properties that are kept through edits."""

    @property
    def apart(self) -> Document:
        """The same file with the samples alone that it lists, without those made of values beside them."""
        return self

    # Edits: each returns the splice that makes it, proved by reading the result back

    def apply(self, splice: Splice) -> Self:
        """Return the document with a splice made."""
        # The proof has made it already. It is given away, not kept: documents must not hold on to their successors.
        proved: tuple[Splice, Self] | None = self.__dict__.pop("_proved_last", None)
        return proved[1] if proved and proved[0] is splice else self._after(splice)

    def _after(self, splice: Splice) -> Self:
        return self.taught(self.spliced(splice.at, splice.at + len(splice.removed), splice.added))

    def taught(self, changed: Self) -> Self:
        """Return what the document became, with what was learned of its samples."""
        for name in self.learned if len(self) else ():
            if name in self.__dict__:
                changed.__dict__[name] = self.__dict__[name]
        return changed

    def set(self, index: int, path: DataPath, value: Plain) -> Splice:
        """Set the value at a path; a missing last key is created.

        Raises:
            PathError: when the path does not exist.
            EditRefusedError: when no text was found that reads back as wanted and leaves the rest alone.
        """
        self._refuse_unwritable({str(path[-1]): value} if path else value)
        wanted = with_set(self._to_edit(index), path, value)
        return self._proved(index, self._set(index, path, value), wanted, f"set {shown(path)}")

    def insert(self, index: int, path: DataPath, value: Plain) -> Splice:
        """Insert a list item before the index that ends the path. Raises as `set` does."""
        self._refuse_unwritable(value)
        wanted = with_insert(self._to_edit(index), path, value)
        return self._proved(index, self._insert(index, path, value), wanted, f"insert {shown(path)}")

    def delete(self, index: int, path: DataPath) -> Splice:
        """Delete a key or a list item. Raises as `set` does."""
        wanted = with_delete(self._to_edit(index), path)
        return self._proved(index, self._delete(index, path), wanted, f"delete {shown(path)}")

    def move(self, index: int, path: DataPath, to: int) -> Splice:
        """Move a list item so that its index becomes `to`. Raises as `set` does."""
        wanted = with_move(self._to_edit(index), path, to)
        return self._proved(index, self._move(index, path, to), wanted, f"move {shown(path)}")

    def rename(self, index: int, path: DataPath, name: str) -> Splice:
        """Give the key that ends a path another name, wherever the text repeats it. Raises as `set` does."""
        self._refuse_unwritable(name)
        wanted = with_rename(self._to_edit(index), path, name)
        return self._proved(index, self._rename(index, path, name), wanted, f"rename {shown(path)}")

    def rename_sample(self, index: int, name: str) -> Splice:
        """Give a keyed sample another name, wherever the text repeats it. Raises as `set` does."""
        self._refuse_unwritable(name)
        value = self._to_edit(index)
        if not self.keyed:
            raise EditRefusedError("the samples of this deck have no names: they are items of a list")
        if any(self.name(at) == name for at in range(len(self)) if at != index):
            raise EditRefusedError(f"there is a sample of the name {name} already")
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
        if self.combines or len(self.samples_in(self.piece_of(index))) > 1:
            return f"{self.name(index)} {self._reading(index)!r}"
        return f"{self.name(index)} {self._text_alone(index)}"

    def _text_alone(self, index: int) -> str:
        span = self.source_span(index)
        return self.chunk(index)[span.start : span.end]

    def insert_sample(self, index: int, data: Table) -> Splice:
        """Insert a sample before an index. In a keyed document `data["id"]` is the name. Raises as `set` does."""
        if not 0 <= index <= len(self):
            raise PathError(f"there is no place {index} among {len(self)} samples")
        self._refuse_unwritable(data)
        data = self._in_order(data)
        held = [(at + (at >= index), self._reading(at)) for at in self._around(index)]
        wanted = {key: value for key, value in data.items() if key != "id"} if self.keyed else data
        return self._proved_samples(
            self._insert_sample(index, data), [*held, (index, wanted)], len(self) + 1, "insert the sample"
        )

    def delete_sample(self, index: int) -> Splice:
        """Delete a sample, with the heading that is about it alone. Raises as `set` does."""
        return self._deleted(index, self._delete_sample)

    def delete_below_heading(self, index: int) -> Splice:
        """Delete a sample and leave the heading above it. Raises as `set` does."""
        return self._deleted(index, self._delete_below_heading)

    def _deleted(self, index: int, made: Callable[[int], Iterator[Splice]]) -> Splice:
        self._check(index)
        held = [(at - (at > index), self._reading(at)) for at in self._around(index) if at != index]
        return self._proved_samples(made(index), held, len(self) - 1, "delete the sample")

    def heading(self, index: int) -> str:
        """Return the heading right above a sample: a comment with blank lines around it; empty for none.

        It is about this sample and those below it, up to the next one that has a heading.
        """
        return ""

    def move_sample(self, index: int, to: int) -> Splice:
        """Move a sample so that its index becomes `to`. Raises as `set` does."""
        self._check(index)
        self._check(to)
        order = [at for at in range(len(self)) if at != index]
        order.insert(to, index)
        near = {*self._around(index), *self._around(to)}
        held = [(at, self._reading(order[at])) for at in sorted(near)]
        return self._proved_samples(self._move_sample(index, to), held, len(self), "move the sample")

    # Habits: what most of the samples have, of as many as can be read unnoticed

    @property
    def _some(self) -> Sequence[int]:
        """The indexes of the samples whose text shows the habits of the file, all of them if they are few."""
        step = max(len(self) // MOST_ASKED, 1)
        return range(0, len(self), step)[:MOST_ASKED]

    def _in_order(self, data: Table) -> Table:
        """Return a new sample with its keys in the order that most samples have."""
        made = ordered(data, [value for index in self._some if (value := self._reading(index)) is not None])
        assert isinstance(made, dict)
        return made

    def _place_of(self, index: int, path: DataPath, names: Sequence[str]) -> int:
        """Return where the key that ends a path goes among others of a sample's table, by the samples' habit."""
        readings = (self._reading(at) for at in dict.fromkeys((index, *self._some)))
        alike = [table for value in readings if value is not None for table in tables_at(value, path[:-1])]
        return place(str(path[-1]), names, alike)

    # What a format supplies: texts that may make an edit, the plainest first. Each is tried until one reads back as
    # wanted, so a format may offer a style that only sometimes fits. Raise EditRefusedError to say why none can.

    @abstractmethod
    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]: ...

    @abstractmethod
    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]: ...

    @abstractmethod
    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]: ...

    @abstractmethod
    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]: ...

    @abstractmethod
    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        """Yield edits that rename the key that ends a path, for the empty path the key of a keyed sample."""

    @abstractmethod
    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]: ...

    @abstractmethod
    def _delete_sample(self, index: int) -> Iterator[Splice]: ...

    def _delete_below_heading(self, index: int) -> Iterator[Splice]:
        """Yield splices that delete a sample and no heading; a format without comments has none."""
        return self._delete_sample(index)

    @abstractmethod
    def _move_sample(self, index: int, to: int) -> Iterator[Splice]: ...

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

    def _reading(self, index: int) -> Table | None:
        """Return the value of a sample, or None for one that cannot be read and is to stay so."""
        try:
            return self.read(index)
        except FormatError:
            return None

    def _around(self, index: int) -> range:
        """Return the indexes of the samples whose text may touch a sample's."""
        return range(max(index - 1, 0), min(index + 2, len(self)))

    def _proved(self, index: int, edits: Iterable[TextEdit], wanted: Plain, deed: str) -> Splice:
        at = self.piece_of(index)
        piece = self.pieces[at]
        held: list[tuple[int, Plain]] = [
            (other, wanted if other == index else self._reading(other)) for other in self.samples_in(at)
        ]
        splices = (Splice(at, (piece,), (edit.apply(piece),)) for edit in edits)
        return self._proved_samples(splices, held, len(self), deed)

    def _proved_samples(
        self, splices: Iterable[Splice], held: Iterable[tuple[int, Plain]], count: int, deed: str
    ) -> Splice:
        held, plainest = list(held), ""
        for splice in splices:
            fault = self._fault(splice, held, count)
            if not fault:
                return splice
            plainest = plainest or fault
        raise EditRefusedError(f"cannot {deed}: {plainest or 'there is no way to write it where it is'}")

    def _fault(self, splice: Splice, held: Iterable[tuple[int, Plain]], count: int) -> str:
        """Return why a splice does not make the edit it is for; nothing if it does."""
        try:
            after = self._after(splice)
            if len(after) != count:
                return f"the deck would read as {len(after):,} samples and not as {count:,}"
            other = next((at for at, value in held if not same(after._reading(at), value)), None)
            self.__dict__["_proved_last"] = (splice, after)
            if other is not None:
                return f"{after.name(other) or f'sample {other + 1:,}'} would {after._said(other)}"
            return (
                ""
                if self._fits(splice, after)
                else "the text around it would not be read as it is, by every reader"
            )
        except FormatError as error:
            return f"the text would not be readable: {error.message}"

    def _said(self, index: int) -> str:
        """Return what is wrong with a sample that reads as something else than it should."""
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
