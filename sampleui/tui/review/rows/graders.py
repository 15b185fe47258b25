"""What graders were given and what they answered, as rows, pure."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.formats.data import Plain
from sampleui.review.record import Record
from sampleui.review.results.adapters.requests import request_messages
from sampleui.review.samples.requests import graders_given
from sampleui.runs.requests import said
from sampleui.text.visible import one_line
from sampleui.tui.drawing.code import json_row
from sampleui.tui.drawing.rows import Row, row_text, text_rows
from sampleui.tui.review.rows.kinds import laid_out


def grader_rows(record: Record, width: int) -> Iterator[Row]:
    """Yield, grader by grader, what it was given and what it answered beside its score, if the file says it."""
    given = [(one.name, one.given, one.details) for one in record.evaluators]
    for name, request, answered in (*given, ("the graders", graders_given(record.data), None)):
        if request not in (None, "", [], {}):
            yield from _headed(f"{name}: was given", width)
            yield from _request(request, width)
        if answered not in (None, "", [], {}):
            yield from _headed(f"{name}: answered", width)
            yield from _value(answered, width)


def _request(request: Plain, width: int) -> Iterator[Row]:
    messages = request_messages(request)
    if not messages:
        yield from _value(request, width)
    for message in messages:
        if len(messages) > 1 or message["role"] != "user":
            yield (("accent", f"  {one_line(str(message['role']), 40)}"),)
        yield from text_rows(said(message.get("content")), "text", width, "  ")


def _value(value: Plain, width: int) -> Iterator[Row]:
    if isinstance(value, str):
        yield from text_rows(value, "text", width, "  ")
        return
    for row in text_rows(laid_out(value), "text", width, "  "):
        yield json_row(row_text(row))


def _headed(text: str, width: int) -> Iterator[Row]:
    yield (("text", ""),)
    yield from text_rows(one_line(text, 120), "muted-bold", width)
