"""Every command of the trace screen, and what each needs; importing this fills its registry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from sampleui.review.record import Outcome, outcome_of
from sampleui.trace.events import ABSENT, to_data
from sampleui.trace.preview import to_json
from sampleui.trace.reading.extract import untold
from sampleui.tui.actions import APP, FIELDS, moving
from sampleui.tui.commands import Command, Registry, key_named
from sampleui.tui.drawing.pictures import media_in
from sampleui.tui.external_editor import edit_outside
from sampleui.tui.outside import open_medium
from sampleui.tui.screens import asking
from sampleui.tui.trace.detail import values_of
from sampleui.tui.trace.promote import promote_from
from sampleui.tui.trace.trace_view import Filter

if TYPE_CHECKING:
    from sampleui.trace.timeline import TimelineRow
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.trace.screen import TraceScreen

    TraceHost: TypeAlias = ReviewScreen | TraceScreen

EVENTS: Registry[TraceHost] = Registry()
TRACE: Registry[TraceScreen] = Registry()

EVENT_PANES = "timeline detail"
"""The scopes of the panes of a trace view."""


events = EVENTS.need(lambda screen: screen.trace_view.state.all, "the record has no trace")
an_event = EVENTS.need(lambda screen: screen.trace_view.event is not None, "there is no event here")


def a_failure(screen: TraceHost) -> str:
    """Need something that failed among the events shown."""
    if screen.trace_view.state.fails:
        return ""
    if why := events(screen):
        return why
    subject = screen.trace_view.subject
    passed = subject is not None and outcome_of(subject.entry) is Outcome.PASSED
    return "nothing failed here" if passed else "no event here says that it failed"


a_call = EVENTS.need(
    lambda screen: screen.trace_view.state.next_in(screen.trace_view.state.calls, -1) is not None,
    "no tool was called here",
)


def a_match(screen: TraceHost) -> str:
    """Need a search that found something among the events shown."""
    state = screen.trace_view.state
    if not state.words and not state.found:
        return f"nothing is searched for; {key_named('trace.search', '/')} searches"
    return "" if state.found else f"{state.words} is not found"


def narrowed(screen: TraceHost) -> str:
    """Need a search or a filter that can be ended, or a part to leave."""
    state = screen.trace_view.state
    narrowed = state.words or state.found or state.filter != Filter() or state.outline.root is not None
    return "" if narrowed else "every event is shown already"


def golden_trajectories(screen: TraceHost) -> str:
    """Need golden trajectories of the sample."""
    subject, whole = screen.trace_view.subject, screen.trace_view.whole
    if subject is None or whole is None or subject.alignments:
        return ""
    if subject.alignments is None:
        return untold(subject.trace)
    if whole.sample is None:
        return "no golden trajectories are known: no deck has the sample of this record"
    return "the sample of this record has no golden trajectories"


a_part = EVENTS.need(lambda screen: screen.trace_view.part is not None, "nothing is folded here")
several_tabs = EVENTS.need(lambda screen: len(screen.trace_view.detail.tabs) > 1, "there is one tab here")


def a_value(screen: TraceHost) -> str:
    """Need an event with a value that can be folded."""
    return an_event(screen) or ("" if screen.trace_view.values else "this event has no values to fold")


_EVENTS = "Events"


@EVENTS.command("trace.error", "!", "Next error", group=_EVENTS, scopes=EVENT_PANES, bar=1, needs=a_failure)
def next_error(screen: TraceHost) -> None:
    """Go to the next failure: a failed call with its input, or an error."""
    screen.trace_view.go_next(screen.trace_view.state.failures)


@EVENTS.command("trace.call", "t", "Next call", group=_EVENTS, scopes=EVENT_PANES, bar=2, needs=a_call)
def next_call(screen: TraceHost) -> None:
    """Go to the next tool call."""
    screen.trace_view.go_next(screen.trace_view.state.calls)


@EVENTS.command("trace.search", "/", "Search", group=_EVENTS, scopes=EVENT_PANES, bar=3, needs=events)
def search(screen: TraceHost) -> None:
    """Search in names, inputs, outputs and texts as you type; Escape ends the search."""
    screen.trace_view.open_search()


@EVENTS.command("trace.match", ";", "Next match", group=_EVENTS, scopes=EVENT_PANES, bar=2, needs=a_match)
def next_match(screen: TraceHost) -> None:
    """Go to the next event that the search found."""
    screen.trace_view.go_match()


@EVENTS.command("trace.match-before", ",", "Match before", group=_EVENTS, scopes=EVENT_PANES, needs=a_match)
def match_before(screen: TraceHost) -> None:
    """Go to the previous event that the search found."""
    screen.trace_view.go_match(-1)


@EVENTS.command("trace.filter", "f", "Filter", group=_EVENTS, scopes=EVENT_PANES, bar=4, needs=events)
async def narrow(screen: TraceHost) -> None:
    """Show only the events of one kind, about one tool, or that failed."""
    choices = screen.trace_view.state.choices()
    picked = await asking.pick(screen, "Show events", list(choices))
    if picked:
        screen.trace_view.narrow(choices[picked])


@EVENTS.command("trace.mode", "v", "View", group=_EVENTS, scopes=EVENT_PANES, bar=5)
def turn_mode(screen: TraceHost) -> None:
    """Show values as indented JSON, as Markdown, or raw."""
    screen.trace_view.turn_mode()


@EVENTS.command("trace.fold", "Z", "Fold", group=_EVENTS, scopes=EVENT_PANES, bar=10, needs=a_value)
def fold(screen: TraceHost) -> None:
    """Fold the large values of the event, or show all of them."""
    screen.trace_view.fold()


@EVENTS.command("trace.tab", "p", "Next tab", group=_EVENTS, scopes=EVENT_PANES, bar=6, needs=several_tabs)
def next_tab(screen: TraceHost) -> None:
    """Show the next tab of the detail: the event, the response, checks, golden trajectories, notes."""
    screen.trace_view.detail.turn(1)


@EVENTS.command("trace.tab-before", "P", "Tab before", group=_EVENTS, scopes=EVENT_PANES, needs=several_tabs)
def tab_before(screen: TraceHost) -> None:
    """Show the previous tab of the detail."""
    screen.trace_view.detail.turn(-1)


@EVENTS.command("trace.golden", "g", "Golden", group=_EVENTS, scopes=EVENT_PANES, bar=11, needs=golden_trajectories)
def golden(screen: TraceHost) -> None:
    """Show the calls beside the closest golden trajectory, then beside the next one."""
    screen.trace_view.turn_golden()


@EVENTS.command("trace.scroll-down", "J ctrl+d", "Scroll detail", group=_EVENTS, scopes=EVENT_PANES)
def scroll_down(screen: TraceHost) -> None:
    """Scroll the detail down, from the timeline too."""
    if not screen.trace_view.detail.view.step(5):
        screen.refuse("this is the end of the detail")


@EVENTS.command("trace.scroll-up", "K ctrl+u", "Scroll detail up", group=_EVENTS, scopes=EVENT_PANES)
def scroll_up(screen: TraceHost) -> None:
    """Scroll the detail up."""
    if not screen.trace_view.detail.view.step(-5):
        screen.refuse("this is the top of the detail")


@EVENTS.command("trace.unfold", "l right", "Unfold", group=_EVENTS, scopes="timeline", bar=2, needs=a_part)
def unfold(screen: TraceHost) -> None:
    """Show what a line stands for: what a sub-agent did, calls that went well, what happened in a call."""
    _tell(screen, screen.trace_view.unfold())


@EVENTS.command("trace.fold-up", "h left", "Fold up", group=_EVENTS, scopes="timeline", needs=events)
def fold_up(screen: TraceHost) -> None:
    """Fold what is shown below the line; from what is folded, go to what it stands below."""
    _tell(screen, screen.trace_view.fold_up())


@EVENTS.command("trace.fold-level", "-", "Fold a level", group=_EVENTS, scopes="timeline", needs=events)
def fold_level(screen: TraceHost) -> None:
    """Fold the innermost level that is shown."""
    _tell(screen, screen.trace_view.fold_level())


def _tell(screen: TraceHost, why_not: str) -> None:
    if why_not:
        screen.refuse(why_not)


@EVENTS.command("trace.open", "enter", "Open", group=_EVENTS, scopes="timeline", bar=7)
def open_detail(screen: TraceHost) -> None:
    """Go to the detail of the event; what is folded becomes a trace of its own, and Escape leaves that."""
    if not screen.trace_view.zoom_in():
        screen.trace_view.screen.set_focus(screen.trace_view.detail.view)


@EVENTS.command("trace.back", "escape", "Back", group=_EVENTS, scopes="detail", bar=7)
def back(screen: TraceHost) -> None:
    """Go back to the timeline."""
    screen.trace_view.screen.set_focus(screen.trace_view.timeline)


@EVENTS.command("trace.clear", "escape", "Show all", group=_EVENTS, scopes="timeline", needs=narrowed)
def clear(screen: TraceHost) -> None:
    """End the search and the filter, or leave the part that is shown as a trace of its own."""
    state = screen.trace_view.state
    if state.words or state.found or state.filter != Filter() or not screen.trace_view.zoom_out():
        screen.trace_view.clear()


@EVENTS.command("trace.copy", "y ctrl+c", "Copy", group=_EVENTS, scopes=EVENT_PANES, bar=12, needs=an_event)
async def copy(screen: TraceHost) -> None:
    """Copy the event as JSON, its input or its output, to the clipboard."""
    row = screen.trace_view.event
    assert row is not None  # what the command needs
    texts = {"e": ("the event as JSON", event_as_json(row))}
    result = row.result or row.event
    for key, name, value in (("i", "its input", row.event.input), ("o", "its output", result.output)):
        if value is not ABSENT:
            texts[key] = (name, value if isinstance(value, str) else to_json(value, indent=2))
    if row.event.text:
        texts["t"] = ("its text", row.event.text)
    await asking.copy_one_of(screen, "trace.copy", f"Copy from event {row.number}", texts)


@EVENTS.command("trace.external", "E", "Editor", group=_EVENTS, scopes=EVENT_PANES, bar=13, needs=an_event)
async def external(screen: TraceHost) -> None:
    """Open a picture or another medium of the event with the system's program; else look at it as JSON in $EDITOR.

    What is run is shown first.
    """
    row = screen.trace_view.event
    assert row is not None  # what the command needs
    media = [*media_in([value for _, value in values_of(row)])]
    if media and not await open_medium(screen, media, screen.trace_view.places, "the event as JSON, in $EDITOR"):
        return
    edit_outside(screen.app, screen.settings.editor, event_as_json(screen.trace_view.event), "event.json")


def event_as_json(row: TimelineRow | None) -> str:
    """Return an event as JSON; a call and the result that answers it as a list of both."""
    assert row is not None  # what the commands need
    call = to_data(row.event)
    return to_json(call if row.result is None else [call, to_data(row.result)], indent=2)


_RECORDS = "Records"
_PANES = f"records {EVENT_PANES}"


def _from_anywhere(command: Command[Any]) -> Command[Any]:
    """Return a command of both panes of a trace as one that works from the records too."""
    both = command.scopes == frozenset(EVENT_PANES.split())
    return command._replace(scopes=frozenset()) if both else command


TRACE.include(map(_from_anywhere, EVENTS))
TRACE.include(FIELDS)


@TRACE.command("record.next", "]", "Next record", group=_RECORDS, bar=8)
def following(screen: TraceScreen) -> None:
    """Go to the next record."""
    if not screen.records.step(1):
        screen.refuse("this is the last record")


@TRACE.command("record.previous", "[", "Previous record", group=_RECORDS)
def previous(screen: TraceScreen) -> None:
    """Go to the previous record."""
    if not screen.records.step(-1):
        screen.refuse("this is the first record")


@TRACE.command("record.open", "enter", "Open", group=_RECORDS, scopes="records", bar=1)
def open_record(screen: TraceScreen) -> None:
    """Go to the timeline of the record under the cursor."""
    screen.trace_view.timeline.focus()


@TRACE.command("record.promote", "n", "New sample", group=_RECORDS, bar=14)
async def promote(screen: TraceScreen) -> None:
    """Make a new sample of the turns up to the event under the cursor; it is shown before it is written."""
    decks = [known.path for known in screen.run.decks]
    await promote_from(screen, screen.run.path, decks, screen.subject, screen.trace_view.place_in_subject)


TRACE.include(item for item in moving(_PANES) if not item.id.startswith("preview."))
TRACE.include(APP)


@TRACE.command("app.quit", "ctrl+q q", "Quit", group="App", bar=32, anywhere=True)
def leave(screen: TraceScreen) -> None:
    """Leave."""
    screen.leave()
