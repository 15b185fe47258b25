from __future__ import annotations

import json
from pathlib import Path

import pytest

DECK = """name: t
input: Be kind.
tests:
  - id: one
    criteria: x
    input: "Hi\\n\\n"
  - id: talk
    mode: conversation
    criteria: x
    input: [{role: system, content: Sell.}]
    turns: [{input: First?}, {input: Second?}]
"""


@pytest.fixture
def deck(tmp_path: Path) -> Path:
    path = tmp_path / "t.eval.yaml"
    path.write_text(DECK)
    return path


def test_a_question_is_printed_without_a_byte_added(process, deck):
    ran = process("render", deck, "--sample", "one", "--as", "question", "--prompt-style", "agentv-4")
    assert (ran.code, ran.out) == (0, "@[User]:\nBe kind.\n\n@[User]:\nHi\n\n")


def test_the_default_style_stays(sampleui, deck):
    ran = sampleui("render", deck, "--sample", "one", "--as", "question")
    assert ran.out == "[User]:\nBe kind.\n\n[User]:\nHi\n"


def test_the_setting_chooses_the_style_and_json_says_which(sampleui, deck):
    (deck.parent / ".sampleui.toml").write_text('prompt_style = "agentv-4"\n')
    ran = sampleui("render", deck, "--sample", "one", "--as", "json")
    assert json.loads(ran.out)["prompt_style"] == "agentv-4"
    (deck.parent / ".sampleui.toml").write_text('prompt_style = "agentv"\n')
    ran = sampleui("render", deck)
    assert ran.code == 2
    assert '1:1: prompt_style must be "sampleui" or "agentv-4"' in ran.err


def test_the_turns_of_a_conversation_are_asked_for_one_by_one(sampleui, deck):
    style = ("--as", "question", "--prompt-style", "agentv-4")
    assert sampleui("render", deck, "--sample", "talk", *style).out == (
        "# talk/turn-1\nFirst?\n# talk/turn-2\nSecond?\n"
    )
    assert sampleui("render", deck, "--sample", "talk/turn-2", *style).out == "Second?"
    ran = sampleui("render", deck, "--sample", "talk/turn-3", *style)
    assert (ran.code, ran.err) == (2, "sampleui: talk has no turn 3\n")
