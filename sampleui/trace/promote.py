"""A new sample from a run: the transcript of a record, and turns 1 to N of it as a sample."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.trace.events import ABSENT, Kind, Maybe, TraceEvent, snake
from sampleui.trace.preview import full_text, to_json
from sampleui.trace.reading.extract import Trace
from sampleui.trace.reading.messages import is_text, text_of
from sampleui.trace.reading.response import is_message
from sampleui.trace.timeline import pairs

_KEPT = ("role", "name", "content", "tool_calls", "tool_call_id")
_INPUTS = ("input_messages", "input", "question", "prompt")
_OF_THE_RUN = frozenset({"duration_ms", "token_usage", "cost_usd", "timestamp", "start_time", "end_time", "trace"})


def transcript(record: Mapping[str, Plain], trace: Trace, prompt: Sequence[Table] = ()) -> tuple[Table, ...]:
    """Return the conversation of a record as messages: what was asked, then what the run did.

    What was asked is `prompt` (the messages of the sample) where given, or else what the record says of its input.
    What the run did are its output messages without what is true of that run alone (times, tokens, cost); of a
    record without them its events as messages, calls and results in OpenAI's shape; with neither, its answer. A run
    that begins by repeating what it was asked does not ask it twice.
    """
    data = snake(record)
    asked = [_message(message) for message in prompt] or _asked(data)
    messages = [_message(entry) for entry in trace.response.wire_messages if is_message(entry)]
    if not messages:
        messages = list(_from_events(trace.events))
    if not messages and trace.response.text:
        messages = [{"role": "assistant", "content": trace.response.text}]
    return (*asked, *messages[_repeated(asked, messages) :])


def new_sample(turns: Sequence[Table], count: int, sample_id: str, messages_path: DataPath) -> Table:
    """Return a sample of the first turns of a transcript.

    Args:
        turns: the transcript.
        count: how many of its turns to take, from 1.
        sample_id: the id of the sample.
        messages_path: the keys under which the deck's dialect keeps messages: `("messages",)`, `("vars", "input")`.

    Raises:
        PathError: when there are not that many turns, or the path does not name keys.
    """
    if not 1 <= count <= len(turns):
        raise PathError(f"there is no turn {count}: the transcript has {len(turns)}")
    if not messages_path or not all(isinstance(key, str) for key in messages_path):
        raise PathError("messages must be under a key")
    value: Plain = [dict(turn) for turn in turns[:count]]
    for key in reversed(messages_path):
        value = {str(key): value}
    return {"id": sample_id, **value} if isinstance(value, dict) else {"id": sample_id}


def _asked(data: Table) -> list[Table]:
    for key in _INPUTS:
        value = data.get(key)
        if isinstance(value, str) and value:
            return [{"role": "user", "content": value}]
        if isinstance(value, list) and any(map(is_message, value)):
            return [_message(entry) for entry in value if is_message(entry)]
    return []


def _repeated(asked: Sequence[Table], answered: Sequence[Table]) -> int:
    """Return how many messages a run repeats of what was asked before it says something of its own."""
    # An answer may well be that of an example in the prompt: only a question is known to be a repetition.
    if not answered or answered[0]["role"] == "assistant":
        return 0
    starts = (index for index in range(len(asked)) if all(map(_same, asked[index:], answered)))
    return len(asked) - next(starts, len(asked))


def _same(message: Table, other: Table) -> bool:
    """Tell whether two messages are the same except for the white space around them, which files of a run drop."""
    return _bare(message) == _bare(other)


def _bare(message: Table) -> Table:
    content = message.get("content")
    return {**message, "content": content.strip()} if isinstance(content, str) else message


def _message(entry: Plain) -> Table:
    """Return a message as a deck holds it: a content of texts as one text, nothing that only the run knows."""
    table = snake(entry) if isinstance(entry, dict) else {}
    kept = {key: table[key] for key in _KEPT if table.get(key) is not None}
    content = kept.get("content")
    if isinstance(content, list) and is_text(content):
        kept["content"] = text_of(content) or ""
    calls = kept.get("tool_calls")
    if isinstance(calls, list):
        kept["tool_calls"] = [_call(call) if isinstance(call, dict) else call for call in calls]
    return kept


def _call(call: Table) -> Table:
    return {key: value for key, value in snake(call).items() if key not in _OF_THE_RUN}


def _from_events(events: Sequence[TraceEvent]) -> Iterator[Table]:
    calls = [index for index, event in enumerate(events) if event.type is Kind.TOOL_CALL]
    ids = {index: str(events[index].id or f"call_{number}") for number, index in enumerate(calls, 1)}
    answered = {result: ids[call] for call, result in pairs(events).items()}
    turn: Table = {}
    for index, event in enumerate(events):
        if event.type is Kind.TOOL_CALL:
            turn = {"role": "assistant", **turn, "tool_calls": [*_calls(turn), _openai_call(event, ids[index])]}
            if event.output is ABSENT:
                continue
        if turn:
            yield turn
        turn = {}
        if event.type is Kind.TOOL_CALL:
            yield _tool_message(ids[index], event.output)
        elif event.type is Kind.TOOL_RESULT:
            yield _tool_message(answered.get(index, str(event.id or "")), event.output)
        elif event.text and event.type is not Kind.ERROR:
            message: Table = {"role": _role(event), "content": event.text}
            if message["role"] == "assistant":
                turn = message
            else:
                yield message
    if turn:
        yield turn


def _calls(turn: Table) -> list[Plain]:
    calls = turn.get("tool_calls")
    return calls if isinstance(calls, list) else []


def _openai_call(event: TraceEvent, call_id: str) -> Table:
    arguments = event.input if isinstance(event.input, str) else _json(event.input)
    return {"id": call_id, "type": "function", "function": {"name": event.name or "", "arguments": arguments}}


def _tool_message(call_id: str, output: Maybe) -> Table:
    return {"role": "tool", "tool_call_id": call_id, "content": full_text(output)}


def _json(value: Maybe) -> str:
    return "{}" if value is ABSENT else to_json(value)


def _role(event: TraceEvent) -> str:
    role = (event.metadata or {}).get("role")
    return role if isinstance(role, str) and role else "assistant"
