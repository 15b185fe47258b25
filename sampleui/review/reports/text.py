"""A report as text for a terminal and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TypeAlias

from rich.cells import cell_len

from sampleui.review.reports.calibration import Agreement, VerdictTable
from sampleui.review.reports.report import Report
from sampleui.review.targets import TargetSummary
from sampleui.review.verdict import Verdict
from sampleui.text.wording import apart, counted

Rows: TypeAlias = Sequence[Sequence[str]]
Lines: TypeAlias = tuple[str, ...]
Write: TypeAlias = Callable[[Sequence[str], Rows], Lines]

_GAP = 2
_LEAST_CELL = 8
"""Cells below which a name says nothing."""


def as_text(report: Report) -> Lines:
    """Return a report as lines for a terminal."""
    return tuple(line for title, lines in _sections(report, _plain_table) for line in (title, *lines, ""))[:-1]


def as_markdown(report: Report) -> Lines:
    """Return a report as lines of Markdown."""
    sections = _sections(report, _markdown_table)
    return tuple(
        line
        for index, (title, lines) in enumerate(sections)
        for line in (f"{'##' if index else '#'} {_escaped(title)}", "", *lines, "")
    )[:-1]


def figures_of(report: Report, width: int) -> tuple[tuple[str, Lines], ...]:
    """Return the metrics that the run itself has, under their title; nothing if it has none."""
    return tuple(_figures(report, partial(_table_within, width)))


def groups_of(report: Report, width: int) -> tuple[tuple[str, Lines], ...]:
    """Return what a report says of targets, attempts, kinds of failure, disagreement, orphans: titles and lines."""
    return tuple(_groups(report, partial(_table_within, width)))


def _sections(report: Report, table: Write) -> Iterator[tuple[str, Lines]]:
    yield report.file, _summary(report)
    yield from _figures(report, table)
    if report.evaluators:
        rows = [
            (evaluator.name, str(evaluator.records), str(evaluator.failed), _figure(evaluator.mean))
            for evaluator in report.evaluators
        ]
        yield "Evaluators", table(("evaluator", "records", "failed", "mean"), rows)
    counted = [(str(verdict), str(times), verdict.route) for verdict, times in report.verdicts if times]
    title = f"Review: {report.reviewed} of {report.failed} failed records decided"
    title += f", {report.carried} on an earlier run" if report.carried else ""
    yield title, table(("verdict", "records", "what now"), counted) if counted else ("No verdicts yet.",)
    yield from _groups(report, table)
    if report.outcomes is not None:
        yield from _outcome_sections(report.outcomes, table)
    if report.truth is not None:
        yield from _truth_sections(report.truth, table)
    if report.reviewers:
        rows = [
            (f"{pair.first}, {pair.other}", str(pair.records), str(pair.agreed), _figure(pair.kappa))
            for pair in report.reviewers
        ]
        yield "Reviewers", table(("reviewers", "records", "agreed", "Cohen's kappa"), rows)


def _groups(report: Report, table: Write) -> Iterator[tuple[str, Lines]]:
    if report.targets:
        yield "Targets", _targets(report.targets, table)
    if report.attempts:
        tried = [(attempt.sample, attempt.target or "-", str(attempt)) for attempt in report.attempts]
        yield "Attempts", table(("sample", "target", "outcome"), tried)
    if report.kinds:
        yield "Kinds of failure", table(("kind", "records"), [(name, str(times)) for name, times in report.kinds])
    if report.disputed or report.adjudicated:
        named = f" ({', '.join(report.disputed)})" if report.disputed else ""
        opened = f"{counted(len(report.disputed), 'record')} open{named}"
        yield "Disagreement", (f"{opened}, {report.adjudicated} adjudicated.",)
    if report.orphans:
        left = [(orphan.record_id, str(orphan.verdict), orphan.reviewer) for orphan in report.orphans]
        yield "Verdicts without a record", table(("record", "verdict", "reviewer"), left)


def _summary(report: Report) -> Lines:
    passed = report.records - report.failed - report.ungraded
    records = counted(report.records, "record") + ("" if report.scorer is None else f" by {report.scorer}")
    under = "" if report.fail_under is None else f" under {report.fail_under:g}"
    left = f", {report.ungraded} ungraded" if report.ungraded else ""
    figures = f"{records}: {passed} passed, {report.failed} failed{under}{left}"
    skipped = f" {counted(report.skipped, 'row')} could not be read." if report.skipped else ""
    replaced = f" {counted(report.replaced, 'row')} replaced by a rerun." if report.replaced else ""
    summary = (
        f"{figures} ({counted(report.errors, 'error')}); mean score {_figure(report.mean)}.{skipped}{replaced}"
    )
    return (summary, f"{report.untold}.") if report.untold else (summary,)


def _figures(report: Report, table: Write) -> Iterator[tuple[str, Lines]]:
    """Yield the metrics that the run itself has, a row for each of its scores."""
    if report.figures:
        rows = [(figure.name, figure.text, figure.reducer or "-") for figure in report.figures]
        yield "Metrics of the run", table(("score", "metrics", "over epochs"), rows)


def _targets(targets: Sequence[TargetSummary], table: Write) -> Lines:
    """Return a column for each target."""
    evaluators = dict.fromkeys(name for target in targets for name, _ in target.means)
    rows = [
        ("records", *(str(target.records) for target in targets)),
        ("passed", *(str(target.records - target.failed - target.ungraded) for target in targets)),
        ("failed", *(str(target.failed) for target in targets)),
        *(
            [("ungraded", *(str(target.ungraded) for target in targets))]
            if any(target.ungraded for target in targets)
            else ()
        ),
        ("errors", *(str(target.errors) for target in targets)),
        ("mean score", *(_figure(target.mean) for target in targets)),
        *((name, *(_figure(dict(target.means).get(name)) for target in targets)) for name in evaluators),
    ]
    return table(("target", *(target.name for target in targets)), rows)


def _outcome_sections(outcomes: VerdictTable, table: Write) -> Iterator[tuple[str, Lines]]:
    share = f"{outcomes.agreed / outcomes.settled:.0%}" if outcomes.settled else "-"
    rows = [
        ("passed", *(str(times) for _, times in outcomes.passed)),
        ("failed", *(str(times) for _, times in outcomes.failed)),
    ]
    yield (
        f"Outcome against verdicts: {outcomes.agreed} of {outcomes.settled} agree ({share})",
        table(("outcome", *Verdict), rows),
    )


def _truth_sections(truth: Agreement, table: Write) -> Iterator[tuple[str, Lines]]:
    labels = truth.confusion.labels
    rows = [(label, *map(str, counts)) for label, counts in zip(labels, truth.confusion.counts, strict=True)]
    yield (
        f"Score against truth: {truth.agreed} of {truth.count} agree ({truth.rate:.0%}),"
        f" average distance {truth.average_distance:.2f}",
        table(("truth \\ score", *labels), rows),
    )


def _plain_table(head: Sequence[str], rows: Rows) -> Lines:
    """Lay out columns: the first and texts to the left, figures to the right."""
    table = [head, *rows]
    widths = [max(cell_len(row[column]) for row in table) for column in range(len(head))]
    right = [column > 0 and all(_is_figure(row[column]) for row in rows) for column in range(len(head))]
    return tuple("  " + "  ".join(map(_padded, row, widths, right)).rstrip() for row in table)


def _table_within(width: int, head: Sequence[str], rows: Rows) -> Lines:
    """Lay out columns in a width: long cells are shortened, no two alike, and what has no room is below."""
    table = [head, *rows]
    room = max(width // 3, _LEAST_CELL)
    shown = [apart((cell for row in table for cell in row[:1]), room)]
    shown += [apart((row[column] for row in rows), room) for column in range(1, len(head))]
    heads = apart(head[1:], max((width - room) // max(len(head) - 1, 1) - _GAP, _LEAST_CELL))
    top = [head[0], *(heads[cell] for cell in head[1:])]
    short = [[cells[cell] for cells, cell in zip(shown, row, strict=True)] for row in rows]
    lines: Lines = ()
    start = 1
    while start < len(head):
        end = start + 1
        laid = _columns(top, short, start, end)
        while end < len(head) and max(map(cell_len, wider := _columns(top, short, start, end + 1))) <= width:
            laid, end = wider, end + 1
        lines = (*lines, "", *laid) if lines else laid
        start = end
    return lines


def _columns(head: Sequence[str], rows: Rows, start: int, end: int) -> Lines:
    """Lay out some columns beside the first."""
    return _plain_table([head[0], *head[start:end]], [[row[0], *row[start:end]] for row in rows])


def _padded(cell: str, width: int, right: bool) -> str:
    blank = " " * (width - cell_len(cell))
    return blank + cell if right else cell + blank


def _markdown_table(head: Sequence[str], rows: Rows) -> Lines:
    dashes = [
        "---:" if column and all(_is_figure(row[column]) for row in rows) else "---" for column in range(len(head))
    ]
    return tuple(f"| {' | '.join(map(_escaped, row))} |" for row in (head, dashes, *rows))


def _escaped(cell: str) -> str:
    """Return a cell that Markdown shows as it is."""
    return "".join(f"\\{char}" if char in "\\|*_`[]<>#" else char for char in " ".join(cell.split()))


def _is_figure(cell: str) -> bool:
    return cell == "-" or cell.replace(".", "").removeprefix("-").isdigit()


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
