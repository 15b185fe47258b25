"""Screens made of panes: side by side if there is room, or else one at a time under tabs; and the panes' sizes."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import ClassVar, Literal, Protocol, TypeAlias, cast

from textual import events
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from sampleui.errors import EditRefusedError
from sampleui.settings.options import Settings
from sampleui.tui.commands import TYPING
from sampleui.tui.limits import MAX_WIDTHS_BYTES
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.widgets.bars import PLAIN, Backdrop, TabStrip, TitleBar
from sampleui.values import NamedTuple

Side: TypeAlias = Literal["width", "min_width", "max_width", "height", "max_height"]


def resize(widget: Widget, side: Side, size: str | int | None) -> None:
    """Give a widget a size in cells or percent, None for what the style sheet says.

    A widget that has it already stays as it is: for None, Textual would lay out the whole screen again.
    """
    if size is not None or widget.styles.inline.has_rule(side):
        setattr(widget.styles, side, size)


_LEAST, _MOST = 5, 90


def widths_of(screen: str) -> dict[str, int]:
    """Return the widths of a screen's columns that were chosen, in percent, by their names."""
    widths = _saved_widths().get(screen)
    if not isinstance(widths, dict):
        return {}
    return {str(name): item for name, item in widths.items() if isinstance(item, int) and _LEAST <= item <= _MOST}


def remember_widths(screen: str, widths: Mapping[str, int]) -> None:
    """Write the widths of a screen's columns down; where that cannot be done they last as long as the session."""
    path = widths_file()
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = path.with_suffix(".new")
        draft.write_text(json.dumps({**_saved_widths(), screen: dict(widths)}), encoding="utf-8")
        draft.replace(path)


def _saved_widths() -> dict[str, object]:
    from sampleui.text.confined import read_whole

    try:
        saved = json.loads(read_whole(widths_file(), MAX_WIDTHS_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return saved if isinstance(saved, dict) else {}


def widths_file() -> Path:
    """Return the file that keeps the widths of panes."""
    from platformdirs import user_state_path

    return user_state_path("sampleui") / "panes.json"


NARROW = 100
"""Columns below which one pane is shown at a time."""

_NARROWEST = 12
"""Percent of the screen that a pane keeps."""


class Movable(Protocol):
    """What every pane can do, so that the keys for moving are the same in all of them."""

    def step(self, rows: int, /) -> bool:
        """Move by some rows or cards; tell whether anything moved."""

    def page(self, pages: int, /) -> bool:
        """Move by some screens; tell whether anything moved."""

    def jump(self, last: bool) -> bool:
        """Move to the first or the last place; tell whether anything moved."""


class Frame(Vertical, Backdrop):
    """The border around what is below each other in a pane."""


class PaneRow(Horizontal, Backdrop):
    """Panes side by side."""


class Pane(NamedTuple):
    """One pane.

    Attributes:
        scope: its name, which commands give to say where their keys work.
        title: its name for people.
        frame: the widget with the border.
        target: the widget that takes the focus.
    """

    scope: str
    title: str
    frame: Widget
    target: Widget


class Column(NamedTuple):
    """A part of a screen whose width can be chosen.

    Attributes:
        name: what its width is remembered by.
        frame: the widget that has the width.
        usual: its width in percent if none is chosen.
    """

    name: str
    frame: Widget
    usual: int


def put_away(widget: Widget, away: bool) -> None:
    """Hide a widget, or show it. No style of what is in it depends on that."""
    if widget.has_class("away") != away:
        widget.set_class(away, "away", update=False)
        widget.app.stylesheet.update_nodes([widget])


class PanedScreen(CommandScreen):
    """A screen with a title line, panes, and the keys of the pane that has the focus."""

    kept_as: ClassVar[str]
    """What the widths of its panes are remembered by."""

    home: ClassVar[str]
    """The pane that has the focus at first, and that an editor belongs to."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.title_bar = TitleBar()
        self.tabs = TabStrip(id="tabs")
        self.zoomed = False
        self.widths = widths_of(self.kept_as)

    def columns(self) -> list[Column]:
        """Return the parts whose width can be chosen; one part beside them takes what is left."""
        return []

    def widen(self, by: int) -> None:
        """Make the pane with the focus wider by some percent of the screen, or narrower; this is remembered.

        Raises:
            EditRefusedError: if there is no room for that, or only one pane is shown.
        """
        columns = self.columns()
        if not columns or self.has_class("narrow"):
            raise EditRefusedError("the pane has the whole screen")
        around = self._current().frame.ancestors_with_self
        column = next((item for item in columns if item.frame in around), None)
        if column is None:  # the part that takes what is left
            column, by = columns[-1], -by
        widths = {item.name: self.widths.get(item.name, item.usual) for item in columns}
        widths[column.name] += by
        if widths[column.name] < _NARROWEST or 100 - sum(widths.values()) < _NARROWEST:
            raise EditRefusedError("there is no room for that")
        self.widths = widths
        remember_widths(self.kept_as, widths)
        self.fit()

    def _fit_columns(self, narrow: bool) -> None:
        for column in self.columns():
            chosen = None if narrow else self.widths.get(column.name)
            resize(column.frame, "width", None if chosen is None else f"{chosen}%")
            resize(column.frame, "max_width", None if chosen is None else "100%")

    def panes(self) -> list[Pane]:
        """Return the panes in the order that Tab goes through them."""
        raise NotImplementedError

    def shown_panes(self) -> list[Pane]:
        """Return the panes that have something to show."""
        return self.panes()

    def folded(self, pane: Pane) -> bool:
        """Tell whether a pane is hidden for lack of room, though the terminal is not narrow."""
        return False

    @property
    def pane(self) -> Movable:
        """The pane that has the focus."""
        return cast("Movable", self._current().target)

    def name_panes(self) -> None:
        """Write their titles on the panes and fit them to the terminal."""
        for pane in self.panes():
            pane.frame.border_title = Content(pane.title)
        self.fit()

    def turn_pane(self, by: int) -> None:
        """Give the focus to another pane."""
        panes = self.shown_panes()
        scopes = [pane.scope for pane in panes]
        current = self._current().scope
        index = scopes.index(current) if current in scopes else 0
        # At once and not by `focus`, which waits: keys that are typed ahead must meet the new pane.
        self.set_focus(panes[(index + by) % len(panes)].target)

    def go_to_pane(self, scope: str) -> None:
        """Give the focus to a pane by its name."""
        self.set_focus(next(pane.target for pane in self.panes() if pane.scope == scope))

    def zoom(self) -> None:
        """Show the pane with the focus alone, as in a narrow terminal, or all of them again."""
        self.zoomed = not self.zoomed
        self.fit()

    def cannot_zoom(self) -> str:
        """Say why zooming would change nothing, empty if it would."""
        return "the pane has the whole screen already" if self._is_narrow() else ""

    def _is_narrow(self) -> bool:
        return self.app.size.width < NARROW or self.app.has_class(PLAIN)

    def fit(self) -> None:
        """Show every pane, or zoomed and in a narrow terminal the one with the focus."""
        narrow = self.zoomed or self._is_narrow()
        self.set_class(narrow, "narrow")
        self._fit_columns(narrow)
        current = self._current()
        shown = self.shown_panes()
        for pane in self.panes():
            put_away(pane.frame, pane not in shown or (pane != current if narrow else self.folded(pane)))
        for row in dict.fromkeys(pane.frame.parent for pane in self.panes()):
            if isinstance(row, Widget) and row.has_class("pane-row"):
                put_away(row, narrow and current.frame not in row.children)
        index = next((at for at, pane in enumerate(shown) if pane.scope == current.scope), 0)
        self.tabs.show(tuple(pane.title for pane in shown), index)

    def _current(self) -> Pane:
        scope = self.scope
        panes = self.panes()
        if scope in TYPING and self.focused is not None:
            around = self.focused.ancestors_with_self
            scope = next((pane.scope for pane in panes if pane.frame in around), "")
        wanted = scope or self.home
        home = next((pane for pane in panes if pane.scope == self.home), panes[0])
        return next((pane for pane in panes if pane.scope == wanted), home)

    def on_descendant_focus(self, _event: events.DescendantFocus) -> None:
        """Show the keys of the pane, and in a narrow terminal the pane itself."""
        self.fit()
        self.show_keys()

    def on_resize(self) -> None:
        """Fit the panes to the terminal."""
        self.fit()

    def on_tab_strip_picked(self, message: TabStrip.Picked) -> None:
        """Go to the pane that was clicked."""
        self.shown_panes()[message.index].target.focus()
