"""A report with plots, as rows, pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len

from sampleui.page.text import (
    NOT_LOOKED_AT,
    by_people_text,
    comparison_text,
    decided_words,
    figures_text,
    groups_text,
    later_sections_of,
)
from sampleui.review.reports.figures import Agreement, Confusion, VerdictTable
from sampleui.review.reports.report import Report
from sampleui.review.reports.words import percent, run_words, under_words
from sampleui.review.verdict import Verdict
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.review.rows.queue import bar

_MIN_WIDTH, _MAX_WIDTH = 10, 40
_NAME = 21
"""Cells of a name before its figures."""
_SHADES = " ░▒▓█"


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
    """Return the figures of a report with a bar or a table for each: the comparison first, the follow-ups last."""
    plot = max(_MIN_WIDTH, min(width - 80, _MAX_WIDTH))
    rows = [
        *_texts(comparison_text(report, width), width),
        *_outcome(report, plot, width),
        *_texts(figures_text(report, width), width),
        *_reviewed(report, plot, width),
    ]
    rows += [*_texts(groups_text(report, width), width), *_texts(later_sections_of(report, width), width)]
    if report.review is not None and report.review.verdicts_by_outcome is not None:
        rows += _verdict_table(report.review.verdicts_by_outcome)
    if report.figures.truth is not None:
        rows += _truth(report.figures.truth, plot)
    if follow_ups:
        rows += [
            *_title("Ways on", ""),
            *(row for follow_up in follow_ups for row in text_rows(str(follow_up), "accent", width)),
        ]
    return rows[1:]


def _texts(sections: Iterable[tuple[str, Sequence[str]]], width: int) -> Iterator[Row]:
    for title, lines in sections:
        yield from _title(title, "")
        yield from (row for line in lines for row in text_rows(line, "text", width))


def confusion_rows(confusion: Confusion) -> list[Row]:
    """Return a confusion table, each cell with a shade for its part of the row; the diagonal is marked."""
    cell = max(5, *(len(label) + 3 for label in confusion.labels))
    wide = max(5, *(cell_len(label) for label in confusion.labels))
    head = "".join(label.rjust(cell) for label in confusion.labels)
    rows: list[Row] = [(("muted", "truth".ljust(wide)), ("muted-bold", head), ("faint", "  score"))]
    for index, (label, counts) in enumerate(zip(confusion.labels, confusion.counts, strict=True)):
        total = sum(counts)
        parts: list[tuple[str, str]] = [("muted-bold", label.rjust(wide))]
        for column, count in enumerate(counts):
            style = "faint"
            if count:
                style = "added-bold" if column == index else "error"
            mark = _SHADES[max(1, min(round(count / total * 4), 4))] if count else " "
            parts.append((style, f"{count or '·'}{mark}".rjust(cell)))
        rows.append(tuple(parts))
    return rows


def _outcome(report: Report, plot: int, width: int) -> Iterator[Row]:
    run, counts = report.figures.run, report.figures.run.counts
    yield from _title(run.name, "")
    yield _line("passed", counts.passed, counts.records, plot, "added")
    yield _line(f"failed{under_words(run)}", counts.failed, counts.records, plot, "error")
    if run.scorer is not None:
        yield (("muted", f"decided by {one_line(run.scorer, 60)}"),)
    for words in filter(None, (run.ended, run.untold)):
        yield from text_rows(words, "warning", width)
    if counts.ungraded:
        yield _line("ungraded", counts.ungraded, counts.records, plot, "muted")
    if counts.errors:
        yield _line("errors", counts.errors, counts.records, plot, "error")
    for sentence in run_words(run):
        yield from text_rows(sentence, "muted", width)
    if run.replaced:
        yield (("muted", f"{counted(run.replaced, 'row')} replaced by a rerun"),)
    if run.skipped:
        yield (("warning-bold", f"▲ {counted(run.skipped, 'row')} could not be read"),)


def _reviewed(report: Report, plot: int, width: int) -> Iterator[Row]:
    review = report.review
    if review is None:
        yield from _texts((NOT_LOOKED_AT,), width)
        return
    yield from _texts(by_people_text(review), width)
    yield from _title("Review", decided_words(report.figures.run, review))
    most = max(review.verdicts.values(), default=0)
    for verdict, times in review.verdicts.items():
        row = _line(f"{verdict.key} {verdict}", times, most, plot, "accent", share=False)
        taken = sum(cell_len(text) for _, text in row) + 2
        first, *rest = text_rows(verdict.route, "faint", max(width - taken, _MIN_WIDTH))
        yield (*row, ("text", "  "), *first)
        yield from ((("text", " " * taken), *more) for more in rest)


def _verdict_table(outcomes: VerdictTable) -> Iterator[Row]:
    share = f", {percent(outcomes.agreed / outcomes.judged)}" if outcomes.judged else ""
    yield from _title("Grader against verdicts", f"{outcomes.agreed} of {outcomes.judged} agree{share}")
    yield (("muted", " " * 8), *(("muted-bold", f"  {verdict}") for verdict in Verdict))
    for label, figures in (("passed", outcomes.passed), ("failed", outcomes.failed)):
        cells = [
            ("text" if times else "faint", str(times or "·").rjust(len(verdict) + 2))
            for verdict, times in figures.items()
        ]
        yield (("muted-bold", f"{label:<8}"), *cells)


def _truth(truth: Agreement, plot: int) -> Iterator[Row]:
    distance = f"average distance {truth.average_distance:.2f}"
    yield from _title("Grader score against truth", distance)
    yield _line("agreement", truth.agreed, truth.records, plot, "added")
    yield (("text", ""),)
    yield from confusion_rows(truth.confusion)


def _title(text: str, about: str) -> Iterator[Row]:
    yield (("text", ""),)
    yield (("accent-bold", one_line(text, 80)), ("muted", f"  {about}"))


def _line(label: str, count: int, total: int, plot: int, style: str, *, share: bool = True) -> Row:
    full, rest = bar(count, total, plot)
    part = f" {percent(count / total):>4}" if share and total else ""
    return (("text", _name(label)), (style, full[1]), rest, ("text-bold", f" {count:>6,}"), ("muted", part))


def _name(text: str) -> str:
    shown = fitted(one_line(text), _NAME)
    return shown + " " * (_NAME + 1 - cell_len(shown))
