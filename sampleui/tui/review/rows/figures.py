"""Figures of a run as tables whose cells lead to records: groups, coverage, graders, runs over time; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sampleui.review.filters import QueueItem
from sampleui.review.record import SIGNS, Outcome
from sampleui.review.reports.figures import (
    Coverage,
    CrossedGroups,
    GraderFigures,
    Group,
    Grouping,
    SeriesFigures,
)
from sampleui.review.reports.graders import GradedRecords
from sampleui.review.reports.matrix import NOT_RUN
from sampleui.review.reports.plot_values import RatesOverTime, estimated
from sampleui.review.reports.words import (
    caught_text,
    coverage_words,
    estimate_text,
    flipped_at_words,
    flipped_words,
    grader_words,
    let_pass_text,
    percent,
    rate_interval,
    rate_of_text,
    score_bin_words,
)
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import Hint
from sampleui.tui.drawing.rows import Row, plot_row

GroupMembers: TypeAlias = Mapping[tuple[str | None, ...], Sequence[int]]
"""The records of each group by index."""

_NONE = "(none)"


class Records(NamedTuple):
    """Records by index, and what they are called where they alone are shown."""

    name: str
    indexes: frozenset[int]


class InRun(NamedTuple):
    """A run of the folder; where a sample is named, a record of it by a target, at best one that came out so."""

    path: Path
    sample: str = ""
    target: str = ""
    passes: bool = False


class Passes(NamedTuple):
    """A random sample of what passed, to be drawn."""


Goal: TypeAlias = Records | InRun | Passes
"""Where a cell or a key leads to."""


class FigureCell(NamedTuple):
    """A cell; one without a goal leads nowhere."""

    text: str
    goal: Goal | None = None
    style: str = "text"


class Line(NamedTuple):
    """A line of a table.

    Attributes:
        note: what stands behind the cells where there is room.
        told: sentences about it, shown while it has the cursor.
    """

    name: str
    cells: tuple[FigureCell, ...]
    note: str = ""
    told: tuple[str, ...] = ()
    muted: bool = False


DRAW_PASSES = Hint("S", "Sample of passes")
"""The key that leads to a random sample."""


def _nothing(_: int) -> Sequence[Row]:
    return ()


class FigureSection(NamedTuple):
    """A table.

    Attributes:
        title: empty for none.
        heads: of the cells.
        note: the head of the notes.
        empty: what is said where there are no lines.
        above: makes rows between title and table for a width.
    """

    title: str
    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    note: str = ""
    empty: str = ""
    above: Callable[[int], Sequence[Row]] = _nothing


def _count(name: str, indexes: Sequence[int] | frozenset[int], number: int | None = None) -> FigureCell:
    shown = len(indexes) if number is None else number
    goal = Records(name, frozenset(indexes)) if indexes else None
    return FigureCell(f"{shown:,}", goal, "text" if shown else "faint")


# Groups and coverage


class FigureColumn(NamedTuple):
    """A column of counts: what it is called, its count of a group, and which records it counts."""

    name: str
    count: Callable[[Group], int]
    holds: Callable[[QueueItem], bool]


COLUMNS = (
    FigureColumn("records", lambda group: group.counts.records, lambda _: True),
    FigureColumn("passed", lambda group: group.counts.passed, lambda item: item.outcome is Outcome.PASSED),
    FigureColumn("failed", lambda group: group.counts.failed, lambda item: item.failed),
    FigureColumn("errors", lambda group: group.counts.errors, lambda item: item.entry.error is not None),
    FigureColumn("ungraded", lambda group: group.counts.ungraded, lambda item: item.outcome is Outcome.UNGRADED),
)


def group_sections(
    grouping: Grouping,
    members: GroupMembers,
    answered: Mapping[tuple[str, str], Sequence[int]],
    items: Sequence[QueueItem],
) -> Iterator[FigureSection]:
    """Yield the groups of a run, and how its decks cover the values.

    Args:
        grouping: the figures.
        members: the records of each group.
        answered: those of the samples that have a value, by field and value.
        items: all records.
    """
    groups = grouping.groups
    if grouping.grid is not None:
        yield _grid_section(grouping, grouping.grid, members)
    columns = (*COLUMNS[:3], *(column for column in COLUMNS[3:] if any(map(column.count, groups))))
    lines = []
    for group in groups:
        name = _group_name(group)
        cells = []
        for column in columns:
            in_group = [index for index in members.get(group.values, ()) if column.holds(items[index])]
            called = name if column is COLUMNS[0] else f"{name} · {column.name}"
            cells.append(_count(called, in_group, column.count(group)))
        lines.append(Line(name, tuple(cells), rate_words(group), muted=group.small))
    yield FigureSection(
        "", tuple(column.name for column in columns), tuple(lines), "pass rate", "no record is in a group"
    )
    if grouping.n_empty:
        listed = f", {len(grouping.empty):,} listed" if grouping.n_empty > len(grouping.empty) else ""
        empty = (
            Line(" × ".join(one_line(value, 80) for value in values), (_count("", ()),))
            for values in grouping.empty
        )
        title = f"{counted(grouping.n_empty, 'combination')} without a record{listed}"
        yield FigureSection(title, ("records",), tuple(empty))
    if grouping.coverage:
        yield coverage_section(grouping.coverage, answered)


def _grid_section(grouping: Grouping, grid: CrossedGroups, members: GroupMembers) -> FigureSection:
    """Return groups by two fields as a table of pass rates, whose cells lead to the records."""

    def cell(place: int | None) -> FigureCell:
        if place is None:
            return FigureCell(NOT_RUN, style="faint")
        group = grouping.groups[place]
        goal = Records(_group_name(group), frozenset(members.get(group.values, ())))
        return FigureCell(rate_of_text(group), goal, "muted" if group.small else "text")

    lines = (Line(_value(row), tuple(map(cell, cells))) for row, cells in zip(grid.rows, grid.cells, strict=True))
    return FigureSection(" by ".join(grouping.fields), tuple(map(_value, grid.columns)), tuple(lines))


def _value(value: str | None) -> str:
    return _NONE if value is None else one_line(value, 80)


def _group_name(group: Group) -> str:
    return " × ".join(map(_value, group.values))


def coverage_section(
    coverage: Sequence[Coverage], answered: Mapping[tuple[str, str], Sequence[int]]
) -> FigureSection:
    """Return the values that samples of the decks have, the rarest first."""
    lines = []
    for item in coverage:
        records = answered.get((item.field, item.value), ())
        cells = (
            _count(f"{item.value} · in the deck", records, item.samples),
            _count(f"{item.value} · answered", records, item.answered),
            _count(item.value, records),
        )
        lines.append(Line(f"{item.field}: {one_line(item.value, 80)}", cells, coverage_words(item)))
    return FigureSection("Samples of the deck", ("samples", "answered", "records"), tuple(lines), "coverage")


def rate_words(group: Group) -> str:
    """Return the rate at which the samples of a group pass, its interval, and whether it has few of them."""
    rate = group.pass_rate
    if rate.value is None:
        return "–"
    interval = "" if rate.interval is None else f" ({rate_interval(rate.interval)})"
    return f"{percent(rate.value, rate.interval)}{interval}" + (f"  few: {rate.n:,}" if group.small else "")


# Graders


def grader_sections(
    graders: Sequence[GraderFigures], records: Mapping[str | None, GradedRecords]
) -> Iterator[FigureSection]:
    """Yield what graders and people say of the same records, and how often answers are right by score."""
    passed, failed = SIGNS[Outcome.PASSED], SIGNS[Outcome.FAILED]
    heads = ("reviewed", f"{passed} right", f"{passed} wrong", f"{failed} right", f"{failed} wrong", "open passes")
    lines = tuple(_grader_line(item, records[item.evaluator]) for item in graders)
    yield FigureSection("", heads, lines, "agreement", "Nothing is decided: nobody knows how right graders are.")
    for item in graders:
        if item.bins:
            name = item.evaluator or "all together"
            bins = []
            for found in item.bins:
                called = f"{name} · {score_bin_words(found)}"
                cells = (
                    _count(called, records[item.evaluator].bins.get(found.low, ()), found.reviewed),
                    FigureCell(f"{found.records:,}"),
                    FigureCell(percent(found.right.value)),
                    FigureCell(rate_interval(found.right.interval)),
                )
                bins.append(Line(score_bin_words(found), cells))
            title = f"Right answers by score: {one_line(name, 60)}"
            yield FigureSection(title, ("reviewed", "of records", "right", "95%"), tuple(bins))


def _grader_line(item: GraderFigures, records: GradedRecords) -> Line:
    name = item.evaluator or "all together"
    said = (
        ("passed, right", records.passed_right),
        ("passed, wrong", records.passed_wrong),
        ("failed, right", records.failed_right),
        ("failed, wrong", records.failed_wrong),
    )
    reviewed = [index for _, indexes in said for index in indexes]
    cells = [
        _count(f"{name} · reviewed", reviewed),
        *(_count(f"{name} · {words}", indexes) for words, indexes in said),
        _count(f"{name} · passed, not decided", records.open_passes),
    ]
    told = (
        f"Catches failures: {caught_text(item)}.",
        f"Passes right answers: {let_pass_text(item)}.",
        f"Right of what it passes: {estimate_text(item.precision)}; wrong of what it fails:"
        f" {estimate_text(item.negative_predictive_value)}; agreement with people {estimate_text(item.agreement)}.",
        *grader_words(item),
    )
    return Line(name, tuple(cells), estimate_text(item.agreement), told)


# Runs over time


def series_sections(
    series: SeriesFigures, current: Path, flipped: Mapping[str, Sequence[int]]
) -> Iterator[FigureSection]:
    """Yield the runs of a folder by their time, with a plot, and the samples that flipped.

    Args:
        series: the runs.
        current: the run that is reviewed.
        flipped: its records of samples that flipped at it, by the name of the run.
    """
    lines = []
    for run in series.runs:
        path = Path(run.path)
        goal = InRun(path)
        here = path == current.absolute()
        flips: Goal | None = goal if run.flipped else None
        if here and flips is not None:
            flips = Records(f"flipped at {run.name}", frozenset(flipped.get(run.name, ())))
        cells = (
            FigureCell(f"{run.counts.records:,}", goal),
            FigureCell(f"{run.counts.failed:,}", goal),
            FigureCell(percent(run.pass_rate.value, run.pass_rate.interval), goal),
            FigureCell(rate_interval(run.pass_rate.interval), goal),
            FigureCell(flipped_at_words(run), flips, "text" if flips else "faint"),
        )
        lines.append(Line(f"{'• ' if here else ''}{run.name}", cells, run.time))
    heads = ("records", "failed", "rate", "95%", "flipped")
    yield FigureSection("", heads, tuple(lines), "time", "No run beside it could be read.", _plotted(series))
    yield _flips(series)


def _plotted(series: SeriesFigures) -> Callable[[int], Sequence[Row]]:
    def rows(width: int) -> Sequence[Row]:
        from sampleui.page.terminal_plots import over_time  # its library is slow to import

        if len(series.runs) < 2:
            return ()
        plot = RatesOverTime("", tuple(estimated(run.name, run.pass_rate) for run in series.runs))
        return [*map(plot_row, over_time(plot.points, width)), (("text", ""),)]

    return rows


def _flips(series: SeriesFigures) -> FigureSection:
    paths = {run.name: Path(run.path) for run in series.runs}
    lines = []
    for flip in series.flips:
        cells = []
        for run, passes in flip.runs:
            sign = SIGNS[Outcome.PASSED if passes else Outcome.FAILED]
            style = "added" if passes else "error"
            cells.append(
                FigureCell(
                    f"{sign} {one_line(run, 30)}", InRun(paths[run], flip.sample, flip.target, passes), style
                )
            )
        name = f"{flip.sample} · {flip.target}" if flip.target else flip.sample
        lines.append(Line(name, tuple(cells)))
    listed = f", {len(lines):,} listed" if series.flipped > len(lines) else ""
    title = f"{flipped_words(series)}{listed}: passes (✓) or fails (✖) from a run on"
    return FigureSection(title, (), tuple(lines), empty="No sample came out otherwise than in the run before.")
