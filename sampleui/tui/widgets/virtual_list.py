"""A list that draws only the rows in view, for any number of rows, and which of its rows are marked."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from sampleui.tui.commands import FILTER
from sampleui.tui.drawing.rows import Row
from sampleui.tui.widgets.bars import Painted

CURSOR_MARK = "›"


class _OfList(Message):
    """A message of a list."""

    def __init__(self, control: VirtualList) -> None:
        super().__init__()
        self._control = control

    @property
    def control(self) -> VirtualList:
        """The list."""
        return self._control


class VirtualList(ScrollView, Painted, can_focus=True, inherit_bindings=False):
    """Rows of one line with a cursor. Subclasses say how many rows there are and what each shows.

    Its messages do not name a row: when they arrive the list may hold other rows, and `cursor` is one of them.

    Attributes:
        empty_hint: what is said in the place of the first row where there is none.
        tells_place: whether rows end with their number and how many there are, for a screen reader.
    """

    DEFAULT_CSS = """
    VirtualList { scrollbar-size: 0 1; overflow-x: hidden; scrollbar-gutter: stable; }
    """

    class Moved(_OfList):
        """The cursor went to another row."""

    class Chosen(_OfList):
        """A row was chosen by Enter or a click on the row that has the cursor."""

    cursor: reactive[int] = reactive(0, repaint=False)
    empty_hint: str = ""
    tells_place: bool = False

    def count(self) -> int:
        """Return the number of rows."""
        raise NotImplementedError

    def row(self, index: int, width: int) -> Row:
        """Return what a row shows in `width` cells."""
        raise NotImplementedError

    def reload(self, cursor: int | None = None) -> None:
        """Draw again after the rows have changed; the cursor is kept inside them."""
        rows = self.count()
        width = self.scrollable_content_region.width
        if self.virtual_size != Size(width, rows):
            self.virtual_size = Size(width, rows)
        wanted = self.cursor if cursor is None else cursor
        self.set_reactive(VirtualList.cursor, max(0, min(wanted, rows - 1)))
        self.show_cursor()
        self.refresh()

    def validate_cursor(self, cursor: int) -> int:
        """Keep the cursor on a row."""
        return max(0, min(cursor, self.count() - 1))

    def watch_cursor(self, old: int, new: int) -> None:
        """Bring the cursor into view and draw the two rows that changed."""
        if old == new:
            return
        self.show_cursor()
        self.refresh_line(old)
        self.refresh_line(new)
        self.post_message(self.Moved(self))

    def show_cursor(self) -> None:
        """Scroll as little as needed for the cursor to be in view, its bar laid out or not."""
        height = self.scrollable_content_region.height
        if height <= 0:
            return
        top = round(self.scroll_y)
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True, force=True)
        elif self.cursor >= top + height:
            self.scroll_to(y=self.cursor - height + 1, animate=False, immediate=True, force=True)

    def step(self, rows: int) -> bool:
        """Move the cursor by some rows; tell whether it moved."""
        return self._go(self.cursor + rows)

    def page(self, pages: int) -> bool:
        """Move the cursor by some screens; tell whether it moved."""
        return self._go(self.cursor + pages * max(self.scrollable_content_region.height - 1, 1))

    def jump(self, last: bool) -> bool:
        """Move the cursor to the first or the last row; tell whether it moved."""
        return self._go(self.count() - 1 if last else 0)

    def _go(self, row: int) -> bool:
        before, self.cursor = self.cursor, row
        return self.cursor != before

    def choose(self) -> None:
        """Say that the row with the cursor was chosen."""
        if self.count():
            self.post_message(self.Chosen(self))

    def on_resize(self) -> None:
        """Keep the cursor in view in the new size."""
        self.reload()

    def on_click(self, event: events.Click) -> None:
        """Move the cursor to the row clicked; a click on the cursor chooses."""
        row = event.y + round(self.scroll_y)
        if 0 <= row < self.count():
            if row == self.cursor:
                self.choose()
            self.cursor = row

    def render_line(self, y: int) -> Strip:
        """Draw the row at a line of the viewport."""
        width = self.scrollable_content_region.width
        index = y + round(self.scroll_y)
        if not 0 <= index < self.count():
            hint = self.empty_hint if index == 0 else ""
            return self.painted((("muted", f" {hint}"),) if hint else (), width)
        row = self.row(index, self.room(max(width - len(CURSOR_MARK), 1)))
        if self.tells_place and self.is_plain:
            row = (*row, ("muted", f"  {index + 1:,} of {self.count():,}"))
        if index != self.cursor:
            return self.painted((("text", " " * len(CURSOR_MARK)), *row), width)
        # A mark beside the background, so that the cursor can be seen without colour.
        style, back = ("accent-bold", "cursor") if self._active else ("muted", "cursor-idle")
        if self._active:
            self.point(y)
        return self.painted(((style, " " if self.is_plain else CURSOR_MARK), *row), width, back)

    @property
    def _active(self) -> bool:
        """Whether the keys go to the list, or to the field that narrows it."""
        return self.has_focus or any(
            sibling.has_focus and getattr(sibling, "scope", "") == FILTER for sibling in self.siblings
        )


_Item = TypeVar("_Item")


class RowList(VirtualList, Generic[_Item]):
    """A list of items, each made to a row by a function when it is in view. Its scope is its id."""

    def __init__(self, scope: str, *, tells_place: bool = False) -> None:
        super().__init__(id=scope)
        self.scope = scope
        self.tells_place = tells_place
        self.items: Sequence[_Item] = ()
        self._make: Callable[[_Item, int], Row] = lambda _item, _width: ()

    def show(self, items: Sequence[_Item], make: Callable[[_Item, int], Row], cursor: int | None) -> None:
        """Show items, each as `make` draws it in a width; the cursor stays where None is given."""
        self.items, self._make = items, make
        self.reload(cursor)

    def count(self) -> int:
        """Return the number of items."""
        return len(self.items)

    def row(self, index: int, width: int) -> Row:
        """Return an item."""
        return self._make(self.items[index], width)


MarkedPlace = TypeVar("MarkedPlace", bound=Hashable)


class Marked(NamedTuple, Generic[MarkedPlace]):
    """What is marked in a list, each row by what it stands for.

    Attributes:
        places: what the marked rows stand for.
        last: the row that was marked last; None for none in a list that is what it was.
    """

    places: frozenset[MarkedPlace] = frozenset()
    last: int | None = None

    def toggled(self, row: int, rows: Sequence[MarkedPlace]) -> Marked[MarkedPlace]:
        """Mark a row, or remove its mark."""
        return Marked(self.places ^ {rows[row]}, row)

    def extended(self, row: int, rows: Sequence[MarkedPlace]) -> Marked[MarkedPlace]:
        """Mark all from the row that was marked last to another one."""
        last = row if self.last is None else min(self.last, len(rows) - 1)
        return Marked(self.places | {*rows[min(last, row) : max(last, row) + 1]}, row)

    def all_toggled(self, _row: int, rows: Sequence[MarkedPlace]) -> Marked[MarkedPlace]:
        """Mark all rows; if all are marked, remove their marks."""
        every = {*rows}
        return self._replace(places=self.places - every if every <= self.places else self.places | every)


MarkStep: TypeAlias = Callable[[Marked[Any], int, Sequence[Any]], Marked[Any]]
"""A step of `Marked`: what is marked after it, by the row with the cursor and what all rows stand for."""
