"""The boxes over the review screen."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial

from sampleui.errors import SampleUIError
from sampleui.review.reports.plotted import Plot
from sampleui.review.reports.report import Report
from sampleui.text.visible import one_line
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.message_rows import diff_rows
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.report import Way, report_rows
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


Figured = Callable[[], AsyncIterator[tuple[Report, Sequence[Way]]]]
"""Works out a report, and what of it there is a way to; then the same with what takes longer."""


class ReportScreen(Scrolled[str | Way]):
    """A report to scroll, once it is worked out; until then it says that.

    Answers which other view of the figures is to be shown, by its key, or which way on from them was taken.
    """

    DEFAULT_CSS = """
    ReportScreen > .box { width: 120; max-width: 100%; height: 94%; }
    """
    hints = (
        *READING,
        Hint("g", "By group"),
        Hint("e", "Graders"),
        Hint("s", "Over time"),
        Hint("M", "Matrix"),
        Hint("p", "Plots"),
        Hint("C", "Cluster"),
        Hint("escape", "Close"),
    )

    def __init__(self, figured: Figured) -> None:
        self._figured = figured
        answers: dict[str, str | Way] = {
            **dict.fromkeys(("escape", "q", "R"), ""),
            **dict.fromkeys("mM", "m"),
            **{key: key for key in "gespC"},
            "I": "e",
        }
        super().__init__("Report", partial(text_rows, "The figures are being worked out …", "muted"), answers)

    def on_mount(self) -> None:
        """Have the report worked out."""
        self.run_worker(self._fill())

    async def _fill(self) -> None:
        try:
            async for report, ways in self._figured():
                self.answer_too({way.key: way for way in ways})
                self.footer.show([*(Hint(way.key, way.hint) for way in ways), *self.hints])
                self.view.show(partial(report_rows, report, ways=ways))
        except SampleUIError as error:
            self.view.show(partial(text_rows, one_line(str(error)), "error"))


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
