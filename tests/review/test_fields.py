"""What is read of a row, value by value."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.integrations.agentv import results as agentv
from sampleui.integrations.calibrate import results as calibrate
from sampleui.integrations.gage import results as gage
from sampleui.review.record import Assertion
from sampleui.review.results import fields
from sampleui.review.results.file import open_results
from sampleui.review.results.requests import request_messages, sent
from sampleui.sample.tokens import Tokens
from sampleui.trace.events import EventType
from sampleui.trace.reading.extract import read_trace


@pytest.mark.parametrize(
    ("value", "said"), [("", None), ("a", "a"), (7, "7"), (0, "0"), (1.5, "1.5"), (True, None), ([], None)]
)
def test_texts_and_numbers_are_names(value: Plain, said: str | None) -> None:
    assert fields.text(value) == said


def test_whole_numbers_and_others() -> None:
    assert [fields.whole(one) for one in (3, 2.0, True, "3", None)] == [3, 2, None, None, None]
    assert [fields.number(one) for one in (0, 1.5, True, "1", 10**400)] == [0.0, 1.5, None, None, None]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("", None),
        ({"role": "assistant"}, None),
        ({"role": "assistant", "content": "a"}, "a"),
        ({"n": 1}, '{\n  "n": 1\n}'),
        ([], None),
        (["a", "", "b"], "a\nb"),
        ([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}], "a\nb"),
        ([{"role": "user", "content": "u"}, {"role": "assistant", "content": "a"}], "a"),
        ([{"role": "assistant", "content": "a"}, {"role": "tool", "content": "t"}], "a"),
        ([{"role": "assistant", "content": "a"}, {"role": "assistant", "content": ""}], "a"),
        ([{"role": "user", "content": "u"}], None),
        ([{"role": {}, "content": "a"}], None),
        ([{"type": "text", "text": "a"}, {"type": "image_url", "image_url": {"url": "x"}}], "a"),
        (["a", {"n": 1}], 'a\n{\n  "n": 1\n}'),
        (5, "5"),
    ],
)
def test_what_a_value_says(value: Plain, said: str | None) -> None:
    assert fields.spoken(value) == said


@pytest.mark.parametrize(
    "thought",
    [
        {"type": "thinking", "thinking": "hm", "signature": "s"},
        {"type": "thinking", "thinking": [{"type": "text", "text": "hm"}]},
        {"type": "redacted_thinking", "data": "hm"},
        {"type": "redacted-reasoning", "data": "hm"},
        {"type": "reasoning", "reasoning": "hm"},
        {"type": "reasoning", "text": "hm"},
        {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]},
        {"type": "text", "text": "hm", "thought": True},
        {"text": "hm", "thought": True},
        {"part_kind": "thinking", "content": "hm"},
        {"reasoningContent": {"reasoningText": {"text": "hm"}}},
    ],
)
def test_what_a_model_thought_is_no_part_of_what_it_says(thought: Table) -> None:
    text: Table = {"type": "text", "text": "a"}
    assert fields.spoken([thought, text]) == fields.spoken([text, thought]) == "a"
    assert fields.spoken([thought, {**text, "text": ""}]) is None
    assert fields.spoken([thought]) is None
    assert fields.spoken({"role": "assistant", "content": [thought, text], "reasoning_content": "hm"}) == "a"
    assert (
        fields.spoken([{"role": "user", "content": "q"}, {"role": "assistant", "content": [thought, text]}]) == "a"
    )
    message: Table = {"type": "message", "content": [{"type": "output_text", "text": "a"}]}
    assert fields.spoken([{**message, "role": "assistant"}, thought]) == "a"


def test_a_whole_response_says_what_its_first_choice_says() -> None:
    message: Table = {"role": "assistant", "content": "a", "reasoning_content": "hm"}
    assert fields.spoken({"id": "x", "choices": [{"index": 0, "message": message}], "usage": {}}) == "a"
    assert fields.spoken({"choices": [{"message": {**message, "content": None}}]}) is None
    assert fields.spoken({"choices": ["a"]}) == '{\n  "choices": [\n    "a"\n  ]\n}'


@pytest.mark.parametrize(
    "response",
    [
        {"choices": [{"text": "green"}]},
        {
            "candidates": [
                {"content": {"role": "model", "parts": [{"text": "t", "thought": True}, {"text": "green"}]}}
            ]
        },
        [{"role": "user", "parts": [{"text": "q"}]}, {"role": "model", "parts": [{"text": "green"}]}],
        {"output": {"message": {"role": "assistant", "content": [{"text": "green"}]}}, "stopReason": "end_turn"},
        {"lc": 1, "type": "constructor", "kwargs": {"content": "green", "additional_kwargs": {"thinking": "t"}}},
        {"model": "m", "response": "green", "thinking": "t", "done": True},
        {"message": {"role": "assistant", "content": "green", "thinking": "t"}, "done": True},
    ],
)
def test_a_whole_response_of_a_provider_says_its_text_and_not_what_was_thought(response: Plain) -> None:
    assert fields.spoken(response) == "green"


@pytest.mark.parametrize("key", ["response", "completion", "prediction", "generation", "actual", "model_output"])
def test_a_row_with_an_answer_by_another_name_is_not_one_of_agentv_without_an_answer(key: str) -> None:
    row: Table = {"id": "a", "score": 0, key: {"choices": [{"message": {"role": "assistant", "content": "green"}}]}}
    assert not agentv.claims(row)
    assert agentv.claims({**row, "output": "x"}) and agentv.claims({"id": "a", "score": 0})


def test_agentv_grades_the_last_message_that_has_a_content_even_if_that_is_empty() -> None:
    said: list[Plain] = [{"role": "assistant", "content": "I look."}, {"role": "assistant", "content": ""}]
    row: Table = {"test_id": "a", "score": 0, "output": [*said, {"role": "assistant"}]}
    assert agentv.parse_row(row).details().actual == ""
    assert (
        agentv.parse_row({**row, "output": [*said[:1], {"role": "tool", "content": "x"}]}).details().actual
        == "I look."
    )


def test_an_error_is_a_line_of_three_hundred_characters_at_most() -> None:
    assert fields.error_line("a\n b") == "a b"
    assert fields.error_line({"message": "a", "code": 1}) == "a"
    assert fields.error_line("x" * 301) == "x" * 299 + "…"
    assert fields.error_line("x" * 300) == "x" * 300
    nothing: list[Plain] = [None, "", {}, False]
    assert all(fields.error_line(empty) is None for empty in nothing)


def test_tokens_are_read_if_either_is_told() -> None:
    assert fields.tokens({"output": 2}) == Tokens(None, 2)
    assert fields.tokens({"input_tokens": 0}) == Tokens(0, None)
    assert fields.tokens({"total": 2}) is None


def test_assertions_are_texts_or_say_whether_they_hold() -> None:
    found = fields.assertions(["short", "", {"name": "kind", "pass": False, "reason": "no"}, {"passed": True}, 5])
    assert found == (Assertion("short", None, None), Assertion("kind", False, "no"))
    assert fields.assertions({"text": "x"}) == ()


def test_an_evaluator_of_a_row_has_a_name_and_a_verdict() -> None:
    one, other, third = fields.grades_in(
        [{"assertion": {"type": "contains"}, "passed": True}, {"type": "judge", "verdict": "FAIL"}, {"pass": "x"}]
    )
    assert (one.name, one.verdict) == ("contains", "pass")
    assert (other.name, other.verdict) == ("judge", "fail")
    assert (third.name, third.verdict) == ("evaluator", None)


@pytest.mark.parametrize(
    ("row", "claimed"),
    [
        ({"id": "a", "score": 1}, True),
        ({"id": "a", "scores": []}, True),
        ({"id": "a", "scores": {"x": 1}}, False),
        ({"id": "a", "score": [1]}, False),
        ({"id": "a", "output": {"content": "x"}}, True),
        ({"id": "a", "output": {"choices": []}}, False),
        ({"id": "a", "output": [1]}, True),
        ({"id": "a"}, False),
        ({"id": None, "score": 1}, False),
        ({"score": 1}, False),
        ({"test_id": "a", "scores": {}}, True),
        ({"test_id": "a"}, False),
    ],
)
def test_whose_rows_are_agentv_s(row: Table, claimed: bool) -> None:
    assert agentv.claims(row) is claimed


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"score": 0}, True),
        ({"score": 0.5}, True),
        ({"score": 1}, True),
        ({"score": 1.5}, False),
        ({"score": -0.5}, False),
        ({"score": "high", "passed": True}, False),
        ({"test_id": "a", "score": 5}, True),
        ({"assertions": [{"text": "x"}]}, True),
        ({"assertions": ["x"]}, False),
        ({"scores": [{"score": 1}]}, True),
        ({"status": "ok"}, True),
        ({"status": "odd"}, False),
        ({"error": "late"}, True),
        ({"error": ""}, False),
        ({"verdict": "fine"}, True),
        ({"verdict": 1}, False),
    ],
)
def test_which_rows_say_how_they_came_out(row: Table, told: bool) -> None:
    assert agentv.has_outcome(row) is told


def entry_of(**row: Any) -> Any:
    found = agentv.parse_row({"test_id": "a", **row}).entry
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("row", "source"),
    [
        ({"eval_file": "a.yaml"}, "a.yaml"),
        ({"dataset": "Things"}, None),
        ({"eval_file": 5, "deck": "B.TOML"}, "B.TOML"),
        ({"eval_file": "a\0.yaml"}, None),
        ({"eval_file": "run/a.yaml", "task_dir": "run"}, None),
        ({"eval_file": "run/a.yaml", "task_dir": "run", "deck": "b.toml"}, "b.toml"),
        ({"eval_file": "a.yaml", "projection_identity": {"dimensions": {"eval_path": "p"}}}, "p"),
        ({"eval_file": "a.yaml", "projection_identity": {"dimensions": {"eval_path": ""}}}, "a.yaml"),
        ({"eval_file": "a.yaml", "projection_identity": {"dimensions": {"eval_path": 5}}}, "a.yaml"),
    ],
)
def test_which_deck_a_row_names(row: Table, source: str | None) -> None:
    assert entry_of(**row).source == source


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        ({"status": "PASSED"}, True),
        ({"execution_status": "quality_failure", "success": True}, False),
        ({"status": "odd", "success": False}, False),
        ({"passed": "yes"}, None),
        ({"score": 0.5, "threshold": 0.5}, True),
        ({"score": 0.4, "threshold": 0.5}, False),
        ({"score": 0.4}, None),
        ({"threshold": 0.4}, None),
    ],
)
def test_what_the_runner_says_came_of_a_row(row: Table, outcome: bool | None) -> None:
    assert entry_of(**row).outcome is outcome


@pytest.mark.parametrize(
    ("row", "trials"),
    [
        (
            {"trials": [{"verdict": "PASS"}, {"verdict": "fail", "score": 1}, {"score": 0.8}, {"score": 0.7}]},
            (2, 4),
        ),
        ({"samples": [{}, {"success": True}, {"success": False, "score": 1}]}, (1, 3)),
        ({"aggregation": {"passed_attempts": 0, "total_attempts": 3}}, (0, 3)),
        ({"aggregation": {"passed_attempts": 1}}, None),
        ({"aggregation": {"total_attempts": 3}}, None),
        ({"trials": []}, None),
    ],
)
def test_how_many_attempts_passed(row: Table, trials: tuple[int, int] | None) -> None:
    assert entry_of(**row).trials == trials


def test_which_attempt_a_row_is_and_its_tags() -> None:
    assert entry_of(sample_index=0).attempt == 0
    assert entry_of(projection_identity={"dimensions": {"attempt": 2}}).attempt == 2
    assert entry_of(tags=["x"], suite="x", category="y").tags == ("x", "y")
    assert entry_of(suite="x").tags == ("x",)
    assert entry_of().tags == ()


def test_what_a_row_measures_comes_before_what_its_trace_does() -> None:
    trace: Plain = {"cost_usd": 2, "duration_ms": 5, "token_usage": {"input": 1}}
    found = agentv.parse_row({"test_id": "a", "cost_usd": 0, "trace": trace}).usage()
    assert (found.cost_usd, found.latency_ms, found.tokens) == (0.0, 5.0, Tokens(1, None))


def test_which_rows_a_grader_scored() -> None:
    assert calibrate.claims({"grader_score": None})
    assert calibrate.claims({"truth_score": 1, "id": "a"})
    assert not calibrate.claims({"truth_score": 1})
    assert not calibrate.claims({"id": "a"})


def test_what_a_metric_of_gage_eval_is() -> None:
    metrics: Table = {
        "truth": True,
        "number": 0.25,
        "judged": {"value": 0.5, "reason": "so"},
        "worded": {"verdict": "Passed"},
        "odd": {"x": 1},
        "text": "x",
        "score": 0.1,
    }
    found = gage.parse_row({"id": "a", "eval_result": metrics}).details().evaluators
    assert [(one.name, one.score, one.verdict, one.reasoning) for one in found] == [
        ("truth", 1.0, "pass", None),
        ("number", 0.25, None, None),
        ("judged", 0.5, None, "so"),
        ("worded", None, "pass", None),
    ]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"predict_result": [{"message": "a"}, {"message": "b"}]}, "b"),
        ({"predict_result": {"message": "a", "usage": {}}}, "a"),
        ({"predict_result": [{"usage": {}, "model": "m"}]}, ""),
        ({"predict_result": "plain"}, "plain"),
        ({}, ""),
    ],
)
def test_what_gage_eval_answered(row: Table, said: str) -> None:
    assert gage.parse_row({"id": "a", **row}).details().actual == said


def test_a_run_of_gage_eval_is_scored_by_its_judge_or_else_by_its_metrics() -> None:
    sample: Table = {"id": "a", "label": "x"}
    metrics: Table = {"f1": {"values": {"score": 0.5, "recall": 1}}, "em": {"values": {"hit": True}}}
    row: Table = {"sample": sample, "metrics": metrics, "task_id": "t"}
    found = gage.parse_row_of_run(row).entry
    assert found is not None
    assert [(mark.name, mark.score) for mark in found.grades] == [("f1", 0.5), ("f1/recall", 1.0), ("em", 1.0)]
    assert (found.score, found.suite, found.tags) == (0.75, "t", ("t",))
    judged = gage.parse_row_of_run({**row, "judge_output": {"score": 0, "reason": "no"}}).entry
    assert judged is not None
    assert (judged.score, judged.grades[0].name, judged.grades[0].score) == (0.0, "judge", 0.0)
    failed = gage.parse_row_of_run(
        {**row, "judge_output": {"status": "failed", "failure": {"message": "late"}}}
    ).entry
    assert failed is not None
    assert (failed.error, failed.grades[0].verdict) == ("late", "fail")
    fine = gage.parse_row_of_run({**row, "judge_output": {"status": "done", "failure": {"message": "late"}}}).entry
    assert fine is not None
    assert fine.error is None


def test_which_rows_are_of_a_run_of_gage_eval() -> None:
    assert gage.claims_of_run({"sample": {}, "metrics": {}})
    assert gage.claims_of_run({"sample": {}, "model_output": {}})
    assert not gage.claims_of_run({"sample": {}})
    assert not gage.claims_of_run({"sample": "x", "metrics": {}})


SYSTEM: Table = {"role": "system", "content": "s"}
USER: Table = {"role": "user", "content": "u"}


@pytest.mark.parametrize(
    ("request_", "messages"),
    [
        ("u", (USER,)),
        ("  ", ()),
        ([USER, "x", {"content": "y"}], (USER,)),
        (5, ()),
        ({"messages": [USER], "system": "s"}, (SYSTEM, USER)),
        ({"messages": [SYSTEM, USER], "system": "other"}, (SYSTEM, USER)),
        ({"messages": [], "input": [USER]}, (USER,)),
        ({"prompt": "u", "system_prompt": "s", "guidelines": " "}, (SYSTEM, USER)),
        ({"system_prompt": "s"}, ()),
        ({"prompt": {"x": 1}}, ()),
        ([{"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "value": "b"}]}],
         ({"role": "user", "content": "a\nb"},)),
        ([{"role": "user", "content": [{"type": "text", "text": "a"}, "b"]}],
         ({"role": "user", "content": [{"type": "text", "text": "a"}, "b"]},)),
        ([{"role": "user", "content": [{"type": "file", "value": "a"}]}],
         ({"role": "user", "content": [{"type": "file", "value": "a"}]},)),
        ([{"role": "user", "content": [{"type": "text", "text": 5}]}],
         ({"role": "user", "content": [{"type": "text", "text": 5}]},)),
        ([{"role": "user", "content": [], "weight": 1, "name": None}], ({"role": "user", "content": []},)),
    ],
)  # fmt: skip
def test_the_messages_of_a_request(request_: Plain, messages: tuple[Table, ...]) -> None:
    assert request_messages(request_) == messages


def test_an_error_is_that_of_the_result_or_of_the_answer() -> None:
    rows: list[Table] = [{"eval_result": {"error": "late"}}, {"predict_result": [{}, {"error": "late"}]}]
    for row in rows:
        found = gage.parse_row({"id": "a", **row}).entry
        assert found is not None
        assert found.error == "late"


LANGCHAIN: list[Table] = [
    {"type": "system", "content": "Be brief."},
    {"type": "human", "content": "Weather in Oslo?"},
    {"type": "ai", "content": "", "tool_calls": [{"name": "weather", "args": {"city": "Oslo"}, "id": "c1"}]},
    {"type": "tool", "content": "rain", "tool_call_id": "c1", "name": "weather"},
    {"type": "ai", "content": "It rains."},
]
"""A conversation as LangChain's `messages_to_dict` and `model_dump` have it."""

_CLASSES = {"system": "SystemMessage", "human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}


@pytest.mark.parametrize(
    "messages",
    [
        LANGCHAIN,
        [
            {"lc": 1, "type": "constructor", "id": ["langchain", _CLASSES[str(one["type"])]], "kwargs": one}
            for one in LANGCHAIN
        ],
        [
            {"lc": 1, "type": "constructor", "id": ["langchain_core", f"{_CLASSES[str(one['type'])]}Chunk"],
             "kwargs": {key: value for key, value in one.items() if key != "type"}} for one in LANGCHAIN
        ],
    ],
)  # fmt: skip
def test_messages_of_langchain_are_answer_question_and_trace(tmp_path: Path, messages: list[Table]) -> None:
    rows: list[Table] = [
        {"id": "a", "score": 0, "input": [*messages[:2]], "output": [*messages]},
        {"id": "b", "score": 0, "input": [*messages[:2]], "output": messages[-1]},
        {"id": "c", "messages": [*messages]},
    ]
    for number, row in enumerate(rows):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(json.dumps(row) + "\n", "utf-8")
        record = open_results(path).indexed().record(0)
        assert record.actual == "It rains."
        asked = record.asked or sent(record.data)
        assert [(one["role"], one["content"]) for one in asked] == [
            ("system", "Be brief."),
            ("user", "Weather in Oslo?"),
        ]
        events = read_trace(record.data, tmp_path).events
        calls = [(one.name, one.input) for one in events if one.type is EventType.TOOL_CALL]
        assert calls == ([] if number == 1 else [("weather", {"city": "Oslo"})])
        results = [one.output for one in events if one.type is EventType.TOOL_RESULT]
        assert results == ([] if number == 1 else ["rain"])
