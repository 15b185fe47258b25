"""calibrate's samples: conversations with a score, and with what is expected (sample format migration)."""

from __future__ import annotations

from sampleui.sample.dialects.dialect import Answers, Contents, Conversion, Dialect, Expected, Older, Weights, keys

_MESSAGE = keys("role content name tool_calls tool_call_id")

CALIBRATE = Dialect(
    name="calibrate",
    title="calibrate",
    integration="calibrate",
    containers=(("samples",), ()),
    formats=("toml", "markdown"),
    message_paths=(("messages",),),
    weights=Weights(signs=keys("expected score"), telling=frozenset(), beside=keys("meta")),
    expected=Expected(paths=(("expected",),), answers=Answers.TURN),
    tag_paths=(("tags",),),
    known=keys("id messages expected score description tags"),
    nested={"messages": _MESSAGE},
    contents=Contents(text_key="value", attaches_files=True),
    metadata="",
    rules=("content-segments", "segment-invalid", "legacy-record"),
    older=Older.REWRITTEN,
    conversion=Conversion(taken_back=keys("score description tags")),
)
