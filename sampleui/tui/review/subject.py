"""What the conversation pane and the trace show of a record, with or without its sample."""

from __future__ import annotations

from pathlib import Path

from sampleui.formats.data import Plain, Table
from sampleui.review.adapters.fields import first
from sampleui.review.export import ASKED
from sampleui.runs import Subject, subject_of
from sampleui.sample.model import Sample
from sampleui.trace.extract import extract_trace
from sampleui.trace.files import FileRecord
from sampleui.tui.items import Item, items_of
from sampleui.tui.review.shown import Shown


def items_shown(shown: Shown) -> tuple[Item, ...]:
    """Return the sample's turns and fields; without a sample, what the record says was asked."""
    if shown.sample is not None:
        return items_of(shown.sample)
    record = shown.record or shown.old
    asked = _asked(record.data) if record is not None else ()
    if record is None or not asked:
        return ()
    messages: list[Plain] = [*asked]
    return items_of(Sample(record.sample_id, 0, {"messages": messages}, "calibrate", ("messages",), Path()))


def trace_shown(shown: Shown, base_dir: Path) -> Subject:
    """Return what the record did, beside what its sample asks of it."""
    record = shown.record or shown.old
    data: Table = record.data if record is not None else {}
    held = FileRecord(record.line if record is not None else 1, data)
    return subject_of(held, extract_trace(data, base_dir), shown.sample)


def _asked(data: Table) -> tuple[Plain, ...]:
    asked = first(data, ASKED)
    if isinstance(asked, str):
        return ({"role": "user", "content": asked},)
    return tuple(asked) if isinstance(asked, list) else ()
