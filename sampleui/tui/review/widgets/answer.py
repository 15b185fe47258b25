"""The answer pane: what was expected against what was answered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Vertical

from sampleui.tui.drawing.marking import Range, ranges, with_style
from sampleui.tui.drawing.room import Room
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.rows.answer import VIEWS, views_of
from sampleui.tui.review.shown import Shown
from sampleui.tui.themes import has_colours
from sampleui.tui.widgets.bars import Backdrop, TabStrip, caption
from sampleui.tui.widgets.text_view import NOMINAL, TextView
from sampleui.values import NamedTuple

if TYPE_CHECKING:
    from sampleui.tui.drawing.two_texts import Difference


class _Page(NamedTuple):
    """A view as it is at a width: its rows, what differs in them, and where they show what is searched for."""

    width: int
    rows: Sequence[Row]
    differences: tuple[Difference, ...]
    found: Mapping[int, list[Range]]

    def marked(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return its rows, in whichever styles, with what is searched for marked."""
        if not self.found:
            return rows
        return [with_style(row, self.found.get(index, ()), "match") for index, row in enumerate(rows)]


class AnswerPane(Vertical, Backdrop):
    """The differences, either text whole, what was sent, or the baseline's answer against this one."""

    scope: ClassVar[str] = "answer"

    DEFAULT_CSS = """
    AnswerPane TabStrip { margin-bottom: 1; }
    AnswerPane TextView { height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._shown = Shown()
        self._sought = ""
        self._tabs = views_of(self._shown, baseline=False)
        self._tab_name = self._tabs[0]
        self._at = 0
        self._page: _Page | None = None
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
        """The place of the view among those that there are; the first of them if it is not among them."""
        return self._tabs.index(self._tab_name) if self._tab_name in self._tabs else 0

    @property
    def count(self) -> int:
        """How many views there are."""
        return len(self._tabs)

    def show(self, shown: Shown, *, baseline: bool, sought: str = "", keep: bool = False) -> None:
        """Show another record, what is searched for marked in it, or the same one again, which keeps the place."""
        keep = keep and sought == self._sought
        self._shown, self._sought = shown, sought
        self._tabs = views_of(shown, baseline)
        self._update(keep)

    def turn(self, by: int) -> None:
        """Show another view."""
        self._tab_name = self._tabs[(self._tab + by) % len(self._tabs)]
        self._update(keep=False)

    def go_to_error(self) -> None:
        """Show the error that stands for an answer: the first lines of the view that compares."""
        self._tab_name = self._tabs[0]
        self._update(keep=False)

    @property
    def shows_match(self) -> bool:
        """Whether the view shows what is searched for, or will once it has its place."""
        return bool((self._page or self._made(NOMINAL)).found)

    @property
    def differences(self) -> int:
        """How many differences the view shows."""
        return len(self._page.differences) if self._page is not None else 0

    def go_difference(self, by: int) -> str:
        """Go to another difference; return which of how many it is, empty if there is none on that side."""
        if not 0 <= self._at + by < self.differences:
            return ""
        self._at += by
        self.view.show(self._rows, goal=self._goal)
        return f"difference {self._at + 1:,} of {self.differences:,}"

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Show the view that was clicked."""
        message.stop()
        self.turn(message.index - self._tab)

    def _update(self, keep: bool) -> None:
        self._strip.show(self._tabs, self._tab)
        self._page = None
        if keep:
            self.view.show(self._rows)
        else:
            self._at = 0
            self.view.show(self._rows, keep=False, goal=self._goal)

    def _rows(self, width: int) -> Sequence[Row]:
        """Return the view's rows at a width, the current difference and what is searched for marked in them."""
        page = self._page
        if page is None or page.width != width:
            page = self._page = self._made(width)
        apart, rows = page.differences, page.rows
        self._at = max(min(self._at, len(apart) - 1), 0)
        caption(self, f"{self._at + 1:,} of {len(apart):,} differences" if len(apart) > 1 else "")
        if len(apart) > 1:
            from sampleui.tui.drawing.two_texts import lit

            rows = lit(rows, apart[self._at])
        return page.marked(rows)

    def _made(self, width: int) -> _Page:
        room = Room(width, brackets=not has_colours(self.app), sought=self._sought)
        rows = VIEWS[self._tabs[self._tab]](self._shown, room)
        if self._shown.alone:
            return _Page(width, rows, (), {})
        from sampleui.tui.drawing.two_texts import differences

        return _Page(width, rows, differences(rows), ranges(rows, self._sought))

    def _goal(self) -> tuple[int, int] | None:
        """Return the rows to be in view: what is searched for, else the difference that the cursor is on."""
        page = self._page
        if page is None:
            return None
        if page.found and self._at == 0:
            return min(page.found), min(page.found)
        return (page.differences[self._at].row, page.differences[self._at].end) if page.differences else None
