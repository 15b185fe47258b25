"""Events of a trace: what happened in a run, one value for each."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any, NamedTuple, TypeAlias

from sampleui.formats.data import Plain, Table


class EventType(StrEnum):
    """The types of events, in the order filters list them."""

    MODEL_STEP = "model_step"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    MESSAGE = "message"
    ERROR = "error"


class Absent(Enum):
    """The value of a key that is not there, where null would be a value."""

    ABSENT = "absent"


ABSENT = Absent.ABSENT
Maybe: TypeAlias = "Plain | Absent"


class TraceEvent(NamedTuple):
    """One thing that happened. Only its type is required ("Support Output Messages Traces", §4).

    Attributes:
        type: what happened: a call of a model, a tool that was called or returned, something said, or an error.
        id: what pairs a call with its result.
        name: the tool's name; of a message, the name of who spoke.
        input: the arguments of a call; null is a value, `ABSENT` is not.
        output: what a tool returned, on its call if the source gives both in one; null is a value, `ABSENT` is not.
        text: what was said.
        timestamp: ISO 8601 as the source wrote it, never invented.
        duration_ms: how long it took, in milliseconds.
        metadata: whatever else the source says of it; of a message, `{"role": ...}`.
        extra: the keys that are not part of the format, or not of the type it gives them, as they were; those that
            say how events nest are told in `nesting.py`.
    """

    type: EventType
    id: str | int | None = None
    name: str | None = None
    input: Maybe = ABSENT
    output: Maybe = ABSENT
    text: str | None = None
    timestamp: str | None = None
    duration_ms: float | None = None
    metadata: Table | None = None
    extra: Table = {}  # noqa: RUF012 # nobody writes into it


THOUGHT = "thought"
"""The role of a message that is what a model thought, and did not say."""

_ERROR = EventType.ERROR  # a name of its own, because members of an enum are slow to get before Python 3.12
_KINDS = {str(kind): kind for kind in EventType}
_TYPES: Mapping[str, tuple[type, ...]] = {
    "id": (str, int),
    "name": (str,),
    "input": (object,),
    "output": (object,),
    "text": (str,),
    "timestamp": (str,),
    "duration_ms": (int, float),
    "metadata": (dict,),
}
"""The keys of the format with the types that their values have."""
_CAMEL = {
    "costUsd": "cost_usd",
    "durationMs": "duration_ms",
    "endTime": "end_time",
    "errorCount": "error_count",
    "eventCount": "event_count",
    "isError": "is_error",
    "outputMessages": "output_messages",
    "startTime": "start_time",
    "tokenUsage": "token_usage",
    "toolCallId": "tool_call_id",
    "toolCalls": "tool_calls",
    "toolCallsByName": "tool_calls_by_name",
    "traceRef": "trace_ref",
}
_FAILED = frozenset({"error", "failed", "failure", "timeout"})
_TELLING = frozenset({"error", "is_error", "isError", "status"})
"""Keys that may say of an event that it failed."""


def snake(data: Mapping[str, Plain]) -> Table:
    """Return a table with the wire keys that are spelled in camelCase renamed; a snake_case key beside one wins."""
    if _CAMEL.keys().isdisjoint(data):
        return dict(data)
    renamed = {_CAMEL[key]: value for key, value in data.items() if key in _CAMEL}
    return {**renamed, **{key: value for key, value in data.items() if key not in _CAMEL}}


def is_event(data: Plain) -> bool:
    """Tell whether a value is an event in its wire form: a table whose type is one of the five."""
    return isinstance(data, dict) and isinstance(kind := data.get("type"), str) and kind in _KINDS


def parse_event(data: Plain) -> TraceEvent | None:
    """Return a wire value as an event, None when it is not one ("Support Output Messages Traces", §4)."""
    if not isinstance(data, dict) or not is_event(data):
        return None
    known: dict[str, Any] = {}
    extra: Table = {}
    table = data if _CAMEL.keys().isdisjoint(data) else snake(data)
    for key, value in table.items():  # a loop, because it runs for every event of a trace
        types = _TYPES.get(key)
        (extra if types is None or not isinstance(value, types) else known)[key] = value
    del extra["type"]
    if isinstance(known.get("id"), bool):
        extra["id"] = known.pop("id")
    if number(known.get("duration_ms", 0)) is None:
        extra["duration_ms"] = known.pop("duration_ms")
    if not known.get("timestamp"):
        start = extra.get("start_time")
        known["timestamp"] = start if isinstance(start, str) and start else None
    return TraceEvent(_KINDS[str(data["type"])], extra=extra, **known)


def to_data(event: TraceEvent) -> Table:
    """Return an event in its wire form. Keys that are absent stay absent; null stays null."""
    data: Table = {"type": str(event.type)}
    for key in _TYPES:
        value: Maybe = getattr(event, key)
        if value is not None and value is not ABSENT:
            data[key] = value
        elif value is None and key in ("input", "output"):
            data[key] = None
    return {**data, **event.extra}


def failed(event: TraceEvent) -> bool:
    """Tell whether an event is, or says of itself that it is, a failure.

    That is an `error` event, and any other that carries `is_error`, an `error`, or a `status` that names a
    failure, itself or in its metadata. An output that is a table tells by `is_error` or `error` alone, for its
    `status` may be that of what was asked about.
    """
    if event.type is _ERROR or (isinstance(event.output, dict) and _has_error(event.output)):
        return True
    for table in (event.extra, event.metadata):  # a loop, because it runs for every event of a trace
        if table and not _TELLING.isdisjoint(table) and (_has_error(table) or _names_failure(table.get("status"))):
            return True
    return False


def failure(event: TraceEvent) -> str:
    """Return what an event that failed says of that as a text; empty if it says nothing, or did not fail."""
    if not failed(event):
        return ""
    output = event.output if isinstance(event.output, dict) else {}
    for table in (event.extra, event.metadata or {}, output):
        if words := _words(table.get("error")):
            return words
    texts = (event.text, event.output if isinstance(event.output, str) else None, output.get("message"))
    status = event.extra.get("status") or (event.metadata or {}).get("status")
    return next((text for text in (*texts, status) if isinstance(text, str) and text.strip()), "")


def _words(error: Plain) -> str:
    """Return an error as a text: itself, the message of a table, or a value as JSON; of a mere yes nothing."""
    if isinstance(error, dict):
        message = error.get("message")
        return (
            message if isinstance(message, str) and message else json.dumps(error, ensure_ascii=False, default=str)
        )
    if isinstance(error, str):
        return error
    return "" if error is None or isinstance(error, bool) else json.dumps(error, ensure_ascii=False, default=str)


def number(value: Plain) -> float | None:
    """Return a value as a finite number, None when it is not one. Booleans are not numbers."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return value if math.isfinite(value) else None
    except OverflowError:  # an integer beyond every float
        return None


def _has_error(table: Table) -> bool:
    return bool(table.get("error") or table.get("is_error") or table.get("isError"))


def _names_failure(status: Plain) -> bool:
    return isinstance(status, str) and status.lower() in _FAILED
