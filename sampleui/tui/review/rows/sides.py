"""The answers to one sample side by side, as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from sampleui.review.record import outcome_of, why_failed
from sampleui.text.visible import one_line
from sampleui.tui.drawing.outcomes import MARKS
from sampleui.tui.drawing.rows import Row, fitted, text_rows
from sampleui.tui.review.sides import Side, Sides

LEAST_WIDTH = 19
"""Cells that a column needs; what does not fit beside is below."""

_BETWEEN = " │ "


def side_rows(sides: Sides | None, width: int) -> list[Row]:
    """Return the answers to a sample in columns, as many beside each other as there is room for."""
    if sides is None or not sides.several:
        return text_rows("Nobody else answered this sample.", "muted", width)
    rows: list[Row] = [
        (("text-bold", one_line(one.target or one.sample, 40)), ("muted", f"  {one}")) for one in sides.attempts
    ]
    answers = sides.read()
    beside = max(1, min(len(answers), (width + len(_BETWEEN)) // (LEAST_WIDTH + len(_BETWEEN))))
    cells = (width - (beside - 1) * len(_BETWEEN)) // beside
    for start in range(0, len(answers), beside):
        columns = [_column(one, sides.fail_under, cells) for one in answers[start : start + beside]]
        rows += [(("text", ""),), *_joined(columns, cells)]
    return rows


def _column(side: Side, fail_under: float | None, width: int) -> list[Row]:
    record = side.record
    style, sign = MARKS[outcome_of(record, fail_under)]
    score = "" if record.score is None else f"  {record.score:.2f}"
    name = fitted(one_line(side.name, 60), max(width - 2 - len(score) - 2 * side.here, 1))
    head: Row = ((style, f"{sign} "), ("text-bold", name), ("muted", score), ("accent-bold", " ‹" * side.here))
    said = record.unanswered or record.actual
    rows = [head, *text_rows(said, "muted" if record.unanswered else "text", width)]
    for why in why_failed(record, fail_under):
        rows += text_rows(why, "error", width)
    return rows


def _joined(columns: Sequence[list[Row]], cells: int) -> Iterator[Row]:
    for parts in zip_longest(*columns, fillvalue=()):
        row: list[tuple[str, str]] = []
        for at, part in enumerate(parts):
            row += [("edge", _BETWEEN)] * bool(at)
            row += [*part, ("text", " " * (cells - sum(cell_len(text) for _, text in part)))]
        yield tuple(row)
