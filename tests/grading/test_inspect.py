"""Inspect's scorers of texts, against the scores that Inspect 0.3.285 gave; whatever is uncertain stays open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.grading.inspect import graded
from sampleui.review.results.inspectlog.header import Header

SCORERS: list[Plain] = [
    {"name": "includes", "options": {}},
    {"name": "includes", "options": {"ignore_case": False}},
    {"name": "match", "options": {}},
    {"name": "match", "options": {"location": "begin"}},
    {"name": "match", "options": {"location": "any"}},
    {"name": "match", "options": {"location": "exact", "ignore_case": False}},
    {"name": "exact", "options": {}},
]
NAMES = ["includes", "includes1", "match", "match1", "match2", "match3", "exact"]
VECTORS = Path(__file__).parent / "vectors" / "inspect.jsonl"


def ran(scorers: list[Plain], values: list[Plain], target: Plain, names: list[str]) -> Table:
    scores: Table = {name: {"value": value} for name, value in zip(names, values, strict=True)}
    return {"scorers": scorers, "scores": scores, "target": target}


def test_answers_are_scored_as_inspect_scored_them() -> None:
    for line in VECTORS.read_text("utf-8").splitlines():
        answer, target, gave = json.loads(line)
        values: list[Plain] = ["C" if one == "1" else "I" for one in gave]
        found = graded(ran(SCORERS, values, target, NAMES), target, answer)
        assert [(one.name, one.passed) for one in found] == [
            (name, one == "1") for name, one in zip(NAMES, gave, strict=True)
        ], line


@pytest.mark.parametrize(
    ("scorer", "value", "answer", "reason"),
    [
        ({"name": "match", "options": {"numeric": True}}, "C", "4", "needs its scorer"),
        ({"name": "match", "options": {"location": "middle"}}, "C", "4", "needs its scorer"),
        ({"name": "includes", "options": {"ignore_case": "no"}}, "C", "4", "needs its scorer"),
        ({"name": "model_graded_qa"}, "C", "4", "needs its scorer"),
        ({"name": "includes", "options": {}}, "I", "4", "it gave another value in the run"),
        ({"name": "includes", "options": {}}, {"a": 1}, "4", "it gave another value in the run"),
        ({"name": "includes", "options": {}}, "C", None, "there is no answer"),
    ],
)
def test_what_is_uncertain_stays_open(scorer: Table, value: Plain, answer: str | None, reason: str) -> None:
    (one,) = graded(ran([scorer], [value], "4", [str(scorer["name"])]), "4", answer)
    assert (one.passed, one.reason) == (None, reason)


def test_todays_target_decides_and_hostile_logs_are_no_fault() -> None:
    run = ran([SCORERS[0]], ["I"], "London", ["includes"])
    (one,) = graded(run, ["Lyon", "Paris"], "It is paris.")
    assert (one.passed, one.text) == (True, "includes 'Lyon', 'Paris'")
    assert graded({"scorers": [None, 3, {"name": 1}], "scores": [], "target": None}, "a", "a") == ()
    assert graded({}, None, "a") == ()
    header = Header.of({"eval": {"scorers": [{"name": "match", "options": {"location": "any"}, "metrics": []}, 7]}})
    assert header.shared()["scorers"] == [{"name": "match", "options": {"location": "any"}}]
