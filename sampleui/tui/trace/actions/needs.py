"""The registries of the trace screen, and what its commands need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from sampleui.review.record import Outcome, outcome_of
from sampleui.trace.reading.extract import untold
from sampleui.tui.commands import Registry, key_named
from sampleui.tui.trace.state import Filter

if TYPE_CHECKING:
    from textual.app import App

    from sampleui.settings.options import Settings
    from sampleui.tui.trace.screen import TraceScreen
    from sampleui.tui.trace.widgets.trace_view import TraceView


class TraceHost(Protocol):
    """A screen that shows a trace."""

    settings: Settings

    @property
    def trace_view(self) -> TraceView:
        """The view."""

    @property
    def app(self) -> App[object]:
        """The app."""

    def refuse(self, why: str) -> None:
        """Say why a key does nothing."""

    async def copy_one_of(self, name: str, title: str, texts: Mapping[str, tuple[str, str]]) -> None:
        """Copy a text."""

    async def pick(self, title: str, names: Sequence[str], *, free: bool = False) -> str:
        """Let one name be picked."""


EVENTS: Registry[TraceHost] = Registry()
TRACE: Registry[TraceScreen] = Registry()

EVENT_PANES = "timeline detail"
"""The scopes of the panes of a trace view."""


def events(screen: TraceHost) -> str:
    """Need a trace."""
    return "" if screen.trace_view.state.all else "the record has no trace"


def an_event(screen: TraceHost) -> str:
    """Need an event under the cursor."""
    return "" if screen.trace_view.event is not None else "there is no event here"


def a_failure(screen: TraceHost) -> str:
    """Need something that failed among the events shown."""
    if screen.trace_view.state.next_error(-1) is not None:
        return ""
    if why := events(screen):
        return why
    subject = screen.trace_view.subject
    passed = subject is not None and outcome_of(subject.entry) is Outcome.PASSED
    return "nothing failed here" if passed else "no event here says that it failed"


def a_call(screen: TraceHost) -> str:
    """Need a tool call among the events shown."""
    return "" if screen.trace_view.state.next_tool_call(-1) is not None else "no tool was called here"


def a_match(screen: TraceHost) -> str:
    """Need a search that found something among the events shown."""
    state = screen.trace_view.state
    if not state.words:
        return f"nothing is searched for; {key_named('trace.search', '/')} searches"
    return "" if state.found else f"{state.words} is not found"


def narrowed(screen: TraceHost) -> str:
    """Need a search or a filter that can be ended."""
    state = screen.trace_view.state
    return "" if state.words or state.filter != Filter() else "every event is shown already"


def golden_trajectories(screen: TraceHost) -> str:
    """Need golden trajectories of the sample."""
    subject = screen.trace_view.subject
    if subject is None or subject.alignments:
        return ""
    if subject.alignments is None:
        return untold(subject.trace)
    if subject.sample is None:
        return "no golden trajectories are known: no deck has the sample of this record"
    return "the sample of this record has no golden trajectories"


def several_tabs(screen: TraceHost) -> str:
    """Need more than one tab of the detail."""
    return "" if screen.trace_view.detail.count > 1 else "there is one tab here"


def a_value(screen: TraceHost) -> str:
    """Need an event with a value that can be folded."""
    return an_event(screen) or ("" if screen.trace_view.values else "this event has no values to fold")
