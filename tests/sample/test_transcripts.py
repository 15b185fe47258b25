"""The turns of a run as a new sample of chat data: spelled as the samples beside it are."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.formats.data import DataPath, Table
from sampleui.runs.transcript_to_sample import promote
from sampleui.sample.convert import Case, sample_of_case
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.trace.transcript import Transcript

SYSTEM = {"role": "system", "content": "Be brief."}
ASKED: Table = {"role": "user", "content": "2?"}
ANSWERED: Table = {"role": "assistant", "content": "two"}
AGAIN = {"role": "user", "content": "3?"}


@pytest.mark.parametrize(
    ("dialect", "near", "turns", "made"),
    [
        (
            "sharegpt",
            ("conversations",),
            [ASKED, ANSWERED],
            {"id": "a", "conversations": [{"from": "human", "value": "2?"}, {"from": "gpt", "value": "two"}]},
        ),
        ("sharegpt", ("instruction",), [ASKED, ANSWERED], {"id": "a", "instruction": "2?", "output": "two"}),
        (
            "sharegpt",
            ("instruction",),
            [SYSTEM, ASKED, ANSWERED, AGAIN],
            {"id": "a", "instruction": "3?", "system": "Be brief.", "history": [["2?", "two"]]},
        ),
        ("sharegpt", ("turns",), [ASKED, AGAIN], {"question_id": "a", "turns": ["2?", "3?"]}),
        (
            "sharegpt",
            ("turns",),
            [ASKED, ANSWERED],
            {"id": "a", "conversations": [{"from": "human", "value": "2?"}, {"from": "gpt", "value": "two"}]},
        ),
        ("inspect", ("input",), [ASKED], {"id": "a", "input": "2?"}),
        ("openai", ("messages",), [ASKED], {"messages": [ASKED]}),
    ],
)
def test_turns_are_spelled_as_their_neighbours_are(
    dialect: str, near: DataPath, turns: list[Table], made: Table
) -> None:
    assert sample_of_case(Case([*turns], None, None, {"id": "a"}), DIALECTS[dialect], near).data == made


def test_in_a_deck_of_agentv_5_turns_and_their_answer_are_variables(tmp_path: Path) -> None:
    deck = tmp_path / "suite.eval.yaml"
    beside = "- id: b\n  vars: {input: Hi}\n  assert: [Greets]\n"
    deck.write_text("prompts: ['{{ input }}']\ntests:\n" + beside)
    made = promote(Transcript((ASKED, ANSWERED), (-1, -1)), 2, "a", open_deck(deck))
    assert made.note == "AgentV leaves a out until it has criteria or something to assert"
    assert made.deck.samples[1].data == {"id": "a", "vars": {"input": [ASKED], "expected_output": "two"}}
