"""The list of problems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from sampleui.text.diagnostic import Diagnostic
from sampleui.text.visible import visible
from sampleui.tui.cards import severity_mark
from sampleui.tui.rows import Row, spread
from sampleui.tui.widgets.virtual_list import VirtualList


class ProblemList(VirtualList):
    """Findings with their place; choosing one goes there."""

    scope: ClassVar[str] = "problems"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.problems: Sequence[Diagnostic] = ()

    def show(self, problems: Sequence[Diagnostic]) -> None:
        """Show other findings."""
        if problems != self.problems:
            self.problems = problems
            self.reload()

    def count(self) -> int:
        """Return the number of findings."""
        return len(self.problems)

    def row(self, index: int, width: int) -> Row:
        """Return a finding: how bad, what, and where."""
        one = self.problems[index]
        left = [
            (f"{one.severity}-bold", f"{severity_mark(one.severity)} "),
            ("text", visible(one.message)),
            ("muted", f"  {visible(one.sample)}" if one.sample else ""),
        ]
        right = [("faint", f"{one.rule}  "), ("muted", f"{visible(one.path.name)}:{one.line}:{one.column}")]
        if width < 100:
            right = [("muted", f"{one.line}:{one.column}")]
        return spread(left, right, width)
