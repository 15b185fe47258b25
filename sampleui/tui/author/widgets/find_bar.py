"""The line of a search: what is looked for, and which hit is shown. While it has the focus, keys step."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from sampleui.text.visible import one_line
from sampleui.tui.drawing.rows import Row, spread
from sampleui.tui.widgets.line_bar import LineBar


class FindBar(LineBar, can_focus=True):
    """Hidden until something is looked for. It is given a function that says what to show."""

    scope: ClassVar[str] = "found"

    DEFAULT_CSS = """
    FindBar { display: none; background: $panel; }
    """

    def __init__(self, told: Callable[[], tuple[str, str, str]], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._told = told

    def row(self, width: int) -> Row:
        """Return what is looked for, how, and how much was found."""
        text, how, found = self._told()
        left = (("accent-bold", " find "), ("text", one_line(text)), ("muted", f"  {how}"))
        return spread(left, [("match" if self.has_focus else "muted", f" {found} ")], width)
