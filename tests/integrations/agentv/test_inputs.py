"""What AgentV's loader makes of a test: its messages, with shared input, files and variables, and its turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import DataPath, Plain, Table
from sampleui.integrations.agentv.prompts_4 import AgentvTest as AsRun
from sampleui.integrations.agentv.prompts_4 import test_of as as_run
from sampleui.sample.variables import Piece, pieces, variables_of, with_environment, with_variables
from tests.prompt.conftest import sample

Told = tuple[str, Plain, DataPath]
FILE: Table = {"type": "file", "value": "a.md"}


def made(data: Table, **context: Any) -> AsRun:
    return as_run(sample(Path("decks"), data, **context), {"CITY": "Bern"})


def told(test: AsRun) -> list[Told]:
    return [(one.role, one.content, one.node) for one in test.messages]


@pytest.mark.parametrize(
    ("data", "messages", "refused"),
    [
        ({"input": "Hi"}, [("user", "Hi", ("input",))], ()),
        ({"input": {"q": 1}}, [("user", {"q": 1}, ("input",))], ()),
        ({"input": {"role": "system", "content": "x"}}, [("system", "x", ("input",))], ()),
        ({"input": 7}, [], ()),
        ({"input_messages": [{"role": "user", "content": "x"}]}, [("user", "x", ("input_messages", 0))], ()),
        ({"input": "Hi", "input_messages": [{"role": "user", "content": "x"}]}, [("user", "Hi", ("input",))], ()),
        (
            {"input": ["x", {"role": "bot", "content": "x"}, {"role": "tool", "content": [7]}, {"role": "user"}]},
            [],
            (("input", 0), ("input", 1), ("input", 2), ("input", 3)),
        ),
        ({"input": [{"role": "tool", "content": [FILE, "x"]}]}, [("tool", [FILE, "x"], ("input", 0))], ()),
        ({"input": [{"role": "assistant", "content": {}}]}, [("assistant", {}, ("input", 0))], ()),
        (
            {"input": "Hi", "input_files": ["a.md", 7]},
            [("user", [FILE, {"type": "text", "value": "Hi"}], ("input",))],
            (),
        ),
        ({"input": "Hi", "input_files": []}, [], ()),
        ({"input": "Hi", "input_files": "a.md"}, [], ()),
        ({"input": [{"role": "user", "content": "x"}], "input_files": ["a.md"]}, [], ()),
    ],
)  # fmt: skip
def test_a_test_s_own_messages(data: Table, messages: list[Told], refused: tuple[DataPath, ...]) -> None:
    test = made(data)
    assert (told(test), test.refused) == (messages, refused)


def test_shared_input_comes_first_and_stands_nowhere() -> None:
    shared: Table = {"input": [{"role": "system", "content": "in ${{ CITY }}"}], "input_files": ["a.md"]}
    own = ("user", [FILE, {"type": "text", "value": "Hi"}], ("input",))
    assert told(made({"input": "Hi"}, **shared)) == [("system", "in Bern", ()), own]
    assert told(made({"input": "Hi", "input_files": ["b.md"]}, **shared))[1][1] != own[1]
    assert told(made({"input": "Hi", "execution": {"skip_defaults": True}}, **shared)) == [
        ("user", "Hi", ("input",))
    ]
    assert told(made({"input": "Hi"}, input="", input_files=[])) == [("user", "Hi", ("input",))]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"expected_output": "a", "criteria": "b"}, "a"),
        ({"criteria": "b", "expected_outcome": "c"}, "b"),
        ({"expected_outcome": "{{ x }}", "vars": {"x": "c"}}, "c"),
        ({"expected_output": None, "criteria": "b"}, None),
        ({}, None),
    ],
)
def test_what_is_expected(data: Table, expected: Plain) -> None:
    assert made(data).expected == expected


@pytest.mark.parametrize(
    ("data", "turns", "window"),
    [
        ({"turns": [{"input": "a"}, "odd", {"input": "{{ x }}"}, {}]}, ("a", "b", None), None),
        ({"turns": [{"input": "a"}], "mode": "single"}, (), None),
        ({"turns": "a"}, (), None),
        ({"turns": [], "window_size": 1}, (), 1),
        ({"turns": [], "window_size": 2.5}, (), 2),
        ({"turns": [], "window_size": 0.5}, (), None),
        ({"turns": [], "window_size": True}, (), None),
        ({"turns": [], "window_size": "2"}, (), None),
    ],
)
def test_the_turns_of_a_conversation(data: Table, turns: tuple[Plain, ...], window: int | None) -> None:
    test = made({"mode": "conversation", "vars": {"x": "b"}, **data})
    assert (test.turns, test.window) == (turns, window)


def test_a_file_of_lines_has_variables_only_with_something_beside_its_samples() -> None:
    data: Table = {"input": "{{ x }}", "vars": {"x": "y"}}
    deck = sample(Path("decks"), data)
    lines = sample(Path("decks"), data)
    object.__setattr__(lines, "path", Path("deck.jsonl"))
    assert variables_of(deck) == {"x": "y"}
    assert variables_of(lines) is None
    assert told(as_run(lines, {})) == [("user", "{{ x }}", ("input",))]
    lines.context["input"] = "all"
    assert variables_of(lines) == {"x": "y"}
    assert told(as_run(lines, {})) == [("user", "all", ()), ("user", "y", ("input",))]
    assert variables_of(sample(Path("decks"), {"vars": "x"})) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("${{ CITY }}", "Bern"), ("${{ YES }}", True), ("${{ NO }}", False), ("${{ ONE }}", 1),
        ("${{ HALF }}", -0.5), ("${{ ODD }}", "01"), ("${{ NONE }}", ""), ("${{ ONE }}.", "1."),
        ("in ${{CITY}}, ${{ NONE }}!", "in Bern, !"), ("{{ CITY }}", "{{ CITY }}"), (7, 7), (None, None),
    ],
)  # fmt: skip
def test_the_environment_fills_texts(text: Plain, value: Plain) -> None:
    environment = {"CITY": "Bern", "YES": "true", "NO": "false", "ONE": "1", "HALF": "-0.5", "ODD": "01"}
    found = with_environment({"a": [text]}, environment)
    assert found == {"a": [value]}
    assert type(found["a"][0]) is type(value)  # type: ignore[call-overload, index]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("{{ x }}", {"y": 1}), ("{{x.y}}", 1), ("<{{ x.y }}>", "<1>"), ("<{{ x }}>", '<{"y":1}>'),
        ("{{ z }}", "{{ z }}"), ("{{ x.z }} {{ x.y.z }}", "{{ x.z }} {{ x.y.z }}"), ("{{ none }}", None),
        ("a{{ none }}", "anull"),
    ],
)  # fmt: skip
def test_variables_fill_texts(text: str, value: Plain) -> None:
    assert with_variables([text], {"x": {"y": 1}, "none": None}) == [value]
    assert with_variables([text], None) == [text]


def test_a_filled_text_tells_what_stands_for_a_variable() -> None:
    found = pieces("${{ CITY }}: {{ x }}{{ z }} {{ e }}${{ NONE }}", {"x": 1, "e": ""}, {"CITY": "Bern"})
    assert found == (
        Piece("Bern", "${{ CITY }}"),
        Piece(": "),
        Piece("1", "{{ x }}"),
        Piece("{{ z }} "),
        Piece("", "{{ e }}"),
        Piece("${{ NONE }}"),
    )
    assert pieces("{{ x }}", None, {}) == (Piece("{{ x }}"),)
    assert pieces("", None, {}) == ()
