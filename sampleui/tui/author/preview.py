"""The preview of a sample as rows, pure: the tabs by their names, and where in one of them a value is shown."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, Protocol

from sampleui.deck.diff import diff
from sampleui.deck.model import Base
from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table, lookup, shown, with_set
from sampleui.formats.document import Document
from sampleui.prompt.grading_context import grader_prompts, grading_fields
from sampleui.prompt.provider_request import SHAPED, body_of
from sampleui.prompt.providers import calls, request_of
from sampleui.prompt.render import Rendered
from sampleui.sample.answer_options import options_of, whether_sent
from sampleui.sample.media import with_files_named
from sampleui.sample.message import nested
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, dialect_of, json_text
from sampleui.sample.sections import Section, sections_beside, sections_by
from sampleui.settings.views import View
from sampleui.settings.vocabulary import steps
from sampleui.text.aligning import changed_regions
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.visible import one_line
from sampleui.tui.author.nodes import waits
from sampleui.tui.drawing.code import code_row, diff_rows, painted
from sampleui.tui.drawing.message_rows import message_rows
from sampleui.tui.drawing.rows import Room, Row, row_text, text_rows
from sampleui.tui.drawing.sections import Area, section_rows
from sampleui.workspace.deck import Deck

_NOTHING = "Nothing is sent: no message has content."


class RecordedAnswer(Protocol):
    """A recorded answer that a sample is edited for."""

    def rows(self, sample: Sample, room: Room) -> list[Row]:
        """Return why the record failed, and its answer beside what the sample expects now."""


class Subject(NamedTuple):
    """What a tab shows: a sample of a deck, rendered.

    Where it is edited for an answer, `answered` is that, and `brackets` show what differs for want of colours.
    Where there is only `room` for so many rows, messages that are sent as they are written are a line each.
    `view` says which fields are shown as they are read, if the settings do; what is long or hidden is shown where
    it is `opened`. `against` is what the deck is compared with, and `olds` its files there, None for those on disk.
    """

    deck: Deck
    sample: Sample
    rendered: Rendered
    provider: str = "openai"
    system_prompt: str | None = None
    answered: RecordedAnswer | None = None
    brackets: bool = False
    unfinished: DataPath = ()
    against: Base = Base.DISK
    olds: tuple[Document, ...] | None = None
    room: int | None = None
    view: View | None = None
    opened: bool = False

    def rows(self, tab: str, width: int) -> list[Row]:
        """Return what a tab shows; a prompt that no longer exists shows nothing."""
        if tab in TABS:
            values = {line for value in self.rendered.environment.values() for line in (value or "").split("\n")}
            return _marked(TABS[tab].rows(self, width), values - {""})
        asked = _prompts(self).get(tab)
        return [] if asked is None else chat(asked, width)

    def row_of(self, tab: str, spot: PreviewAnchor, width: int) -> int | None:
        """Return the row of a tab that shows a spot; None if the tab does not show it."""
        shown_tab = TABS.get(tab)
        if shown_tab is not None and shown_tab.row_of is not None:
            return shown_tab.row_of(self, spot, width)
        try:
            value = lookup(self.sample.data, spot.path)
            text = value if isinstance(value, str) else ""
            data = with_set(self.sample.data, spot.path, text[: spot.before] + _MARK + text[spot.before :])
        except PathError:
            return None
        assert isinstance(data, dict)
        sample = dataclasses.replace(self.sample, data=data)
        marked = self._replace(sample=sample, rendered=_again(self, sample))
        return next((index for index, row in enumerate(marked.rows(tab, width)) if _MARK in row_text(row)), None)


def chat(subject: Subject, width: int) -> list[Row]:
    """Return the ChatPrompt: what is not sent, then the messages in the order in which they are sent.

    Each of them says whether it is sent as it is written.
    """
    rendered = subject.rendered
    rows: list[Row] = [_style(subject), *_environment(subject, width)]
    if rendered.empty:
        rows += text_rows(_NOTHING, "muted", width)
    rows += _not_sent(subject, rendered, width)
    written = conversation(subject.sample)
    options = option_rows(subject.sample, width)
    for call in calls(rendered):
        same = as_written(call.chat_prompt, written)
        rows += _turn(call)
        if same:
            rows.append(_heading(_sent_as_written(same, whole=not rendered.dropped)))
            room = None if subject.room is None else subject.room - len(rows) - len(options)
            places = ((subject.deck.path.parent, None),)
            rows += message_rows(call.chat_prompt, width, same, room=room, places=places)
    return [*rows, *options]


def _sent_as_written(same: list[bool], whole: bool) -> str:
    """Return how many messages are sent as they are written; `whole` where none is left out."""
    other = same.count(False)
    if other:
        return f"≠ {other} of {len(same)} not as written"
    every = "all " if whole and len(same) > 1 else ""
    return f"✓ {every}{len(same)} sent as written"


def _heading(text: str) -> Row:
    return (("muted-bold", text),)


def _not_sent(subject: Subject, rendered: Rendered, width: int) -> list[Row]:
    dropped = [drop for drop in rendered.dropped if not waits(drop.node, subject.unfinished)]
    if not dropped:
        return []
    rows: list[Row] = [_heading("Not sent")]
    for item in dropped:
        rows += text_rows(f"{shown(item.node)}: {item.reason}", "muted", width, "  ")
    return [*rows, (("edge", "─" * width),)]


def as_written(sent: list[Table], written: list[Plain]) -> list[bool]:
    """Return for each message sent whether the sample has the same message, in the same order."""
    texts = [_message_text(item) for item in written if isinstance(item, dict)]
    added = {index for region in changed_regions(texts, [*map(_message_text, sent)]) for index in region.after}
    return [index not in added for index in range(len(sent))]


def _message_text(message: Table) -> str:
    """Return the text of a message, segments of text joined, to compare it with another."""
    content, calls_made = message.get("content"), message.get("tool_calls")
    if isinstance(content, list) and all(isinstance(item, dict) and item.get("type") == "text" for item in content):
        content = "\n".join(str(item.get("value", item.get("text"))) for item in content if isinstance(item, dict))
    calls: Plain = [*map(nested, calls_made)] if isinstance(calls_made, list) else calls_made
    other_values: list[Plain] = [message.get(key) for key in ("name", "tool_call_id", "function_call")]
    return json_text([message.get("role"), content, calls or None, *other_values])


def question(subject: Subject, width: int) -> list[Row]:
    """Return the legacy question string, a file that is whole in it named in its place."""
    rows = [
        row
        for call in calls(subject.rendered)
        for row in (*_turn(call), *_text(str(with_files_named(call.question)), "The question is empty.", width))
    ]
    return [_style(subject), *_environment(subject, width), *rows]


def viewed(subject: Subject, width: int) -> list[Row]:
    """Return the sample as it is read, by the view of its dialect."""
    return section_rows(sample_sections(subject.sample, subject.view or ()), Area(width, opened=subject.opened))


def sample_sections(sample: Sample, view: View, *, in_full: bool = True) -> tuple[Section, ...]:
    """Return the fields of a sample by a view; `in_full` with those that it does not name, hidden."""
    named = [steps(field.path) for field in view]
    others = sections_beside(sample.data, named, hidden=True) if in_full else ()
    return (*(section for _, section in sections_by(view, sample.data)), *others)


def guidelines(subject: Subject, width: int) -> list[Row]:
    """Return the guideline text, then every attachment and its state."""
    rows = _text(subject.rendered.guidelines, "No guideline is attached.", width)
    if subject.rendered.attachments:
        rows += [(("edge", "─" * width),), (("muted-bold", "Attached files"),)]
        for attachment in subject.rendered.attachments:
            state = "guideline" if attachment.guideline else "embedded"
            if attachment.problem:
                state = attachment.problem.reason
            style = "warning" if attachment.problem else "muted"
            rows += [
                *text_rows(one_line(attachment.written), "text", width, "  "),
                *text_rows(state, style, width, "    "),
            ]
    return rows


def grading(subject: Subject, width: int) -> list[Row]:
    """Return the grading context as JSON, then what else a grader is asked: the question, and what to judge by."""
    rows = [_style(subject), *_environment(subject, width)]
    rows += _titled("Context", json_text(with_files_named(subject.rendered.grading_context)), width)
    rows += _titled("Question, as the candidate is asked", subject.rendered.question or "Nothing is asked.", width)
    for name, prompt in grader_prompts(subject.sample, subject.rendered):
        rows += _titled(f"The grader {name} is asked", prompt, width)
    for name, value in grading_fields(subject.sample).items():
        rows += _titled(name, value if isinstance(value, str) else json_text(value), width)
    return rows


def _titled(title: str, text: str, width: int) -> list[Row]:
    return [(("text", ""),), (("muted-bold", one_line(title, width)),), *text_rows(text, "text", width)]


def request(subject: Subject, width: int) -> list[Row]:
    """Return the request of the chosen provider, in the shape of its API."""
    style, provider = _style(subject), (("muted", "provider "), ("accent-bold", subject.provider))
    caption: Row = (*style, ("muted", "  "), *provider)
    rows: list[Row] = [caption] if len(row_text(caption)) <= width else [style, provider]
    rows += _environment(subject, width)
    if subject.rendered.empty:
        return [*rows, *text_rows(_NOTHING, "muted", width)]
    for call in calls(subject.rendered):
        rows += [*_turn(call), *_sent(request_of(call, subject.provider, subject.system_prompt), subject, width)]
    return rows


def _sent(messages_sent: list[Table], subject: Subject, width: int) -> list[Row]:
    body = body_of(messages_sent, subject.provider, subject.sample.data)
    if subject.provider in SHAPED:
        return text_rows(json_text(with_files_named(body)), "text", width)
    rows = message_rows(messages_sent, width)
    for key in [key for key in body if key != "messages"]:
        rows += _titled(key, json_text(body[key]), width)
    return rows


def _style(subject: Subject) -> Row:
    """Return the prompt style in which the sample is rendered."""
    return (("muted", "prompt style "), ("accent-bold", subject.rendered.style))


def _environment(subject: Subject, width: int) -> list[Row]:
    """Return which variables of the environment the sample names, and whether their values are shown."""
    variables = subject.rendered.environment
    if not variables:
        return []
    names = ", ".join(variables)
    if None in variables.values():
        return text_rows(f"of the environment, hidden (= shows): {names}", "muted", width)
    return text_rows(f"of the environment, shown (= hides): {names}", "warning", width)


def _marked(rows: list[Row], values: Collection[str]) -> list[Row]:
    """Return rows with the values of the environment marked in them."""
    if not values:
        return rows
    pattern = re.compile(f"(?P<value>{'|'.join(map(re.escape, sorted(values, key=len, reverse=True)))})")
    return [
        tuple(part for style, text in row for part in painted(text, pattern, {"value": "warning"}, style))
        for row in rows
    ]


def _turn(call: Rendered) -> list[Row]:
    """Return the heading of a call: its turn of the conversation or its prompt; nothing for a single call."""
    if call.label:
        return [(("text", ""),), (("muted-bold", f"Prompt {one_line(call.label)}"),)]
    turn = call.sent[0].id.rpartition("/turn-")[2] if call.sent and "/turn-" in call.sent[0].id else ""
    return [(("text", ""),), (("muted-bold", f"Turn {turn}"),)] if turn else []


def source(subject: Subject, width: int) -> list[Row]:
    """Return the sample's text in the file, with line numbers."""
    document, inner = _written(subject)
    first = document.position(inner).line
    lines = document.chunk(inner).removesuffix("\n").split("\n")
    wide = len(str(first + len(lines)))
    rows: list[Row] = []
    for number, line in enumerate(lines, first):
        cut = text_rows(line.removesuffix("\r"), "text", width - wide - 1)
        coloured = [code_row(row_text(row), document.format) for row in cut]
        rows += [
            (("faint", (str(number) if index == 0 else "").rjust(wide) + " "), *row)
            for index, row in enumerate(coloured)
        ]
    return rows


def difference(subject: Subject, width: int) -> list[Row]:
    """Return the unified diff against the disk, or what git has."""
    text = diff(subject.deck.files, subject.olds)
    disk = subject.against is Base.DISK
    heading = text_rows("" if disk else f"since {subject.against}", "muted-bold", width) if not disk else []
    if not text:
        nothing = "Nothing has changed since the last save." if disk else "Nothing has changed."
        return [*heading, *text_rows(nothing, "muted", width)]
    return [*heading, *diff_rows(text, width)]


def golden(subject: Subject, width: int) -> list[Row]:
    """Return the golden trajectories as timelines."""
    from sampleui.tui.trace.rows import trajectories

    return trajectories(subject.sample.data, width)


def answer(subject: Subject, width: int) -> list[Row]:
    """Return the recorded answer that the sample is edited for."""
    assert subject.answered is not None
    return subject.answered.rows(subject.sample, Room(width, brackets=subject.brackets))


def _text(text: str, nothing: str, width: int) -> list[Row]:
    return text_rows(text, "text", width) if text else text_rows(nothing, "muted", width)


def option_rows(sample: Sample, width: int) -> list[Row]:
    """Return the options of a sample in their order, below a word on whether they are sent; none if it has none."""
    options = options_of(sample)
    if not options:
        return []
    rows: list[Row] = [(("text", ""),), (("muted-bold", "Options"),)]
    rows += text_rows(whether_sent(options, dialect_of(sample).title), "muted", width)
    for option in options:
        mark = "✓" if option.named else "–"
        rows += text_rows(f"{mark} {one_line(option.id)}  {option.text}", "text", width)
    return rows


_CHAT = "Chat"
_LONG = 20
"""Characters of a prompt that name its tab."""


def tabs_of(subject: Subject | None) -> tuple[str, ...]:
    """Return the tabs for a sample; golden trajectories and an answer have one if there are any.

    A sample that several prompts ask has a tab for each of them in the place of the one for its chat.
    """
    if subject is None:
        return tuple(title for title, tab in TABS.items() if tab.needs is None)
    prompts = tuple(_prompts(subject))
    shown = [title for title, tab in TABS.items() if tab.needs is None or tab.needs(subject)]
    return tuple(prompt for tab in shown for prompt in (prompts if prompts and tab == _CHAT else (tab,)))


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
    return TABS.get(tab, TABS[_CHAT]).is_json


def copied(subject: Subject, tab: str) -> str:
    """Return the whole of what a tab shows, as text: a question as it is, messages and requests as JSON."""
    if (prompt := _prompts(subject).get(tab)) is not None:
        return copied(prompt, _CHAT)
    shown_tab = TABS[tab]
    if shown_tab.copied is not None:
        return shown_tab.copied(subject)
    return "\n".join(row_text(row) for row in shown_tab.rows(subject, 10_000))


def _copied_grading(subject: Subject) -> str:
    rendered = subject.rendered
    prompts: Table = dict(grader_prompts(subject.sample, rendered))
    asked: Table = {"prompts": prompts} if prompts else {}
    judged: Table = {**rendered.grading_context, "question": rendered.question, **grading_fields(subject.sample)}
    return json_text(judged | asked)


def _copied_request(subject: Subject) -> str:
    sent = [request_of(call, subject.provider, subject.system_prompt) for call in calls(subject.rendered)]
    bodies: list[Plain] = [body_of(item, subject.provider, subject.sample.data) for item in sent]
    return json_text(bodies[0] if len(bodies) == 1 else bodies)


def _written(subject: Subject) -> tuple[Document, int]:
    """Return the document that has the text of the sample, and its index in that."""
    source, inner = subject.deck.files.locate(subject.sample.index)
    return subject.deck.files.sources[source].document, inner


def _copied_source(subject: Subject) -> str:
    document, inner = _written(subject)
    return document.chunk(inner)


_MARK = "\U000f8a5e"
"""A character of private use: where it comes out is where the value is shown, whichever way a tab shows it."""

_HUNK = re.compile(r"@@ -\d+(?:,\d+)? \+(\d+)")

_TAIL = 30
"""Characters before the cursor by which its place in a long line is known again."""


class PreviewAnchor(NamedTuple):
    """A place in a value: the path to it in the sample, and how many characters of its text are before it."""

    path: DataPath
    before: int


def _again(subject: Subject, sample: Sample) -> Rendered:
    """Return another sample rendered as the one that is shown, values of the environment shown or hidden."""
    values = subject.rendered.environment.values()
    return subject.deck.render(sample, environment=bool(values) and None not in values)


def _rows_of_anchor(subject: Subject, spot: PreviewAnchor) -> tuple[int, int]:
    """Return the line of the file that shows a spot, and about how many characters of the line are before it."""
    placed = subject.deck.place(subject.sample.index, Finding("", Severity.INFO, "", spot.path))
    document, inner = _written(subject)
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


def _source_row(subject: Subject, spot: PreviewAnchor, width: int) -> int:
    rows = subject.rows("Source", width)
    line, before = _rows_of_anchor(subject, spot)
    index = next((number for number, row in enumerate(rows) if row and row[0][1].strip() == str(line)), 0)
    while before > (wide := sum(len(text) for _, text in rows[index][1:])) and index + 1 < len(rows):
        if rows[index + 1][0][1].strip():  # the next line of the file
            break
        before -= wide
        index += 1
    return index


def _diff_row(subject: Subject, spot: PreviewAnchor, width: int) -> int | None:
    line, path = _rows_of_anchor(subject, spot)[0], subject.sample.path.name
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


class PreviewTab(NamedTuple):
    """A tab of the preview: all that is to be said of one.

    Attributes:
        title: its name.
        rows: what it shows in a width.
        copied: what is copied of it; None for the text of its rows.
        is_json: whether that is JSON.
        row_of: the row that shows a spot; None where that is found by a mark put into the value.
        needs: whether a sample has it; None where each has.
    """

    title: str
    rows: Callable[[Subject, int], list[Row]]
    copied: Callable[[Subject], str] | None = None
    is_json: bool = False
    row_of: Callable[[Subject, PreviewAnchor, int], int | None] | None = None
    needs: Callable[[Subject], bool] | None = None


VIEW = "View"
"""The tab of a sample as it is read."""

_IN_ORDER = (
    PreviewTab("Answer", answer, needs=lambda subject: subject.answered is not None),
    PreviewTab(_CHAT, chat, lambda subject: json_text([*subject.rendered.chat_prompt]), is_json=True),
    PreviewTab(VIEW, viewed, needs=lambda subject: subject.view is not None),
    PreviewTab("Question", question, lambda subject: subject.rendered.question),
    PreviewTab("Guidelines", guidelines, lambda subject: subject.rendered.guidelines),
    PreviewTab("Grading", grading, _copied_grading, is_json=True),
    PreviewTab("Request", request, _copied_request, is_json=True),
    PreviewTab("Golden", golden, needs=lambda subject: bool(subject.sample.data.get("golden_trajectories"))),
    PreviewTab("Source", source, _copied_source, row_of=_source_row),
    PreviewTab("Diff", difference, row_of=_diff_row),
)
TABS: Mapping[str, PreviewTab] = {tab.title: tab for tab in _IN_ORDER}
"""The tabs of the preview by their names, in their order."""
