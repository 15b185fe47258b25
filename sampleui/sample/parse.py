"""From a sample's data to what it means: id, turns, what is expected, tags, a title.

Runs for every sample of a list and at every key typed, so it reads plain data and imports no models.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.dialects import DIALECTS, Dialect
from sampleui.sample.model import FileSegment, MediaSegment, Message, Sample, Segment, TextSegment

MEDIA_TYPES = ("image_url", "audio_url", "video_url", "file_url")
EXTRA_KEYS = ("name", "tool_calls", "tool_call_id")
_TITLE_LENGTH = 200


def value_at(data: Plain, path: DataPath) -> Plain:
    """Return the value at a path, None where there is none."""
    for step in path:
        if isinstance(data, dict) and isinstance(step, str):
            data = data.get(step)
        elif isinstance(data, list) and isinstance(step, int) and 0 <= step < len(data):
            data = data[step]
        else:
            return None
    return data


def messages_path(data: Table, dialect: Dialect) -> DataPath:
    """Return the path of a sample's messages as the file spells it; the usual one where there are none."""
    paths = dialect.message_paths
    lists = (path for path in paths if isinstance(value_at(data, path), list))
    given = (path for path in paths if value_at(data, path) is not None)
    return next(lists, None) or next(given, paths[0])


def own_id(data: Table, name: str | None = None) -> str | None:
    """Return the id a sample was given: the name of a keyed sample, else its `id`. None where it has neither."""
    value = name if name is not None else data.get("id")
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


def sample_id(data: Table, dialect: Dialect, name: str | None, index: int) -> str:
    """Return what a sample is called: its own id, or `#N` (1-based) where it has none."""
    return own_id(data, name) or f"#{index + 1}"


def read(sample: Sample) -> Table:
    """Return a sample's data in today's spelling: an older record as the sample it maps to, any other as it is."""
    older = DIALECTS[sample.dialect].mapped
    return (older(sample.data) if older else None) or sample.data


def conversation(sample: Sample) -> list[Plain]:
    """Return a sample's messages as authored, those that are not tables included.

    AgentV's short forms are written out: one text or table is one user message, and `input_files` are attached
    to it before its text. An older gage-eval record has the messages it maps to.
    """
    dialect = DIALECTS[sample.dialect]
    messages = as_messages(value_at(sample.data, sample.messages_path), _with_shared_files(sample), dialect)
    if messages is not None:
        return messages
    mapped = read(sample).get("messages") if dialect.mapped else None
    return mapped if isinstance(mapped, list) else []


def _with_shared_files(sample: Sample) -> Table:
    """Return a sample's data with the file-wide `input_files` where it has none and takes what is shared."""
    shared = sample.context.get("input_files")
    if shared is None or "input_files" in sample.data or skips_defaults(sample.data):
        return sample.data
    return {**sample.data, "input_files": shared}


def skips_defaults(data: Table) -> bool:
    """Tell whether an AgentV test opts out of what its file says for all tests."""
    execution = data.get("execution")
    return isinstance(execution, dict) and execution.get("skip_defaults") is True


def as_messages(value: Plain, data: Table, dialect: Dialect) -> list[Plain] | None:
    """Return the value that stands for a sample's messages as a list, None when it cannot be one."""
    if isinstance(value, list):
        return value
    if dialect.shorthand and isinstance(value, str | dict):
        return [_written_out(value, data.get("input_files"))]
    return None


def turns(sample: Sample) -> tuple[Message, ...]:
    """Return the valid messages: those with a role and with a content that can be read, or with tool calls.

    An empty text is a content here, though the rules call it missing: rendering drops it and says so. Malformed
    segments are left out. Each message keeps the index it has in the file.
    """
    object_content = DIALECTS[sample.dialect].object_content
    found = (_message(index, item, object_content) for index, item in enumerate(conversation(sample)))
    return tuple(message for message in found if message is not None)


def unreadable(sample: Sample) -> Iterator[tuple[int, str]]:
    """Yield the messages that `turns` leaves out, by their index, and why they are no messages."""
    object_content = DIALECTS[sample.dialect].object_content
    for index, item in enumerate(conversation(sample)):
        if not isinstance(item, dict):
            yield index, "it is not a message"
        elif not (isinstance(item.get("role"), str) and item["role"]):
            yield index, "it has no role"
        elif _message(index, item, object_content) is None:
            yield index, "it has no content that can be read"


def segments(content: Plain, object_content: bool = False) -> tuple[Segment, ...] | None:
    """Return the segments of a message's content, None when it has no content that can be read."""
    if isinstance(content, str):
        return (TextSegment(content),)
    if isinstance(content, list):
        return tuple(found for item in content if (found := segment(item, object_content)) is not None)
    if isinstance(content, dict) and object_content:
        return (TextSegment(json_text(content)),)
    return None


def segment(item: Plain, plain_text: bool = False) -> Segment | None:
    """Return one item of a content list as a segment, None when it is malformed or of an unknown type.

    `{type: text, value|text}`, `{type: file, value}`, and `{type: image_url, image_url: {url}}` with its audio,
    video and file siblings, whose URL may also be given as text (gage-eval standardized sample, §1.3.1). Where
    `plain_text` is given, a text by itself is one too, as AgentV takes it.
    """
    if plain_text and isinstance(item, str):
        return TextSegment(item)
    if not isinstance(item, dict):
        return None
    kind = item.get("type")
    if kind == "text":
        text = item.get("value", item.get("text"))
        return TextSegment(text) if isinstance(text, str) else None
    if kind == "file":
        path = item.get("value")
        return FileSegment(path) if isinstance(path, str) and path else None
    if isinstance(kind, str) and kind in MEDIA_TYPES:
        held = item.get(kind)
        url = held.get("url") if isinstance(held, dict) else held
        return MediaSegment(kind, url, item) if isinstance(url, str) and url else None
    return None


def json_text(value: Plain) -> str:
    """Return a value as indented JSON, which is how AgentV shows structured content to a model."""
    return json.dumps(value, indent=2, ensure_ascii=False, default=_iso)


def expected(sample: Sample) -> Plain:
    """Return what the grading context calls `expected`, None where the sample has nothing of the kind.

    A calibrate `score` is a truth about the grader and not an expectation of the answer, so it is not one.
    """
    data = read(sample)
    return next((data[key] for key in DIALECTS[sample.dialect].expected_keys if key in data), None)


def reference_text(reference: Plain) -> str | None:
    """Return a reference as one string (§1.3.3): its text, or the path of its medium; None when it has neither."""
    answer = reference.get("answer") if isinstance(reference, dict) else reference
    parts = segments(answer)
    if parts is None:
        return None
    texts = [part.text for part in parts if isinstance(part, TextSegment)]
    media = [
        part.path if isinstance(part, FileSegment) else part.url
        for part in parts
        if isinstance(part, FileSegment | MediaSegment)
    ]
    return "\n".join(texts or media).strip() or None


def tags(sample: Sample) -> tuple[str, ...]:
    """Return a sample's labels, each once: texts as they are, those of a table as `key:value`."""
    found: dict[str, None] = {}
    for path in DIALECTS[sample.dialect].tag_paths:
        found.update(dict.fromkeys(_labels(value_at(sample.data, path))))
    return tuple(found)


def title(sample: Sample) -> str:
    """Return one line to know a sample by: the start of its first user text, else of its first text, else empty."""
    messages = turns(sample)
    ordered = sorted(messages, key=lambda message: message.role != "user")
    texts = (part.text for message in ordered for part in message.segments if isinstance(part, TextSegment))
    lines = (" ".join(text[: 4 * _TITLE_LENGTH].split())[:_TITLE_LENGTH] for text in texts)
    return next((line for line in lines if line), "")


def _written_out(value: str | Table, files: Plain) -> Plain:
    if isinstance(value, dict) and "role" in value:
        return value
    names = [name for name in files if isinstance(name, str)] if isinstance(files, list) else []
    if not names or isinstance(value, dict):
        return {"role": "user", "content": value}
    attached: list[Plain] = [{"type": "file", "value": name} for name in names]
    return {"role": "user", "content": [*attached, {"type": "text", "value": value}]}


def _message(index: int, item: Plain, object_content: bool) -> Message | None:
    if not isinstance(item, dict):
        return None
    role = item.get("role")
    if not isinstance(role, str) or not role:
        return None
    parts = segments(item.get("content"), object_content)
    if parts is None and not item.get("tool_calls"):
        return None
    return Message(index, role, parts or (), {key: item[key] for key in EXTRA_KEYS if key in item})


def _labels(value: Plain) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    if isinstance(value, list):
        return tuple(item for item in value if isinstance(item, str))
    if isinstance(value, dict):
        return tuple(f"{key}:{item}" for key, item in value.items() if isinstance(item, str | int | float))
    return ()


def _iso(value: object) -> str:
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)
