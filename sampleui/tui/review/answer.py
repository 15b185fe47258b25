"""What was expected against what was answered, as rows, pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from sampleui.review.diffwords import Op, Segment, diff_words
from sampleui.review.record import why_failed
from sampleui.tui.review.archived import archive_rows
from sampleui.tui.review.asked import asked_rows
from sampleui.tui.review.kinds import folded, is_of_lines, laid_out, line_rows, structure_of
from sampleui.tui.review.shown import Shown
from sampleui.tui.review.sides import side_rows
from sampleui.tui.review.words import word_rows
from sampleui.tui.rows import Row, text_rows

ALIKE = 0.3
"""The part of the longer text that both must share for their differences to be worth reading word by word."""


def diff_view(shown: Shown, width: int) -> list[Row]:
    """Return the words that differ between the expected and the actual answer, or both texts."""
    record = shown.record
    if record is None and shown.sample is None:
        return _nothing_ran(shown, width)
    if record is None:
        return [
            *_nothing_ran(shown, width),
            *_block("Expected", shown.expected or "", width, "Nothing is expected."),
        ]
    rows = _why(shown, width)
    if shown.expected is None or not record.actual:
        none = "The sample does not say what is expected."
        return [*rows, *_block("Expected", shown.expected or "", width, none), *_answered(shown, width)]
    return [*rows, *_compared("Expected", shown.expected, record.actual, width)]


def expected_view(shown: Shown, width: int) -> list[Row]:
    """Return the expected answer, whole."""
    if shown.record is None and shown.sample is None:
        return _nothing_ran(shown, width)
    return _block("Expected", shown.expected or "", width, "The sample does not say what is expected.")


def actual_view(shown: Shown, width: int) -> list[Row]:
    """Return the actual answer, whole."""
    return _answered(shown, width) if shown.record is not None else _nothing_ran(shown, width)


def baseline_view(shown: Shown, width: int) -> list[Row]:
    """Return the words that differ between the baseline's answer and this run's."""
    if shown.old is None:
        return [(("muted", "The baseline has no such record."),)]
    if shown.record is None:
        return _block("Baseline", shown.old.actual, width, "The baseline has no answer.")
    return _compared("Baseline", shown.old.actual, shown.record.actual, width)


def asked_view(shown: Shown, width: int) -> list[Row]:
    """Return what was sent against what the deck renders today."""
    return asked_rows(shown.asked, width)


def archive_view(shown: Shown, width: int) -> list[Row]:
    """Return the sample as it was run."""
    return archive_rows(shown.as_run, width)


def sides_view(shown: Shown, width: int) -> list[Row]:
    """Return the answers of all targets and tries side by side."""
    return side_rows(shown.sides, width)


VIEWS: Mapping[str, Callable[[Shown, int], list[Row]]] = {
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


def likeness(segments: Iterable[Segment]) -> float:
    """Return how much of the longer text both share, 0 to 1, blanks not counted."""
    sizes = dict.fromkeys(Op, 0)
    for segment in segments:
        sizes[segment.op] += sum(len(word) for word in segment.text.split())
    longer = sizes[Op.EQUAL] + max(sizes[Op.DELETE], sizes[Op.INSERT])
    return sizes[Op.EQUAL] / longer if longer else 1.0


def _compared(label: str, expected: str, actual: str, width: int) -> list[Row]:
    if expected == actual:
        return [(("added", f"✓ exactly as {label.lower()}"),), *_block("Actual", actual, width, "")]
    one, other = structure_of(expected), structure_of(actual)
    if one is not None and other is not None:
        return _structured(label, laid_out(one), laid_out(other), width)
    if is_of_lines(expected, actual):
        return [*_legend(label), *folded(line_rows(expected, actual, width))]
    segments = diff_words(expected, actual)
    if likeness(segments) < ALIKE:
        return [*_block(label, expected, width, "empty"), *_block("Actual", actual, width, "empty")]
    legend: Row = (("removed", f"[-{label.lower()}-]"), ("muted", "  "), ("added", "{+actual+}"))
    return [legend, (("text", ""),), *folded(word_rows(segments, width))]


def _structured(label: str, one: str, other: str, width: int) -> list[Row]:
    """Compare JSON: the order of keys, the spacing and a code fence around it are no difference."""
    if one == other:
        return [(("added", f"✓ the same JSON as {label.lower()}"),), *_block("Actual", other, width, "")]
    return [*_legend(label), *folded(line_rows(one, other, width))]


def _legend(label: str) -> list[Row]:
    return [(("removed", f"- {label.lower()}"), ("muted", "  "), ("added", "+ actual")), (("text", ""),)]


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
    else:
        said = "This run has no record of the sample." if shown.sample is not None else "No record is shown."
    return [*text_rows(said, "muted", width), (("text", ""),)]


def _answered(shown: Shown, width: int) -> list[Row]:
    record = shown.record
    if record is None:
        return []
    none = f"No answer: {record.error}" if record.error else "No answer."
    return _block("Actual", record.actual, width, none)


def _block(label: str, text: str, width: int, nothing: str) -> list[Row]:
    rows = text_rows(text, "text", width, "  ") if text else text_rows(nothing, "muted", width, "  ")
    return [(("muted-bold", label),), *rows, (("text", ""),)]
