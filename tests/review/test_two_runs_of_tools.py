"""Two runs of each tool beside each other: errors are no outcomes, and what a sample expects otherwise is told."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.command import ran


class Answer(NamedTuple):
    """What a run has of a sample. `setup` is a threshold, or what else its evaluator was set to."""

    name: str
    said: str
    wanted: str
    passed: bool | None
    error: str | None = None
    asked: str = ""
    setup: float = 0.5

    @property
    def question(self) -> str:
        """What was asked."""
        return self.asked or f"what of {self.name}?"


def _lines(answers: Sequence[Answer], row: Callable[[Answer], Any]) -> str:
    return "".join(json.dumps(row(one)) + "\n" for one in answers)


def _deepeval(answers: Sequence[Answer]) -> str:
    def metric(one: Answer) -> dict[str, Any]:
        given = {"error": one.error} if one.error else {"score": float(bool(one.passed))}
        return {"name": "Exact", "threshold": one.setup, "success": one.passed is True, **given}

    cases = [
        {
            "name": one.name,
            "input": one.question,
            "actualOutput": one.said,
            "expectedOutput": one.wanted,
            "success": one.passed is True,
            "metricsData": [metric(one)],
        }
        for one in answers
    ]
    return json.dumps({"testCases": cases})


def _pydantic_evals(answers: Sequence[Answer]) -> str:
    both = [{"name": one.name, "inputs": one.question, "expected_output": one.wanted} for one in answers]
    pairs = [*zip(both, answers, strict=True)]
    source = [{"name": "Contains", "arguments": [one.setup]} for one in answers]
    cases = [
        {
            **case,
            "output": one.said,
            "scores": {},
            "labels": {},
            "assertions": {"C": {"value": one.passed, "source": by}},
        }
        for (case, one), by in zip(pairs, source, strict=True)
        if one.error is None
    ]
    failures = [{**case, "error_message": one.error, "error_stacktrace": "…"} for case, one in pairs if one.error]
    return json.dumps({"name": "t", "cases": cases, "failures": failures})


def _langsmith(one: Answer) -> dict[str, Any]:
    return {
        "inputs.question": one.question,
        "outputs.answer": None if one.error else one.said,
        "error": one.error,
        "reference.answer": one.wanted,
        "feedback.exact": one.passed,
        "execution_time": 0.1,
        "example_id": one.name,
        "id": f"run of {one.name}",
    }


def _agentv(one: Answer) -> dict[str, Any]:
    status = "execution_error" if one.error else "ok" if one.passed else "quality_failure"
    return {
        "test_id": one.name,
        "target": "t",
        "score": float(bool(one.passed)),
        "execution_status": status,
        **({"error": one.error} if one.error else {}),
        "input": [{"role": "user", "content": one.question}],
        "expected_output": [{"role": "assistant", "content": one.wanted}],
        "output": [{"role": "assistant", "content": one.said}],
    }


def _gage(one: Answer) -> dict[str, Any]:
    answer = {"error": one.error} if one.error else {"message": {"role": "assistant", "content": one.said}}
    return {
        "schema_version": "0.0.1",
        "id": one.name,
        "messages": [{"role": "user", "content": [{"type": "text", "text": one.question}]}],
        "references": [one.wanted],
        "predict_result": [{"index": 0, **answer}],
        "eval_result": {} if one.error else {"exact_match": one.passed},
    }


def _verifiers(number: int, one: Answer) -> dict[str, Any]:
    return {
        "example_id": number,
        "prompt": [{"role": "user", "content": one.question}],
        "completion": [] if one.error else [{"role": "assistant", "content": one.said}],
        "answer": one.wanted,
        "reward": float(bool(one.passed)),
        "error": {"error": "E", "error_chain_str": one.error} if one.error else None,
        "timing": {"total": 0.1},
    }


def _table(answers: Sequence[Answer]) -> str:
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["id", "question", "output", "expected", "score", "error"])
    for one in answers:
        score = "" if one.error else int(bool(one.passed))
        rows.writerow([one.name, one.question, "" if one.error else one.said, one.wanted, score, one.error or ""])
    return out.getvalue()


def _own(one: Answer) -> dict[str, Any]:
    answer = None if one.error else {"choices": [{"message": {"role": "assistant", "content": one.said}}]}
    return {
        "case": one.name,
        "prompt": one.question,
        "response": answer,
        "reference": one.wanted,
        "passed": one.passed,
        "error": one.error,
    }


TOOLS: Mapping[str, tuple[str, Callable[[Sequence[Answer]], str]]] = {
    "deepeval": ("json", _deepeval),
    "pydantic-evals": ("json", _pydantic_evals),
    "langsmith": ("jsonl", lambda answers: _lines(answers, _langsmith)),
    "agentv": ("jsonl", lambda answers: _lines(answers, _agentv)),
    "gage": ("jsonl", lambda answers: _lines(answers, _gage)),
    "verifiers": (
        "jsonl",
        lambda answers: "".join(json.dumps(_verifiers(*pair)) + "\n" for pair in enumerate(answers)),
    ),
    "a table": ("csv", _table),
    "nobody known": ("jsonl", lambda answers: _lines(answers, _own)),
}
OLD = (
    Answer("same", "x", "x", True),
    Answer("better", "y", "x", False),
    Answer("wanted", "z", "z", True),
    Answer("erred", "", "x", None, "Timeout"),
    Answer("errs", "w", "x", False),
    Answer("worse", "x", "x", True),
    Answer("asked", "x", "x", True),
)
NEW = (
    OLD[0],
    OLD[1]._replace(said="x", passed=True),
    OLD[2]._replace(wanted="q", passed=False),
    OLD[3]._replace(said="x", passed=True, error=None),
    OLD[4]._replace(passed=None, error="boom"),
    OLD[5]._replace(said="q", passed=False),
    OLD[6]._replace(asked="another question?", said="q", passed=False),
)


def report(folder: Path, tool: str, old: Sequence[Answer], new: Sequence[Answer]) -> str:
    ending, spelled = TOOLS[tool]
    for name, answers in (("old", old), ("new", new)):
        (folder / f"{name}.{ending}").write_text(spelled(answers), "utf-8")
    return ran("report", f"new.{ending}", "--baseline", f"old.{ending}", folder=folder).out


@pytest.mark.parametrize("tool", TOOLS)
def test_errors_are_not_compared_and_what_a_sample_does_otherwise_is_told(tmp_path: Path, tool: str) -> None:
    told = report(tmp_path, tool, OLD, NEW)
    assert "1 of 5 better, 3 worse: not shown" in told
    assert "1 scored only in this run, 1 scored only in the baseline" in told
    assert "2 of 3 worse ask or expect something else now." in told


@pytest.mark.parametrize("tool", ["deepeval", "pydantic-evals"])
def test_an_evaluator_that_was_set_to_something_else_is_told(tmp_path: Path, tool: str) -> None:
    new = [OLD[0]._replace(setup=0.9, passed=False), OLD[1]._replace(setup=0.5)]
    assert "1 of 1 worse expects something else now" in report(tmp_path, tool, OLD[:2], new)
    assert "something else" not in report(tmp_path, tool, OLD[:2], [OLD[0]._replace(passed=False), OLD[1]])
