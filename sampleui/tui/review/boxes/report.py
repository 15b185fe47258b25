"""The figures of a run and its review, with plots."""

from __future__ import annotations

from functools import partial

from sampleui.review.reports.report import Report
from sampleui.tui.review.rows.report import report_rows
from sampleui.tui.screens.scrolled import Scrolled


class ReportScreen(Scrolled[None]):
    """A report to scroll."""

    DEFAULT_CSS = """
    ReportScreen > .box { width: 120; max-width: 100%; height: 94%; }
    """

    def __init__(self, report: Report) -> None:
        super().__init__("Report", partial(report_rows, report), dict.fromkeys(("escape", "q", "R")))
