"""The preview pane: tabs above, the chosen one below."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from sampleui.tui.previews import TABS, Subject
from sampleui.tui.widgets.tab_strip import TabStrip
from sampleui.tui.widgets.text_view import TextView


class Preview(Vertical):
    """What the current sample becomes. Only the chosen tab is made, and of it only the lines in view are drawn."""

    scope: ClassVar[str] = "preview"

    DEFAULT_CSS = """
    Preview TabStrip { margin-bottom: 1; }
    Preview TextView { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._subject: Subject | None = None
        self._tab = 0
        self._strip = TabStrip()
        self.view = TextView(id="preview-text")

    def compose(self) -> ComposeResult:
        """Yield the tabs and the text."""
        yield self._strip
        yield self.view

    def on_mount(self) -> None:
        """Show the tabs."""
        self._strip.show(tuple(TABS), self._tab)

    @property
    def tab(self) -> str:
        """The name of the tab shown."""
        return tuple(TABS)[self._tab]

    def show(self, subject: Subject | None, keep: bool = True) -> None:
        """Show another sample, or the same one edited, which keeps the place."""
        self._subject = subject
        self._update(keep)

    def turn(self, tabs: int) -> None:
        """Go to another tab."""
        self._tab = (self._tab + tabs) % len(TABS)
        self._strip.show(tuple(TABS), self._tab)
        self._update(keep=False)

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Go to the tab that was clicked."""
        message.stop()
        self.turn(message.index - self._tab)

    def step(self, rows: int) -> None:
        """Scroll by some rows."""
        self.view.step(rows)

    def page(self, pages: int) -> None:
        """Scroll by some screens."""
        self.view.page(pages)

    def jump(self, last: bool) -> None:
        """Scroll to the top or the end."""
        self.view.jump(last)

    def _update(self, keep: bool) -> None:
        subject = self._subject
        if subject is None:
            self.view.show(lambda _: [(("muted", "No sample."),)], keep)
        else:
            self.view.show(partial(TABS[self.tab], subject), keep)
