"""A TOML file that is one sample: its messages are at the root, as in a JSON file of one sample."""

from __future__ import annotations

from typing import Self

from sampleui.errors import EditRefusedError
from sampleui.formats.bare import ONE, OneSample, is_sample
from sampleui.formats.data import DataPath, Table
from sampleui.formats.document import Splice
from sampleui.formats.toml.document import TomlDocument
from sampleui.formats.toml.pieces import BOM, load
from sampleui.text.position import Span


class TomlSample(OneSample, TomlDocument):
    """One sample as a file: one piece, which is the whole of it."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take the whole text as a sample. Raises FormatError if it is not TOML, with line and column."""
        load(text)
        start = len(text) - len(text.removeprefix(BOM))
        return cls((text[:start], text[start:], ""))

    @property
    def container(self) -> tuple[str, ...]:
        """No key: the file itself is the sample."""
        return ()

    def span(self, index: int, path: DataPath) -> Span:
        """Return where the value at a path is; for the empty path the whole file."""
        return super().span(index, path) if path else Span(self.start(index), len(self.chunk(index).rstrip()))

    def _after(self, splice: Splice) -> Self:
        return self.spliced(splice.at, splice.at + len(splice.removed), splice.added)

    def _fits(self, splice: Splice, after: Self) -> bool:
        if not is_sample(after.read(0)):
            raise EditRefusedError(ONE)
        return True

    def _held(self, piece: str) -> dict[str | int, Table]:
        return {0: load(piece)}

    def _ordered(self, piece: str) -> tuple[tuple[str | int, Table], ...]:
        return tuple(self._held(piece).items())

    def _base(self, index: int) -> DataPath:
        return ()
