"""The page: one file of HTML with its style and its script inside, and a policy that lets nothing else in.

Texts of strangers are escaped by the type of what holds them (`markup.py`). Should that fail, the policy in the
head still stops scripts, styles, requests, forms and frames: it lets in the style and the script of the page alone.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from sampleui.garbage import collector_off
from sampleui.page import plots
from sampleui.page.markup import Markup, tag
from sampleui.page.records import KINDS, NO_ROOM, record_block, trace_block
from sampleui.page.run_report import ReportContents
from sampleui.page.tables import Blocks, ReportTable, is_figure
from sampleui.page.text import people_words, sections_of
from sampleui.review.record import Entry, Outcome
from sampleui.review.reports.figures import Figures
from sampleui.review.reports.matrix import LEGEND, NOT_RUN, Matrix
from sampleui.review.reports.plot_values import Distribution, Measurements, plots_of, scores_of
from sampleui.review.reports.report import Report
from sampleui.review.reports.words import comparison_words, missing_words, percent, rate_interval, records_words
from sampleui.review.results.evaluations import own_time
from sampleui.text.confined import packaged_text
from sampleui.text.limits import MAX_MEASURED_RECORDS, MAX_PAGE_BYTES, MAX_PAGE_CELLS
from sampleui.text.visible import one_line
from sampleui.text.wording import counted, sentence

_SLACK = 1_000_000
"""Bytes by which the records so far may be larger than their part of the page, before traces are left out."""


class _Records(NamedTuple):
    """The records of a page that there was room for, by index, how many there was none for, and what all cost."""

    blocks: dict[int, Markup]
    left_out: int
    spreads: tuple[Distribution, ...]


Spread: TypeAlias = Callable[
    [Callable[[Sequence[int]], "_RecordsPart"], Sequence[Sequence[int]]], Iterable["_RecordsPart"]
]
"""Returns what a function makes of each of several parts, in order; where it is called makes no difference."""


@collector_off()
def page_of(contents: ReportContents, spread: Spread = map) -> str:
    """Return a run as one page of HTML.

    Args:
        contents: what it shows.
        spread: how the records are worked on, if they are many.

    Raises:
        ResultsError: when a record can no longer be read.
    """
    results = contents.run.results
    entries = results.counted
    records = _records(contents, entries, spread)
    scores = scores_of(entries)
    spreads = records.spreads if scores is None else (scores, *records.spreads)
    report = contents.redaction.report(contents.report)  # as the last, for it says how many places were replaced
    figures = report.figures
    body = [
        _header(figures.run.name, own_time(results)),
        tag(
            "main",
            *_summary(report),
            *_plots(figures, spreads),
            tag("div", *_sections(report), id="figures"),
            tag("div", *_matrix(report.matrix, records.blocks), id="matrix"),
            tag("div", *_record_section(records, everything=contents.options.everything), id="records"),
        ),
        tag(
            "footer",
            "Made by sampleui. Intervals are at 95%; rates are of samples, whose attempts are averaged first.",
        ),
    ]
    return (
        "<!doctype html>\n" + tag("html", _head(figures.run.name), tag("body", *body, _script()), lang="en") + "\n"
    )


def _head(name: str) -> Markup:
    policy = (
        f"default-src 'none'; style-src '{_hash('page.css')}'; script-src '{_hash('page.js')}';"
        " base-uri 'none'; form-action 'none'"
    )
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=Markup(policy)),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="referrer", content="no-referrer"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{one_line(name)} · report"),
        tag("style", _asset("page.css")),
    )


def _script() -> Markup:
    return tag("script", _asset("page.js"))


@cache
def _asset(name: str) -> Markup:
    """Return a file of this package as it is, for it is ours."""
    return Markup(packaged_text(Path(__file__).with_name(name)))


@cache
def _hash(name: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(_asset(name).encode()).digest()).decode()}"


def _header(name: str, time: dt.datetime | None) -> Markup:
    links = [tag("a", section.capitalize(), href=f"#{section}") for section in ("figures", "matrix", "records")]
    search = tag("input", type="search", id="search", placeholder="Search  /", aria_label="Search", hidden=True)
    count = tag("output", id="count", aria_live="polite")
    words = "date of the run not known" if time is None else f"run of {time:%Y-%m-%d %H:%M} UTC"
    title = tag("h1", tag("bdi", one_line(name)), " ", tag("small", words))
    return tag("header", title, tag("nav", *links), search, count)


def _summary(report: Report) -> Iterator[Markup]:
    run, counts = report.figures.run, report.figures.run.counts
    rate = run.pass_rate
    parts = [
        ("passed", counts.passed, Outcome.PASSED),
        ("failed", counts.failed, Outcome.FAILED),
        ("errors", counts.errors, Outcome.ERROR),
        ("ungraded", counts.ungraded, Outcome.UNGRADED),
    ]
    pairs = "pairs of sample and target" if len(run.targets) > 1 else "samples"
    about = "pass rate" if rate.value is None else f"of {pairs} pass"
    sure = "" if rate.value is None else f"{rate_interval(rate.interval)} at 95%"
    sure += f", of very few samples ({rate.units:,})" if rate.very_few else ""
    tiles = [_tile(percent(rate.value), about, sure)]
    always = (Outcome.PASSED, Outcome.FAILED)
    tiles += [
        _tile(f"{count:,}", f"records {name}" if outcome in always else name, "", KINDS[outcome])
        for name, count, outcome in parts
        if count or outcome in always
    ]
    yield tag("div", *tiles, class_="tiles")
    yield plots.outcome_bar([(name, count, KINDS[outcome]) for name, count, outcome in parts])
    if run.ended:
        yield tag("p", sentence(run.ended), class_="lead")
    if report.review is not None and (said := people_words(report.review)):
        yield tag("p", f"By people: {said}", class_="lead")
    for found in report.comparisons:
        missing = missing_words(found.missing, several_targets=found.several_targets)
        against = (f"{found.title}: {comparison_words(found)}.", *missing, *records_words(found))
        yield tag("p", " ".join(against), class_="lead")


def _tile(value: str, name: str, about: str, kind: str = "") -> Markup:
    return tag(
        "div",
        tag("b", value),
        tag("span", name),
        tag("small", about) if about else "",
        class_=f"tile {kind}".strip(),
    )


def _plots(figures: Figures, spreads: Iterable[Distribution]) -> Iterator[Markup]:
    if plots_drawn := [*map(plots.svg_of, plots_of(figures, spreads))]:
        yield tag("div", *plots_drawn, class_="plots")


def _sections(report: Report) -> Iterator[Markup]:
    figures = report.figures
    if figures.series is not None:  # what it can be compared with is a path, and not the readers' one
        report = replace(report, figures=figures._replace(series=figures.series._replace(baseline=None)))
    (_, summary), *sections = sections_of(report)
    for title, blocks in (("Figures", summary), *sections):
        yield from _section(title, *_named(title, blocks))


def _section(title: str, *children: str) -> Iterator[Markup]:
    yield tag("section", tag("h2", title), *children)


def _named(title: str, blocks: Blocks) -> Iterator[Markup]:
    """Yield the paragraphs and tables of a section; what a table is in has the name of the heading."""
    tables = 0
    for block in blocks:
        if isinstance(block, ReportTable):
            tables += 1
            name = title if tables == 1 else f"{title}, table {tables}"
            yield tag("div", _table(block), class_="wide", tabindex="0", role="region", aria_label=name)
        elif isinstance(block, str):
            yield tag("p", block)


MANY_ROWS = 20
"""Rows of a table that are shown of more, until a search finds the others."""


def _table(table: ReportTable) -> Markup:
    """Return a table; figures are to the right."""
    head, rows, _ = table
    right = [column > 0 and all(is_figure(row[column]) for row in rows) for column in range(len(head))]
    kinds = ["n" if figure else None for figure in right]
    heads = [tag("th", text, class_=kind, scope="col") for text, kind in zip(head, kinds, strict=True)]
    body = [
        tag(
            "tr",
            *(tag("td", text, class_=kind) for text, kind in zip(row, kinds, strict=True)),
            class_="more" if index >= MANY_ROWS else None,
        )
        for index, row in enumerate(rows)
    ]
    many = "many" if len(rows) > MANY_ROWS else None
    return tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *body), class_=many)


# Matrix


def _matrix(matrix: Matrix | None, shown: Container[int]) -> Iterator[Markup]:
    if matrix is None or not matrix.rows:
        return
    most = max(MAX_PAGE_CELLS // len(matrix.columns), 1)
    none: Container[int] = ()
    linked = [shown if column.run == 0 else none for column in matrix.columns]
    heads = [tag("th", "sample", scope="col")]
    heads += [tag("th", tag("bdi", one_line(target or "-", 200)), scope="col") for target in matrix.targets]
    rows = []
    for row in matrix.rows[:most]:
        cells = "".join(
            _cell(str(cell), cell.outcome, _link(cell.records, among))
            for cell, among in zip(row.cells, linked, strict=True)
        )
        name = tag("th", tag("bdi", one_line(row.sample, 80)), scope="row")
        rows.append(Markup(f"<tr>{name}{cells}</tr>"))
    turned = " turned" if sum(len(target) for target in matrix.targets) > _FLAT_HEADS else ""
    table = tag("table", tag("thead", tag("tr", *heads)), tag("tbody", *rows), class_=f"matrix{turned}")
    left = len(matrix.rows) - len(rows)
    title = f"Matrix: {counted(len(matrix.rows), 'sample')} by {counted(len(matrix.columns), 'column')}"
    yield from _section(
        title,
        tag("p", ", ".join(f"{sign} {words}" for sign, words in LEGEND), class_="muted"),
        tag("div", table, class_="wide tall", tabindex="0", role="region", aria_label=title),
        tag("p", f"{counted(left, 'sample')} more left out.", class_="muted") if left else "",
    )


_FLAT_HEADS = 80
"""Characters of all heads of a matrix up to which these stand side by side; else each is turned."""


def _link(records: Sequence[int], shown: Container[int]) -> str:
    return next((f"#r{index + 1}" for index in records if index in shown), "")


def _cell(text: str, outcome: Outcome | None, link: str) -> str:
    kind = KINDS[outcome] if outcome is not None else "mixed" if text else ""
    inside = f'<a href="{link}">{text}</a>' if link else text
    return f'<td class="{kind}">{inside}</td>' if kind else f"<td>{NOT_RUN}</td>"


# Records


class _RecordBlock(NamedTuple):
    """The record at a place of the file as it is on the page, with `_PLACE` where its trace belongs."""

    record_index: int
    block: str
    trace: str


class _RecordsPart(NamedTuple):
    """What the page says of some of the records, and by what places in them were replaced."""

    blocks: Sequence[_RecordBlock]
    measurements: Measurements
    replaced: Counter[str]


_PLACE = Markup("\0")
"""A sign that no element has, since what is not seen is shown as a symbol."""

RECORDS_TOGETHER = 100
"""Records that are worked on together."""


def _records(contents: ReportContents, entries: Sequence[Entry], spread: Spread) -> _Records:
    """Read the records, and return what the page has of them."""
    shown = {entry.index for entry in entries if contents.is_shown(entry)}
    measured = len(entries) <= MAX_MEASURED_RECORDS
    looked_at = [entry.index for entry in entries if measured or entry.index in shown]
    parts = [looked_at[start : start + RECORDS_TOGETHER] for start in range(0, len(looked_at), RECORDS_TOGETHER)]
    measurements = Measurements()
    blocks: dict[int, Markup] = {}
    size = done = 0

    def work(indexes: Sequence[int]) -> _RecordsPart:
        return _part(contents, indexes, shown)

    for part in (spread if len(parts) > FEW_PARTS else map)(work, parts):
        measurements.include(part.measurements)
        contents.redaction.count(part.replaced)
        for index, block, trace in part.blocks:
            if size > MAX_PAGE_BYTES:
                break
            done += 1
            room = size + _size(trace) <= _SLACK + MAX_PAGE_BYTES * done / len(shown)
            block = block.replace(_PLACE, trace if room else NO_ROOM)
            size += _size(block)
            if size <= MAX_PAGE_BYTES:
                blocks[index] = Markup(block)
    return _Records(blocks, len(shown) - len(blocks), measurements.distributions if measured else ())


FEW_PARTS = 4
"""Parts that are done before other processes would have begun."""


def _part(contents: ReportContents, indexes: Sequence[int], shown: Container[int]) -> _RecordsPart:
    before, measurements = contents.redaction.times, Measurements()
    blocks = []
    for index in indexes:
        record = contents.run.results.record(index)
        measurements.add(record)
        if index in shown:
            details = contents.details(record)
            block = record_block(details, _PLACE)
            blocks.append(_RecordBlock(index, str(block), str(trace_block(details.trace))))
    replaced = contents.redaction.times
    replaced.subtract(before)
    contents.redaction.count(Counter({part: -times for part, times in replaced.items()}))
    return _RecordsPart(blocks, measurements, replaced)


def _record_section(records: _Records, *, everything: bool) -> Iterator[Markup]:
    which = "" if everything else ", those that failed or were decided"
    left = records.left_out
    words = f"{counted(left, 'record')} more left out, to keep the page small."
    more = (tag("p", words, class_="warn"),) if left else ()
    yield from _section(f"{counted(len(records.blocks), 'record')}{which}", *more, *records.blocks.values())


def _size(block: str) -> int:
    return len(block) if block.isascii() else len(block.encode("utf-8"))
