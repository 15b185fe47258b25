"""The boxes over the review screen: diffs, proposals, a report with its follow-ups, plots."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from textual import events
from textual.content import Content

from sampleui.errors import SampleUIError
from sampleui.page.tables import text_lines
from sampleui.page.text import comparison_text, sections_of
from sampleui.review.reports.plot_values import Plot
from sampleui.review.reports.report import Report
from sampleui.review.reports.words import percent
from sampleui.review.verdict import Decision
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import Command, Hint
from sampleui.tui.drawing.code import diff_rows
from sampleui.tui.drawing.rows import Row, appended, plot_row, text_rows
from sampleui.tui.review.rows.queue import bar
from sampleui.tui.review.rows.scores import proposal_rows
from sampleui.tui.screens.dialogs import Pick, Scrolled
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
    rows = [*text_rows(warning, "warning", width), (("text", ""),)] if warning else []
    return [*rows, *diff_rows(diff, width)]


_LETTERS = "abcdefghilmnopqrstuvwxyz"
"""What refuses a proposal where several are shown; `j` and `k` scroll."""


_BORDER, _NARROW = 2, 60
"""Lines of a box around what is in it, and cells for which its height is counted: with more, fewer are needed."""


class ShowProposals(Scrolled[frozenset[int] | None]):
    """What programs propose for records, page by page, each whole and with a letter that refuses it.

    Enter goes on to its end, and takes the others there; Escape takes and refuses nothing. Answers with the indexes
    of those that are refused.
    """

    DEFAULT_CSS = """
    ShowProposals > .box { max-height: 100%; }
    ShowProposals TextView { height: 1fr; }
    """
    hints = (
        Hint("enter", "On, and take"),
        Hint("a", "a letter refuses its own"),
        Hint("pageup", "Page before"),
        Hint("escape", "Cancel"),
    )

    def __init__(self, proposed: Sequence[Decision], taken: Mapping[str, str]) -> None:
        """Take what is proposed, and by the ids of some of that how often such proposals were taken."""
        self._proposed = proposed
        self._taken = taken
        self._pages = [0]
        self._end = 0
        self._refused: set[int] = set()
        super().__init__(f"Take {counted(len(proposed), 'proposal')}", self._page, {"escape": None})
        self.frame.styles.height = _BORDER + sum(len(self._item(index, _NARROW)) for index in range(len(proposed)))

    def _page(self, width: int) -> list[Row]:
        """Return as many of the proposals as have room whole, at least one."""
        height, rows = self.view.scrollable_content_region.height, list[Row]()
        self._end = self._pages[-1]
        for index in range(self._end, min(len(self._proposed), self._end + len(_LETTERS))):
            item = self._item(index, width)
            if rows and len(rows) + len(item) > height:
                break
            rows += item
            self._end = index + 1
        refused = f" · {len(self._refused):,} refused" if self._refused else ""
        self.frame.border_subtitle = Content(f"{self._end:,} of {len(self._proposed):,}{refused}")
        return rows

    def _item(self, index: int, width: int) -> list[Row]:
        proposal, refused = self._proposed[index], index in self._refused
        letter = _LETTERS[(index - self._pages[-1]) % len(_LETTERS)] if len(self._proposed) > 1 else " "
        about = one_line(proposal.record_id, 200) or "the codes"
        name = text_rows(
            f"{about}{'  ✖ refused' if refused else ''}", "error" if refused else "text-bold", width - 2
        )
        if words := self._taken.get(proposal.id):
            name = [*name[:-1], *appended(name[-1], "muted", words, width - 2)]
        return [
            *((("accent-bold", f"{letter if not number else ' '} "), *row) for number, row in enumerate(name)),
            *((("text", "  "), *row) for row in proposal_rows([proposal], width - 2)),
        ]

    def take_key(self, event: events.Key) -> bool:
        """Go on, at the end with all that is not refused; refuse one by its letter, or not; scroll."""
        index = _LETTERS.find(event.character) if event.character else -1
        if event.key == "enter":
            self._turn_page()
        elif 0 <= index < self._end - self._pages[-1] and len(self._proposed) > 1:
            self._refused ^= {self._pages[-1] + index}
            self.view.show(self._page)
        elif event.key == "pageup" and len(self._pages) > 1:
            self._pages.pop()
            self.view.show(self._page, keep=False)
        else:
            return super().take_key(event)
        return True

    def _turn_page(self) -> None:
        if self.view.page(1):  # of one that has no room whole
            return
        if self._end == len(self._proposed):
            self.dismiss(frozenset(self._refused))
            return
        self._pages.append(self._end)
        self.view.show(self._page, keep=False)


_MIN_WIDTH, _MAX_WIDTH = 10, 40
"""Cells of a bar."""


class FollowUp(NamedTuple):
    """A follow-up that a report offers.

    Attributes:
        key: takes it.
        name: what the records that it shows are called, or what it does.
        records: those; None for another view.
        units: how many samples they are of, in words.
        words: the sentence that offers it; empty for that of its records.
    """

    key: str
    name: str
    records: frozenset[int] | None = None
    units: str = ""
    words: str = ""

    @property
    def hint(self) -> str:
        """What a footer calls it."""
        return self.name.split(" ")[0].capitalize()

    def __str__(self) -> str:
        """Return it in a sentence."""
        if self.words or self.records is None:
            return self.words
        shown = f"{counted(len(self.records), 'record')} of {self.units}"
        return f"{self.key} shows {shown}: {self.name} (f filters so too)."


def report_rows(report: Report, width: int, follow_ups: Sequence[FollowUp] = ()) -> list[Row]:
    """Return a report as the command line prints it: the comparison first, bars of what passed, follow-ups last."""
    series = report.figures.series
    if series is not None:  # to compare with the run before takes a key here
        report = replace(report, figures=report.figures._replace(series=series._replace(baseline=None)))
    compared = comparison_text(report, width)
    (title, summary), *sections = ((title, text_lines(blocks, width)) for title, blocks in sections_of(report))
    counts, most = report.figures.run.counts, max(_MIN_WIDTH, min(width - 80, _MAX_WIDTH))
    rows = [row for section in compared for row in _section(*section, width)]
    rows += _section(title, (), width)
    for label, count, style in (("passed", counts.passed, "added"), ("failed", counts.failed, "error")):
        rows.append(_line(label, count, counts.records, most, style))
    rows += _lines(summary, width)
    rows += [row for section in sections[len(compared) :] for row in _section(*section, width)]
    if follow_ups:
        rows += _section("Ways on", (), width)
        rows += [row for follow_up in follow_ups for row in text_rows(str(follow_up), "accent", width)]
    return rows[1:]


def _section(title: str, lines: Sequence[str], width: int) -> Iterator[Row]:
    yield (("text", ""),)
    yield from text_rows(title, "accent-bold", width)
    yield from _lines(lines, width)


def _lines(lines: Sequence[str], width: int) -> Iterator[Row]:
    return (row for line in lines for row in text_rows(line, "text", width))


def _line(label: str, count: int, total: int, most: int, style: str) -> Row:
    full, rest = bar(count, total, most)
    part = f" {percent(count / total):>4}" if total else ""
    return (("text", f"{label}  "), (style, full[1]), rest, ("text-bold", f" {count:>6,}"), ("muted", part))


Figured = Callable[[], AsyncIterator[tuple[Report, Sequence[FollowUp]]]]
"""Works out a report and its follow-ups; then the same with what takes longer."""


class ReportScreen(Scrolled[Command[Any] | FollowUp | None]):
    """A report to scroll, once it is worked out; until then it says that.

    Answers which command is to show another view of the figures, or which follow-up was chosen.
    """

    DEFAULT_CSS = """
    ReportScreen > .box { width: 120; max-width: 100%; height: 94%; }
    """

    def __init__(self, figured: Figured, views: Mapping[str, Command[Any]]) -> None:
        """Take what works the report out, and the commands for other views by their keys."""
        self._figured = figured
        self._keys = (*(Hint(key, view.title) for key, view in views.items()), *Scrolled.hints)
        waiting = partial(text_rows, "The figures are being worked out …", "muted")
        super().__init__("Report", waiting, {**dict.fromkeys(("escape", "q", "R")), **views}, self._keys)

    def on_mount(self) -> None:
        """Have the report worked out."""
        self.run_worker(self._fill())

    async def _fill(self) -> None:
        try:
            async for report, follow_ups in self._figured():
                self.answer_too({follow_up.key: follow_up for follow_up in follow_ups})
                hints: dict[str, Hint] = {}
                for follow_up in follow_ups:
                    hints.setdefault(follow_up.hint, Hint(follow_up.key, follow_up.hint))
                self.footer.show([*hints.values(), *self._keys])
                self.view.show(partial(report_rows, report, follow_ups=follow_ups))
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
    from sampleui.page.terminal_plots import plot_sections  # its library is slow to import

    rows: list[Row] = []
    for title, lines in plot_sections(plots, width):
        rows += [(("text", ""),), (("accent-bold", one_line(title, 80)),), *map(plot_row, lines)]
    return rows or [(("muted", "no record has a score, a latency, a cost or tokens"),)]


class PickVerdict(Pick):
    """A verdict to pick, by its key or a part of what is said of it."""

    def fits(self, name: str, typed: str) -> bool:
        """Tell whether a verdict has the key that was typed, or its line holds the text."""
        return name.startswith(typed) if typed.isdecimal() else super().fits(name, typed)
