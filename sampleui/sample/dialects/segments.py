"""How each dialect spells what a message holds besides plain text, and two messages merged into one."""

from __future__ import annotations

import mimetypes

from sampleui.errors import EditRefusedError
from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.dialect import Dialect

_MEDIA = {"image": "image_url", "audio": "audio_url", "video": "video_url"}


def text_segment(text: str, dialect: Dialect) -> Table:
    """Return a text as a segment: under `text` as OpenAI has it, else under `value`."""
    return {"type": "text", dialect.contents.text_key: text}


def segment_for(target: str, dialect: Dialect) -> Table:
    """Return what attaches a file or a URL to a message.

    Most have media segments alone, by media type: `image_url`, `audio_url`, `video_url`, and `file_url` for any
    other; some have `file` for paths. A URL is media everywhere: no dialect fetches it as a file.
    """
    if dialect.contents.attaches_files and not is_url(target):
        return {"type": "file", "value": target}
    kind = media_type(target)
    return {"type": kind, kind: {"url": target}}


def is_url(target: str) -> bool:
    """Tell whether a target is an address and not a path."""
    return "://" in target or target.startswith("data:")


def media_type(target: str) -> str:
    """Return the type of segment for a file or a URL, by its name."""
    if target.startswith("data:"):
        guessed: str | None = target[5:].partition(";")[0].partition(",")[0]
    else:
        guessed = mimetypes.guess_type(target.partition("?")[0].partition("#")[0])[0]
    return _MEDIA.get((guessed or "").partition("/")[0], "file_url")


_LISTS = frozenset({"tool_calls"})
"""Keys whose values are lists in the order of the conversation: one message's are followed by the other's."""


def merged(message: Table, other: Table, dialect: Dialect) -> Table:
    """Return a message that says what two say, one after the other, a blank line between their texts.

    Text that joins a list of segments becomes one as the dialect spells it.

    Raises:
        EditRefusedError: when they cannot be one message: their roles differ, or another key of theirs does, or one
            has a key of OpenAI's beside the dialect's own for the same, which alone is read.
    """
    for usual in (*dialect.turns.spelling.doubled(message), *dialect.turns.spelling.doubled(other)):
        own = dialect.turns.spelling.role if usual == "role" else dialect.turns.spelling.content
        raise EditRefusedError(f"turns with {usual} beside {own} are not merged; {usual} would be lost")
    message, other = dialect.turns.spelling.read(message), dialect.turns.spelling.read(other)
    if message.get("role") != other.get("role"):
        roles = f"{message.get('role')} and {other.get('role')}"
        raise EditRefusedError(f"turns of different roles are not merged ({roles}); r changes a role")
    whole = dict(message)
    for key, value in other.items():
        before = message.get(key)
        if key == "content":
            whole[key] = _joined(before, value, dialect)
        elif key in _LISTS and isinstance(before, list) and isinstance(value, list):
            whole[key] = [*before, *value]
        elif key not in message:
            whole[key] = value
        elif before != value:
            raise EditRefusedError(f"turns that differ in {key} are not merged; one of the two would be lost")
    return dialect.turns.spelling.written(whole)


def _joined(value: Plain, other: Plain, dialect: Dialect) -> Plain:
    if not value or not other:
        return value or other
    if isinstance(value, str) and isinstance(other, str):
        return f"{value}\n\n{other}"
    return [*_segments(value, dialect), *_segments(other, dialect)]


def _segments(content: Plain, dialect: Dialect) -> list[Plain]:
    if isinstance(content, list):
        return content
    return [text_segment(content, dialect)] if isinstance(content, str) else [content]
