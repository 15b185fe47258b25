"""Spans, log records and annotations, however they are written down: OTLP/JSON, or the rows that Phoenix exports.

OTLP/JSON is protobuf's JSON (opentelemetry-proto 1.x): lists of resources with their scopes, whose spans have
attributes as a list of keys and typed values; 64-bit numbers are texts. Keys in snake_case and ids in base64, which
generic converters write, are read as well. A row of Phoenix has the ids under `context`, and attributes as a table.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.review.results import fields
from sampleui.trace.summary import instant, moment_at

_RESOURCES = {
    "resourceSpans": ("scopeSpans", "instrumentationLibrarySpans", "spans"),
    "resource_spans": ("scope_spans", "instrumentation_library_spans", "spans"),
    "resourceLogs": ("scopeLogs", "instrumentationLibraryLogs", "logRecords"),
    "resource_logs": ("scope_logs", "instrumentation_library_logs", "log_records"),
}
"""Keys of lists of resources, each with those of its scopes, then and earlier, and of what these have."""

_NUMBERED = re.compile(r"(?:^|\.)\d", re.MULTILINE)
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_KEPT = 12
"""How many steps of a dotted key are taken apart; the rest of it stays one key."""


class Raw(NamedTuple):
    """A span, a log record or an annotation as it is written, with the attributes of its resource."""

    data: Table
    resource: Plain = None


class Event(NamedTuple):
    """Something that happened in a span, or beside one: a name, when it was in ns since 1970, and what is said."""

    name: str
    time: int | None
    attributes: Table
    body: Plain = None
    trace: str = ""
    span: str = ""


class TraceSpan(NamedTuple):
    """A span.

    Attributes:
        id, parent: its own id and that of the span around it, "" for none.
        start, end: in ns since 1970; None where it does not say, or has not ended.
        error: what failed in it, in words; None where nothing did.
        attributes: by the steps of their dotted keys, as tables in tables; a list is a list.
    """

    trace: str
    id: str
    parent: str
    name: str
    start: int | None
    end: int | None
    error: str | None
    attributes: Table
    events: tuple[Event, ...]


class Annotation(NamedTuple):
    """What an evaluator or a person said of a span, or of a whole trace."""

    trace: str
    span: str
    name: str
    score: Plain
    label: Plain
    explanation: Plain
    by_person: bool = False


SpanItem: TypeAlias = TraceSpan | Event | Annotation


def raw_items(data: Plain) -> Iterator[Raw]:
    """Yield the spans, log records and annotations in a line or a document as they are written."""
    if isinstance(data, list):
        for item in data:
            yield from raw_items(item)
        return
    table = as_table(data)
    known = [key for key in _RESOURCES if key in table]
    if not known:
        if isinstance(envelope := table.get("data"), list):  # an answer of Phoenix's REST
            yield from raw_items(envelope)
        elif is_row(table):
            yield Raw(table)
    for key in known:
        scopes, older, inner = _RESOURCES[key]
        for resource in tables_in(table[key]):
            about = as_table(resource.get("resource")).get("attributes")
            for scope in tables_in(resource.get(scopes, resource.get(older))):
                for item in tables_in(scope.get(inner)):
                    yield Raw(item, about)


def is_row(table: Table) -> bool:
    """Tell whether a row is a span or an annotation as Phoenix exports them."""
    context = table.get("context")
    if isinstance(context, dict):
        return "trace_id" in context and "span_id" in context
    return is_annotation(table) or {"context.trace_id", "context.span_id"} <= table.keys()


def is_annotation(table: Table) -> bool:
    """Tell whether a row is an annotation as Phoenix exports them."""
    return "annotator_kind" in table and ("span_id" in table or "trace_id" in table)


def trace_of(item: Table) -> str:
    """Return the id of the trace that an item is of; "" for none."""
    return _id_in(item, "traceId", "trace_id")


def span_of(item: Table) -> str:
    """Return the id of a span, or of the one that a log record or an annotation is about; "" for none."""
    return _id_in(item, "spanId", "span_id")


def _id_in(item: Table, key: str, phoenix: str) -> str:
    value = item.get(key, item.get(phoenix))
    if value is None:
        value = as_table(item.get("context")).get(phoenix, item.get(f"context.{phoenix}"))
    return _id(value)


def begun(item: Table) -> int | None:
    """Return when a span began, in ns since 1970."""
    return _nanos(_first(item, "startTimeUnixNano", "start_time_unix_nano", "start_time"))


def attributes_of(value: Plain) -> Table:
    """Return attributes, from OTLP's list of keys and values or from a table, as plain values by their keys."""
    if isinstance(value, dict):
        return value
    return {
        key: _any_value(item.get("value")) for item in tables_in(value) if isinstance(key := item.get("key"), str)
    }


def read(item: Table) -> SpanItem:
    """Return what an item says."""
    if is_annotation(item):
        result = as_table(item.get("result"))
        kind = str(item.get("annotator_kind")).upper()
        name = fields.text(item.get("name", item.get("annotation_name"))) or "annotation"
        keys = ("score", "label", "explanation")
        score, label, words = (result.get(key, item.get(f"result.{key}")) for key in keys)
        return Annotation(trace_of(item), span_of(item), name, score, label, words, kind == "HUMAN")
    if "name" not in item:
        return _log(item)
    columns = {key[11:]: value for key, value in item.items() if key.startswith("attributes.")}
    attributes = nested({**columns, **attributes_of(item.get("attributes"))})
    if isinstance(called := item.get("span_kind"), str):
        openinference = as_table(attributes.get("openinference"))
        attributes["openinference"] = {"span": {"kind": called}, **openinference}
    events = tuple(map(_event, tables_in(item.get("events"))))
    parent = _id(_first(item, "parentSpanId", "parent_span_id", "parent_id"))
    return TraceSpan(
        trace_of(item),
        span_of(item),
        parent,
        fields.text(item.get("name")) or "",
        begun(item),
        _nanos(_first(item, "endTimeUnixNano", "end_time_unix_nano", "end_time")),
        _error(item, attributes, events),
        attributes,
        events,
    )


def nested(flat: Table) -> Table:
    """Return attributes as tables in tables, by the steps of their keys; steps that are numbers make a list.

    A value beside keys that go on from its own stands under "" among them.
    """
    root: Table = {}
    for key, value in flat.items():
        *steps, last = key.split(".", _KEPT)
        table = root
        for step in steps:
            inner = table.get(step)
            if not isinstance(inner, dict):
                table[step] = inner = {} if inner is None else {"": inner}
            table = inner
        there = table.get(last)
        if isinstance(there, dict):
            table[last] = {**there, **value} if isinstance(value, dict) else {**there, "": value}
        else:
            table[last] = {**value} if isinstance(value, dict) else value
    if _NUMBERED.search("\n".join(flat)) is None and dict not in map(type, flat.values()):
        return root  # as most are, and this runs for every span
    return {key: _listed(value, 0) for key, value in root.items()}


def _listed(value: Plain, depth: int) -> Plain:
    """Return a table whose keys are all numbers as a list in their order, and so those within it."""
    if not isinstance(value, dict) or depth > _KEPT:
        return value
    inner = {key: _listed(item, depth + 1) for key, item in value.items()}
    if inner and all(key.isascii() and key.isdigit() and len(key) < 10 for key in inner):
        return [inner[key] for key in sorted(inner, key=int)]
    return inner


def moment(nanos: int | None) -> str | None:
    """Return ns since 1970 as ISO 8601, None for what is no moment."""
    return moment_at(nanos // 1000 / 1e6, "microseconds") if nanos else None


def _log(item: Table) -> Event:
    attributes = nested(attributes_of(item.get("attributes")))
    name = _first(item, "eventName", "event_name")
    name = name or as_table(attributes.get("event")).get("name")
    times = (
        item.get(key)
        for key in ("timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "observed_time_unix_nano")
    )
    time = next(filter(None, map(_nanos, times)), None)
    return Event(
        fields.text(name) or "", time, attributes, _any_value(item.get("body")), trace_of(item), span_of(item)
    )


def _event(item: Table) -> Event:
    time = _nanos(_first(item, "timeUnixNano", "time_unix_nano", "timestamp"))
    return Event(fields.text(item.get("name")) or "", time, nested(attributes_of(item.get("attributes"))))


def _error(item: Table, attributes: Table, events: tuple[Event, ...]) -> str | None:
    """Return what failed in a span, in words: its status, or the exception that was raised in it."""
    status = as_table(item.get("status"))
    code = str(status.get("code", item.get("status_code"))).removeprefix("STATUS_CODE_")
    kind = as_table(attributes.get("error")).get("type")
    if code not in ("2", "ERROR") and not (isinstance(kind, str) and kind):
        return None
    raised = (as_table(event.attributes.get("exception")) for event in events if event.name == "exception")
    exception: Table = next(raised, {})
    words = (
        status.get("message", item.get("status_message")),
        exception.get("message"),
        exception.get("type"),
        kind,
    )
    return next((text for text in words if isinstance(text, str) and text), "failed")


def _first(item: Table, *keys: str) -> Plain:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def _id(value: Plain) -> str:
    """Return an id in lower-case hex; all zeros are none."""
    if not isinstance(value, str) or not value.strip("0"):
        return ""
    if len(value) in (12, 24) and value.endswith("="):
        try:
            return base64.b64decode(value, validate=True).hex()
        except (binascii.Error, ValueError):
            return value
    return value.lower()


def _nanos(value: Plain) -> int | None:
    """Return a moment in ns since 1970, from such a number or from ISO 8601."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    if isinstance(value, int) or (value.isascii() and value.isdigit() and len(value) < 20):
        return int(value)
    time = instant(value)
    return None if time is None else (time - _EPOCH) // dt.timedelta(microseconds=1) * 1000


def _any_value(value: Plain) -> Plain:
    """Return what one of OTLP's typed values holds."""
    if not isinstance(value, dict):
        return value
    for key, inner in value.items():
        kind = key.replace("_value", "Value")
        if kind == "intValue":
            written = inner if isinstance(inner, str) and inner.isascii() and len(inner) < 20 else ""
            return int(written) if written.removeprefix("-").isdecimal() else inner
        if kind == "arrayValue":
            return [_any_value(item) for item in as_list(as_table(inner).get("values"))]
        if kind == "kvlistValue":
            return attributes_of(as_list(as_table(inner).get("values")))
        if kind in ("stringValue", "boolValue", "doubleValue", "bytesValue"):
            return inner
    return None
