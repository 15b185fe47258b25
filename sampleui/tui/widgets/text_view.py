"""Rows to read, of which only those in view are drawn: a view, several in tabs, and the keys that move in any."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row
from sampleui.tui.widgets.bars import Backdrop, Selectable, TabStrip


class Movable(Protocol):
    """What every pane can do, so that the keys for moving are the same in all of them."""

    def step(self, rows: int, /) -> bool:
        """Move by some rows or cards; tell whether anything moved."""

    def page(self, pages: int, /) -> bool:
        """Move by some screens; tell whether anything moved."""

    def jump(self, last: bool) -> bool:
        """Move to the first or the last place; tell whether anything moved."""


def move_by_key(view: Movable, key: str) -> bool:
    """Move in a view by a key, where nothing is marked by `space`; tell whether it is a key that moves."""
    moves: dict[str, Callable[[], bool]] = {
        **dict.fromkeys(("j", "down"), lambda: view.step(1)),
        **dict.fromkeys(("k", "up"), lambda: view.step(-1)),
        **dict.fromkeys(("pagedown", "space", "ctrl+d"), lambda: view.page(1)),
        **dict.fromkeys(("pageup", "ctrl+u"), lambda: view.page(-1)),
        "home": lambda: view.jump(last=False),
        **dict.fromkeys(("end", "G"), lambda: view.jump(last=True)),
    }
    if key not in moves:
        return False
    moves[key]()
    return True


READING = (Hint("j", "Down"), Hint("k", "Up"), Hint("space", "Page down"), Hint("pageup", "Page up"))
"""The keys to read by, for a footer."""


NOMINAL = 80
"""Cells to make rows for where a view has no place yet."""


class TextView(ScrollView, Selectable, can_focus=True, inherit_bindings=False):
    """A text to scroll. It takes a function from a width to rows, since a new width wraps the text again."""

    DEFAULT_CSS = """
    TextView { scrollbar-size: 0 1; overflow-x: hidden; scrollbar-gutter: stable; }
    """

    _rows: Sequence[Row]
    _make: Callable[[int], Sequence[Row]]
    _goal: Callable[[], tuple[int, int] | None] | None

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._rows = []
        self._make = lambda _: []
        self._goal = None

    @property
    def rows(self) -> Sequence[Row]:
        """What the view shows, all of it."""
        return self._rows

    def show(
        self,
        make: Callable[[int], Sequence[Row]],
        keep: bool = True,
        goal: Callable[[], tuple[int, int] | None] | None = None,
    ) -> None:
        """Show other rows. The place is kept, or, when `keep` is false, the top is shown.

        Where a goal is given, it returns the first and the last of the rows to be in view, once they are made. It
        stays until one scrolls, so that another size of the view does not lose it.
        """
        self._make = make
        if not keep:
            self.scroll_to(y=0, animate=False, immediate=True)
        if goal is not None or not keep:
            self._goal = goal
        self._wrap()
        if goal is not None:
            self._reach()
            self.call_after_refresh(self._reach)

    def _reach(self) -> None:
        rows = self._goal() if self._goal is not None else None
        height = self.scrollable_content_region.height
        if rows is None or not height or not self._rows:
            return
        first, last = rows
        top = round(self.scroll_y)
        if first < top or min(last, first + height * 2 // 3) >= top + height:
            self._to(max(first - height // 3, 0))

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        if width <= 0:
            return
        rows = self._make(self.room(width))
        if rows == self._rows and self.virtual_size.width == width:
            return
        self._rows = rows
        size = Size(width, len(rows))
        if size != self.virtual_size:
            self.virtual_size = size
        self.refresh()

    def on_resize(self) -> None:
        """Wrap to the new width."""
        self._wrap()
        self._reach()

    def step(self, rows: int) -> bool:
        """Scroll by some rows; tell whether that was possible."""
        return self._go(self.scroll_y + rows)

    def page(self, pages: int) -> bool:
        """Scroll by some screens; tell whether that was possible."""
        return self.step(pages * max(self.scrollable_content_region.height - 1, 1))

    def jump(self, last: bool) -> bool:
        """Scroll to the top or the end; tell whether that was possible."""
        return self._go(len(self._rows) if last else 0)

    def reveal(self, row: int) -> None:
        """Scroll so that a row is in view, a third from the top where it was not."""
        height = self.scrollable_content_region.height
        if not self.scroll_y <= row < self.scroll_y + height:
            self._to(max(row - height // 3, 0))

    def _to(self, row: int) -> None:
        # Forced, because the scroll bar may still be on its way.
        self.scroll_to(y=row, animate=False, immediate=True, force=True)

    def _go(self, y: float) -> bool:
        before = self.scroll_y
        self._goal = None
        self.scroll_to(y=y, animate=False, immediate=True)
        return self.scroll_y != before

    def render_line(self, y: int) -> Strip:
        """Draw the row at a line of the viewport."""
        width = self.scrollable_content_region.width
        if self.virtual_size.width != width:  # it has its place, and is to hear of that after this frame
            self._wrap()
        index = y + round(self.scroll_y)
        if not 0 <= index < len(self._rows):
            return self.painted((), width)
        return self.placed(self.painted(self.selected(self._rows[index], index), width), index)

    def selectable(self, index: int) -> Row | None:
        """Return a row."""
        return self._rows[index] if 0 <= index < len(self._rows) else None


class TabbedText(Vertical, Backdrop):
    """A text in several tabs, one of which is shown. Subclasses know the tabs and, in `_update`, what each shows.

    Attributes:
        tabs: the names of the tabs that there are.
    """

    DEFAULT_CSS = "TabbedText TextView { height: 1fr; }"

    tabs: tuple[str, ...] = ()

    def __init__(self, *, id: str | None = None, view_id: str | None = None) -> None:
        super().__init__(id=id)
        self._tab = ""
        self.strip = TabStrip()
        self.view = TextView(id=view_id)

    def compose(self) -> ComposeResult:
        """Yield the tabs and the text."""
        yield self.strip
        yield self.view

    @property
    def tab(self) -> str:
        """The name of the tab shown: the one last gone to, or else the first that there is."""
        return self._tab if self._tab in self.tabs else next(iter(self.tabs), "")

    def turn(self, by: int) -> None:
        """Go to another tab."""
        if self.tabs:
            self.open(self.tabs[(self.tabs.index(self.tab) + by) % len(self.tabs)])

    def open(self, tab: str) -> None:
        """Go to a tab by its name."""
        self._tab = tab
        self._update(keep=False)

    def show_tabs(self) -> None:
        """Show which tabs there are."""
        self.strip.show(self.tabs, self.tabs.index(self.tab))

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Go to the tab that was clicked."""
        message.stop()
        self.open(self.tabs[message.index])

    def _update(self, keep: bool) -> None:
        """Show the tab, at the place it had if it is to be kept."""
        raise NotImplementedError
