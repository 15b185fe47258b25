"""How many keys a sample takes beside its text, with the one that creates the deck and the one that saves it."""

from __future__ import annotations

import json
import tomllib

import pytest
import yaml
from textual import events

from sampleui.tui.screens.dialogs import Confirm

from .driver import keys_of, opened

CHAT = [(("user", "assistant")[index % 2], f"line {index}") for index in range(10)]
PASTED = "\n\n".join(f"{role.capitalize()}: {text}" for role, text in CHAT)
NAMED = {
    "source": "web",
    "year": 2024,
    "hard": True,
    "ratio": 0.5,
    "day": "2024-05-06",
    "tags": ["a", "b"],
    "note": "none of it",
    "ref": "12a",
    "where": {"city": "Rome"},
    "seen": False,
}


class Text(str):
    """What only the author can say, and names picked by their letters: it is typed, and not counted."""


def texts(*values):
    """Return texts with the key between them that goes on with the next turn or item."""
    return [key for value in values for key in ("ctrl+t", Text(value))]


def lines(**values):
    """Return the keys of a table's lines; their signs count, the names and the values do not."""
    keys = []
    for name, value in values.items():
        keys += ["enter", Text(name), ":", *(value if isinstance(value, list) else [Text(value)])]
    return keys[1:]


def spoken(sample):
    return [(message["role"], message["content"]) for message in sample.get("messages", sample.get("input"))]


def functions(calls):
    return [(call["function"]["name"], call["function"]["arguments"]) for call in calls]


def has_question(sample):
    assert (spoken(sample), sample["expected"]) == ([("user", "What is 2+2?")], "4")


def has_six_turns(sample):
    assert [text for _, text in spoken(sample)] == ["Hi", "Hello.", "Rome?", "Sunny.", "Oslo?", "Snow."]
    assert [role for role, _ in spoken(sample)] == ["user", "assistant"] * 3


def has_tools(sample):
    roles, called = [role for role, _ in spoken(sample)], sample["messages"][1]["tool_calls"]
    assert roles == ["user", "assistant", "tool", "tool", "assistant"]
    assert functions(called) == [("get_weather", {"city": "Rome"}), ("search", {"topic": "news"})]
    assert [message["tool_call_id"] for message in sample["messages"][2:4]] == [call["id"] for call in called]
    properties = [tool["function"]["parameters"]["properties"] for tool in sample["tools"]]
    assert properties == [{"city": {"type": "string"}}, {"topic": {"type": "string"}}]


def has_options(sample):
    named = [(option["id"], option["content"]) for option in sample["options"]]
    assert named == [("A", "Whale"), ("B", "Shark"), ("C", "Squid"), ("D", "Ray"), ("E", "Cod")]
    assert sample["label"] == "A"


def has_assertions(sample):
    held = [(item["type"], item["value"]) for item in sample["assertions"]]
    assert held == [("contains", "15%"), ("equals", "x"), ("regex", "y")]


def has_metadata(sample):
    assert sample["metadata"] == NAMED


def has_chat(sample):
    assert spoken(sample) == CHAT


TASKS = {
    "a question with an answer": (
        ("deck.toml", "calibrate", has_question, 7),
        ["enter", "n", Text("What is 2+2?"), "escape", "+", Text("expected"), "enter", "enter", Text("4")],
    ),
    "six turns": (
        ("deck.toml", "calibrate", has_six_turns, 8),
        ["enter", "n", Text("Hi"), *texts("Hello.", "Rome?", "Sunny.", "Oslo?", "Snow.")],
    ),
    "two tools, two calls and results": (
        ("deck.json", "gage", has_tools, 19),
        [
            *("enter", "n", Text("Weather and news?"), "escape"),
            *("+", Text("tools"), "enter", Text("get_weather"), "tab", Text("city")),
            *(*texts("search"), "tab", Text("topic"), "escape"),
            *("home", "i", Text("get_weather"), "enter", Text("Rome"), "escape"),
            *("i", Text("search"), "enter", Text("news"), *texts("sunny", "none", "Sunny, and no news.")),
        ],
    ),
    "five options with a label": (
        ("deck.json", "gage", has_options, 14),
        [
            *("enter", "n", Text("Largest?"), "escape"),
            *("+", Text("options"), "enter", Text("A"), "tab", Text("Whale")),
            *(*texts("Shark", "Squid", "Ray", "Cod"), "escape", "+", Text("label"), "enter", Text("A")),
        ],
    ),
    "three assertions": (
        ("deck.yaml", "agentv", has_assertions, 11),
        [
            *("enter", "n", Text("Rate?"), "escape", "+", Text("assertions"), "enter"),
            *(Text("contains"), "enter", Text("15%"), *texts("equals"), "enter", Text("x")),
            *(*texts("regex"), "enter", Text("y")),
        ],
    ),
    "ten values of metadata": (
        ("deck.yaml", "agentv", has_metadata, 29),
        [
            *("enter", "n", Text("Hi"), "escape", "+", Text("metadata"), "enter"),
            *lines(source="web", year="2024", hard="true", ratio="0.5", day="2024-05-06"),
            *("enter", *lines(tags=["[", Text("a"), ",", Text("b"), "]"])),
            *("enter", *lines(note="none of it", ref="12a")),
            *("enter", Text("where"), ".", *lines(city="Rome"), "enter", *lines(seen="false")),
        ],
    ),
    "a pasted chat of ten turns": (
        ("deck.toml", "calibrate", has_chat, 5),
        ["enter", "n", events.Paste(PASTED), "enter"],
    ),
}
READERS = {".toml": lambda text: tomllib.loads(text)["samples"], ".json": json.loads}


@pytest.mark.parametrize("task", TASKS)
async def test_a_sample_takes_so_many_keys_beside_its_text(tmp_path, task):
    (name, dialect, holds, most), keys = TASKS[task]
    path = tmp_path / name
    async with opened(path, (80, 24), dialect=dialect) as app:
        await app.until(lambda: isinstance(app.app.screen, Confirm))
        for key in keys:
            if isinstance(key, events.Paste):
                app.app.post_message(key)
                await app.settled()
            else:
                await app.press(*(keys_of(key) if isinstance(key, Text) else [key]))
        await app.press("ctrl+s")
        await app.until(path.exists)
    read = READERS.get(path.suffix, lambda text: yaml.safe_load(text)["tests"])
    (sample,) = read(path.read_text())
    holds(sample)
    assert sum(not isinstance(key, Text) for key in [*keys, "ctrl+s"]) == most
