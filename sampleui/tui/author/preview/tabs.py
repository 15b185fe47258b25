"""The tabs of the preview by their names, and where in one of them a value is shown."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping

from sampleui.deck.diff import diff
from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table, lookup, with_set
from sampleui.prompt.providers import calls, request_of
from sampleui.sample.parse import json_text
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.visible import one_line
from sampleui.tui.author.preview import rows
from sampleui.tui.author.preview.rows import Subject
from sampleui.tui.drawing.message_rows import diff_rows
from sampleui.tui.drawing.rows import Row, row_text
from sampleui.values import NamedTuple

_CHAT = "Chat"
_LONG = 20
"""Characters of a prompt that name its tab."""

TABS: Mapping[str, Callable[[Subject, int], list[Row]]] = {
    "Answer": rows.answer,
    _CHAT: rows.chat,
    "Question": rows.question,
    "Guidelines": rows.guidelines,
    "Grading": rows.grading,
    "Request": rows.request,
    "Golden": rows.golden,
    "Source": rows.source,
    "Diff": rows.difference,
}


def tabs_of(subject: Subject | None) -> tuple[str, ...]:
    """Return the tabs for a sample; golden trajectories and an answer have one if there are any.

    A sample that several prompts ask has a tab for each of them in the place of the one for its chat.
    """
    if subject is None:
        return tuple(tab for tab in TABS if tab not in ("Golden", "Answer"))
    having = {
        "Golden": bool(subject.sample.data.get("golden_trajectories")),
        "Answer": subject.answered is not None,
    }
    prompts = tuple(_prompts(subject))
    shown = [tab for tab in TABS if having.get(tab, True)]
    return tuple(prompt for tab in shown for prompt in (prompts if prompts and tab == _CHAT else (tab,)))


def tab_rows(subject: Subject, tab: str, width: int) -> list[Row]:
    """Return what a tab shows; a prompt that no longer exists shows nothing."""
    if tab in TABS:
        return TABS[tab](subject, width)
    asked = _prompts(subject).get(tab)
    return [] if asked is None else rows.chat(asked, width)


def _prompts(subject: Subject) -> Mapping[str, Subject]:
    """Return a sample as each of several prompts asks it, by the names of their tabs."""
    asked = [call for call in calls(subject.rendered) if call.label]
    named: dict[str, Subject] = {}
    for number, call in enumerate(asked if len(asked) > 1 else (), 1):
        name = one_line(call.label, _LONG)
        unique = f"{name} #{number}" if name in named or name in TABS else name
        named[unique] = subject._replace(rendered=dataclasses.replace(call, others=()))
    return named


def is_json(tab: str) -> bool:
    """Tell whether what is copied of a tab is JSON, which says more than the tab shows."""
    return tab not in TABS or tab in (_CHAT, "Grading", "Request")


def copied(subject: Subject, tab: str) -> str:
    """Return the whole of what a tab shows, as text: a question as it is, messages and requests as JSON."""
    if (prompt := _prompts(subject).get(tab)) is not None:
        return copied(prompt, _CHAT)
    rendered = subject.rendered
    if tab == _CHAT:
        return json_text([*rendered.chat_prompt])
    if tab == "Question":
        return rendered.question
    if tab == "Guidelines":
        return rendered.guidelines
    if tab == "Grading":
        from sampleui.prompt.grading_context import asked_of, judged_by

        prompts: Table = dict(asked_of(subject.sample, rendered))
        asked: Table = {"prompts": prompts} if prompts else {}
        judged: Table = {**rendered.grading_context, "question": rendered.question, **judged_by(subject.sample)}
        return json_text(judged | asked)
    if tab == "Request":
        from sampleui.prompt.provider_request import body_of

        sent = [request_of(call, subject.provider, subject.system_prompt) for call in calls(rendered)]
        bodies: list[Plain] = [body_of(item, subject.provider, subject.sample.data) for item in sent]
        return json_text(bodies[0] if len(bodies) == 1 else bodies)
    if tab == "Source":
        source_index, inner = subject.deck.files.locate(subject.sample.index)
        return subject.deck.files.sources[source_index].document.chunk(inner)
    return "\n".join(row_text(row) for row in TABS[tab](subject, 10_000))


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
    return next((index for index, row in enumerate(tab_rows(marked, tab, width)) if _MARK in row_text(row)), None)


def _place(subject: Subject, spot: Spot) -> tuple[int, int]:
    """Return the line of the file that shows a spot, and about how many characters of the line are before it."""
    placed = subject.deck.place(subject.sample.index, Finding("", Severity.INFO, "", spot.path))
    source_index, inner = subject.deck.files.locate(subject.sample.index)
    document = subject.deck.files.sources[source_index].document
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
    index = next((at for at, row in enumerate(rows) if row and row[0][1].strip() == str(line)), 0)
    while before > (wide := sum(len(text) for _, text in rows[index][1:])) and index + 1 < len(rows):
        if rows[index + 1][0][1].strip():  # the next line of the file
            break
        before -= wide
        index += 1
    return index


def _diff_row(subject: Subject, line: int, width: int) -> int | None:
    path = subject.sample.path.name
    number, row, inside = 0, 0 if subject.olds is None else 1, True
    for part in diff(subject.deck.files, subject.olds).removesuffix("\n").split("\n"):
        if part.startswith("+++ "):
            inside = path in part
        elif hunk := _HUNK.match(part):
            number = int(hunk[1]) - 1
        elif not part.startswith(("-", "\\")):
            number += 1
            if inside and number >= line and part.startswith("+"):
                return row
        row += len(diff_rows(part, width))
    return None
