"""The registries of the trace screen, which the modules beside this one fill.

`EVENTS` has the commands on a trace, for every screen that shows one; `TRACE` has those and the screen's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from sampleui.tui.commands import Registry

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

    def copy(self, text: str) -> None:
        """Copy a text."""

    async def pick(self, title: str, names: Sequence[str], *, free: bool = False) -> str:
        """Let one name be picked."""


EVENTS: Registry[TraceHost] = Registry()
TRACE: Registry[TraceScreen] = Registry()

EVENT_PANES = "timeline detail"
"""The scopes of the panes of a trace view."""
