"""The figures of a run and its review, with plots."""

from __future__ import annotations

from functools import partial

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from sampleui.review.reports.report import Report
from sampleui.tui.commands import Hint
from sampleui.tui.review.rows.report import report_rows
from sampleui.tui.screens.overlay import Overlay
from sampleui.tui.widgets.text_view import READING, TextView


class ReportScreen(Overlay[None]):
    """A report to scroll."""

    DEFAULT_CSS = """
    ReportScreen > .box {
        width: 120; max-width: 100%; height: 94%; padding: 0 1; background: $surface;
        border: round $accent; border-title-color: $accent; border-subtitle-color: $text-muted;
    }
    """
    hints = (*READING, Hint("escape", "Close"))

    def __init__(self, report: Report) -> None:
        super().__init__()
        self._report = report
        self.view = TextView()

    def compose(self) -> ComposeResult:
        """Yield the report."""
        with Vertical(classes="box") as frame:
            frame.border_title = Content("Report")
            yield self.view
        yield self.footer

    def on_mount(self) -> None:
        """Show the report."""
        self.view.focus()
        self.view.show(partial(report_rows, self._report))

    def take_key(self, event: events.Key) -> bool:
        """Scroll, or close."""
        if event.key in ("escape", "q", "R"):
            self.dismiss()
            return True
        return self.view.take_key(event.key)
