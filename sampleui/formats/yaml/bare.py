"""A YAML file that is one sample: its messages are at the root, as in a JSON file of one sample."""

from __future__ import annotations

from typing import Self

from sampleui.errors import EditRefusedError, FormatError
from sampleui.formats.bare import ONE, OneSample, is_sample
from sampleui.formats.data import Table
from sampleui.formats.document import Splice
from sampleui.formats.yaml.document import YamlDocument
from sampleui.formats.yaml.pieces import BARE, Frame
from sampleui.formats.yaml.reading import ANOTHER
from sampleui.formats.yaml.splitting import BOM, BOUNDARY

_FRAME = Frame((), vacant=False, before=BARE)


class YamlSample(OneSample, YamlDocument):
    """One sample as a file: one piece, which is its first document, and in the tail what ends that."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take the text as a sample. Raises FormatError with line and column when it is not YAML."""
        start = len(text) - len(text.removeprefix(BOM))
        # A `---` with nothing above it begins the document and does not end it.
        ends = (found.start() for found in BOUNDARY.finditer(text, start) if text[start : found.start()].strip())
        end = next((at for at in ends if ANOTHER.match(text, at) or text.startswith("...", at)), len(text))
        document = cls((text[:start], text[start:end], text[end:]))
        document.read(0)
        return document

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
        if not is_sample(after.read(0)):
            raise EditRefusedError(ONE)
        try:
            self.parse(after.text)
        except FormatError:
            return False
        return super()._fits(splice, after)
