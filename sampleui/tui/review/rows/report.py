"""A report as rows: as the command line prints it, with bars of what passed and failed, and follow-ups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from sampleui.page.tables import text_lines
from sampleui.page.text import comparison_text, sections_of
from sampleui.review.reports.report import Report
from sampleui.review.reports.words import percent
from sampleui.text.wording import counted
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.queue import bar

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
