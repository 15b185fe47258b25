"""Random runs of agents, written as spans by each convention, and the events that they are.

A run is a plan first: an agent with a task takes turns, in each of which its model says something or calls tools; a
tool returns a text, fails, or has an agent of its own work.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

WORDS = ("Paris", "the report", "naïve", "日本", "line\nbreak", 'a "quoted" word', "x" * 40, "{not json", "🙂", "0")


@dataclass
class Call:
    """A call of a tool; `agent` is who works in it."""

    id: str
    name: str
    arguments: dict[str, Any]
    result: str | None = None
    error: str | None = None
    agent: Agent | None = None


@dataclass
class Turn:
    """What a model said once; `error` is why it said nothing."""

    text: str | None
    calls: list[Call]
    tokens: tuple[int, int]
    error: str | None = None


@dataclass
class Agent:
    """What an agent was to do, and did."""

    name: str
    system: str | None
    task: str
    turns: list[Turn] = field(default_factory=list)


def plan(rng: random.Random, depth: int = 3) -> Agent:
    """Return a random run of agents, at most so many deep."""
    counter = iter(range(10_000))

    def text() -> str:
        return f"{rng.choice(WORDS)} {next(counter)}"

    def call(level: int, number: int) -> Call:
        made = Call(
            f"call_{number}", rng.choice(("search", "read", "run_it")), {"q": next(counter), "w": rng.choice(WORDS)}
        )
        if rng.random() < 0.15:
            made.error = f"ValueError: {text()}"
        elif level and rng.random() < 0.35:
            made.agent = agent(level - 1)
            made.result = next((turn.text for turn in made.agent.turns[::-1] if turn.text), None) or text()
        else:
            made.result = text()
        return made

    def agent(level: int) -> Agent:
        made = Agent(rng.choice(("boss", "reader", "writer")), text() if rng.random() < 0.5 else None, text())
        number = 0
        for _ in range(rng.randint(0, 3)):
            calls = []
            for _ in range(rng.choice((1, 1, 1, 2, 3))):
                number += 1
                calls.append(call(level, number))
            made.turns.append(Turn(text() if rng.random() < 0.4 else None, calls, _tokens(rng)))
        failed = rng.random() < 0.1
        last = Turn(None, [], (0, 0), f"RateLimitError: {text()}") if failed else Turn(text(), [], _tokens(rng))
        made.turns.append(last)
        return made

    return agent(depth)


def _tokens(rng: random.Random) -> tuple[int, int]:
    return rng.randint(1, 5000), rng.randint(1, 500)


@dataclass
class Told:
    """An event, as a reader is to tell it: `path` has the calls that it happened in, by their number."""

    type: str
    path: tuple[int, ...]
    agent: str | None
    name: str | None = None
    role: str | None = None
    text: str | None = None
    input: Any = None
    output: Any = None
    error: str | None = None
    tokens: tuple[int, int] | None = None


def expected(agent: Agent, path: tuple[int, ...] = (), *, named: bool = False) -> Iterator[Told]:
    """Yield the events of a run."""
    name = agent.name if named else None
    if agent.system is not None:
        yield Told("message", path, name, role="system", text=agent.system)
    yield Told("message", path, name, role="user", text=agent.task)
    for turn in agent.turns:
        yield Told("model_step", path, name, error=turn.error, tokens=None if turn.error else turn.tokens)
        if turn.text is not None:
            yield Told("message", path, name, role="assistant", text=turn.text)
        for call in turn.calls:
            yield Told(
                "tool_call", path, name, name=call.name, input=call.arguments, output=call.result, error=call.error
            )
            if call.agent is not None:
                yield from expected(call.agent, (*path, call.arguments["q"]), named=True)


def told(events: list[dict[str, Any]]) -> list[Told]:
    """Return the events of a trace, as it was read, in the same form."""
    paths: dict[str, tuple[int, ...]] = {}
    read = []
    for event in events:
        parent = event.get("parent")
        path = paths[parent] if parent is not None else ()
        kind, metadata = event["type"], event.get("metadata") or {}
        usage = event.get("token_usage") or {}
        tokens = (usage["input"], usage["output"]) if usage else None
        if event.get("id") is not None and kind == "tool_call":
            paths[event["id"]] = (*path, event["input"]["q"])
        read.append(Told(
            kind, path, event.get("agent"), event["name"] if kind == "tool_call" else None, metadata.get("role"),
            event.get("text"), event.get("input"), event.get("output"), event.get("error"), tokens,
        ))  # fmt: skip
    return read


@dataclass
class Span:
    """A span before any convention: what it is, whose it is in, and when it was, in ns."""

    kind: str
    id: str
    parent: str
    start: int
    end: int
    agent: Agent
    given: list[dict[str, Any]]
    turn: Turn | None = None
    call: Call | None = None
    error: str | None = None


def spans(agent: Agent, rng: random.Random) -> list[Span]:
    """Return the spans of a run, as they end."""
    clock = iter(range(1_750_000_000_000_000_000, 2**62, 1_000_000))
    ended: list[Span] = []

    def run(agent: Agent, parent: str) -> None:
        own = Span("agent", f"{rng.getrandbits(64) | 1:016x}", parent, next(clock), 0, agent, [])
        given: list[dict[str, Any]] = []
        if agent.system is not None:
            given.append({"role": "system", "content": agent.system})
        given.append({"role": "user", "content": agent.task})
        for turn in agent.turns:
            chat = Span(
                "chat",
                f"{rng.getrandbits(64) | 1:016x}",
                own.id,
                next(clock),
                0,
                agent,
                [*given],
                turn,
                error=turn.error,
            )
            chat.end = next(clock)
            ended.append(chat)
            given.append({"role": "assistant", "content": turn.text, "calls": turn.calls})
            for call in turn.calls:
                tool = Span(
                    "tool",
                    f"{rng.getrandbits(64) | 1:016x}",
                    own.id,
                    next(clock),
                    0,
                    agent,
                    [],
                    call=call,
                    error=call.error,
                )
                if call.agent is not None:
                    run(call.agent, tool.id)
                tool.end = next(clock)
                ended.append(tool)
                given.append({"role": "tool", "id": call.id, "content": call.error or call.result})
        own.end = next(clock)
        ended.append(own)

    run(agent, "")
    return ended


Attributes = dict[str, Any]


def genai(span: Span) -> Attributes:
    """Return attributes by OpenTelemetry's conventions of 2026, messages as JSON."""
    if span.kind == "agent":
        return {"gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": span.agent.name}
    if span.call is not None:
        return {
            "gen_ai.operation.name": "execute_tool",
            "gen_ai.tool.name": span.call.name,
            "gen_ai.tool.call.id": span.call.id,
            "gen_ai.tool.call.arguments": json.dumps(span.call.arguments),
            **({"gen_ai.tool.call.result": span.call.result} if span.call.result is not None else {}),
        }
    assert span.turn is not None
    system = [message for message in span.given if message["role"] == "system"]
    given = [_parts(message) for message in span.given if message["role"] != "system"]
    said = _parts({"role": "assistant", "content": span.turn.text, "calls": span.turn.calls})
    return {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "gpt-4o",
        "gen_ai.input.messages": json.dumps(given),
        **(
            {"gen_ai.system_instructions": json.dumps([{"type": "text", "content": system[0]["content"]}])}
            if system
            else {}
        ),
        **({} if span.error else {"gen_ai.output.messages": json.dumps([{**said, "finish_reason": "stop"}])}),
        **_usage(span.turn, "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"),
    }


def openinference(span: Span) -> Attributes:
    """Return attributes by OpenInference's conventions; calls have no ids in the spans of tools."""
    if span.kind == "agent":
        return {"openinference.span.kind": "AGENT", "agent.name": span.agent.name, "input.value": span.agent.task}
    if span.call is not None:
        return {
            "openinference.span.kind": "TOOL",
            "tool.name": span.call.name,
            "input.value": json.dumps(span.call.arguments),
            "input.mime_type": "application/json",
            **({"output.value": span.call.result} if span.call.result is not None else {}),
        }
    assert span.turn is not None
    attributes: Attributes = {"openinference.span.kind": "LLM", "llm.model_name": "gpt-4o", "input.value": "{}"}
    for number, message in enumerate(span.given):
        attributes |= _flat(f"llm.input_messages.{number}.message.", message)
    if span.error is None:
        attributes |= _flat(
            "llm.output_messages.0.message.",
            {"role": "assistant", "content": span.turn.text, "calls": span.turn.calls},
        )
    return attributes | _usage(span.turn, "llm.token_count.prompt", "llm.token_count.completion")


def openllmetry(span: Span) -> Attributes:
    """Return attributes by OpenLLMetry's conventions of up to 0.54."""
    if span.kind == "agent":
        return {
            "traceloop.span.kind": "agent",
            "traceloop.entity.name": span.agent.name,
            "traceloop.entity.input": json.dumps({"args": [], "kwargs": {"task": span.agent.task}}),
        }
    if span.call is not None:
        return {
            "traceloop.span.kind": "tool",
            "traceloop.entity.name": span.call.name,
            "traceloop.entity.input": json.dumps({"args": [], "kwargs": span.call.arguments}),
            **({"traceloop.entity.output": json.dumps(span.call.result)} if span.call.result is not None else {}),
        }
    assert span.turn is not None
    attributes: Attributes = {
        "llm.request.type": "chat",
        "gen_ai.system": "OpenAI",
        "gen_ai.request.model": "gpt-4o",
    }
    for number, message in enumerate(span.given):
        attributes |= _traceloop(f"gen_ai.prompt.{number}.", message)
    if span.error is None:
        attributes |= _traceloop(
            "gen_ai.completion.0.", {"role": "assistant", "content": span.turn.text, "calls": span.turn.calls}
        )
    return attributes | _usage(span.turn, "gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens")


def of_2024(span: Span) -> Attributes:
    """Return attributes by OpenTelemetry's conventions of 2024, whose messages are events (`events_of_2024`)."""
    attributes = genai(span)
    return {key: value for key, value in attributes.items() if "messages" not in key and "instructions" not in key}


def events_of_2024(span: Span) -> list[tuple[str, dict[str, Any]]]:
    """Return the events of a call of a model: names, and what a log record has as its body."""
    if span.turn is None:
        return []
    events = [(f"gen_ai.{message['role']}.message", _event(message)) for message in span.given]
    if span.error is None:
        said = {"role": "assistant", "content": span.turn.text, "calls": span.turn.calls}
        events.append(("gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": _event(said)}))
    return events


def _event(message: dict[str, Any]) -> dict[str, Any]:
    body = {key: message[key] for key in ("content", "id") if message.get(key) is not None}
    if calls := message.get("calls"):
        body["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in calls
        ]
    return body


def _parts(message: dict[str, Any]) -> dict[str, Any]:
    if message["role"] == "tool":
        return {
            "role": "tool",
            "parts": [{"type": "tool_call_response", "id": message["id"], "response": message["content"]}],
        }
    parts: list[dict[str, Any]] = (
        [{"type": "text", "content": message["content"]}] if message["content"] is not None else []
    )
    parts += [
        {"type": "tool_call", "id": call.id, "name": call.name, "arguments": call.arguments}
        for call in message.get("calls", ())
    ]
    return {"role": message["role"], "parts": parts}


def _flat(prefix: str, message: dict[str, Any]) -> Attributes:
    attributes = {f"{prefix}role": message["role"]}
    if message["content"] is not None:
        attributes[f"{prefix}content"] = message["content"]
    if "id" in message:
        attributes[f"{prefix}tool_call_id"] = message["id"]
    for number, call in enumerate(message.get("calls", ())):
        inner = f"{prefix}tool_calls.{number}.tool_call."
        attributes[f"{inner}id"] = call.id
        attributes[f"{inner}function.name"] = call.name
        attributes[f"{inner}function.arguments"] = json.dumps(call.arguments)
    return attributes


def _traceloop(prefix: str, message: dict[str, Any]) -> Attributes:
    attributes = {f"{prefix}role": message["role"]}
    if message["content"] is not None:
        attributes[f"{prefix}content"] = message["content"]
    if "id" in message:
        attributes[f"{prefix}tool_call_id"] = message["id"]
    for number, call in enumerate(message.get("calls", ())):
        inner = f"{prefix}tool_calls.{number}."
        attributes |= {
            f"{inner}id": call.id,
            f"{inner}name": call.name,
            f"{inner}arguments": json.dumps(call.arguments),
        }
    return attributes


def _usage(turn: Turn, read: str, written: str) -> Attributes:
    return {} if turn.error else {read: turn.tokens[0], written: turn.tokens[1]}


def any_value(value: Any) -> dict[str, Any]:
    """Return a value as OTLP types it."""
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, list):
        return {"arrayValue": {"values": [any_value(item) for item in value]}}
    if isinstance(value, dict):
        return {"kvlistValue": {"values": key_values(value)}}
    return {} if value is None else {"stringValue": value}


def key_values(table: dict[str, Any]) -> list[dict[str, Any]]:
    """Return attributes as OTLP has them."""
    return [{"key": key, "value": any_value(value)} for key, value in table.items()]


def otlp_span(span: Span, trace: str, attributes: Attributes) -> dict[str, Any]:
    """Return a span as OTLP/JSON has it."""
    return {
        "traceId": trace,
        "spanId": span.id,
        **({"parentSpanId": span.parent} if span.parent else {}),
        "name": span.kind,
        "kind": 1,
        "startTimeUnixNano": str(span.start),
        "endTimeUnixNano": str(span.end),
        "attributes": key_values(attributes),
        "status": {"code": 2, "message": span.error} if span.error else {},
    }


def lines(trace: str, agent: Agent, rng: random.Random, kind: str) -> list[str]:
    """Return a run as lines of a file, in any order.

    Args:
        trace: the id of its trace.
        agent: the run.
        rng: what the order comes from.
        kind: which convention: `genai`, `openinference`, `openllmetry`, `events`, `logs`, or `phoenix`.
    """
    attributes: Callable[[Span], Attributes] = {
        "openinference": openinference,
        "phoenix": openinference,
        "openllmetry": openllmetry,
        "events": of_2024,
        "logs": of_2024,
    }.get(kind, genai)
    rows: list[dict[str, Any]] = []
    for span in spans(agent, rng):
        if kind == "phoenix":
            rows.append(_row(span, trace, attributes(span)))
            continue
        written = otlp_span(span, trace, attributes(span))
        events = events_of_2024(span) if kind in ("events", "logs") else []
        if events and kind == "events":
            written["events"] = [
                {
                    "timeUnixNano": str(span.start + number),
                    "name": name,
                    "attributes": key_values(
                        {key: value if isinstance(value, str) else json.dumps(value) for key, value in body.items()}
                    ),
                }
                for number, (name, body) in enumerate(events)
            ]
        elif events:
            records = [
                {
                    "timeUnixNano": str(span.start + number),
                    "eventName": name,
                    "traceId": trace,
                    "spanId": span.id,
                    "body": any_value(body),
                }
                for number, (name, body) in enumerate(events)
            ]
            rows.append(
                {"resourceLogs": [{"resource": {}, "scopeLogs": [{"scope": {"name": "x"}, "logRecords": records}]}]}
            )
        rows.append(
            {"resourceSpans": [{"resource": {}, "scopeSpans": [{"scope": {"name": "x"}, "spans": [written]}]}]}
        )
    rng.shuffle(rows)
    return [json.dumps(row, ensure_ascii=rng.random() < 0.5) for row in rows]


def _row(span: Span, trace: str, attributes: Attributes) -> dict[str, Any]:
    kind = attributes.pop("openinference.span.kind")
    return {
        "id": span.id, "name": span.kind, "context": {"trace_id": trace, "span_id": span.id}, "span_kind": kind,
        "parent_id": span.parent or None, "start_time": _iso(span.start), "end_time": _iso(span.end),
        "status_code": "ERROR" if span.error else "OK", "status_message": span.error or "",
        "attributes": attributes, "events": [],
    }  # fmt: skip


def _iso(nanos: int) -> str:
    import datetime as dt

    return dt.datetime.fromtimestamp(nanos // 1000 / 1e6, dt.UTC).isoformat()
