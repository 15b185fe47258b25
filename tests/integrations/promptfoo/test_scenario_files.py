"""Scenarios, and tests of scenarios, that are kept in files of their own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sampleui.deck.edit import rewrite_sample, source_of
from sampleui.errors import DeckError, EditRefusedError
from sampleui.prompt.providers import calls
from sampleui.review.results.file import open_results
from sampleui.runs.decks import index_of
from sampleui.workspace.deck import Deck, open_deck
from tests.inside import inside

WRITTEN = Path(__file__).parent / "written/elsewhere"
"""A project and what promptfoo 0.123.1 wrote of it; of its tests a program makes one."""


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    shutil.copytree(WRITTEN, tmp_path / "p")
    return open_deck(tmp_path / "p/promptfooconfig.yaml")


def at(deck: Deck, file: str, **variables: str) -> int:
    found = [
        one.index
        for one in deck.samples
        if one.path.name == file
        and variables.items() <= ({**one.data, **inside({"vars": {}, **one.data}, "vars")}).items()
    ]
    return found[0]


def retyped(deck: Deck, index: int, before: str, after: str) -> Deck:
    text = source_of(deck.files, index).replace(before, after)
    return deck.apply(rewrite_sample(deck.files, index, text))


def test_every_row_finds_its_test_and_each_was_sent_as_it_renders(deck: Deck) -> None:
    rows = [json.loads(line) for line in (WRITTEN / "out.jsonl").read_text().splitlines()]
    index = index_of(deck.samples)
    found = [index.find(entry) for entry in open_results(WRITTEN / "out.jsonl").indexed().entries]
    made = [row["vars"]["greeting"] == "Made" for row in rows]
    assert [one is None for one in found] == made
    alone = at(
        deck, "scenario2.yaml", name="friend"
    )  # a scenario without tests, of which the command makes nothing
    assert sorted(one for one in found if one is not None) == [one for one in range(16) if one != alone]
    for row, one in zip(rows, found, strict=True):
        if one is not None:
            [call] = calls(deck.render(deck.samples[one]))
            assert call.question == row["prompt"]["raw"]
            values = [held["value"] for held in row["testCase"]["assert"]]
            own = deck.samples[one].data
            written = [held["value"] for held in inside({"assert": [], **own}, "assert")]
            column = str(own.get("__expected", "")).partition(": ")[2]
            assert [*written, *([column] if column else [])] == values


def test_what_is_not_shown_and_what_is_shared_is_told_where_it_is(deck: Deck) -> None:
    assert [(one.rule, one.path.name, one.line) for one in deck.diagnostics] == [
        ("reference-program", "promptfooconfig.yaml", 9),
        ("samples-combined", "promptfooconfig.yaml", 13),
        ("samples-combined", "scenario1.yaml", 2),
        ("samples-combined", "scenario2.yaml", 5),
        ("samples-combined", "people.yaml", 1),
        ("samples-combined", "people.csv", 1),
    ]


@pytest.mark.parametrize(
    ("edit", "made_of"),
    [
        (
            lambda deck: deck.set(at(deck, "scenario1.yaml"), ("assert", 0, "value"), "madam"),
            "[0].config[0] and [0].tests[0]",
        ),
        (
            lambda deck: deck.set(at(deck, "people.yaml"), ("vars", "greeting"), "x"),
            "scenarios[1].config[0] and [0]",
        ),
        (
            lambda deck: deck.set(at(deck, "people.csv"), ("greeting",), "x"),
            "scenarios[1].config[0] and [0]",
        ),
        (lambda deck: deck.delete_sample(at(deck, "scenario2.yaml", name="friend")), "[1].config[0]"),
        (
            lambda deck: deck.move_sample(at(deck, "people.yaml"), at(deck, "people.yaml")),
            "scenarios[1].config[0] and [0]",
        ),
    ],
)
def test_an_edit_of_a_sample_that_is_made_is_refused_with_the_places_of_its_entries_and_a_way(
    deck: Deck, edit: Callable[[Deck], Deck], made_of: str
) -> None:
    with pytest.raises(EditRefusedError) as refused:
        edit(deck)
    assert str(refused.value) == f"this sample is made of {made_of}: press E to edit their text"


def test_no_sample_is_put_beside_those_that_are_made(deck: Deck) -> None:
    with pytest.raises(EditRefusedError, match="press E to edit their text"):
        deck.insert_sample(at(deck, "people.yaml") + 1, {"vars": {}})


@pytest.mark.parametrize(
    ("file", "before", "after"),
    [
        ("scenario1.yaml", "value: sir   # wrong", "value: madam   # wrong"),
        ("people.yaml", "value: Anne", "value: Ann"),
        ("people.csv", "contains: Cidd", "contains: Cid"),
    ],
)
def test_the_text_of_its_entry_is_edited(deck: Deck, file: str, before: str, after: str) -> None:
    holders = [one.index for one in deck.samples if one.path.name == file]
    index = next(one for one in holders if before in source_of(deck.files, one))
    edited = retyped(deck, index, before, after)
    edited.save()
    for path in (deck.path.parent / "kept").iterdir():
        written = (WRITTEN / "kept" / path.name).read_text()
        assert path.read_text() == (written.replace(before, after) if path.name == file else written)
    assert [one.data for one in open_deck(deck.path).samples] == [one.data for one in edited.samples]


HEAD = "prompts: ['{{a}} {{b}}']\nproviders: [echo]\n"


def opened(tmp_path: Path, scenarios: str, **files: str) -> Deck:
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    (tmp_path / "c.yaml").write_text(f"{HEAD}scenarios: {scenarios}\n")
    return open_deck(tmp_path / "c.yaml")


ONE = "config: [{vars: {a: 1}}]\ntests: [{vars: {b: 2}}]\n"


def test_all_scenarios_may_be_in_one_file(tmp_path: Path) -> None:
    deck = opened(tmp_path, "file://s.yaml", s=ONE)
    assert [one.data["vars"] for one in deck.samples] == [{"a": 1, "b": 2}]
    assert (deck.dialect, [*deck.diagnostics]) == ("promptfoo", [])


@pytest.mark.parametrize(
    ("scenarios", "told"),
    [
        ("[s.yaml]", "scenarios[0] is not shown: s.yaml is followed by promptfoo only behind file://"),
        ("[{config: file://s.yaml}]", "scenarios[0] is not shown: promptfoo reads no file for config"),
        (
            "[{config: [file://s.yaml]}]",
            "scenarios[0] is not shown: promptfoo reads no file among config, as file://s.yaml",
        ),
        (
            "[{config: [{vars: {a: 1}}], tests: t.yaml}]",
            "scenarios[0] is not shown: t.yaml is followed by promptfoo only behind file://",
        ),
        ("[file://in.yaml]", "the reference to in.yaml leads back to a file that includes this one"),
        (
            "[file://s.yaml, {config: [{vars: {a: 1}}], tests: [s.yaml]}]",
            "s.yaml is read for other samples already, and not for these",
        ),
        ("[{config: [{vars: {a: 1}}], tests: [t.py]}]", "the tests of t.py are made by a program and not shown"),
    ],
)
def test_what_promptfoo_does_not_follow_is_said_in_one_line(tmp_path: Path, scenarios: str, told: str) -> None:
    deck = opened(
        tmp_path,
        scenarios,
        s=ONE,
        t="- vars: {b: 2}\n",
        **{"in": "- config: [{vars: {a: 1}}]\n  tests: [file://t.yaml, file://in.yaml]\n"},
    )
    said = [one.message for one in deck.diagnostics]
    assert told in said
    assert "in.yaml has no samples" not in said


def test_a_file_that_is_broken_or_outside_is_a_finding_and_spoils_no_other(tmp_path: Path) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "out.yaml").write_text(ONE)
    deck = opened(tmp_path / "p", "[file://s.yaml, file://bad.yaml, file://../out.yaml]", s=ONE, bad="config: [}\n")
    assert [one.data["vars"] for one in deck.samples] == [{"a": 1, "b": 2}]
    assert [(one.rule, one.line) for one in deck.notes] == [
        ("reference-invalid", 3),
        ("reference-outside-root", 3),
    ]


def test_tests_of_two_scenarios_in_one_file_go_with_the_entries_of_both(tmp_path: Path) -> None:
    deck = opened(
        tmp_path,
        "[{config: [{vars: {a: 1}}], tests: [file://t.yaml]}, {config: [{vars: {a: 2}}], tests: file://t.yaml}]",
        t="- vars: {b: 3}\n",
    )
    assert [one.data["vars"] for one in deck.samples] == [{"a": 1, "b": 3}, {"a": 2, "b": 3}]


def test_a_broken_deck_of_scenarios_is_an_error_of_its_own_file(tmp_path: Path) -> None:
    with pytest.raises(DeckError):
        opened(tmp_path, "[file://s.yaml", s=ONE)


def test_scenarios_make_no_more_samples_than_can_be_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sampleui.integrations.promptfoo.scenarios.MAX_SCENARIO_SAMPLES", 5)
    entries = "{vars: {a: 1}}, {vars: {a: 2}}, {vars: {a: 3}}"
    deck = opened(
        tmp_path,
        f"[{{config: [{entries}], tests: [{entries}]}}, {{config: [{entries}], tests: [file://t.yaml]}}]",
        t=f"[{entries}]\n",
    )
    assert len(deck.samples) == 10
    said = [one.path.name for one in deck.diagnostics if one.message.startswith("only the first 100,000 samples")]
    assert said == ["c.yaml", "t.yaml"]


NESTED = WRITTEN.parent / "nested"
"""A project with a scenario in a folder below it, and what promptfoo 0.123.1 wrote of it."""


def test_files_that_a_scenario_in_a_file_names_are_counted_from_the_config() -> None:
    deck = open_deck(NESTED / "promptfooconfig.yaml")
    rows = [json.loads(line) for line in (NESTED / "out.jsonl").read_text().splitlines()]
    index = index_of(deck.samples)
    found = [index.find(entry) for entry in open_results(NESTED / "out.jsonl").indexed().entries]
    assert sorted(one for one in found if one is not None) == [*range(7)]
    for row, one in zip(rows, found, strict=True):
        assert one is not None
        [call] = calls(deck.render(deck.samples[one]))
        assert call.question == row["prompt"]["raw"]
    assert {one.rule for one in deck.diagnostics} == {"samples-combined"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("list.yaml", "- config: [{vars: {a: 1}}, {vars: {a: 2}}]\n  tests: [{vars: {b: 3}}]\n"),
        ("one.yaml", "config:\n- vars: {a: 1}\n- vars: {a: 2}\ntests:\n- vars: {b: 3}\n"),
        ("list.json", '[{"config": [{"vars": {"a": 1}}, {"vars": {"a": 2}}], "tests": [{"vars": {"b": 3}}]}]'),
        ("one.json", '{"config": [{"vars": {"a": 1}}, {"vars": {"a": 2}}], "tests": [{"vars": {"b": 3}}]}'),
    ],
)
def test_a_file_of_scenarios_is_one_by_itself(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    deck = open_deck(tmp_path / name)
    assert deck.dialect == "promptfoo"
    assert [one.data["vars"] for one in deck.samples] == [{"a": 1, "b": 3}, {"a": 2, "b": 3}]
    assert [one.rule for one in deck.diagnostics] == ["samples-combined"]
    retyped(deck, 0, "3", "4").save()
    assert (tmp_path / name).read_text() == text.replace("3", "4")


@pytest.mark.parametrize(
    "text",
    [
        "tests:\n- id: a\n  input: hi\n  criteria: c\nconfig: [{model: x}]\n",
        "- id: a\n  config: [{a: 1}]\n  tests: [x]\n",
        "- config: [{vars: {a: 1}}]\n",
        "- config: [1]\n  tests: []\n",
    ],
)
def test_a_file_with_a_key_of_that_name_is_not_one_of_scenarios(tmp_path: Path, text: str) -> None:
    (tmp_path / "a.yaml").write_text(text)
    assert open_deck(tmp_path / "a.yaml").dialect != "promptfoo"


def test_an_entry_that_names_a_file_is_one_without_variables_as_promptfoo_takes_it(tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(
        "prompts: [p]\nproviders: [echo]\nscenarios:\n"
        "- config: [{path: file://a.yaml, config: {}}, {vars: {a: 1}}]\n  tests: [{vars: {b: 2}}]\n"
    )
    assert [one.data["vars"] for one in open_deck(tmp_path / "c.yaml").samples] == [{"b": 2}, {"a": 1, "b": 2}]
