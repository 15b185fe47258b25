"""The lines in the borders of panes, which tell how much is shown or marked."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget


def caption(pane: Widget, text: str) -> None:
    """Write a line into the lower border of a pane. One that says so already is not painted again."""
    told = Content(text)
    if pane.border_subtitle != told.markup:
        pane.border_subtitle = told
