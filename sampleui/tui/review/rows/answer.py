"""What was expected against what was answered, as rows, pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sampleui.review.record import Record, why_failed
from sampleui.review.samples.diffwords import diff_words, likeness
from sampleui.text.visible import one_line
from sampleui.tui.drawing.room import Room, columns, line_legend, word_legend
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.review.rows.archived import archive_rows
from sampleui.tui.review.rows.kinds import folded, is_of_lines, laid_out, structure_of
from sampleui.tui.review.rows.lines import ALIKE, line_rows
from sampleui.tui.review.rows.requests import asked_rows
from sampleui.tui.review.rows.sides import side_rows
from sampleui.tui.review.rows.words import word_rows
from sampleui.tui.review.shown import Shown


def diff_view(shown: Shown, room: Room) -> list[Row]:
    """Return the words that differ between the expected and the actual answer, or both texts."""
    record = shown.record
    if record is None and shown.sample is None:
        return _nothing_ran(shown, room.width)
    if record is None:
        return [*_nothing_ran(shown, room.width), *_expected(shown, room.width, "Nothing is expected.")]
    rows = _why(shown, room.width)
    if shown.expected is None or record.unanswered:
        return [*rows, *_expected(shown, room.width), *_answered(record, room.width)]
    if shown.any_of:
        same = [(("added", "✓ exactly one of those expected"),)] if record.actual in shown.any_of else []
        return [*rows, *same, *_expected(shown, room.width), *_answered(record, room.width)]
    return [*rows, *compared("Expected", shown.expected, record.actual, room)]


def expected_view(shown: Shown, room: Room) -> list[Row]:
    """Return the expected answer, whole."""
    if shown.record is None and shown.sample is None:
        return _nothing_ran(shown, room.width)
    return _expected(shown, room.width)


def actual_view(shown: Shown, room: Room) -> list[Row]:
    """Return the actual answer, whole."""
    return _answered(shown.record, room.width) if shown.record is not None else _nothing_ran(shown, room.width)


def baseline_view(shown: Shown, room: Room) -> list[Row]:
    """Return the words that differ between the baseline's answer and this run's."""
    if shown.old is None:
        return [(("muted", "The baseline has no such record."),)]
    if shown.record is None:
        return _answered(shown.old, room.width, "Baseline")
    if shown.old.unanswered or shown.record.unanswered:
        return [*_answered(shown.old, room.width, "Baseline"), *_answered(shown.record, room.width)]
    return compared("Baseline", shown.old.actual, shown.record.actual, room)


def asked_view(shown: Shown, room: Room) -> list[Row]:
    """Return what was sent against what the deck renders today."""
    return asked_rows(shown.asked, room)


def archive_view(shown: Shown, room: Room) -> list[Row]:
    """Return the sample as it was run."""
    return archive_rows(shown.as_run, room)


def sides_view(shown: Shown, room: Room) -> list[Row]:
    """Return the answers of all targets and attempts side by side."""
    return side_rows(shown.sides, room.width)


VIEWS: Mapping[str, Callable[[Shown, Room], list[Row]]] = {
    "Diff": diff_view,
    "Expected": expected_view,
    "Actual": actual_view,
    "Targets": sides_view,
    "Asked": asked_view,
    "As run": archive_view,
    "Baseline": baseline_view,
}


def views_of(shown: Shown, baseline: bool) -> tuple[str, ...]:
    """Return the names of the views that have something to show."""
    having = {
        "Asked": bool(shown.asked.sent and shown.asked.today),
        "Targets": bool(shown.sides and shown.sides.several),
        "As run": shown.as_run is not None,
        "Baseline": baseline,
    }
    return tuple(name for name in VIEWS if having.get(name, True))


def compared(label: str, expected: str, actual: str, room: Room) -> list[Row]:
    """Return what differs between two texts, by what they are: JSON, code or long texts, prose."""
    if expected == actual:
        return [(("added", f"✓ exactly as {label.lower()}"),), *_block("Actual", actual, room.width, "")]
    expected, actual = expected.rstrip("\n"), actual.rstrip("\n")
    if expected == actual:
        same = f"✓ as {label.lower()}, but for line breaks at the end"
        return [(("added", same),), *_block("Actual", actual, room.width, "")]
    one, other = structure_of(expected), structure_of(actual)
    if one is not None and other is not None:
        return _by_lines(label, laid_out(one), laid_out(other), room)
    if is_of_lines(expected, actual):
        return _by_lines(label, expected, actual, room)
    segments = diff_words(expected, actual)
    if likeness(segments) >= ALIKE:
        return [*word_legend(label.lower(), "actual", room), *folded(word_rows(segments, room), room.sought)]
    width = room.column if room.beside else room.width
    one_block = _block(label, expected, width, "empty", "gone-line")
    other_block = _block("Actual", actual, width, "empty", "come-line")
    return [*columns(one_block, other_block, room)] if room.beside else [*one_block, *other_block]


def _by_lines(label: str, one: str, other: str, room: Room) -> list[Row]:
    """Compare line by line. Of JSON, the order of keys, spacing and a code fence around it make no difference."""
    if one == other:
        same = f"✓ the same JSON as {label.lower()}"
        return [(("added", same),), *_block("Actual", other, room.width, "")]
    return [*line_legend(label.lower(), "actual", room), *folded(line_rows(one, other, room), room.sought)]


def _why(shown: Shown, width: int) -> list[Row]:
    if shown.record is None:
        return []
    reasons = why_failed(shown.record, shown.fail_under)
    rows = [row for reason in reasons for row in text_rows(f"✖ {reason}", "error-bold", width)]
    if shown.changed:
        rows.append((("warning-bold", "~ sample changed since this run"),))
    return [*rows, (("text", ""),)] if rows else []


def _nothing_ran(shown: Shown, width: int) -> list[Row]:
    if shown.problem:
        return [*text_rows(f"✖ {shown.problem}", "error-bold", width), (("text", ""),)]
    if shown.old is not None:
        said = "Only the baseline has this record."
    elif shown.sample is not None:
        said = "This run has no record of the sample."
    else:
        said = shown.comparison or "No record is shown."
    return [*text_rows(said, "muted", width), (("text", ""),)]


def _expected(shown: Shown, width: int, nothing: str = "The sample does not say what is expected.") -> list[Row]:
    """Return what is expected; where that is no answer, what one is judged by under its own name."""
    if shown.criteria is None:
        return _block("Expected", shown.expected or "", width, nothing)
    label = f"{one_line(shown.criteria.name, 40).capitalize()}: no answer to compare with"
    return _block(label, shown.criteria.text, width, nothing)


def _answered(record: Record, width: int, label: str = "Actual") -> list[Row]:
    """Return an answer; where there is none, why, and what its file has in the place of one."""
    if not record.unanswered:
        note = [*text_rows("▲ it may be the answer of another record", "warning", width)] * record.doubtful
        return [*note, *_block(label, record.actual, width, "")]
    why = _block(label, "", width, f"{record.unanswered[0].upper()}{record.unanswered[1:]}.")
    return [*why, *_block("In its place", record.actual, width, "")] if record.actual else why


def _block(label: str, text: str, width: int, nothing: str, style: str = "muted-bold") -> list[Row]:
    rows = text_rows(text, "text", width, "  ") if text else text_rows(nothing, "muted", width, "  ")
    return [((style, label),), *rows, (("text", ""),)]
