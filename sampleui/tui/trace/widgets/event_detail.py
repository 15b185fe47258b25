"""The detail pane of a trace: the event under the cursor, and tabs for what is known of the whole record."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from sampleui.tui.trace.detail import Detail, tab_rows, tabs_of
from sampleui.tui.trace.text import StackedRows, pattern
from sampleui.tui.widgets.tab_strip import TabStrip
from sampleui.tui.widgets.text_view import TextView


class EventDetail(Vertical):
    """One tab at a time. Values are made to rows when they are shown, large ones line by line as they are drawn."""

    scope: ClassVar[str] = "detail"

    DEFAULT_CSS = """
    EventDetail TextView { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._detail: Detail | None = None
        self._tabs: tuple[str, ...] = ()
        self._tab = ""
        self._strip = TabStrip()
        self.view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the tabs and the text."""
        yield self._strip
        yield self.view

    @property
    def tab(self) -> str:
        """The name of the tab shown."""
        return self._tab if self._tab in self._tabs else next(iter(self._tabs), "")

    @property
    def count(self) -> int:
        """How many tabs there are."""
        return len(self._tabs)

    def show(self, detail: Detail, keep: bool = False) -> None:
        """Show another event, or the same one in another way, which keeps the place."""
        if self._detail is not None and self._detail.same(detail):
            return
        self._detail = detail
        self._tabs = tabs_of(detail.subject)
        self._update(keep)

    def turn(self, tabs: int) -> None:
        """Go to another tab."""
        if self._tabs:
            self.open(self._tabs[(self._tabs.index(self.tab) + tabs) % len(self._tabs)])

    def open(self, tab: str) -> None:
        """Go to a tab by its name."""
        if tab != self.tab:
            self._tab = tab
            self._update(keep=False)

    def show_match(self) -> None:
        """Scroll to the first line that holds what is searched for; if the pane is away, when it is shown."""
        self._update(keep=True, goal=self._match)

    def _match(self) -> tuple[int, int] | None:
        rows, detail = self.view.rows, self._detail
        wanted = pattern(detail.look.words) if detail else None
        at = rows.find(wanted) if wanted and isinstance(rows, StackedRows) else None
        return None if at is None else (at, at)

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Go to the tab that was clicked."""
        message.stop()
        self.open(self._tabs[message.index])

    def _update(self, keep: bool, goal: Callable[[], tuple[int, int] | None] | None = None) -> None:
        detail = self._detail
        if detail is None:
            return
        self._strip.show(self._tabs, self._tabs.index(self.tab))
        self.view.show(partial(tab_rows, self.tab, detail), keep, goal)
