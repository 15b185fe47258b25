"""An answer that consists of files, as rows: what was said of it, and each file beside that of another answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import TypeAlias

from sampleui.review.record import AnswerFile, Record
from sampleui.review.views import file_section, file_sections
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.rows import Room, Row, fitted, text_rows
from sampleui.tui.drawing.sections import section_rows
from sampleui.tui.review.counterparts import Beside
from sampleui.tui.review.rows.compared import compared
from sampleui.tui.review.shown import Shown

_BLANK: Row = (("text", ""),)
_Pair: TypeAlias = tuple[AnswerFile | None, AnswerFile | None]


def file_rows(shown: Shown, room: Room) -> list[Row]:
    """Return the files of an answer, those that differ from the other answer's with what differs."""
    record = shown.record
    if record is None:
        return []
    rows = [*_remarks(record, room.width), *_failing(record, room.width)]
    rows += [_BLANK] if rows else []
    rows += _legend(shown.beside, room.width)
    other = shown.beside.record if shown.beside is not None else None
    if shown.beside is None or other is None:
        return [*rows, *_read(record.files, room)]
    return [*rows, *_beside(record, other, shown.beside.name, room)]


def _remarks(record: Record, width: int) -> Iterator[Row]:
    """Yield what people said of it, in this run and before: what is looked for in the answer."""
    for item in record.remarks:
        yield from text_rows(f"{one_line(item.name, 40)}: {item.reasoning or ''}", "warning", width)


def _failing(record: Record, width: int) -> Iterator[Row]:
    """Yield by what it failed, in a line: the scores say why."""
    names = [mark.name for mark in record.marks if mark.verdict == "fail"]
    if names:
        more = f" (+{len(names) - 1})" if len(names) > 1 else ""
        yield (("error-bold", fitted(f"✖ {one_line(names[0], 400)}", width - len(more)) + more),)


def _legend(beside: Beside | None, width: int) -> Iterator[Row]:
    """Yield beside which answer it is shown, and which the key shows next."""
    if beside is None:
        return
    name, following = one_line(beside.name, 40), one_line(beside.following, 40)
    key = key_named("answer.beside", "b")
    ways = f"{key}: {following or 'alone'}"
    told = f"beside {name}" if name else "alone"
    if name and beside.record is None:
        told += ", which cannot be read"
    yield (("muted-bold", fitted(told, width)), ("muted", fitted(f" · {ways}", max(width - len(told), 0))))
    yield _BLANK


def _read(files: tuple[AnswerFile, ...], room: Room) -> list[Row]:
    return section_rows(file_sections(files), room.width, opened=room.opened or bool(room.sought))


def _beside(record: Record, other: Record, name: str, room: Room) -> Iterator[Row]:
    """Yield each file beside that of the other answer; those without a text are a line each, below the others."""
    theirs = {file.name: file for file in other.files}
    own = {file.name for file in record.files}
    every: list[_Pair] = [(file, theirs.get(file.name)) for file in record.files]
    every += [(None, file) for file in other.files if file.name not in own]
    for is_text, together in groupby(sorted(every, key=lambda pair: not _has_text(pair)), key=_has_text):
        for mine, their in together:
            if is_text:
                yield from _texts(mine, their, name, room)
                yield _BLANK
            else:
                yield _by_name(mine, their, name, room.width)


def _has_text(pair: _Pair) -> bool:
    return any(file is not None and file.text is not None for file in pair)


def _texts(mine: AnswerFile | None, their: AnswerFile | None, name: str, room: Room) -> Iterator[Row]:
    if mine is None and their is not None:
        yield from text_rows(
            f"- {one_line(their.told, 400)} · only in {one_line(name, 40)}", "gone-line", room.width
        )
        return
    if mine is None:
        return
    if their is None or their.text is None or mine.text is None or mine.text == their.text:
        rows = section_rows([file_section(mine)], room.width, opened=room.opened or bool(room.sought))
        same = their is not None and mine.text == their.text
        said = "the same in" if same else "not in" if their is None else "not a text in"
        yield from (*rows[:1], (("added" if same else "muted", f"  {said} {one_line(name, 40)}"),), *rows[1:])
        return
    yield (("muted-bold", fitted(one_line(mine.told, 400), room.width)),)
    yield from compared(one_line(name, 40), their.text, mine.text, room)


def _by_name(mine: AnswerFile | None, their: AnswerFile | None, name: str, width: int) -> Row:
    file = mine or their
    assert file is not None
    if mine is None:
        return (("gone-line", fitted(f"- {one_line(file.told, 400)} · only in {one_line(name, 40)}", width)),)
    if their is None:
        beside = f"not in {one_line(name, 40)}"
    elif their.size == mine.size:
        beside = f"as large in {one_line(name, 40)}"
    else:
        beside = f"{counted(their.size, 'byte')} in {one_line(name, 40)}"
    return (("text", fitted(f"{one_line(file.told, 400)} · {beside}", width)),)
