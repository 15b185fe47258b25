"""Scenarios, and tests of scenarios, that are kept in files of their own: each edit is one of its file."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from sampleui.deck.diff import diff
from sampleui.errors import DeckError, EditRefusedError
from sampleui.prompt.request import calls
from sampleui.review.results.file import open_results
from sampleui.runs.joined_decks import index_of
from sampleui.workspace import Deck, open_deck

WRITTEN = Path(__file__).parents[1] / "review/written/promptfoo/elsewhere"
"""A project and what promptfoo 0.123.1 wrote of it; of its tests a program makes one."""


@pytest.fixture
def deck(tmp_path: Path) -> Deck:
    shutil.copytree(WRITTEN, tmp_path / "p")
    return open_deck(tmp_path / "p/promptfooconfig.yaml")


def at(deck: Deck, file: str, **variables: str) -> int:
    found = [
        one.index
        for one in deck.samples
        if one.path.name == file and variables.items() <= ({**one.data, **(one.data.get("vars") or {})}).items()
    ]
    return found[0]


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
            written = [held["value"] for held in own.get("assert", [])]
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


EDITS: dict[str, tuple[Callable[[Deck], Deck], str, str, str]] = {
    "config of a scenario": (
        lambda deck: deck.set(at(deck, "scenario1.yaml", greeting="Good day"), ("vars", "greeting"), "Morning"),
        "scenario1.yaml",
        "greeting: Good day}",
        "greeting: Morning}",
    ),
    "test of a scenario": (
        lambda deck: deck.set(at(deck, "scenario1.yaml"), ("assert", 0, "value"), "madam"),
        "scenario1.yaml",
        "value: sir   # wrong",
        "value: madam   # wrong",
    ),
    "scenario in a list": (
        lambda deck: deck.set(at(deck, "scenario2.yaml", name="all"), ("vars", "name"), "everyone"),
        "scenario2.yaml",
        "name: all",
        "name: everyone",
    ),
    "scenario without tests": (
        lambda deck: deck.rename(at(deck, "scenario2.yaml", name="friend"), ("vars", "name"), "who"),
        "scenario2.yaml",
        "name: friend",
        "who: friend",
    ),
    "tests of a scenario": (
        lambda deck: deck.set(at(deck, "people.yaml", name="Ann", greeting="Hola"), ("assert", 1, "value"), "Ann"),
        "people.yaml",
        "value: Anne",
        "value: Ann",
    ),
    "item of its list": (
        lambda deck: deck.delete(at(deck, "people.yaml", name="Ann"), ("assert", 1)),
        "people.yaml",
        "\n  assert:\n    - type: contains\n      value: Anne",
        "\n  assert: []",
    ),
    "row of a table": (
        lambda deck: deck.set(at(deck, "people.csv", greeting="Hola"), ("__expected",), "contains: Cid"),
        "people.csv",
        "contains: Cidd",
        "contains: Cid",
    ),
    "whole test": (
        lambda deck: deck.delete_sample(at(deck, "scenario2.yaml", name="all")),
        "scenario2.yaml",
        "  tests:\n    - vars: {name: all}",
        "  tests: []",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_is_one_hunk_of_the_file_that_holds_the_value(deck: Deck, name: str) -> None:
    make, file, before, after = EDITS[name]
    edited = make(deck)
    assert diff(edited.files).count("\n@@") == 1
    edited.save()
    for path in (deck.path.parent / "kept").iterdir():
        written = (WRITTEN / "kept" / path.name).read_text()
        assert path.read_text() == (written.replace(before, after) if path.name == file else written)
    again = open_deck(deck.path)
    assert [one.data for one in again.samples] == [one.data for one in edited.samples]


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (
            lambda deck: deck.set(at(deck, "people.yaml"), ("vars", "greeting"), "x"),
            "it stands in scenarios[1].config[0].vars.greeting of the file that names this one",
        ),
        (
            lambda deck: deck.set(at(deck, "people.csv"), ("greeting",), "x"),
            "it stands in scenarios[1].config[0].greeting of the file that names this one",
        ),
        (lambda deck: deck.delete_sample(at(deck, "people.yaml")), "other samples are made of its entries"),
        (lambda deck: deck.delete_sample(at(deck, "scenario2.yaml", name="friend")), "of its entries"),
        (lambda deck: deck.insert_sample(at(deck, "people.yaml") + 1, {"vars": {}}), "these are edited"),
        (lambda deck: deck.move_sample(at(deck, "people.yaml"), at(deck, "people.yaml") + 1), "these are edited"),
        (lambda deck: deck.move(at(deck, "people.yaml"), ("assert", 0), 1), "it stands in scenarios[1]"),
    ],
)
def test_what_has_no_place_of_its_own_is_refused(deck: Deck, edit: Callable[[Deck], Deck], why: str) -> None:
    with pytest.raises(EditRefusedError) as refused:
        edit(deck)
    assert why in str(refused.value)


def test_edits_add_up_and_are_undone_byte_by_byte(deck: Deck) -> None:
    edited = deck
    for name in ("config of a scenario", "test of a scenario", "tests of a scenario", "row of a table"):
        edited = EDITS[name][0](edited)
    edited.save()
    again = open_deck(deck.path)
    assert [one.data for one in again.samples] == [one.data for one in edited.samples]
    assert deck.files.sources[1].document.text == (WRITTEN / "kept/rows.csv").read_text()


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
    document = deck.files.sources[1].document
    assert (document.sharing(0, ("vars", "b")), document.sharing(0, ("vars", "a"))[1]) == (("[0]", 2), 1)


def test_a_broken_deck_of_scenarios_is_an_error_of_its_own_file(tmp_path: Path) -> None:
    with pytest.raises(DeckError):
        opened(tmp_path, "[file://s.yaml", s=ONE)


def test_scenarios_make_no_more_samples_than_can_be_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for room in ("document", "crossed"):
        monkeypatch.setattr(f"sampleui.formats.scenarios.{room}.MOST_MADE", 5)
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


def nested(folder: Path) -> Deck:
    shutil.copytree(NESTED, folder / "n")
    return open_deck(folder / "n/promptfooconfig.yaml")


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
    ("edit", "file", "before", "after"),
    [
        (
            lambda deck: deck.set(1, ("vars", 0, "greeting"), "Hey"),
            "sub/scen.yaml",
            "greeting: Hi}",
            "greeting: Hey}",
        ),
        (lambda deck: deck.set(1, ("vars", 1), "w.yaml"), "sub/scen.yaml", "vars: v.yaml", "vars: w.yaml"),
        (lambda deck: deck.set(4, ("name",), "Row"), "t.csv", "\nCsv,", "\nRow,"),
        (lambda deck: deck.set(6, ("vars", "name"), "Tam"), "t.yaml", "Yam", "Tam"),
    ],
)
def test_variables_of_an_entry_beside_files_of_variables_are_each_edited_where_they_stand(
    tmp_path: Path, edit: Callable[[Deck], Deck], file: str, before: str, after: str
) -> None:
    deck = nested(tmp_path)
    was = (tmp_path / "n" / file).read_text()
    edit(deck).save()
    assert (tmp_path / "n" / file).read_text() == was.replace(before, after, 1)


def test_variables_of_both_entries_are_not_edited_as_one(tmp_path: Path) -> None:
    with pytest.raises(EditRefusedError, match=r"parts of it are in .*config\[0\].vars and"):
        nested(tmp_path).set(1, ("vars",), [])


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
    deck.set(0, ("vars", "b"), 4).save()
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
