"""What commands write passes `check`, or they say that it does not, and so does the exit code."""

from __future__ import annotations

import json

import pytest

from sampleui.workspace.deck import open_deck


@pytest.fixture
def results(tmp_path):
    path = tmp_path / "run.jsonl"
    row = {
        "test_id": "a",
        "score": 0.1,
        "output": "four",
        "input": [{"role": "user", "content": "2 + 2?"}],
        "execution_status": "ok",
    }
    path.write_text(json.dumps(row) + "\n")
    return path


def test_a_sample_that_is_promoted_or_exported_is_checked(sampleui, results, tmp_path):
    assert sampleui("verdict", results, "a", "model-wrong").code == 0
    for dialect, suffix in (("agentv", "yaml"), ("calibrate", "toml"), ("gage", "jsonl"), ("openai", "jsonl")):
        for command in (["promote", results, "--id", "a"], ["export", results, "--verdict", "model-wrong"]):
            target = tmp_path / f"{command[0]}-{dialect}.{suffix}"
            ran = sampleui(*command, "--to", target, "--dialect", dialect)
            checked = sampleui("check", target, "--dialect", dialect)
            assert ran.code == checked.code < 2, (command, dialect, ran, checked)
            assert ("does not pass check" in ran.err) == bool(ran.code)


def test_an_export_of_dates_to_a_format_without_is_told(sampleui, results, tmp_path):
    deck = tmp_path / "deck.toml"
    deck.write_text(
        '[[samples]]\nid = "a"\nday = 2024-01-02\nexpected = "4"\nmessages = [{role = "user", content = "2?"}]\n'
    )
    sampleui("verdict", results, "a", "model-wrong")
    for suffix in ("jsonl", "yaml", "csv"):
        target = tmp_path / f"new.{suffix}"
        ran = sampleui("export", results, "--verdict", "model-wrong", "--deck", deck, "--to", target)
        assert "a: day: a date or time is written as text" in ran.out.splitlines(), ran
        assert open_deck(target, "calibrate").samples[0].data["day"] == "2024-01-02"


def test_a_replacement_that_makes_a_problem_says_so(sampleui, tmp_path):
    deck = tmp_path / "deck.jsonl"
    rows = [{"id": name, "messages": [{"role": "user", "content": name}]} for name in ("a", "b")]
    rows[1]["messages"].append({"role": "ai", "content": "an old problem"})
    deck.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = sampleui("replace", "an old", "a known", deck, "--dialect", "calibrate")
    assert (ran.code, ran.err) == (0, "")
    ran = sampleui("replace", "a", "b", deck, "--sample", "a", "--dialect", "calibrate", "--dry-run")
    assert ran.code == 1 and 'The id "b" is already that of sample' in ran.err
    ran = sampleui("replace", "user", "", deck, "--dialect", "calibrate")
    assert ran.code == 1 and "does not pass check" in ran.err and "2 values replaced" in ran.out


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([], "there are no records\n"),
        ([{"score": 1.0}], "no record failed\n"),
        ([{"score": 1.0}, {}], "no record failed; 1 record ungraded\n"),
    ],
)
def test_next_says_that_failures_are_decided_only_where_there_were_some(sampleui, tmp_path, rows, said):
    path = tmp_path / "run.jsonl"
    path.write_text(
        "".join(json.dumps({"test_id": f"r{at}", "output": "x", **row}) + "\n" for at, row in enumerate(rows))
    )
    ran = sampleui("next", path)
    assert (ran.code, ran.out, ran.err) == (1, "", said)


def test_an_export_of_rows_that_nobody_could_read_is_no_export_of_none(sampleui, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"foo": 1}\n')
    ran = sampleui("export", path, "--verdict", "ok", "--to", tmp_path / "new.jsonl")
    assert ran.code == 2 and "none of its 1 rows could be read" in ran.err


def test_edits_of_scores_that_there_are_none_of_are_no_success(sampleui, results):
    ran = sampleui("report", results, "--format", "score-edits")
    assert (ran.code, ran.out, ran.err) == (1, "", f"{results}: no verdict changes a score\n")


def test_a_score_beyond_a_float_is_no_reason_to_fail(sampleui, tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(
        f'{{"id": "a", "output": "x", "score": {"9" * 4000}}}\n{{"id": "b", "output": "x", "score": 0.5}}\n'
    )
    for command in ("guess", "next", "report", "trace", "check"):
        assert sampleui(command, path).code in (0, 1, 2)
