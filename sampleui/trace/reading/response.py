"""A record read as the response of a provider, and transcripts in files of their own as records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.integrations.index import integration, transcribers
from sampleui.integrations.integration import Transcripts
from sampleui.sample.message_shapes import is_item, is_message, responded, usual_messages
from sampleui.sample.tokens import is_unfilled
from sampleui.text.diagnostic import Finding
from sampleui.trace.events import is_event, snake
from sampleui.trace.reading.messages import OutputMessage, parse_usual, warning

_TRANSCRIPT: DataPath = ("transcript",)
_TRACED = ("trace", "trace_ref", "output_messages")


class ProviderResponse(NamedTuple):
    """What a provider answered ("Support Output Messages Traces", §1), with what a results file says beside it.

    Attributes:
        text: the final answer; of a record without `text`, its `candidate_answer` or an `output` that is text.
        reasoning: the model's reasoning, if the provider gives it.
        raw: the provider's own response, as it was, in the record or in a `response` of it.
        usage: tokens and cost of the whole response, as the provider counts them.
        trace: the entries of an explicit trace, None if there is none.
        trace_summary: of a record whose `trace` is a summary and not a list: that summary.
        trace_ref: the path of a JSON file that holds the trace, as written.
        output_messages: what the run gave out, None if the record does not say.
        messages_node: where in the record these messages are.
        wire_messages: the same as the record gives them.
        transcript: what a transcript says about the whole run: tokens, cost, duration.
    """

    text: str | None = None
    reasoning: str | None = None
    raw: Plain = None
    usage: Table | None = None
    trace: Sequence[Plain] | None = None
    trace_summary: Table | None = None
    trace_ref: str | None = None
    output_messages: tuple[OutputMessage, ...] | None = None
    messages_node: DataPath = ()
    wire_messages: Sequence[Plain] = ()
    transcript: Table | None = None

    @property
    def declared_messages(self) -> bool:
        """Whether the messages are in `output_messages` and not in a field that results files use for answers."""
        return self.messages_node == ("output_messages",)


def parse_response(record: Mapping[str, Plain], notes: list[Finding]) -> ProviderResponse:
    """Read a record of a results file, both spellings of the wire names; findings are added to `notes`."""
    data = snake(record)
    trace, summary = _trace(data.get("trace"), notes)
    transcript = _transcript(data)
    node, entries = _message_entries(data, transcript, notes)
    usual = [usual_messages(entry) for entry in entries or ()]
    ref = data.get("trace_ref")
    if ref is not None and not (isinstance(ref, str) and ref):
        notes.append(warning("trace-ref-invalid", "trace_ref must be the path of a file", ("trace_ref",)))
    return ProviderResponse(
        text=_first_text(data, "text", "candidate_answer", "output"),
        reasoning=_first_text(data, "reasoning"),
        raw=next((table["raw"] for table in (data, _answered(data)) if table.get("raw") is not None), None),
        usage=_usage(data),
        trace=trace,
        trace_summary=summary,
        trace_ref=ref if isinstance(ref, str) and ref else None,
        output_messages=None if entries is None else parse_usual(usual, node, notes),
        messages_node=node,
        wire_messages=tuple(
            message
            for entry, messages in zip(entries or (), usual, strict=True)
            for message in messages or (entry,)
        ),
        transcript=transcript if node == _TRANSCRIPT else None,
    )


def as_record(data: Plain) -> Table | None:
    """Return the record that a whole JSON file amounts to, None when it holds no trace in any form.

    A transcript of a runner is its messages, a list of events is a trace, a list of messages is output messages; of
    an object its `trace`, `trace_ref` or `output_messages` count, then `events`, then `messages`.
    """
    transcript = record_of(data)
    if transcript is not None:
        return transcript
    if isinstance(data, list):
        if any(map(is_event, data)) and not any(map(is_item, data)):
            return {"trace": data}
        return {"output_messages": data} if any(map(is_message, data)) else None
    if not isinstance(data, dict):
        return None
    table = snake(data)
    if any(key in table for key in _TRACED) or _is_messages(table.get("output")):
        return table
    for key, becomes in (("events", "trace"), ("messages", "output_messages")):
        if isinstance(table.get(key), list):
            return {**table, becomes: table[key]}
    return None


def _answered(data: Table) -> Table:
    """Return the provider's response of a record that keeps it as a table of its own."""
    response = data.get("response")
    return snake(response) if isinstance(response, dict) else {}


def _usage(data: Table) -> Table | None:
    """Return what the provider counted; a table of zeros that a runner filled in counts nothing."""
    counted_in = [table.get(key) for table in (_answered(data), data) for key in ("usage", "token_usage")]
    tables = [table for table in counted_in if isinstance(table, dict)]
    return next((table for table in tables if not is_unfilled(table)), None)


def _is_messages(data: Plain) -> bool:
    return isinstance(data, list) and any(map(is_message, data))


def _trace(value: Plain, notes: list[Finding]) -> tuple[list[Plain] | None, Table | None]:
    if value is None or isinstance(value, list):
        return value, None
    if not isinstance(value, dict):
        notes.append(warning("trace-invalid", "trace must be a list of events", ("trace",)))
        return None, None
    events = value.get("events")
    return events if isinstance(events, list) else None, snake(value)


def _transcript(data: Table) -> Table | None:
    """Return the transcript beside a record, or the spans in it, as a record of its own."""
    trace = data.get("trace")
    spans = record_of({"trace": trace}) if isinstance(trace, dict) and "spans" in trace else None
    return spans or record_of(data.get("transcript"))


def _message_entries(
    data: Table, transcript_table: Table | None, notes: list[Finding]
) -> tuple[DataPath, Sequence[Plain] | None]:
    declared = data.get("output_messages")
    if isinstance(declared, list):
        return ("output_messages",), declared
    if declared is not None:
        notes.append(
            warning("output-message-invalid", "output_messages must be a list of messages", ("output_messages",))
        )
    transcript = transcript_table.get("output_messages") if transcript_table is not None else None
    if isinstance(transcript, list) and _is_messages(transcript):
        return _TRANSCRIPT, transcript
    output = data.get("output")
    if isinstance(output, list) and _is_messages(output):
        return ("output",), output
    sample = data.get("sample")
    predicted = data.get("predict_result", sample.get("predict_result") if isinstance(sample, dict) else None)
    if isinstance(predicted, list) and (flat := _predicted(predicted)):
        return ("predict_result",), flat
    return (), responded(data) or None


def _predicted(entries: list[Plain]) -> list[Plain]:
    """Return the messages among inference results (gage-eval standardized sample, §1.4)."""
    flat: list[Plain] = []
    for entry in entries:
        if is_message(entry):
            flat.append(entry)
        elif isinstance(entry, dict) and is_message(entry.get("message")):
            flat.append(entry["message"])
        elif isinstance(entry, dict) and isinstance(nested := entry.get("messages"), list):
            flat.extend(filter(is_message, nested))
    return flat


def _first_text(data: Table, *keys: str) -> str | None:
    return next((value for key in keys if isinstance(value := data.get(key), str)), None)


def record_of(data: Plain) -> Table | None:
    """Return the record that a transcript stands for, None when it is not a transcript.

    Its `output_messages` are the messages in order; `id`, `target`, `schema_version`, `token_usage`, `duration_ms`,
    `cost_usd` and `start_time` are given where the transcript says them.
    """
    rows = data if isinstance(data, list) else [data]
    first = next((row for row in rows if isinstance(row, dict)), {})
    records = (reader.read_record(data) for reader in _readers(first))
    return next((record for record in records if record is not None), None)


def record_of_line(row: Table) -> tuple[Plain, ...] | None:
    """Return what the lines of one record have in common; None for what is no message of a transcript in lines."""
    records = (reader.record_of_line(row) for reader in _readers(row))
    return next((record for record in records if record is not None), None)


def _readers(row: Table) -> Iterator[Transcripts]:
    return (integration(name).transcripts() for name in transcribers(row))
