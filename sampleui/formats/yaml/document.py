"""A deck in YAML. What writes its text is loaded with the first edit: a start must not wait for it."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator
from functools import cached_property, partial
from typing import TYPE_CHECKING, ClassVar, Self

from sampleui.errors import FormatError, PathError
from sampleui.formats.data import DataPath, Plain, Table, lookup, same
from sampleui.formats.document import Splice
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.reading import YamlReading
from sampleui.text.edit import TextEdit

if TYPE_CHECKING:
    from sampleui.formats.yaml.writing.edited_piece import EditedPiece
    from sampleui.formats.yaml.writing.spelling import Manner
    from sampleui.formats.yaml.writing.structure import Samples


class YamlDocument(YamlReading):
    """A YAML deck. What is written follows what most of its samples show."""

    learned: ClassVar[tuple[str, ...]] = ("manner",)

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether the pieces join as they did, and whether stricter readers would read them."""
        if not splice.at and not same(after.context, self.context):
            return False
        from sampleui.formats.yaml.seams import hold
        from sampleui.formats.yaml.strict import strict

        anew = len(splice.removed) == len(self.pieces)  # the whole file was split again
        held = anew or hold(self.pieces, after.pieces, splice, self.frame)
        return held and strict(self.pieces, after.pieces, splice, self.frame, after.frame)

    @cached_property
    def newline(self) -> str:
        """The break of lines of the file."""
        first = next((piece for piece in self.pieces if "\n" in piece), "")
        return "\r\n" if first[: first.find("\n")].endswith("\r") else "\n"

    def _text_alone(self, index: int) -> str:
        if self.frame.flow:
            span = self.span(index, ())
            return self.chunk(index)[span.start : span.end]
        from sampleui.formats.yaml.writing.bannered import parts

        return parts(self.chunk(index))[0].strip()

    def place(self, index: int) -> EditedPiece:
        """Return where a sample's edits are made."""
        from sampleui.formats.yaml.writing.edited_piece import EditedPiece

        piece = self.piece_of(index)
        root, text = self.root(piece), self.pieces[piece]
        return EditedPiece(text, root, self.frame, self.manner, self._used_elsewhere(piece))

    @cached_property
    def manner(self) -> Manner:
        """How most of the samples are written. It is learned once, and kept through edits."""
        from sampleui.formats.yaml.writing.edited_piece import manner_of
        from sampleui.formats.yaml.writing.habits import laid_out

        return manner_of(laid_out(self._rooted()), self.newline)

    def _rooted(self) -> Iterator[tuple[str, Node]]:
        for index in self._some:
            piece = self.piece_of(index)
            with contextlib.suppress(FormatError):
                yield self.pieces[piece], self.root(piece)

    def _set(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        from sampleui.formats.yaml.writing.changes import adding, setting

        try:
            lookup(self.read(index), path)
        except PathError:
            return self.place(index).attempts(
                lambda place: adding(place, path, value, partial(self._place_of, index, path))
            )
        return self.place(index).attempts(lambda place: setting(place, path, value))

    def _insert(self, index: int, path: DataPath, value: Plain) -> Iterator[TextEdit]:
        from sampleui.formats.yaml.writing.changes import inserting

        return self.place(index).attempts(lambda place: inserting(place, path, value))

    def _delete(self, index: int, path: DataPath) -> Iterator[TextEdit]:
        from sampleui.formats.yaml.writing.changes import deleting

        return self.place(index).attempts(lambda place: deleting(place, path))

    def _move(self, index: int, path: DataPath, to: int) -> Iterator[TextEdit]:
        from sampleui.formats.yaml.writing.changes import moving

        return self.place(index).attempts(lambda place: moving(place, path, to))

    def _rename(self, index: int, path: DataPath, name: str) -> Iterator[TextEdit]:
        from sampleui.formats.yaml.writing.changes import renaming

        return self.place(index).attempts(lambda place: renaming(place, path, name))

    @property
    def _samples(self) -> Samples:
        from sampleui.formats.yaml.writing.structure import Samples

        return Samples(self.pieces, self.frame, self.keyed, self.manner, self._apart, self._used_elsewhere)

    @property
    def _apart(self) -> int | None:
        """The number of blank lines between most samples, None if no two of them show it."""
        from sampleui.formats.yaml.writing.structure import blank_lines

        places = (self.piece_of(index) for index in self._some)
        counted = Counter(blank_lines(self.pieces[at]) for at in places if at + 2 < len(self.pieces))
        return counted.most_common(1)[0][0] if counted else None

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        from sampleui.formats.yaml.writing.structure import first_sample, with_sample

        if len(self.pieces) == 2:
            return first_sample(self._samples, data)
        at = self.piece_of(index) - 1 if index < len(self) else len(self.pieces) - 2
        return with_sample(self._samples, at, data)

    def heading(self, index: int) -> str:
        """Return the heading right above a sample."""
        from sampleui.formats.yaml.writing.bannered import above

        return "" if self.frame.flow else above(self.pieces, self.piece_of(index))

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        from sampleui.formats.yaml.writing.structure import without_sample

        return without_sample(self._samples, self.piece_of(index) - 1)

    def _delete_below_heading(self, index: int) -> Iterator[Splice]:
        from sampleui.formats.yaml.writing.structure import without_sample

        return without_sample(self._samples, self.piece_of(index) - 1, heading=False)

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        from sampleui.formats.yaml.writing.structure import with_sample_moved

        return with_sample_moved(self._samples, self.piece_of(index) - 1, self.piece_of(to) - 1)
