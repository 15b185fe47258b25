"""The prompt in the preview: whose request it is, with which system prompt, and all of it on the clipboard."""

from __future__ import annotations

import json

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.settings.options import Settings
from sampleui.tui.author.preview import TABS, as_written
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.widgets.bars import TabStrip

from .driver import DECKS, Driver, opened


def shown(app: Driver, tab: str) -> str:
    """Return what a tab shows of the current sample."""
    subject = app.screen.preview.subject
    assert subject is not None
    return "\n".join(row_text(row) for row in TABS[tab].rows(subject, 80))


async def test_the_provider_is_chosen_and_its_request_has_its_shape(hello):
    async with opened(hello) as app:
        await app.press("w")
        await app.dialog(*"anthropic", "enter")
        await app.until(lambda: app.screen.settings.provider == "anthropic")
        body = json.loads(shown(app, "Request").partition("\n")[2])
        assert (body["system"], body["messages"][0]["role"]) == ("You are a careful assistant.", "user")


async def test_the_system_prompt_is_written_in_the_app(hello):
    async with opened(hello) as app:
        await app.press("W")
        await app.dialog("B", "e", "space", *"brief", "full_stop", "enter")
        await app.until(lambda: app.screen.settings.system_prompt == "Be brief.")
        assert "Be brief." in shown(app, "Chat")
        await app.press("W")
        await app.dialog(*"none", "enter")
        await app.until(lambda: app.screen.settings.system_prompt is None)
        assert "Be brief." not in shown(app, "Chat")


async def test_a_system_prompt_of_several_lines_is_written_in_the_app(hello):
    async with opened(hello) as app:
        await app.press("W")
        await app.dialog(*"several", "enter")
        await app.dialog(*"Be", "enter", *"kind", "ctrl+s")
        await app.until(lambda: app.screen.settings.system_prompt == "Be\nkind")
        assert "Be\n│ kind" in shown(app, "Chat")
        await app.press("W")
        await app.dialog(*"several", "enter")
        await app.dialog("x", "escape")
        assert app.screen.settings.system_prompt == "Be\nkind"


async def test_the_whole_prompt_is_copied(hello, monkeypatch):
    held: list[str] = []
    monkeypatch.setattr("pyperclip.copy", held.append)
    monkeypatch.setattr("pyperclip.paste", lambda: held[-1])
    async with opened(hello, settings=Settings(provider="gemini")) as app:
        await app.press("y", "p")
        assert json.loads(held[0])[0] == {"role": "user", "content": "What is 2+2?"}
        await app.press("p", "y", "p")
        assert held[1].startswith("[User]:\nWhat is 2+2?")
        await app.press("p", "p", "y", "p", "p", "y", "p")
        assert json.loads(held[2])["question"] == held[1]
        assert "systemInstruction" in json.loads(held[3])


async def test_what_is_sent_as_written_is_said_at_a_glance(hello):
    async with opened(hello) as app:
        assert "✓ all 2 sent as written" in shown(app, "Chat")
        await app.press("d")
        assert "✓ 1 sent as written" in shown(app, "Chat")


def heads(rows: str) -> list[str]:
    return [line for line in rows.split("\n") if line.startswith(("✓", "≠"))]


async def test_messages_are_shown_as_they_are_sent_each_with_its_sign():
    async with opened(DECKS / "attachments.toml") as app:
        roles = [message["role"] for message in app.screen.subject(app.screen.sample).rendered.chat_prompt]
        told, *signs = heads(shown(app, "Chat"))
        assert told == "≠ 2 of 2 not as written" and roles == ["system", "user"]
        assert [(sign[0], sign.split()[2]) for sign in signs] == [("≠", "system"), ("≠", "user")]


@pytest.mark.parametrize(("keys", "tab"), [("p", "Chat"), ("pp", "Question"), ("P", "Chat"), ("PP", "Diff")])
async def test_where_one_pane_fills_the_screen_the_preview_is_gone_to_first(hello, keys, tab):
    async with opened(hello, size=(80, 24)) as app:
        await app.press(*keys)
        assert (app.screen.scope, app.screen.preview.tab) == ("preview", tab)
        await app.press("2", keys[0])
        assert (app.screen.scope, app.screen.preview.tab) == ("preview", tab), "it is where it was left"
    async with opened(hello, size=(140, 40)) as app:
        await app.press("p")
        assert (app.screen.scope, app.screen.preview.tab) == ("turns", "Question"), "it is in sight already"


TURNS: list[Plain] = [
    {"role": "system", "content": "Be kind."},
    {"role": "user", "content": "See: <file>"},
    {"role": "assistant", "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f"}}]},
    {"role": "tool", "tool_call_id": "c", "content": "3"},
    {"role": "user", "content": "Thanks"},
]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        (TURNS, "✓✓✓✓✓"),
        ([TURNS[0], {"role": "user", "content": "See: text"}, *TURNS[2:]], "✓≠✓✓✓"),
        ([{"role": "system", "content": "Be kind. And more"}, *TURNS[1:]], "≠✓✓✓✓"),
        ([*TURNS[:2], {"role": "assistant"}, *TURNS[3:]], "✓✓≠✓✓"),
        ([*TURNS[:3], {"role": "tool", "tool_call_id": "d", "content": "3"}, TURNS[4]], "✓✓✓≠✓"),
        ([TURNS[1], TURNS[4], *TURNS], "≠≠✓✓✓✓✓"),
        ([TURNS[4], *TURNS[1:]], "≠✓✓✓✓"),
    ],
)
def test_a_message_is_as_written_if_the_sample_has_it_in_its_place(sent, expected) -> None:
    assert "".join("✓" if same else "≠" for same in as_written(sent, TURNS)) == expected


def test_segments_of_text_are_sent_as_one_text() -> None:
    written: list[Plain] = [
        {"role": "user", "content": [{"type": "text", "value": "Hi"}]},
        {"role": "user", "content": "file"},
    ]
    sent: list[Table] = [{"role": "user", "content": "Hi"}, {"role": "user", "content": "=== a ===\nx"}]
    assert as_written(sent, written) == [True, False]


async def test_the_grading_tab_shows_what_a_grader_is_asked(tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_text(
        "evalcases:\n  - id: a\n    input: Hi?\n    criteria: Be short.\n    rubrics: [kind]\n", "utf-8"
    )
    async with opened(deck) as app:
        text = shown(app, "Grading")
        assert all(words in text for words in ("fullConversation", "Question, as", "Hi?", "Be short.", "kind"))


async def test_each_prompt_has_a_tab(tmp_path, monkeypatch):
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text(
        "prompts:\n  - {raw: 'Say {{q}}', label: Say}\n  - 'Answer in one word, please: {{q}}'\n"
        "  - {raw: 'Ask {{q}}', label: Say}\n"
        "providers: [echo]\ntests:\n  - vars: {q: why}\n  - vars: {q: how}\n"
    )
    copied = []
    monkeypatch.setattr("pyperclip.copy", copied.append)
    async with opened(path) as app:
        tabs = app.screen.preview.query_one(TabStrip).tabs
        assert tabs[:4] == ("Say", "Answer in one word,…", "Say #3", "Question")
        assert "Say why" in app.preview and "please" not in app.preview
        await app.press("p")
        assert "please: why" in app.preview and "Say" not in app.preview
        await app.press("y", "p", "]")
        assert json.loads(copied[0]) == [{"role": "user", "content": "Answer in one word, please: why"}]
        assert "please: how" in app.preview


async def test_beside_the_conversation_what_is_sent_as_written_is_a_line_each_until_one_asks(tmp_path):
    path = tmp_path / "deck.jsonl"
    turns = [{"role": role, "content": "first line\nsecond line"} for role in ("user", "assistant") * 20]
    path.write_text(json.dumps({"id": "a", "messages": turns}) + "\n")

    def seen(app: Driver) -> list[str]:
        return [row_text(row).strip() for row in app.screen.preview.view.rows]

    outlined, whole = "✓ ● user       first line second line", "│ first line"
    async with opened(path, size=(120, 40)) as app:
        await app.until(lambda: outlined in seen(app))
        app.screen.set_focus(app.screen.preview.view)
        await app.press("Z")
        assert whole in seen(app)
        await app.press("Z")
        assert whole not in seen(app)
        await app.press("z")
        await app.until(lambda: whole in seen(app))
    async with opened(path, size=(80, 24)) as app:
        await app.press("p")
        await app.until(lambda: whole in seen(app))
    async with opened(path, size=(120, 40), settings=Settings(whole_preview=True)) as app:
        await app.until(lambda: whole in seen(app))
