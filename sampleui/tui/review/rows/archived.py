"""The sample as it was run beside the deck's sample of today, as rows, pure."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.runs.archive import AsRun, Field
from sampleui.text.visible import one_line
from sampleui.tui.drawing.room import Room, line_legend
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.kinds import folded
from sampleui.tui.review.rows.lines import line_rows


def archive_rows(kept: AsRun | None, room: Room) -> list[Row]:
    """Return the sample as it was run, what has changed since first, each change beside the deck of today."""
    if kept is None:
        return text_rows("The run keeps no copy of the sample.", "muted", room.width)
    if kept.changed:
        said, style = f"≠ changed since this run: {', '.join(kept.changed)}", "warning-bold"
    elif kept.compared:
        said, style = "✓ as the deck has it today", "added"
    else:
        said, style = "No deck has the sample today.", "muted"
    rows = [
        *text_rows(said, style, room.width),
        *text_rows(f"read-only, kept in {kept.path.name}", "faint", room.width),
    ]
    if kept.changed:
        rows += line_legend("as it was run", "the deck today", room)[:1]
    for one in sorted(kept.fields, key=lambda field: not field.differs):
        rows += _field(one, room)
    return rows


def _field(one: Field, room: Room) -> Iterator[Row]:
    yield (("text", ""),)
    mark = (("warning-bold", "≠ "),) if one.differs else ()
    yield (*mark, ("muted-bold", one_line(one.name, 60)))
    if one.run is None or one.today is None:
        left, sign, style = (one.run, "- ", "gone-line") if one.today is None else (one.today, "+ ", "come-line")
        yield from (((style, sign), *row) for row in text_rows(left or "", style, max(room.width - 2, 1)))
    elif one.differs:
        yield from folded(line_rows(one.run, one.today, room), room.sought)
    else:
        yield from text_rows(one.run, "text", room.width, "  ")
