"""Records from files: results in JSON Lines, or one trace in a JSON file of its own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TextIO

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.trace.events import is_event
from sampleui.trace.response import as_record

_LINES = frozenset({".jsonl", ".ndjson"})
_IDS = ("id", "test_id", "eval_id", "sample_id", "testId", "evalId", "sampleId")


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A record and the 1-based line it starts on."""

    line: int
    data: Table

    @property
    def id(self) -> str:
        """The id of the record, `#LINE` where it has none."""
        found = (self.data.get(key) for key in _IDS)
        return next((str(value) for value in found if isinstance(value, str | int)), f"#{self.line}")


def records_of(path: Path) -> Iterator[FileRecord]:
    """Yield the records of a file, one at a time.

    A `.jsonl` file has one a line and is never read as a whole; when its lines are events they are one trace. Any
    other file is JSON: a list of records, or one record in any of the forms that `as_record` takes.

    Raises:
        ResultsError: when the file cannot be read or a line is not a JSON object, with path and line.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from _from_lines(path, file) if path.suffix.lower() in _LINES else _from_whole(path, file.read())
    except UnicodeDecodeError as error:
        raise ResultsError("the file is not UTF-8", path) from error
    except OSError as error:
        raise ResultsError(error.strerror or str(error), path) from error


def _from_whole(path: Path, text: str) -> Iterator[FileRecord]:
    data = _json(path, text)
    record = as_record(data)
    if record is not None:
        yield FileRecord(1, record)
    elif isinstance(data, list) and data and all(isinstance(item, dict) for item in data):
        yield from (FileRecord(number, item) for number, item in enumerate(data, 1) if isinstance(item, dict))
    elif isinstance(data, dict):
        yield FileRecord(1, data)
    else:
        raise ResultsError("the file holds neither records nor a trace", path)


def _from_lines(path: Path, file: TextIO) -> Iterator[FileRecord]:
    records = _parsed_lines(path, file)
    first = next(records, None)
    if first is None:
        return
    if is_event(first.data):
        yield FileRecord(first.line, {"trace": [record.data for record in chain((first,), records)]})
        return
    yield from chain((first,), records)


def _parsed_lines(path: Path, file: TextIO) -> Iterator[FileRecord]:
    for number, line in enumerate(file, 1):
        if line.isspace():
            continue
        data = _json(path, line, number)
        if not isinstance(data, dict):
            raise ResultsError("a record must be a JSON object", path, number)
        yield FileRecord(number, data)


def _json(path: Path, text: str, first_line: int = 1) -> Plain:
    try:
        data: Plain = json.loads(text)
    except json.JSONDecodeError as error:
        raise ResultsError(f"not JSON: {error.msg}", path, first_line + error.lineno - 1, error.colno) from error
    except (ValueError, RecursionError) as error:
        raise ResultsError(f"JSON that cannot be read: {error}", path, first_line) from error
    return data
