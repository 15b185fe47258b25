"""Commands on the events of a trace."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.trace.actions.needs import (
    EVENT_PANES,
    EVENTS,
    TraceHost,
    a_call,
    a_failure,
    a_match,
    a_value,
    an_event,
    events,
    golden_trajectories,
    narrowed,
    several_tabs,
)

if TYPE_CHECKING:
    from sampleui.trace.timeline import Row

__all__ = ["EVENTS", "event_as_json"]

_GROUP = "Events"


@EVENTS.command("trace.error", "!", "Next error", group=_GROUP, scopes=EVENT_PANES, bar=1, needs=a_failure)
def next_error(screen: TraceHost) -> None:
    """Go to the next failure: a failed call with its input, or an error."""
    screen.trace_view.go_error()


@EVENTS.command("trace.call", "t", "Next call", group=_GROUP, scopes=EVENT_PANES, bar=2, needs=a_call)
def next_call(screen: TraceHost) -> None:
    """Go to the next tool call."""
    screen.trace_view.go_tool_call()


@EVENTS.command("trace.search", "/", "Search", group=_GROUP, scopes=EVENT_PANES, bar=3, needs=events)
def search(screen: TraceHost) -> None:
    """Search in names, inputs, outputs and texts as you type; Escape ends the search."""
    screen.trace_view.open_search()


@EVENTS.command("trace.match", ";", "Next match", group=_GROUP, scopes=EVENT_PANES, bar=2, needs=a_match)
def next_match(screen: TraceHost) -> None:
    """Go to the next event that the search found."""
    screen.trace_view.go_match()


@EVENTS.command("trace.match-before", ",", "Match before", group=_GROUP, scopes=EVENT_PANES, needs=a_match)
def match_before(screen: TraceHost) -> None:
    """Go to the previous event that the search found."""
    screen.trace_view.go_match(-1)


@EVENTS.command("trace.filter", "f", "Filter", group=_GROUP, scopes=EVENT_PANES, bar=4, needs=events)
async def narrow(screen: TraceHost) -> None:
    """Show only the events of one kind, about one tool, or that failed."""
    choices = screen.trace_view.state.choices()
    picked = await screen.pick("Show events", list(choices))
    if picked:
        screen.trace_view.narrow(choices[picked])


@EVENTS.command("trace.mode", "v", "View", group=_GROUP, scopes=EVENT_PANES, bar=5)
def turn_mode(screen: TraceHost) -> None:
    """Show values as indented JSON, as Markdown, or raw."""
    screen.trace_view.turn_mode()


@EVENTS.command("trace.fold", "Z", "Fold", group=_GROUP, scopes=EVENT_PANES, bar=10, needs=a_value)
def fold(screen: TraceHost) -> None:
    """Fold the large values of the event, or show all of them."""
    screen.trace_view.fold()


@EVENTS.command("trace.tab", "p", "Next tab", group=_GROUP, scopes=EVENT_PANES, bar=6, needs=several_tabs)
def next_tab(screen: TraceHost) -> None:
    """Show the next tab of the detail: the event, the response, checks, golden trajectories, notes."""
    screen.trace_view.detail.turn(1)


@EVENTS.command("trace.tab-before", "P", "Tab before", group=_GROUP, scopes=EVENT_PANES, needs=several_tabs)
def tab_before(screen: TraceHost) -> None:
    """Show the previous tab of the detail."""
    screen.trace_view.detail.turn(-1)


@EVENTS.command("trace.golden", "g", "Golden", group=_GROUP, scopes=EVENT_PANES, bar=11, needs=golden_trajectories)
def golden(screen: TraceHost) -> None:
    """Show the calls beside the closest golden trajectory, then beside the next one."""
    screen.trace_view.turn_golden()


@EVENTS.command("trace.scroll-down", "J ctrl+d", "Scroll detail", group=_GROUP, scopes=EVENT_PANES)
def scroll_down(screen: TraceHost) -> None:
    """Scroll the detail down, from the timeline too."""
    if not screen.trace_view.detail.view.step(5):
        screen.refuse("this is the end of the detail")


@EVENTS.command("trace.scroll-up", "K ctrl+u", "Scroll detail up", group=_GROUP, scopes=EVENT_PANES)
def scroll_up(screen: TraceHost) -> None:
    """Scroll the detail up."""
    if not screen.trace_view.detail.view.step(-5):
        screen.refuse("this is the top of the detail")


@EVENTS.command("trace.open", "enter", "Open", group=_GROUP, scopes="timeline", bar=7)
def open_detail(screen: TraceHost) -> None:
    """Go to the detail of the event."""
    screen.trace_view.screen.set_focus(screen.trace_view.detail.view)


@EVENTS.command("trace.back", "escape", "Back", group=_GROUP, scopes="detail", bar=7)
def back(screen: TraceHost) -> None:
    """Go back to the timeline."""
    screen.trace_view.screen.set_focus(screen.trace_view.timeline)


@EVENTS.command("trace.clear", "escape", "Show all", group=_GROUP, scopes="timeline", needs=narrowed)
def clear(screen: TraceHost) -> None:
    """End the search and the filter."""
    screen.trace_view.clear()


@EVENTS.command("trace.copy", "y ctrl+c", "Copy", group=_GROUP, scopes=EVENT_PANES, bar=12, needs=an_event)
async def copy(screen: TraceHost) -> None:
    """Copy the event as JSON, its input or its output, to the clipboard."""
    from sampleui.trace.events import ABSENT
    from sampleui.trace.preview import to_json

    row = screen.trace_view.event
    assert row is not None  # what the command needs
    texts = {"e": ("the event as JSON", event_as_json(row))}
    result = row.result or row.event
    for key, name, value in (("i", "its input", row.event.input), ("o", "its output", result.output)):
        if value is not ABSENT:
            texts[key] = (name, value if isinstance(value, str) else to_json(value, indent=2))
    if row.event.text:
        texts["t"] = ("its text", row.event.text)
    await screen.copy_one_of("trace.copy", f"Copy of event {row.number}", texts)


@EVENTS.command("trace.external", "E o", "Editor", group=_GROUP, scopes=EVENT_PANES, bar=13, needs=an_event)
def external(screen: TraceHost) -> None:
    """Look at the event as JSON in $EDITOR."""
    from sampleui.tui.outside import edit_outside

    edit_outside(screen.app, screen.settings.editor, event_as_json(screen.trace_view.event), "event.json")


def event_as_json(row: Row | None) -> str:
    """Return an event as JSON; a call and the result that answers it as a list of both."""
    from sampleui.trace.events import to_data
    from sampleui.trace.preview import to_json

    assert row is not None  # what the commands need
    call = to_data(row.event)
    return to_json(call if row.result is None else [call, to_data(row.result)], indent=2)
