"""What was sent against what the deck renders today, as rows, pure."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.formats.data import Table
from sampleui.review.samples.diffwords import diff_words
from sampleui.runs.requests import Asked, said
from sampleui.tui.drawing.room import Room, line_legend, word_legend
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.kinds import folded, is_of_lines
from sampleui.tui.review.rows.lines import line_rows
from sampleui.tui.review.rows.words import word_rows


def asked_rows(asked: Asked, room: Room) -> list[Row]:
    """Return what was sent, and where the deck renders something else today, both with what differs marked."""
    sent, today = _text(asked.sent), _text(asked.today)
    if not asked.sent:
        return text_rows("The run does not say what was sent.", "muted", room.width)
    if not asked.today:
        return text_rows(sent, "text", room.width)
    if not asked.differs:
        same = text_rows(f"✓ sent as the deck renders it today ({asked.style})", "added", room.width)
        return [*same, (("text", ""),), *text_rows(sent, "text", room.width)]
    name = f"the deck today ({asked.style})"
    if is_of_lines(today, sent):
        return [*line_legend(name, "sent", room), *folded(line_rows(today, sent, room), room.sought)]
    rows = word_rows(diff_words(today, sent), room)
    return [*word_legend(name, "sent", room), *folded(rows, room.sought)]


def _text(messages: Sequence[Table]) -> str:
    return "\n\n".join(f"{one.get('role')}:\n{said(one.get('content')).strip()}" for one in messages)
