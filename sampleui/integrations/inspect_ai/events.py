"""Which events of a log are the run's own, which are those of grading it, and which are of sub-agents."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.inspect_ai.parts import EventHead, SampleParts, heads_of
from sampleui.review.results import fields
from sampleui.sample.tokens import tokens_of
from sampleui.text.limits import MAX_ATTACHED_TEXT, MAX_GIVEN_MESSAGES

_GRADING = ("scorers", "scorer")


class Agent(NamedTuple):
    """Whose a span is.

    Attributes:
        depth: how many agents are above the one that does it; 0 for the run's own and for what no agent does.
        name: that of a sub-agent.
        known: whether an agent does it at all.
        in_tool: whether it is part of what a tool does, which that agent called.
        parent: the id of the call or of the span of an agent that it happened in; "" where that is not known.
    """

    depth: int = 0
    name: str = ""
    known: bool = False
    in_tool: bool = False
    parent: str = ""

    @property
    def facts(self) -> Table:
        """What is told of each event of a sub-agent."""
        if not self.depth:
            return {}
        where: Table = {"parent": self.parent} if self.parent else {"depth": self.depth}
        return {**where, "agent": self.name or None}

    def below(self, span: EventHead, *, alone: bool) -> Agent:
        """Return whose a span in this one is: an agent that a tool or another agent calls is a sub-agent.

        Args:
            span: the span.
            alone: whether no agent stands beside the outermost one, which then is the run's own.
        """
        if span.type == "agent":
            if self.in_tool or self.known or not alone:
                parent = self.parent if self.in_tool else str(span.id)
                return Agent(self.depth + 1, str(span.name or ""), known=True, parent=parent)
            return Agent(known=True)
        return self._replace(in_tool=True, parent="") if span.type == "tool" else self


class _Calls:
    """Which call each span of a tool is: its event follows the span, in the span that the tool was called from."""

    def __init__(self) -> None:
        self._waiting: dict[tuple[object, object], list[str]] = {}
        self._handoffs: dict[object, object] = {}

    def begun(self, span: EventHead) -> None:
        """Note a span that began."""
        if span.type == "handoff":
            self._handoffs[span.id] = span.parent_id
        elif span.type == "tool":
            around = self._handoffs.get(span.parent_id, span.parent_id)
            self._waiting.setdefault((around, span.name), []).append(str(span.id))

    def span_of(self, call: EventHead) -> str | None:
        """Return the span of a call, None where it has none."""
        waiting = self._waiting.get((call.span_id, call.function))
        return waiting.pop(0) if waiting else None


def run_events(events: Sequence[Plain]) -> Iterator[tuple[int, EventHead, Agent]]:
    """Yield the places of the events that are not in the span of a scorer, or between the marks of older logs.

    The beginning of an agent's span is among them where no call began it.
    """
    heads = [*heads_of(events)]
    alone = _outermost_agents(heads) <= 1
    grading: set[object] = set()
    agents: dict[object, Agent] = {}
    nobody, calls = Agent(), _Calls()
    steps = 0
    for index, event in enumerate(heads):
        if event is None:
            continue
        if event.event == "span_begin" and isinstance(event.id, str):
            around = _among(event.parent_id, agents, nobody)
            if event.type in _GRADING or _is_among(event.parent_id, grading):
                grading.add(event.id)
            elif (agent := around.below(event, alone=alone)) is not nobody:
                agents[event.id] = agent
                if agent.parent == event.id:
                    yield index, event, around
            calls.begun(event)
        elif event.event == "step" and (event.type in _GRADING or steps):
            steps = max(steps + (1 if event.action == "begin" else -1), 0)
        elif not steps and not _is_among(event.span_id, grading):
            if event.event == _TOOL and (span := calls.span_of(event)) in agents:
                agents[span] = agents[span]._replace(parent=str(event.id or ""))
            yield index, event, _among(event.span_id, agents, nobody)


def _outermost_agents(heads: Sequence[EventHead | None]) -> int:
    """Return how many agents began in no other and in no tool."""
    inside: set[object] = set()
    count = 0
    for head in heads:
        if head is None or head.event != "span_begin":
            continue
        is_inside = _is_among(head.parent_id, inside)
        if is_inside or head.type in ("agent", "tool"):
            inside.add(head.id if isinstance(head.id, str) else None)
        count += head.type == "agent" and not is_inside
    return count


def _among(span: object, agents: Mapping[object, Agent], nobody: Agent) -> Agent:
    return agents.get(span, nobody) if isinstance(span, str) else nobody


def _is_among(value: object, among: set[object]) -> bool:
    return isinstance(value, str) and value in among


ATTACHED = "attachment://"
_DATA = "data:"
_NAMED = {"image": "image", "audio": "audio", "video": "video", "document": "document"}


class LogAttachments:
    """The attachments of a sample: long texts and files, each kept once and named by `attachment://KEY`."""

    def __init__(self, attachments: Mapping[str, Plain]) -> None:
        self._attachments = attachments
        self._left = MAX_ATTACHED_TEXT

    def resolved(self, value: Plain) -> Plain:
        """Return a value with the attachments it names in it. One that is not kept stays as it is written."""
        return self._resolved(value) if self._attachments else value

    def _resolved(self, value: Plain) -> Plain:
        if isinstance(value, str):
            return self._text(value) if value.startswith(ATTACHED) else value
        if isinstance(value, list):
            return [self._resolved(item) for item in value]
        return {key: self._resolved(item) for key, item in value.items()} if isinstance(value, dict) else value

    def _text(self, value: str) -> str:
        attachment = self._attachments.get(value.removeprefix(ATTACHED))
        if not isinstance(attachment, str) or len(attachment) > self._left:
            return value
        self._left -= len(attachment)
        return attachment


def text_of(content: Plain) -> str:
    """Return what a content says; what is not a text by its kind: `[image: data:image/png, 1,234 bytes]`."""
    if isinstance(content, list):
        return "\n".join(text for item in content if (text := _part(item)))
    return content if isinstance(content, str) else ""


def reasoning_of(content: Plain) -> str:
    """Return the reasoning among the parts of a content."""
    parts = (table for table in tables_in(content) if table.get("type") == "reasoning")
    texts = (
        fields.text(part.get("summary")) or "[redacted]"
        if part.get("redacted")
        else fields.text(part.get("reasoning"))
        for part in parts
    )
    return "\n\n".join(filter(None, texts))


def _part(part: Plain) -> str:
    if isinstance(part, str):
        return part
    item = as_table(part)
    kind = fields.text(item.get("type")) or ""
    if kind in ("text", ""):
        return fields.text(item.get("text")) or ""
    if kind == "reasoning":
        return ""
    if kind == "tool_use":
        name = item.get("name") or item.get("tool_type") or kind
        return f"[{name}: {text_of(item.get('result')) or item.get('error')}]"
    return f"[{kind}: {_named(item.get(_NAMED.get(kind, '')))}]" if kind in _NAMED else f"[{kind}]"


def _named(where: Plain) -> str:
    """Return where a file is, and of one that is given whole its kind and its size."""
    name = where if isinstance(where, str) else "?"
    if not name.startswith(_DATA):
        return name
    kind, _, data = name.partition(",")
    return f"{kind.removesuffix(';base64')}, {len(data) * 3 // 4:,} bytes"


_TOLD = {
    "info": ("data",),
    "input": ("input",),
    "logger": ("message",),
    "approval": ("decision", "approver", "explanation"),
    "compaction": ("type", "tokens_before", "tokens_after"),
    "subtask": ("name", "input", "result"),
}
"""Events of other kinds that are shown, with the keys that say what there is to say."""


_MODEL, _TOOL = "model", "tool"
_SPAN = "span_begin"
_KINDS = {kind: kind for kind in (_MODEL, _TOOL, _SPAN, "error", "sample_limit", "interrupt", *_TOLD)}
"""Events of which something is told, each kind by itself: one text for all events of a kind."""


class EventTranscript:
    """What a sample did, told by its events; without those of models by its messages.

    Only events of which something is told are read.
    """

    def __init__(self, sample: SampleParts, attached: LogAttachments | None = None) -> None:
        """Take a sample, and what puts attachments into its events; its table has them already."""
        self._sample = sample
        self._attached = attached or LogAttachments({})
        self._run: list[tuple[int, str, Agent]] = []
        self._called: set[str] = set()
        self._left = MAX_GIVEN_MESSAGES
        self._seen: set[str | int] = set()
        for index, head, agent in run_events(sample.events):
            if isinstance(head.event, str) and (kind := _KINDS.get(head.event)):
                self._run.append((index, kind, agent))
                if kind == _TOOL:
                    self._called.add(str(head.id))

    def trace(self) -> list[Plain]:
        """Return its events as those of a trace."""
        return [_without_unknown(event) for event in self._told()]

    def _told(self) -> Iterator[Table]:
        yield from _retried(self._sample.table)
        call_ids: set[str] = set()
        if self._first_step is None:
            messages = tables_in(self._sample.table.get("messages"))
            done = {str(call["id"]): call for call in self._calls()}
            call_ids = {
                str(call.get("id")) for message in messages for call in tables_in(message.get("tool_calls"))
            }
            yield from _of_messages(messages, done)
        for index, kind, agent in self._run:
            for event in self._told_by(self._event(index), kind):
                if kind != _TOOL or str(event["id"]) not in call_ids:
                    yield {**event, **agent.facts}

    def _told_by(self, event: Table, kind: str) -> Iterator[Table]:
        if kind == _MODEL:
            yield from self._step(event)
        elif kind == _SPAN:
            yield {
                "type": "model_step",
                "span": "agent",
                **{key: event.get(key) for key in ("id", "name", "timestamp")},
            }
        else:
            yield _call(event) if kind == _TOOL else _other(event, kind)

    def _calls(self) -> Iterator[Table]:
        return ({**_call(self._event(index)), **agent.facts} for index, kind, agent in self._run if kind == _TOOL)

    def first_given(self) -> list[Table]:
        """Return the messages that the model was sent first, as the log has them; [] where it does not say."""
        if self._first_step is not None:
            messages = model_input(self._event(self._first_step), self._sample.pool, MAX_GIVEN_MESSAGES)
            return tables_in([self._attached.resolved(message) for _, message in messages])
        listed = tables_in(self._sample.table.get("messages"))
        answer = next(
            (index for index, message in enumerate(listed) if message.get("role") == "assistant"), len(listed)
        )
        return listed[:answer]

    @property
    def _first_step(self) -> int | None:
        return next((index for index, kind, _ in self._run if kind == _MODEL), None)

    def _event(self, index: int) -> Table:
        return as_table(self._attached.resolved(self._sample.events[index]))

    def _given(self, event: Table) -> Iterator[tuple[int | None, Table]]:
        """Yield the messages that a model was given and that may be new, each with its index in the pool."""
        ranges = event.get("input_refs")
        if not isinstance(ranges, list):
            for table in tables_in(event.get("input"))[: self._left]:
                self._left -= 1
                yield None, table
            return
        for indexes in _index_ranges(ranges, len(self._sample.pool), self._left):
            self._left -= len(indexes)
            for index in indexes:
                if index not in self._seen:
                    yield index, as_table(self._attached.resolved(self._sample.pool[index]))

    def _step(self, event: Table) -> Iterator[Table]:
        """Yield what is new of what a model was given, the step itself, and what came of it."""
        for index, message in self._given(event):
            if _name(message) in self._seen:
                continue
            self._see(index, message)
            if message.get("role") != "tool":
                yield _message_of(message)
        output = as_table(event.get("output"))
        choice = next(iter(tables_in(output.get("choices"))), None)
        yield _model_step(event, output, choice or {})
        message = as_table((choice or {}).get("message"))
        if choice is None or _name(message) in self._seen:
            return  # a cached answer
        self._see(None, message)
        if message.get("content"):
            yield {**_message_of(message), "timestamp": event.get("completed")}
        calls = tables_in(message.get("tool_calls"))
        yield from (_asked_for(call) for call in calls if str(call.get("id")) not in self._called)

    def _see(self, index: int | None, message: Table) -> None:
        self._seen.add(_name(message))
        if index is not None:
            self._seen.add(index)


def model_input(event: Table, pool: Sequence[Plain], most: int) -> Iterator[tuple[int | None, Table]]:
    """Yield the messages that a model was given, `most` at most, each with its index in the pool of messages."""
    ranges = event.get("input_refs")
    if isinstance(ranges, list):
        indexes = chain.from_iterable(_index_ranges(ranges, len(pool), most))
        yield from ((index, as_table(pool[index])) for index in indexes)
    else:
        yield from ((None, table) for table in tables_in(event.get("input"))[:most])


def _index_ranges(ranges: Sequence[Plain], count: int, most: int) -> Iterator[range]:
    """Yield half-open ranges of indexes, `most` at most in all, and none beyond `count`."""
    for item in ranges:
        if isinstance(item, list) and len(item) > 1:
            start, end = (fields.whole(position) or 0 for position in item[:2])
            in_range = range(max(start, 0), min(end, count))[: max(most, 0)]
            most -= len(in_range)
            yield in_range


def _name(message: Table) -> str:
    """Return what identifies a message: its id, or else who says what."""
    message_id = message.get("id")
    return message_id if isinstance(message_id, str) else f"{message.get('role')}:{text_of(message.get('content'))}"


def _model_step(event: Table, output: Table, choice: Table) -> Table:
    usage = tokens_of(as_table(output.get("usage")))
    return {
        "type": "model_step",
        "name": event.get("model"),
        "timestamp": event.get("timestamp"),
        "duration_ms": _took(event),
        "metadata": {"stop_reason": choice.get("stop_reason"), "role": event.get("role")},
        "token_usage": None if usage is None else usage.to_data(),
        "error": event.get("error"),
    }


def _message_of(message: Table) -> Table:
    content, role = message.get("content"), message.get("role")
    return {
        "type": "message",
        "text": text_of(content),
        "metadata": {"role": role, "thinking": reasoning_of(content) or None},
        "media": _media(content),
    }


def _call(event: Table) -> Table:
    result = event.get("result")
    return {
        "type": "tool_call",
        "id": event.get("id"),
        "name": event.get("function"),
        "input": event.get("arguments"),
        "output": text_of(result) if isinstance(result, list) else result,
        "timestamp": event.get("timestamp"),
        "duration_ms": _took(event),
        "error": _wrong(event.get("error")),
        "media": _media(result),
    }


def _media(content: Plain) -> Plain:
    """Return the parts of a content that are files given whole, None without any."""
    return [part for part in tables_in(content) if str(part.get(str(part.get("type")))).startswith(_DATA)] or None


def _asked_for(call: Table, result: Table | None = None) -> Table:
    """Return a call as a message has it, with the message of its result if there is one."""
    call_told: Table = {
        "type": "tool_call",
        "id": call.get("id"),
        "name": call.get("function"),
        "input": call.get("arguments"),
    }
    if result is not None:
        call_told["output"] = text_of(result.get("content"))
    return {**call_told, "error": call.get("parse_error") or _wrong((result or {}).get("error"))}


def _result(message: Table) -> Table:
    return {
        "type": "tool_result",
        "id": message.get("tool_call_id"),
        "name": message.get("function"),
        "output": text_of(message.get("content")),
        "error": _wrong(message.get("error")),
    }


def _wrong(error: Plain) -> Plain:
    error_told = as_table(error)
    return error_told.get("message") or error_told.get("type") or (error if isinstance(error, str) else None)


def _of_messages(messages: Sequence[Table], done: Mapping[str, Table]) -> Iterator[Table]:
    """Yield what messages tell; of a call also what its event says: when it was, how long it took, how it failed.

    Args:
        messages: the messages of a sample.
        done: the calls that events tell of, by their ids.
    """
    results = {str(message.get("tool_call_id")): message for message in messages if message.get("role") == "tool"}
    called = {str(call.get("id")) for message in messages for call in tables_in(message.get("tool_calls"))}
    for message in messages:
        if message.get("role") == "tool":
            if str(message.get("tool_call_id")) not in called:
                yield _result(message)
            continue
        if message.get("content"):
            yield _message_of(message)
        for call in tables_in(message.get("tool_calls")):
            by_event = done.get(str(call.get("id")), {})
            known = {key: value for key, value in by_event.items() if value is not None}
            yield {**_asked_for(call, results.get(str(call.get("id")))), **known}


def _other(event: Table, kind: str) -> Table:
    """Return an event of another kind of which something is told."""
    position = event.get("timestamp")
    if kind == "error":
        error: Plain = as_table(event.get("error")).get("message")
    elif kind == "sample_limit":
        error = fields.text(event.get("message")) or f"{event.get('type')} limit"
    elif kind == "interrupt":
        error = f"interrupted by {event.get('source')}: {event.get('interrupted')}"
    else:
        details = {key: event[key] for key in _TOLD[kind] if event.get(key) is not None}
        output: Plain = next(iter(details.values())) if len(details) == 1 else details
        return {
            "type": "message",
            "name": kind,
            "output": output,
            "timestamp": position,
            "metadata": {"role": kind},
        }
    return {"type": "error", "text": fields.error_line(error) or kind, "timestamp": position}


def _retried(sample: Table) -> Iterator[Table]:
    for number, item in enumerate(tables_in(sample.get("error_retries")), 1):
        yield {"type": "error", "text": f"attempt {number} failed: {fields.error_line(item.get('message')) or ''}"}


def _took(event: Table) -> float | None:
    """Return how long something took, in milliseconds: without waiting, or else from its start to its end."""
    worked = fields.number(event.get("working_time"))
    if worked is not None:
        return round(worked * 1000, 3)
    try:
        start, end = (dt.datetime.fromisoformat(str(event.get(key))) for key in ("timestamp", "completed"))
        return max(round((end - start).total_seconds() * 1000, 3), 0.0)
    except (ValueError, TypeError):
        return None


def _without_unknown(event: Table) -> Table:
    """Return an event without what is not known. What a call returned may well be null."""
    known_values = {key: value for key, value in event.items() if value is not None or key == "output"}
    if isinstance(about := known_values.get("metadata"), dict):
        known_values["metadata"] = {key: value for key, value in about.items() if value is not None}
    return known_values
