"""Files that are one sample: recognized by the messages at their root, or treated as one whatever they hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table
from sampleui.formats.document import Document, Splice

MESSAGE_KEYS = ("messages", "input_messages")
ONLY_BY_MESSAGES = "the file is this one sample, and only by its messages"
_NO_LIST = "the file is one sample: it has no list that could take another"

_CLASSES = {
    "toml": ("sampleui.formats.toml.document", "TomlSample"),
    "yaml": ("sampleui.formats.yaml.document", "YamlSample"),
    "json": ("sampleui.formats.json.document", "JsonDocument"),
}
TREES = frozenset(_CLASSES)
"""Formats whose files can be one table."""


def is_sample(root: Mapping[str, Plain]) -> bool:
    """Tell whether the table at the root of a file is a sample: it has a list of messages."""
    return any(isinstance(root.get(key), list) for key in MESSAGE_KEYS)


def has_room(document: Document) -> bool:
    """Tell whether a file can hold values beside its samples: its root is a table, and not itself a sample."""
    return document.format in TREES and (bool(document.container) or not len(document))


def file_as_sample(form: str, text: str) -> Document:
    """Return a file as one sample, whatever it holds: this is how values beside its samples are edited.

    Args:
        form: the name of its format, one of `TREES`.
        text: the file.

    Raises:
        FormatError: when the text is not in that format.
    """
    module, name = _CLASSES[form]
    document: Document = getattr(import_module(module), name).whole(text)
    return document


class SingleSample:
    """What a document that is one sample refuses, whatever its format."""

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise EditRefusedError(_NO_LIST)

    def _delete_sample(self, index: int) -> Iterator[Splice]:
        raise EditRefusedError(_NO_LIST)

    def _move_sample(self, index: int, to: int) -> Iterator[Splice]:
        raise EditRefusedError(_NO_LIST)
