"""Notes drawn where they were made: below the words of an answer or a turn that they quote."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from sampleui.review.verdict import Decision, LogAction, NotePlace
from sampleui.text.squeezed import found_again
from sampleui.text.visible import one_line
from sampleui.tui.drawing.matches import GONE, with_style
from sampleui.tui.drawing.rows import Row, text_rows

SIGN = "✎"
"""What a note begins with where it is drawn."""


class PlacedNote(NamedTuple):
    """What is drawn of a note, and where."""

    place: NotePlace
    text: str


def placed_notes(said: Sequence[Decision]) -> tuple[PlacedNote, ...]:
    """Return what was said of a record at a place in it: who says what, and under which codes it is."""
    codes: dict[str, list[str]] = {}
    for label in said:
        if label.note is not None and label.code is not None:
            codes.setdefault(label.note, []).append(one_line(label.code, 60))
    return tuple(
        PlacedNote(item.place, _words(item, codes.get(item.id, ())))
        for item in said
        if item.place is not None and item.note is None
    )


def _words(item: Decision, codes: Sequence[str]) -> str:
    sign = "?" if item.kind is LogAction.PROPOSE else SIGN
    label = f"{item.label} for {one_line(item.code or '', 60)}" if item.label is not None else ""
    text = ": ".join(filter(None, (label, item.comment)))
    return f"{sign} {one_line(item.reviewer, 40)}: {text}" + (f" # {', '.join(codes)}" if codes else "")


def by_event(notes: Iterable[PlacedNote]) -> Mapping[int, Sequence[str]]:
    """Return what was noted of events of a trace, by their indexes from 0."""
    noted: dict[int, list[str]] = {}
    for place, text in notes:
        if place.part == "event" and place.number is not None:
            noted.setdefault(place.number, []).append(text)
    return noted


def with_notes(rows: Sequence[Row], notes: Iterable[PlacedNote], texts: Sequence[str], width: int) -> list[Row]:
    """Return rows with the words marked that notes quote, and each note below the row in which they end.

    A note whose words no row shows, as where they are folded, is left out.

    Args:
        rows: what is shown of a record.
        notes: what was said of it; what has no quote is no part of it.
        texts: what may be quoted of the record, as `texts_said` returns it.
        width: the cells of a row.
    """
    quoting = [note for note in notes if note.place.quote and note.place.part != "event"]
    if not quoting:
        return [*rows]
    lines = ["".join(text if style not in GONE else " " * len(text) for style, text in row) for row in rows]
    whole, starts = "\n".join(lines), [0, *accumulate(len(line) + 1 for line in lines)]
    marks, below = dict[int, list[tuple[int, int]]](), dict[int, list[str]]()
    for note in quoting:
        span = _drawn_at(note.place, whole, texts)
        if span is None:
            continue
        first, last = (bisect_right(starts, place) - 1 for place in (span[0], span[1] - 1))
        for index in range(first, last + 1):
            part = max(span[0] - starts[index], 0), min(span[1] - starts[index], len(lines[index]))
            marks.setdefault(index, []).append(part)
        below.setdefault(last, []).append(note.text)
    drawn: list[Row] = []
    for index, row in enumerate(rows):
        drawn.append(with_style(row, marks.get(index, ()), "accent-bold"))
        for text in below.get(index, ()):
            drawn += text_rows(text, "accent", width, "  ")
    return drawn


def _drawn_at(place: NotePlace, whole: str, texts: Sequence[str]) -> tuple[int, int] | None:
    """Return where the words of a place are in what is drawn, turns before the answer; None where they are not."""
    spans = [*found_again(place.quote, whole)]
    if not spans:
        return None
    own = 0 if place.part == "answer" else (place.number or 0) + 1
    if own >= len(texts):
        return spans[-1] if own == 0 else spans[0]
    here = [*found_again(place.quote, texts[own])]
    number = next((index for index, span in enumerate(here) if span[0] >= (place.start or 0)), 0)
    if own == 0:
        return spans[max(len(spans) - len(here) + number, 0)]
    before = sum(1 for text in texts[1:own] for _ in found_again(place.quote, text))
    return spans[min(before + number, len(spans) - 1)]
