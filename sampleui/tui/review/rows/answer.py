"""The answer of a record as rows, in each of its views."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sampleui.review.record import Record, ungraded, why_failed
from sampleui.text.visible import one_line
from sampleui.tui.drawing.rows import Room, Row, named_text, text_rows
from sampleui.tui.review.shown import Shown


def diff_view(shown: Shown, room: Room) -> list[Row]:
    """Return the words that differ between the expected and the actual answer, or both texts."""
    record = shown.record
    if shown.alone and record is not None:
        return [*_why(record, shown, room.width), *_answered(record, room)]
    from sampleui.tui.review.rows.compared import compared, shortened
    from sampleui.tui.review.rows.read import talk_rows

    if record is None and shown.sample is None:
        return _nothing_ran(shown, room.width)
    if record is None:
        return [*_nothing_ran(shown, room.width), *_expected(shown, room.width, "Nothing is expected.")]
    why, answered = _why(record, shown, room.width), _answered(record, room)
    if shown.expected is not None and not record.unanswered and not shown.any_of:
        answered = compared("Expected", shown.expected, record.actual, room)
    else:
        among = _among(shown.any_of, record.actual, room.width) if not record.unanswered else []
        answered = [*among, *shortened(_expected(shown, room.width), len(answered), room), *answered]
    return [*talk_rows(shown, room, len(why) + len(answered)), *why, *answered]


def record_view(shown: Shown, room: Room) -> list[Row]:
    """Return the record as it is read, by its view."""
    from sampleui.tui.review.rows.read import read_rows, talk_rows

    record = shown.record
    if record is None:
        return _nothing_ran(shown, room.width)
    why = _why(record, shown, room.width)
    if not record.unanswered:
        return [*why, *read_rows(record, shown, room._replace(height=room.height - len(why)))]
    answered = _answered(record, room, "Answer")
    talk = talk_rows(shown, room, len(why) + len(answered))
    return [*talk, *why, *answered, *read_rows(record, shown, room._replace(alone=False))]


def expected_view(shown: Shown, room: Room) -> list[Row]:
    """Return the expected answer, whole."""
    if shown.record is None and shown.sample is None:
        return _nothing_ran(shown, room.width)
    return _expected(shown, room.width)


def actual_view(shown: Shown, room: Room) -> list[Row]:
    """Return the actual answer, whole."""
    return _answered(shown.record, room) if shown.record is not None else _nothing_ran(shown, room.width)


def baseline_view(shown: Shown, room: Room) -> list[Row]:
    """Return the words that differ between the baseline's answer and this run's."""
    from sampleui.tui.review.rows.compared import compared

    if shown.old is None:
        return [(("muted", "The baseline has no such record."),)]
    if shown.record is None:
        return _answered(shown.old, room, "Baseline")
    if shown.old.unanswered or shown.record.unanswered:
        return [*_answered(shown.old, room, "Baseline"), *_answered(shown.record, room)]
    return compared("Baseline", shown.old.actual, shown.record.actual, room)


def asked_view(shown: Shown, room: Room) -> list[Row]:
    """Return what was sent against what the deck renders today."""
    from sampleui.tui.review.rows.compared import asked_rows

    return asked_rows(shown.asked, room)


def archive_view(shown: Shown, room: Room) -> list[Row]:
    """Return the sample as it was run."""
    from sampleui.tui.review.rows.compared import archive_rows

    return archive_rows(shown.as_run, room)


def sides_view(shown: Shown, room: Room) -> list[Row]:
    """Return the answers of all targets and attempts side by side."""
    from sampleui.tui.review.rows.compared import side_rows

    return side_rows(shown.sides, room.width)


class AnswerView(NamedTuple):
    """A view of the answer: all that is to be said of one.

    Attributes:
        title: its name.
        rows: what it shows in a room.
        needs: whether a record has it; None where each has.
    """

    title: str
    rows: Callable[[Shown, Room], list[Row]]
    needs: Callable[[Shown], bool] | None = None


def _is_compared(shown: Shown) -> bool:
    """Tell whether an answer is shown beside what was expected, rather than the record as it is read."""
    record = shown.record
    lone = record is not None and shown.expected is None and shown.criteria is None
    return not (lone and record is not None and ungraded(record, shown.fail_under))


def files_view(shown: Shown, room: Room) -> list[Row]:
    """Return the files that the answer consists of, each beside the same file of another answer."""
    from sampleui.tui.review.rows.compared import file_rows
    from sampleui.tui.review.rows.read import talk_rows

    files = file_rows(shown, room)
    return [*talk_rows(shown, room, len(files)), *files]


FILES = "Files"
"""The view of an answer that consists of files."""

RECORD = "Record"
"""The view of a record as it is read."""


WITH_TALK = (FILES, "Diff", RECORD)
"""The views that show what was said before an answer where no other pane does."""


def _of_files(shown: Shown) -> bool:
    return shown.record is not None and bool(shown.record.files)


_IN_ORDER = (
    AnswerView(FILES, files_view, _of_files),
    AnswerView("Diff", diff_view, _is_compared),
    AnswerView("Expected", expected_view, _is_compared),
    AnswerView("Actual", actual_view),
    AnswerView("Targets", sides_view, lambda shown: bool(shown.sides and shown.sides.several)),
    AnswerView("Asked", asked_view, lambda shown: bool(shown.asked.sent and shown.asked.today)),
    AnswerView("As run", archive_view, lambda shown: shown.as_run is not None),
    AnswerView("Baseline", baseline_view, lambda shown: shown.has_baseline),
    AnswerView(RECORD, record_view, lambda shown: shown.record is not None),
)
VIEWS: Mapping[str, AnswerView] = {view.title: view for view in _IN_ORDER}
"""The views of the answer by their names, in their order."""


def views_of(shown: Shown) -> tuple[str, ...]:
    """Return the names of the views that have something to show.

    The record as it is read is the first where nothing is compared, and where a view of the settings shows it.
    """
    titles = [title for title, view in VIEWS.items() if view.needs is None or view.needs(shown)]
    first = shown.view is not None or not (_is_compared(shown) or _of_files(shown))
    return tuple(sorted(titles, key=lambda title: title != RECORD) if first else titles)


def _among(answers: Sequence[str], actual: str, width: int) -> list[Row]:
    """Return that an answer is one of those expected, or how it differs from one that looks the same."""
    from sampleui.tui.review.rows.compared import unseen_rows

    if actual in answers:
        return [(("added", "✓ exactly one of those expected"),)]
    return next((found for answer in answers if (found := unseen_rows("expected", answer, actual, width))), [])


def _why(record: Record, shown: Shown, width: int) -> list[Row]:
    reasons = why_failed(record, shown.fail_under)
    why = [row for reason in reasons for row in text_rows(f"✖ {reason}", "error-bold", width)]
    if shown.changed:
        why.append((("warning-bold", "~ sample changed since this run"),))
    return [*why, (("text", ""),)] if why else []


def _nothing_ran(shown: Shown, width: int) -> list[Row]:
    if shown.alone and not shown.problem:
        return []
    if shown.problem:
        return [*text_rows(f"✖ {shown.problem}", "error-bold", width), (("text", ""),)]
    if shown.old is not None:
        line = "Only the baseline has this record."
    elif shown.sample is not None:
        line = "This run has no record of the sample."
    else:
        line = shown.comparison or "No record is shown."
    return [*text_rows(line, "muted", width), (("text", ""),)]


def _expected(shown: Shown, width: int, nothing: str = "") -> list[Row]:
    """Return what is expected; where that is no answer, what one is judged by under its own name."""
    nothing = (
        nothing or f"{'Nothing says' if shown.sample is None else 'The sample does not say'} what is expected."
    )
    if shown.criteria is None:
        return named_text("Expected", shown.expected or "", width, nothing)
    label = f"{one_line(shown.criteria.name, 40).capitalize()}: no answer to compare with"
    return named_text(label, shown.criteria.text, width, nothing)


def _answered(record: Record, room: Room, label: str = "Actual") -> list[Row]:
    """Return an answer; where there is none, why, and what its file has in the place of one."""
    if not record.unanswered:
        note = [*text_rows("▲ it may be the answer of another record", "warning", room.width)] * record.doubtful
        return [*note, *named_text(label, record.actual, room.width, "", sought=room.sought)]
    width = room.width
    why = named_text(label, "", width, f"{record.unanswered[0].upper()}{record.unanswered[1:]}.")
    if record.whole_error:
        why += named_text("Error", record.whole_error, width, "")
    return [*why, *named_text("In its place", record.actual, width, "")] if record.actual else why
