"""Verdicts of an earlier run: which of them count for a later one, and that every command says the same of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.review.results.file import open_results

from .conftest import ROOT

ANSWERED = {
    "test_id": "a",
    "target": "m",
    "score": 0,
    "input": "Where is Lyon?",
    "expected_output": "France",
    "output": "Spain",
}


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def told(sampleui, tmp_path):
    """Give a verdict on one run, and return what each command says of a later one."""

    def run(
        before: dict[str, Any], after: dict[str, Any], verdict: str = "model-wrong"
    ) -> tuple[bool, int, int, bool]:
        one = write(tmp_path / "one.jsonl", before)
        assert sampleui("verdict", one, "a", verdict, "--reviewer", "ann").code == 0
        two = write(tmp_path / "two.jsonl", {**after, "timestamp": "2026-01-02T00:00:00Z"})
        report = json.loads(sampleui("report", two, "--format", "json").out)
        left = sampleui("next", two, "--reviewer", "ann", "--format", "id").code == 0
        exported = sampleui("export", two, "--verdict", verdict, "--to", tmp_path / "out.toml").code == 0
        return left, report["review"]["carried"], sum(report["review"]["verdicts"].values()), exported

    return run


def test_a_verdict_on_the_same_answer_counts_in_every_command(told):
    assert told(ANSWERED, ANSWERED) == (False, 1, 1, True)


@pytest.mark.parametrize(
    "changed",
    [
        {"output": "Italy"},
        {"output": ""},
        {"output": "", "error": "late"},
        {"error": "late"},
        {"target": "other"},
        {"target": None},
        {"input": "Where is Rome?"},
        {"input": None},
        {"expected_output": "Spain, of course"},
    ],
    ids=str,
)
def test_a_verdict_is_not_carried_where_answer_sample_or_target_are_not_the_same(told, changed):
    assert told(ANSWERED, {**ANSWERED, **changed}) == (True, 0, 0, False)


@pytest.mark.parametrize(
    "unknown", [{"output": ""}, {"output": None}, {"error": "late"}, {"output": "", "error": "x"}]
)
def test_a_missing_or_failed_answer_is_never_the_same_answer(told, unknown):
    row = {**ANSWERED, **unknown}
    assert told(row, row) == (True, 0, 0, False)


@pytest.mark.parametrize("verdict", ["flaky", "skip"])
def test_flaky_and_skip_are_never_carried(told, verdict):
    assert told(ANSWERED, ANSWERED, verdict) == (True, 0, 0, False)


def test_a_verdict_on_the_grader_is_not_carried_to_a_record_that_came_out_otherwise(told):
    assert told(ANSWERED, {**ANSWERED, "score": 1}, "grader-wrong") == (False, 0, 0, False)
    assert told(ANSWERED, ANSWERED, "grader-wrong") == (False, 1, 1, True)


def test_a_later_flaky_ends_what_was_decided_before(sampleui, tmp_path):
    for name, verdict in (("one", "model-wrong"), ("two", "flaky")):
        path = write(tmp_path / f"{name}.jsonl", {**ANSWERED, "duration_ms": len(name)})
        sampleui("verdict", path, "a", verdict, "--reviewer", "ann")
    three = write(tmp_path / "three.jsonl", {**ANSWERED, "duration_ms": 9})
    assert sampleui("next", three, "--reviewer", "ann", "--format", "id").out.strip() == "a"


def test_a_verdict_is_not_carried_where_the_deck_has_changed_since(sampleui, tmp_path):
    deck = tmp_path / "deck.yaml"
    deck.write_text("tests:\n  - id: a\n    input: Where is Lyon?\n    criteria: names the country\n")
    row = {"test_id": "a", "target": "m", "score": 0, "output": "Spain"}
    one, two = (write(tmp_path / f"{name}.jsonl", {**row, "n": name}) for name in ("one", "two"))
    sampleui("verdict", one, "a", "model-wrong", "--reviewer", "ann", "--deck", deck)

    def carried():
        return json.loads(sampleui("report", two, "--deck", deck, "--format", "json").out)["review"]["carried"]

    assert carried() == 1
    deck.write_text(deck.read_text().replace("country", "continent"))
    assert carried() == 0
    assert sampleui("next", two, "--deck", deck, "--reviewer", "ann", "--format", "id").out.strip() == "a"


def test_what_was_decided_of_another_target_is_offered(sampleui, tmp_path):
    one = write(tmp_path / "one.jsonl", ANSWERED)
    sampleui("verdict", one, "a", "model-wrong", "--reviewer", "ann")
    two = write(tmp_path / "two.jsonl", {**ANSWERED, "target": "other"})
    said = sampleui("next", two, "--reviewer", "ann").out
    assert "an earlier verdict on this answer, of m: model-wrong; it does not count here" in said
    assert "model-wrong" not in sampleui("next", two, "--reviewer", "bob").out, "bob has not decided yet"


def test_a_dispute_of_an_earlier_run_is_one_of_this_run_until_it_is_settled_here(sampleui, tmp_path):
    one, two = (write(tmp_path / f"{name}.jsonl", {**ANSWERED, "n": name}) for name in ("one", "two"))
    sampleui("verdict", one, "a", "model-wrong", "--reviewer", "ann")
    sampleui("verdict", one, "a", "ok", "--reviewer", "bob")
    report = json.loads(sampleui("report", two, "--format", "json").out)
    assert (report["review"]["disputed_records"], report["review"]["reviewed"]) == (["a"], 0)
    assert sampleui("verdict", two, "a", "ok", "--adjudicate", "--reviewer", "cy").code == 0
    report = json.loads(sampleui("report", two, "--format", "json").out)
    assert (report["review"]["disputed_records"], report["review"]["reviewed"], report["review"]["carried"]) == (
        [],
        1,
        0,
    )


def dispute(sampleui, path):
    sampleui("verdict", path, "a", "model-wrong", "--reviewer", "ann", "--comment", "why")
    sampleui("verdict", path, "a", "ok", "--reviewer", "bob")
    sampleui("verdict", path, "b", "ok", "--reviewer", "bob")


@pytest.mark.parametrize("reviewer", [(), ("--reviewer", "bob")], ids=["anyone", "bob"])
def test_a_disputed_record_is_not_exported_as_one_reviewers(sampleui, tmp_path, reviewer):
    run, deck = write(tmp_path / "one.jsonl", ANSWERED, {**ANSWERED, "test_id": "b"}), tmp_path / "out.jsonl"
    dispute(sampleui, run)
    said = sampleui("export", run, "--verdict", "ok", "--to", deck, *reviewer)
    assert "a: left out, reviewers disagree (ann model-wrong, bob ok)" in said.out
    assert [json.loads(line)["id"] for line in deck.read_text().splitlines()] == ["b"]
    assert sampleui("export", run, "--verdict", "flaky", "--to", deck).code == 1
    sampleui("verdict", run, "a", "ok", "--adjudicate")
    sampleui("export", run, "--verdict", "ok", "--to", deck)
    assert len(deck.read_text().splitlines()) == 2


def test_figures_leave_disputed_records_out_and_name_them(sampleui, tmp_path):
    run = write(tmp_path / "one.jsonl", ANSWERED, {**ANSWERED, "test_id": "b"})
    dispute(sampleui, run)
    data = json.loads(sampleui("report", run, "--format", "json").out)
    assert (data["review"]["disputed"], data["review"]["disputed_records"], data["review"]["reviewed"]) == (
        1,
        ["a"],
        1,
    )
    assert {key: count for key, count in data["review"]["verdicts"].items() if count} == {"ok": 1}
    assert data["review"]["verdicts_by_outcome"]["settled"] == 1
    for form in ("text", "markdown"):
        said = sampleui("report", run, "--format", form).out
        assert "Review: 1 of 2 failed records decided" in said
        assert "1 record open (a), 0 adjudicated." in said


def test_edits_of_scores_leave_disputed_records_out_and_name_them(sampleui, tmp_path):
    run = tmp_path / "scores.eval"
    run.write_bytes((ROOT / "tests" / "integrations" / "inspect_ai" / "logs" / run.name).read_bytes())
    first, second = (one.id for one in open_results(run).indexed().entries[:2])
    for name, verdict, reviewer in ((first, "ok", "ann"), (first, "model-wrong", "bob"), (second, "ok", "ann")):
        assert sampleui("verdict", run, name, verdict, "--reviewer", reviewer).code == 0
    said = sampleui("report", run, "--format", "score-edits")
    edits = [json.loads(line) for line in said.out.splitlines()]
    assert len({(one["sample_id"], one["epoch"]) for one in edits}) == 1
    assert f"{first}: left out, reviewers disagree (ann ok, bob model-wrong)" in said.err
