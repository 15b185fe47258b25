"""What is guessed of rows that no tool is known to write, word by word."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.review.results.file import open_results
from sampleui.review.results.guessing import guessed_records, guessed_rows, written_rows


def guessed(*rows: Any) -> dict[str, object]:
    return {**(guessed_rows(rows) or {})}


def test_what_says_nothing_of_an_outcome_is_no_row() -> None:
    assert guessed({"id": "a", "note": "x"}) == {}
    assert guessed({"score": 1}) == {}
    assert guessed({"id": "a", "score": 0.5}) == {"id": "id", "score": "score", "marks": ("id", "score")}
    assert guessed({"question": "q", "passed": True})["marks"] == ("question", "passed")


@pytest.mark.parametrize(
    ("scores", "scale"),
    [
        ((0, 1), None),
        ((0.5, 0.5), None),
        ((-1, 1), (-1.0, 1.0)),
        ((-3, 2), (-5.0, 5.0)),
        ((-1, 7), (-10.0, 10.0)),
        ((-20, 0), (-100.0, 100.0)),
        ((-200, 0), (-200, 200)),
        ((1, 5), (1.0, 5.0)),
        ((0, 5), (0.0, 5.0)),
        ((2, 4), (1.0, 5.0)),
        ((1, 6), (0.0, 10.0)),
        ((1, 10), (0.0, 10.0)),
        ((5, 100), (0.0, 100.0)),
        ((5, 150), (0.0, 150)),
    ],
)
def test_the_scale_is_the_narrowest_that_holds_all_scores(
    scores: tuple[float, float], scale: tuple[float, float] | None
) -> None:
    assert guessed(*({"id": str(at), "score": one} for at, one in enumerate(scores))).get("scale") == scale


@pytest.mark.parametrize(
    ("outcomes", "words"),
    [
        (("pass", "fail"), {}),
        (("Pass ", "too long"), {"passes": ("pass",), "fails": ("too long",)}),
        ((True, False), {}),
        ((0, 1), {}),
        ((0, 2), None),
        (("fine", "odd"), None),
        (("fail",), {}),
        ((True, None), {}),
    ],
)
def test_words_of_an_outcome_are_taken_if_one_is_known_to_pass(
    outcomes: tuple[Plain, ...], words: dict[str, object] | None
) -> None:
    found = guessed(*({"id": str(at), "verdict": one, "score": 1} for at, one in enumerate(outcomes)))
    assert ("outcome" in found) is (words is not None)
    assert {key: found[key] for key in ("passes", "fails") if key in found} == (words or {})


def test_texts_of_their_own_each_are_no_outcome() -> None:
    rows: list[Table] = [{"id": str(at), "verdict": f"because {at}", "score": 1} for at in range(40)]
    assert "outcome" not in guessed({"id": "x", "verdict": "pass", "score": 1}, *rows)


@pytest.mark.parametrize(
    ("value", "graded"),
    [
        ({"exact": 1, "note": "x"}, True),
        ({"exact": {"score": 1}}, True),
        ({"exact": {"odd": 1}}, False),
        ({"exact": "x"}, False),
        ([{"name": "exact", "passed": True}], True),
        ([{"passed": True}, {"odd": 1}], False),
        ([{"passed": True}, 5], True),
        ([5], False),
        ([], False),
        ("x", False),
    ],
)
def test_what_evaluators_look_like(value: Plain, graded: bool) -> None:
    found = guessed({"id": "a", "error": "x", "passed": True, "checks": value})
    assert (found.get("evaluators") == "checks") is graded


@pytest.mark.parametrize(
    ("value", "name"),
    [("a", True), (7, True), (True, False), (1.5, False), ("x" * 200, True), ("x" * 201, False), (None, False)],
)
def test_what_an_id_looks_like(value: Plain, name: bool) -> None:
    assert ("id" in guessed({"id": value, "question": "q", "passed": True})) is name


def test_each_path_stands_for_one_thing_by_the_order_of_the_names() -> None:
    row: Table = {
        "case": "a",
        "id": "b",
        "modelOutput": "x",
        "answer": "y",
        "result": {"score": 3, "passed": True},
        "messages": [{"role": "user"}],
        "attempt": 2,
        "tags": ["t", "u"],
        "usage": {"input": 1},
        "latency_ms": 5,
        "duration": "long",
        "cost": 0.5,
        "created_at": "now",
        "task_name": "t",
        "dataset": "d.jsonl",
        "reason": "so",
    }
    assert guessed(row) == {
        "id": "id",
        "outcome": "result.passed",
        "score": "result.score",
        "messages": "messages",
        "actual": "modelOutput",
        "expected": "answer",
        "reason": "reason",
        "attempt": "attempt",
        "tags": "tags",
        "suite": "task_name",
        "milliseconds": "latency_ms",
        "cost": "cost",
        "tokens": "usage",
        "time": "created_at",
        "deck": "dataset",
        "scale": (1.0, 5.0),
        "marks": ("id", "result.passed"),
    }


def test_values_of_other_types_are_not_taken() -> None:
    odd: Table = {
        "id": "a", "passed": True, "messages": ["x"], "attempt": True, "tags": [1], "usage": 5, "cost": "much",
        "created_at": 5, "dataset": "Things", "model": 5, "reason": [], "question": 5, "error": 5,
    }  # fmt: skip
    assert guessed(odd) == {"id": "id", "outcome": "passed", "marks": ("id", "passed")}


def test_where_the_rows_are_comes_first() -> None:
    found = guessed_rows([{"score": 1, "id": "a"}], ("out", "rows"))
    assert found is not None
    assert [*found] == ["container", "id", "score", "marks"]
    assert found["container"] == "out.rows"


@pytest.mark.parametrize(
    "rows",
    [
        [{"id": "a", "score": 1, "output": "x"}, {"id": "b", "output": None, "error": "late"}],
        [{"case": "a", "passed": True}, {"case": "b", "error": "late"}],
        [{"prompt": "2?", "reward": 0.5, "completion": "x"}, {"prompt": "3?", "error": "late"}],
    ],
)
def test_a_guessed_table_reads_every_row_that_says_how_it_came_out(tmp_path: Path, rows: list[Table]) -> None:
    (tmp_path / ".git").mkdir()
    table = guessed_rows(rows)
    assert table is not None
    (tmp_path / ".sampleui.toml").write_text(written_rows("mine", table))
    (tmp_path / "run.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert len(open_results(tmp_path / "run.jsonl").indexed()) == len(rows)


def test_no_table_is_put_together_from_rows_of_several_kinds() -> None:
    assert guessed_rows([{"uuid": "a", "prompt": "x"}, {"kind": "sum", "passed": True}]) is None


def test_an_email_that_was_drafted_is_the_answer_and_no_part_of_it_the_question() -> None:
    rows: list[Table] = [
        {
            "uid": f"m{number}",
            "subject": f"Parcel {number}",
            "body": f"Hello, my parcel {number} has not come. Where is it?",
            "draft": {"subject": f"Re: Parcel {number}", "body": f"Dear Ann, your parcel {number} is on its way."},
        }
        for number in range(4)
    ]
    table = guessed_records(rows)
    assert table is not None
    assert (table["prompt"], table["actual"]) == ("body", "draft.body")


def said(number: int, *words: str) -> str:
    return f"{' '.join(words)} {number} times over"


@pytest.mark.parametrize(
    ("row", "asked", "answered", "name"),
    [
        (
            lambda n: {"ticket": f"T-{n}", "body": said(n, "help"), "reply_draft": said(n)},
            "body",
            "reply_draft",
            "ticket",
        ),
        (
            lambda n: {
                "schema": "CREATE TABLE a(b INT) and so on",
                "nl": said(n, "how many"),
                "generated_sql": said(n),
            },
            *("nl", "generated_sql", None),
        ),
        (
            lambda n: {"session": f"s{n}", "user_msg": said(n, *"abc"), "final": said(n)},
            "user_msg",
            "final",
            "session",
        ),
        (
            lambda n: {"input": {"document": said(n), "instruction": "Say it in one sentence."}, "output": said(n)},
            *("input.document", "output", None),
        ),
        (
            lambda n: {"caller_utterance": said(n, "a"), "agent_utterance": said(n)},
            "caller_utterance",
            "agent_utterance",
            None,
        ),
        (lambda n: {"page": said(n), "extracted": {"total": n, "vendor": f"V{n}"}}, "page", "extracted", None),
        (
            lambda n: {
                "custom_id": f"r{n}",
                "request": {"body": {"input": said(n)}},
                "response": {"body": {"text": said(n)}},
            },
            *("request.body.input", "response.body.text", "custom_id"),
        ),
        (lambda n: {"before": said(n, "x", "y"), "after": said(n), "note": "fine"}, "before", "after", None),
        (
            lambda n: {"img": f"{n}.png", "prompt": "Describe the picture.", "caption": said(n)},
            "prompt",
            "caption",
            None,
        ),
        (
            lambda n: {"abstract": said(n, "x", "y"), "doi": f"10.1/{n}", "generated_title": said(n)},
            "abstract",
            "generated_title",
            None,
        ),
        (
            lambda n: {"clause": said(n), "result": {"risk": "high", "explanation": said(n)}},
            "clause",
            "result.explanation",
            None,
        ),
    ],
)
def test_names_then_the_order_of_the_texts_tell_what_was_asked_and_what_answered(
    row: Callable[[int], Table], asked: str, answered: str, name: str | None
) -> None:
    table = guessed_records([row(number) for number in range(4)])
    assert table is not None
    assert (table.get("prompt"), table.get("actual"), table.get("id")) == (asked, answered, name)


FLAGGED: list[Table] = [
    {"id": number, "question": f"What is {number}?", "answer": f"It is {number}.", "success": True}
    for number in range(4)
]


def test_a_flag_that_is_the_same_in_all_rows_is_of_the_call_and_no_outcome() -> None:
    assert guessed(*FLAGGED) == {}
    assert "outcome" not in (guessed_records(FLAGGED) or {})
    assert guessed(*FLAGGED[:3], {**FLAGGED[3], "success": False})["outcome"] == "success"


def test_an_id_is_another_one_in_each_row_or_in_each_of_a_target() -> None:
    rows = [{"name": "suite", "case_no": f"c{number}", "output": "x", "passed": number > 1} for number in range(4)]
    assert guessed(*({**row, "case_id": row["case_no"]} for row in rows))["id"] == "case_id"
    assert guessed(*rows).get("id") != "name"
    by_model = [{"id": f"c{number // 2}", "model": f"m{number % 2}", "passed": True} for number in range(4)]
    assert guessed(*by_model)["id"] == "id"


def test_a_label_of_a_person_is_a_persons_and_that_of_a_judge_a_judges() -> None:
    rows = [
        {
            "response": f"Hello, dear {number}.",
            "human_label": "PASS" if number else "FAIL",
            "automated_verdict": "pass",
        }
        for number in range(4)
    ]
    table = guessed(*rows)
    assert (table["label"], table["outcome"]) == ("human_label", "automated_verdict")
    thumbs: list[Table] = [
        {"id": str(number), "reply": f"Hello {number}!", "thumbs_up": number > 1} for number in range(4)
    ]
    assert (guessed_records(thumbs) or {})["label"] == "thumbs_up"
    passed = [
        {"trace_id": f"t{number}", "reply": f"so {number}", "label": ("PASS", "FAIL")[number % 2]}
        for number in range(4)
    ]
    assert guessed(*passed)["outcome"] == "label"


def test_times_and_counts_are_no_scores() -> None:
    rows = [{"id": str(number), "output": f"ok {number}"} for number in range(4)]
    assert guessed(*({**row, "score": 1767225600 + number} for number, row in enumerate(rows))) == {}
    assert guessed(*({**row, "metrics": {"latency_ms": 3, "total_tokens": 9}} for row in rows)) == {}


def test_what_a_person_said_is_a_persons_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    rows = [
        {"id": str(number), "question": f"Is it {number}?", "reply": f"It is {number}.", "human_label": label}
        for number, label in enumerate(("good", "bad", ""))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    record, other, unlabelled = map(open_results(path, asked=True).indexed().record, range(3))
    assert [(score.name, score.by_person, score.verdict) for score in record.evaluators] == [
        ("human_label", True, "pass")
    ]
    assert (record.rated, other.rated, unlabelled.rated, unlabelled.evaluators) == (True, False, None, ())


def test_a_first_line_about_all_records_is_one_finding_and_in_no_guess(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    head = {"run": "nightly", "model": "m", "date": "2026-01-01"}
    rows = [{"id": f"c{number}", "question": "q?", "answer": "a", "passed": number > 1} for number in range(4)]
    path.write_text("".join(json.dumps(row) + "\n" for row in (head, *rows)))
    results = open_results(path).indexed()
    assert [entry.sample_id for entry in results.entries] == ["c0", "c1", "c2", "c3"]
    assert results.guess is not None and "target" not in results.guess.table
    assert [finding.message for finding in results.diagnostics] == [
        "no record, for it has no key of those that follow: what it says of the run is not read"
    ]
