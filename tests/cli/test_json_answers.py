"""Where JSON is asked for, standard output has JSON and nothing else, and standard error has the words."""

from __future__ import annotations

import importlib
import json
import shutil

import click
import jsonschema
import pytest

from sampleui.cli.commands import COMMANDS
from sampleui.cli.schema import answer_schema

from .conftest import DECKS
from .rerunning import Project
from .schemas import closed


@pytest.mark.parametrize(
    "args",
    [
        ["get", "none.toml"],
        ["get"],
        ["set", "none.toml", "--sample", "a", "--path", "b", "--value", "c"],
        ["check", "none.toml", "--no-such-option"],
        ["review", "hello.results.jsonl", "--wait", "--for", "0", "--id", "none"],
        ["comments", "words.jsonl"],
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
    shutil.copy(DECKS.parent / "results" / "hello.results.jsonl", tmp_path)
    (tmp_path / "words.jsonl").write_text("not a row\n")
    ran = sampleui(*args, "--format", "json")
    error = json.loads(ran.out)["error"]
    assert (ran.code, error["rule"] != "", error["message"] != "") == (2, True, True)
    assert error["message"].split(chr(10))[0].rstrip(".") in ran.err


def test_a_deck_that_cannot_be_checked_is_told_in_json_and_in_words(sampleui, tmp_path):
    for form in ("json", "sarif", "github", "text"):
        ran = sampleui("check", tmp_path / "none.toml", "--format", form)
        assert (ran.code, ran.err) == (2, f"{tmp_path / 'none.toml'}: there is no such file\n")


def test_a_path_that_no_sample_has_is_told_in_words(sampleui):
    ran = sampleui("get", DECKS / "hello.toml", "--path", "none", "--format", "json")
    assert (ran.code, json.loads(ran.out)["values"], "6 samples without none" in ran.err) == (2, [], True)


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


@pytest.fixture
def evals(tmp_path, monkeypatch):
    """A folder with a deck and a run that commands are tried on, and a project whose program runs again."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(DECKS / "hello.toml", "hello.toml")
    shutil.copy(DECKS.parent / "results" / "hello.results.jsonl", "hello.results.jsonl")
    (tmp_path / "edits.jsonl").write_text('{"op": "set", "sample": "haiku", "path": "score", "value": 4}')
    labelled = dict.fromkeys(("haiku", "algebra-tutor", "refund-policy"), "yes")
    labelled |= dict.fromkeys(("#7", "#8", "#9"), "no")
    labels = [{"id": name, "code": "too long", "label": label} for name, label in labelled.items()]
    (tmp_path / "labels.jsonl").write_text("".join(json.dumps(label) + "\n" for label in labels))
    shutil.copytree(DECKS.parent / "skills", tmp_path / "skills")
    shutil.copytree(DECKS.parent / "results", tmp_path / "traces")
    return Project(tmp_path / "again")


RUN, VALUE = "hello.results.jsonl", ("--sample", "haiku", "--path", "score", "--json")
ASKED = [
    ("get", "hello.toml"),
    ("get", "hello.toml", "--path", "messages[0].content"),
    ("get", "hello.toml", "--sample", "haiku"),
    ("set", "hello.toml", *VALUE, "2"),
    ("set", "hello.toml", *VALUE, "3", "--propose", "--as", "agent:x"),
    ("insert", "hello.toml", "--sample", "haiku", "--path", "tags[+]", "--value", "short"),
    ("rename", "hello.toml", "--sample", "haiku", "--path", "score", "--to", "points"),
    ("move", "hello.toml", "--sample", "haiku", "--path", "messages[0]", "--to", "0"),
    ("delete", "hello.toml", "--sample", "haiku", "--path", "points"),
    ("rename-sample", "hello.toml", "--sample", "arithmetic", "--to", "sum"),
    ("move-sample", "hello.toml", "--sample", "sum", "--to", "#1"),
    ("add-sample", "hello.toml", "--json", '{"messages": [{"role": "user", "content": "Hi"}]}'),
    ("delete-sample", "hello.toml", "--sample", "#7"),
    ("edit", "hello.toml", "edits.jsonl"),
    ("check", "hello.toml", "--verbose"),
    ("check", "edits.jsonl", RUN),
    ("replace", "autumn", "spring", "hello.toml", "none.toml"),
    ("convert", "hello.toml", "x.jsonl"),
    ("convert", "hello.toml", "none.toml", "there"),
    ("render", "hello.toml"),
    ("render", "hello.toml", "--sample", "haiku"),
    ("next", RUN),
    ("verdict", RUN, "haiku", "ok", "--comment", "fine"),
    ("verdict", RUN, "refund-policy", "ok", "--as", "agent:x"),
    ("comment", RUN, "haiku", "and short", "--as", "agent:x"),
    ("comments", RUN, "--since", ""),
    ("code", "add", RUN, "too long", "It is longer than was asked."),
    ("code", "add", RUN, "too short", "It is shorter.", "--as", "agent:x"),
    ("code", "rename", RUN, "too long", "lengthy"),
    ("label", RUN, "labels.jsonl"),
    ("code", "list", RUN),
    ("labels", RUN, "--to", "long.jsonl", "--code", "lengthy"),
    ("labels", RUN, "--from", "long.jsonl", "--code", "lengthy", "--reviewer", "ana"),
    ("labels", RUN, "--split", "1", "--code", "lengthy"),
    ("proposals", RUN),
    ("review", RUN, "--wait", "--for", "0"),
    ("next", RUN, "--reviewer", "agent:y"),
    ("report", RUN, "--records", "all", "--codes"),
    ("regrade", RUN),
    ("trace", "traces/traces.jsonl"),
    ("trace", RUN, "--id", "haiku"),
    ("promote", RUN, "--id", "haiku", "--to", "new.toml"),
    ("export", RUN, "--verdict", "ok", "--to", "ok.toml"),
    ("verdict", "skills/greeter-workspace/iteration-1", "#1", "ok"),
    ("verdicts", "skills/greeter-workspace/iteration-1", "--to", "skills"),
    ("rerun", "again/run.json", "--failed"),
    ("rerun", "again/run.json", "--failed", "--yes"),
    ("rerun", "again/run.json", "--id", "right", "--yes"),
    ("regrade", "again/run.json", "--by-tool", "--yes"),
    ("get", "hello.toml", "--sample", "nothing"),
    ("next", "none.jsonl"),
]


def test_what_commands_print_as_json_has_the_names_of_its_schema_and_no_others(sampleui, evals):
    for command, *args in ASKED:
        ran = sampleui(command, *args, *_in_json(command))
        lines = [json.loads(ran.out)] if ran.out.startswith("{\n") else [*map(json.loads, ran.out.splitlines())]
        assert lines, (command, args)
        for told in lines:
            is_error = "error" in told and command not in ("replace", "convert")
            name = "error" if is_error else command
            assert is_error == ((command, *args) in ASKED[-2:]), (args, told)
            jsonschema.validate(told.get("error") if is_error else told, closed(answer_schema(name)))


def test_every_command_that_prints_json_has_its_schema_and_is_held_against_it():
    context = click.Context(click.Command("sampleui"))
    printing = set()
    for name, entry in COMMANDS.items():
        command = getattr(importlib.import_module(f"sampleui.cli.{entry.module}"), entry.attribute)
        inner = command.commands.values() if isinstance(command, click.Group) else [command]
        option, *_ = _in_json(name)
        for each in inner:
            options = {word: item.type for item in each.get_params(context) for word in item.opts}
            if "json" in getattr(options.get(option), "choices", ()):
                printing.add(name)
    assert printing == {command for command, *_ in ASKED}
    assert all(answer_schema(name) for name in printing)


def _in_json(command: str) -> tuple[str, str]:
    return {"convert": "--report", "render": "--as"}.get(command, "--format"), "json"


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


def test_nothing_is_said_twice_in_one_answer(sampleui, evals, tmp_path):
    for command, *args in (("replace", "autumn", "spring", "hello.toml"), ("convert", "hello.toml", "x.toml")):
        told = json.loads(sampleui(command, *args, *_in_json(command)).out)
        assert not any("written as" in said or "replaced in" in said for said in told["remarks"])
    ran = sampleui("rerun", evals.results, "--failed", "--format", "json")
    (call,) = json.loads(ran.out)["calls"]
    assert call["shown"] and len(ran.err.splitlines()) == 1  # what is shown is in the answer
    failed = json.loads(sampleui("next", evals.results, "--format", "json").out)
    assert failed["evaluators"] == [] or "misses" not in failed


def test_a_verdict_that_a_program_proposes_does_not_stand(sampleui, evals):
    assert sampleui("verdict", RUN, "haiku", "ok", "--as", "agent:x").code == 0
    records = json.loads(sampleui("report", RUN, "--records", "all", "--format", "json").out)["records"]
    assert [item["said"][0]["verdict"] for item in records if "said" in item] == ["ok"]
    assert {item["verdict"] for item in records} == {None}


def test_two_files_that_may_be_the_deck_are_told_of_where_none_is_used(sampleui, evals):
    config = evals.root / "promptfooconfig.yaml"
    (evals.root / "twin.yaml").write_bytes(config.read_bytes())
    ran = sampleui("next", evals.results, "--format", "json")
    assert json.loads(ran.out)["deck"] is None
    assert "could be the deck; pass the one with --deck" in ran.err


def test_a_record_is_promoted_into_a_new_deck_of_its_run_s_dialect(sampleui, evals, tmp_path):
    target = tmp_path / "again" / "promoted.yaml"
    told = json.loads(sampleui("promote", evals.results, "--id", "sum", "--to", target, "--format", "json").out)
    assert told["written"] and "description: sum" in target.read_text()
    assert "promptfoo" in sampleui("check", target, "--verbose").out
