"""Panes: the parts of a screen between which the focus goes, and their sizes, which are remembered."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from platformdirs import user_state_path
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from sampleui.text.confined import named, read_whole
from sampleui.text.limits import MAX_WIDTHS_BYTES
from sampleui.tui.widgets.bars import Backdrop

Dimension: TypeAlias = Literal["width", "min_width", "max_width", "height", "max_height"]


def resize(widget: Widget, side: Dimension, size: str | int | None) -> None:
    """Give a widget a size in cells or percent, None for what the style sheet says.

    A widget that has it already stays as it is: for None, Textual would lay out the whole screen again.
    """
    if size is not None or widget.styles.inline.has_rule(side):
        setattr(widget.styles, side, size)


_MIN_SHARE, _MAX_SHARE = 5, 90


def widths_of(screen: str) -> dict[str, int]:
    """Return the widths of a screen's columns that were chosen, in percent, by their names."""
    widths = _saved_widths().get(screen)
    if not isinstance(widths, dict):
        return {}
    return {
        str(name): item
        for name, item in widths.items()
        if isinstance(item, int) and _MIN_SHARE <= item <= _MAX_SHARE
    }


def remember_widths(screen: str, widths: Mapping[str, int]) -> None:
    """Write the widths of a screen's columns down; where that cannot be done they last as long as the session."""
    from sampleui.text.replacing import drafted, make_own_folder, put_in_place

    path = widths_file()
    with contextlib.suppress(OSError):
        make_own_folder(path.parent)
        written = json.dumps({**_saved_widths(), screen: dict(widths)}).encode()
        with drafted(path, written) as draft:
            put_in_place(draft)


def _saved_widths() -> dict[str, object]:
    try:
        saved = json.loads(read_whole(widths_file(), MAX_WIDTHS_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return saved if isinstance(saved, dict) else {}


def widths_file() -> Path:
    """Return the file that keeps the widths of panes."""
    return named(user_state_path("sampleui")) / "panes.json"


class PaneFrame(Vertical, Backdrop):
    """The border around what is below each other in a pane."""


class ListPane(PaneFrame):
    """The frame of a list that has the whole screen but for the bars."""

    DEFAULT_CSS = """
    ListPane {
        height: 1fr; border: round $text-edge; border-title-color: $text-muted; border-subtitle-color: $text-faint;
        &:focus-within { border: round $accent; border-title-color: $accent; border-title-style: bold; }
        VirtualList { height: 1fr; scrollbar-background: $background; scrollbar-color: $text-edge; }
    }
    """


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


class PaneColumn(NamedTuple):
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
