"""Sizes of widgets that a screen chooses while it runs, over those of the style sheet."""

from __future__ import annotations

from typing import Literal, TypeAlias

from textual.widget import Widget

Side: TypeAlias = Literal["width", "min_width", "max_width", "height", "max_height"]


def resize(widget: Widget, side: Side, size: str | int | None) -> None:
    """Give a widget a size in cells or percent, None for what the style sheet says.

    A widget that has it already stays as it is: for None, Textual would lay out the whole screen again.
    """
    if size is not None or widget.styles.inline.has_rule(side):
        setattr(widget.styles, side, size)
