"""Plots as SVG, drawn by plain functions: no library, no script, and colours by the classes of the page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from sampleui.page.markup import Markup, tag
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
from sampleui.text.visible import one_line
from sampleui.text.wording import counted

_WIDTH = 360
_HEIGHT = 120
_LEFT, _RIGHT = 8, 8
_TEXT = 12

_NAME = 56
"""Characters of a name above a rate that fit as they are."""

_MAX_NAME = 200


def svg_of(plot: Plot) -> Markup:
    """Return a plot as SVG."""
    match plot:
        case Distribution():
            return histogram(plot)
        case Rates():
            return intervals(plot.title, plot.estimates)
        case RatesOverTime():
            return series(plot.title, plot.points)
        case Reliability():
            return reliability(plot.title, plot.bins)


def outcome_bar(parts: Sequence[tuple[str, int, str]]) -> Markup:
    """Draw (name, count, class) parts of a whole as a bar."""
    total = sum(count for _, count, _ in parts)
    start = 0.0
    svg_of = []
    for name, count, kind in parts:
        width = 1000 * count / total if total else 0.0
        about = tag("title", f"{name}: {count:,}")
        svg_of.append(tag("rect", about, x=start, y=0, width=width, height=20, class_=kind))
        start += width
    words = ", ".join(f"{count:,} {name}" for name, count, _ in parts)
    return _svg(words, 1000, 20, svg_of, preserveAspectRatio="none", class_="bar")


def histogram(spread: Distribution) -> Markup:
    """Draw how values are spread, with the least, the median and the greatest below."""
    say = partial(value_words, spread.unit)
    if spread.is_plain:
        without = f"; {spread.missing:,} without" if spread.missing else ""
        ends = f"{say(spread.low)} to {say(spread.high)}" if spread.high > spread.low else say(spread.low)
        return _figure(spread.name, tag("p", f"{ends} in {counted(spread.n, 'record')}{without}"))
    most = max(item.size for item in spread.bins)
    room, base = _WIDTH - _LEFT - _RIGHT, _HEIGHT - 2 * _TEXT
    width = room / len(spread.bins)
    bars = []
    for index, item in enumerate(spread.bins):
        height = (base - _TEXT - 4) * item.size / most
        about = tag("title", f"{say(item.low)} to {say(item.high)}: {item.size:,}")
        start, top = round(_LEFT + index * width, 1), round(base - height, 1)
        size = round(max(width - 1, 1), 1)
        bars.append(tag("rect", about, x=start, y=top, width=size, height=round(height, 1), class_="plot"))
    marks = [
        _text(_LEFT, base + _TEXT, say(spread.bins[0].low)),
        _text(_WIDTH - _RIGHT, base + _TEXT, say(spread.bins[-1].high), "end"),
    ]
    words = f"median {say(spread.middle)}" + (f", {spread.missing:,} without" if spread.missing else "")
    words += ", bins of equal ratio" if spread.ratio else ""
    parts = [
        *bars,
        tag("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=base, y2=base, class_="axis"),
        *marks,
        _text(_WIDTH / 2, base + 2 * _TEXT - 2, words, "middle"),
        _text(_LEFT, _TEXT - 2, f"up to {most:,}"),
    ]
    values = f"{say(spread.low)} to {say(spread.high)}, median {say(spread.middle)}"
    label = f"{spread.name} of {counted(spread.n, 'record')}: {values}"
    return _figure(spread.name, _svg(label, _WIDTH, _HEIGHT, parts))


def intervals(title: str, estimates: Sequence[Estimated]) -> Markup:
    """Draw rates from 0 to 100% with their intervals, each below its name, which is squeezed where it is long."""
    step, top, start = 34, 4, _LEFT
    height = top + step * len(estimates) + _TEXT + 4
    room = _WIDTH - start - _RIGHT - 40

    def place(rate: float) -> float:
        return start + room * min(max(rate, 0.0), 1.0)

    parts = [
        tag("line", x1=place(rate), x2=place(rate), y1=top, y2=height - _TEXT - 4, class_="grid")
        for rate in (0, 0.25, 0.5, 0.75, 1)
    ]
    parts += [_text(place(rate), height - 2, percent(rate), "middle") for rate in (0, 0.5, 1)]
    for index, item in enumerate(estimates):
        first, middle = top + step * index + _TEXT, top + step * index + _TEXT + 10
        name = one_line(item.name, _MAX_NAME)
        squeezed = {"textLength": f"{_WIDTH - 2 * _LEFT}", "lengthAdjust": "spacingAndGlyphs"}
        parts.append(tag("text", name, x=start, y=first, **(squeezed if len(name) > _NAME else {})))
        if item.interval is not None:
            low, high = place(item.interval.low), place(item.interval.high)
            parts.append(tag("line", x1=low, x2=high, y1=middle, y2=middle, class_="whisker"))
        if item.rate is not None:
            parts.append(tag("circle", cx=place(item.rate), cy=middle, r=4, class_="dot"))
        parts.append(_text(_WIDTH - 2, middle + 4, percent(item.rate) if item.rate is not None else "?", "end"))
    words = "; ".join(f"{item.name} {estimate_text(item.share)}" for item in estimates)
    return _figure(title, _svg(f"{title}: {words}", _WIDTH, height, parts))


def series(title: str, points: Sequence[Estimated]) -> Markup:
    """Draw rates one after the other as a line, with their intervals."""
    base, top, start = _HEIGHT - 2 * _TEXT, 6, 36
    room = _WIDTH - start - _RIGHT - 6
    step = room / max(len(points) - 1, 1)

    def height(rate: float) -> float:
        return base - (base - top) * min(max(rate, 0.0), 1.0)

    parts = [
        part
        for rate in (0, 0.5, 1)
        for part in (
            tag("line", x1=start, x2=_WIDTH - _RIGHT, y1=height(rate), y2=height(rate), class_="grid"),
            _text(start - 4, height(rate) + 4, percent(rate), "end"),
        )
    ]
    line: list[str] = []
    dots = []
    for index, point in enumerate(points):
        across = start + 3 + step * index
        if point.interval is not None:
            low, high = height(point.interval.low), height(point.interval.high)
            dots.append(tag("line", x1=across, x2=across, y1=low, y2=high, class_="whisker"))
        if point.rate is not None:
            line.append(f"{'L' if line else 'M'}{across:.1f} {height(point.rate):.1f}")
            about = tag("title", f"{point.name}: {estimate_text(point.share)}")
            down = round(height(point.rate), 1)
            dots.append(tag("circle", about, cx=round(across, 1), cy=down, r=4, class_="dot"))
    parts += [tag("path", d=" ".join(line), class_="line"), *dots]
    if points:
        parts += [
            _text(start, base + 2 * _TEXT - 6, one_line(points[0].name, 22)),
            _text(
                _WIDTH - _RIGHT,
                base + 2 * _TEXT - 6,
                one_line(points[-1].name, 22) if len(points) > 1 else "",
                "end",
            ),
        ]
    words = "; ".join(f"{point.name} {estimate_text(point.share)}" for point in points)
    return _figure(title, _svg(f"{title}: {words}", _WIDTH, _HEIGHT, parts))


def reliability(title: str, bins: Sequence[ScoreBin]) -> Markup:
    """Draw the share of right answers over the score that was given, with how many are reviewed."""
    start, top, base = 36, 8, 176
    room = _WIDTH - start - _RIGHT - 4

    def across(score: float) -> float:
        return round(start + room * min(max(score, 0.0), 1.0), 1)

    def down(rate: float) -> float:
        return round(base - (base - top) * min(max(rate, 0.0), 1.0), 1)

    parts = [
        part
        for share in (0, 0.5, 1)
        for part in (
            tag("line", x1=start, x2=across(1), y1=down(share), y2=down(share), class_="grid"),
            _text(start - 4, down(share) + 4, percent(share), "end"),
            _text(across(share), base + _TEXT + 2, f"{share:g}", "middle"),
        )
    ]
    parts.append(tag("line", x1=across(0), y1=down(0), x2=across(1), y2=down(1), class_="axis"))
    for item in bins:
        middle = across((item.low + item.high) / 2)
        value, interval = item.right
        about = tag("title", _bin_words(item))
        if interval is not None:
            low, high = down(interval.low), down(interval.high)
            parts.append(tag("line", x1=middle, x2=middle, y1=low, y2=high, class_="whisker"))
        if value is not None:
            parts.append(tag("circle", about, cx=middle, cy=down(value), r=4, class_="dot"))
        parts.append(_text(middle, base + 2 * _TEXT + 4, f"{item.reviewed:,}", "middle"))
    parts.append(_text(start, base + 3 * _TEXT + 6, "score; below it how many are reviewed"))
    words = "; ".join(map(_bin_words, bins))
    return _figure(title, _svg(f"{title}: {words}", _WIDTH, base + 4 * _TEXT, parts))


def _bin_words(item: ScoreBin) -> str:
    reviewed = f"{item.reviewed:,} of {counted(item.records, 'record')} reviewed"
    return f"{score_bin_words(item)}: {estimate_text(item.right)} right, {reviewed}"


def _figure(title: str, drawing: Markup) -> Markup:
    return tag("figure", tag("figcaption", title), drawing)


def _svg(label: str, width: float, height: float, parts: Sequence[str], **attributes: str) -> Markup:
    return tag(
        "svg",
        *parts,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=one_line(label, 500),
        **attributes,
    )


def _text(across: float, down: float, text: str, anchor: str | None = None) -> Markup:
    return tag("text", text, x=round(across, 1), y=round(down, 1), text_anchor=anchor)
