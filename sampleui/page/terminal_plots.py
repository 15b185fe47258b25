"""Plots as lines of text for a terminal, in braille dots. Texts of a run stand beside drawings, never in them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap

from plotille import Canvas
from rich.cells import cell_len, set_cell_size

from sampleui.review.reports.figures import ScoreBin
from sampleui.review.reports.plot_values import (
    Distribution,
    Estimated,
    Plot,
    Rates,
    RatesOverTime,
    Reliability,
    value_words,
)
from sampleui.review.reports.words import estimate_text, percent, score_bin_words
from sampleui.statistics import Interval
from sampleui.text.visible import one_line
from sampleui.text.wording import apart, counted

_HEIGHT = 6
_WIDEST = 80
_INDENT = "  "
_NAME = 24
_SHARES = 24
"""Cells of a rate with its interval: `not known`, `100% (100 to 100%)`."""

_DOTS_ACROSS, _DOTS_UP = 2, 4
"""Dots of a braille character."""


class _Drawing:
    """A field of dots; places are counted in dots, from the lower left."""

    def __init__(self, width: int, height: int) -> None:
        self.across, self.up = width * _DOTS_ACROSS, height * _DOTS_UP
        self._canvas = Canvas(width, height, 0, 0, self.across, self.up)

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Draw a line between two dots."""
        self._canvas.line(*start, *end)

    def rows(self) -> list[str]:
        """Return the lines, the uppermost first."""
        return str(self._canvas.plot()).split("\n")


def plot_sections(plots: Sequence[Plot], width: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return plots as titles and lines of at most `width` cells; 0 for as wide as they are at most."""
    room = min(width or _WIDEST, _WIDEST)
    return [_section(plot, room) for plot in plots]


def _section(plot: Plot, width: int) -> tuple[str, tuple[str, ...]]:
    match plot:
        case Distribution():
            return f"{plot.name} of {counted(plot.n, 'record')}", _histogram(plot, width)
        case Rates():
            return plot.title, _rates(plot.estimates, width)
        case RatesOverTime():
            return plot.title, (*over_time(plot.points, width), *_rates(plot.points, width))
        case Reliability():
            return plot.title, _by_score(plot.bins, width)


def _histogram(spread: Distribution, width: int) -> tuple[str, ...]:
    low, middle, high = (value_words(spread.unit, value) for value in (spread.low, spread.middle, spread.high))
    without = f", {spread.missing:,} without" if spread.missing else ""
    if spread.is_plain:
        return (f"{_INDENT}{low} to {high}{without}" if low != high else f"{_INDENT}{low}{without}",)
    most = max(item.size for item in spread.bins)
    label = len(f"{most:,}")
    cells = max((width - label - 4) // len(spread.bins), 1)
    drawing = _Drawing(cells * len(spread.bins), _HEIGHT)
    for index, item in enumerate(spread.bins):
        height = max(round(drawing.up * item.size / most), 1) if item.size else 0
        left = index * cells * _DOTS_ACROSS
        for column in range(left, left + cells * _DOTS_ACROSS - 1) if height else ():
            drawing.line((column, 0), (column, height - 1))
    labels = [f"{most:,}", *[""] * (_HEIGHT - 2), "0"]
    rows = _with_axis(labels, label, drawing)
    start = value_words(spread.unit, spread.bins[0].low)
    end = value_words(spread.unit, spread.bins[-1].high)
    across = cells * len(spread.bins)
    blank = " " * (len(_INDENT) + label + 2)
    ratio = ", bins of equal ratio" if spread.ratio else ""
    caption = f"{_INDENT}{low} to {high}, median {middle}{without}{ratio}"
    return (*rows, f"{blank}{start}{end:>{max(across - len(start), len(end) + 1)}}", *_within(caption, width))


def _rates(
    estimates: Sequence[Estimated], width: int, due: Sequence[Interval | None] = (), least: int = 0
) -> tuple[str, ...]:
    """Return rates as lines; `due` are the stretches in which they should be, `least` the cells of their names."""
    names = apart((one_line(item.name) for item in estimates), max(min(_NAME, width // 3), least))
    wide = max(map(cell_len, names.values()), default=0)
    room = width - len(_INDENT) - wide - _SHARES - 3
    lines = []
    for item, stretch in zip_longest(estimates, due):
        row = f"{_strip(item, room, stretch)} " if room >= 10 else ""
        share = percent(item.rate) if item.interval is None else estimate_text(item.share)
        lines.append(f"{_INDENT}{set_cell_size(names[one_line(item.name)], wide)} {row}{share}")
    if room < 10:
        return tuple(lines)
    scale = f"0%{'50%':^{room - 6}}100%"
    return (*lines, " " * (len(_INDENT) + wide + 1) + scale)


def _by_score(bins: Sequence[ScoreBin], width: int) -> tuple[str, ...]:
    """Return the share of right answers in each bin of scores, with how many are reviewed of how many."""
    wide = [max(len(f"{count:,}") for count in counts) for counts in zip(*map(_counts, bins), strict=True)]
    rows = []
    for item in bins:
        reviewed, records = (f"{count:>{cells},}" for count, cells in zip(_counts(item), wide, strict=True))
        rows.append(Estimated(f"{score_bin_words(item):<10} {reviewed} of {records}", *item.right))
    longest = max(cell_len(row.name) for row in rows)
    due = [Interval(item.low, item.high) for item in bins]
    caption = wrap(
        "score, reviewed of records, share of right answers; the line above is where it is as the score says",
        width - len(_INDENT),
    )
    return (*_rates(rows, width, due, longest), *(f"{_INDENT}{line}" for line in caption))


def _counts(item: ScoreBin) -> tuple[int, int]:
    return item.reviewed, item.records


def _strip(item: Estimated, room: int, due: Interval | None = None) -> str:
    """Return a rate from 0 to 100% with its interval as one line of dots, above it where it should be."""
    drawing = _Drawing(room, 1)
    last = drawing.across - 1
    if due is not None:
        drawing.line((round(last * due.low), drawing.up - 1), (round(last * due.high), drawing.up - 1))
    if item.interval is not None:
        low, high = (round(last * min(max(end, 0.0), 1.0)) for end in item.interval)
        drawing.line((low, 1), (high, 1))
    if item.rate is not None:
        cell = round(last * item.rate)
        for column in (max(cell - 1, 0), cell):
            drawing.line((column, 0), (column, drawing.up - 1))
    return drawing.rows()[0]


def over_time(points: Sequence[Estimated], width: int) -> tuple[str, ...]:
    """Return rates one after the other as lines of a drawing, below it the names of the first and the last."""
    room = min(width, _WIDEST) - len(_INDENT) - 6
    drawing = _Drawing(room, _HEIGHT)
    step = (drawing.across - 1) / max(len(points) - 1, 1)
    before: tuple[int, int] | None = None
    for index, point in enumerate(points):
        column = round(step * index)
        if point.interval is not None:
            low, high = (_height(end, drawing.up) for end in point.interval)
            drawing.line((column, low), (column, high))
        if point.rate is None:
            before = None
            continue
        here = column, _height(point.rate, drawing.up)
        drawing.line(before or here, here)
        before = here
    labels = ["100%", *[""] * (_HEIGHT - 2), "0%"]
    rows = _with_axis(labels, 4, drawing)
    names = apart((one_line(point.name) for point in points), (room - 2) // 2)
    ends = [names[one_line(point.name)] for point in (points[0], points[-1])]
    gap = " " * (room - sum(map(cell_len, ends)))
    below = f"{_INDENT}{' ' * 6}{ends[0]}{gap}{ends[1]}" if len(points) > 1 else f"{_INDENT}{' ' * 6}{ends[0]}"
    return (*rows, below)


def _with_axis(labels: Sequence[str], width: int, drawing: _Drawing) -> list[str]:
    """Return the rows of a drawing beside an axis with labels."""
    rows = zip(labels, drawing.rows(), strict=True)
    return [f"{_INDENT}{label:>{width}} {'┤' if label else '│'}{row}" for label, row in rows]


def _height(rate: float, up: int) -> int:
    return round((up - 1) * min(max(rate, 0.0), 1.0))


def _within(line: str, width: int) -> tuple[str, ...]:
    """Return a line, or two that are broken at a comma where it is too long."""
    if cell_len(line) <= width or ", " not in line:
        return (line,)
    head, _, tail = line.rpartition(", ")
    return (*_within(head, width), f"{_INDENT}{tail}")
