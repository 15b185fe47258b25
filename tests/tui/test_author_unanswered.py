"""Questions left without an answer, and answers that cannot be: nothing is changed, and only the latter is said."""

from __future__ import annotations

import json

import pytest

from .driver import keys_of, opened, said

CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
ONE = {
    "id": "one",
    "tags": ["x"],
    "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "", "tool_calls": [CALL]}],
    "score": 3,
}
TWO = {
    "id": "1",
    "tags": "y",
    "messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}],
    "odd": {},
}


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps(ONE) + "\n" + json.dumps(TWO) + "\n")
    return path


LEFT = (
    *("home a escape", "home + escape", "+ n e w enter escape", "home #  escape", "S escape", "# - enter"),
    *("G t escape", "G N escape", "G N enter", "G D escape", "A escape", "A enter", "C escape", ": escape"),
    *("1 N escape", "1 N enter", "1 X escape", "1 X n . t o m l enter escape", "2 w escape", "W escape"),
)


async def test_what_is_left_without_an_answer_changes_nothing_and_is_no_mistake(deck):
    async with opened(deck) as app:
        for keys in LEFT:
            await app.press(*keys.split())
            assert (app.app.screen, app.steps, said(app.screen)) == (app.screen, 0, ""), keys
    assert [one.name for one in deck.parent.iterdir()] == ["deck.jsonl"]


REFUSED = [
    ("S", "score", "score: write a name, = and a value"),
    ("S", "missing.one =", "there is no missing.one to delete"),
    ("#", "x", "tagged x already"),
    ("#", "-z", "nothing to take away"),
    ("] #", "-z", "nothing to take away"),
    ("1 X", "deck.jsonl", "that is this deck; D duplicates samples in it"),
    ("G D", "id", "id is there already"),
    ("A", "other.toml", "other.toml is named as another format"),
    (":", "3", "there is no sample 3: the last one is 2"),
]


async def test_an_answer_that_cannot_be_is_refused(deck):
    async with opened(deck) as app:
        for keys, answer, why in REFUSED:
            await app.press("[", "2", "home", *keys.split(), *keys_of(answer), "enter")
            assert why in app.bar, (keys, answer)
            assert (app.text, app.steps) == (deck.read_text(), 0), (keys, answer)
            await app.press("escape", "escape")
            assert app.app.screen is app.screen and not app.screen.typing, (keys, answer)
