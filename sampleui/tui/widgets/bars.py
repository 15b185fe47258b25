"""The lines of a screen: the title, messages, keys, tabs, and what each line and each pane's border is drawn by."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.geometry import Offset, Region
from textual.message import Message
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from sampleui.text.visible import visible
from sampleui.tui.commands import Hint, key_label
from sampleui.tui.drawing.matches import with_style
from sampleui.tui.drawing.rows import Row, fitted, row_text, spread, strip_of, text_rows
from sampleui.tui.themes import Paint, paint_of

PLAIN = "plain"
"""The class of an app whose screens are for a screen reader."""

_SLACK = 16
"""Cells that rows leave free for words, which take more room than signs."""

_BORDERS = 2
"""Lines that borders take of the height of a widget."""


class Painted(Widget):
    """A widget that draws rows in the styles of the current theme."""

    @property
    def paint(self) -> Paint:
        """The styles of the current theme."""
        return paint_of(self.app.theme_variables)

    @property
    def is_plain(self) -> bool:
        """Whether rows are for a screen reader."""
        return self.is_running and self.app.has_class(PLAIN)

    def room(self, width: int) -> int:
        """Return how wide rows may be made to be drawn in `width` cells."""
        return max(width - _SLACK, width // 2) if self.is_plain else width

    def point(self, y: int, height: int = 1) -> None:
        """Put the terminal's cursor, which a screen reader follows, on an item of some lines, by its first."""
        app: Any = self.app
        if self.screen is app.screen:
            app.cursor_position, app.item_height = self.content_region.offset + Offset(0, y), height

    def painted(self, row: Row, width: int, back: str = "") -> Strip:
        """Return a row as Textual draws it, exactly `width` cells wide, on the widget's background or another."""
        base = self.visual_style.rich_style
        if self.is_plain:
            from sampleui.tui.drawing.screen_reader import plain_row

            row = plain_row(row)
        return strip_of(row, self.paint, width).apply_style(base + self.paint[back] if back else base)


class Selectable(Painted):
    """A widget of which words can be selected with the mouse, on a screen that asks what is said of them."""

    def placed(self, strip: Strip, index: int, left: int = 0) -> Strip:
        """Return a line that knows where its words are, behind some cells at its left."""
        return strip.apply_offsets(-left, index) if getattr(self.screen, "quotes", False) else strip

    def selectable(self, index: int) -> Row | None:
        """Return what a line shows, without what is drawn at its left; None where there is no such line."""
        raise NotImplementedError

    def selected(self, row: Row, index: int) -> Row:
        """Return what a line shows with what is selected of it marked."""
        span = None if self.text_selection is None else self.text_selection.get_span(index)
        if span is None:
            return row
        start, end = span
        return with_style(row, [(max(start, 0), end if end >= 0 else len(row_text(row)))], "match")

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the text under a selection, a line for each row, and what ends it."""
        start, texts = selection.start or Offset(0, 0), list[str]()
        while (row := self.selectable(start.y + len(texts))) is not None:
            if selection.end is not None and start.y + len(texts) > selection.end.y:
                break
            texts.append(row_text(row))
        if texts and selection.end is not None and start.y + len(texts) > selection.end.y:
            texts[-1] = texts[-1][: max(selection.end.x, 0)]
        return "\n".join([*(text[max(start.x, 0) :] for text in texts[:1]), *texts[1:]]), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """Draw what is selected."""
        self.refresh()

    def text_select_all(self) -> None:
        """Select nothing by two clicks, which open what they are on."""


class Backdrop(Widget):
    """What lies behind other widgets and shows nothing itself: one line between its borders is drawn for all."""

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of a region of the widget. Textual keeps those of any other than the whole."""
        size = self.outer_size
        if crop != size.region or size.height <= _BORDERS:
            return super().render_lines(crop)
        top, between, last = (
            super(Backdrop, self).render_lines(Region(0, y, size.width, 1)) for y in (0, 1, size.height - 1)
        )
        return [*top, *between * (size.height - _BORDERS), *last]


class LineBar(Painted):
    """One line across the screen. Subclasses say what it shows; it is drawn again only when that changes."""

    DEFAULT_CSS = """
    LineBar { height: 1; width: 1fr; }
    """

    _painted_row: Row | None = None

    def row(self, width: int) -> Row:
        """Return what to show in `width` cells."""
        raise NotImplementedError

    def update(self) -> None:
        """Draw again if what is shown has changed."""
        if self.size.width and self.row(self.size.width) != self._painted_row:
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """Draw the line."""
        width = self.size.width
        self._painted_row = self.row(width)
        return self.painted(self._painted_row, width)


def caption(pane: Widget, text: str) -> None:
    """Write a line into the lower border of a pane. One that says so already is not painted again."""
    content = Content(text)
    if pane.border_subtitle != content.markup:
        pane.border_subtitle = content


_BELOW = " › "
_MIN_NAME, _MIN_SUBJECT = 5, 8

NARROWEST = 60
"""Columns below which the app's own name and all but the worst count of problems are left out."""


class Title(NamedTuple):
    """What the bar shows.

    Attributes:
        name: what is open; it gives way first where there is little room.
        subject: what in it is shown; it gives way next.
        facts: what is to be seen of that whatever the room.
        about: what kind of thing it is; left out if there is little room.
        position: the current place in it.
        state: `saved`, `unsaved` or `read-only`.
        problems: a style and a text.
    """

    name: str = ""
    about: str = ""
    position: str = ""
    state: str = "saved"
    problems: tuple[str, str] = ("muted", "")
    subject: str = ""
    facts: str = ""


class TitleBar(LineBar):
    """The title line."""

    DEFAULT_CSS = "TitleBar { background: $surface; }"

    title: Title = Title()

    def show(self, title: Title) -> None:
        """Show another title."""
        self.title = title
        self.update()

    def row(self, width: int) -> Row:
        """Return the deck's name and state at the left, what is known of it at the right."""
        title, narrow = self.title, width < NARROWEST
        states = {"unsaved": ("warning-bold", " ● unsaved"), "read-only": ("error-bold", " ⊘ read-only")}
        state = states.get(title.state, ("muted", ""))
        brand = ("accent-bold", " " if narrow else " sampleui  ")
        about = f"{title.about} · {title.position}" if title.about and width >= 100 else title.position
        style, problem_words = title.problems
        problems = (style, problem_words.split(",")[0] if narrow else problem_words)
        right = (("muted", visible(about)), ("text", "  "), problems, ("text", " "))
        # The name gives way, because what is said about it must always be seen.
        whole = visible(title.name + (f" › {title.subject}" if title.subject else "") + title.facts)
        if title.subject and cell_len(whole) > _room(width, brand, state, *right):
            brand = ("accent-bold", " ")
        room = _room(width, brand, state, *right)
        name = ("title-bold", _name_and_place(title, room))
        return spread((brand, name, state), right, width)


def _room(width: int, *parts: tuple[str, str]) -> int:
    return max(width - sum(cell_len(text) for _, text in parts) - 1, 0)


def _name_and_place(title: Title, room: int) -> str:
    """Return the name and the place, cut to the room: the name is shortened first."""
    name, facts = visible(title.name), visible(title.facts)
    if not title.subject:
        return fitted(name + facts, room)
    subject = fitted(visible(title.subject), max(room - cell_len(facts), _MIN_SUBJECT)) + facts
    left = room - cell_len(subject) - len(_BELOW)
    return fitted(fitted(name, left) + _BELOW + subject if left >= _MIN_NAME else subject, room)


class FittedLines(Painted):
    """As many lines across the screen as there is to show. Subclasses say what that is."""

    DEFAULT_CSS = """
    FittedLines { height: 1; width: 1fr; }
    """

    def rows(self, width: int) -> Sequence[Row]:
        """Return what to show in `width` cells."""
        raise NotImplementedError

    def on_resize(self) -> None:
        """Take as many lines as are needed in the new width."""
        self.fit(self.size.width)

    def fit(self, width: int) -> None:
        """Take as many lines as are needed in a width, one where that is not known."""
        self.styles.height = len(self.rows(width)) if width else 1

    def render_line(self, y: int) -> Strip:
        """Draw a line."""
        rows = self.rows(self.size.width)
        return self.painted(rows[y] if y < len(rows) else (), self.size.width)


_MAX_LINES = 3


class MessageLine(FittedLines):
    """One line that is always there, so that nothing moves when something is said; more for a long message."""

    message: tuple[str, str] | None = None
    status: tuple[str, str] = ("text", "")

    def say(self, text: str, style: str) -> None:
        """Show a message."""
        self._show((style, text), self.status)

    def hush(self) -> None:
        """Take the message back."""
        self._show(None, self.status)

    def show_status(self, text: str, style: str) -> None:
        """Show something else while there is no message."""
        self._show(self.message, (style, text))

    def rows(self, width: int) -> list[Row]:
        """Return what to show in `width` cells."""
        if self.message is None:
            style, text = self.status
            return [(("text", " "), (style, fitted(text, width - 2)))]
        style, text = self.message
        room = max(width - 2, 1)
        lines = text_rows(text, style, room)
        if len(lines) > _MAX_LINES:
            lines = text_rows(with_short_paths(text, width // 2), style, room)
        kept = lines[:_MAX_LINES]
        if len(lines) > len(kept):
            kept[-1] = ((style, fitted(kept[-1][0][1], max(width - 3, 1)) + "…"),)
        return [(("text", " "), *row) for row in kept]

    def _show(self, message: tuple[str, str] | None, status: tuple[str, str]) -> None:
        if (message, status) != (self.message, self.status):
            self.message, self.status = message, status
            self.fit(self.size.width)
            self.refresh()


def with_short_paths(text: str, most: int) -> str:
    """Return a text with no more than the ends of its longest words: paths, whose ends tell most."""
    return " ".join(word if len(word) <= most else f"…{word[1 - most :]}" for word in text.split(" "))


_GAP = 2


class KeyBar(LineBar):
    """As many keys as fit, the most important first; those that stay and those pinned to the end always do."""

    DEFAULT_CSS = "KeyBar { background: $surface; }"

    class Pressed(Message):
        """A key was clicked."""

        def __init__(self, hint: Hint) -> None:
            super().__init__()
            self.hint = hint

    offered: Sequence[Hint] = ()
    pinned: Sequence[Hint] = ()
    needed: int = 0

    def show(self, offered: Sequence[Hint], pinned: Sequence[Hint] = (), needed: int = 0) -> None:
        """Show other keys; so many of the first ones are moved together where they do not fit otherwise."""
        self.offered, self.pinned, self.needed = offered, pinned, needed
        self.update()

    def placed(self, width: int) -> list[tuple[int, int, Hint]]:
        """Return what fits: (first cell, end cell, key)."""
        gap = self._gap(width)

        def cells(hints: Iterable[Hint]) -> int:
            return sum(self._cells(hint) + gap for hint in hints)

        staying = [hint for hint in self.offered if hint.stays]
        pinned = self.pinned
        while len(pinned) > 1 and 1 + cells((*staying, *pinned)) - gap > width:
            pinned = pinned[:-1]
        room = width - cells(pinned) + (gap if pinned else 0)
        column, placed = 1, []
        for hint in self.offered:
            reserved = cells(other for other in staying if other is not hint)
            size = cells([hint])
            if column + size + reserved <= room or (hint.stays and column + size <= room):
                placed.append((column, column + size, hint))
                column += size
            staying = [other for other in staying if other is not hint]
        column = room
        for hint in pinned:
            size = cells([hint])
            placed.append((column, column + size, hint))
            column += size
        return placed

    def _gap(self, width: int) -> int:
        """Return the cells after each key: fewer where those that are needed would not fit."""
        needed = (*self.offered[: self.needed], *self.pinned)
        fits = 1 + sum(self._cells(hint) + _GAP for hint in needed) - _GAP <= width
        return _GAP if fits or self.is_plain else 1

    def row(self, width: int) -> Row:
        """Return the keys and what they do."""
        parts: list[tuple[str, str]] = []
        column = 0
        for start, end, hint in self.placed(width):
            if start > column:
                parts.append(("text", " " * (start - column)))
            key, title = ("accent-bold", "muted") if hint.can_act else ("faint", "faint")
            label = self._label(hint)
            rest = " " * (min(end, width) - start - self._cells(hint))
            parts += [(key, label), (title, f" {hint.title}{rest}")]
            column = end
        return tuple(parts)

    def on_click(self, event: events.Click) -> None:
        """Tell which key was clicked."""
        for start, _, hint in self.placed(self.size.width):
            if start <= event.x < start + self._cells(hint):
                self.post_message(self.Pressed(hint))

    def _label(self, hint: Hint) -> str:
        return hint.key if self.is_plain else key_label(hint.key)

    def _cells(self, hint: Hint) -> int:
        """Return the cells of a key and what it does."""
        return cell_len(self._label(hint)) + 1 + cell_len(hint.title)


class TabStrip(LineBar):
    """Names beside each other, one of them the current one. Scrolls sideways so that the current one is in view."""

    class Picked(Message):
        """A tab was clicked."""

        def __init__(self, strip: TabStrip, index: int) -> None:
            super().__init__()
            self.strip = strip
            self.index = index

    tabs: tuple[str, ...] = ()
    current: int = 0

    def show(self, tabs: tuple[str, ...], current: int) -> None:
        """Show tabs and say which is the current one."""
        self.tabs, self.current = tabs, current
        self.update()

    def placed(self, width: int) -> list[tuple[int, int]]:
        """Return the index and the first cell of each tab in view: the first ones that the current one is among."""
        sizes = [cell_len(tab) + 2 for tab in self.tabs]
        placed: list[tuple[int, int]] = []
        for first in range(self.current + 1):
            column, placed = len(self._hidden(first, "‹")), []
            for index in range(first, len(self.tabs)):
                if column + sizes[index] > width - len(self._hidden(len(self.tabs) - 1 - index, "›")):
                    break
                placed.append((index, column))
                column += sizes[index]
            if placed and placed[-1][0] >= self.current:
                return placed
        return [(self.current, len(self._hidden(self.current, "‹")))] if self.tabs else []

    def row(self, width: int) -> Row:
        """Return the tabs in view, the current one between marks, so that it can be recognized without colour."""
        placed = self.placed(width)
        if not placed:
            return ()
        if self.is_plain:
            return (("accent-bold", f" {self.tabs[self.current]}, tab {self.current + 1} of {len(self.tabs)}"),)
        parts = [("faint", self._hidden(placed[0][0], "‹"))]
        for index, _ in placed:
            if index == self.current:
                parts.append(("accent-bold", f"[{self.tabs[index]}]"))
            else:
                parts.append(("muted", f" {self.tabs[index]} "))
        parts.append(("faint", self._hidden(len(self.tabs) - 1 - placed[-1][0], "›")))
        return tuple(part for part in parts if part[1])

    def _hidden(self, count: int, sign: str) -> str:
        """Return the mark of some tabs that are out of view at one side, with how many they are."""
        return f"{sign}{count}" if count else ""

    def on_click(self, event: events.Click) -> None:
        """Tell which tab was clicked."""
        for index, column in self.placed(self.size.width):
            if column <= event.x < column + cell_len(self.tabs[index]) + 2:
                self.post_message(self.Picked(self, index))
