"""calibrate's old samples: `userMessage` and `assistantResponse` in place of messages.

calibrate itself no longer reads them (sample format migration, "Clean Break Approach"), so neither is one read as
the sample that it can be rewritten as.
"""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.sample.dialects.dialect import Updated

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
