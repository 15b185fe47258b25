"""How each dialect spells what a message holds besides plain text: text, files, media."""

from __future__ import annotations

import mimetypes

from sampleui.formats.data import Table
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
    """Tell whether a target is an address, and no path."""
    return "://" in target or target.startswith("data:")


def media_type(target: str) -> str:
    """Return the type of segment for a file or a URL, by its name."""
    if target.startswith("data:"):
        guessed: str | None = target[5:].partition(";")[0].partition(",")[0]
    else:
        guessed = mimetypes.guess_type(target.partition("?")[0].partition("#")[0])[0]
    return _MEDIA.get((guessed or "").partition("/")[0], "file_url")
