"""Small inputs of strangers, each with what is right to say of it; they lie beside the checkout, or the tests skip.

Their folder is that of the environment variable SAMPLEUI_REPORTS, or `../shared/reports`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from getpass import getuser
from pathlib import Path

import pytest
import yaml

from tests.command import ran

FOLDER = Path(os.environ.get("SAMPLEUI_REPORTS") or Path(__file__).parents[3] / "shared" / "reports")
USER = getuser()

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason="the small inputs are not there")


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the inputs, in a project of its own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "inputs"
    shutil.copytree(FOLDER, folder, symlinks=True)
    (folder / ".git").mkdir()
    return folder


def checked(folder: Path, name: str) -> str:
    """Return what `check` says of a deck that it finds something in."""
    done = ran("check", name, folder=folder)
    assert done.code == 1 and "no problems" not in done.out
    return done.out


def nexts(folder: Path, results: str, deck: str) -> Iterator[tuple[str, dict[str, list[str]]]]:
    """Yield the id of each failed record in turn, and what `next` says of it by its first words."""
    while True:
        named = ran("next", results, "--deck", deck, "--format", "id", folder=folder)
        if named.code:
            return
        said = defaultdict(list)
        for line in ran("next", results, "--deck", deck, folder=folder).out.split("\n")[1:]:
            word, _, text = line.partition(": ")
            said[word].append(text.strip())
        yield named.out.strip(), said
        assert ran("verdict", results, named.out.strip(), "ok", "--reviewer", USER, folder=folder).code == 0


# What is said of two runs


def test_an_assertion_set_that_failed_is_no_changed_expectation(inputs):
    told = ran(
        "next",
        "out.json",
        "--deck",
        "promptfooconfig.yaml",
        "--format",
        "json",
        folder=inputs / "two-runs" / "promptfoo-assert-set",
    )
    assert "changed" not in told.out
    assert (
        "missed:    contains Paris"
        in ran(
            "next",
            "out.json",
            "--deck",
            "promptfooconfig.yaml",
            folder=inputs / "two-runs" / "promptfoo-assert-set",
        ).out
    )


def test_expected_is_what_made_the_record_fail_and_nothing_that_was_met(inputs):
    folder = inputs / "two-runs" / "promptfoo-expected-shown"
    said = {
        name: (say["expected"], say["missed"]) for name, say in nexts(folder, "out.json", "promptfooconfig.yaml")
    }
    assert said["capital"] == (["Answer"], ["starts-with Answer"])
    assert said["partly"] == (["x"], ["equals x"])


def test_a_record_that_passes_now_is_better_and_a_changed_assertion_is_said_beside_what_is_worse(inputs):
    folder = inputs / "two-runs" / "fixed-deck-baseline"
    told = ran("report", "r2.json", "--baseline", "r1.json", folder=folder)
    assert "1 of 2 better, 1 worse: not shown" in told.out and "1 of 1 worse expects something else now" in told.out
    failing = ran("report", "r2.json", "--baseline", "r1.json", "--fail-if-worse", folder=folder)
    assert failing.code == 0 and "1 of 1 worse expects something else now" in failing.out


def test_errors_have_no_outcome_to_compare(inputs):
    folder = inputs / "two-runs" / "error-in-baseline"
    assert (
        "2 records: 0 passed, 0 failed, 2 errors; mean score not known"
        in ran("report", "r1.json", folder=folder).out
    )
    told = ran("report", "r2.json", "--baseline", "r1.json", folder=folder).out
    assert "nothing to compare: no sample of r1.json has an outcome" in told and "2 scored only in this run" in told


def test_kinds_of_failure_of_two_reviewers_count_and_a_skip_decides_nothing(inputs):
    folder = inputs / "two-runs" / "two-reviewers"
    (folder / "dot-sampleui.toml").rename(folder / ".sampleui.toml")
    told = ran("report", "hello.results.jsonl", folder=folder).out
    assert "Review: 1 of 6 failed records and errors decided" in told and re.search(r"skip +1  set aside", told)
    written = json.loads(ran("report", "hello.results.jsonl", "--format", "json", folder=folder).out)
    assert json.dumps(written).count('"model-wrong"')


def test_what_a_cancelled_run_left_out_is_told_and_what_it_broke_off_is_no_failure(inputs):
    told = ran("report", "cancelled.eval", folder=inputs / "two-runs" / "inspect-cancelled")
    assert "8 of 24 ran, 6 were interrupted" in told.out
    assert "8 records by includes: 1 passed, 1 failed, 6 ungraded, 0 errors" in told.out


# What a deck's own tool makes of it


def test_a_test_of_several_prompts_is_found_by_the_id_that_its_loader_gives(inputs):
    told = ran(
        "regrade", "run.jsonl", "--deck", "two.eval.yaml", folder=inputs / "own-readers" / "agentv5-two-prompts"
    )
    assert "sky__prompt_short" in told.out and "0 without a sample" in told.err


def test_a_key_that_is_an_alias_is_set_and_not_written_again(inputs):
    folder = inputs / "own-readers" / "alias-key"
    before = (folder / "deck.eval.yaml").read_text()
    done = ran(
        "set", "deck.eval.yaml", "--sample", "#1", "--path", "metadata.colour", "--value", "red", folder=folder
    )
    assert done.code == 0
    assert (folder / "deck.eval.yaml").read_text() == before.replace("*who : blue", "*who : red")


@pytest.mark.parametrize(
    ("folder", "name", "words"),
    [
        ("json-nan", "deck.jsonl", "NaN is no JSON"),
        ("toml-1.1", "deck.toml", "the time 07:32 without seconds is TOML 1.1"),
    ],
)
def test_what_other_readers_of_the_format_refuse_is_told(inputs, folder, name, words):
    assert words in checked(inputs / "own-readers" / folder, name)


def test_advice_on_an_older_deck_is_the_right_line_and_expected_is_no_answer(inputs):
    folder = inputs / "own-readers" / "empty-turn"
    advice = checked(folder, "old-record.toml")
    assert "convert --from calibrate --to calibrate" in advice and "guess" not in advice
    assert 'response = "expected"' not in ran("guess", "old-record.toml", folder=folder).out


# What people reported of other tools


def test_a_thinking_part_is_no_answer(inputs):
    folder = inputs / "public" / "thinking-answer"
    assert re.search(r"^actual: +green$", ran("next", "agentv.jsonl", folder=folder).out, re.MULTILINE)
    decided = ran("verdict", "agentv.jsonl", "#1", "expected-wrong", "--reviewer", "ada", folder=folder)
    assert decided.code == 0
    taken = ran(
        "export",
        "agentv.jsonl",
        "--verdict",
        "expected-wrong",
        "--take-actual",
        "--to",
        "new.yaml",
        "--deck",
        "agentv.eval.yaml",
        folder=folder,
    )
    assert taken.code == 0
    written = (folder / "new.yaml").read_text()
    assert "green" in written and "think" not in written


def test_a_comment_between_a_key_and_its_value_stays(inputs):
    folder = inputs / "public" / "key-comment"
    before = (folder / "deck.yaml").read_text()
    assert ran("replace", "Hi there", "Hey", "deck.yaml", folder=folder).code == 0
    assert (folder / "deck.yaml").read_text() == before.replace("Hi there", "Hey")


def test_braces_in_a_text_of_a_template_are_what_they_are(inputs):
    assert "A {{ kept }} for Al" in ran("render", ".", folder=inputs / "public" / "literal-braces").out


def test_names_of_columns_are_trimmed_as_promptfoo_does(inputs):
    folder = inputs / "public" / "spaced-header"
    assert '"content": "hello"' in ran("render", ".", folder=folder).out
    assert "0 without a sample" in ran("regrade", "out.json", "--deck", "promptfooconfig.yaml", folder=folder).err


def test_decimals_that_a_conversion_shortens_are_told(inputs):
    folder = inputs / "public" / "silent-decimal"
    told = ran("convert", "a.json", "b.yaml", folder=folder)
    assert "5.107091491635510056019771245 has more digits than a float" in told.out + told.err
    assert "1e-400 is too small" in told.out + told.err
    assert yaml.safe_load((folder / "b.yaml").read_text())["samples"][0]["dec"] == 5.10709149163551


def test_a_new_verdict_keeps_the_comment_and_the_kind_of_the_one_before(inputs):
    folder = inputs / "public" / "verdict-comment"
    first = json.loads((folder / "r.jsonl").read_text().split("\n")[0])["id"]
    for verdict, more in (("model-wrong", ("--comment", "made up")), ("grader-wrong", ())):
        assert ran("verdict", "r.jsonl", first, verdict, *more, "--reviewer", "ada", folder=folder).code == 0
    assert "made up" in ran("comments", "r.jsonl", "--format", "json", folder=folder).out
    told = ran("report", "r.jsonl", "--format", "json", folder=folder).out
    assert [(said["verdict"], said["comment"]) for said in json.loads(told)["review"]["decisions"]] == [
        ("grader-wrong", "made up")
    ]


def test_what_differs_of_two_texts_that_look_the_same_is_named(inputs):
    folder = inputs / "public" / "same-looking"
    differs = {name: said["differs"] for name, said in nexts(folder, "r.jsonl", "d.json")}
    assert {*differs} == {"cr", "nbsp", "nfc", "homo", "space"}
    assert all(differs.values()), differs
    assert "U+000D" in differs["cr"][0] and "U+00A0" in differs["nbsp"][0] and "U+0430" in differs["homo"][0]


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("unknown-grader", 'promptfoo has no assertion "similarity"'),
        ("flat-rows", "to promptfoo this is no test"),
        ("evaluator-arguments", "pydantic-evals does not load it: HasMatchingSpan lacks query"),
    ],
)
def test_what_the_tool_refuses_is_said(inputs, folder, words):
    assert words in checked(inputs / "public" / folder, ".")


def test_an_infinite_score_is_outside_of_0_to_1_and_decides_nothing(inputs):
    told = ran("report", "log.json", folder=inputs / "public" / "infinite-score").out
    assert "6 records by strange: 0 passed, 0 failed, 6 ungraded" in told
    assert "strange gives scores under 0 or over 1" in told


# Any record


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("anthropic.json", "1 record: 0 passed, 0 failed, 1 ungraded"),
        ("uimessages.json", "1 record: 0 passed, 0 failed, 1 ungraded"),
        ("atif-1.8.json", "1 record: 0 passed, 0 failed, 1 ungraded"),
        ("harbor-result.json", "1 record: 0 passed, 1 failed"),
        ("eee.jsonl", "2 records: 1 passed, 1 failed"),
        ("prod.jsonl", "4 records: 0 passed, 0 failed, 4 ungraded"),
    ],
)
def test_a_record_of_any_shape_is_read(inputs, name, words):
    told = ran("report", name, folder=inputs / "any-record")
    assert told.code == 0 and words in told.out


@pytest.mark.parametrize(
    ("name", "calls"),
    [
        ("anthropic.json", ["calc"]),
        ("uimessages.json", ["getWeather"]),
        ("atif-1.8.json", ["bash"]),
        ("prod.jsonl", ["search", "draft"]),
    ],
)
def test_calls_of_messages_of_any_form_are_counted(inputs, name, calls):
    told = ran("trace", name, "--id", "#1", "--format", "json", folder=inputs / "any-record")
    assert told.code == 0
    assert [event["name"] for event in json.loads(told.out)["events"] if event["type"] == "tool_call"] == calls


# Hostile folders


def test_a_log_of_verdicts_that_is_a_link_out_of_the_folder_is_not_written(inputs, tmp_path):
    folder = inputs / "folders" / "log-link"
    outside = tmp_path / "bashrc"
    outside.write_text("alias l=ls\n")
    (folder / "run.reviews.jsonl").symlink_to(outside)
    done = ran("verdict", "run.jsonl", "#1", "ok", "--reviewer", "ada", folder=folder)
    assert done.code == 2 and done.err and outside.read_text() == "alias l=ls\n"


@pytest.mark.parametrize(
    "form", [("report", "--format", "html"), ("report", "--format", "markdown"), ("next", "--format", "json")]
)
def test_no_value_of_the_environment_is_in_what_is_shared(inputs, monkeypatch, form):
    monkeypatch.setenv("MY_SECRET_TOKEN", "xyzzy-of-the-reader")
    command, *more = form
    done = ran(command, "run.jsonl", "--deck", "deck.yaml", *more, folder=inputs / "folders" / "env-leak")
    assert done.out and "xyzzy-of-the-reader" not in done.out + done.err


@pytest.mark.parametrize("form", ["html", "markdown", "json"])
def test_a_field_is_redacted_inside_of_json_that_is_a_text(inputs, form):
    more = ("--records", "all") if form != "json" else ()
    done = ran(
        "report", "run.jsonl", "--format", form, *more, "--redact", "pii", folder=inputs / "folders" / "redact"
    )
    assert done.code == 0 and not re.search(r"ada-\d", done.out)


def test_a_name_that_is_too_long_is_a_finding_at_its_place(inputs):
    assert "name-too-long.yaml:1:1: warning: the reference is not followed" in checked(
        inputs / "folders", "name-too-long.yaml"
    )


@pytest.mark.parametrize("script", ["folders/shapes.sh", "folders/git-old.sh"])
def test_a_script_of_hostile_shapes_finds_nothing_outside_touched(inputs, script, tmp_path):
    program = tmp_path / "sampleui"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sampleui "$@"\n')
    program.chmod(0o755)
    told = subprocess.run(
        ["bash", str(inputs / script), str(program)], capture_output=True, text=True, timeout=120, check=False
    ).stdout
    assert "Traceback" not in told and "OWNED" not in told
    assert "GIT_ALLOW_PROTOCOL=none: a program ran" not in told


# Records of any kind


def events(folder: Path, name: str) -> list[dict[str, object]]:
    """Return the events that are read of a file's first record."""
    told = ran("trace", name, "--format", "json", folder=folder / "any-record")
    return json.loads(told.out)["events"]


def outputs(found: list[dict[str, object]]) -> list[object]:
    """Return what calls returned, whether that is told with the call or after it."""
    return [
        event["output"] for event in found if event["type"] in ("tool_call", "tool_result") and "output" in event
    ]


def test_a_log_of_a_product_is_ungraded_records_with_question_answer_and_steps(inputs):
    told = ran("report", "prod.jsonl", folder=inputs / "any-record")
    assert "4 records: 0 passed, 0 failed, 4 ungraded, 0 errors" in told.out
    guessed = ran("guess", "prod.jsonl", "--as", "results", folder=inputs / "any-record").out
    for line in ('id = "trace_id"', 'actual = "final_email"', 'prompt = "user_query"', 'steps = "steps"'):
        assert line in guessed


@pytest.mark.parametrize(
    ("name", "tool", "returned", "answer"),
    [("anthropic.json", "calc", "4", "4"), ("uimessages.json", "getWeather", {"c": 4}, "4 degrees.")],
)
def test_a_list_of_messages_is_one_record_with_its_calls(inputs, name, tool, returned, answer):
    found = events(inputs, name)
    assert [event["name"] for event in found if event["type"] == "tool_call"] == [tool]
    assert outputs(found) == [returned]
    assert f"actual:    {answer}" in ran("next", name, folder=inputs / "any-record").out


def test_a_trajectory_has_its_call_and_what_that_returned(inputs):
    found = events(inputs, "atif-1.8.json")
    assert outputs(found) == ["1 failed"]
    assert [event["name"] for event in found if event["type"] == "tool_call"] == ["bash"]


def test_a_trial_is_a_record_with_its_reward(inputs):
    told = ran("report", "harbor-result.json", folder=inputs / "any-record")
    assert "1 record: 0 passed, 1 failed under sampleui's 0.8, 0 errors; mean score 0.00" in told.out


def test_instances_of_evaluations_are_read_without_a_guess(inputs):
    told = ran("next", "eee.jsonl", folder=inputs / "any-record")
    assert "expected:  9" in told.out and "actual:    6" in told.out and "guessed" not in told.err
