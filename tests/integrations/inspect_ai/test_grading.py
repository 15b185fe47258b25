"""Inspect's scorers of texts, against the scores that Inspect 0.3.285 gave; whatever is uncertain stays open."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.inspect_ai.grading import graded
from sampleui.integrations.inspect_ai.header import LogHeader

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
FINDING: list[Plain] = [
    {"name": "match", "options": {"numeric": True}},
    {"name": "match", "options": {"numeric": True, "location": "begin"}},
    {"name": "match", "options": {"numeric": True, "location": "any"}},
    {"name": "match", "options": {"numeric": True, "location": "exact"}},
    {"name": "match", "options": {"numeric": True, "ignore_case": False}},
    {"name": "pattern", "options": {"pattern": r"(\d+)"}},
    {"name": "pattern", "options": {"pattern": r"answer is (\w+)(?: or (\w+))?"}},
    {"name": "pattern", "options": {"pattern": r"[A-Z]\w+", "ignore_case": False}},
    {"name": "pattern", "options": {"pattern": r"(\w+)\W+(\w*)", "match_all": True}},
    {"name": "pattern", "options": {"pattern": "(.*)"}},
    {"name": "pattern", "options": {"pattern": r"(\d+)|(\w+)", "match_all": True}},
    {"name": "answer", "options": {"pattern": "letter"}},
    {"name": "answer", "options": {"pattern": "word"}},
    {"name": "answer", "options": {"pattern": "line"}},
]
FOUND = [
    *("match" + str(at or "") for at in range(5)),
    *("pattern" + str(at or "") for at in range(6)),
    *("answer" + str(at or "") for at in range(3)),
]
VECTORS = Path(__file__).parent / "vectors"


def ran(scorers: list[Plain], values: list[Plain], target: Plain, names: list[str]) -> Table:
    scores: Table = {name: {"value": value} for name, value in zip(names, values, strict=True)}
    return {"scorers": scorers, "scores": scores, "target": target}


def test_answers_are_scored_as_inspect_scored_them() -> None:
    for line in (VECTORS / "inspect.jsonl").read_text("utf-8").splitlines():
        answer, target, gave = json.loads(line)
        values: list[Plain] = ["C" if one == "1" else "I" for one in gave]
        found = graded(ran(SCORERS, values, target, NAMES), target, answer)
        assert [(one.name, one.passed) for one in found] == [
            (name, None if name == "exact" else one == "1") for name, one in zip(NAMES, gave, strict=True)
        ], line


def test_numbers_and_what_patterns_find_are_scored_as_inspect_scored_them() -> None:
    uncertain, lines = 0, (VECTORS / "inspect_numbers.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        answer, target, gave = json.loads(line)
        values: list[Plain] = ["C" if one == "1" else "I" for one in gave]
        for one, wanted in zip(graded(ran(FINDING, values, target, FOUND), target, answer), gave, strict=True):
            if one.passed is None:
                assert one.name.startswith("match"), line
                assert "is a number is not certain" in one.reason, line
                uncertain += 1
            else:
                assert one.passed is (wanted == "1"), (one, line)
    assert len(lines) >= 1000
    assert uncertain < 0.3 * 5 * len(lines)


@pytest.mark.parametrize(
    ("scorer", "value", "answer", "reason"),
    [
        ({"name": "match", "options": {"numeric": "yes"}}, "C", "4", "needs its scorer"),
        ({"name": "match", "options": {"numeric": True}}, "C", "½", "whether '½' is a number is not certain"),
        ({"name": "pattern", "options": {"pattern": "(4"}}, "C", "4", "its pattern is not understood: missing"),
        ({"name": "pattern", "options": {"pattern": "(a+)+$"}}, "C", "a" * 50 + "!", "its pattern takes longer"),
        ({"name": "pattern", "options": {"pattern": 4}}, "C", "4", "needs its scorer"),
        ({"name": "pattern", "options": {"pattern": "4", "match_all": 1}}, "C", "4", "needs its scorer"),
        ({"name": "pattern", "options": {"pattern": "4", "flags": 1}}, "C", "4", "needs its scorer"),
        ({"name": "answer", "options": {"pattern": "verse"}}, "C", "4", "needs its scorer"),
        ({"name": "pattern", "options": {"pattern": r"(\d)"}}, "I", "4", "it gave another value in the run"),
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
    assert one.passed is None
    assert one.reason.startswith(reason)


@pytest.mark.parametrize(
    ("name", "options", "reason"),
    [
        ("math", {}, "needs its scorer"),
        ("f1", {}, "needs its scorer"),
        ("exact", {}, "needs its scorer"),
        ("choice", {}, "needs its scorer"),
    ],
)
def test_scorers_that_are_not_known_say_so(name: str, options: Table, reason: str) -> None:
    (one,) = graded(ran([{"name": name, "options": options}], [1.0], "4", [name]), "4", "4")
    assert (one.passed, one.reason) == (None, reason)


def test_todays_target_decides_and_hostile_logs_are_no_fault() -> None:
    run = ran([SCORERS[0]], ["I"], "London", ["includes"])
    (one,) = graded(run, ["Lyon", "Paris"], "It is paris.")
    assert (one.passed, one.text) == (True, "includes 'Lyon', 'Paris'")
    assert [*graded({"scorers": [None, 3, {"name": 1}], "scores": [], "target": None}, "a", "a")] == []
    assert [*graded({}, None, "a")] == []
    header = LogHeader.of(
        {"eval": {"scorers": [{"name": "match", "options": {"location": "any"}, "metrics": []}, 7]}}
    )
    assert header.shared()["scorers"] == [{"name": "match", "options": {"location": "any"}}]
