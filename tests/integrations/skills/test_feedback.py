"""Verdicts handed back to skill-creator, with what others said left as it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sampleui.errors import ResultsError
from sampleui.integrations.index import taking_verdicts
from sampleui.review import handing_back
from sampleui.review.handing_back import HandsBack, hand_back
from sampleui.review.log.store import log_path, open_log
from sampleui.review.verdict import Verdict
from tests.review.build import decide
from tests.tui.review_driver import reviewing

from ..handed import feedback, opened, said, tool
from .test_runs import run
from .workspaces import write_json


@pytest.fixture
def iteration(tmp_path: Path) -> Path:
    home = tmp_path / "w" / "iteration-1"
    run(home / "eval-1" / "with_skill" / "run-1", False)
    run(home / "eval-2-words" / "with_skill", False)
    return home


def test_those_that_keep_verdicts_are_named() -> None:
    assert set(taking_verdicts()) == {"agentv", "inspect", "promptfoo", "skills"}


def test_verdicts_are_written_as_a_list_by_the_paths_of_runs(iteration: Path) -> None:
    written = said(iteration, ("1", Verdict.MODEL_WRONG, "Too long."), ("2", Verdict.OK, ""))

    data = feedback(iteration)
    assert [(item["run_id"], item["feedback"]) for item in data["reviews"]] == [
        ("eval-1-with_skill-run-1", "Too long."),
        ("eval-2-words-with_skill", ""),
    ]
    assert (data["status"], written.decided) == ("complete", 2)


def test_the_status_is_in_progress_while_a_failed_record_is_open(iteration: Path) -> None:
    said(iteration, ("1", Verdict.MODEL_WRONG, "x"))

    assert feedback(iteration)["status"] == "in_progress"


def test_what_others_said_stays_in_a_list(iteration: Path) -> None:
    theirs = {"run_id": "eval-1-with_skill-run-1", "feedback": "Mine.", "timestamp": "t", "more": 1}
    write_json(iteration / "feedback.json", {"reviews": [theirs, {"run_id": "gone"}], "status": "complete", "x": 2})

    written = said(iteration, ("1", Verdict.MODEL_WRONG, "Too long."))

    data = feedback(iteration)
    assert data["reviews"][:2] == [theirs, {"run_id": "gone"}]
    assert data["reviews"][2]["feedback"] == "Too long."
    assert data["x"] == 2
    assert written.notes == ("eval-1-with_skill-run-1: what others said of it stays",)


def test_what_one_says_anew_takes_the_place_of_what_one_had_said(iteration: Path) -> None:
    said(iteration, ("1", Verdict.MODEL_WRONG, "First."))
    said(iteration, ("1", Verdict.MODEL_WRONG, "Second."))

    assert [item["feedback"] for item in feedback(iteration)["reviews"]] == ["Second."]


def test_a_verdict_stays_one_after_it_was_handed_back(iteration: Path) -> None:
    said(iteration, ("1", Verdict.MODEL_WRONG, "Too long."))

    written = said(iteration)

    assert (written.decided, written.changed) == (1, False)


def test_a_map_of_evals_stays_a_map(iteration: Path) -> None:
    write_json(iteration / "feedback.json", {"eval-1": "", "eval-2-words": "Right.", "other": "x"})

    said(iteration, ("1", Verdict.MODEL_WRONG, "Too long."), ("2", Verdict.MODEL_WRONG, "No."))

    assert feedback(iteration) == {"eval-1": "Too long.", "eval-2-words": "Right.\nNo.", "other": "x"}


def test_a_map_says_that_one_found_fine_what_another_did_not(iteration: Path) -> None:
    write_json(iteration / "feedback.json", {"eval-1": "Too short."})

    written = said(iteration, ("1", Verdict.OK, ""))

    assert feedback(iteration) == {"eval-1": "Too short.\nlooked at, and found fine"}
    assert written.changed
    assert not said(iteration).changed


@pytest.mark.parametrize("others", ["", "Too short.\nBy far."])
def test_in_a_map_a_changed_mind_takes_the_place_of_what_one_had_said(iteration: Path, others: str) -> None:
    write_json(iteration / "feedback.json", {"eval-1": others})
    said(iteration, ("1", Verdict.MODEL_WRONG, "Too long.\nAnd dull."))
    said(iteration, ("1", Verdict.OK, ""))

    written = said(iteration, ("1", Verdict.MODEL_WRONG, "Wrong."))

    assert feedback(iteration) == {"eval-1": f"{others}\nWrong.".strip()}
    assert written.notes == (("eval-1: what others said of it stays",) if others else ())
    assert not said(iteration).changed


def test_in_a_map_the_runs_of_an_eval_are_a_line_each(iteration: Path) -> None:
    run(iteration / "eval-1" / "with_skill" / "run-2", False)
    write_json(iteration / "feedback.json", {"eval-1": ""})
    first, second = (entry.id for entry in opened(iteration).entries if "1" in entry.sample_id)
    said(iteration, (first, Verdict.MODEL_WRONG, "Too long."))
    assert feedback(iteration) == {"eval-1": "Too long."}

    written = said(iteration, (second, Verdict.OK, ""))

    assert feedback(iteration) == {
        "eval-1": "with_skill/run-1: Too long.\nwith_skill/run-2: looked at, and found fine"
    }
    assert written.notes == ()


def test_a_map_with_more_than_texts_stays_a_map(iteration: Path) -> None:
    theirs = {"eval-1": {"text": "Mine."}, "eval-2-words": None, "version": 2}
    write_json(iteration / "feedback.json", theirs)

    written = said(iteration, ("1", Verdict.MODEL_WRONG, "Too long."), ("2", Verdict.MODEL_WRONG, "No."))

    assert feedback(iteration) == {**theirs, "eval-2-words": "No."}
    assert (written.decided, written.notes) == (1, ())
    assert written.left_out == ("1: left out, what feedback.json has of eval-1 is no text, and stays",)


THEIRS = '{"run_id":"gone",   "feedback": "caf\\u00e9 1.10", "score": 1.10, "big": 1e-7}'


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f'{{"reviews": [{THEIRS}],\r\n  "status": "complete", "n": 2.50}}\r\n', (THEIRS, '"n": 2.50}\r\n')),
        (
            '{\n\t"eval-9": "caf\\u00e9",\n\t"eval-1": "",\n\t"at": 1.10\n}',
            ('"eval-9": "caf\\u00e9",\n', "1.10\n}"),
        ),
    ],
)
def test_what_others_wrote_stays_byte_for_byte(iteration: Path, text: str, kept: tuple[str, ...]) -> None:
    (iteration / "feedback.json").write_bytes(text.encode())

    said(iteration, ("1", Verdict.MODEL_WRONG, "Too long."))

    after = (iteration / "feedback.json").read_bytes().decode()
    assert "Too long." in after
    assert [part for part in kept if part not in after] == []


def test_a_key_that_is_there_twice_is_no_reason_to_drop_what_it_says(iteration: Path) -> None:
    text = '{"reviews": [], "by": "bob", "by": "eve"}'
    (iteration / "feedback.json").write_text(text)

    with pytest.raises(ResultsError, match="stays as it is"):
        said(iteration, ("1", Verdict.MODEL_WRONG, "Too long."))
    assert (iteration / "feedback.json").read_text() == text


def test_a_file_that_is_not_json_stays_as_it_is(iteration: Path) -> None:
    (iteration / "feedback.json").write_text("{half")

    with pytest.raises(ResultsError, match="stays as it is"):
        said(iteration, ("1", Verdict.OK, ""))
    assert (iteration / "feedback.json").read_text() == "{half"


def test_nothing_is_written_through_a_link(iteration: Path, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("{}")
    (iteration / "feedback.json").symlink_to(tmp_path / "mine.json")

    with pytest.raises(ResultsError, match="link"):
        said(iteration, ("1", Verdict.OK, ""))
    assert (tmp_path / "mine.json").read_text() == "{}"


def test_a_file_that_changed_meanwhile_is_not_replaced(iteration: Path) -> None:
    skills = tool("skills")

    def merged(*given: Any) -> handing_back.Handed:
        (iteration / "feedback.json").write_text('{"reviews": []}')
        return skills.merged(*given)

    results = opened(iteration)
    log = open_log(log_path(results.path))
    decide(results, log, "1", Verdict.OK, "ada")
    with pytest.raises(ResultsError, match="changed meanwhile"):
        hand_back(results, log, HandsBack(merged, skills.path))
    assert [path.name for path in iteration.iterdir() if path.is_file()] == ["feedback.json"]
    assert feedback(iteration) == {"reviews": []}


async def test_the_app_hands_verdicts_back(iteration: Path) -> None:
    async with reviewing(iteration) as app:
        await app.press("1", "W")
        assert "feedback.json: 1 verdict written" in app.said

    assert [item["verdict"] for item in feedback(iteration)["reviews"]] == ["model-wrong"]


async def test_the_app_says_why_nothing_was_handed_back(iteration: Path) -> None:
    (iteration / "feedback.json").write_text("{half")
    async with reviewing(iteration) as app:
        await app.press("1", "W")
        assert "stays as it is" in app.said
