"""A TOML file that is one sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Table, is_sample
from sampleui.formats.document import Splice
from sampleui.formats.single_sample import ONLY_BY_MESSAGES, SingleSample
from sampleui.formats.toml.document import TomlDocument
from sampleui.formats.toml.pieces import load
from sampleui.formats.toml.scan import BOM
from sampleui.text.position import Span


@dataclass(frozen=True, repr=False)
class TomlSample(SingleSample, TomlDocument):
    """A TOML file that is one sample: one piece, which is the whole of it."""

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
        return self.spliced(splice.start, splice.start + len(splice.removed), splice.added)

    def _fits(self, splice: Splice, after: Self) -> bool:
        if not self.anything and not is_sample(after.read(0)):
            raise EditRefusedError(ONLY_BY_MESSAGES)
        return True

    def _by_name(self, piece: str) -> dict[str | int, Table]:
        return {0: load(piece)}

    def _in_order_of(self, piece: str) -> tuple[tuple[str | int, Table], ...]:
        return tuple(self._by_name(piece).items())

    def _base(self, index: int) -> DataPath:
        return ()
