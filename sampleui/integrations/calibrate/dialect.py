"""calibrate: its samples, which are conversations with a score and what is expected, and what else is known of it.

Its old samples have `userMessage` and `assistantResponse` in place of messages (sample format migration). It no
longer reads them ("Clean Break Approach"), so neither is one read as the sample that it can be rewritten as.
"""

from __future__ import annotations

from sampleui.formats.data import Table
from sampleui.integrations.calibrate.fields import BESIDE, FIELDS
from sampleui.integrations.integration import Spellings
from sampleui.sample.dialects.dialect import Contents, Dialect, Expected, Older, Updated, paths

CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    purpose="conversations, and what a grader should find",
    integration="calibrate",
    containers=(("samples",), ()),
    formats=("toml", "markdown"),
    message_paths=paths("messages"),
    expected=Expected(paths=paths("expected")),
    tag_paths=paths("tags"),
    contents=Contents(text_key="value", attaches_files=True),
    metadata="",
    rules=("content-segments", "segment-invalid", "legacy-record"),
    older=Older.REWRITTEN,
    fields=FIELDS,
    beside=BESIDE,
    modelled=True,
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


DIALECTS = Spellings((CALIBRATE,), updated=updated)
