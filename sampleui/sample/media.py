"""Images, sounds and files in messages, however providers spell them: where each is, its kind and its size.

OpenAI has `image_url`, `input_audio` and `file`, its Responses `input_image` and `input_file`; Anthropic, Bedrock
and LangChain have a `source`; Gemini `inlineData` and `fileData`; the AI SDK and OpenCode a `url` or `data` beside
the type; MCP `data` beside a `mimeType`; OpenTelemetry a `blob` or `uri`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import Plain, Table
from sampleui.sample.open_table import OpenTable

_IMAGE, _AUDIO, _VIDEO, _FILE = "image_url", "audio_url", "video_url", "file_url"
_TYPES = {
    **dict.fromkeys(("image", "image_url", "input_image", "output_image", "computer_screenshot"), _IMAGE),
    **dict.fromkeys(("image-url", "image-data", "image-file-id"), _IMAGE),
    **dict.fromkeys(("audio", "audio_url", "input_audio", "output_audio"), _AUDIO),
    **dict.fromkeys(("video", "video_url", "input_video"), _VIDEO),
    **dict.fromkeys(("file", "file_url", "input_file", "document", "media", "container_upload"), _FILE),
    **dict.fromkeys(("file-url", "file-data", "file-id", "blob", "uri", "resource", "resource_link"), _FILE),
}
"""What the types of parts are, where the kind of the file does not say more."""

_WRAPPED = {
    **dict.fromkeys(("inlineData", "inline_data", "fileData", "file_data", "document"), _FILE),
    "image": _IMAGE,
    "audio": _AUDIO,
    "video": _VIDEO,
}
"""Keys of parts without a type whose table is the file."""

_HOLDERS = (*_TYPES, "source", "s3Location")
_ADDRESSES = ("url", "image_url", "file_url", "uri", "fileUri", "file_uri")
_CONTENTS = ("data", "file_data", "bytes", "base64", "blob")
_EITHER = ("image", "audio", "video", "document")
"""Keys whose text is an address, or what the file holds."""

_KINDS = ("mediaType", "media_type", "mimeType", "mime_type", "mime", "contentType", "format")
_NAMES = ("filename", "file_name", "name", "title")
_IDS = ("file_id", "fileId", "id")
_BY_TYPE = {"image": _IMAGE, "audio": _AUDIO, "video": _VIDEO}
_ENDINGS = {
    "pdf": "application/pdf",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "html": "text/html",
    "jpg": "image/jpeg",
    "mp3": "audio/mpeg",
}
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*+:|[/.](?!9j/)")  # `/9j/` is how JPEG begins in base64
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{64}")
_DATA = "data:"
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)(?:;[\w.+=-]+)*?;base64,[A-Za-z0-9+/_=-]{100,}+")
"""A file that is whole in a text; shorter ones are no burden to a reader."""


Places: TypeAlias = Sequence[tuple[Path, Path | None]]
"""Where files may be: folders that paths are relative to, and what files must lie in, None for the project."""


class Medium(NamedTuple):
    """A file in a message.

    Attributes:
        kind: `image_url`, `audio_url`, `video_url` or `file_url`: the type of the segment that most dialects share.
        url: its address or path, or a `data:` URL; empty if its provider alone has it.
        media_type: its MIME type; empty if that is not said.
        name: what it is called; empty if that is not said.
        id: by what its provider knows it; empty if that is not said.
    """

    kind: str
    url: str
    media_type: str = ""
    name: str = ""
    id: str = ""

    @property
    def size(self) -> int | None:
        """How many bytes it has, where it is in the message."""
        if not self.url.startswith(_DATA):
            return None
        start = self.url.find(",") + 1
        if not self.url[:start].endswith(";base64,"):
            return len(self.url) - start
        return (len(self.url) - start - self.url.count("=", max(len(self.url) - 2, start))) * 3 // 4

    @property
    def label(self) -> str:
        """What is shown in its place: `[image a.png, image/png, 70 bytes]`."""
        size = self.size
        kept = "" if self.url or self.name else f"{self.id}, kept by its provider"
        known = (
            self.name,
            self.url if size is None else "",
            kept if self.id else "",
            self.media_type if size is not None else "",
            f"{size:,} bytes" if size is not None else "",
        )
        return f"[{self.kind.removesuffix('_url')} {', '.join(filter(None, known))}]"

    @property
    def segment(self) -> Table:
        """It as the segment that most dialects share, with its name where it has one."""
        named: Table = {"name": self.name} if self.name else {}
        return {"type": self.kind, self.kind: {"url": self.url, **named}}


def medium_of(part: Plain) -> Medium | None:
    """Return the file that a part of a message is, None if it is none."""
    return medium_in(OpenTable(part)) if isinstance(part, dict) else None


def label_of(part: Plain) -> str:
    """Return what is shown in the place of a part that is no text: a file with its kind and size, or its type."""
    medium = medium_of(part)
    kind = part.get("type") if isinstance(part, dict) else None
    return medium.label if medium is not None else f"[{kind}]" if isinstance(kind, str) else "it"


def with_files_named(value: Plain) -> Plain:
    """Return a value in which each file that is in it as a whole is named in its place, with its kind and size."""
    if isinstance(value, str):
        return _DATA_URL.sub(_named, value) if _DATA in value else value
    if isinstance(value, dict):
        medium = medium_of(value)
        if medium is not None and medium.size is not None:
            return medium.label
        return {key: with_files_named(item) for key, item in value.items()}
    return [with_files_named(item) for item in value] if isinstance(value, list) else value


def _named(found: re.Match[str]) -> str:
    return Medium(_BY_TYPE.get(found[1].partition("/")[0], _FILE), found[0], found[1]).label


def medium_in(part: OpenTable) -> Medium | None:
    """Return the file that a part is, as `medium_of` does, and take what it is read from."""
    word = part.table.get("type")
    kind = _TYPES.get(word) if isinstance(word, str) else None
    if kind is None and word is None:
        kind = next((meant for key, meant in _WRAPPED.items() if isinstance(part.table.get(key), dict)), None)
    if kind is None:
        return None
    tables = [part]
    for table in tables:  # which grows by the tables in it
        tables += [table.inner(key) for key in (*_HOLDERS, *_WRAPPED) if isinstance(table.table.get(key), dict)]
    name, kind_of_file = _first(tables, _NAMES), _first(tables, _KINDS)
    if kind_of_file and "/" not in kind_of_file:
        prefix = "application" if kind == _FILE else kind.removesuffix("_url")
        kind_of_file = _ENDINGS.get(kind_of_file, f"{prefix}/{kind_of_file}")
    address = _first(tables, _ADDRESSES)
    if not address:
        content = _first(tables, (*_CONTENTS, "content") if word == "blob" else _CONTENTS)
        either = "" if content else _first(tables, _EITHER)
        is_address = _ADDRESS.match(content) or (either and not _BASE64.match(either))
        held = f"data:{kind_of_file or 'application/octet-stream'};base64,{content or either}"
        address = (content or either) if is_address or not (content or either) else held
    identifier = "" if address else _first(tables, _IDS)
    if not address and not identifier:
        return None
    if address.startswith(_DATA) and not kind_of_file:
        kind_of_file = address[len(_DATA) : address.find(",")].partition(";")[0]
    kind = _BY_TYPE.get(kind_of_file.partition("/")[0], kind) if kind == _FILE else kind
    return Medium(kind, address, kind_of_file, name, identifier)


def _first(tables: Sequence[OpenTable], keys: Sequence[str]) -> str:
    """Return the first text under some keys, those of the innermost tables first; empty if there is none."""
    for table in reversed(tables):
        for key in keys:
            if isinstance(value := table.table.get(key), str) and value:
                table.take(key)
                return value
    return ""
