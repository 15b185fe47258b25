"""`sampleui get`, `set`, … and `edit`: what is asked for changes and nothing else; a refusal says what to do."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tomllib
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.cli import edit
from sampleui.workspace.deck import open_deck
from sampleui.workspace.edit_requests import as_data, request_from

TOML = """# a deck
[[samples]]
id = "a" # first
messages = [
  { role = "user", content = 'Hi' }, # greeting
]

[[samples]]
id = "b"
note.topic = "x"
messages = [{ role = "user", content = "no" }]
"""


@pytest.fixture
def deck(tmp_path):
    path = tmp_path / "deck.toml"
    path.write_text(TOML)
    return path


def test_a_value_is_printed_as_it_is_and_any_other_as_json(sampleui, deck):
    assert sampleui("get", deck).out == "a\nb\n"
    assert sampleui("get", deck, "--sample", "a", "--path", "messages[0].content").out == "Hi\n"
    assert json.loads(sampleui("get", deck, "--sample", "#2", "--path", "note").out) == {"topic": "x"}
    told = json.loads(sampleui("get", deck, "--sample", "b", "--path", "note.topic", "--format", "json").out)
    assert (told["value"], told["line"], told["file"]) == ("x", 10, str(deck))


@pytest.mark.parametrize(
    ("args", "old", "new"),
    [
        (["set", "--sample", "a", "--path", "messages[0].content", "--value", "Yo"], "'Hi'", "'Yo'"),
        (["set", "--sample", "b", "--path", "note.level", "--json", "3"], '"x"\n', '"x"\nnote.level = 3\n'),
        (["delete", "--sample", "b", "--path", "note.topic"], 'note.topic = "x"', "note = {}"),
        (["rename", "--sample", "b", "--path", "note.topic", "--to", "about"], "note.topic", "note.about"),
        (["rename-sample", "--sample", "b", "--to", "c"], '"b"', '"c"'),
    ],
)
def test_an_edit_changes_what_it_names_and_not_a_byte_beside(sampleui, deck, args, old, new):
    name, *options = args
    ran = sampleui(name, deck, *options)
    assert (ran.code, ran.err) == (0, "")
    assert deck.read_text() == TOML.replace(old, new)
    assert ran.out.startswith("--- ")


def test_a_misspelt_key_is_told_where_it_is_written(sampleui, tmp_path):
    deck = tmp_path / "tests.jsonl"
    deck.write_text('{"description": "a", "vars": {"q": "x"}, "assert": [{"type": "contains", "value": "x"}]}\n')
    for key in ("asert", "optons"):
        ran = sampleui("set", deck, "--sample", "a", "--path", key, "--json", "[]")
        assert (ran.code, f'Unknown key "{key}"; did you mean' in ran.err) == (0, True)
    ran = sampleui("set", deck, "--sample", "a", "--path", "vrs", "--json", "{}", "--format", "json")
    assert [item["rule"] for item in json.loads(ran.out)["new_findings"]] == ["unknown-key"]


def test_what_a_row_has_no_column_for_is_refused_with_the_column_that_takes_it(sampleui, tmp_path):
    rows = tmp_path / "tests.csv"
    rows.write_text("question,__expected\nPeru?,icontains: lima\n")
    for path, value, allowed in (
        ("assert[+]", {"type": "contains", "value": "x"}, "set __expected2 to contains: x"),
        ("assert", [{"type": "llm-rubric", "value": "good"}], "set __expected to llm-rubric: good"),
        ("assert[+]", {"type": "python", "value": "x", "config": {"a": 1}}, "name a column that it reads"),
    ):
        ran = sampleui(
            "set", rows, "--sample", "#1", "--path", path, "--json", json.dumps(value), "--format", "json"
        )
        told = json.loads(ran.out)
        assert (ran.code, told["error"]["allowed"]) == (2, allowed)
        assert told["error"]["path"] in ("assert[+]", ["assert"])
    assert sampleui("set", rows, "--sample", "#1", "--path", "__expected2", "--value", "contains: x").code == 0


def test_an_assertion_is_not_put_into_a_column_that_its_program_takes_for_a_variable(sampleui, tmp_path):
    rows = tmp_path / "tests.csv"
    rows.write_text("question,__expected1\nPeru?,icontains: lima\n")
    for path in ("assert[+]", "options.transform"):
        ran = sampleui("set", rows, "--dialect", "promptfoo", "--sample", "#1", "--path", path, "--json", "{}")
        assert (ran.code, "is a table" in ran.err, "__expected1" in ran.err) == (2, True, True)
    assert sampleui("set", rows, "--sample", "#1", "--path", "__expected2", "--value", "contains: L").code == 0
    assert sampleui("set", rows, "--sample", "#1", "--path", "question", "--value", "Chile?").code == 0
    wrong = '{"op": "set", "sample": "#1", "path": "question", "value": "x"}\n\nno\n'
    (tmp_path / "edits.jsonl").write_text(wrong)
    ran = sampleui("edit", rows, tmp_path / "edits.jsonl", "--format", "json")
    assert (ran.code, json.loads(ran.out)["error"]["line"]) == (2, 3)


def test_samples_and_items_move_and_are_added_and_deleted(sampleui, deck):
    turn = '{"role": "assistant", "content": "Hello"}'
    assert sampleui("insert", deck, "--sample", "a", "--path", "messages[1]", "--json", turn).code == 0
    assert sampleui("move", deck, "--sample", "a", "--path", "messages[1]", "--to", "0").code == 0
    assert [turn["content"] for turn in open_deck(deck).samples[0].messages] == ["Hello", "Hi"]
    sample = '{"id": "c", "messages": [{"role": "user", "content": "?"}]}'
    assert sampleui("add-sample", deck, "--json", sample, "--to", "#1").code == 0
    assert sampleui("move-sample", deck, "--sample", "a", "--to", "#3").code == 0
    assert sampleui("delete-sample", deck, "--sample", "b").code == 0
    assert sampleui("get", deck).out == "c\na\n"
    assert "# greeting" in deck.read_text()


def test_values_beside_the_samples_are_read_and_set(sampleui, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text('[meta]\nname = "x" # its name\n\n' + TOML)
    assert sampleui("set", deck, "--beside", "--path", "meta.name", "--value", "y").code == 0
    assert sampleui("get", deck, "--beside", "--path", "meta.name").out == "y\n"
    assert 'name = "y" # its name' in deck.read_text()


def test_a_dry_run_prints_the_diff_and_writes_nothing(sampleui, deck):
    args = ("--sample", "a", "--path", "messages[0].content", "--value", "Yo", "--dry-run")
    ran = sampleui("set", deck, *args)
    assert "+  { role = \"user\", content = 'Yo' }, # greeting" in ran.out
    assert json.loads(sampleui("set", deck, *args, "--format", "json").out)["written"] is False
    assert deck.read_text() == TOML


def test_json_has_the_diff_new_findings_and_hashes(sampleui, deck):
    args = ("--sample", "a", "--path", "messages[0].content", "--value", "", "--format", "json")
    ran = sampleui("set", deck, *args)
    told = json.loads(ran.out)
    assert (ran.code, told["written"]) == (1, True)
    assert {item["sample"] for item in told["new_findings"]} == {"a"}
    assert told["hash"] == json.loads(sampleui("get", deck, "--format", "json").out)["hash"] != told["hash_before"]


def test_an_expected_hash_refuses_a_deck_that_has_changed(sampleui, deck):
    known = json.loads(sampleui("get", deck, "--format", "json").out)["hash"]
    args = ("set", deck, "--sample", "a", "--path", "messages[0].content", "--expect", known, "--value")
    assert sampleui(*args, "Yo").code == 0
    refused = sampleui(*args, "Hey")
    assert refused.code == 2
    assert "changed since" in refused.err
    assert deck.read_text() == TOML.replace("'Hi'", "'Yo'")


@pytest.mark.parametrize(
    ("args", "rule", "told"),
    [
        (["set", "--sample", "c", "--path", "id", "--value", "x"], "sample-missing", "it has 2 samples, #1 to #2"),
        (["delete", "--sample", "a", "--path", "message"], "path", "has id, messages"),
        (["delete", "--sample", "a", "--path", "messages[3]"], "path", "has 1 item, [0] to [0]"),
        (
            ["set", "--sample", "a", "--path", "messages[7].x", "--value", "x"],
            "path",
            "the next one is messages[1]",
        ),
        (["set", "--sample", "a", "--path", "a..b", "--value", "x"], "path", "column 3"),
        (["set", "--sample", "a", "--path", "id", "--json", "{"], "request", "not JSON"),
        (["rename", "--sample", "a", "--path", "id", "--to", "messages"], "edit-refused", "is there already"),
        (["move-sample", "--sample", "a", "--to", "3"], "request", "#1 is the first"),
        (["move-sample", "--sample", "a", "--to", "#9"], "path", "places are #1 to #2"),
        (["add-sample", "--json", "[]"], "edit-refused", "must be a table"),
    ],
)
def test_a_refusal_names_its_rule_and_what_would_be_allowed(sampleui, deck, args, rule, told):
    name, *options = args
    ran = sampleui(name, deck, *options)
    assert ran.code == 2
    assert told in ran.err
    error = json.loads(sampleui(name, deck, *options, "--format", "json").out)["error"]
    assert error["rule"] == rule
    assert told in error["message"] + error.get("allowed", "")
    assert deck.read_text() == TOML


def test_an_id_that_two_samples_have_names_neither(sampleui, deck):
    deck.write_text(TOML.replace('"b"', '"a"'))
    ran = sampleui("delete-sample", deck, "--sample", "a")
    assert ran.code == 2
    assert "#1, #2" in ran.err


def test_a_batch_is_made_whole_or_not_at_all(sampleui, deck, monkeypatch):
    def asked(*requests):
        text = "".join(json.dumps(request) + "\n" for request in requests)
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
        return sampleui("edit", deck, "-")

    rename = {"op": "rename-sample", "sample": "a", "name": "z"}
    set_value = {"op": "set", "sample": "z", "path": ["messages", 0, "content"], "value": "Yo"}
    refused = asked(rename, set_value, {"op": "delete", "sample": "a", "path": "id"})
    assert refused.code == 2
    assert deck.read_text() == TOML
    assert asked(rename, set_value).code == 0
    assert deck.read_text() == TOML.replace('"a"', '"z"').replace("'Hi'", "'Yo'")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"op": "sett"}', "one of set, insert"),
        ('{"op": "set", "sample": "a", "path": "id"}', "set needs value"),
        ('{"op": "delete", "path": "id"}', '"sample" or "beside"'),
        ('{"op": "delete", "sample": "a", "path": "id", "value": 1}', "does not take value"),
        ('{"op": "move", "sample": "a", "path": "id", "to": true}', "whole number"),
        ('{"op": "delete-sample", "sample": [3]}', "must be a text"),
        ('{"op": "delete", "sample": "a", "sample": "b", "path": "id"}', "twice"),
        ("nothing", "not JSON"),
    ],
)
def test_a_line_that_is_no_edit_is_told_with_its_number(sampleui, deck, tmp_path, line, told):
    (tmp_path / "edits.jsonl").write_text(f"\n{line}\n")
    ran = sampleui("edit", deck, tmp_path / "edits.jsonl")
    assert ran.code == 2
    assert "line 2" in ran.err
    assert told in ran.err
    assert deck.read_text() == TOML


names = st.text(min_size=1, max_size=8)
paths = st.lists(names | st.integers(0, 9), min_size=1, max_size=4).map(tuple)
plain = st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.text(), max_size=2)
beside = st.just({"beside": True}) | names.map(lambda name: {"sample": name})
requests = st.one_of(
    st.builds(
        lambda where, path, value: {"op": "set", **where, "path": list(path), "value": value}, beside, paths, plain
    ),
    st.builds(lambda where, path: {"op": "delete", **where, "path": list(path)}, beside, paths),
    st.builds(lambda name, to: {"op": "move-sample", "sample": name, "to": f"#{to}"}, names, st.integers(1, 999)),
    st.builds(lambda name, new: {"op": "rename-sample", "sample": name, "name": new}, names, names),
)


@given(requests)
def test_a_request_is_the_json_that_it_was_read_from(data):
    assert as_data(request_from(data)) == data


WRITER = """
import json, sys
from sampleui.cli.main import run
name, deck, count = sys.argv[1:]
for number in range(int(count)):
    sample = json.dumps({"id": f"{name}-{number}", "messages": [{"role": "user", "content": "x"}]})
    code = run(["add-sample", deck, "--json", sample, "--format", "json"])
    assert code == 0, code
"""


def test_two_commands_that_write_one_deck_at_once_lose_nothing(deck):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, name, str(deck), "8"], stdout=subprocess.DEVNULL)
        for name in ("one", "two")
    ]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    ids = [sample["id"] for sample in tomllib.loads(deck.read_text())["samples"]]
    assert sorted(ids) == sorted(
        ["a", "b", *(f"{name}-{number}" for name in ("one", "two") for number in range(8))]
    )


TAGGED = TOML.replace('note.topic = "x"', 'note.topic = "x"\ntags = ["one", "two"]')


@pytest.mark.parametrize(
    ("theirs", "code", "tags"),
    [
        (TAGGED.replace("'Hi'", "'Yo'"), 0, ["two"]),
        (TAGGED.replace('["one"', '["new", "one"'), 2, ["new", "one", "two"]),
        (TAGGED.replace('["one", ', "["), 2, ["two"]),
    ],
    ids=["another sample changed", "an item came before it", "the same was done already"],
)
def test_an_item_is_deleted_only_if_its_number_still_means_it(sampleui, deck, monkeypatch, theirs, code, tags):
    deck.write_text(TAGGED)
    make_edits = edit.make_edits

    def while_another_writes(*args):
        after = make_edits(*args)
        deck.write_text(theirs)
        return after

    monkeypatch.setattr(edit, "make_edits", while_another_writes)
    ran = sampleui("delete", deck, "--sample", "b", "--path", "tags[0]")
    assert ran.code == code
    assert tomllib.loads(deck.read_text())["samples"][1]["tags"] == tags
    assert code == 0 or "changed on disk since it was read" in ran.err


def test_an_item_that_two_commands_add_at_once_is_there_twice(sampleui, deck, monkeypatch):
    """And not once, with both of them told that they added it."""
    deck.write_text(TAGGED)
    make_edits, writes = edit.make_edits, []

    def while_another_writes(*args):
        after = make_edits(*args)
        if not writes:
            writes.append(deck.write_bytes(after.text.encode()))
        return after

    monkeypatch.setattr(edit, "make_edits", while_another_writes)
    data = '{"id": "c", "messages": [{"role": "user", "content": "x"}]}'
    assert sampleui("add-sample", deck, "--json", data).code == 1
    assert [sample["id"] for sample in tomllib.loads(deck.read_text())["samples"]] == ["a", "b", "c", "c"]


def test_a_text_longer_than_an_edit_takes_is_refused_unread_and_uncut(sampleui, deck, tmp_path, monkeypatch):
    large = tmp_path / "large.txt"
    large.touch()
    os.truncate(large, 5 << 30)
    told = sampleui("set", deck, "--sample", "a", "--path", "note", "--file", large)
    assert told.code == 2 and "larger than 16 MiB" in told.err
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"x" * ((16 << 20) + 1))))
    told = sampleui("set", deck, "--sample", "a", "--path", "note", "--file", "-")
    assert told.code == 2 and "standard input is larger than 16 MiB" in told.err
    assert deck.read_text() == TOML


def test_a_path_with_a_plus_appends_to_a_list_that_is_there_or_not(sampleui, deck):
    turn = '{"role": "assistant", "content": "Hello"}'
    assert sampleui("insert", deck, "--sample", "a", "--path", "messages[+]", "--json", turn).code == 0
    assert sampleui("set", deck, "--sample", "a", "--path", "messages[+].role", "--value", "user").code == 1
    assert sampleui("set", deck, "--sample", "a", "--path", "tags[+]", "--value", "new").code in (0, 1)
    sample = tomllib.loads(deck.read_text())["samples"][0]
    assert [turn["role"] for turn in sample["messages"]] == ["user", "assistant", "user"]
    assert sample["tags"] == ["new"]
    refused = sampleui("delete", deck, "--sample", "a", "--path", "messages[+]")
    assert refused.code == 2 and "messages[+]" in refused.err and "3 items" in refused.err


def test_several_paths_are_set_at_once_or_none(sampleui, deck):
    paths = ["--path", "messages[0].content", "--path", "expected"]
    assert sampleui("set", deck, "--sample", "a", *paths, "--value", "Yo", "--value", "Yes").code == 0
    sample = tomllib.loads(deck.read_text())["samples"][0]
    assert (sample["messages"][0]["content"], sample["expected"]) == ("Yo", "Yes")
    before = deck.read_bytes()
    assert sampleui("set", deck, "--sample", "a", *paths, "--value", "once").code == 2
    assert sampleui("set", deck, "--sample", "a", *paths, "--value", "a", "--json", "1").code == 2
    assert deck.read_bytes() == before


def test_get_prints_a_value_of_every_sample(sampleui, deck):
    told = sampleui("get", deck, "--path", "note.topic")
    assert (told.out, told.code) == ('b: "x"\n', 0) and "1 sample without note.topic" in told.err
    data = json.loads(sampleui("get", deck, "--path", "messages[0].content", "--format", "json").out)
    assert [(item["sample"], item["value"]) for item in data["values"]] == [("a", "Hi"), ("b", "no")]
    assert sampleui("get", deck, "--path", "nowhere").code == 2


def test_a_refused_line_is_named_by_its_number(sampleui, deck, tmp_path):
    lines = tmp_path / "edits.jsonl"
    lines.write_text(
        '{"op": "rename", "sample": "b", "path": "note.topic", "to": "about"}\n\n'
        '{"op": "delete", "sample": "b", "path": "gone"}\n'
    )
    told = sampleui("edit", deck, lines)
    assert told.code == 2 and "line 3: b gone" in told.err
    error = json.loads(sampleui("edit", deck, lines, "--format", "json").out)["error"]
    assert (error["line"], error["sample"]) == (3, "b")


def test_a_sample_whose_id_is_a_number_is_named_by_it(sampleui, tmp_path):
    deck, lines = tmp_path / "inspect.jsonl", tmp_path / "edits.jsonl"
    deck.write_text('{"id": 1, "input": "a", "target": "b"}\n{"id": 2, "input": "c", "target": "d"}\n')
    lines.write_text(
        '{"op": "set", "sample": 2, "path": "target", "value": "e"}\n'
        '{"op": "rename-sample", "sample": 2, "to": 7}\n'
    )
    assert sampleui("edit", deck, lines).code == 0
    assert deck.read_text().splitlines()[1] == '{"id": 7, "input": "c", "target": "e"}'
