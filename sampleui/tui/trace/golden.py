"""The calls of a run beside a golden trajectory, as a diff of two columns; and golden trajectories alone. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from sampleui.formats.data import Table, shown
from sampleui.text.visible import one_line
from sampleui.trace.argument_comparison import ArgumentDiff
from sampleui.trace.events import ABSENT, Maybe
from sampleui.trace.golden import Alignment, Pair, PairKind, golden_trajectories
from sampleui.trace.preview import preview
from sampleui.trace.timeline import Row as Event
from sampleui.trace.timeline import timeline
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.trace.rows import Columns, event_row

_MARKS: Mapping[PairKind, tuple[str, str]] = {
    PairKind.SAME: ("=", "muted"),
    PairKind.CHANGED: ("~", "warning"),
    PairKind.MISSING: ("-", "removed"),
    PairKind.EXTRA: ("+", "added"),
}
_BAR = ("edge", " │ ")


def golden_rows(alignment: Alignment, place: int, count: int, width: int) -> list[Row]:
    """Return an alignment as rows: the golden calls at the left, those of the run at the right."""
    half = max((width - 2 - len(_BAR[1])) // 2, 8)
    counts = ", ".join(f"{of_kind} {kind}" for kind in PairKind if (of_kind := alignment.count(kind)))
    which, more = f"golden {alignment.golden_index + 1} of {count}", ""
    if count > 1:
        which, more = (
            which + (", the closest" if place == 0 else ""),
            f" · {key_named('trace.golden', 'g')} shows the next",
        )
    words = f"{which} · distance {alignment.distance:g} · {counts or 'no calls'}{more}"
    rows = [*text_rows(words, "muted", width), (("text", ""),)]
    rows.append((("text", "  "), ("muted-bold", "golden".ljust(half)), _BAR, ("muted-bold", "this run")))
    for pair in alignment.rows:
        rows += _pair_rows(pair, half)
    return rows


def trajectories(data: Table, width: int) -> list[Row]:
    """Return the golden trajectories of a sample, each as a timeline."""
    rows: list[Row] = []
    goldens = golden_trajectories(data)
    for number, events in enumerate(goldens, 1):
        listed = timeline(events)
        columns = Columns.of(listed, width)
        if number > 1:
            rows.append((("text", ""),))
        rows.append((("accent-bold", f"trajectory {number} of {len(goldens)}"),))
        rows += [event_row(event, columns, width) for event in listed]
    return rows


def _pair_rows(pair: Pair, half: int) -> list[Row]:
    mark, style = _MARKS[pair.kind]
    left = _call(pair.golden, half) if pair.golden is not None else [("faint", "not in the golden")]
    right = _call(pair.actual, half) if pair.actual is not None else [("removed", "not called")]
    rows = [
        ((style, (mark if not index else " ") + " "), *_padded(item, half), _BAR, *([other] if other else []))
        for index, (item, other) in enumerate(zip_longest(left, right))
    ]
    return [*rows, *(row for difference in pair.differences for row in _difference(difference, half))]


def _call(row: Event, width: int) -> list[tuple[str, str]]:
    given = preview(row.event.input, 400)
    words = f"{one_line(row.event.name or 'a call without a name', 60)}({given})"
    return [piece for line in text_rows(words, "text", width) for piece in line]


def _difference(argument_diff: ArgumentDiff, half: int) -> Sequence[Row]:
    where = shown(argument_diff.path) if argument_diff.path else "arguments"
    left = _side(where, argument_diff.expected, half, "removed")
    right = _side(where, argument_diff.actual, half, "added")
    return [
        (("text", "  "), *_padded(wanted, half), _BAR, *([got] if got else []))
        for wanted, got in zip_longest(left, right)
    ]


def _side(where: str, value: Maybe, half: int, style: str) -> list[tuple[str, str]]:
    if value is ABSENT:
        return [("faint", f"  {one_line(where, half - 10)}: none")]
    words = f'"{preview(value, 400)}"' if isinstance(value, str) else preview(value, 400) or "{}"
    return [piece for line in text_rows(f"{where}: {words}", style, half, "  ") for piece in line]


def _padded(piece: tuple[str, str] | None, width: int) -> list[tuple[str, str]]:
    if piece is None:
        return [("text", " " * width)]
    style, text = piece
    return [(style, text + " " * max(width - cell_len(text), 0))]
