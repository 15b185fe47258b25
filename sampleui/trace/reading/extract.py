"""The trace of a record, from the first of its fields that holds one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from sampleui.formats.data import DataPath, Plain, Table, as_list, tables_in
from sampleui.garbage import collector_off
from sampleui.sample.message import thinking_answer
from sampleui.sample.message_shapes import is_chat
from sampleui.text.confined import Refusal, project_root, read_confined
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import MAX_TRACE_BYTES
from sampleui.text.wording import counted
from sampleui.trace.events import EventType, TraceEvent, parse_event
from sampleui.trace.nesting import nesting
from sampleui.trace.reading.messages import events_of, parse_messages, thought_event, warning
from sampleui.trace.reading.response import ProviderResponse, as_record, parse_response
from sampleui.trace.summary import Summary, reported_summary, summarize

_REF: DataPath = ("trace_ref",)


class TraceSource(StrEnum):
    """The field that a trace came from."""

    TRACE = "trace"
    TRACE_REF = "trace_ref"
    OUTPUT_MESSAGES = "output_messages"
    TRANSCRIPT = "transcript"
    ANSWER = "answer"


@dataclass(frozen=True, slots=True)
class RecordTrace:
    """The ordered events of one record.

    Attributes:
        source: the field they came from, None when the record has no trace.
        events: in array order.
        summary: counts of these events; tokens, cost and duration from the record where the events give none.
        diagnostics: what was skipped or could not be read. `node` is the path inside the record.
        response: the record as a provider's response.
        reported: the run's own summary, of a results file that gives one instead of the events. Its counts may
            differ from those of the events that could be found.
    """

    source: TraceSource | None = None
    events: tuple[TraceEvent, ...] = ()
    summary: Summary = field(default_factory=Summary)
    diagnostics: tuple[Finding, ...] = ()
    response: ProviderResponse = field(default_factory=ProviderResponse)
    reported: Summary | None = None


def untold(trace: RecordTrace) -> str:
    """Return why a trace is not all that was done; empty if it is.

    A results file may keep the last message alone, as the answer; then there is no telling which tools were called.
    """
    if not trace.summary.counted:
        return "the record has messages of a shape that is not known"
    if trace.source is None:
        return "the record has no trace"
    answers = (TraceSource.OUTPUT_MESSAGES, TraceSource.ANSWER)
    is_complete = trace.source not in answers or trace.response.declared_messages
    if is_complete or any(event.type is EventType.TOOL_CALL for event in trace.events):
        return ""
    return "the record keeps its answer, and not what was called"


PROSE = "\0prose"
"""A key, which no tool uses, of records whose messages say in prose what was done: what was called is not known."""


_TALKS = ("messages", "conversation", "chat", "transcript")
"""Keys of a record that hold its messages, where it has no trace."""


_UNREAD = ("output-message-invalid", "tool-call-invalid")
"""What is told of messages and calls that could not be read, so that nobody knows how many there are."""


def _is_unknown(value: Plain) -> bool:
    """Tell whether a value is a list of tables that are no messages in any shape that is known."""
    return isinstance(value, list) and 0 < len(value) == len(tables_in(value)) and not is_chat(value)


@collector_off()
def read_trace(record: Mapping[str, Plain], base_dir: Path | str, answer: Table | None = None) -> RecordTrace:
    """Return the trace of a record ("Support Output Messages Traces", §2).

    `trace` wins, else the file that `trace_ref` names, else the events of `output_messages`; results files of today
    keep these messages in `output`, or in a transcript beside the results. Where there is none of these, what
    a model thought before its answer is an event, and the answer is one. Never raises for what a record holds: that
    is a diagnostic.

    Args:
        record: one row of a results file, snake_case or camelCase.
        base_dir: the folder that `trace_ref` is relative to. The file must lie in the project that holds it.
        answer: the answer as a message with what was thought before it, where those are known.
    """
    notes: list[Finding] = []
    response = parse_response(record, notes)
    source, events = _events_of(response, Path(base_dir), notes)
    summary = response.trace_summary
    unread = bool(response.wire_messages) and not response.output_messages and not events
    node = response.messages_node if source is not None and unread else None
    if source is None and summary is None:
        node = next(((key,) for key in _TALKS if _is_unknown(record.get(key))), None)
    unknown = node is not None or (source is not None and any(note.rule in _UNREAD for note in notes))
    if node is not None:
        message = "the messages are of a shape that is not known, and so is what was called"
        notes.append(warning("messages-unknown", message, node))
    usage = {**response.usage, "usage": response.usage} if response.usage else None
    if source is None and node is None:
        answer = answer or _thinking_answer(record, response)
        events = tuple(events_of(parse_messages([answer], (), notes))) if answer else ()
        source = TraceSource.ANSWER if events else None
    nest = nesting(events)
    if nest.unknown:
        words = f"{counted(nest.unknown, 'event')}: what it happened in is not before it; it stands on its own"
        notes.append(warning("trace-parent-unknown", words, ()))
    fallbacks = [table for table in (summary, dict(record), response.transcript, usage) if table]
    if summary is not None and source is None:
        notes.append(
            Finding("trace-summary-only", Severity.INFO, "the record has a summary, not the events", ("trace",))
        )
    return RecordTrace(
        source=source,
        events=events,
        summary=replace(summarize(events, fallbacks, nest.parents), counted=not unknown and PROSE not in record),
        diagnostics=tuple(notes),
        response=response,
        reported=reported_summary(summary) if summary is not None else None,
    )


_JUDGED = frozenset("score scores verdict outcome correct pass passed success grade label error".split())  # noqa: SIM905


def _thinking_answer(record: Mapping[str, Plain], response: ProviderResponse) -> Table:
    """Return an answer with what was thought before it; `reasoning` beside a grade may be that of a grader."""
    judged = not _JUDGED.isdisjoint(record)
    beside = {key: value for key, value in record.items() if key != "reasoning" or not judged}
    return thinking_answer(beside, response.text or as_list(record.get("output")))


def _events_of(
    response: ProviderResponse, base_dir: Path, notes: list[Finding]
) -> tuple[TraceSource | None, tuple[TraceEvent, ...]]:
    if response.trace is not None:
        if response.output_messages is not None and response.declared_messages:
            message = "the record has both trace and output_messages; trace is used"
            notes.append(warning("trace-and-output-messages", message, ("output_messages",)))
        return TraceSource.TRACE, _parsed(response.trace, ("trace",), notes)
    if response.trace_ref is not None:
        followed = _followed(response.trace_ref, base_dir, notes)
        if not isinstance(followed, Finding):
            return TraceSource.TRACE_REF, followed
        notes.append(followed)
    if response.output_messages is not None:
        source = TraceSource.TRANSCRIPT if response.transcript is not None else TraceSource.OUTPUT_MESSAGES
        return source, tuple(events_of(response.output_messages))
    return None, ()


def _parsed(entries: Sequence[Plain], node: DataPath, notes: list[Finding]) -> tuple[TraceEvent, ...]:
    events: list[TraceEvent] = []
    for index, entry in enumerate(entries):
        event = parse_event(entry)
        if event is None:
            notes.append(warning("trace-event-invalid", "an event must have one of the five types", (*node, index)))
        elif event.metadata and "thinking" in event.metadata:
            events += _thought_apart(event)
        else:
            events.append(event)
    return tuple(events)


def _thought_apart(event: TraceEvent) -> Iterator[TraceEvent]:
    """Yield an event, and before it what a model thought, where the source says that among what is known of it."""
    metadata = dict(event.metadata or {})
    thought = metadata.pop("thinking", None)
    if not isinstance(thought, str) or not thought:
        yield event
        return
    yield thought_event(thought, event.timestamp)
    yield event._replace(metadata=metadata)


def _followed(written: str, base_dir: Path, notes: list[Finding]) -> tuple[TraceEvent, ...] | Finding:
    """Return the events of the file that a reference leads to, possibly through others, or why there are none."""
    root, folder = project_root(base_dir), base_dir
    seen: set[Path] = set()
    while True:
        file = read_confined(written, (folder, root), root, MAX_TRACE_BYTES)
        if isinstance(file, Refusal):
            return _refused(str(file.kind), file.reason)
        if file.path in seen:
            return _refused("cyclic", f"{written} leads back to itself")
        seen.add(file.path)
        content = _content(file.data)
        if content is None:
            return _refused("invalid", f"{written} is not JSON with a trace")
        inner: list[Finding] = []
        response = parse_response(content, inner)
        if response.trace is not None or response.output_messages is not None:
            if response.trace is not None:
                events = _parsed(response.trace, ("trace",), inner)
            else:
                events = tuple(events_of(response.output_messages or ()))
            notes.extend(note._replace(message=f"{written}: {note.message}", node=_REF) for note in inner)
            return events
        if response.trace_ref is None:
            return _refused("invalid", f"{written} holds no trace")
        written, folder = response.trace_ref, file.path.parent


def _content(data: bytes) -> Mapping[str, Plain] | None:
    try:
        parsed: Plain = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return {"trace": []} if parsed == [] else as_record(parsed)


def _refused(why: str, message: str) -> Finding:
    return warning(f"trace-ref-{why}", message, _REF)
