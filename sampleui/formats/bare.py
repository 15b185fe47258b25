"""Files that are one sample: told by the messages at their root."""

from __future__ import annotations

from collections.abc import Mapping

from sampleui.formats.data import Plain

MESSAGE_KEYS = ("messages", "input_messages")
ONE = "the file is this one sample, and only by its messages"


def is_sample(root: Mapping[str, Plain]) -> bool:
    """Tell whether the table at the root of a file is a sample: it has a list of messages."""
    return any(isinstance(root.get(key), list) for key in MESSAGE_KEYS)
