"""The transcript of a run as messages in OpenAI's form, each with the event it begins with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.sample.dialects.field import keys
from sampleui.sample.message import behind_thinking, is_thinking, nested, without_thinking
from sampleui.sample.message_shapes import chat, is_message
from sampleui.trace.events import ABSENT, THOUGHT, EventType, Maybe, TraceEvent, number, snake
from sampleui.trace.nesting import of_the_run, span_of
from sampleui.trace.preview import full_text, to_json
from sampleui.trace.reading.extract import RecordTrace, TraceSource
from sampleui.trace.reading.messages import OutputCall, OutputMessage, events_of, is_text, parse_messages, text_of
from sampleui.trace.timeline import pairs

_SAID = ("role", "name", "content", "function_call", "tool_call_id")
_INPUTS = ("input_messages", "input", "question", "prompt")
_OF_THE_RUN = keys(
    """
    id type function tool_calls duration_ms token_usage cost_usd timestamp start_time end_time is_error error status
    metadata model source usage trace
    """
)
"""Keys of a message that are true of the run alone, and no part of what was said."""


class Transcript(NamedTuple):
    """What was asked, then what the run did.

    Attributes:
        messages: the messages, with calls as OpenAI spells them and what a tool returned as a turn of its own.
        events: for each of them the first event that it stands for, from 0; -1 where none does.
        left_out: the keys of messages that are not among these.
        tools: the tools that could be called, as they were defined; empty where nothing says which.
    """

    messages: tuple[Table, ...]
    events: tuple[int, ...]
    left_out: tuple[str, ...] = ()
    tools: tuple[Table, ...] = ()

    def until(self, event: int) -> int:
        """Return how many messages lead up to an event, its own included, and with a result those beside it."""
        if all(first < 0 for first in self.events):
            return len(self.messages)
        number = max(sum(1 for first in self.events if first <= event), 1)
        roles = [message["role"] for message in self.messages]
        while roles[number - 1 : number + 1] == ["tool", "tool"]:
            number += 1
        return number


class _Turn(NamedTuple):
    message: Table
    event: int = -1


def transcript(
    record: Mapping[str, Plain], trace: RecordTrace, prompt: Sequence[Plain] = (), tools: Sequence[Table] = ()
) -> Transcript:
    """Return the conversation of a record.

    What was asked is `prompt` (the messages of the sample) where given, or else what the record says of its input.
    What the run did are its output messages without what is true of that run alone (times, tokens, cost); of a
    record without them its events as messages; with neither, its answer. A run that begins by repeating what it was
    asked does not ask it twice. Messages that say nothing are left out, and so is what a sub-agent did. The tools
    are those of the sample, which are given, or else those that the record defines.
    """
    data = snake(record)
    messages = [*chat([*prompt])] or _asked(data)
    wire = trace.response.wire_messages
    asked = [*_turns(messages)]
    done = [*_turns(wire, counted=trace.source in (TraceSource.OUTPUT_MESSAGES, TraceSource.TRANSCRIPT))]
    if not done:
        done = [*_from_events(trace.events)]
    if not done and trace.response.text:
        done = [_Turn({"role": "assistant", "content": trace.response.text})]
    thought, done = done, [turn for turn in map(_without_thinking, done) if len(turn.message) > 1]
    repeated = _repeated(asked, done)
    first = len(asked) - repeated
    with_events = [turn._replace(event=again.event) for turn, again in zip(asked[first:], done, strict=False)]
    turns = [*asked[:first], *with_events, *asked[first + len(with_events) :], *done[repeated:]]
    left_out = {key: None for entry in (*messages, *wire) for key in _left_out(entry)}
    has_thought = done != thought or (not wire and any(_role(event) == THOUGHT for event in trace.events))
    left_out |= {"thinking": None} if has_thought else {}
    return Transcript(
        tuple(turn.message for turn in turns),
        tuple(turn.event for turn in turns),
        tuple(left_out),
        (*tools,) or _tools(record),
    )


def _without_thinking(turn: _Turn) -> _Turn:
    """Return a turn without what its model thought in the text of what it said."""
    said = turn.message.get("content")
    if turn.message["role"] != "assistant" or not isinstance(said, str) or (rest := behind_thinking(said)) == said:
        return turn
    message = {key: value for key, value in turn.message.items() if key != "content"}
    return turn._replace(message={**message, "content": rest} if rest else message)


def _tools(record: Mapping[str, Plain]) -> tuple[Table, ...]:
    """Return the tools that a record defines: beside its messages, or in the request that it kept."""
    tables = (record, *(as_table(record.get(key)) for key in ("request", "input", "body", "options")))
    return next((tuple(tools) for table in tables if (tools := tables_in(table.get("tools")))), ())


def _asked(data: Table) -> list[Table]:
    for key in _INPUTS:
        value = data.get(key)
        if isinstance(value, str) and value:
            return [{"role": "user", "content": value}]
        if isinstance(value, list) and (messages := chat(value)):
            return [*messages]
    return []


def _repeated(asked: Sequence[_Turn], done: Sequence[_Turn]) -> int:
    """Return how many messages a run repeats of what was asked before it says something of its own."""
    # An answer may well be that of an example in the prompt: only a question is known to be a repetition.
    if not done or done[0].message["role"] == "assistant":
        return 0
    bare, others = ([_bare(turn.message) for turn in turns] for turns in (asked, done))
    starts = (
        index for index in range(len(bare)) if bare[index : index + len(others)] == others[: len(bare) - index]
    )
    return len(asked) - next(starts, len(asked))


def _bare(message: Table) -> Table:
    """Return a message without the white space around it, which files of a run drop."""
    content = message.get("content")
    return {**message, "content": content.strip()} if isinstance(content, str) else message


def _left_out(entry: Plain) -> Iterator[str]:
    table = snake(entry) if isinstance(entry, dict) else {}
    if any(is_thinking(part) for part in as_list(table.get("content"))):
        yield "thinking"
    yield from (
        key
        for key, value in table.items()
        if key not in _OF_THE_RUN.union(_SAID) and value not in (None, "", [], {})
    )


def _turns(entries: Sequence[Plain], *, counted: bool = False) -> Iterator[_Turn]:
    """Yield messages as a deck holds them: a content of texts as one text, nothing that only the run knows.

    Args:
        entries: the messages as a run has them.
        counted: whether the events of the trace are theirs.
    """
    tables = [_nested(snake(entry)) for entry in entries if isinstance(entry, dict) and is_message(entry)]
    tables = [table for table in tables if table["role"]]
    parsed = parse_messages([*tables], (), [])
    waiting: list[str] = []
    after = 0
    for table, message, calls in zip(tables, parsed, _named_calls(parsed), strict=True):
        first, after = after, after + sum(1 for _ in events_of((message,)))
        turn = _deck_message(table, message)
        if calls:
            turn["tool_calls"] = [_openai_call(call.tool, call.input, name) for name, call in calls]
        if message.role == "tool" and waiting and not message.tool_call_id:
            turn["tool_call_id"] = waiting.pop(0)
        if is_below(table):
            continue
        if turn.keys() - {"role", "name"}:
            yield _Turn(turn, first if counted else -1)
        for place, (name, call) in enumerate(calls, after - len(calls)):
            if (returned := _returned_in(call)) is not ABSENT:
                yield _Turn(_tool_message(name, returned), place if counted else -1)
        waiting = [name for name, call in calls if not call.id and _returned_in(call) is ABSENT] or waiting


def is_below(message: Table) -> bool:
    """Tell whether a message, or what it calls, says that an agent below that of the run did it."""
    about = (message, *tables_in(message.get("tool_calls")))
    return any(bool(table.get("parent")) or (number(table.get("depth")) or 0) > 0 for table in about)


def _returned_in(call: OutputCall) -> Maybe:
    """Return what a call says itself that came back of it: what it returned, or how it failed."""
    return call.facts.get("error", ABSENT) if call.output is ABSENT else call.output


def _named_calls(messages: Sequence[OutputMessage]) -> Iterator[list[tuple[str, OutputCall]]]:
    """Yield the calls of each message, each behind the name that its result refers to it by, "" where none does."""
    known = {call.id for message in messages for call in message.tool_calls}
    free = (name for number in count(1) if (name := f"call_{number}") not in known)
    by_order = any(message.role == "tool" and not message.tool_call_id for message in messages)
    for message in messages:
        yield [
            (call.id or (next(free) if by_order or _returned_in(call) is not ABSENT else ""), call)
            for call in message.tool_calls
        ]


def _nested(table: Table) -> Table:
    calls = table.get("tool_calls")
    return {**table, "tool_calls": [*map(nested, calls)]} if isinstance(calls, list) else table


def _deck_message(table: Table, message: OutputMessage) -> Table:
    """Return what of a message a deck holds; a content that says nothing only of what answers a call.

    What the model thought stays in the run.
    """
    deck_message = {key: table[key] for key in _SAID if table.get(key) is not None}
    content = without_thinking(deck_message.get("content"))
    if content is not None:
        deck_message["content"] = content
    if isinstance(content, list) and is_text(content):
        deck_message["content"] = text_of(content) or ""
    if not deck_message.get("content") and message.role not in ("tool", "function"):
        deck_message.pop("content", None)
    return deck_message


def _from_events(events: Sequence[TraceEvent]) -> Iterator[_Turn]:
    results_of = pairs(events)
    ids = _call_ids(events, results_of)
    answered = {result: ids[call] for call, result in results_of.items()}
    own = of_the_run(events)
    for asked, result in results_of.items():
        own[result] = own[asked]
    by_steps = _tells_steps([event for event, is_own in zip(events, own, strict=True) if is_own])
    turn, results = _Turn({}), list[_Turn]()
    for index, event in enumerate(events):
        if not own[index]:
            continue
        is_call, is_result = (
            event.type is EventType.TOOL_CALL,
            event.type is EventType.TOOL_RESULT or index in answered,
        )
        if not is_result and (not is_call or (results and not by_steps)):
            yield from (item for item in (turn, *results) if item.message)
            turn, results = _Turn({}), []
        if is_call:
            call = _openai_call(event.name or "", event.input, ids[index])
            message: Table = {
                "role": "assistant",
                **turn.message,
                "tool_calls": [*as_list(turn.message.get("tool_calls")), call],
            }
            turn = _Turn(message, turn.event if turn.message else index)
            if event.output is not ABSENT:
                results.append(_Turn(_tool_message(ids[index], _returned(event)), index))
        elif is_result:
            results.append(_Turn(_tool_message(answered.get(index, str(event.id or "")), _returned(event)), index))
        elif event.text and event.type is not EventType.ERROR and _role(event) != THOUGHT:
            turn = _Turn({"role": _role(event), "content": event.text}, index)
            if turn.message["role"] != "assistant":
                yield turn
                turn = _Turn({})
    yield from (item for item in (turn, *results) if item.message)


def _call_ids(events: Sequence[TraceEvent], results_of: Mapping[int, int]) -> dict[int, str]:
    """Return what each call among events is named, given the results of calls; "" where nothing refers to it."""
    calls = [index for index, event in enumerate(events) if event.type is EventType.TOOL_CALL]
    ids: dict[int, str] = {}
    for place, index in enumerate(calls, 1):
        event_id, returned = events[index].id, index in results_of or events[index].output is not ABSENT
        ids[index] = str(event_id) if event_id is not None else f"call_{place}" if returned else ""
    return ids


def _returned(event: TraceEvent) -> Maybe:
    """Return what came back of a call: of one that failed without a word, how it failed."""
    if event.output not in (ABSENT, None, ""):
        return event.output
    return event.text or event.extra.get("error") or event.output


def _tells_steps(events: Sequence[TraceEvent]) -> bool:
    """Tell whether a trace has a step wherever the model was asked, so that calls between two are of one turn."""
    steps = [
        index for index, event in enumerate(events) if event.type is EventType.MODEL_STEP and not span_of(event)
    ]
    tools = [
        index for index, event in enumerate(events) if event.type in (EventType.TOOL_CALL, EventType.TOOL_RESULT)
    ]
    texts = [index for index, event in enumerate(events) if event.text and _role(event) == "assistant"]
    if not steps or not tools or steps[0] > tools[0]:
        return False
    return texts[-1:] < tools[-1:] or steps[-1] > tools[-1]


def _openai_call(name: str, raw_arguments: Maybe, call_id: str) -> Table:
    arguments = (
        raw_arguments
        if isinstance(raw_arguments, str)
        else "{}"
        if raw_arguments is ABSENT
        else to_json(raw_arguments)
    )
    named: Table = {"id": call_id} if call_id else {}
    return {**named, "type": "function", "function": {"name": name, "arguments": arguments}}


def _tool_message(call_id: str, output: Maybe) -> Table:
    return {"role": "tool", "tool_call_id": call_id, "content": full_text(output)}


def _role(event: TraceEvent) -> str:
    role = (event.metadata or {}).get("role")
    return role if isinstance(role, str) and role else "assistant"
