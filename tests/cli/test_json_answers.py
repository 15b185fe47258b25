"""Where JSON is asked for, standard output has JSON and nothing else, and standard error has the words."""

from __future__ import annotations

import json
import shutil

import jsonschema
import pytest

from sampleui.cli.schema import answer_schema

from .conftest import DECKS
from .schemas import closed


@pytest.mark.parametrize(
    "args",
    [
        ["get", "none.toml"],
        ["get"],
        ["set", "none.toml", "--sample", "a", "--path", "b", "--value", "c"],
        ["check", "none.toml", "--no-such-option"],
        ["render"],
        ["next", "none.jsonl"],
        ["verdicts", "none.jsonl", "--to", "skills"],
        ["comments", "none.jsonl"],
        ["report", "none.jsonl"],
        ["regrade", "none.jsonl"],
        ["rerun", "none.jsonl", "--failed"],
        ["trace", "none.jsonl"],
        ["promote", "none.jsonl", "--id", "a", "--to", "b.toml"],
        ["export", "none.jsonl", "--verdict", "ok", "--to", "b.toml"],
        ["replace", "a", "b", "none.toml"],
        ["review", "none.jsonl", "--wait"],
    ],
    ids=lambda args: " ".join(args[:2]),
)
def test_what_a_command_cannot_do_is_json_on_standard_output_and_words_on_standard_error(
    sampleui, tmp_path, monkeypatch, args
):
    monkeypatch.chdir(tmp_path)
    ran = sampleui(*args, "--format", "json")
    error = json.loads(ran.out)["error"]
    assert (ran.code, error["rule"] != "", error["message"] != "") == (2, True, True)
    assert error["message"].split(chr(10))[0].rstrip(".") in ran.err


def test_convert_replace_promote_and_export_say_what_they_did_as_json(sampleui, tmp_path):
    deck, run = tmp_path / "hello.toml", tmp_path / "hello.results.jsonl"
    shutil.copy(DECKS / "hello.toml", deck)
    shutil.copy(DECKS.parent / "results" / "hello.results.jsonl", run)
    converted = json.loads(sampleui("convert", deck, tmp_path / "new.jsonl", "--report", "json").out)
    assert (converted["samples"], "not carried over" in converted["remarks"][0]) == (6, True)
    replaced = json.loads(sampleui("replace", "autumn", "spring", deck, "--format", "json").out)
    assert (replaced["values"], replaced["samples"], "spring" in replaced["diff"]) == (1, 1, True)
    promoted = json.loads(
        sampleui("promote", run, "--id", "haiku", "--to", tmp_path / "new.toml", "--format", "json").out
    )
    assert (promoted["sample"], promoted["written"]) == ("haiku", True)
    assert sampleui("verdict", run, "haiku", "ok").code == 0
    exported = sampleui("export", run, "--verdict", "ok", "--to", tmp_path / "ok.toml", "--format", "json")
    assert json.loads(exported.out)["samples"] == ["haiku"]
    nothing = sampleui("replace", "no such text", "x", deck, "--format", "json")
    assert (nothing.code, json.loads(nothing.out)["error"]["rule"]) == (1, "nothing")


def test_the_diff_of_a_long_line_is_what_differs_of_it(sampleui, tmp_path):
    deck = tmp_path / "deck.jsonl"
    rows = [{"id": name, "messages": [{"role": "user", "content": "word " * 4_000}]} for name in "abc"]
    deck.write_text("".join(json.dumps(row) + chr(10) for row in rows))
    ran = sampleui("set", deck, "--sample", "b", "--path", "note", "--value", "new", "--format", "json")
    assert "new" in json.loads(ran.out)["diff"]
    assert len(ran.out) < 1_200


def test_what_commands_print_as_json_has_the_names_of_its_schema_and_no_others(sampleui, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(DECKS / "hello.toml", "hello.toml")
    shutil.copy(DECKS.parent / "results" / "hello.results.jsonl", "hello.results.jsonl")
    sampleui("verdict", "hello.results.jsonl", "haiku", "ok", "--comment", "fine")
    run, value = "hello.results.jsonl", ("--sample", "haiku", "--path", "score", "--json")
    asked = [
        ("next", run),
        ("next", run, "--reviewer", "agent:x"),
        ("report", run, "--records", "all"),
        ("get", "hello.toml"),
        ("get", "hello.toml", "--path", "messages[0].content"),
        ("get", "hello.toml", "--sample", "haiku"),
        ("set", "hello.toml", *value, "2"),
        ("set", "hello.toml", *value, "3", "--propose", "--as", "agent:x"),
        ("check", "hello.toml"),
        ("replace", "autumn", "spring", "hello.toml"),
        ("promote", run, "--id", "haiku", "--to", "new.toml"),
        ("export", run, "--verdict", "ok", "--to", "ok.toml"),
        ("get", "hello.toml", "--sample", "nothing"),
        ("next", "none.jsonl"),
    ]
    for command, *args in asked:
        told = json.loads(sampleui(command, *args, "--format", "json").out)
        name = "error" if "error" in told else command
        jsonschema.validate(told.get("error", told), closed(answer_schema(name)))
    (converted,) = sampleui("convert", "hello.toml", "x.jsonl", "--report", "json").out.splitlines()
    jsonschema.validate(json.loads(converted), closed(answer_schema("convert")))


def test_a_record_of_a_report_has_the_names_that_next_prints_and_its_sample_is_got_by_them(sampleui, tmp_path):
    deck, run = tmp_path / "hello.toml", tmp_path / "hello.results.jsonl"
    shutil.copy(DECKS / "hello.toml", deck)
    shutil.copy(DECKS.parent / "results" / "hello.results.jsonl", run)
    report = json.loads(sampleui("report", run, "--records", "failed", "--format", "json").out)
    following = json.loads(sampleui("next", run, "--format", "json").out)
    assert following in report["records"]
    assert answer_schema("next")["$defs"]["record"] == answer_schema("report")["$defs"]["record"]
    for record in report["records"]:
        assert record["deck"] == str(deck)
        got = sampleui("get", record["deck"], "--sample", record["sample"])
        assert got.code == 0


def test_samples_without_a_name_or_of_one_name_are_named_by_their_number(sampleui, tmp_path):
    deck, run = tmp_path / "tests.yaml", tmp_path / "run.json"
    deck.write_text(
        "prompts: ['{{q}}']\nproviders: [echo]\ntests:\n"
        "- {vars: {q: one}}\n- {description: twice, vars: {q: two}}\n- {description: twice, vars: {q: three}}\n"
    )
    rows = [
        {
            "testCase": {"vars": {"q": question}, **({"description": name} if name else {})},
            "vars": {"q": question},
            "provider": {"id": provider},
            "promptIdx": 0,
            "testIdx": number,
            "success": False,
            "score": 0,
            "response": {"output": "x"},
        }
        for number, (question, name) in enumerate((("one", ""), ("two", "twice"), ("three", "twice")))
        for provider in ("a", "b", "a", "b")
    ]
    run.write_text(json.dumps({"version": 3, "results": {"version": 3, "results": rows, "stats": {}}}))
    report = json.loads(sampleui("report", run, "--deck", deck, "--records", "failed", "--format", "json").out)
    named = [(item["sample"], item["target"], item["attempt"]) for item in report["records"]]
    tried = [("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert named == [(name, *each) for name in ("#1", "#2", "#3") for each in tried]
    for record in report["records"]:
        question = sampleui("get", record["deck"], "--sample", record["sample"], "--path", "vars.q").out.strip()
        assert question in json.dumps(record["asked"]) or not record["asked"]
        assert sampleui("verdict", run, record["id"], "ok", "--as", "agent:x").code == 0


def test_a_text_and_the_records_of_a_report_are_cut_and_that_is_said(sampleui, tmp_path):
    run = tmp_path / "run.jsonl"
    rows = [{"test_id": f"s{number}", "score": 0, "output": "word " * 2_000} for number in range(150)]
    run.write_text("".join(json.dumps(row) + "\n" for row in rows))
    report = json.loads(sampleui("report", run, "--records", "failed", "--format", "json").out)
    assert report["records"][0]["actual"].endswith("… (6,000 characters more)")
    assert len(report["records"]) + report["records_left_out"] == 150
    assert len(json.dumps(report["records"])) < 410_000
