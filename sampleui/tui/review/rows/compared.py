"""An answer beside others, as rows: what was expected, other answers and their files, what was sent and was run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from rich.cells import cell_len

from sampleui.formats.data import Table
from sampleui.review.record import SIGNS, AnswerFile, Record, outcome_of, why_failed
from sampleui.review.record_sections import file_section, file_sections
from sampleui.review.results.requests import SentPrompt, text_said
from sampleui.review.samples.comparing import (
    Alike,
    Difference,
    InLines,
    InWords,
    Unlike,
    difference_of,
    is_of_lines,
    unseen_differences,
)
from sampleui.review.samples.diffwords import diff_words
from sampleui.runs.sample_as_run import AsRun, RunField
from sampleui.text.stretches import differing
from sampleui.text.visible import one_line
from sampleui.text.wording import apart, counted
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.rows import (
    BETWEEN_COLUMNS,
    OUTCOME_STYLES,
    Room,
    Row,
    fitted,
    named_text,
    side_by_side,
    text_rows,
)
from sampleui.tui.drawing.sections import Area, section_rows
from sampleui.tui.drawing.two_texts import columns, folded, line_legend, line_rows, word_legend, word_rows
from sampleui.tui.review.rows.read import area_of
from sampleui.tui.review.shown import AnswerSide, Beside, Shown, Sides

MIN_WIDTH = 19
"""Cells that a column needs; what does not fit beside is below."""

_HERE = " ‹"


def side_rows(sides: Sides | None, width: int) -> list[Row]:
    """Return the answers to a sample in columns, as many beside each other as there is room for."""
    if sides is None or not sides.several:
        return text_rows("Nobody else answered this sample.", "muted", width)
    tried = {attempt: f"  {attempt}" for attempt in sides.attempts}
    tellers = {item: one_line(item.target or item.sample) for item in tried}
    shown = apart(tellers.values(), max(width - max(map(cell_len, tried.values()), default=0), 1))
    rows: list[Row] = [
        (("text-bold", shown[tellers[item]]), ("muted", attempt_words)) for item, attempt_words in tried.items()
    ]
    answers = sides.read()
    columns_count = max(1, min(len(answers), (width + len(BETWEEN_COLUMNS)) // (MIN_WIDTH + len(BETWEEN_COLUMNS))))
    cells = (width - (columns_count - 1) * len(BETWEEN_COLUMNS)) // columns_count
    others = (len("✓ ") + len(_score(answer)) + (len(_HERE) if answer.here else 0) for answer in answers)
    room = cells - max(others, default=0)
    names = apart((one_line(answer.name) for answer in answers), max(room, 1))
    for start in range(0, len(answers), columns_count):
        some = answers[start : start + columns_count]
        columns = [_column(item, names[one_line(item.name)], sides.fail_under, cells) for item in some]
        rows += [(("text", ""),), *side_by_side(columns, [cells] * len(columns))]
    return rows


def _score(side: AnswerSide) -> str:
    return "" if side.record.score is None else f"  {side.record.score:.2f}"


def _column(side: AnswerSide, name: str, fail_under: float | None, width: int) -> list[Row]:
    record = side.record
    outcome = outcome_of(record, fail_under)
    here = _HERE if side.here else ""
    head: Row = (
        (OUTCOME_STYLES[outcome], SIGNS[outcome]),
        ("text-bold", f" {name}"),
        ("muted", _score(side)),
        ("accent-bold", here),
    )
    text = record.unanswered or record.actual
    rows = [head, *text_rows(text, "muted" if record.unanswered else "text", width)]
    for why in why_failed(record, fail_under):
        rows += text_rows(why, "error", width)
    return rows


def archive_rows(kept: AsRun | None, room: Room) -> list[Row]:
    """Return the sample as it was run, what has changed since first, each change beside the deck of today."""
    if kept is None:
        return text_rows("The run keeps no copy of the sample.", "muted", room.width)
    if kept.changed:
        line, style = f"≠ changed since this run: {', '.join(kept.changed)}", "warning-bold"
    elif kept.compared:
        line, style = "✓ as the deck has it today", "added"
    else:
        line, style = "No deck has the sample today.", "muted"
    rows = [
        *text_rows(line, style, room.width),
        *text_rows(f"read-only, kept in {kept.path.name}", "faint", room.width),
    ]
    if kept.changed:
        rows += line_legend("as it was run", "the deck today", room)[:1]
    for item in sorted(kept.fields, key=lambda field: not field.differs):
        rows += _field(item, room)
    return rows


def _field(field: RunField, room: Room) -> Iterator[Row]:
    yield (("text", ""),)
    mark = (("warning-bold", "≠ "),) if field.differs else ()
    yield (*mark, ("muted-bold", one_line(field.name, 60)))
    if field.run is None or field.today is None:
        left, sign, style = (
            (field.run, "- ", "gone-line") if field.today is None else (field.today, "+ ", "come-line")
        )
        yield from (((style, sign), *row) for row in text_rows(left or "", style, max(room.width - 2, 1)))
    elif field.differs:
        yield from _fitted(line_rows(field.run, field.today, room), room)
    else:
        yield from text_rows(field.run, "text", room.width, "  ")


def asked_rows(asked: SentPrompt, room: Room) -> list[Row]:
    """Return what was sent, and where the deck renders something else today, both with what differs marked."""
    sent, today = _text(asked.sent), _text(asked.today)
    if not asked.sent:
        return text_rows("The run does not say what was sent.", "muted", room.width)
    if not asked.today:
        return text_rows(sent, "text", room.width)
    if not asked.differs:
        same = text_rows(f"✓ sent as the deck renders it today ({asked.style})", "added", room.width)
        return [*same, (("text", ""),), *text_rows(sent, "text", room.width)]
    name = f"the deck today ({asked.style})"
    if is_of_lines(today, sent):
        return [*line_legend(name, "sent", room), *_fitted(line_rows(today, sent, room), room)]
    rows = word_rows(diff_words(today, sent), room)
    return [*word_legend(name, "sent", room), *_fitted(rows, room)]


def _text(messages: Sequence[Table]) -> str:
    return "\n\n".join(
        f"{message.get('role')}:\n{text_said(message.get('content')).strip()}" for message in messages
    )


def compared(label: str, expected: str, actual: str, room: Room) -> list[Row]:
    """Return what differs between two texts, by what they are: JSON, code or long texts, prose.

    Of very long ones, what differs from shortly before their first difference on.
    """
    expected_part, actual_part = differing(expected, actual)
    if expected == actual or not (expected_part.words or actual_part.words):
        unseen = unseen_rows(label, expected, actual, room.width)
        return [*unseen, *_differing(label, difference_of(expected, actual), room)]
    legend = [
        *text_rows(f"≠ {label.lower()}: {expected_part.words or 'whole'}", "warning", room.width),
        *text_rows(f"≠ actual: {actual_part.words or 'whole'}", "warning", room.width),
    ]
    found = difference_of(expected_part.text, actual_part.text)
    found = (
        InLines(expected_part.text, actual_part.text) if isinstance(found, Alike) else found
    )  # parts say nothing of the whole
    return [*legend, (("text", ""),), *_differing(label, found, room)]


def unseen_rows(label: str, expected: str, actual: str, width: int) -> list[Row]:
    """Return how two texts differ that look the same, and an empty row; nothing of others."""
    lines = unseen_differences(expected, actual)
    if not lines:
        return []
    head = text_rows(f"≈ they look the same ({label.lower()} → actual):", "warning-bold", width)
    return [*head, *(row for line in lines for row in text_rows(line, "warning", width, "  ")), (("text", ""),)]


def _differing(label: str, difference: Difference, room: Room) -> list[Row]:
    match difference:
        case Alike(how, text):
            return [(("added", f"✓ {how.format(label.lower())}"),), *named_text("Actual", text, room.width, "")]
        case InLines(text, other):
            legend = line_legend(label.lower(), "actual", room)
            return [*legend, *_fitted(line_rows(text, other, room), room)]
        case InWords(segments):
            legend = word_legend(label.lower(), "actual", room)
            return [*legend, *_fitted(word_rows(segments, room), room)]
        case Unlike(text, other):
            width = room.column if room.beside else room.width
            named = named_text(label, text, width, "empty", "gone-line")
            other_block = named_text("Actual", other, width, "empty", "come-line")
            if room.beside:
                return [*columns(named, other_block, room)]
            return [*shortened(named, len(other_block), room), *other_block]


def _fitted(rows: list[Row], room: Room) -> list[Row]:
    """Return rows with long stretches in which nothing differs folded, unless there are lines for all of them."""
    return rows if room.opened or len(rows) <= room.height // 2 else folded(rows, room.sought)


_MIN_EXPECTED = 4


def shortened(rows: list[Row], below: int, room: Room) -> list[Row]:
    """Return what was expected, with so few lines that an answer of some lines below it can be begun to be read."""
    most = max(room.height // 2 - min(below, room.height // 4), _MIN_EXPECTED)
    if room.opened or room.sought or len(rows) + below <= room.height or len(rows) <= most + 1:
        return rows
    words = f"  ⋯ {counted(len(rows) - most, 'more line')}: {key_named('record.unfold', 'Z')} shows them"
    return [*rows[: most - 1], (("muted", fitted(words, room.width)),), (("text", ""),)]


# An answer that consists of files


_MAX_SHOWN = 50
"""Files that are shown beside each other; of more, each is a line."""

_BLANK: Row = (("text", ""),)
_Pair: TypeAlias = tuple[AnswerFile | None, AnswerFile | None]


def file_rows(shown: Shown, room: Room) -> list[Row]:
    """Return the files of an answer, those that differ from the other answer's with what differs."""
    record = shown.record
    if record is None:
        return []
    rows, beside = list[Row](), shown.beside
    for item in record.remarks:  # what people looked for in the answer
        rows += text_rows(f"{one_line(item.name, 40)}: {item.reasoning or ''}", "warning", room.width)
    if failing := [mark.name for mark in record.grades if mark.verdict == "fail"]:
        more = f" (+{len(failing) - 1})" if len(failing) > 1 else ""
        first = fitted(f"✖ {one_line(failing[0], 400)}", room.width - len(more))
        rows.append((("error-bold", first + more),))
    rows += [_BLANK] if rows else []
    rows += [] if beside is None else _legend(beside, room.width)
    if beside is None or beside.record is None:
        return [*rows, *section_rows(file_sections(record.files), area_of(shown, room))]
    return [*rows, *_beside(record, beside.record, beside.name, area_of(shown, room), room)]


def _legend(beside: Beside, width: int) -> Iterator[Row]:
    """Yield which answer it is shown beside, and which one the key shows next."""
    name, following = one_line(beside.name, 40), one_line(beside.following, 40)
    key = key_named("answer.beside", "b")
    choices = f"{key}: {following or 'alone'}"
    words = f"beside {name}" if name else "alone"
    if name and beside.record is None:
        words += ", which cannot be read"
    yield (("muted-bold", fitted(words, width)), ("muted", fitted(f" · {choices}", max(width - len(words), 0))))
    yield _BLANK


class _Other(NamedTuple):
    """The other answer as it is told of: its name, and what it means that only one of both shows a file."""

    name: str
    lacks: str
    alone: str


def _beside(record: Record, other: Record, name: str, area: Area, room: Room) -> Iterator[Row]:
    """Yield each file beside that of the other answer.

    Those without a text, and the last of very many, are a line each below the others.
    """
    other_side = _Other(
        one_line(name, 40),
        "not known in" if other.more_files else "not in",
        "in" if record.more_files else "only in",
    )
    theirs = {file.name: file for file in other.files}
    mine = {file.name: file for file in record.files}
    every: dict[str, _Pair] = {file: (mine.get(file), theirs.get(file)) for file in (*mine, *theirs)}
    texts = [
        file for file, pair in every.items() if any(side is not None and side.text is not None for side in pair)
    ]
    for file in texts[:_MAX_SHOWN]:
        yield from _one_file(*every.pop(file), other_side, area, room)
        yield _BLANK
    for pair in every.values():
        yield _by_name(*pair, other_side, room.width)


def _one_file(
    mine: AnswerFile | None, their: AnswerFile | None, other: _Other, area: Area, room: Room
) -> Iterator[Row]:
    if mine is not None and their is not None and None not in (mine.text, their.text) and mine.text != their.text:
        yield (("muted-bold", fitted(one_line(mine.told, 400), room.width)),)
        yield from compared(other.name, their.text or "", mine.text or "", room)
    elif mine is None:
        yield _by_name(mine, their, other, room.width)
    else:
        heading, *rows = section_rows([file_section(mine)], area)
        style, said = _said(mine, their, other)
        yield from (heading, *text_rows(f"{said} {other.name}", style, room.width, "  "), *rows)


def _by_name(mine: AnswerFile | None, their: AnswerFile | None, other: _Other, width: int) -> Row:
    gone = f"- {one_line(their.told, 400)}" if their is not None else ""
    (style, said), line = _said(mine, their, other), gone if mine is None else one_line(mine.told, 400)
    with_other = f" · {said} {other.name}"
    shown = fitted(line, max(width - len(with_other), width // 2))
    return ((style if mine is None else "text", shown), (style, with_other))


def _said(mine: AnswerFile | None, their: AnswerFile | None, other: _Other) -> tuple[str, str]:
    """Return a style and words for how a file is beside that of the other answer, before that one's name."""
    if mine is None:
        return "gone-line", other.alone
    if their is None:
        return "muted", other.lacks
    if mine.text is not None and mine.text == their.text:
        return "added", "the same in"
    if mine.text is not None and their.text is not None:
        return "warning", "another text in"
    if their.size == mine.size:
        return "muted", "as large in"
    return "muted", f"{counted(their.size, 'byte')} in"
