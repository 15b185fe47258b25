"""Datasets of Inspect as decks: what its reader (0.3.285, `dataset/_util.py`) takes and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.deck.load import load
from sampleui.formats.data import Plain
from sampleui.prompt.provider_request import body_of
from sampleui.text.diagnostic import Severity
from sampleui.workspace.deck import Deck, deck_of

CALLS: list[Plain] = [
    {"role": "user", "content": "1 + 1?"},
    {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"id": "c1", "function": "add", "arguments": {"x": 1, "y": 1}, "type": "function"}],
    },
    {"role": "tool", "tool_call_id": "c1", "function": "add", "content": "2"},
]


def deck(tmp_path: Path, **sample: Plain) -> Deck:
    path = tmp_path / "deck.jsonl"
    path.write_text(json.dumps({"input": "?", "target": "!", **sample}) + "\n", encoding="utf-8")
    return deck_of(load(path))


def test_calls_are_sent_as_openai_and_anthropic_spell_them(tmp_path: Path) -> None:
    made = deck(tmp_path, input=CALLS)
    chat = made.render(made.samples[0]).chat_prompt
    assert chat[1]["tool_calls"] == [
        {"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"x": 1, "y": 1}'}}
    ]
    assert '"name": "add"' in json.dumps(body_of(chat, "anthropic"))


@pytest.mark.parametrize(
    "fields",
    [
        {"target": ["4", "four"]},
        {"target": 4},
        {"target": [4, 5]},
        {"choices": ["a", "b"]},
        {"choices": "a,b"},
        {"sandbox": "docker"},
        {"sandbox": ["docker", "compose.yaml"]},
        {"files": {"a.txt": "x"}, "setup": "echo"},
        {"metadata": '{"k": 1}', "description": "what it asks", "checkpoint": {"retention": "all"}},
    ],
)
def test_what_inspect_reads_has_no_problems(tmp_path: Path, fields: dict[str, Plain]) -> None:
    made = deck(tmp_path, **fields)
    assert made.samples[0].dialect == "inspect"
    assert not [one for one in made.diagnostics if one.severity in (Severity.ERROR, Severity.WARNING)]


@pytest.mark.parametrize("fields", [{"sandbox": {"type": "docker"}}, {"files": ["a.txt"]}, {"description": 4}])
def test_what_inspect_refuses_is_an_error(tmp_path: Path, fields: dict[str, Plain]) -> None:
    assert [one.severity for one in deck(tmp_path, **fields).diagnostics] == [Severity.ERROR]
