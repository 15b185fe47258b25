"""Every command of the trace screen: importing this fills its registry, in the order of the help."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.actions import APP, FIELDS, moving
from sampleui.tui.trace.actions.events import EVENTS
from sampleui.tui.trace.actions.needs import EVENT_PANES, TRACE

if TYPE_CHECKING:
    from sampleui.tui.trace.screen import TraceScreen

__all__ = ["TRACE"]

_GROUP = "Records"
_PANES = f"records {EVENT_PANES}"


TRACE.include(EVENTS)
TRACE.include(FIELDS)


@TRACE.command("record.next", "]", "Next record", group=_GROUP, bar=8)
def following(screen: TraceScreen) -> None:
    """Go to the next record."""
    if not screen.records.step(1):
        screen.refuse("this is the last record")


@TRACE.command("record.previous", "[", "Previous record", group=_GROUP)
def previous(screen: TraceScreen) -> None:
    """Go to the previous record."""
    if not screen.records.step(-1):
        screen.refuse("this is the first record")


@TRACE.command("record.open", "enter", "Open", group=_GROUP, scopes="records", bar=1)
def open_record(screen: TraceScreen) -> None:
    """Go to the timeline of the record under the cursor."""
    screen.trace_view.timeline.focus()


@TRACE.command("record.promote", "n", "New sample", group=_GROUP, bar=14)
async def promote(screen: TraceScreen) -> None:
    """Make a new sample of the turns up to the event under the cursor; it is shown before it is written."""
    from sampleui.tui.trace.promote import promote_from

    event = screen.trace_view.event
    decks = [known.path for known in screen.run.decks]
    await promote_from(screen, screen.run.path, decks, screen.subject, None if event is None else event.number - 1)


TRACE.include(item for item in moving(_PANES) if not item.id.startswith("preview."))
TRACE.include(APP)


@TRACE.command("app.quit", "ctrl+q q", "Quit", group="App", bar=32, anywhere=True)
def leave(screen: TraceScreen) -> None:
    """Leave."""
    screen.leave()
