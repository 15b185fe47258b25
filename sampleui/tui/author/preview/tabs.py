"""The tabs of the preview, by their names: what each shows, and what is copied of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping

from sampleui.formats.data import Plain, Table
from sampleui.prompt.request import calls, request_of
from sampleui.sample.parse import json_text
from sampleui.text.visible import one_line
from sampleui.tui.author.preview import rows
from sampleui.tui.author.preview.rows import Subject
from sampleui.tui.drawing.rows import Row, row_text

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
    return tuple(one for tab in shown for one in (prompts if prompts and tab == _CHAT else (tab,)))


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
        from sampleui.prompt.for_graders import asked_of, judged_by

        prompts: Table = dict(asked_of(subject.sample, rendered))
        asked: Table = {"prompts": prompts} if prompts else {}
        judged: Table = {**rendered.grading_context, "question": rendered.question, **judged_by(subject.sample)}
        return json_text(judged | asked)
    if tab == "Request":
        from sampleui.prompt.bodies import body_of

        sent = [request_of(call, subject.provider, subject.system_prompt) for call in calls(rendered)]
        bodies: list[Plain] = [body_of(one, subject.provider, subject.sample.data) for one in sent]
        return json_text(bodies[0] if len(bodies) == 1 else bodies)
    if tab == "Source":
        at, inner = subject.deck.files.locate(subject.sample.index)
        return subject.deck.files.sources[at].document.chunk(inner)
    return "\n".join(row_text(row) for row in TABS[tab](subject, 10_000))
