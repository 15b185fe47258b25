"""YAML files that are one sample as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import Table
from sampleui.formats.document import Splice
from sampleui.formats.single_sample import ONLY_BY_MESSAGES, SingleSample, is_sample
from sampleui.formats.yaml.document import ANOTHER, YamlDocument
from sampleui.formats.yaml.join_checks import strict
from sampleui.formats.yaml.nodes.node import Node
from sampleui.formats.yaml.pieces import BARE, BOM, BOUNDARY, Frame, frame_of

_FRAME = Frame((), vacant=False, before=BARE)
_WHOLE = "the file is one sample as a whole; put another one into a file of its own"


@dataclass(frozen=True, repr=False)
class YamlSample(SingleSample, YamlDocument):
    """One sample as a file: one piece, which is its first document, and in the tail what ends that.

    Attributes:
        anything: whether the file is treated as a sample whatever it holds; otherwise its messages make it one.
    """

    anything: bool = False

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take the text as a sample. Raises FormatError with line and column when it is not YAML."""
        start = len(text) - len(text.removeprefix(BOM))
        # A `---` with nothing above it begins the document and does not end it.
        marks = (mark.start() for mark in BOUNDARY.finditer(text, start) if text[start : mark.start()].strip())
        ends = (mark for mark in marks if ANOTHER.match(text, mark) or text.startswith("...", mark))
        end = next(ends, len(text))
        document = cls((text[:start], text[start:end], text[end:]))
        document.read(0)
        return document

    @classmethod
    def whole(cls, text: str) -> Self:
        """Take the text as a sample, whatever it holds."""
        return replace(cls.parse(text), anything=True)

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        return replace(self.parse(text), anything=self.anything)

    @property
    def frame(self) -> Frame:
        """What is around the sample: nothing."""
        return _FRAME

    @property
    def keyed(self) -> bool:
        """A file that is one sample gives it no name."""
        return False

    @property
    def context(self) -> Table:
        """Nothing is beside the sample."""
        return {}

    def _fits(self, splice: Splice, after: Self) -> bool:
        if self.anything:
            return super()._fits(splice, after)
        if not is_sample(after.read(0)):
            raise EditRefusedError(ONLY_BY_MESSAGES)
        try:
            self.parse(after.text)
        except FormatError:
            return False
        return super()._fits(splice, after)


class CaseDocument(YamlDocument):
    """A table that is a sample: `case.yaml` in a folder of cases. Its values are edited as in any deck."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take a text as one piece. Raises FormatError with line and column when it is not a YAML table."""
        bom = BOM if text.startswith(BOM) else ""
        document = cls((bom, text[len(bom) :], ""))
        document.root(1)
        return document

    @property
    def frame(self) -> Frame:
        """What is around the sample: nothing."""
        return _FRAME

    def __len__(self) -> int:
        """Return 1."""
        return 1

    @property
    def keyed(self) -> bool:
        """Nothing names the sample inside the file."""
        return False

    @cached_property
    def _value(self) -> Table:
        value = self._trees.reading(1).value(self.root(1).items[0])
        assert isinstance(value, dict)
        return value

    def read(self, index: int) -> Table:
        """Return the sample's value. Raises FormatError when an alias has no anchor."""
        return self._value

    @property
    def anonymous(self) -> bool:
        """Whether the sample has no id."""
        return self._value.get("id") is None

    def root(self, piece: int) -> Node:
        """Return the table as the only item of a list around it."""
        root = self._trees.root(piece) if self.pieces[piece].strip() else None
        if root is None or root.items[0].kind != "table":
            raise FormatError("a case must be a mapping", line=1, column=1)
        return root

    def _fits(self, splice: Splice, after: Self) -> bool:
        """Tell whether stricter readers would read what an edit brings in; there is nothing around it to change."""
        return strict(self.pieces, after.pieces, splice, frame_of(self.pieces[0]))

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise EditRefusedError(_WHOLE)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        raise EditRefusedError("the file is one sample as a whole; delete the file")

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        raise EditRefusedError(_WHOLE)
