"""What programs propose has a state, is one however often it is said, and comes from a shell of a program alone."""

from __future__ import annotations

import io
import json
import shutil
from types import SimpleNamespace

import jsonschema
import pytest

from sampleui.cli.schema import answer_schema
from sampleui.review.log.store import log_path, open_log
from sampleui.review.verdict import LogAction
from sampleui.workspace.proposed_edits import ProposalAnswer, answer, proposed_edits

from .conftest import DECKS
from .schemas import closed

AS = ("--as", "agent:x")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shutil.copy(DECKS / "hello.toml", "hello.toml")
    shutil.copy(DECKS.parent / "results" / "hello.results.jsonl", "hello.results.jsonl")
    return tmp_path / "hello.results.jsonl"


def listed(sampleui, run, *options):
    told = json.loads(sampleui("proposals", run, *options, "--format", "json").out)
    jsonschema.validate(told, closed(answer_schema("proposals")))
    return told["proposals"]


def refuse(run, proposal):
    import dataclasses

    log = open_log(log_path(run))
    line = next(item for item in log.decisions if item.id == proposal)
    refusal = dataclasses.replace(
        line, id="f" * 16, kind=LogAction.REFUSE, reviewer="ann", verdict=None, proposal=proposal
    )
    log.append(refusal)


def test_a_proposal_is_open_taken_refused_withdrawn_or_passed_over(sampleui, run):
    for name in ("haiku", "refund-policy", "unit-conversion", "algebra-tutor"):
        assert sampleui("verdict", run, name, "ok", *AS).code == 0
    edit = ("--sample", "haiku", "--path", "score", "--json", "2", "--propose", *AS)
    assert sampleui("set", "hello.toml", *edit).code == 0
    ids = {item.get("record", "edit"): item["proposal"] for item in listed(sampleui, run)}
    assert {item["state"] for item in listed(sampleui, run)} == {"open"}
    refuse(run, ids["haiku"])
    sampleui("verdict", run, "refund-policy", "flaky", "--reviewer", "ann")
    assert sampleui("proposals", run, "--withdraw", ids["unit-conversion"], *AS).code == 0
    (proposed,) = proposed_edits(run.with_name("hello.toml"))
    answer(run.with_name("hello.toml"), proposed, "ann", ProposalAnswer.TAKE)
    states = {item.get("record", "edit"): (item["state"], item["by"]) for item in listed(sampleui, run)}
    assert states == {
        "haiku": ("refused", "ann"),
        "refund-policy": ("passed over", None),
        "unit-conversion": ("withdrawn", "agent:x"),
        "algebra-tutor": ("open", None),
        "edit": ("taken", "ann"),
    }
    assert [item["record"] for item in listed(sampleui, run, "--state", "open")] == ["algebra-tutor"]
    assert sampleui("proposals", run, "--withdraw", ids["algebra-tutor"], "--as", "agent:y").code == 2


def test_the_same_proposal_twice_is_one_and_a_refused_one_says_so(sampleui, run):
    asked = ("verdict", run, "haiku", "ok", "--comment", "fine", *AS)
    first = json.loads(sampleui(*asked, "--format", "json").out)["recorded"][0]
    again = json.loads(sampleui(*asked, "--format", "json").out)["recorded"][0]
    assert (again["id"], again["state"]) == (first["id"], "open")
    assert len(listed(sampleui, run)) == 1
    assert len(log_path(run).read_text().splitlines()) == 1
    refuse(run, first["id"])
    ran = sampleui(*asked)
    assert (ran.code, "refused by ann" in ran.out, len(listed(sampleui, run))) == (1, True, 1)
    assert sampleui("verdict", run, "haiku", "flaky", *AS).code == 0
    assert [item["state"] for item in listed(sampleui, run)] == ["refused", "open"]


def test_the_same_edit_proposed_twice_is_one_and_a_refused_one_says_so(sampleui, run):
    edit = ("--sample", "haiku", "--path", "score", "--json", "2", "--propose", *AS)
    deck = run.with_name("hello.toml")
    for _ in range(2):
        assert sampleui("set", deck, *edit).code == 0
    (proposed,) = proposed_edits(deck)
    answer(deck, proposed, "ann", ProposalAnswer.REFUSE)
    ran = sampleui("set", deck, *edit)
    assert (ran.code, "ann refused it" in ran.err, len(proposed_edits(deck))) == (1, True, 1)


def test_all_that_the_shell_of_a_program_says_is_a_proposal(sampleui, run, monkeypatch):
    (run.parent / ".env").write_text("SAMPLEUI_AS=agent:env\n")
    before = run.with_name("hello.toml").read_bytes()
    assert sampleui("verdict", run, "algebra-tutor", "ok", "--reviewer", "ann").code == 0
    monkeypatch.setenv("SAMPLEUI_AS", "agent:shell")
    assert sampleui("verdict", run, "haiku", "ok").code == 0
    assert sampleui("comment", run, "haiku", "hm").code == 0
    assert sampleui("set", "hello.toml", "--sample", "haiku", "--path", "score", "--json", "2").code == 0
    assert sampleui("replace", "autumn", "spring", "hello.toml").code == 0
    assert run.with_name("hello.toml").read_bytes() == before
    assert {item["agent"] for item in listed(sampleui, run)} == {"agent:shell"}
    assert len(listed(sampleui, run)) == 4
    ran = sampleui("verdict", run, "haiku", "ok", "--reviewer", "ann")
    assert (ran.code, "in the name of ann" in ran.err) == (2, True)
    for command in (
        ["promote", run, "--id", "haiku", "--to", "hello.toml"],
        ["export", run, "--verdict", "ok", "--to", "hello.toml"],
        ["rerun", run, "--id", "haiku", "--yes"],
    ):
        ran = sampleui(*command)
        assert (ran.code, "agent:shell" in ran.err) == (2, True), command
    assert run.with_name("hello.toml").read_bytes() == before
    monkeypatch.setenv("SAMPLEUI_AS", "ann")
    assert "not the name of a program" in sampleui("verdict", run, "haiku", "ok").err


def test_that_all_is_decided_is_said_of_decisions_alone(sampleui, run):
    names = []
    while (name := sampleui("next", run, "--reviewer", "agent:x", "--format", "id").out.strip()) and len(
        names
    ) < 20:
        names.append(name)
        sampleui("verdict", run, name, "ok", *AS)
    ran = sampleui("next", run, "--reviewer", "agent:x")
    assert (ran.code, "agent:x has proposed a verdict on every failed record" in ran.err) == (1, True)
    for name in names:
        sampleui("verdict", run, name, "ok", "--reviewer", "ann")
    assert "every failed record is decided" in sampleui("next", run, "--reviewer", "ann").err


def test_verdicts_and_comments_are_read_from_lines_all_or_none_with_the_number_of_a_wrong_one(
    sampleui, run, monkeypatch
):
    lines = [{"record": "haiku", "verdict": "ok", "comment": "a"}, {"id": "refund-policy", "comment": "b"}]

    def said(*rows, command="verdict"):
        text = "".join(json.dumps(row) + "\n\n" for row in rows)
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
        return sampleui(command, run, "--lines", "-", *AS, "--format", "json")

    for wrong in (
        {"record": "nobody", "verdict": "ok"},
        {"record": "haiku", "verdict": "yes"},
        {"record": "haiku"},
        1,
    ):
        ran = said(*lines, wrong)
        assert (ran.code, json.loads(ran.out)["error"]["line"]) == (2, 5)
        assert not log_path(run).exists()
    told = json.loads(said(*lines, command="comment").out)
    jsonschema.validate(told, closed(answer_schema("comment")))
    assert [(item["record"], item["verdict"]) for item in told["recorded"]] == [
        ("haiku", "ok"),
        ("refund-policy", None),
    ]
    both = [{"record": "haiku", "verdict": "flaky"}, {"record": "haiku", "comment": "both"}]
    assert said(*both).code == 0
    told = [(item["verdict"], item["comment"]) for item in listed(sampleui, run) if item["record"] == "haiku"]
    assert told == [("ok", "a"), ("flaky", "a"), ("flaky", "both")]


def test_comments_name_the_deck_and_the_sample_as_get_takes_them(sampleui, run):
    sampleui("comment", run, "haiku", "hm", "--reviewer", "ann")
    told = json.loads(sampleui("comments", run, "--format", "json").out)
    jsonschema.validate(told, closed(answer_schema("comments")))
    (comment,) = told["comments"]
    traced = json.loads(sampleui("trace", run, "--id", "haiku", "--format", "json").out)
    assert (traced["deck"], traced["sample"]) == (comment["deck"], comment["sample"])
    assert sampleui("get", comment["deck"], "--sample", comment["sample"]).code == 0


def test_what_people_wrote_in_the_feedback_of_a_workspace_are_comments_too(sampleui):
    run = DECKS.parent / "skills" / "greeter-workspace" / "iteration-1"
    told = json.loads(sampleui("comments", run, "--format", "json").out)
    jsonschema.validate(told, closed(answer_schema("comments")))
    assert [(item["record"], item["comment"], item["reviewer"]) for item in told["comments"]] == [
        ("0", "Zofio, please.", "(feedback)"),
        ("2", "looked at, and found fine", "(feedback)"),
    ]
    assert "Zofio, please." in sampleui("comments", run).out
