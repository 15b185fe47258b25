"""calibrate's samples: conversations with a score, and with what is expected (sample format migration)."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Answers, Conversion, Dialect, Older, keys

_MESSAGE = keys("role content name tool_calls tool_call_id")

CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    integration="calibrate",
    containers=(("samples",), ()),
    formats=("toml", "markdown"),
    message_paths=(("messages",),),
    signs=keys("expected score"),
    telling=frozenset(),
    context_signs=keys("meta"),
    expected_paths=(("expected",),),
    tag_paths=(("tags",),),
    known=keys("id messages expected score description tags"),
    nested={"messages": _MESSAGE},
    text_key="value",
    attaches_files=True,
    metadata="",
    rules=("content-segments", "segment-invalid", "legacy-record"),
    older=Older.REWRITTEN,
    answers=Answers.TURN,
    conversion=Conversion(taken_back=keys("score description tags")),
)
