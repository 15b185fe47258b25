"""The list of problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sampleui.text.diagnostic import Diagnostic
from sampleui.text.visible import visible
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.rows import Row, fitted, spread
from sampleui.tui.widgets.virtual_list import VirtualList

_WIDE = 100
"""Cells from which a row names the rule too."""

_NAME = 24
"""Cells that the name of a file may take from the message."""


class ProblemList(VirtualList):
    """Findings with their place; choosing one goes there."""

    scope: ClassVar[str] = "problems"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.problems: Sequence[Diagnostic] = ()
        self._several = False

    def show(self, problems: Sequence[Diagnostic]) -> None:
        """Show other findings."""
        if problems != self.problems:
            self.problems = problems
            self._several = len({one.path for one in problems}) > 1
            self.reload()

    def count(self) -> int:
        """Return the number of findings."""
        return len(self.problems)

    def row(self, index: int, width: int) -> Row:
        """Return a finding: how bad, what, and where; in which file, if there are several."""
        one = self.problems[index]
        left = [
            (f"{one.severity}-bold", f"{severity_mark(one.severity)} "),
            ("text", visible(one.message)),
            ("muted", f"  {visible(one.sample)}" if one.sample else ""),
        ]
        file = f"{fitted(visible(one.path.name), _NAME)}:" if self._several else ""
        place = ("muted", f"{file}{one.line}:{one.column}")
        return spread(left, [("faint", f"{one.rule}  "), place] if width >= _WIDE else [place], width)
