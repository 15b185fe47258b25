from __future__ import annotations

import json
from pathlib import Path

import pytest

DECK = """name: t
tests:
  - id: a
    criteria: c
    input: A?
    assertions: [{type: contains, value: yes}]
  - id: b
    criteria: c
    input: B?
    assertions: [{type: contains, value: assistant}, {type: llm-grader, prompt: good?}]
"""
ROWS = [
    {"test_id": "a", "score": 0, "output": "Oh yes."},
    {"test_id": "b", "score": 0, "output": "I am a model."},
]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    (tmp_path / "t.eval.yaml").write_text(DECK)
    path = tmp_path / "results.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return path


def regrade(sampleui, results, *args):
    return sampleui("regrade", results, "--deck", results.parent / "t.eval.yaml", *args)


def test_one_line_a_record_and_1_while_something_fails(sampleui, results):
    ran = regrade(sampleui, results)
    assert ran.code == 1
    assert ran.out == (
        "a: would pass now\nb: still fails: contains 'assistant'; open: llm-grader (needs its grader)\n"
    )
    assert ran.err == "2 records: 1 hold, 1 fail, 0 cannot be told, 0 without a sample\n"


def test_0_once_all_holds(sampleui, results):
    deck = results.parent / "t.eval.yaml"
    deck.write_text(DECK.replace("assistant", "model"))
    assert regrade(sampleui, results).code == 0


def test_json_is_one_object_a_line(sampleui, results):
    ran = regrade(sampleui, results, "--format", "json", "--id", "b")
    found = json.loads(ran.out)
    assert (found["id"], found["failed"], found["would_pass"]) == ("b", True, False)
    assert [(each["name"], each["passed"]) for each in found["assertions"]] == [
        ("contains-assistant", False),
        ("llm-grader", None),
    ]


def test_2_where_nothing_can_be_told_or_read(sampleui, results):
    assert regrade(sampleui, results, "--id", "none").code == 2
    (results.parent / "t.eval.yaml").write_text(DECK.replace("id: a", "id: x").replace("id: b", "id: y"))
    ran = regrade(sampleui, results)
    assert (ran.code, "a: no deck has its sample" in ran.err) == (2, True)
    results.write_text("{broken\n")
    assert regrade(sampleui, results).code == 2


SCORED = {
    "test_id": "s", "score": 0.5, "output": "Oh yes.", "execution_status": "quality_failure",
    "scores": [{"name": "judge", "score": 0.7}, {"name": "c", "score": 0}],
}  # fmt: skip


@pytest.mark.parametrize(
    ("asked", "weight", "row", "said"),
    [
        ("value: yes", 3, {}, "would pass now; open: llm-grader (needs its grader)"),
        ("value: yes", 1, {"scores": [{"name": "judge", "score": 0.5}]}, "still fails: by what is open; open: "),
        ("value: no", 1, {}, "still fails: contains 'no'; open: "),
        ("value: no", 0.1, {"score": 0.6, "execution_status": "ok"}, "passes still, though it fails contains 'no'"),
        (
            "value: no, required: true",
            0.1,
            {"score": 0.6, "execution_status": "ok"},
            "would fail now: contains 'no'",
        ),
    ],
)
def test_a_record_of_agentv_passes_by_the_mean_of_its_scores(sampleui, tmp_path, asked, weight, row, said):
    judge = "{type: llm-grader, name: judge, prompt: good?}"
    check = f"{{type: contains, name: c, weight: {weight}, {asked}}}"
    deck = tmp_path / "t.eval.yaml"
    deck.write_text(f"name: t\ntests:\n  - {{id: s, criteria: c, input: S?, assertions: [{judge}, {check}]}}\n")
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps({**SCORED, **row}) + "\n")
    ran = sampleui("regrade", path, "--deck", deck)
    assert ran.out.startswith(f"s: {said}")
    assert ran.code == ("fail" in said.split(",")[0])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([{"target": "one"}], "its answer is not kept"),
        ([{"target": "one"}, {"target": "two", "attempt": 1}, {"target": "two", "attempt": 2}], None),
    ],
)
def test_what_is_not_kept_was_answered_all_the_same(sampleui, results, rows, said):
    answers = [{"test_id": "a", "score": 1, "answer_path": "a/answer.md", **row} for row in rows]
    results.write_text("".join(json.dumps(row) + "\n" for row in answers))
    told = regrade(sampleui, results).out
    if said is not None:
        assert f"a: whether it passes cannot be told: contains 'yes' ({said})" in told
    assert "there is no answer" not in told
    (results.parent / "a").mkdir()
    (results.parent / "a" / "answer.md").write_text("yes")
    assert ("passes still" in regrade(sampleui, results).out) is (len(rows) == 1)
