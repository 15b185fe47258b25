"""calibrate's samples: conversations with a score, and with what is expected (sample format migration).

Its old samples have `userMessage` and `assistantResponse` in place of messages. calibrate itself no longer reads
them ("Clean Break Approach"), so neither is one read as the sample that it can be rewritten as.
"""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.dialects.dialect import (
    Contents,
    Conversion,
    Dialect,
    Expected,
    Older,
    Updated,
    Weights,
    keys,
)

_MESSAGE = keys("role content name tool_calls tool_call_id")

CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    integration="calibrate",
    containers=(("samples",), ()),
    formats=("toml", "markdown"),
    message_paths=(("messages",),),
    weights=Weights(signs=keys("expected score"), telling=frozenset(), beside=keys("meta")),
    expected=Expected(paths=(("expected",),)),
    tag_paths=(("tags",),),
    known=keys("id messages expected score description tags"),
    nested={"messages": _MESSAGE},
    contents=Contents(text_key="value", attaches_files=True),
    metadata="",
    rules=("content-segments", "segment-invalid", "legacy-record"),
    older=Older.REWRITTEN,
    conversion=Conversion(taken_back=keys("score description tags")),
)


OLD_KEYS = {"userMessage": "user", "assistantResponse": "assistant"}


def updated(data: Table) -> Updated | None:
    """Return an old sample with its texts as messages, None for one that has messages, or no text."""
    old = tuple(key for key in OLD_KEYS if key in data)
    texts = {key: text for key in old if isinstance(text := data[key], str)}
    if "messages" in data or len(texts) < len(old) or not any(map(str.strip, texts.values())):
        return None
    messages: list[Table] = [
        {"role": OLD_KEYS[key], "content": text} for key, text in texts.items() if text.strip()
    ]
    rest = {key: value for key, value in data.items() if key not in old}
    named = {key: rest.pop(key) for key in ("id",) if key in rest}
    return Updated({**named, "messages": [*messages], **rest}, old)
