"""Files that are one sample: by the messages at their root, or treated as one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Self

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Table
from sampleui.formats.document import Document, Splice

ONLY_BY_MESSAGES = "the file is this one sample, and only its messages make it one"
_NO_LIST = "the file is one sample: it has no list that could take another"


@dataclass(frozen=True, repr=False)
class SingleSample(Document):
    """A file that is one sample: by the messages at its root, or treated as one.

    Attributes:
        anything: whether it is treated as a sample whatever it holds.
    """

    anything: bool = False

    @classmethod
    def whole(cls, text: str) -> Self:
        """Take the text as a sample, whatever it holds."""
        return replace(cls.parse(text), anything=True)

    def again(self, text: str) -> Self:
        """Read another text as this one was read."""
        return replace(self.parse(text), anything=self.anything)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise EditRefusedError(_NO_LIST)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        raise EditRefusedError("the file is this one sample: delete the file")

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        raise EditRefusedError(_NO_LIST)
