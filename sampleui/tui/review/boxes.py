"""The boxes over the review screen."""

from __future__ import annotations

from functools import partial

from sampleui.review.reports.report import Report
from sampleui.text.visible import one_line
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.message_rows import diff_rows
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.report import report_rows
from sampleui.tui.screens.overlay import Scrolled
from sampleui.tui.widgets.text_view import READING


class ShowDiff(Scrolled[bool]):
    """A unified diff. Enter answers yes, Escape no."""

    DEFAULT_CSS = """
    ShowDiff > .box { height: auto; max-height: 90%; }
    """
    hints = (Hint("enter", "Save it"), *READING, Hint("escape", "Cancel"))

    def __init__(self, title: str, diff: str, warning: str = "") -> None:
        rows = partial(_rows, warning, diff)
        super().__init__(one_line(title, 80), rows, {"enter": True, "escape": False})
        self.view.styles.height = len(rows(100)) + 1


def _rows(warning: str, diff: str, width: int) -> list[Row]:
    told = [*text_rows(warning, "warning", width), (("text", ""),)] if warning else []
    return [*told, *diff_rows(diff, width)]


class ReportScreen(Scrolled[str]):
    """A report to scroll. Answers which other view of the figures is to be shown: `g` groups, `m` the matrix."""

    DEFAULT_CSS = """
    ReportScreen > .box { width: 120; max-width: 100%; height: 94%; }
    """
    hints = (*READING, Hint("g", "By group"), Hint("M", "Matrix"), Hint("escape", "Close"))

    def __init__(self, report: Report) -> None:
        answers = {**dict.fromkeys(("escape", "q", "R"), ""), "g": "g", **dict.fromkeys("mM", "m")}
        super().__init__("Report", partial(report_rows, report), answers)
