"""An answer that consists of files, as rows: what was said of it, and each file beside that of another answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from sampleui.review.record import AnswerFile, Record
from sampleui.review.record_sections import file_section, file_sections
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.rows import Room, Row, fitted, text_rows
from sampleui.tui.drawing.sections import Area, section_rows
from sampleui.tui.review.counterparts import Beside
from sampleui.tui.review.rows.compared import compared
from sampleui.tui.review.rows.read import area_of
from sampleui.tui.review.shown import Shown

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
        yield from _text(*every.pop(file), other_side, area, room)
        yield _BLANK
    for pair in every.values():
        yield _by_name(*pair, other_side, room.width)


def _text(
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
    if mine is None:
        line, style = f"- {one_line(their.told, 400) if their is not None else ''}", "gone-line"
        said = other.alone
    else:
        line, (style, said) = one_line(mine.told, 400), _said(mine, their, other)
    with_other = f" · {said} {other.name}"
    return (
        (style if mine is None else "text", fitted(line, max(width - len(with_other), width // 2))),
        (style, with_other),
    )


def _said(mine: AnswerFile, their: AnswerFile | None, other: _Other) -> tuple[str, str]:
    """Return a style and words for how a file is beside that of the other answer, before that one's name."""
    if their is None:
        return "muted", other.lacks
    if mine.text is not None and mine.text == their.text:
        return "added", "the same in"
    if mine.text is not None and their.text is not None:
        return "warning", "another text in"
    if their.size == mine.size:
        return "muted", "as large in"
    return "muted", f"{counted(their.size, 'byte')} in"
