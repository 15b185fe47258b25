"""Files that are one sample, recognized by the messages at their root."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import Splice

MESSAGE_KEYS = ("messages", "input_messages")
_ALONE = "the file is one sample: it has no list that could take another"
ONE = "the file is this one sample, and only by its messages"


def is_sample(root: Mapping[str, Plain]) -> bool:
    """Tell whether the table at the root of a file is a sample: it has a list of messages."""
    return any(isinstance(root.get(key), list) for key in MESSAGE_KEYS)


class OneSample:
    """What a document that is one sample refuses, whatever its format."""

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise EditRefusedError(_ALONE)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        raise EditRefusedError(_ALONE)

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        raise EditRefusedError(_ALONE)
