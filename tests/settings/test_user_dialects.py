"""Dialects of a user's own: guessed, pasted into the project's file, read; what is wrong is told at its place."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from sampleui import open_deck
from sampleui.deck.edit import apply
from sampleui.errors import EditRefusedError, SettingsError
from sampleui.formats.data import Table
from sampleui.formats.operations import Set
from sampleui.review.samples.expectation import expectation
from sampleui.sample.convert import convert
from sampleui.sample.dialects.guessing import guessed, name_of, written_dialect
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.parse import tags, turns
from sampleui.settings.options import load_settings, read_settings
from sampleui.settings.vocabulary import SHIPPED_DIALECTS
from sampleui.settings.writing import take_table
from sampleui.workspace.deck import new_deck
from sampleui.workspace.reading import PromptOptions
from tests.command import ran
from tests.sample.build import turn

TALKS: list[Table] = [
    {
        "uid": "t1",
        "dialogue": [{"speaker": "customer", "text": "Where is it?"}, {"speaker": "bot", "text": "On its way."}],
        "golden": "Here.",
        "topic": "post",
    },
    {
        "uid": "t2",
        "dialogue": [{"speaker": "agent", "text": "Hello"}, {"speaker": "customer", "text": "Cancel it"}],
        "golden": "Done.",
        "topic": "order",
    },
]
SHEET: list[Table] = [
    {"Test ID": "s1", "User Prompt": "2 + 2, please?", "Expected Output": "4", "Category": "sums"},
    {"Test ID": "s2", "User Prompt": "3 + 3, please?", "Expected Output": "6", "Category": "sums"},
]
QUESTIONS: list[Table] = [
    {"qid": 7, "data": {"question": "2 + 2?"}, "answer": "4", "labels": ["easy"]},
    {"qid": 8, "data": {"question": "3 + 3?"}, "answer": "6", "labels": []},
]


def project(folder: Path, samples: list[Table], table: str) -> Path:
    (folder / ".git").mkdir()
    (folder / ".sampleui.toml").write_text(table, "utf-8")
    path = folder / "deck.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in samples), "utf-8")
    return path


@pytest.mark.parametrize(
    ("samples", "roles", "wanted", "name"),
    [(TALKS, ["user", "assistant"], "Here.", "t1"), (QUESTIONS, ["user"], "4", "7"), (SHEET, ["user"], "4", "s1")],
    ids=["messages", "prompts", "keys of several words"],
)
def test_a_guessed_table_makes_its_file_open(
    tmp_path: Path, samples: list[Table], roles: list[str], wanted: str, name: str
) -> None:
    table = guessed(samples, ())
    assert table is not None
    deck = open_deck(project(tmp_path, samples, written_dialect("mine", table)))
    assert (deck.dialect, deck.diagnostics) == ("mine", ())
    sample = deck.samples[0]
    assert sample.id == name
    assert tags(sample)
    assert [turn.role for turn in turns(sample)] == roles
    assert {turn.role for one in deck.samples for turn in turns(one)} == {*roles}
    assert deck.render(sample).question
    found = expectation(sample)
    assert found is not None
    assert found.text == wanted
    converted = convert(sample.data, deck.kind, DIALECTS["inspect"])
    assert converted.data["target"] == wanted
    before = deck.path.read_bytes()
    deck.set(0, found.path, "Under").save()
    assert deck.path.read_bytes() == before.replace(json.dumps(wanted).encode(), b'"Under"')


@pytest.mark.parametrize(
    ("samples", "name"),
    [([{"problem": "1?"}, {"problem": 7}, {"other": 1}], "deck"), (TALKS, "gage")],
    ids=["no key in all", "the name of a shipped one"],
)
def test_a_guessed_table_can_be_taken_whatever_the_samples(tmp_path: Path, samples: list[Table], name: str) -> None:
    table = guessed(samples, ())
    assert table is not None
    path = take_table(tmp_path, written_dialect(name_of(name), table))
    assert [*read_settings(path)] == ["dialects"]


def test_guess_prints_a_table_that_opens_the_file(tmp_path: Path) -> None:
    path = project(tmp_path, TALKS, "")
    (tmp_path / ".sampleui.toml").write_text(ran("guess", path).out, "utf-8")
    assert open_deck(path).dialect == "deck"
    (tmp_path / "none.json").write_text('{"a": 1}', "utf-8")
    none = ran("guess", tmp_path / "none.json")
    assert none.code == 2
    assert "no samples were found" in none.err
    assert none.err.count("\n") == 1


@pytest.mark.parametrize(
    ("lines", "place", "message"),
    [
        (["[dialects.mine]", 'messages = "a"', 'mesages = "b"'], (3, 1), "did you mean messages"),
        (["", "[dialects.mine]", "  messages = 3"], (3, 3), "messages must be a path of keys"),
        (["[dialects.mine]", 'messages = "a..b"'], (2, 1), "messages must be a path of keys"),
        (["[dialects.mine]", 'messages = "a"', "plain_turns = 1"], (3, 1), "plain_turns must be true or false"),
        (["[dialects.mine]", 'messages = "a"', 'container = "../x"'], (3, 1), "container must be a path of keys"),
        (["[dialects.mine]", 'response = "a"'], (1, 2), "neither where messages are nor where a prompt is"),
        (
            ["[dialects.mine]", 'messages = "a"', "[dialects.mine.fields]", 'b = "texts|word"'],
            (4, 1),
            "the type of b must be one of text",
        ),
        (["[dialects.mine]", 'messages = "a"', 'roles = "b"'], (3, 1), "roles must be a table"),
        (["[dialects.mine]", 'messages = "a"', "[dialects.mine.roles]", 'b = "bot"'], (4, 1), "must stand for one"),
        (
            ["[dialects.mine]", 'messages = "a"', 'user_tag = "b"', "[dialects.mine.roles]", 'b = "system"'],
            (5, 1),
            "stands for system here and for user by its tag",
        ),
        (["[dialects.Mine]", 'messages = "a"'], (1, 2), "not a name for a dialect"),
        (["[dialects.gage]", 'messages = "a"'], (1, 2), "gage is the name of a dialect that is shipped"),
        (["dialects = 3"], (1, 1), "dialects must be a table of tables"),
        (["[dialects]", "mine = 3"], (2, 1), "dialects.mine must be a table"),
    ],
)
def test_what_is_wrong_with_a_table_is_told_at_its_place(
    tmp_path: Path, lines: list[str], place: tuple[int, int], message: str
) -> None:
    (tmp_path / ".sampleui.toml").write_text("\n".join(lines) + "\n", "utf-8")
    with pytest.raises(SettingsError, match=message) as caught:
        read_settings(tmp_path / ".sampleui.toml")
    assert (caught.value.line, caught.value.column) == place


def test_the_names_that_are_taken_are_those_of_the_shipped_dialects() -> None:
    assert frozenset(DIALECTS) == SHIPPED_DIALECTS


NESTED = """{
  "version": 2,
  "data": {
    "split": "test",
    "items": [
      {"uid": "a", "q": "What is 2+2?", "gold": "4"},
      {"uid": "b", "q": "Capital of France?", "gold": "Paris"}
    ]
  }
}
"""
NAMED = """{
  "a": {"q": "What is 2+2?", "gold": "4"},
  "b": {"q": "Capital of France?", "gold": "Paris"}
}
"""
IN_NAMES = '{"data": {"items": ' + NAMED.rstrip() + "}}\n"


IN_YAML = """version: 2
data:
  split: test
  items:
    # the first
    - {uid: a, q: What is 2+2?, gold: "4"}
    - uid: b
      q: Capital of France?
      gold: Paris
  left: 1
after: 2
"""
NAMED_YAML = "a:\n  q: What is 2+2?\n  gold: '4'\nb:\n  q: Capital of France?\n  gold: Paris\n"
IN_TOML = """version = 2
[data]
split = "test"

[[data.items]]
uid = "a"
q = "What is 2+2?"
gold = "4"

[[data.items]]
uid = "b"
q = "Capital of France?"
gold = "Paris"

[data.left]
n = 1
"""
NAMED_TOML = """[data.items.a]
q = "What is 2+2?"
gold = "4"

[data.items.b]
q = "Capital of France?"
gold = "Paris"
"""


@pytest.mark.parametrize(
    ("suffix", "text", "lines"),
    [
        ("json", NESTED, [6, 7]),
        ("json", NAMED, [2, 3]),
        ("json", IN_NAMES, [2, 3]),
        ("yaml", IN_YAML, [6, 7]),
        ("yaml", NAMED_YAML, [1, 4]),
        ("toml", IN_TOML, [5, 10]),
        ("toml", NAMED_TOML, [1, 5]),
        ("toml", NAMED_TOML.replace("data.items.", ""), [1, 5]),
    ],
    ids=["list", "names", "names below keys", "YAML", "YAML names", "TOML", "TOML names", "TOML names alone"],
)
def test_samples_under_any_keys_are_guessed_read_edited_and_saved(
    tmp_path: Path, suffix: str, text: str, lines: list[int]
) -> None:
    path = project(tmp_path, [], "")
    path = tmp_path / f"deck.{suffix}"
    path.write_text(text, "utf-8")
    (tmp_path / ".sampleui.toml").write_text(ran("guess", path).out, "utf-8")
    deck = open_deck(path)
    assert deck.dialect == "deck"
    assert [problem for problem in deck.diagnostics if problem.severity != "info"] == []
    assert [sample.id for sample in deck.samples] == ["a", "b"]
    assert [sample.line for sample in deck.samples] == lines
    assert deck.render(deck.samples[0]).question == "What is 2+2?"
    edited = deck.set(1, ("gold",), "Lyon")
    edited.save()
    assert path.read_text("utf-8") == text.replace("Paris", "Lyon")
    around = edited.samples[0].context
    again = open_deck(path).delete_sample(0)
    again.save()
    assert [sample.id for sample in open_deck(path).samples] == ["b"]
    assert open_deck(path).samples[0].context == around
    none = open_deck(path).delete_sample(0)
    added = none.insert_sample(0, {"id": "c", "uid": "c", "q": "Anything else?", "gold": "No"})
    added.save()
    assert [sample.data["q"] for sample in open_deck(path).samples] == ["Anything else?"]


def test_lists_and_tables_in_the_cells_of_ones_own_columns_are_read_and_edited_as_such(tmp_path: Path) -> None:
    project(tmp_path, [], "")
    path = tmp_path / "deck.csv"
    talk = '"[{""speaker"": ""customer"", ""text"": ""Where?""},  {""speaker"": ""bot"", ""text"": ""There""}]"'
    text = f'uid,dialogue,about,golden,level\nt1,{talk},{{""topic"": 1}},[here],2\n'
    text = text.replace('{""topic"": 1}', '"{""topic"": 1}"')
    path.write_text(text, "utf-8")
    (tmp_path / ".sampleui.toml").write_text(ran("guess", path).out.replace('level = "text"', 'level = "number"'))
    deck = open_deck(path)
    assert deck.dialect == "deck"
    assert [problem for problem in deck.diagnostics if problem.severity != "info"] == []
    assert [turn.role for turn in turns(deck.samples[0])] == ["user", "assistant"]
    assert (deck.samples[0].data["golden"], deck.samples[0].data["level"]) == ("[here]", 2)
    assert tags(deck.samples[0]) == ()
    edited = deck.set(0, ("dialogue", 1, "text"), 'At "home"').set(0, ("about", "topic"), [2]).set(0, ("level",), 3)
    edited.save()
    wanted = (
        text.replace("There", 'At \\""home\\""').replace('""topic"": 1', '""topic"": [2]').replace(",2\n", ",3\n")
    )
    assert path.read_text("utf-8") == wanted


def test_what_stands_around_samples_under_keys_is_kept_and_edited(tmp_path: Path) -> None:
    path = project(tmp_path, [], '[dialects.mine]\ncontainer = ["none.such", "data.items"]\nprompt = "q"\n')
    path = tmp_path / "deck.json"
    path.write_text(NESTED, "utf-8")
    deck = open_deck(path)
    assert deck.samples[0].context == {"version": 2, "data": {"split": "test"}}
    deck.apply(apply(deck.files, -1, Set(("version",), 3))).save()
    assert path.read_text("utf-8") == NESTED.replace('"version": 2', '"version": 3')
    with pytest.raises(EditRefusedError, match="data holds the samples"):
        deck.apply(apply(deck.files, -1, Set(("data", "split"), "train")))


def test_a_deck_is_written_in_a_dialect_of_ones_own_and_its_schema_printed(tmp_path: Path) -> None:
    table = '[dialects.mine]\ncontainer = "data.items"\nprompt = "q"\nresponse = "gold"\nid = "uid"\n'
    path = project(tmp_path, [{"id": "x", "input": "2 + 2?", "target": "4"}], table)
    (path.parent / "elsewhere").mkdir()
    sampleui = partial(ran, folder=tmp_path)
    assert sampleui("convert", str(path), "out.json", "--to", "mine").code == 0
    made = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert made == {"data": {"items": [{"uid": "x", "q": "2 + 2?", "gold": "4"}]}}
    assert open_deck(tmp_path / "out.json").dialect == "mine"
    schema = json.loads(sampleui("schema", "mine").out)
    assert Draft202012Validator(schema).is_valid(made)
    assert not Draft202012Validator(schema).is_valid({"data": {"items": 3}})
    for name, text in {
        "out.yaml": 'data:\n  items:\n    - uid: x\n      q: 2 + 2?\n      gold: "4"\n',
        "out.toml": '[[data.items]]\nuid = "x"\nq = "2 + 2?"\ngold = "4"\n',
    }.items():
        assert sampleui("convert", str(path), name, "--to", "mine").code == 0
        assert (tmp_path / name).read_text("utf-8") == text
        assert open_deck(tmp_path / name).samples[0].id == "x"


def test_records_of_a_run_become_samples_of_a_dialect_of_ones_own(tmp_path: Path) -> None:
    project(tmp_path, [], '[dialects.mine]\nmessages = "dialogue"\nresponse = "golden"\nid = "uid"\n')
    row = {"test_id": "a", "input": "2?", "output": "4", "score": 0}
    (tmp_path / "run.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert ran("verdict", "run.jsonl", "a", "model-wrong", folder=tmp_path).code == 0
    target = ("--to", "new.json", "--dialect", "mine")
    exported = ran("export", "run.jsonl", "--verdict", "model-wrong", *target, folder=tmp_path)
    promoted = ran("promote", "run.jsonl", "--id", "a", "--as", "b", *target, folder=tmp_path)
    assert (exported.code, promoted.code) == (0, 0), (exported, promoted)
    samples = json.loads((tmp_path / "new.json").read_text("utf-8"))
    assert [(item["uid"], item["dialogue"][0]["content"]) for item in samples] == [("a", "2?"), ("b", "2?")]


@pytest.mark.parametrize("container", ["", 'container = "."\n'])
@pytest.mark.parametrize("suffix", ["json", "yaml", "toml", "jsonl", "csv"])
def test_a_deck_written_in_a_dialect_of_ones_own_is_known_again_in_every_format(
    tmp_path: Path, container: str, suffix: str
) -> None:
    table = f'[dialects.mine]\n{container}prompt = "q"\nresponse = "gold"\nid = "uid"\n'
    path = project(tmp_path, [{"id": "x", "input": "2 + 2?", "target": "4"}], table)
    assert ran("convert", path, f"mine.{suffix}", "--to", "mine", folder=tmp_path).code == 0
    deck = open_deck(tmp_path / f"mine.{suffix}")
    assert (deck.dialect, [sample.id for sample in deck.samples]) == ("mine", ["x"])


def test_a_new_table_knows_which_of_its_columns_are_json(tmp_path: Path) -> None:
    table = (
        '[dialects.mine]\nmessages = "talk"\nresponse = "gold"\nid = "uid"\nmetadata = "about"\n'
        '[dialects.mine.fields]\nlevel = "number"\nlabels = "texts"\n'
    )
    rows: list[Table] = [
        {"uid": "a", "talk": [turn("user", "2?")], "gold": "two", "level": 3, "labels": ["x"], "about": {"k": [1]}},
        {"uid": "b", "talk": [turn("user", "3?")], "gold": "[no list]", "level": 3.5, "labels": []},
    ]
    path = project(tmp_path, rows, table)
    there = ran("convert", path, "out.csv", folder=tmp_path)
    assert there.out == "out.csv: 2 samples written as mine\n"
    assert [sample.data for sample in open_deck(tmp_path / "out.csv").samples] == rows
    assert ran("convert", "out.csv", "back.jsonl", folder=tmp_path).out == "back.jsonl: 2 samples written as mine\n"
    assert [json.loads(line) for line in (tmp_path / "back.jsonl").read_text("utf-8").splitlines()] == rows
    begun = new_deck(tmp_path / "new.csv", "mine", PromptOptions.of(load_settings(tmp_path)))
    begun.insert_sample(0, rows[0]).save()
    assert [sample.data for sample in open_deck(tmp_path / "new.csv").samples] == rows[:1]


def test_the_name_of_a_sample_goes_where_its_dialect_has_the_id(tmp_path: Path) -> None:
    table = '[dialects.mine]\ncontainer = "."\nprompt = "q"\nid = "uid"\n'
    project(tmp_path, [], table)
    (tmp_path / "deck.toml").write_text('[a]\nq = "2?"\n\n[b]\nq = "3?"\nuid = "own"\n', "utf-8")
    told = ran("convert", "deck.toml", "out.jsonl", folder=tmp_path).out
    assert "the name b is not carried, for the sample has an id of its own (b)" in told
    made = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert made == [{"uid": "a", "q": "2?"}, {"q": "3?", "uid": "own"}]


def test_guess_says_that_nothing_is_asked_and_exits_with_1(tmp_path: Path) -> None:
    for name, text in (
        ("a.jsonl", '{"sha": "d16bfe05a744909d", "n": 1}\n'),
        ("b.jsonl", '{"resourceSpans": []}\n'),
    ):
        (tmp_path / name).write_text(text, "utf-8")
        none = ran("guess", tmp_path / name)
        assert (none.code, none.out) == (1, "")
        assert "nothing is asked" in none.err
