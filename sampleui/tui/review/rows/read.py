"""A record as it is read, as rows: by its view, or else what was asked, the answer, and what is beside them."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import Table, tables_in
from sampleui.review.record_sections import record_sections
from sampleui.sample.parse import conversation
from sampleui.sample.sections import Section
from sampleui.text.stretches import stretch
from sampleui.tui.drawing.rows import Room, Row, text_rows
from sampleui.tui.drawing.sections import section_rows
from sampleui.tui.review.shown import Shown


def read_rows(shown: Shown, room: Room) -> list[Row]:
    """Return the fields of a record; what was asked is none of them where another pane shows it."""
    record = shown.record
    if record is None:
        return []
    sections = record_sections(record, asked_of(shown) if room.alone else None, shown.adapter, shown.view)
    sections = tuple(_part_shown(section, room.sought) for section in sections)
    note = [*text_rows("▲ it may be the answer of another record", "warning", room.width)] * record.doubtful
    return [*note, *section_rows(sections, room.width, opened=room.opened or bool(room.sought))]


def _part_shown(section: Section, sought: str) -> Section:
    """Return a section with the part of a very long text that is drawn."""
    if not isinstance(section.value, str) or not (part := stretch(section.value, sought)).words:
        return section
    return section._replace(heading=f"{section.heading} · {part.words}", value=part.text)


def asked_of(shown: Shown) -> Sequence[Table]:
    """Return the messages that were sent, or else those of the sample."""
    if shown.asked.sent or shown.sample is None:
        return shown.asked.sent
    return tables_in(conversation(shown.sample))
