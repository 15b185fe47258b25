"""Alpaca's `history`: pairs of texts that are turns before the instruction, shown, converted and edited as such."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.errors import EditRefusedError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.parse import as_pairs, as_texts, place_of, place_of_pairs, unreadable, whole_pair

SHAREGPT = DIALECTS["sharegpt"]
PAIRS: list[Plain] = [["Hello", "Bonjour"], ["Bye", "Au revoir"]]
ASKED: Table = {"instruction": "Translate.", "input": "Good day", "output": "Bonjour", "system": "Be brief."}
TURNS: list[Table] = [
    {"role": "user", "content": "Hello"},
    {"role": "assistant", "content": "Bonjour"},
    {"role": "user", "content": "Bye"},
    {"role": "assistant", "content": "Au revoir"},
]


def deck(folder: Path, history: Plain) -> Path:
    path = folder / "alpaca.json"
    path.write_text(json.dumps([{**ASKED, "history": history}]), "utf-8")
    return path


def test_pairs_are_the_turns_before_the_instruction_each_edited_in_its_place(tmp_path: Path) -> None:
    opened = open_deck(deck(tmp_path, PAIRS))
    assert opened.dialect == "sharegpt" and opened.diagnostics == ()
    sample = opened.samples[0]
    system, asked = {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Translate.\nGood day"}
    assert opened.render(sample).chat_prompt == [system, *TURNS, asked]
    assert place_of(sample, 4, "content") == ("history", 1, 1)
    before = opened.path.read_text("utf-8")
    opened.set(0, ("history", 1, 1), "Salut").save()
    assert opened.path.read_text("utf-8") == before.replace("Au revoir", "Salut")
    made = convert(sample.data, SHAREGPT, DIALECTS["openai"])
    assert made.data == {"input": [system, *TURNS, asked], "ideal": "Bonjour"}
    assert made.report == ()


@pytest.mark.parametrize("history", [[["a"], ["c", "d"]], [["a", None], ["c", "d"]], ["a", ["c", "d"]]])
def test_what_is_no_pair_is_told_and_the_others_are_read(tmp_path: Path, history: Plain) -> None:
    opened = open_deck(deck(tmp_path, history))
    assert [*unreadable(opened.samples[0])] == [(1, "it is not a message")]
    assert [one.rule for one in opened.diagnostics] == ["role-missing"]
    assert opened.render(opened.samples[0]).chat_prompt[1] == {"role": "user", "content": "c"}


@pytest.mark.parametrize(
    ("path", "below", "place"),
    [
        (("history", 0, 1), True, ("history", 1)),
        (("history", 0, 0), False, ("history", 0)),
        (("instruction",), False, ("history", 2)),
        (("system",), True, ("history", 0)),
        (("none",), True, None),
    ],
)
def test_a_pair_is_put_beside_a_turn(path: DataPath, below: bool, place: DataPath | None) -> None:
    assert place_of_pairs({**ASKED, "history": PAIRS}, path, SHAREGPT, below=below) == place


def test_turns_become_pairs_or_texts_where_all_of_them_can() -> None:
    assert whole_pair(("history", 1, 0), SHAREGPT) == ("history", 1)
    assert whole_pair(("conversations", 1, "value"), SHAREGPT) == ("conversations", 1, "value")
    assert as_pairs(TURNS) == PAIRS
    assert as_pairs([SHAREGPT.turns.spelling.written(turn) for turn in TURNS]) == PAIRS
    assert as_pairs(TURNS[1:3]) is None and as_pairs(TURNS[:3]) is None
    assert as_texts(TURNS[:1], ["one"], SHAREGPT) == ["Hello"]
    assert as_texts(TURNS, [{"role": "user", "content": ""}], SHAREGPT) == TURNS
    spelled = [SHAREGPT.turns.spelling.written(turn) for turn in TURNS]
    assert as_texts(TURNS, [{"from": "gpt", "value": ""}], SHAREGPT) == spelled
    assert as_texts(spelled, [], SHAREGPT) == spelled
    with pytest.raises(EditRefusedError, match="texts of the user"):
        as_texts(TURNS, ["one"], SHAREGPT)
