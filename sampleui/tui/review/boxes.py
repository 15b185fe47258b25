"""The boxes over the review screen."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sampleui.review.reports.plotted import Plot
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
    """A report to scroll. Answers which other view of the figures is to be shown: `g` groups, `m` the matrix, `p`
    plots.
    """

    DEFAULT_CSS = """
    ReportScreen > .box { width: 120; max-width: 100%; height: 94%; }
    """
    hints = (*READING, Hint("g", "By group"), Hint("M", "Matrix"), Hint("p", "Plots"), Hint("escape", "Close"))

    def __init__(self, report: Report) -> None:
        answers = {**dict.fromkeys(("escape", "q", "R"), ""), "g": "g", **dict.fromkeys("mM", "m"), "p": "p"}
        super().__init__("Report", partial(report_rows, report), answers)


class PlotsScreen(Scrolled[None]):
    """Plots to scroll."""

    DEFAULT_CSS = """
    PlotsScreen > .box { width: 120; max-width: 100%; height: 94%; }
    """

    def __init__(self, plots: Sequence[Plot]) -> None:
        super().__init__("Plots", partial(_plotted, plots), dict.fromkeys(("escape", "q")))


def _plotted(plots: Sequence[Plot], width: int) -> list[Row]:
    from sampleui.review.reports.terminal_plots import plot_sections  # its library is slow to import

    rows: list[Row] = []
    for title, lines in plot_sections(plots, width):
        rows += [(("text", ""),), (("accent-bold", one_line(title, 80)),), *((("text", line),) for line in lines)]
    return rows or [(("muted", "no record has a score, a latency, a cost or tokens"),)]
