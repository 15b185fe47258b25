"""Verdicts handed back to AgentV, with what others said left as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.review.verdict import Verdict

from ..handed import feedback, said


def test_agentv_gets_a_case_for_each_record_and_a_review_for_each_test(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    rows = [
        {
            "test_id": "a",
            "target": "m",
            "score": 0.0,
            "output": "x",
            "scores": [{"name": "exact", "score": 0.0, "verdict": "fail"}],
        },
        {"test_id": "b", "target": "m", "score": 1.0, "output": "y"},
    ]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    before = {"reviews": [{"test_id": "z", "comment": "old"}], "per_case": [{"test_id": "z"}]}
    (tmp_path / "feedback.json").write_text(json.dumps(before))

    said(path, ("a", Verdict.GRADER_WRONG, "too strict"), ("b", Verdict.OK, ""), to="agentv")

    data = feedback(tmp_path)
    assert [(case["test_id"], case.get("verdict")) for case in data["per_case"]] == [
        ("z", None),
        ("a", "acceptable"),
        ("b", "acceptable"),
    ]
    assert list(data["per_case"][1]["evaluator_overrides"]) == ["exact"]
    assert [review["test_id"] for review in data["reviews"]] == ["z", "a", "b"]
    assert data["reviewer"] == "ada"


def test_a_changed_mind_takes_the_place_of_what_one_had_said_to_agentv(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"test_id": "a", "target": "m", "score": 0.0, "output": "x"}) + "\n")
    of_ada = {"test_id": "a", "target": "m", "verdict": "incorrect", "notes": "Bad."}
    of_bob = {"test_id": "a", "comment": "Mine.", "pinned": True}
    before = {"reviewer": "ada", "per_case": [of_ada], "reviews": [of_bob]}
    (tmp_path / "feedback.json").write_text(json.dumps(before))
    said(path, ("a", Verdict.MODEL_WRONG, "Too long."), to="agentv")

    written = said(path, ("a", Verdict.OK, ""), to="agentv")

    data = feedback(tmp_path)
    assert [(case["verdict"], case["notes"]) for case in data["per_case"]] == [("acceptable", "")]
    assert [(review["comment"], review["pinned"]) for review in data["reviews"]] == [("Mine.\nok", True)]
    assert written.notes == ()


@pytest.mark.parametrize("verdict", [verdict for verdict in Verdict if verdict.decides])
def test_every_verdict_that_decides_is_one_of_agentv_s(tmp_path: Path, verdict: Verdict) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"test_id": "a", "target": "m", "score": 0.0, "output": "x"}) + "\n")
    said(path, ("a", verdict, ""), to="agentv")
    assert feedback(tmp_path)["per_case"][0]["verdict"] in {"incorrect", "acceptable", "flaky"}
