"""Evals of a skill in the author screen, and converted to AgentV and back."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.prompt.render import render
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.workspace.deck import open_deck
from tests.tui.driver import changed_lines, opened

WRITTEN = Path(__file__).with_name("written") / "greeter"


@pytest.fixture
def evals(tmp_path: Path) -> Path:
    shutil.copytree(WRITTEN, tmp_path / "greeter")
    (tmp_path / ".git").mkdir()
    return tmp_path / "greeter" / "evals" / "evals.json"


async def test_a_new_eval_gets_the_next_free_whole_number(evals: Path) -> None:
    async with opened(evals) as app:
        await app.press("n")
        await app.type("Greet Bo.")
        await app.press("escape", "ctrl+s")

    made = json.loads(evals.read_text())["evals"]
    assert [item["id"] for item in made] == [0, 3, 1, 2]
    assert made[1]["prompt"] == "Greet Bo."


async def test_an_expectation_is_edited_as_one_line_and_changes_one_line(evals: Path) -> None:
    before = evals.read_bytes()
    async with opened(evals) as app:
        app.screen.show_sample(("expectations",))
        await app.press("e")
        await app.type("!")
        await app.press("escape", "ctrl+s")

    gone, come = changed_lines(before, evals.read_bytes())
    assert (len(gone), len(come)) == (1, 1)
    assert json.loads(evals.read_text())["evals"][0]["expectations"][1] == "languages.csv was read!"


async def test_a_puts_a_file_into_the_list_by_its_path_from_the_skill(evals: Path) -> None:
    async with opened(evals) as app:
        await app.press("]", "]", "a")
        await app.type("languages")
        await app.press("enter", "ctrl+s")

    assert json.loads(evals.read_text())["evals"][2]["files"] == ["languages.csv"]


def test_an_agent_is_shown_with_the_skill_and_without(evals: Path) -> None:
    rendered = render(open_deck(evals).samples[0])

    (without,) = rendered.others
    assert (rendered.label, without.label) == ("with the skill", "without it")
    assert "greeter: Write a greeting" in rendered.question
    assert "greeter" not in without.question
    assert "languages.csv" in without.question


def test_a_conversion_to_agentv_writes_statements_and_tells_what_it_drops() -> None:
    data: Table = {
        "id": 4,
        "prompt": "p",
        "expected_output": "A table.",
        "files": ["a.txt"],
        "expectations": ["Three rows", {"id": "x", "text": "Sorted", "type": "semantic"}],
    }

    converted = convert(data, DIALECTS["skills"], DIALECTS["agentv"])

    assert converted.data["assertions"] == ["Three rows", "x: Sorted"]
    assert converted.data["metadata"] == {"files": ["a.txt"]}
    report = "\n".join(converted.report)
    for lost in ("expectations[1].type", "expectations: written as assertions", "files", "id", "expected_output"):
        assert lost in report


def test_a_conversion_from_agentv_makes_numbers_of_ids() -> None:
    data: Table = {"id": "4", "input": "p", "criteria": "A table.", "assertions": ["Three rows"]}

    converted = convert(data, DIALECTS["agentv"], DIALECTS["skills"])

    assert converted.data == {"id": 4, "prompt": "p", "expected_output": "A table.", "assertions": ["Three rows"]}
    assert any("number" in line for line in converted.report)
