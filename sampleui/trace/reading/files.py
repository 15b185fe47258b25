"""Records from files: results in JSON Lines, or one trace in a JSON file of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from io import BufferedReader
from itertools import chain, groupby
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError, results_errors
from sampleui.formats.data import Plain, Table, deeper, tables_in
from sampleui.sample.message_shapes import as_row, is_chat, is_message
from sampleui.text.confined import opened, read_whole
from sampleui.text.diagnostic import Finding
from sampleui.text.limits import MAX_JSON_DEPTH, MAX_RESULTS_BYTES, MAX_RESULTS_LINE
from sampleui.trace.events import is_event
from sampleui.trace.reading.response import as_record, record_of, record_of_line

_LINES = frozenset({".jsonl", ".ndjson"})
_BLANK = b" \t\r\n\xef\xbb\xbf"
_IDS = ("id", "test_id", "eval_id", "sample_id", "testId", "evalId", "sampleId")


class FileRecord(NamedTuple):
    """A record and the 1-based line it starts on.

    Attributes:
        name: the id it has in its results file, where that is known already.
        sample: the id of the sample it answers, where that is not the record's.
        notes: what could not be read for it.
        answer: its answer with what was thought before it, as `read_trace` takes it.
    """

    line: int
    data: Table
    name: str | None = None
    sample: str | None = None
    notes: tuple[Finding, ...] = ()
    answer: Table | None = None

    @property
    def sample_id(self) -> str:
        """The id of the sample it answers."""
        return self.id if self.sample is None else self.sample

    @property
    def id(self) -> str:
        """The id of the record, `#LINE` if it has none."""
        if self.name is not None:
            return self.name
        values = (self.data.get(key) for key in _IDS)
        return next((str(value) for value in values if isinstance(value, str | int)), f"#{self.line}")


def records_of(path: Path, broken: list[ResultsError] | None = None) -> Iterator[FileRecord]:
    """Yield the records of a file, one at a time.

    A `.jsonl` file has one per line and is never read as a whole; when its lines are events they are one trace, and
    when they are messages of a transcript one trace a record. Any other file is JSON: a list of records, or one
    record in any of the forms that `as_record` takes.

    Args:
        path: the file.
        broken: takes what is wrong with lines that cannot be read, which are left out then; None to raise it.

    Raises:
        ResultsError: when the file cannot be read or a line is not a JSON object, with path and line.
    """
    with results_errors(path):
        if path.suffix.lower() in _LINES:
            with opened(path) as file:
                yield from _from_lines(_parsed_lines(path, file, broken))
        else:
            yield from _from_whole(path, read_whole(path, MAX_RESULTS_BYTES).decode("utf-8-sig"))


def _from_whole(path: Path, text: str) -> Iterator[FileRecord]:
    data = _json(path, text)
    record = as_record(data)
    if record is not None:
        yield FileRecord(1, record)
    elif isinstance(data, list) and data and len(tables := tables_in([*map(as_row, data)])) == len(data):
        yield from (FileRecord(number, table) for number, table in enumerate(tables, 1))
    elif isinstance(data, dict):
        yield FileRecord(1, data)
    else:
        raise ResultsError("the file holds neither records nor a trace", path)


def _from_lines(records: Iterator[FileRecord]) -> Iterator[FileRecord]:
    first = next(records, None)
    if first is None:
        return
    everything = chain((first,), records)
    if is_event(first.data):
        yield FileRecord(first.line, {"trace": [record.data for record in everything]})
    elif record_of_line(first.data) is not None:
        for _, lines in groupby(everything, lambda line: record_of_line(line.data)):
            yield _transcript([*lines])
    elif is_message(first.data):
        every = [*everything]
        messages: list[Plain] = [line.data for line in every]
        yield from [FileRecord(first.line, {"output_messages": messages})] if is_chat(messages) else every
    else:
        yield from everything


def _transcript(lines: list[FileRecord]) -> FileRecord:
    return FileRecord(lines[0].line, record_of([line.data for line in lines]) or {})


def _parsed_lines(path: Path, file: BufferedReader, broken: list[ResultsError] | None) -> Iterator[FileRecord]:
    for number, line in enumerate(iter(partial(file.readline, MAX_RESULTS_LINE), b""), 1):
        if len(line) == MAX_RESULTS_LINE:  # perhaps without end, so nothing behind it is looked for
            raise ResultsError(f"the line is longer than {MAX_RESULTS_LINE:,} bytes", path, number)
        if not line.strip(_BLANK):
            continue
        try:
            yield FileRecord(number, _object(path, line, number))
        except ResultsError as error:
            if broken is None:
                raise
            broken.append(error)


def _object(path: Path, line: bytes, number: int) -> Table:
    try:
        data = _json(path, line.decode("utf-8-sig" if number == 1 else "utf-8"), number)
    except UnicodeDecodeError as error:
        raise ResultsError("not UTF-8", path, number, error.start + 1) from error
    row = as_row(data)
    if not isinstance(row, dict):
        raise ResultsError("a record must be a JSON object", path, number)
    return row


def _json(path: Path, text: str, first_line: int = 1) -> Plain:
    try:
        data: Plain = json.loads(text)
    except json.JSONDecodeError as error:
        raise ResultsError(f"not JSON: {error.msg}", path, first_line + error.lineno - 1, error.colno) from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"JSON that cannot be read: {error}", path, first_line) from error
    if text.count("[") + text.count("{") > MAX_JSON_DEPTH and deeper(data, MAX_JSON_DEPTH):
        raise ResultsError(f"nested more than {MAX_JSON_DEPTH} levels deep", path, first_line)
    return data
