"""A list that is added, or is empty, is opened itself, and never another value."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from sampleui.sample.dialects.shipped import DIALECTS
from tests.inside import inside

from .driver import drawn_lines, keys_of, opened

TURN = {"role": "assistant", "content": "The answer."}


def written(form: str, samples: list[dict[str, Any]]) -> str:
    match form:
        case "toml":
            lines = [
                "[[samples]]\n" + "".join(f"{key} = {_inline(value)}\n" for key, value in one.items())
                for one in samples
            ]
            return "\n".join(lines)
        case "yaml":
            return yaml.safe_dump({"tests": samples}, sort_keys=False)
        case "json":
            return json.dumps(samples, indent=2)
        case "jsonl":
            return "".join(json.dumps(one) + "\n" for one in samples)
        case _:
            table = io.StringIO()
            rows = csv.DictWriter(table, [*samples[0]])
            rows.writeheader()
            rows.writerows({key: _cell(value) for key, value in one.items()} for one in samples)
            return table.getvalue()


def _inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_inline(item)}" for key, item in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_inline, value)) + "]"
    return json.dumps(value)


def _cell(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def first(form: str, text: str) -> dict[str, Any]:
    match form:
        case "toml":
            return tomllib.loads(text)["samples"][0]
        case "yaml":
            return yaml.safe_load(text)["tests"][0]
        case "json":
            return json.loads(text)[0]
        case "jsonl":
            return json.loads(text.splitlines()[0])
        case _:
            row = next(csv.DictReader(io.StringIO(text)))
            return {key: json.loads(value) if value[:1] in "[{" else value for key, value in row.items() if value}


async def add(app: Any, name: str) -> None:
    await app.press("+")
    await app.dialog(*name, "enter")
    if app.app.screen is not app.screen:  # of several types the first one
        await app.press("enter")
    await app.settled()


TEXT, SEGMENTS = "The answer.", [{"type": "text", "text": "The answer."}]


@pytest.mark.parametrize(
    ("dialect", "form", "content"),
    [
        ("calibrate", "toml", TEXT),
        ("calibrate", "csv", TEXT),
        ("agentv", "yaml", TEXT),
        ("agentv", "yaml", SEGMENTS),
        ("gage", "json", SEGMENTS),
        ("gage", "jsonl", ""),
        ("openai", "jsonl", TEXT),
        ("inspect", "jsonl", TEXT),
        ("deepeval", "json", TEXT),
        ("promptfoo", "yaml", TEXT),
        ("langsmith", "jsonl", TEXT),
    ],
)
async def test_calls_are_added_to_a_turn_that_keeps_its_text(tmp_path: Path, dialect, form, content) -> None:
    kind = DIALECTS[dialect]
    key = {"inspect": "input", "agentv": "input", "deepeval": "turns"}.get(dialect, "messages")
    turns = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": content}]
    path = tmp_path / f"deck.{form}"
    around = {"promptfoo": "vars", "langsmith": "inputs"}.get(dialect)
    sample = {around: {key: turns}} if around else {"id": "a", key: turns}
    path.write_text(written(form, [sample]))
    async with opened(path, dialect=dialect) as app:
        await app.press("j")
        assert app.at == "assistant 2"
        before = app.text
        await app.press("+")
        await app.answer("tool_calls")
        await app.answer("weather")
        sample = inside(first(form, app.text), *([around] if around else []))
        [call] = sample[key][1]["tool_calls"]
        assert sample[key][1]["content"] == content and sample[key][0] == turns[0]
        assert "weather" in json.dumps(call)
        inner = call if kind.name == "inspect" else call["function"]
        assert inner["arguments"] == ("{}" if dialect == "openai" else {})
        await app.press("escape", "u")
        assert app.text == before


@pytest.mark.parametrize(
    ("form", "key"), [("toml", "+"), ("yaml", "o"), ("json", "+"), ("jsonl", "o"), ("csv", "+")]
)
async def test_an_empty_list_of_calls_is_shown_entered_and_added_to(tmp_path: Path, form, key) -> None:
    path = tmp_path / f"deck.{form}"
    messages = [{"role": "assistant", "content": "The answer.", "tool_calls": []}]
    path.write_text(written(form, [{"id": "a", "messages": messages}]))
    async with opened(path, dialect="openai") as app:
        assert any("no calls" in card for card in app.cards)
        await app.press("l", key)
        await app.settled()
        assert app.screen.typing
        await app.type("w1")
        await app.press("escape", "escape")
        [turn] = first(form, app.text)["messages"]
        assert turn["content"] == "The answer." and turn["tool_calls"][0]["id"] == "w1"


@pytest.mark.parametrize(
    ("dialect", "form", "name", "expected"),
    [
        ("calibrate", "toml", "tags", ["math"]),
        ("agentv", "yaml", "rubrics", ["math"]),
        ("gage", "jsonl", "options", None),
        ("openai", "jsonl", "tools", None),
        ("calibrate", "yaml", "metadata.list[0]", None),
        ("agentv", "json", "execution", None),
    ],
)
async def test_a_list_of_a_sample_opens_at_its_first_item(tmp_path: Path, form, dialect, name, expected) -> None:
    key = "input" if dialect == "agentv" else "messages"
    messages = [{"role": "user", "content": "Why?"}]
    path = tmp_path / f"deck.{form}"
    path.write_text(written(form, [{"id": "a", key: messages}]))
    async with opened(path, dialect=dialect) as app:
        await add(app, name)
        if expected is not None:
            assert app.screen.typing
            await app.type("math")
        await app.press("escape", "escape")
        sample = first(form, app.text)
        assert sample[key] == messages and sample["id"] == "a"
        if expected is not None:
            assert sample[name] == expected


async def test_a_call_takes_the_place_of_null(tmp_path: Path) -> None:
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps({"messages": [{**TURN, "tool_calls": None}]}) + "\n")
    async with opened(path, dialect="openai") as app:
        await app.press("+")
        await app.answer("tool_calls")
        await app.answer("weather")
        [turn] = json.loads(app.text)["messages"]
        assert turn["content"] == TURN["content"] and turn["tool_calls"][0]["function"]["name"] == "weather"


async def test_an_empty_list_beside_the_samples_takes_an_item(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text('names = []\n\n[[samples]]\nmessages = [{ role = "user", content = "Why?" }]\n')
    async with opened(path, dialect="calibrate") as app:
        await app.press("0", "+")
        if app.app.screen is not app.screen:
            await app.press("enter")
        await app.type("one")
        await app.press("escape", "escape")
        assert tomllib.loads(app.text)["names"] == ["one"]


async def test_tables_of_a_list_fold_when_the_cursor_leaves_them_and_stay_open_for_marks(tmp_path: Path) -> None:
    deck = tmp_path / "deck.jsonl"
    options = [{"id": name, "content": name * 3} for name in "AB"]
    deck.write_text(
        written("jsonl", [{"id": "a", "messages": [{"role": "user", "content": "Why?"}], "options": options}])
    )
    async with opened(deck, dialect="gage") as app:
        app.screen.go_to(("options",))
        await app.press("o", *"Cat", "escape")

        def folded() -> list[str]:
            return [item.line for item in app.screen.conversation.items if item.path[:1] == ("options",)][1:]

        assert folded()[:2] == ["A  AAA", "B  BBB"] and len(folded()) == 5
        await app.press("up", "up", "up")
        assert folded() == ["A  AAA", "B  BBB", "C  Cat"]
        await app.press("u")
        assert folded() == ["A  AAA", "B  BBB"]
        app.screen.go_to(("options", 1))
        await app.press("Z", "up", "up")
        assert len(folded()) == 4, "what Z opened stays open"
        app.screen.go_to(("options", 0, "content"))
        await app.press("enter", "escape", "space", "up", "up", "up", "up")
        assert len(folded()) == 6, "what has marks stays open"
        await app.press("escape", "up")
        assert folded()[0] == "A  AAA"


async def test_a_value_typed_for_its_type_is_the_value_and_dates_are_dates_in_toml(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    asked = 'id = "a"\nmessages = [{ role = "user", content = "hi" }]\n'
    deck.write_text(f'[[samples]]\n{asked}metadata = {{ source = "web" }}\n')
    async with opened(deck) as app:

        def metadata() -> Any:
            return app.screen.session.deck.samples[0].data["metadata"]

        app.screen.go_to(("metadata", "source"))
        for line in ("when: 2026-05-01", 'said: "2026-05-01"'):
            await app.press("+", *keys_of(line), "enter")
        await app.press("+", *"score", "enter", *"0.75", "enter")
        assert metadata() == {"source": "web", "when": dt.date(2026, 5, 1), "said": "2026-05-01", "score": 0.75}
        await app.press("+", *"table", "enter", "{", "enter")
        await app.press(*keys_of("a: 2026-05-01"), "enter", *keys_of("a: 1"), "escape")
        assert "a is there already" in "\n".join(drawn_lines(app.screen))
        await app.press(*["backspace"] * 4, *keys_of("tags: [math, not easy]"), "escape")
        await app.press("+", *keys_of("more: [b, 2]"), "enter", "+", *keys_of('text: "[b]"'), "enter")
        assert metadata()["table"] == {"a": dt.date(2026, 5, 1), "tags": ["math", "not easy"]}
        data = app.screen.session.deck.samples[0].data
        assert (data["more"], data["text"]) == (["b", 2], "[b]")
        await app.press(*"+some", "enter", "A", "enter", *"+any", "enter", *"true", "enter")
        data = app.screen.session.deck.samples[0].data
        assert (data["some"], data["any"]) == ("A", True)  # no table and no choice, though their names hold these
        await app.press("u", "u", "u", "u", "u", "u")
        assert "score" not in metadata()
