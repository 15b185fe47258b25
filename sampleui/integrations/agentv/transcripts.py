"""Transcripts that AgentV writes to files of their own, as output messages.

AgentV 4.42 writes `transcript.jsonl` (`agentv.transcript.v1`, one message per line) and `trace.json`
(`agentv.trace.v1`, OpenTelemetry spans whose root carries the messages); the next one writes `transcript.json`
(`agentv.normalized_transcript.v1`, turns of content blocks).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.formats.data import Plain, Table, tables_in
from sampleui.integrations.integration import Transcripts
from sampleui.sample.message import is_thinking
from sampleui.trace.events import number, snake
from sampleui.trace.summary import moment_at

_OF_A_LINE = {"id": "test_id", "target": "target", "schema_version": "schema_version"}
_OF_THE_FILE = ("token_usage", "duration_ms", "cost_usd")
_ROOT = "agentv.trace."
_MESSAGE = "agentv.transcript.message"
_FAILED = ("error", "cancelled")


def record_of(data: Plain) -> Table | None:
    """Return the record that a transcript stands for, None when it is not a transcript.

    Its `output_messages` are the messages in order; `id`, `target`, `schema_version`, `token_usage`, `duration_ms`,
    `cost_usd` and `start_time` are given where the transcript says them.
    """
    if isinstance(data, list):
        rows = [row for row in data if isinstance(row, dict)]
        return _of_lines(rows) if rows and _is_line(rows[0]) else None
    if not isinstance(data, dict):
        return None
    if _is_line(data):
        return _of_lines([data])
    spans = _table(data.get("trace")).get("spans", data.get("spans"))
    if isinstance(spans, list):
        return _of_spans(data, [span for span in spans if isinstance(span, dict)])
    turns = data.get("turns")
    return _of_turns(data, turns) if isinstance(turns, list) else None


def _is_line(row: Table) -> bool:
    return "message_index" in row and isinstance(row.get("role"), str)


def record_of_line(row: Table) -> tuple[Plain, ...] | None:
    """Return what the lines of one record have in common; None for what is no message of a transcript."""
    if "message_index" not in row:
        return None
    return tuple(row.get(key) for key in ("test_id", "target", "conversation_id"))


def _of_lines(rows: Sequence[Table]) -> Table:
    first = rows[0]
    record: Table = {key: first.get(written) for key, written in _OF_A_LINE.items()}
    record |= {key: first.get(f"transcript_{key}") for key in _OF_THE_FILE}
    record["duration_ms"] = record["duration_ms"] or None
    written = ({key: row[key] for key in row if key in _LINE} for row in rows)
    messages: list[Plain] = [_with_own_times(message, record["duration_ms"]) for message in written]
    return {**{key: value for key, value in record.items() if value is not None}, "output_messages": messages}


def _with_own_times(message: Table, whole: Plain) -> Table:
    """Return a message without the times of the whole run in its calls, which AgentV writes for want of others."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list) or whole is None:
        return message
    own: list[Plain] = [
        {key: value for key, value in call.items() if key not in _TIMES}
        if isinstance(call, dict) and call.get("duration_ms") == whole
        else call
        for call in calls
    ]
    return {**message, "tool_calls": own}


_TIMES = frozenset({"start_time", "end_time", "duration_ms"})
_LINE = frozenset({
    "role", "name", "content", "tool_calls", "tool_call_id", "start_time", "end_time", "duration_ms", "metadata",
    "token_usage", "cost_usd",
})  # fmt: skip


# Spans


def _of_spans(data: Table, spans: Sequence[Table]) -> Table:
    root = next((span for span in spans if not span.get("parent_span_id")), {})
    attributes = _attributes(root)
    facts = {key.removeprefix(_ROOT): value for key, value in attributes.items() if key.startswith(_ROOT)}
    named = _table(data.get("eval"))
    took = facts.get("duration_ms", _took(root)) or None
    messages = _messages(root, [span for span in spans if span is not root])
    record: Table = {
        "id": attributes.get("agentv.test_id", named.get("test_id")),
        "target": attributes.get("agentv.target", named.get("target")),
        "schema_version": data.get("schema_version"),
        "start_time": _moment(root.get("start_time_unix_nano")),
        "duration_ms": took,
        "cost_usd": facts.get("cost_usd"),
        "token_usage": _usage(attributes),
        "scores": data.get("scores"),
        "output_messages": [_with_own_times(message, took) for message in messages],
    }
    return {key: value for key, value in record.items() if value is not None}


def _messages(root: Table, spans: Sequence[Table]) -> Iterator[Table]:
    """Yield the messages that the root carries, with the times that spans know; else those of the spans."""
    ordered = sorted(spans, key=lambda span: _nanos(span.get("start_time_unix_nano")) or 0)
    chats = {_index(span): span for span in reversed(ordered) if _operation(span) == "chat"}
    tools: dict[Plain, list[Table]] = {}
    for span in ordered:
        if _operation(span) == "execute_tool":
            tools.setdefault(_index(span), []).append(span)
    written = [_table(_attributes(event).get(_MESSAGE)) for event in tables_in(root.get("events"))]
    carried = [message for message in written if isinstance(message.get("role"), str)]
    if carried:
        for index, message in enumerate(carried):
            yield _timed(message, chats.get(index), tools.get(index, []))
        return
    for span in ordered:
        if _operation(span) == "chat":
            said = _attributes(span)
            answer = said.get("gen_ai.output.messages", said.get("output.value", ""))
            yield _timed({"role": "assistant", "content": answer}, span, tools.pop(_index(span), []))
    for left in tools.values():
        yield {"role": "assistant", "content": "", "tool_calls": [_call(span) for span in left]}


def _timed(message: Table, chat: Table | None, tools: Sequence[Table]) -> Table:
    """Return a message with the times, tokens and calls that its spans give and it does not."""
    known: Table = {}
    if chat is not None:
        known = {
            "start_time": _moment(chat.get("start_time_unix_nano")),
            "duration_ms": _took(chat),
            "token_usage": _usage(_attributes(chat)),
        }
    calls = message.get("tool_calls")
    if not calls and tools:
        known["tool_calls"] = [_call(span) for span in tools]
    return {**{key: value for key, value in known.items() if value is not None}, **message}


def _call(span: Table) -> Table:
    attributes = _attributes(span)
    status = _table(span.get("status"))
    failed = status.get("code") in ("ERROR", 2, "STATUS_CODE_ERROR")
    call: Table = {
        "tool": attributes.get("gen_ai.tool.name", attributes.get("tool.name", span.get("name"))),
        "id": attributes.get("gen_ai.tool.call.id", attributes.get("tool.id")),
        "input": attributes.get("gen_ai.tool.call.arguments", attributes.get("input.value")),
        "output": attributes.get("gen_ai.tool.call.result", attributes.get("output.value")),
        "start_time": _moment(span.get("start_time_unix_nano")),
        "duration_ms": _took(span),
        "status": "error" if failed else None,
        "error": (status.get("message") or _exception(span) or attributes.get("error.type")) if failed else None,
    }
    return {key: value for key, value in call.items() if value is not None}


def _exception(span: Table) -> Plain:
    """Return the message of the exception that a span recorded (OpenTelemetry, "Exceptions in spans")."""
    events = [_attributes(event) for event in tables_in(span.get("events")) if event.get("name") == "exception"]
    return next((message for event in events if (message := event.get("exception.message"))), None)


def _operation(span: Table) -> Plain:
    attributes = _attributes(span)
    kind = {"LLM": "chat", "TOOL": "execute_tool"}.get(str(attributes.get("openinference.span.kind")))
    return attributes.get("gen_ai.operation.name", kind)


def _index(span: Table) -> Plain:
    attributes = _attributes(span)
    index = attributes.get("agentv.message.index")
    return index if isinstance(index, int) else str(span.get("span_id"))


def _usage(attributes: Table) -> Plain:
    read = attributes.get("gen_ai.usage.input_tokens", attributes.get("llm.token_count.prompt"))
    written = attributes.get("gen_ai.usage.output_tokens", attributes.get("llm.token_count.completion"))
    return {key: value for key, value in (("input", read), ("output", written)) if value is not None} or None


def _attributes(span: Table) -> Table:
    return _table(span.get("attributes"))


def _nanos(value: Plain) -> int | None:
    try:
        return int(value) if isinstance(value, str | int) else None
    except ValueError:
        return None


def _moment(nanos: Plain) -> str | None:
    """Return nanoseconds since 1970 as ISO 8601."""
    position = _nanos(nanos)
    return moment_at(position / 1e9, "milliseconds") if position else None


def _took(span: Table) -> float | None:
    start, end = _nanos(span.get("start_time_unix_nano")), _nanos(span.get("end_time_unix_nano"))
    return None if start is None or end is None or end < start else (end - start) / 1e6


# Turns of content blocks


def _of_turns(data: Table, turns: list[Plain]) -> Table:
    messages: list[Plain] = [_turn(turn) for turn in turns if isinstance(turn, dict)]
    summary = _table(data.get("transcript_summary"))
    record = {key: data.get(key) for key in ("target", "schema_version")}
    record |= {"cost_usd": summary.get("cost_usd"), "output_messages": messages}
    return {key: value for key, value in record.items() if value is not None}


def _turn(turn: Table) -> Table:
    blocks = tables_in(turn.get("content"))
    usage = {"input": turn.get("input_tokens"), "output": turn.get("output_tokens")}
    message: Table = {
        "role": str(turn.get("type", turn.get("role", "assistant"))),
        "content": [block for block in blocks if block.get("type") != "tool_use" and not is_thinking(block)],
        "tool_calls": [_used(block) for block in blocks if block.get("type") == "tool_use"] or None,
        "start_time": turn.get("ts"),
        "metadata": {"thinking": thoughts} if (thoughts := _thoughts(blocks)) else None,
        "token_usage": {key: count for key, count in usage.items() if count is not None} or None,
    }
    return {key: value for key, value in message.items() if value is not None}


def _used(block: Table) -> Table:
    result = _table(block.get("result"))
    call: Table = {
        "tool": block.get("name", block.get("tool_name")),
        "id": block.get("id"),
        "input": block.get("input"),
        "output": result.get("output"),
        "duration_ms": number(result.get("duration_ms")),
        "status": "error" if result.get("status") in _FAILED else None,
    }
    return {key: value for key, value in call.items() if value is not None}


def _thoughts(blocks: Sequence[Table]) -> str:
    thoughts = (block.get("text", block.get("thinking", "")) for block in blocks if is_thinking(block))
    return "\n\n".join(str(thought) for thought in thoughts if thought)


def _table(value: Plain) -> Table:
    return snake(value) if isinstance(value, dict) else {}


TRANSCRIPTS = Transcripts(record_of, record_of_line)
