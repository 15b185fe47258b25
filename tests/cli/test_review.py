"""The commands of a review: review, next, verdict, report, export."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from sampleui.cli.schema import answer_schema
from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import Order
from sampleui.review.results.file import open_results
from sampleui.review.verdict import Verdict, sample_digest
from sampleui.settings.options import user_file
from sampleui.tui.review.session import decks_to_join, open_review
from sampleui.workspace.deck import open_deck

from .conftest import ROOT, Face
from .schemas import closed


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a copy of the example results, with no deck beside it."""
    path = tmp_path / "run" / "hello.results.jsonl"
    path.parent.mkdir()
    path.write_bytes((ROOT / "examples" / "results" / "hello.results.jsonl").read_bytes())
    return path


@pytest.fixture
def deck(results: Path) -> Path:
    """Return a copy of the example deck beside the results."""
    path = results.parent / "hello.toml"
    path.write_bytes((ROOT / "examples" / "decks" / "hello.toml").read_bytes())
    return path


def joined(review_app: Face) -> tuple[tuple[Path, ...], str]:
    """Return the decks of the review that was opened, and what is said of them, as after its first frame."""
    assert review_app.asked is not None
    options, settings, opened = review_app.asked
    review = open_review(options, settings, opened)
    review.join(*decks_to_join(review, settings))
    return tuple(item.deck.path for item in review.decks), review.deck_hint


def decided(results: Path) -> list[tuple[str, str, str]]:
    log = open_log(log_path(results))
    return [(one.record_id, str(one.verdict), one.comment) for one in log.decisions]


def write(path: Path, *rows: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


class TestNextAndVerdict:
    def test_all_failures_are_worked_through_the_worst_first(self, sampleui, results):
        seen = []
        while (ran := sampleui("next", results, "--reviewer", "ada", "--format", "id")).code == 0:
            seen.append(ran.out.strip())
            assert sampleui("verdict", results, seen[-1], "model-wrong", "--reviewer", "ada").code == 0
        assert ran.code == 1
        assert "every failed record is decided" in ran.err
        assert seen == [
            "unit-conversion",
            "refund-policy",
            "algebra-tutor",
            "capital-of-france",
            "haiku",
            "arithmetic#2",
        ]

    def test_of_a_folder_of_runs_the_latest_is_told_and_the_others_are_listed(self, sampleui, tmp_path):
        for at, name in enumerate(("old", "new")):
            (tmp_path / "runs" / name).mkdir(parents=True)
            index = write(tmp_path / "runs" / name / "index.jsonl", {"id": f"of-{name}", "score": 0})
            os.utime(index, (at + 1, at + 1))
        ran = sampleui("next", tmp_path, "--format", "id")
        assert ran.out == "of-new\n"
        assert ran.err == "runs/new is the latest of 2 runs; the others: runs/old\n"
        assert sampleui("next", tmp_path / "runs" / "old", "--format", "id").err == ""

    def test_what_was_flaky_or_is_lost_is_noted(self, sampleui, tmp_path):
        paths = {"artifact_dir": "a", "score": 0, "input": "q"}
        (tmp_path / "one").mkdir()
        write(tmp_path / "one" / "index.jsonl", *({"test_id": "a", "target": one, **paths} for one in "mn"))
        early = write(tmp_path / "early.jsonl", {**paths, "test_id": "a", "target": "m", "output": "x"})
        os.utime(early, (1, 1))
        sampleui("verdict", early, "a", "flaky")
        said = sampleui("next", tmp_path / "one").out
        assert "note:      found flaky on an earlier run" in said
        assert "note:      several records name a; its files are those of the last one written" in said

    def test_an_answer_that_looks_as_expected_is_printed_with_the_code_points_that_differ(self, sampleui, tmp_path):
        run = tmp_path / "run.jsonl"
        rows = [
            {"id": "nfc", "score": 0, "output": "cafe\u0301", "expected": "caf\u00e9"},
            {"id": "other", "score": 0, "output": "tea", "expected": "coffee"},
        ]
        run.write_text("".join(json.dumps(row) + "\n" for row in rows))
        assert "differs:   U+00E9 LATIN SMALL LETTER E WITH ACUTE → U+0065" in sampleui("next", run).out
        assert "U+0301" in json.loads(sampleui("next", run, "--format", "json").out)["differs"][0]
        sampleui("verdict", run, "nfc", "model-wrong")
        assert "differs" not in sampleui("next", run).out

    def test_the_order_of_the_file(self, sampleui, results):
        assert sampleui("next", results, "--order", "file", "--format", "id").out == "algebra-tutor\n"

    def test_each_reviewer_has_a_queue_of_their_own(self, sampleui, results):
        sampleui("verdict", results, "unit-conversion", "flaky", "--reviewer", "ada")
        assert sampleui("next", results, "--reviewer", "ada", "--format", "id").out == "refund-policy\n"
        assert sampleui("next", results, "--reviewer", "bob", "--format", "id").out == "unit-conversion\n"

    def test_the_text_says_where_why_and_what(self, sampleui, results, deck):
        out = sampleui("next", results, "--order", "file").out
        assert f"{results}:2: algebra-tutor: verdict fail by socratic; score 0.35 is under sampleui's 0.8" in out
        assert "expected:  Exactly right. Now x is being multiplied" in out  # from the deck beside it
        assert "actual:    Exactly right! Now divide" in out
        assert "missed:    Asks one question at a time" in out

    def test_json_has_the_documented_keys(self, sampleui, results):
        data = json.loads(sampleui("next", results, "--format", "json").out)
        jsonschema.validate(data, closed(answer_schema("next")))
        assert (data["id"], data["line"], data["score"], data["expected"]) == ("unit-conversion", 6, None, None)

    def test_a_verdict_notes_its_comment_and_what_the_sample_was_like(self, sampleui, results, deck):
        ran = sampleui("verdict", results, "haiku", "grader-wrong", "--comment", "it has five")
        assert (ran.code, "recorded grader-wrong for haiku" in ran.out) == (0, True)
        [decision] = open_log(log_path(results)).decisions
        assert (decision.verdict, decision.comment) == (Verdict.GRADER_WRONG, "it has five")
        assert decision.sample_hash == sample_digest(open_deck(deck).samples[4].data)

    def test_the_reviewer_of_the_user_s_settings_is_the_default_and_that_of_a_project_is_left(
        self, sampleui, results
    ):
        (results.parent / ".sampleui.toml").write_text('reviewer = "the-chief"\n[keys]\n"verdict.ok" = "1"\n')
        user_file().parent.mkdir(parents=True, exist_ok=True)
        user_file().write_text('reviewer = "grace"\n')
        ran = sampleui("verdict", results, "haiku", "ok")
        assert [one.reviewer for one in open_log(log_path(results)).standing] == ["grace"]
        assert ran.err.count("reviewer and keys can only be set in your own settings") == 1

    def test_the_threshold_says_what_failed(self, sampleui, results):
        assert sampleui("next", results, "--fail-under", "0.1", "--order", "file", "--format", "id").code == 0
        (results.parent / ".sampleui.toml").write_text("fail_under = 0.0\n")
        assert sampleui("next", results, "--order", "file", "--format", "id").out == "algebra-tutor\n"

    def test_a_number_names_a_record_by_its_place(self, sampleui, results):
        second = open_results(results).indexed().entries[1].id
        assert sampleui("verdict", results, "#2", "ok").out.startswith(f"recorded ok for {second}")

    def test_a_code_is_named_with_a_verdict_and_counted(self, sampleui, results):
        ran = sampleui("verdict", results, "haiku", "model-wrong", "--code", "format")
        assert (ran.code, "no code is called format" in ran.err) == (2, True)
        assert sampleui("code", "add", results, "format", "Not as many syllables as asked.").code == 0
        assert sampleui("verdict", results, "haiku", "model-wrong", "--tag", "format").code == 0
        assert json.loads(sampleui("report", results, "--format", "json").out)["review"]["codes"] == {"format": 1}
        assert "Kinds of failure" in sampleui("report", results).out

    def test_kinds_of_failure_in_settings_of_an_earlier_version_are_left_and_told(self, sampleui, results, deck):
        (results.parent / ".sampleui.toml").write_text('failure_tags = ["format", "facts"]\n')
        assert sampleui("next", results).code == 0
        told = sampleui("check", deck)
        assert "failure_tags is left out: kinds of failure are codes now" in told.out + told.err

    def test_another_verdict_keeps_comment_and_labels_until_another_is_given(self, sampleui, results):
        sampleui("code", "add", results, "format")
        sampleui("verdict", results, "haiku", "model-wrong", "--comment", "it has five", "--code", "format")
        ran = sampleui("verdict", results, "haiku", "grader-wrong")
        assert "; the comment of the verdict before stays" in ran.out
        sampleui("verdict", results, "haiku", "ok", "--comment", "it has six")
        ran = sampleui("verdict", results, "haiku", "ok", "--comment", "")
        assert "before" not in ran.out
        log = open_log(log_path(results))
        assert [item.comment for item in log.decisions if item.verdict] == [
            "it has five",
            "it has five",
            "it has six",
            "",
        ]
        assert [log.codes(record) for record in log.records] == [("format",)]

    def test_a_program_proposes_and_counts_as_nobody(self, sampleui, results, tmp_path):
        def figures() -> dict[str, Any]:
            report: dict[str, Any] = json.loads(sampleui("report", results, "--format", "json").out)
            return {**report, "review": {**report["review"], "decisions": []}}

        before = figures()
        first = sampleui("next", results, "--format", "id").out.strip()
        ran = sampleui("verdict", results, first, "model-wrong", "--reviewer", "agent:bot", "--comment", "guessed")
        assert (ran.code, ran.out.startswith(f"kept the proposal model-wrong for {first}")) == (0, True)
        assert figures() == before
        assert sampleui("next", results, "--format", "id").out.strip() == first
        assert sampleui("next", results, "--format", "id", "--reviewer", "agent:bot").out.strip() != first
        ran = sampleui("export", results, "--verdict", "model-wrong", "--to", tmp_path / "new.yaml")
        assert (ran.code, "no record has such a verdict" in ran.err) == (1, True)
        page = sampleui("report", results, "--format", "html").out
        assert "proposed model-wrong" in page and "agent:bot" in page and "guessed" in page
        ran = sampleui("verdict", results, first, "ok", "--reviewer", "agent:bot", "--adjudicate")
        assert ran.code == 2

    def test_comments_are_in_every_report_and_told_by_export(self, sampleui, results, tmp_path):
        sampleui("code", "add", results, "format")
        said = (
            ("ann", "ok", "it has\nfive"),
            ("bob", "ok", "looks fine"),
            ("agent:bot", "model-wrong", "guessed"),
        )
        for who, verdict, comment in said:
            given = ("--reviewer", who, "--comment", comment, "--code", "format")
            assert sampleui("verdict", results, "haiku", verdict, *given).code == 0
        decisions = json.loads(sampleui("report", results, "--format", "json").out)["review"]["decisions"]
        verdicts = [one for one in decisions if one["verdict"]]
        assert [(one["record"], one["reviewer"], one["verdict"], one["comment"]) for one in verdicts] == [
            ("haiku", *one) for one in said
        ]
        assert [one["kind"] for one in decisions] == ["decide", "decide", "label", "label", "propose", "propose"]
        for form in ("text", "markdown"):
            shown = sampleui("report", results, "--format", form).out
            assert all(who in shown and comment.splitlines()[-1][-4:] in shown for who, _, comment in said), form
            assert "proposed model-wrong" in shown
        assert "ann" not in sampleui("report", results, "--format", "json", "--redact", "ann").out
        told = sampleui("export", results, "--verdict", "ok", "--to", tmp_path / "new.yaml").out
        assert "haiku: ok by ann: it has five" in told
        assert "haiku: yes for format by bob" in told
        assert "haiku: proposed model-wrong by agent:bot: guessed" in told
        assert "haiku: proposed yes for format by agent:bot" in told
        asked = ("--code", "format", "--to", tmp_path / "coded.yaml")
        assert "1 sample written" in sampleui("export", results, *asked).out

    def test_to_skip_decides_nothing(self, sampleui, results):
        sampleui("verdict", results, "haiku", "skip")
        review = json.loads(sampleui("report", results, "--format", "json").out)["review"]
        assert (review["reviewed"], review["verdicts"]["skip"]) == (0, 1)

    def test_a_disagreement_is_adjudicated(self, sampleui, results):
        sampleui("verdict", results, "haiku", "ok", "--reviewer", "ann")
        refused = sampleui("verdict", results, "haiku", "ok", "--adjudicate")
        assert (refused.code, "nothing to adjudicate" in refused.err) == (2, True)
        sampleui("verdict", results, "haiku", "model-wrong", "--reviewer", "bob")
        assert json.loads(sampleui("report", results, "--format", "json").out)["review"]["disputed"] == 1
        assert sampleui("verdict", results, "haiku", "grader-wrong", "--adjudicate").code == 0
        review = json.loads(sampleui("report", results, "--format", "json").out)["review"]
        assert (review["disputed"], review["adjudicated"]) == (0, 1)
        assert review["verdicts"]["grader-wrong"] == 1
        assert "0 records open, 1 adjudicated." in sampleui("report", results).out

    def test_a_record_that_does_not_exist_is_refused_with_the_nearest(self, sampleui, results):
        ran = sampleui("verdict", results, "haikuu", "ok")
        assert (ran.code, "did you mean haiku" in ran.err, ran.out) == (2, True, "")
        assert not log_path(results).exists()

    @pytest.mark.parametrize("args", [("haiku", "wrong"), ("haiku",), ()])
    def test_wrong_usage_is_one_line_and_code_2(self, sampleui, results, args):
        ran = sampleui("verdict", results, *args)
        assert (ran.code, ran.err.count("\n"), ran.out) == (2, 1, "")

    def test_a_missing_file_is_code_2(self, sampleui, tmp_path):
        for command in (("next",), ("report",), ("verdict",)):
            rest = ("a", "ok") if command == ("verdict",) else ()
            ran = sampleui(*command, tmp_path / "none.jsonl", *rest)
            assert (ran.code, "none.jsonl" in ran.err) == (2, True)


class TestReport:
    def test_text_json_and_markdown_tell_the_same(self, sampleui, results):
        sampleui("verdict", results, "haiku", "grader-wrong", "--reviewer", "ada")
        sampleui("verdict", results, "haiku", "ok", "--reviewer", "bob")
        text = sampleui("report", results).out
        data = json.loads(sampleui("report", results, "--format", "json").out)
        markdown = sampleui("report", results, "--format", "markdown").out
        assert [data["run"][name] for name in ("records", "failed", "errors")] == [9, 5, 1]
        assert "9 records: 3 passed, 5 failed, 1 error" in text
        assert "Scores without a verdict fail under sampleui's 0.8." in text
        assert "9 records: 3 passed, 5 failed, 1 error" in markdown
        assert markdown.startswith("# hello.results.jsonl\n")
        assert [(one["first"], one["second"], one["agreed"]) for one in data["reviewers"]["pairs"]] == [
            ("ada", "bob", 0)
        ]

    def test_the_usual_threshold_is_told_where_it_decides_about_an_evaluator_and_nowhere_else(
        self, sampleui, tmp_path
    ):
        told = "Scores without a verdict fail under sampleui's 0.8."
        path, graded = tmp_path / "run.jsonl", {"name": "g", "score": 0.4}
        cases = (
            ({**graded, "verdict": "fail"}, (), False),
            (graded, (), True),
            ({**graded, "score": 0.9}, (), True),
            ({**graded, "passed": False}, (), False),
            (graded, ("--fail-under", "0.5"), False),
            ({**graded, "score": 40}, (), False),
        )
        for mark, options, said in cases:
            row = {"test_id": "a", "output": "x", "score": mark["score"], "scores": [mark]}
            row |= {"passed": mark.pop("passed")} if "passed" in mark else {}
            path.write_text(json.dumps(row) + "\n")
            assert (told in sampleui("report", path, *options).out) is said, mark
            run = json.loads(sampleui("report", path, *options, "--format", "json").out)["run"]
            assert run["marks_by_default"] is said

    def test_rows_that_cannot_be_read_are_said(self, sampleui, tmp_path):
        path = write(tmp_path / "r.jsonl", {"test_id": "a", "score": 1})
        path.write_text(path.read_text() + "nonsense\n")
        ran = sampleui("report", path)
        assert ran.code == 0
        assert f"{path}:2:1: warning: not JSON" in ran.err


class TestExport:
    def test_records_with_a_verdict_become_samples_of_a_new_deck(self, sampleui, results, deck):
        sampleui("verdict", results, "haiku", "grader-wrong")
        sampleui("verdict", results, "refund-policy", "model-wrong")
        target = results.parent / "regression.toml"
        ran = sampleui("export", results, "--verdict", "model-wrong", "--to", target)
        assert (ran.code, "1 sample written" in ran.out) == (0, True)
        made, source = open_deck(target), open_deck(deck)
        assert [sample.data for sample in made.samples] == [source.samples[3].data]

    def test_a_second_export_adds_what_is_new(self, sampleui, results, deck):
        target = results.parent / "regression.toml"
        sampleui("verdict", results, "haiku", "flaky")
        sampleui("export", results, "--verdict", "flaky", "--to", target)
        before = target.read_bytes()
        sampleui("verdict", results, "refund-policy", "ok")
        ran = sampleui("export", results, "--verdict", "flaky", "--verdict", "ok", "--to", target)
        assert "haiku: left out, regression.toml has it already" in ran.out
        assert sorted(sample.id for sample in open_deck(target).samples) == ["haiku", "refund-policy"]
        again = sampleui("export", results, "--verdict", "flaky", "--to", target)
        assert again.code == 1
        assert all(line in target.read_bytes() for line in before.split(b"\n"))

    def test_the_actual_answer_may_become_the_expected_one(self, sampleui, results, deck):
        sampleui("verdict", results, "capital-of-france", "expected-wrong")
        target = results.parent / "fixed.toml"
        sampleui("export", results, "--verdict", "expected-wrong", "--to", target, "--take-actual")
        assert "a fine place to eat" in open_deck(target).samples[0].messages[-1]["content"]

    def test_without_a_deck_the_record_says_what_was_asked(self, sampleui, tmp_path):
        path = write(
            tmp_path / "r.jsonl",
            {"test_id": "a", "score": 0, "input": "2+2?", "expected_output": "4", "output": "5"},
        )
        sampleui("verdict", path, "a", "model-wrong")
        target = tmp_path / "made.yaml"
        assert sampleui("export", path, "--verdict", "model-wrong", "--to", target).code == 0
        [sample] = open_deck(target).samples
        assert [one["content"] for one in sample.messages] == ["2+2?"]
        assert sample.id == "a"

    def test_nothing_to_export_is_code_1_and_writes_nothing(self, sampleui, results):
        target = results.parent / "none.toml"
        ran = sampleui("export", results, "--verdict", "ok", "--to", target)
        assert (ran.code, target.exists(), "no record has such a verdict: ok" in ran.err) == (1, False, True)


class TestReview:
    @pytest.fixture(autouse=True)
    def terminal(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("sampleui.cli.output.interactive", lambda: True)

    def test_the_app_is_opened_as_asked(self, sampleui, review_app, results, deck):
        args = ("--fail-under", "0.5", "--all", "--reviewer", "ada", "--order", "file", "--baseline", results)
        assert sampleui("review", results, "--deck", deck, *args).code == 8
        options, settings, _ = review_app.asked
        assert (options.results, options.decks, options.baseline) == (results, (deck,), results)
        assert (options.fail_under, options.everything, options.reviewer) == (0.5, True, "ada")
        assert options.order is Order.FILE
        assert settings.fail_under == 0.5

    def test_the_deck_beside_the_results_is_found(self, sampleui, review_app, results, deck):
        sampleui("review", results)
        assert joined(review_app)[0] == (deck,)

    @pytest.mark.parametrize("form", ["{}", "../outside.toml", "linked.toml"])
    def test_a_deck_outside_of_the_project_is_not_opened(self, sampleui, review_app, tmp_path, form):
        outside = tmp_path / "outside.toml"
        outside.write_bytes((ROOT / "examples" / "decks" / "hello.toml").read_bytes())
        project = tmp_path / "project"
        (project / ".git").mkdir(parents=True)
        (project / "linked.toml").symlink_to(outside)
        path = write(project / "r.jsonl", {"test_id": "a", "score": 0, "eval_file": form.format(outside)})
        sampleui("review", path)
        assert joined(review_app)[0] == ()

    def test_the_deck_that_the_records_name_is_found(self, sampleui, review_app, tmp_path, results, deck):
        (tmp_path / "pyproject.toml").touch()
        path = write(tmp_path / "r.jsonl", {"test_id": "a", "score": 0, "eval_file": "run/hello.toml"})
        sampleui("review", path)
        assert joined(review_app)[0] == (tmp_path / "run" / "hello.toml",)

    def test_of_several_decks_none_is_taken(self, sampleui, review_app, results, deck):
        sampleui("convert", deck, deck.with_suffix(".yaml"), "--to", "agentv")
        sampleui("review", results)
        decks, hint = joined(review_app)
        assert decks == ()
        assert "hello.toml and hello.yaml could be the deck" in hint

    def test_a_file_beside_the_results_that_is_no_deck_is_not_taken(self, sampleui, review_app, results):
        results.with_name("hello.toml").write_text("[[samples\n")
        results.with_name("hello.json").write_text("[]")
        sampleui("review", results)
        assert joined(review_app)[0] == ()
        assert sampleui("verdict", results, "haiku", "ok").code == 0

    def test_a_given_deck_that_cannot_be_read_is_said(self, sampleui, review_app, results):
        broken = results.with_name("broken.toml")
        broken.write_text("[[samples\n")
        ran = sampleui("review", results, "--deck", broken)
        assert (ran.code, "broken.toml:1" in ran.err, review_app.asked) == (2, True, None)

    def test_without_a_deck_it_is_said_how_to_pass_one(self, sampleui, review_app, results):
        sampleui("review", results)
        decks, hint = joined(review_app)
        assert (decks, "--deck" in hint) == ((), True)

    def test_what_cannot_be_opened_is_said_before_the_app(self, sampleui, review_app, results, tmp_path):
        for args in ((tmp_path / "none.jsonl",), (results, "--baseline", tmp_path / "none.jsonl")):
            ran = sampleui("review", *args)
            assert (ran.code, ran.err.count("\n")) == (2, 1)
        assert review_app.asked is None

    def test_without_a_terminal_the_commands_without_one_are_named(
        self, sampleui, review_app, results, monkeypatch
    ):
        monkeypatch.setattr("sampleui.cli.output.interactive", lambda: False)
        ran = sampleui("review", results)
        assert (ran.code, "sampleui next" in ran.err, review_app.asked) == (2, True, None)


def test_two_processes_share_one_log(process, results):
    for who, verdict in (("ada", "ok"), ("bob", "flaky")):
        assert process("verdict", results, "haiku", verdict, "--reviewer", who).code == 0
    assert sorted(decided(results)) == [("haiku", "flaky", ""), ("haiku", "ok", "")]


def test_a_record_of_which_nothing_says_how_it_came_out_is_neither_passed_nor_failed(sampleui, tmp_path):
    rows = [{"test_id": "a", "output": "x"}, {"test_id": "b", "output": "y", "score": 1.0}]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    told = sampleui("report", path)
    assert "2 records: 1 passed, 0 failed under sampleui's 0.8, 1 ungraded, 0 errors" in told.out
    run = json.loads(sampleui("report", path, "--format", "json").out)["run"]
    assert (run["failed"], run["ungraded"], run["fail_under"], run["fail_under_is_default"]) == (0, 1, 0.8, True)


@pytest.mark.parametrize(("text", "code"), [("", 1), ('{"foo": 1}\n', 2)])
@pytest.mark.parametrize("form", ["text", "json", "markdown"])
def test_a_report_has_no_figures_of_no_records(sampleui, tmp_path, text, code, form):
    path = tmp_path / "run.jsonl"
    path.write_text(text)
    ran = sampleui("report", path, "--format", form)
    assert ran.code == code
    assert ran.out == "" or (form == "json" and [*json.loads(ran.out)] == ["error"])
    assert ("there are no records" if not text else "none of its 1 rows could be read") in ran.err


def test_next_shows_the_answer_that_stands_beside_an_error(sampleui, tmp_path):
    row = {"test_id": "a", "input": "q", "output": "half an answer", "error": "quota gone", "score": 0}
    path = write(tmp_path / "r.jsonl", row)
    told = sampleui("next", path)
    assert "quota gone" in told.out
    assert "instead:   half an answer" in told.out
    assert json.loads(sampleui("next", path, "--format", "json").out)["in_its_place"] == "half an answer"
