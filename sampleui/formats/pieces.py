"""The text of a file in pieces: which samples are in which piece, and on which line and column."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Self

from sampleui.text.position import Position, position_at


@dataclass(frozen=True, repr=False)
class Pieces:
    """A text in pieces; `"".join(pieces)` is the file, BOM and line endings included.

    `pieces` is the head, then one chunk per sample in file order, then the tail. A form whose samples interleave in
    the text may keep several samples in one piece; it then overrides `__len__`, `piece_of` and `samples_in`.
    """

    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole file."""
        return "".join(self.pieces)

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.pieces) - 2

    def piece_of(self, index: int) -> int:
        """Return the index of the piece that holds a sample."""
        return index + 1

    def samples_in(self, piece: int) -> range:
        """Return the indexes of the samples that a piece holds."""
        return range(piece - 1, piece) if 0 < piece < len(self.pieces) - 1 else range(0)

    def chunk(self, index: int) -> str:
        """Return the text of the piece that holds a sample."""
        return self.pieces[self.piece_of(index)]

    @cached_property
    def breaks(self) -> tuple[int, ...]:
        """The number of line feeds in each piece."""
        return tuple(piece.count("\n") for piece in self.pieces)

    @cached_property
    def breaks_before(self) -> tuple[int, ...]:
        """The number of line feeds before each piece."""
        return tuple(accumulate(self.breaks, initial=0))

    def position(self, index: int, offset: int = 0) -> Position:
        """Return the place in the file of an offset into a sample's chunk."""
        piece = self.piece_of(index)
        inner = position_at(self.pieces[piece], offset)
        before = self.breaks_before[piece]
        if inner.line > 1:
            return Position(before + inner.line, inner.column)
        return Position(before + 1, self._left_of(piece) + inner.column)

    def _left_of(self, piece: int) -> int:
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
            found = text.rfind("\n")
            return left + len(text) if found < 0 else len(text) - found - 1

        return tuple(accumulate(self.pieces, behind, initial=0))

    def spliced(self, start: int, end: int, added: tuple[str, ...]) -> Self:
        """Return the same with the pieces from `start` to `end` replaced; what is known of the others is kept."""
        pieces = list(self.pieces)
        pieces[start:end] = added
        changed = dataclasses.replace(self, pieces=tuple(pieces))
        if "breaks" in self.__dict__:
            self._hand_on_breaks(changed, start, end, tuple(piece.count("\n") for piece in added))
        return changed

    def _hand_on_breaks(self, changed: Self, start: int, end: int, added: tuple[int, ...]) -> None:
        if added != self.breaks[start:end]:
            changed.__dict__["breaks"] = self.breaks[:start] + added + self.breaks[end:]
            return
        changed.__dict__["breaks"] = self.breaks
        if "breaks_before" in self.__dict__:
            changed.__dict__["breaks_before"] = self.breaks_before
