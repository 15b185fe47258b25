"""What a recorded case of this room is: a deck with the files beside it, a template, or messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sampleui import open_deck
from sampleui.errors import SampleUIError
from sampleui.formats.data import Plain
from sampleui.prompt.bodies import body_of
from sampleui.prompt.for_graders import asked_of, judged_by
from sampleui.prompt.nunjucks import Filling, resolved
from sampleui.prompt.providers import PROVIDERS, provider_messages
from sampleui.prompt.render import Rendered, render
from sampleui.prompt.request import calls, request_of
from tests.recorded import as_json, folder_of_a_case, write


def play(given: dict[str, Any]) -> Plain:
    """Render a deck, fill a template, or make requests.

    Args:
        given: `files`, the texts of a deck and of what is beside it by their names, the deck first, with the
            `style` and `system` prompt of the rendering; or a `template`, its `variables`, `environment`, own
            filters and the name of a `literal` variable; or `messages` and the `sample` that says which tools
            there are; or a `request` and the `system` prompt beside it.

    Returns:
        What each sample sends, with what is found and left out; the filled text and what is told of it; or the
        request in the shape of each provider.
    """
    if "template" in given:
        return _filled(given)
    if "messages" in given:
        return {name: body_of(given["messages"], name, given["sample"]) for name in PROVIDERS}
    if "request" in given:
        return {name: [*provider_messages(given["request"], name, given["system"])] for name in PROVIDERS}
    with folder_of_a_case() as home:
        folder = home / "project" / "decks"
        (folder.parent / ".git").mkdir(parents=True)
        write(folder, given["files"])
        return as_json(_deck(folder / next(iter(given["files"])), given), home)


def _filled(given: dict[str, Any]) -> Plain:
    notes: list[str] = []
    literal = given.get("literal", "")
    filling = Filling(
        resolved(given["variables"], notes, literal),
        given.get("environment", {}),
        notes,
        frozenset(given.get("own", ())),
        literal,
    )
    return {"text": filling.with_filled().value(given["template"]), "notes": [*notes]}


def _deck(path: Path, given: dict[str, Any]) -> Plain:
    try:
        deck = open_deck(path)
    except SampleUIError as error:
        return {"error": str(error)}
    return [
        _sent(render(sample, given.get("system"), given.get("patterns"), style=given["style"]))
        for sample in deck.samples
    ]


def _sent(rendered: Rendered) -> Plain:
    sample = rendered.sample
    return {
        "calls": [
            {
                "label": one.label,
                "chat": one.chat_prompt,
                "question": one.question,
                "guidelines": one.guidelines,
                "requests": {name: [*request_of(one, name, "S")] for name in ("openai", "vscode")},
                "bodies": [body_of(request_of(one, name), name, sample.data) for name in ("anthropic", "gemini")],
            }
            for one in calls(rendered)
        ],
        "grading": rendered.grading_context,
        "judged": judged_by(sample),
        "asked": [[*pair] for pair in asked_of(sample, rendered)],
        "dropped": [[[*one.node], one.reason] for one in rendered.dropped],
        "files": [[one.written, one.problem and one.problem.rule, one.guideline] for one in rendered.attachments],
        "findings": [str(one) for one in rendered.diagnostics],
        "unread": [one.message for one in rendered.unread],
    }
