"""The transcript of a sample as the events of a trace ("Support Output Messages Traces", §4), as plain data.

Messages that a model was given come once, where it first got them; then its step, what it said, and the calls with
their results. How the sample was graded is not part of what it did. Spans, states, stores and sandboxes are not
shown: they repeat what calls and messages say.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.review.results.adapters import fields
from sampleui.review.results.inspectlog.spans import run_events
from sampleui.review.results.inspectlog.texts import reasoning_of, text_of
from sampleui.sample.tokens import tokens_of

MOST_GIVEN = 5_000_000
"""Messages that all steps of a sample may name as their input; beyond that no more are looked at."""

_TOLD = {
    "info": ("data",),
    "input": ("input",),
    "logger": ("message",),
    "approval": ("decision", "approver", "explanation"),
    "compaction": ("type", "tokens_before", "tokens_after"),
    "subtask": ("name", "input", "result"),
}
"""Events of other kinds that are shown, with the keys that say what there is to say."""


def trace_of(sample: Table) -> list[Plain]:
    """Return the events of a sample whose attachments are in their places; those of its messages without events."""
    events = list(run_events(fields.tables(sample.get("events"))))
    found = [*_retried(sample)]
    if any(event.get("event") == "model" for event in events):
        pool = fields.table(sample.get("events_data")).get("messages")
        found += _Transcript(fields.tables(pool), events).told()
    else:
        found += _of_messages(fields.tables(sample.get("messages")))
        found += (one for event in events if (one := _other(event)))
    return list(map(_kept, found))


def first_given(sample: Table) -> list[Table]:
    """Return the messages that the model was sent first, as the log has them; [] where it does not say."""
    pool = fields.tables(fields.table(sample.get("events_data")).get("messages"))
    events = run_events(fields.tables(sample.get("events")))
    first = next((event for event in events if event.get("event") == "model"), None)
    if first is not None:
        return [one for _, one in given(first, pool, MOST_GIVEN)]
    listed = fields.tables(sample.get("messages"))
    answer = next((at for at, one in enumerate(listed) if one.get("role") == "assistant"), len(listed))
    return listed[:answer]


class _Transcript:
    """The events of the steps of a sample, with what each step adds."""

    def __init__(self, pool: Sequence[Table], events: Sequence[Table]) -> None:
        self._pool = pool
        self._events = events
        self._left = MOST_GIVEN
        self._seen: set[str | int] = set()
        self._called = {str(one.get("id")) for one in events if one.get("event") == "tool"}

    def told(self) -> Iterator[Table]:
        for event in self._events:
            if event.get("event") == "model":
                yield from self._step(event)
            elif event.get("event") == "tool":
                yield _call(event)
            elif (other := _other(event)) is not None:
                yield other

    def _step(self, event: Table) -> Iterator[Table]:
        """Yield what is new of what a model was given, the step itself, and what came of it."""
        for place, message in given(event, self._pool, self._left):
            self._left -= 1
            if place in self._seen or _name(message) in self._seen:
                continue
            self._see(place, message)
            if message.get("role") != "tool":
                yield _said(message)
        output = fields.table(event.get("output"))
        yield _model_step(event, output)
        for choice in fields.tables(output.get("choices"))[:1]:
            message = fields.table(choice.get("message"))
            if _name(message) in self._seen:
                continue  # a cached answer
            self._see(None, message)
            if message.get("content"):
                yield {**_said(message), "timestamp": event.get("completed")}
            calls = fields.tables(message.get("tool_calls"))
            yield from (_asked_for(call) for call in calls if str(call.get("id")) not in self._called)

    def _see(self, place: int | None, message: Table) -> None:
        self._seen.add(_name(message))
        if place is not None:
            self._seen.add(place)


def given(event: Table, pool: Sequence[Table], most: int) -> Iterator[tuple[int | None, Table]]:
    """Yield what a model was given, with the place in the pool of what is there: ranges without their ends."""
    ranges = event.get("input_refs")
    if not isinstance(ranges, list):
        yield from ((None, one) for one in fields.tables(event.get("input"))[:most])
        return
    for one in ranges:
        start, end = (fields.whole(at) or 0 for at in one[:2]) if isinstance(one, list) and len(one) > 1 else (0, 0)
        for at in range(max(start, 0), min(end, len(pool))):
            if most <= 0:
                return
            most -= 1
            yield at, pool[at]


def _name(message: Table) -> str:
    """Return what identifies a message: its id, or else who says what."""
    found = message.get("id")
    return found if isinstance(found, str) else f"{message.get('role')}:{text_of(message.get('content'))}"


def _model_step(event: Table, output: Table) -> Table:
    usage = tokens_of(fields.table(output.get("usage")))
    choice = next(iter(fields.tables(output.get("choices"))), {})
    return {
        "type": "model_step",
        "name": event.get("model"),
        "timestamp": event.get("timestamp"),
        "duration_ms": _took(event),
        "metadata": {"stop_reason": choice.get("stop_reason"), "role": event.get("role")},
        "token_usage": None if usage is None else usage.to_data(),
        "error": event.get("error"),
    }


def _said(message: Table) -> Table:
    content, role = message.get("content"), message.get("role")
    return {
        "type": "message",
        "text": text_of(content),
        "metadata": {"role": role, "thinking": reasoning_of(content) or None},
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
    }


def _asked_for(call: Table, result: Table | None = None) -> Table:
    """Return a call as a message has it, with the message of its result if there is one."""
    found: Table = {
        "type": "tool_call",
        "id": call.get("id"),
        "name": call.get("function"),
        "input": call.get("arguments"),
    }
    if result is not None:
        found["output"] = text_of(result.get("content"))
    return {**found, "error": call.get("parse_error") or _wrong((result or {}).get("error"))}


def _result(message: Table) -> Table:
    return {
        "type": "tool_result",
        "id": message.get("tool_call_id"),
        "name": message.get("function"),
        "output": text_of(message.get("content")),
        "error": _wrong(message.get("error")),
    }


def _wrong(error: Plain) -> Plain:
    said = fields.table(error)
    return said.get("message") or said.get("type") or (error if isinstance(error, str) else None)


def _of_messages(messages: Sequence[Table]) -> Iterator[Table]:
    results = {str(one.get("tool_call_id")): one for one in messages if one.get("role") == "tool"}
    called = {str(call.get("id")) for one in messages for call in fields.tables(one.get("tool_calls"))}
    for one in messages:
        if one.get("role") == "tool":
            if str(one.get("tool_call_id")) not in called:
                yield _result(one)
            continue
        if one.get("content"):
            yield _said(one)
        for call in fields.tables(one.get("tool_calls")):
            yield _asked_for(call, results.get(str(call.get("id"))))


def _other(event: Table) -> Table | None:
    kind, at = event.get("event"), event.get("timestamp")
    if kind == "error":
        said: Plain = fields.table(event.get("error")).get("message")
    elif kind == "sample_limit":
        said = fields.text(event.get("message")) or f"{event.get('type')} limit"
    elif kind == "interrupt":
        said = f"interrupted by {event.get('source')}: {event.get('interrupted')}"
    elif isinstance(kind, str) and kind in _TOLD:
        found = {key: event[key] for key in _TOLD[kind] if event.get(key) is not None}
        output: Plain = next(iter(found.values())) if len(found) == 1 else found
        return {"type": "message", "name": kind, "output": output, "timestamp": at, "metadata": {"role": kind}}
    else:
        return None
    return {"type": "error", "text": fields.error_line(said) or str(kind), "timestamp": at}


def _retried(sample: Table) -> Iterator[Table]:
    for number, one in enumerate(fields.tables(sample.get("error_retries")), 1):
        yield {"type": "error", "text": f"attempt {number} failed: {fields.error_line(one.get('message')) or ''}"}


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


def _kept(event: Table) -> Table:
    """Return an event without what is not known. What a call returned may well be null."""
    kept = {key: value for key, value in event.items() if value is not None or key == "output"}
    if isinstance(about := kept.get("metadata"), dict):
        kept["metadata"] = {key: value for key, value in about.items() if value is not None}
    return kept
