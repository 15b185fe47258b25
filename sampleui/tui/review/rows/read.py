"""A record as it is read, as rows: by its view, or else what was asked, the answer, and what is beside them."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import Table, tables_in
from sampleui.review.record import Record
from sampleui.review.record_sections import asked_section, record_sections
from sampleui.sample.parse import conversation
from sampleui.sample.sections import Section
from sampleui.settings.views import Shape
from sampleui.text.stretches import stretch
from sampleui.tui.drawing.rows import Room, Row, text_rows
from sampleui.tui.drawing.sections import Area, section_rows
from sampleui.tui.review.shown import Shown


def read_rows(record: Record, shown: Shown, room: Room) -> list[Row]:
    """Return the fields of a record; what was said before is none of them where another pane shows it."""
    asked = said_before(shown) if room.alone else None
    sections = record_sections(record, asked, shown.adapter, shown.view)
    sections = tuple(_part_shown(section, room.sought) for section in sections)
    note = [*text_rows("▲ it may be the answer of another record", "warning", room.width)] * record.doubtful
    return [*note, *section_rows(sections, area_of(shown, room))]


def talk_rows(shown: Shown, room: Room, below: int) -> list[Row]:
    """Return what was said before an answer, and an empty row; nothing where another pane shows it.

    Args:
        shown: the record.
        room: the place for it, and for what is below.
        below: how many lines that needs.
    """
    section = said_before(shown) if room.alone else None
    if section is None:
        return []
    area = area_of(shown, room)
    left = max(room.height - below - 1, room.height // 2)
    return [*section_rows([_part_shown(section, room.sought)], area._replace(height=left)), (("text", ""),)]


def area_of(shown: Shown, room: Room) -> Area:
    """Return where sections of a record are drawn."""
    return Area(room.width, room.height, room.opened or bool(room.sought), shown.repeated)


def said_before(shown: Shown) -> Section | None:
    """Return what was said before the answer, a conversation without a heading; None where nobody says it."""
    section = asked_section(shown.talk or asked_of(shown))
    return section._replace(heading="") if section is not None and section.kind is Shape.CHAT else section


def _part_shown(section: Section, sought: str) -> Section:
    """Return a section with the part of a very long text that is drawn."""
    if not isinstance(section.value, str) or not (part := stretch(section.value, sought)).words:
        return section
    return section._replace(heading=f"{section.heading} · {part.words}", value=part.text)


def asked_of(shown: Shown) -> Sequence[Table]:
    """Return the messages that were sent, or else those of the sample up to what the user says last.

    A sample may end with the answer that it expects.
    """
    if shown.asked.sent or shown.sample is None:
        return shown.asked.sent
    said = tables_in(conversation(shown.sample))
    while said and said[-1].get("role") == "assistant":
        said.pop()
    return said
