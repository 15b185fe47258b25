"""Output messages, and the events that they stand for.

Two shapes of tool calls are read alike: runners' (`tool`, `input`, `output`) and OpenAI's (`function.name`,
`function.arguments` as JSON text, and `tool` messages that answer by `tool_call_id`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from sampleui.formats.data import DataPath, Plain, Table, as_list
from sampleui.sample.message import TEXT_TYPES, behind_thinking, is_thinking, thought_of, without_thinking
from sampleui.sample.message_shapes import usual_messages
from sampleui.text.diagnostic import Finding, Severity
from sampleui.trace.events import ABSENT, THOUGHT, EventType, Maybe, TraceEvent, number, snake
from sampleui.trace.summary import instant, milliseconds

_TOOL_ROLES = frozenset({"tool", "function"})
_FACTS = ("token_usage", "cost_usd", "is_error", "error", "status", "depth", "agent", "parent")


@dataclass(frozen=True, slots=True)
class OutputCall:
    """A tool call of a message. `facts` are what the run says of it: tokens, cost, errors."""

    tool: str
    input: Maybe = ABSENT
    output: Maybe = ABSENT
    id: str | None = None
    timestamp: str | None = None
    duration_ms: float | None = None
    facts: Table = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutputMessage:
    """A message that a run gave out. `content` is text, a list of segments, or any other data."""

    role: str
    name: str | None = None
    content: Maybe = ABSENT
    tool_calls: tuple[OutputCall, ...] = ()
    tool_call_id: str | None = None
    timestamp: str | None = None
    duration_ms: float | None = None
    facts: Table = field(default_factory=dict)
    thought: str = ""


def warning(rule: str, message: str, node: DataPath) -> Finding:
    """Return a warning about a record."""
    return Finding(rule, Severity.WARNING, message, node)


def parse_messages(entries: Sequence[Plain], node: DataPath, notes: list[Finding]) -> tuple[OutputMessage, ...]:
    """Return the messages of a list; what is not a message is skipped with a warning added to `notes`."""
    return parse_usual([usual_messages(entry) for entry in entries], node, notes)


def parse_usual(
    entries: Iterable[Sequence[Table]], node: DataPath, notes: list[Finding]
) -> tuple[OutputMessage, ...]:
    """Return the messages of a list, given those of each entry in the usual form, as `parse_messages` does."""
    messages: list[OutputMessage] = []
    for index, usual in enumerate(entries):
        if not usual:
            notes.append(warning("output-message-invalid", "an output message must have a role", (*node, index)))
        messages += [_message(str(table["role"]), table, (*node, index), notes) for table in map(snake, usual)]
    return tuple(messages)


def events_of(messages: Sequence[OutputMessage]) -> Iterator[TraceEvent]:
    """Yield the events of messages in array order ("Support Output Messages Traces", §2).

    What is said comes before the calls of the same message, and what was thought before both. A message that says
    nothing but carries a duration or tokens is a model step. A timestamp is the call's, or else the message's, or
    else none.
    """
    names: dict[str, str] = {}
    for message in messages:
        if message.role in _TOOL_ROLES:
            yield _result(message, names)
            continue
        yield from _text_events(message)
        for call in message.tool_calls:
            if call.id is not None:
                names[call.id] = call.tool
            yield TraceEvent(
                EventType.TOOL_CALL,
                id=call.id,
                name=call.tool,
                input=call.input,
                output=call.output,
                timestamp=call.timestamp or message.timestamp,
                duration_ms=call.duration_ms,
                extra=call.facts,
            )


def text_of(content: Maybe) -> str | None:
    """Return what a content says: a text, or the texts of its segments on lines of their own; None for neither."""
    if isinstance(content, str):
        return content or None
    if not isinstance(content, list):
        return None
    texts = [text for text in map(_segment_text, content) if text]
    return "\n".join(texts) or None


def _segment_text(segment: Plain) -> str | None:
    if isinstance(segment, str):
        return segment
    if not isinstance(segment, dict) or is_thinking(segment):
        return None
    if segment.get("type", "text") not in TEXT_TYPES:
        return None
    return next((text for key in ("text", "value") if isinstance(text := segment.get(key), str)), None)


def thought_event(thought: str, timestamp: str | None = None) -> TraceEvent:
    """Return the event of what a model thought before it said or called something."""
    return TraceEvent(EventType.MESSAGE, text=thought, timestamp=timestamp, metadata={"role": THOUGHT})


def is_text(content: Maybe) -> bool:
    """Tell whether a content is said in full by its texts."""
    if isinstance(content, list):
        return all(_segment_text(segment) is not None for segment in content)
    return content is None or content is ABSENT or isinstance(content, str)


def _text_events(message: OutputMessage) -> Iterator[TraceEvent]:
    if message.thought:
        yield thought_event(message.thought, message.timestamp)
    content = message.content
    if message.thought and isinstance(content, list):
        content = without_thinking(content) or ABSENT
    text, rest = text_of(content), ABSENT if is_text(content) else content
    if message.thought and text is not None:
        text = behind_thinking(text) or None
    silent = text is None and rest is ABSENT
    if silent and not message.facts and message.duration_ms is None:
        return
    yield TraceEvent(
        EventType.MODEL_STEP if silent else EventType.MESSAGE,
        name=message.name,
        text=text,
        output=rest,
        timestamp=message.timestamp,
        duration_ms=message.duration_ms,
        metadata={"role": message.role},
        extra=message.facts,
    )


def _result(message: OutputMessage, names: dict[str, str]) -> TraceEvent:
    called = names.get(message.tool_call_id) if message.tool_call_id is not None else None
    whole = text_of(message.content) if isinstance(message.content, list) and is_text(message.content) else None
    return TraceEvent(
        EventType.TOOL_RESULT,
        id=message.tool_call_id,
        name=called or message.name,
        output=message.content if whole is None else whole,
        timestamp=message.timestamp,
        duration_ms=message.duration_ms,
        extra=message.facts,
    )


def _message(role: str, table: Table, node: DataPath, notes: list[Finding]) -> OutputMessage:
    calls = table.get("tool_calls")
    if calls is not None and not isinstance(calls, list):
        notes.append(warning("tool-call-invalid", "tool_calls must be a list", (*node, "tool_calls")))
    read = [_call(entry, (*node, "tool_calls", index), notes) for index, entry in enumerate(as_list(calls))]
    return OutputMessage(
        role=role,
        name=_text(table, "name"),
        content=table.get("content", ABSENT),
        tool_calls=tuple(call for call in read if call is not None),
        tool_call_id=_text(table, "tool_call_id"),
        timestamp=_timestamp(table),
        duration_ms=_duration(table),
        facts=_facts(table),
        thought="" if role in ("user", "system", *_TOOL_ROLES) else thought_of(table),
    )


def _call(entry: Plain, node: DataPath, notes: list[Finding]) -> OutputCall | None:
    table = snake(entry) if isinstance(entry, dict) else {}
    function = table.get("function")
    shape = function if isinstance(function, dict) else table
    tool = _text(table, "tool") or _text(shape, "name")
    if tool is None:
        notes.append(warning("tool-call-invalid", "a tool call must name its tool", node))
        return None
    return OutputCall(
        tool=tool,
        input=_input(table, shape, node, notes),
        output=table.get("output", ABSENT),
        id=_text(table, "id"),
        timestamp=_timestamp(table),
        duration_ms=_duration(table),
        facts=_facts(table),
    )


def _input(table: Table, shape: Table, node: DataPath, notes: list[Finding]) -> Maybe:
    if "input" in table:
        return table["input"]
    arguments = shape.get("arguments", ABSENT)
    if not isinstance(arguments, str) or not arguments.strip():
        return arguments
    try:
        parsed: Plain = json.loads(arguments)
    except (ValueError, RecursionError):
        where = (*node, "function", "arguments") if shape is not table else (*node, "arguments")
        notes.append(warning("tool-arguments-not-json", "the arguments of the call are not JSON", where))
        return arguments
    return parsed


def _text(table: Table, key: str) -> str | None:
    value = table.get(key)
    return value if isinstance(value, str) and value else None


def _timestamp(table: Table) -> str | None:
    return _text(table, "timestamp") or _text(table, "start_time")


def _duration(table: Table) -> float | None:
    """Return how long something took: as given, or else from its start to its end."""
    duration = number(table.get("duration_ms"))
    start, end = instant(_timestamp(table)), instant(_text(table, "end_time"))
    if duration is not None or start is None or end is None:
        return duration
    return max(milliseconds(start, end), 0.0)


def _facts(table: Table) -> Table:
    return {key: table[key] for key in _FACTS if table.get(key) is not None}
