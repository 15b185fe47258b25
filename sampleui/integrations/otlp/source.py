"""Files of spans as records: each trace is one, or all traces of one conversation.

A file is gone through once for where each trace is in it; a record is made of its lines when somebody looks at it,
so that no more than a few lines are in memory. Of a file that is one document its items are kept.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath, Plain, Table, as_table, deeper, tables_in
from sampleui.garbage import collector_off
from sampleui.integrations.otlp import SIGNS, conventions
from sampleui.integrations.otlp.spans import (
    Raw,
    begun,
    is_annotation,
    raw_items,
    span_of,
    trace_of,
)
from sampleui.integrations.otlp.tree import JoinedSpans, brief_row, row_of
from sampleui.review.record import hashed
from sampleui.review.results.sources import (
    TOO_DEEP,
    Lines,
    Malformed,
    ResultRow,
    ResultSource,
    canonical,
    whole_text,
)
from sampleui.text.confined import belongs, listed, start_of
from sampleui.text.limits import MAX_JSON_DEPTH

SUFFIXES = (".jsonl", ".ndjson", ".json")
_KEPT_LINES = 4
_MAX_FILES = 1_000
_CONVERSATION = frozenset({
    "gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id",
})  # fmt: skip
"""Keys of attributes by which traces are one conversation."""

_RESPONSE = "gen_ai.response.id"
_Place = tuple[int, int]
"""Which file, and where in it."""


class _File:
    """One file: of lines, which are read again when they are needed, or one document."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: Lines | None = Lines(path)
        self._items: list[list[Raw]] = []
        first = next(self._lines.scan(), None)
        if first is None or isinstance(first, Malformed):
            self._lines = None
        self._latest: dict[int, dict[str, list[Raw]]] = {}

    def scan(self) -> Iterator[tuple[int, int, Iterable[Raw]] | Malformed]:
        """Yield where each part of the file is, its line and what is in it.

        Raises:
            ResultsError: when it is one document and cannot be read.
        """
        if self._lines is not None:
            for row in self._lines.scan():
                yield row if isinstance(row, Malformed) else (row.position, row.line, raw_items(row.data))
            return
        try:
            document: Plain = json.loads(whole_text(self.path))
        except json.JSONDecodeError as error:
            raise ResultsError(f"not JSON: {error.msg}", self.path, error.lineno, error.colno) from error
        except (ValueError, RecursionError) as error:
            raise ResultsError(f"cannot be read: {error}", self.path) from error
        if deeper(document, MAX_JSON_DEPTH):
            raise ResultsError(TOO_DEEP, self.path)
        self._items = [[raw] for raw in raw_items(document)]
        yield from ((index, 1, raws) for index, raws in enumerate(self._items))

    def at(self, positions: Sequence[int]) -> Iterator[dict[str, list[Raw]]]:
        """Yield what is at some places, by trace."""
        if self._lines is None:
            yield from (_by_trace(self._items[position]) for position in positions)
            return
        kept = {position: self._latest[position] for position in positions if position in self._latest}
        rows = self._lines.rows_at([position for position in positions if position not in kept])
        for position in positions:
            if position not in kept:
                row = next(rows)
                while len(self._latest) >= _KEPT_LINES:
                    del self._latest[next(iter(self._latest))]
                kept[position] = self._latest[position] = _by_trace(raw_items(row.data if row else None))
            yield kept.pop(position)


def _by_trace(raws: Iterable[Raw]) -> dict[str, list[Raw]]:
    by_trace = defaultdict[str, list[Raw]](list)
    for raw in raws:
        by_trace[trace_of(raw.data)].append(raw)
    return by_trace


class _Trace:
    """Where a trace is.

    Attributes:
        start: when its first span began, in ns since 1970.
        conversation: the id of the conversation that it is part of; "" for none.
        is_of_agent: whether a span in it is an agent's, a model's or a tool's.
    """

    __slots__ = ("conversation", "conversation_start", "is_of_agent", "line", "places", "start")

    def __init__(self, line: int) -> None:
        self.line = line
        self.places: list[_Place] = []
        self.start: int | None = None
        self.conversation, self.conversation_start = "", float("inf")
        self.is_of_agent = False

    def note(self, place: _Place, start: int | None, signs: _Signs) -> None:
        """Note an item of the trace."""
        if not self.places or self.places[-1] != place:
            self.places.append(place)
        if start is not None and (self.start is None or start < self.start):
            self.start = start
        if signs.conversation and (start or 0) < self.conversation_start:
            self.conversation, self.conversation_start = signs.conversation, start or 0
        self.is_of_agent = self.is_of_agent or signs.is_of_agent


class _Signs(NamedTuple):
    """What the attributes of an item tell at first sight."""

    is_of_agent: bool = False
    conversation: str = ""
    response: str = ""


class _Record(NamedTuple):
    """A record: its id, its traces in the order in which they began, and what else is about it."""

    id: str
    traces: tuple[str, ...]
    places: tuple[_Place, ...]
    line: int
    beside: tuple[Raw, ...]


class SpanSource(ResultSource):
    """The records in files of spans."""

    whole = True
    known = True
    container: DataPath = ()

    @collector_off()
    def __init__(self, paths: Sequence[Path]) -> None:
        """Go through files.

        Raises:
            ResultsError: when one of them is no lines, and cannot be read.
        """
        self.path = paths[0]
        self._files = [_File(path) for path in paths]
        self._unread: list[Malformed] = []
        self._traces: dict[str, _Trace] = {}
        self._of_span: dict[str, str] = {}
        self._of_response: dict[str, str] = {}
        beside = [*self._index()]
        self._records = self._joined(beside)
        self._last: tuple[int, str, JoinedSpans] | None = None
        self.size = len(self._records)

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return all records, the earliest first, behind the lines that cannot be read."""
        yield from self._unread
        for index, record in enumerate(self._records):
            _, digest, joined = self._joined_at(index)
            yield ResultRow(index, record.line, digest, brief_row(record.id, joined), index + 1)

    def raw(self, position: int) -> bytes:
        """Return the spans of a record as JSON."""
        return canonical({"spans": [raw.data for raw in self._raws(self._records[position])]})

    @collector_off()
    def row(self, position: int, digest: str) -> Table:
        """Return the row of a record, proved to be made of what was indexed."""
        _, found, joined = self._joined_at(position)
        if found != digest:
            raise ResultsError("the file changed since it was read; open it again", self.path)
        return row_of(self._records[position].id, joined)

    @collector_off()
    def _joined_at(self, position: int) -> tuple[int, str, JoinedSpans]:
        """Return a record's spans, behind its position and digest; those of the last one are not joined anew."""
        if self._last is None or self._last[0] != position:
            raws = self._raws(self._records[position])
            self._last = position, _digest(raws), JoinedSpans(raw.data for raw in raws)
        return self._last

    def _index(self) -> Iterator[Raw]:
        """Note where each trace is; yield what says of none that it is part of it."""
        for number, file in enumerate(self._files):
            for part in file.scan():
                if isinstance(part, Malformed):
                    self._unread.append(part)
                    continue
                position, line, raws = part
                resource, of_resource = None, _Signs()
                for raw in raws:
                    if raw.resource is not resource:
                        resource, of_resource = raw.resource, _signs_of(raw.resource)
                    trace_id = trace_of(raw.data)
                    if not trace_id:
                        yield raw
                        continue
                    trace = self._traces.get(trace_id)
                    if trace is None:
                        trace = self._traces[trace_id] = _Trace(line)
                    signs = _signs(raw.data)
                    if of_resource.conversation and not signs.conversation:
                        signs = signs._replace(conversation=of_resource.conversation)
                    trace.note((number, position), begun(raw.data), signs)
                    if span := span_of(raw.data):
                        self._of_span[span] = trace_id
                    if signs.response:
                        self._of_response[signs.response] = trace_id

    def _joined(self, beside: Sequence[Raw]) -> list[_Record]:
        by_trace = defaultdict[str, list[Raw]](list)
        unknown = 0
        for raw in beside:
            trace = self._of_span.get(span_of(raw.data)) or self._of_response.get(_signs(raw.data).response)
            unknown += trace is None
            if trace is not None:
                by_trace[trace].append(raw)
        groups = defaultdict[str, list[str]](list)
        order = sorted(self._traces, key=lambda key: (self._traces[key].start or 0, self._traces[key].line))
        for trace_id in order:
            groups[self._traces[trace_id].conversation or trace_id].append(trace_id)
        records, others = [], 0
        for record_id, trace_ids in groups.items():
            traces = [self._traces[trace_id] for trace_id in trace_ids]
            if not any(trace.is_of_agent for trace in traces):
                others += len(traces)
                continue
            places = dict.fromkeys(place for trace in traces for place in trace.places)
            line = min(trace.line for trace in traces)
            about = tuple(raw for trace_id in trace_ids for raw in by_trace[trace_id])
            records.append(_Record(record_id, tuple(trace_ids), tuple(places), line, about))
        notes = (
            (others, "traces in which nothing is an agent's, a model's or a tool's are left out"),
            (unknown, "log records or annotations are about spans that are not here"),
        )
        self.notes = tuple(f"{count:,} {words}" for count, words in notes if count)
        return records

    def _raws(self, record: _Record) -> list[Raw]:
        positions = defaultdict[int, list[int]](list)
        for number, position in record.places:
            positions[number].append(position)
        parts = (part for number, listed in positions.items() for part in self._files[number].at(listed))
        of_traces = [raw for part in parts for trace in record.traces for raw in part.get(trace, ())]
        return [*of_traces, *record.beside]


def _signs(item: Table) -> _Signs:
    if is_annotation(item):
        return _Signs()
    signs = _signs_of(item.get("attributes"))
    name = item.get("eventName", item.get("event_name"))
    told = "span_kind" in item or (isinstance(name, str) and name.startswith(conventions.PREFIXES))
    return signs._replace(is_of_agent=True) if told else signs


def _signs_of(attributes: Plain) -> _Signs:
    """Return what attributes tell at first sight: a loop without calls, because it runs for all of a file."""
    if isinstance(attributes, dict):
        pairs: list[tuple[Plain, Plain]] = [*attributes.items()]
    else:
        pairs = [(item.get("key"), item.get("value")) for item in tables_in(attributes)]
    is_of_agent, conversation, response = False, "", ""
    for key, value in pairs:
        if not isinstance(key, str):
            continue
        if not is_of_agent and key.startswith(conventions.PREFIXES):
            is_of_agent = True
        if key == _RESPONSE:
            response = _said(value)
        elif key in _CONVERSATION:
            conversation = conversation or _said(value)
    return _Signs(is_of_agent, conversation, response)


def _said(value: Plain) -> str:
    text = as_table(value).get("stringValue", as_table(value).get("string_value", value))
    return text if isinstance(text, str) else ""


def _digest(raws: Iterable[Raw]) -> str:
    """Return a digest of what a record is made of, in whatever order it is."""
    import msgspec

    def written(raw: Raw) -> bytes:
        try:
            return msgspec.json.encode(raw.data)
        except (ValueError, TypeError, OverflowError):  # a number or a text that no reader but Python's takes
            return canonical(raw.data)

    return hashed(b"\n".join(sorted(map(written, raws))))


def open_file(path: Path, head: bytes) -> SpanSource | None:
    """Return the records in a file; None when nothing in it is a span of an agent's, a model's or a tool's.

    Args:
        path: the file.
        head: its first 64 KiB.

    Raises:
        ResultsError: when it cannot be read.
    """
    return _with_records([path]) if SIGNS.begins_so(head) else None


def open_folder(folder: Path) -> SpanSource | None:
    """Return the records in all files of spans in a folder; None when there are none."""
    files = [path for path in listed(folder).paths if path.suffix in SUFFIXES and belongs(path)]
    spans = []
    for path in files[:_MAX_FILES]:
        head = (start_of(path) or b"").removeprefix(b"\xef\xbb\xbf").lstrip()
        if SIGNS.begins_so(head) or (head.startswith((b"{", b"[")) and b'"annotator_kind"' in head):
            spans.append(path)
    return _with_records(spans) if len(spans) > 1 else None


def _with_records(paths: Sequence[Path]) -> SpanSource | None:
    source = SpanSource(paths)
    return source if source.size else None
