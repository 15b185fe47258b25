from __future__ import annotations

import math
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sampleui.integrations.gage import results as gage
from sampleui.review.record import Assertion, Grade, failed, failing_evaluators, why_failed
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.file import open_results
from sampleui.sample.tokens import Tokens
from tests.review.build import entry, only_record


def test_todays_agentv_row_is_read_whole(tmp_path: Path) -> None:
    record = only_record(
        tmp_path,
        {
            "timestamp": "2026-01-01T00:00:00Z",
            "test_id": "greet",
            "suite": "demo",
            "score": 0.5,
            "target": "atlas",
            "scores": [
                {
                    "name": "judge",
                    "type": "llm-grader",
                    "score": 0.5,
                    "verdict": "FAIL",
                    "reasoning": "too long",
                    "assertions": [{"text": "short", "passed": False, "evidence": "40 words"}],
                }
            ],
            "assertions": [{"text": "polite", "passed": True}, {"text": "short", "passed": False}],
            "output": [
                {"role": "assistant", "content": "", "tool_calls": [{"tool": "look"}]},
                {"role": "tool", "content": "seen"},
                {
                    "role": "assistant",
                    "content": [{"type": "text", "text": "Hello"}, {"type": "text", "text": "you"}],
                },
            ],
            "trace": {"token_usage": {"input": 5, "output": 7}, "cost_usd": 0.25, "duration_ms": 12},
        },
    )
    assert (record.id, record.sample_id, record.score, record.target) == ("greet", "greet", 0.5, "atlas")
    assert record.verdict == "fail"
    assert record.grades == (Grade("judge", 0.5, "fail"),)
    assert record.actual == "Hello\nyou"
    assert (record.hits, record.misses) == (("polite",), ("short",))
    assert record.evaluators[0].assertions == (Assertion("short", False, "40 words"),)
    assert record.evaluators[0].reasoning == "too long"
    assert (record.tokens, record.cost_usd, record.latency_ms) == (Tokens(5, 7, 12), 0.25, 12.0)
    assert record.tags == ("demo",)
    assert record.timestamp == "2026-01-01T00:00:00Z"


def test_older_agentv_row_is_read_whole(tmp_path: Path) -> None:
    record = only_record(
        tmp_path,
        {
            "eval_id": 7,
            "score": 1,
            "hits": ["named it"],
            "misses": ["dated it"],
            "reasoning": "mostly",
            "candidate_answer": "Paris",
            "reference_answer": "Paris, France",
            "evaluator_results": [
                {"name": "both", "type": "composite", "score": 1, "scores": [{"name": "one", "score": 0.25}]},
                {"name": "plain", "score": 0.9, "hits": ["a"], "misses": ["b"]},
            ],
            "token_usage": {"prompt_tokens": 3, "completion_tokens": 4},
            "duration_ms": 99,
        },
    )
    assert (record.sample_id, record.actual, record.expected) == ("7", "Paris", "Paris, France")
    assert (record.hits, record.misses, record.reasoning) == (("named it",), ("dated it",), "mostly")
    assert [one.name for one in record.evaluators] == ["both", "both/one", "plain"]
    assert record.evaluators[2].assertions == (Assertion("a", True, None), Assertion("b", False, None))
    assert (record.tokens, record.latency_ms) == (Tokens(3, 4, 7), 99.0)


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"error": "boom\nhere"}, "boom here"),
        ({"error": {"message": "boom", "code": 3}}, "boom"),
        ({"error": None}, None),
        ({"error": ""}, None),
        ({"execution_status": "execution_error"}, "the run could not be executed"),
        ({"execution_status": "quality_failure"}, None),
    ],
)
def test_errors_of_agentv_rows(tmp_path: Path, row: dict[str, object], error: str | None) -> None:
    assert only_record(tmp_path, {"test_id": "a", "score": 1, **row}).error == error


def test_calibrate_results_are_read_with_and_without_models(tmp_path: Path) -> None:
    path = tmp_path / "results.toml"
    path.write_text(
        """
[graderResults.tone]
timestamp = "2026-01-01"

[graderResults.tone.models."atlas/2"]
samples = 2

[[graderResults.tone.models."atlas/2".results]]
id = "kind"
grader_score = 3
truth_score = 3
notes = "warm"
messages = [{ role = "user", content = "hi" }, { role = "assistant", content = "Hello!" }]

[[graderResults.tone.models."atlas/2".results]]
id = "rude"
grader_score = 1
truth_score = -2

[graderResults.form]
model = "atlas"

[[graderResults.form.results]]
id = "kind"
grader_score = 2
truth_score = 2
""",
        encoding="utf-8",
    )
    results = open_results(path).indexed()
    found = {one.id: one for one in results.entries}
    assert set(found) == {"kind", "rude", "kind#2"}
    assert found["rude"].target == "tone · atlas/2"
    assert found["kind#2"].target == "form · atlas"
    assert [one.id for one in results.entries if failed(one)] == ["rude"]
    assert why_failed(found["rude"]) == ("score 1 differs from the truth -2",)
    assert failing_evaluators(found["rude"]) == ("tone · atlas/2",)
    assert {one.id: one.line for one in results.entries} == {"kind": 8, "rude": 15, "kind#2": 23}
    kind = results.record(found["kind"].index)
    assert (kind.actual, kind.reasoning, kind.timestamp) == ("Hello!", "warm", "2026-01-01")


def test_gage_samples_with_results(tmp_path: Path) -> None:
    record = only_record(
        tmp_path,
        {
            "schema_version": "v1",
            "id": "qa",
            "messages": [{"role": "user", "content": "?"}],
            "references": [{"answer": [{"type": "text", "text": "Paris"}]}],
            "data_tag": {"domain": "geo"},
            "predict_result": [
                {"message": {"role": "assistant", "content": "Lyon"}, "usage": {"input_tokens": 2}, "model": "m"}
            ],
            "eval_result": {"exact_match": False, "judge": {"score": 0.5, "reason": "near"}, "f1": 0.4},
        },
    )
    assert (record.actual, record.expected, record.target) == ("Lyon", "Paris", "m")
    assert record.score == pytest.approx(0.3)
    assert record.verdict == "fail"
    assert record.misses == ("exact_match",)
    assert failing_evaluators(record) == ("exact_match",), "beside its verdict the others are numbers"
    assert record.tags == ("domain: geo",)
    assert record.tokens == Tokens(2, None)


@pytest.mark.parametrize(
    ("result", "score", "verdict"),
    [
        ({"score": 0.9, "verdict": "passed"}, 0.9, "pass"),
        ({"score": 0.9, "status": "failed"}, 0.9, "fail"),
        ({"metrics": {"a": 1, "b": 0}}, 0.5, None),
        ({"passed": False}, None, "fail"),
        ({}, None, None),
    ],
)
def test_what_gage_metrics_come_to(
    tmp_path: Path, result: dict[str, object], score: float | None, verdict: str | None
) -> None:
    record = only_record(tmp_path, {"id": "a", "predict_result": ["said"], "eval_result": result})
    assert (record.score, record.verdict, record.actual) == (score, verdict, "said")


@pytest.mark.parametrize(
    ("facts", "fails", "why"),
    [
        ({"score": 0.8}, False, ()),
        ({"score": 0.79}, True, ("score 0.79 is under sampleui's 0.8",)),
        ({"score": None}, False, ()),
        ({"score": 1.0, "error": "late"}, True, ("error: late",)),
        ({"score": 0.0, "error": "late"}, True, ("error: late",)),
        ({"score": 1.0, "verdict": "fail"}, True, ("verdict fail",)),
        (
            {"score": 0.5, "verdict": "fail", "grades": (Grade("a", 1, "fail"), Grade("b", 0, None))},
            True,
            ("verdict fail by a", "score 0.5 is under sampleui's 0.8"),
        ),
        ({"score": -3.0, "truth": -3.0}, False, ()),
        ({"score": None, "truth": 2.0}, True, ("no score, the truth is 2",)),
    ],
)
def test_when_a_record_failed(facts: dict[str, object], fails: bool, why: tuple[str, ...]) -> None:
    found = entry(**facts)  # type: ignore[arg-type]
    assert failed(found) is fails
    assert why_failed(found) == why


def test_the_threshold_can_be_moved() -> None:
    assert failed(entry(score=0.9), fail_under=0.95)
    assert not failed(entry(score=0.5), fail_under=0.5)


@pytest.mark.parametrize("score", [True, "0.5", math.nan, math.inf, 10**400, [1], None])
def test_what_is_no_number_is_no_score(tmp_path: Path, score: object) -> None:
    assert only_record(tmp_path, {"test_id": "a", "score": score, "error": "x"}).score is None


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = """
    id test_id eval_id score scores evaluator_results assertions hits misses output candidate_answer error verdict
    trace tags token_usage grader_score truth_score notes messages predict_result eval_result references label
"""


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.dictionaries(st.sampled_from(KEYS.split()), json_values))
def test_no_row_crashes_an_adapter(row: dict[str, object]) -> None:
    adapter = adapter_of(row)  # type: ignore[arg-type]
    if adapter is not None:
        parsed = adapter.parse(row)  # type: ignore[arg-type]
        parsed.usage()
        assert isinstance(parsed.details().actual, str)


@pytest.mark.parametrize("key", ["predict_result", "eval_result"])
def test_a_row_with_either_of_its_results_is_gage_eval_s(key: str) -> None:
    assert gage.claims({"id": "a", key: []})
    assert not gage.claims({"id": "a"})
