"""Samples that promptfoo makes of `scenarios`: shown and joined with records; their text is edited."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sampleui.deck.diff import diff
from sampleui.deck.edit import rewrite_sample, source_of
from sampleui.errors import EditRefusedError
from sampleui.review.results.file import open_results
from sampleui.runs.decks import index_of
from sampleui.sample.dialects.dialect import value_at
from sampleui.text.diagnostic import Severity
from sampleui.tui.author.session import Session
from sampleui.workspace.deck import Deck, open_deck
from sampleui.workspace.sample_transfer import with_given_name

CONFIG = """prompts: ['{{a}} {{b}} {{c}}']
providers: [echo]
# what is tried
scenarios:
  - description: all
    config:
      # one
      - vars: {a: A1, b: 'B1'}   # keep
        assert: [{type: contains, value: A1}]
      - vars: {a: A2}
    tests:
      - description: t1
        vars: {c: C1}
        assert:
          - type: contains
            value: C1
      - vars:
          c: C2
          a: own
  - file://other.yaml
  - config: [{vars: {a: z}}, {vars: {a: y}}]
tests:
  - vars: {a: mine}
"""


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    (tmp_path / "promptfooconfig.yaml").write_text(CONFIG)
    return open_deck(tmp_path / "promptfooconfig.yaml")


def test_each_config_goes_with_each_test_as_promptfoo_merges_them(deck: Deck) -> None:
    assert [sample.data.get("vars") for sample in deck.samples] == [
        {"a": "mine"},
        {"a": "A1", "b": "B1", "c": "C1"},
        {"a": "own", "b": "B1", "c": "C2"},
        {"a": "A2", "c": "C1"},
        {"a": "own", "c": "C2"},
        {"a": "z"},
        {"a": "y"},
    ]
    asserted: Any = deck.samples[1].data["assert"]
    assert [one["value"] for one in asserted] == ["A1", "C1"]
    assert (deck.dialect, deck.samples[3].id, deck.samples[3].line) == ("promptfoo", "t1", 12)
    assert [
        (one.rule, one.severity.value, one.line) for one in deck.diagnostics if one.rule != "template-unsupported"
    ] == [
        ("samples-combined", "info", 5),
        ("reference-missing", "warning", 20),
        ("samples-combined", "info", 21),
    ]


def test_lists_are_joined_as_assertions_and_nowhere_else(tmp_path: Path) -> None:
    path = tmp_path / "promptfooconfig.yaml"
    path.write_text("prompts: [p]\nscenarios:\n- config: [{vars: [1]}]\n  tests: [{vars: [2]}]\n")
    deck = open_deck(path)
    assert deck.samples[0].data == {"vars": [2]}


def retyped(deck: Deck, index: int, before: str, after: str) -> Deck:
    text = source_of(deck.files, index).replace(before, after)
    return deck.apply(rewrite_sample(deck.files, index, text))


EDITS: dict[str, tuple[Callable[[Deck], Deck], list[str]]] = {
    "of what is beside": (
        lambda deck: deck.set_beside(("scenarios", 0, "description"), "all of them"),
        ["- description: all of them"],
    ),
    "of an entry, as a value beside the samples": (
        lambda deck: deck.set_beside(("scenarios", 0, "config", 0, "vars", "a"), "nn"),
        ["- vars: {a: nn, b: 'B1'} # keep"],
    ),
    "of a listed sample": (lambda deck: deck.set(0, ("vars", "a"), "nn"), ["- vars: {a: nn}"]),
    "of the text of the file": (
        lambda deck: retyped(deck, 1, "B1", "nn"),
        ["- vars: {a: A1, b: 'nn'} # keep"],
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_has_a_text_of_its_own_is_edited(deck: Deck, name: str) -> None:
    make, lines = EDITS[name]
    edited = make(deck)
    found = diff(edited.files).splitlines()[2:]
    assert [" ".join(line[1:].split()) for line in found if line.startswith("+")] == lines
    edited.save()
    again = open_deck(deck.path)
    assert [one.data for one in again.samples] == [one.data for one in edited.samples]


@pytest.mark.parametrize(
    "edit",
    [
        lambda deck: deck.set(1, ("vars", "a"), "nn"),
        lambda deck: deck.insert(1, ("assert", 1), {"type": "equals", "value": "q"}),
        lambda deck: deck.delete(1, ("assert", 0)),
        lambda deck: deck.move(1, ("assert", 0), 1),
        lambda deck: deck.rename(1, ("vars", "c"), "cc"),
        lambda deck: deck.delete_sample(1),
        lambda deck: deck.insert_sample(2, {}),
        lambda deck: deck.move_sample(0, 1),
        lambda deck: deck.move_sample(1, 0),
    ],
)
def test_an_edit_of_a_sample_that_is_made_is_refused_with_the_places_of_its_entries_and_a_way(
    deck: Deck, edit: Callable[[Deck], Deck]
) -> None:
    with pytest.raises(EditRefusedError) as refused:
        edit(deck)
    assert str(refused.value) == (
        "this sample is made of scenarios[0].config[0] and scenarios[0].tests[0]: press E to edit their text"
    )


def test_the_author_is_told_of_no_double_ids(deck: Deck) -> None:
    session = Session(deck)
    session.problems.look(9)
    assert session.problems.counts()[Severity.ERROR] == 0


def test_a_json_config_is_no_other(tmp_path: Path) -> None:
    scenario = {"config": [{"vars": {"a": 1}}], "tests": [{"vars": {"b": 2}}, {"vars": {"b": 3}}]}
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"prompts": ["{{a}}"], "providers": ["echo"], "scenarios": [scenario]}, indent=2))
    deck = open_deck(path)
    assert [one.data["vars"] for one in deck.samples] == [{"a": 1, "b": 2}, {"a": 1, "b": 3}]
    with pytest.raises(EditRefusedError, match="press E"):
        deck.set(1, ("vars", "a"), 9)
    deck.set_beside(("scenarios", 0, "config", 0, "vars", "a"), 9).save()
    assert [value_at(one.data, ("vars", "a")) for one in open_deck(path).samples] == [9, 9]


def test_the_records_of_a_run_find_their_combination(tmp_path: Path, deck: Deck) -> None:
    rows: list[dict[str, Any]] = [
        {"vars": {"a": "A2", "c": "C1"}, "testCase": {"description": "t1"}, "promptIdx": 0, "success": True},
        {"vars": {"a": "A1", "b": "B1", "c": "C1"}, "testCase": {"description": "t1"}, "promptIdx": 0},
        {"vars": {"a": "own", "b": "B1", "c": "C2"}, "testCase": {}, "promptIdx": 0, "success": True},
    ]
    path = tmp_path / "out.jsonl"
    path.write_text("".join(json.dumps({"success": True, **row}) + "\n" for row in rows))
    index = index_of(deck.samples)
    assert [index.find(one) for one in open_results(path).indexed().entries] == [3, 1, 2]


def test_a_sample_that_stands_apart_is_deleted_by_itself(deck: Deck) -> None:
    after = deck.delete_sample(0)
    assert [sample.data.get("vars") for sample in after.samples] == [
        sample.data.get("vars") for sample in deck.samples
    ][1:]


AGENTV_5 = """prompts: ['{{ input }}']
default_test: {assert: [{type: contains, value: x}]}
scenarios:
  - config: [{id: de, vars: {tone: dry}}, {id: fr, vars: {tone: kind}}]
    tests: [{vars: {input: Hi}}, {id: own, vars: {input: Bye}}]
  - config: [{id: it, vars: {tone: dry}}, {vars: {tone: kind}}]
    tests: [{vars: {input: Hi}}]
"""


def test_agentv_names_what_is_made_by_the_numbers_of_its_entries(tmp_path: Path) -> None:
    path = tmp_path / "eval.yaml"
    path.write_text(AGENTV_5)
    deck = open_deck(path)
    assert deck.dialect == "agentv"
    assert [sample.id for sample in deck.samples] == [
        "de__scenario_test_1",
        "own",
        "fr__scenario_test_1",
        "own",
        "it",
        "scenario-2-2-1",
    ]
    told = [(one.rule, one.sample) for one in deck.diagnostics if one.severity is Severity.ERROR]
    assert told == [("duplicate-id", "own")]  # AgentV 5 runs nothing where two tests have one id
    assert [with_given_name(deck, sample).get("id") for sample in deck.samples] == [one.id for one in deck.samples]
    assert [one.id for one in open_deck(path, "promptfoo").samples] == [f"#{at}" for at in range(1, 7)]
