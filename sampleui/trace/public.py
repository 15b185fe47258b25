"""Traces as plain data, for scripts: what `sampleui.extract_trace` returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sampleui.formats.call_arguments import as_folder, as_mapping, not_plain, plain_part
from sampleui.formats.data import Plain, Table
from sampleui.text.diagnostic import Finding
from sampleui.trace.reading import extract
from sampleui.trace.timeline import events_data


@dataclass(frozen=True, slots=True)
class Trace:
    """The trace of one record.

    Attributes:
        source: the field it came from: `trace`, `trace_ref` or `output_messages`; None if there is none.
        events: TraceEvents as plain dicts in array order; keys that the source does not give are absent.
        summary: `event_count`, `tool_names`, `tool_calls_by_name`, `error_count`, and tokens, cost and duration
            where the source gives them; none of these counts where a message or a call could not be read.
        diagnostics: what was skipped or is doubtful, each with `rule`, `severity` and `message`.
    """

    source: str | None
    events: list[Table]
    summary: Table
    diagnostics: tuple[Finding, ...]


def extract_trace(record: Mapping[str, Plain], base_dir: str | Path) -> Trace:
    """Return the trace of one record of a results file (output-message traces, Proposed Solution 2).

    `trace` wins, else the file that `trace_ref` names, else the events of `output_messages`. Nothing a record holds
    makes this fail: what cannot be read is a diagnostic.

    Args:
        record: one row of a results file in its wire form, snake_case or camelCase.
        base_dir: the folder that a `trace_ref` is relative to.

    Raises:
        ArgumentError: when the record is no mapping, or `base_dir` no folder's path.
    """
    row, left_over = plain_part(as_mapping(record, "the record"))
    trace = extract.read_trace(row, as_folder(base_dir, "base_dir"))
    events = events_data(trace.events)
    return Trace(trace.source, events, trace.summary.to_data(), (*map(not_plain, left_over), *trace.diagnostics))
