"""A YAML file that is one sample."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.data import Table, is_sample
from sampleui.formats.document import Splice
from sampleui.formats.single_sample import ONLY_BY_MESSAGES, SingleSample
from sampleui.formats.yaml.document import ANOTHER, YamlDocument
from sampleui.formats.yaml.pieces import BARE, BOM, BOUNDARY, PieceFrame

_BEGINS = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n|%[^\n]*\n|)*+---(?=\s|\Z)")
"""What is above a document that is said to begin, and the mark that says so."""
_FRAME = PieceFrame((), vacant=False, before=BARE)


@dataclass(frozen=True, repr=False)
class YamlSample(SingleSample, YamlDocument):
    """A YAML file that is one sample: one piece, which is its first document, and in the tail what ends that."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take the text as a sample. Raises FormatError with line and column when it is not YAML."""
        start = len(text) - len(text.removeprefix(BOM))
        # The first `---` below comments and directives alone begins the document and does not end it.
        begins = _BEGINS.match(text, start)
        marks = (mark.start() for mark in BOUNDARY.finditer(text, begins.end() if begins else start))
        ends = (mark for mark in marks if ANOTHER.match(text, mark) or text.startswith("...", mark))
        end = next(ends, len(text))
        document = cls((text[:start], text[start:end], text[end:]))
        document.read(0)
        return document

    def __len__(self) -> int:
        """Return 1, whatever the table has."""
        return 1

    @property
    def frame(self) -> PieceFrame:
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


@dataclass(frozen=True, repr=False)
class CaseDocument(YamlSample):
    """A table that is a sample: `case.yaml` in a folder of cases. Its values are edited as in any deck."""

    anything: bool = True

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take a text as one piece. Raises FormatError with line and column when it is not a YAML table."""
        start = len(text) - len(text.removeprefix(BOM))
        document = cls((text[:start], text[start:], ""))
        document.read(0)
        return document

    @property
    def anonymous(self) -> bool:
        """Whether the sample has no id."""
        return self.read(0).get("id") is None
