"""What a file holds beside its samples: shown, edited and taken back with the keys of any field."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
import yaml

from .driver import opened

TOML = """\
# Mine.
[meta]
name = "first" # kept
tags = ["a", "b"]

[[samples]]
messages = [{ role = "user", content = "Hi" }]

[[samples]]
messages = [{ role = "user", content = "Ho" }]
"""
YAML = """\
# Mine.
meta:
  name: first # kept
  tags: [a, b]
evalcases:
  - id: x
    input_messages:
      - role: user
        content: Hi
"""
JSON = """\
{
  "meta": {"name": "first", "tags": ["a", "b"]},
  "samples": [
    {"messages": [{"role": "user", "content": "Hi"}]}
  ]
}
"""
DECKS = {"a.toml": (TOML, tomllib.loads), "a.yaml": (YAML, yaml.safe_load), "a.json": (JSON, json.loads)}


@pytest.fixture(params=DECKS)
def deck(request, tmp_path: Path):
    text, read = DECKS[request.param]
    path = tmp_path / request.param
    path.write_text(text, encoding="utf-8")
    return path, text, read


async def test_the_names_that_the_dialect_has_beside_the_samples_are_offered(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("evalcases:\n  - id: x\n    input_messages: []\n", encoding="utf-8")
    async with opened(path) as app:
        await app.press("0", "+")
        await app.dialog(*"targ", "enter")
        await app.dialog(*"text", "enter")
        await app.until(lambda: app.screen.conversation.editing)
        await app.type("gpt")
        await app.press("escape")
        assert yaml.safe_load(app.text)["target"] == "gpt"


async def test_a_value_beside_the_samples_is_edited_saved_and_taken_back(deck):
    path, text, read = deck
    async with opened(path) as app:
        await app.press("0", "j", "enter", "end")
        await app.type(" second")
        await app.press("escape")
        assert app.text == text.replace("first", "first second", 1)
        await app.press("ctrl+s")
        await app.settled()
        assert path.read_text(encoding="utf-8") == app.text
        assert read(app.text)["meta"]["name"] == "first second"
        await app.press("u")
        assert app.text == text


async def test_every_field_key_acts_on_it(deck):
    path, text, read = deck
    async with opened(path) as app:
        await app.press("0", "j", "N")
        await app.answer("x")
        await app.settled()
        assert read(app.text)["meta"] == {"x": "first", "tags": ["a", "b"]}
        await app.press("j", "Z", "j", "J")
        assert read(app.text)["meta"]["tags"] == ["b", "a"]
        await app.press("D")
        assert read(app.text)["meta"]["tags"] == ["b", "a", "a"]
        await app.press("d")
        await app.press("+")
        await app.answer("meta.level")
        await app.answer("number")
        await app.until(lambda: app.app.screen is app.screen)
        await app.type("3")
        await app.press("escape")
        assert read(app.text)["meta"] == {"x": "first", "tags": ["b", "a"], "level": 3}
        await app.press(*"uuuuu")
        assert app.text == text


async def test_commands_on_samples_say_that_this_is_none(deck):
    path, text, _ = deck
    async with opened(path) as app:
        await app.press("0", "E")
        assert "beside the samples" in app.bar
        await app.press("shift+tab", "d")
        assert app.text == text
        await app.press("0")
        assert "Hi" in "\n".join(app.cards)


async def test_the_first_value_beside_the_samples_is_added(tmp_path: Path):
    path = tmp_path / "a.toml"
    samples = TOML[TOML.index("[[samples]]") :]
    path.write_text(samples, encoding="utf-8")
    async with opened(path) as app:
        await app.press("0", "+")
        await app.answer("meta.owner")
        await app.answer("text")
        await app.until(lambda: app.app.screen is app.screen)
        await app.type("me")
        await app.press("escape")
        found = tomllib.loads(app.text)
        assert found["meta"] == {"owner": "me"}
        assert app.text.endswith(samples)
