"""What the conversation pane and the trace show of a record, with or without its sample."""

from __future__ import annotations

from pathlib import Path

from sampleui.formats.data import Plain, Table
from sampleui.runs.records import Subject, noted, subject_of, trace_of
from sampleui.runs.requests import Asked
from sampleui.sample.dialects.shipped import LEAST
from sampleui.sample.model import Sample
from sampleui.trace.reading.files import FileRecord
from sampleui.tui.drawing.items import Item, items_of
from sampleui.tui.review.shown import Shown


def items_shown(shown: Shown) -> tuple[Item, ...]:
    """Return what was sent, where the run says it, and the sample's turns and fields.

    Where the deck renders today what was sent, the sample stands for both, below the messages that its file has for
    all samples. Turns that it renders otherwise are marked, and those that are the run's and not the sample's.
    """
    asked, sample = shown.asked, shown.sample
    if sample is None:
        return _headed(_sent(asked), "as it was sent")
    own = items_of(sample)
    if not asked.sent:
        return own
    if asked.added:
        return (*_headed(_sent(asked), "as it was sent"), *_headed(own, "the deck today ✓ unchanged"))
    if not asked.differs:
        before = len(asked.sent) - sum(item.turn is not None and not item.depth for item in own)
        shared = _sent(asked, "of the whole file")[: max(before, 0)]
        return _headed((*shared, *own), "sent ✓ as the deck renders today")
    return (*_headed(_sent(asked), "as it was sent"), *_headed(own, "the deck today"))


def _sent(asked: Asked, note: str = "") -> tuple[Item, ...]:
    messages: list[Plain] = [*asked.sent]
    items = items_of(Sample("", 0, {"messages": messages}, LEAST, ("messages",), Path()))
    notes = {**dict.fromkeys(asked.added, "by the run"), **dict.fromkeys(asked.apart, "≠ the deck today")}
    return tuple(_to_read(item, notes.get(index, note)) for index, item in enumerate(items))


def _to_read(item: Item, remark: str) -> Item:
    """Return a turn without its paths, since they lead nowhere in the deck, and with the notes on it."""
    parts = tuple(part._replace(path=()) for part in item.parts)
    note = "  ".join(one for one in (item.note, remark) if one)
    return item._replace(path=(), parts=parts, note=note)


def _headed(items: tuple[Item, ...], heading: str) -> tuple[Item, ...]:
    return (items[0]._replace(heading=heading), *items[1:]) if items else ()


def trace_shown(shown: Shown, base_dir: Path) -> Subject:
    """Return what the record did, beside what its sample asks of it."""
    record = shown.record or shown.old
    data: Table = record.data if record is not None else {}
    row = FileRecord(1, data) if record is None else FileRecord(record.line, data, notes=noted(record))
    return subject_of(row, trace_of(row, base_dir), shown.sample, record)
