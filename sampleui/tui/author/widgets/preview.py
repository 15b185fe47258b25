"""The preview pane: tabs above, the chosen one below."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.tui.author.preview.rows import Subject
from sampleui.tui.author.preview.tabs import TABS, Spot, row_of, tab_rows, tabs_of
from sampleui.tui.widgets.tab_strip import TabStrip
from sampleui.tui.widgets.text_view import TextView

_TALL = 40
_BESIDE = "Question"


class Preview(Vertical):
    """What the current sample becomes. Only what is shown is made, and of it only the lines in view are drawn.

    A tall terminal shows the question below the chosen tab.
    """

    scope: ClassVar[str] = "preview"

    DEFAULT_CSS = """
    Preview TabStrip { margin-bottom: 1; }
    Preview TextView { height: 1fr; }
    Preview #second { display: none; border-top: solid $text-edge; border-title-color: $text-muted; }
    Preview.-tall #second { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._subject: Subject | None = None
        self._spot: Spot | None = None
        self._tab = next(iter(TABS))
        self._strip = TabStrip()
        self.view = TextView(id="preview-text")
        self._second = TextView(id="second")
        self._second.can_focus = False

    def compose(self) -> ComposeResult:
        """Yield the tabs and the text."""
        yield self._strip
        yield self.view
        yield self._second

    def on_mount(self) -> None:
        """Show the tabs."""
        self._show_tabs()

    @property
    def tab(self) -> str:
        """The name of the tab shown."""
        tabs = tabs_of(self._subject)
        return self._tab if self._tab in tabs else tabs[0]

    @property
    def subject(self) -> Subject | None:
        """The sample shown, as rendered."""
        return self._subject

    def show(self, subject: Subject | None, keep: bool = True) -> None:
        """Show another sample, or the same one edited, which keeps the place."""
        self._subject = subject
        self._show_tabs()
        self._update(keep)

    def follow(self, spot: Spot | None) -> None:
        """Bring a place of the sample into view, in each tab that shows it."""
        self._spot = spot
        self._reveal()

    def turn(self, tabs: int) -> None:
        """Go to another tab."""
        names = tabs_of(self._subject)
        self._tab = names[(names.index(self.tab) + tabs) % len(names)]
        self._show_tabs()
        self._update(keep=False)
        self._reveal()

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Go to the tab that was clicked."""
        message.stop()
        self.turn(message.index - tabs_of(self._subject).index(self.tab))

    def on_resize(self, event: events.Resize) -> None:
        """Use the room of a tall terminal for a second tab."""
        self.set_class(event.size.height >= _TALL, "-tall")
        self._update(keep=True)

    def _show_tabs(self) -> None:
        names = tabs_of(self._subject)
        self._strip.show(names, names.index(self.tab))

    def _update(self, keep: bool) -> None:
        self._show(self.view, self.tab, keep)
        if self.has_class("-tall"):
            other = self._beside
            self._second.border_title = Content(other)
            self._show(self._second, other, keep)

    def _reveal(self) -> None:
        if self._spot is None or self._subject is None:
            return
        shown = [(self.view, self.tab)]
        if self.has_class("-tall"):
            shown.append((self._second, self._beside))
        for view, tab in shown:
            width = view.scrollable_content_region.width
            row = row_of(tab, self._subject, self._spot, width) if width > 0 else None
            if row is not None:
                view.reveal(row)

    @property
    def _beside(self) -> str:
        return _BESIDE if self.tab != _BESIDE else tabs_of(self._subject)[0]

    def _show(self, view: TextView, tab: str, keep: bool) -> None:
        subject = self._subject
        if subject is None:
            view.show(lambda _: [(("muted", "No sample."),)], keep)
        else:
            view.show(partial(tab_rows, subject, tab), keep)
