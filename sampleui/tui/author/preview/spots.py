"""Where in the preview the value with the cursor is shown: from a tab to one of its rows, pure."""

from __future__ import annotations

import dataclasses
import re
from typing import NamedTuple

from sampleui.deck.diff import diff
from sampleui.errors import PathError
from sampleui.formats.data import DataPath, lookup, with_set
from sampleui.text.diagnostic import Finding, Severity
from sampleui.tui.author.preview.rows import Subject
from sampleui.tui.author.preview.tabs import tab_rows
from sampleui.tui.drawing.message_rows import diff_rows
from sampleui.tui.drawing.rows import Row, row_text

_MARK = "\U000f8a5e"
"""A character of private use: where it comes out is where the value is shown, whichever way a tab shows it."""

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)")

_TAIL = 30
"""Characters before the cursor by which its place in a long line is known again."""


class Spot(NamedTuple):
    """A place in a value: the path to it in the sample, and how many characters of its text are before it."""

    path: DataPath
    before: int


def row_of(tab: str, subject: Subject, spot: Spot, width: int) -> int | None:
    """Return the row of a tab that shows a spot; None if the tab does not show it."""
    if tab == "Source":
        return _source_row(tab_rows(subject, tab, width), *_place(subject, spot))
    if tab == "Diff":
        return _diff_row(subject, _place(subject, spot)[0], width)
    try:
        value = lookup(subject.sample.data, spot.path)
        text = value if isinstance(value, str) else ""
        data = with_set(subject.sample.data, spot.path, text[: spot.before] + _MARK + text[spot.before :])
    except PathError:
        return None
    assert isinstance(data, dict)
    sample = dataclasses.replace(subject.sample, data=data)
    marked = subject._replace(sample=sample, rendered=subject.deck.render(sample))
    return next((at for at, row in enumerate(tab_rows(marked, tab, width)) if _MARK in row_text(row)), None)


def _place(subject: Subject, spot: Spot) -> tuple[int, int]:
    """Return the line of the file that a spot is on and how much of it is before, as near as its spelling shows."""
    placed = subject.deck.place(subject.sample.index, Finding("", Severity.INFO, "", spot.path))
    at, inner = subject.deck.files.locate(subject.sample.index)
    document = subject.deck.files.sources[at].document
    lines = document.chunk(inner).split("\n")
    first = document.position(inner).line
    value = lookup(subject.sample.data, spot.path)
    before = value[: spot.before].rstrip() if isinstance(value, str) else ""  # on an empty line the one above it
    tail = before[-_TAIL:]
    escaped = tail.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    below = placed.line + before.count("\n")
    for line in (below, below + 1, placed.line):
        text = lines[line - first] if 0 <= line - first < len(lines) else ""
        for spelled in (tail.split("\n")[-1].strip(), escaped):
            if spelled in text:
                return line, text.index(spelled) + len(spelled)
    return placed.line, 0


def _source_row(rows: list[Row], line: int, before: int) -> int:
    at = next((at for at, row in enumerate(rows) if row and row[0][1].strip() == str(line)), 0)
    while before > (wide := sum(len(text) for _, text in rows[at][1:])) and at + 1 < len(rows):
        if rows[at + 1][0][1].strip():  # the next line of the file
            break
        before -= wide
        at += 1
    return at


def _diff_row(subject: Subject, line: int, width: int) -> int | None:
    path = subject.sample.path.name
    number, at, inside = 0, int(subject.olds is not None), True
    for one in diff(subject.deck.files, subject.olds).removesuffix("\n").split("\n"):
        if one.startswith("+++ "):
            inside = path in one
        elif found := _HUNK.match(one):
            number = int(found[1]) - 1
        elif not one.startswith(("-", "\\")):
            number += 1
            if inside and number >= line and one.startswith("+"):
                return at
        at += len(diff_rows(one, width))
    return None
