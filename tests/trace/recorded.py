"""What the room says of one case: a record, a file of records, or what a sample expects of a record."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sampleui.errors import PathError, ResultsError
from sampleui.formats.data import Table
from sampleui.trace.checks.checking import check_record
from sampleui.trace.checks.declared import checks_of
from sampleui.trace.checks.golden import PairKind, closest, golden_trajectories
from sampleui.trace.events import ABSENT, Kind, TraceEvent, failed
from sampleui.trace.preview import full_text
from sampleui.trace.promote import new_sample, transcript
from sampleui.trace.reading.extract import Trace, extract_trace, is_whole
from sampleui.trace.reading.files import records_of
from sampleui.trace.report import alignment_lines, text_lines, trace_data, trajectory_data, trajectory_lines
from sampleui.trace.timeline import (
    Row,
    filtered,
    matches,
    next_error,
    next_of,
    next_tool_call,
    search_index,
    timeline,
)
from tests.recorded import fields_of, folder_of_a_case, write

Given = dict[str, Any]


def play(given: Given) -> object:
    """Return what comes of a case.

    Args:
        given: `file`, the name of one among `files`, for its records, or a `record`. With that may be:

            - `files`: the texts of files by their names; bytes that are no UTF-8 as Python escapes them
            - `width`: how many characters the trace is shown in
            - `sample`, and the `context` of its deck: then its checks and golden trajectories are held against it
            - `prompt`: the messages of the sample; then its transcript is told, and the first `count` turns are a
              sample with its messages at `path`
            - `steps`, as `[row, text, kinds, tools]`: what its rows are, and where steps from one row lead
    """
    with folder_of_a_case() as folder:
        write(folder, given.get("files", {}))
        if "file" in given:
            return _records(folder / given["file"])
        trace = extract_trace(given["record"], folder)
    if "sample" in given:
        return _expected(given["record"], trace, given["sample"], given.get("context", {}))
    if "prompt" in given:
        return _turns(transcript(given["record"], trace, given["prompt"]), given)
    if "steps" in given:
        return _steps(timeline(trace.events), *given["steps"])
    told = {key: value for key, value in trace_data(trace, "t").items() if value not in (None, [])}
    return {**told, "whole": is_whole(trace), "lines": [*text_lines(trace, "t", given.get("width", 120))]}


def _records(path: Path) -> object:
    broken: list[ResultsError] = []
    try:
        found: list[object] = [[one.line, one.id, one.sample_id, one.data] for one in records_of(path, broken)]
    except ResultsError as error:
        return [error.message, error.line, error.column]
    return [*found, *([error.message, error.line, error.column] for error in broken)]


def _expected(record: Table, trace: Trace, sample: Table, context: Table) -> object:
    checked = check_record(record, trace, sample, context)
    aligned = closest(trace.events, golden_trajectories(sample))
    return {
        "checks": [*trajectory_lines(checked)],
        "data": trajectory_data(checked),
        "said": [str(_by_name(check)) for check in checks_of(sample, context)],
        "golden": [[*alignment_lines(one), *(one.count(kind) for kind in PairKind)] for one in aligned],
    }


def _by_name(value: object) -> object:
    if (fields := fields_of(value)) is not None:
        return {name: _by_name(held) for name, held in fields.items()}
    return tuple(map(_by_name, value)) if isinstance(value, tuple) else value


def _turns(turns: Sequence[Table], given: Given) -> object:
    if "count" not in given:
        return [*turns]
    try:
        return new_sample(turns, given["count"], "new", tuple(given["path"]))
    except PathError as error:
        return str(error)


def _steps(rows: Sequence[Row], at: int, text: str, kinds: list[str] | None, tools: list[str] | None) -> object:
    found = matches(search_index(rows), text)
    shown = filtered(rows, None if kinds is None else [Kind(kind) for kind in kinds], tools)
    return {
        "rows": [_row(row) for row in rows],
        "shown": [row.number for row in shown],
        "found": [*found],
        "steps": [[step(rows, at, way) for way in (1, -1)] for step in (next_error, next_tool_call)]
        if rows
        else [],
        "next": [next_of(found, at, way) for way in (1, -1)],
    }


def _row(row: Row) -> object:
    event: TraceEvent = row.event
    result = None if row.result is None else str(row.result.id)
    output = None if row.output is ABSENT else full_text(row.output)
    return [
        row.number, row.depth, result, row.tool, row.offset_ms, row.duration_ms, row.failed, failed(event), output,
        row.size, row.line(40),
    ]  # fmt: skip
