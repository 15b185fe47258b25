"""The answer pane: what was expected against what was answered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from sampleui.tui.review.answer import VIEWS, views_of
from sampleui.tui.review.shown import Shown
from sampleui.tui.rows import Row
from sampleui.tui.widgets.tab_strip import TabStrip
from sampleui.tui.widgets.text_view import TextView


class AnswerPane(Vertical):
    """The differences, either text whole, what was sent, or the baseline's answer against this one."""

    scope: ClassVar[str] = "answer"

    DEFAULT_CSS = """
    AnswerPane TabStrip { margin-bottom: 1; }
    AnswerPane TextView { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown = Shown()
        self._tabs = views_of(self._shown, baseline=False)
        self._name = self._tabs[0]
        self._strip = TabStrip()
        self.view = TextView(id="answer-text")

    def compose(self) -> ComposeResult:
        """Yield the tabs and the text."""
        yield self._strip
        yield self.view

    def on_mount(self) -> None:
        """Show the tabs."""
        self._strip.show(self._tabs, self._tab)

    @property
    def _tab(self) -> int:
        """The place of the view among those that there are; the first of them where it is none."""
        return self._tabs.index(self._name) if self._name in self._tabs else 0

    def show(self, shown: Shown, *, baseline: bool, keep: bool = False) -> None:
        """Show another record, or the same one again, which keeps the place."""
        self._shown = shown
        self._tabs = views_of(shown, baseline)
        self._update(keep)

    def turn(self, by: int) -> None:
        """Show another view."""
        self._name = self._tabs[(self._tab + by) % len(self._tabs)]
        self._update(keep=False)

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Show the view that was clicked."""
        message.stop()
        self.turn(message.index - self._tab)

    def _update(self, keep: bool) -> None:
        self._strip.show(self._tabs, self._tab)
        make: Callable[[Shown, int], list[Row]] = VIEWS[self._tabs[self._tab]]
        self.view.show(partial(make, self._shown), keep)
