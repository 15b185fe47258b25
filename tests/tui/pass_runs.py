"""Runs that were graded, rated and commented, to be labelled by who may see nothing of that."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SECRETS = ("SEEN-SCORE", "SEEN-JUDGE", "SEEN-LABEL", "SEEN-REASON", "SEEN-OUTCOME", "SEEN-PERSON", "SEEN-ERROR")
"""Words that stand only in what a pass may not show."""

PRODUCT = Path("product.jsonl")


def agentv_rows(count: int) -> list[dict[str, Any]]:
    """Return rows as AgentV writes them, with calls of which some failed."""
    return [
        {
            "timestamp": f"2026-03-02T09:00:{number % 60:02}.000Z",
            "test_id": f"case-{number}",
            "target": "m",
            "score": round(0.1 + number % 8 / 10, 2),
            "scores": [
                {
                    "name": "SEEN-JUDGE",
                    "type": "llm-grader",
                    "score": 0.123,
                    "verdict": "fail",
                    "reasoning": "SEEN-REASON",
                    "assertions": [{"text": "SEEN-SCORE", "passed": False, "evidence": "SEEN-REASON"}],
                }
            ],
            "input": [{"role": "user", "content": f"Where is order {number}?"}],
            "output": [
                {
                    "role": "assistant",
                    "tool_calls": [
                        {"tool": "lookup", "id": "c1", "input": {"order": number}, "output": "FAILED CALL"}
                    ],
                },
                {"role": "assistant", "content": f"Order {number} is on its way.\n\nIt **arrives** on Monday."},
            ],
            "expected_output": f"Order {number} arrives on Tuesday.",
            "assertions": [{"text": "SEEN-SCORE", "passed": False}],
            **({"error": "SEEN-ERROR of the grader"} if number % 7 == 3 else {}),
        }
        for number in range(count)
    ]


def product_rows(count: int) -> list[dict[str, Any]]:
    """Return rows of a log of a product's own, judged by a model and by a person beside the answer."""
    return [
        {
            "id": f"conv-{number:03}",
            "question": f"Can I return order {number}?",
            "answer": f"I promise a refund of order {number}.",
            "context": "Refunds take 14 days.",
            "judge_verdict": "SEEN-JUDGE",
            "judge_reasoning": "SEEN-REASON",
            "human_label": "SEEN-LABEL",
            "annotator": "SEEN-PERSON",
            "score": 0.123,
            "passed": number % 2 == 0,
            "error_reason": "SEEN-OUTCOME",
            "review": {"reviewer": "SEEN-PERSON", "comment": "SEEN-REASON"},
            "llmjudge": "SEEN-JUDGE",
            "notes": "SEEN-REASON",
            "timestamp": "2026-11-01T10:00:00Z",
        }
        for number in range(count)
    ]


def nested_rows(count: int) -> list[dict[str, Any]]:
    """Return rows as of `NESTED`: what was expected stands among what was found, by whatever name."""
    return [
        {
            "id": f"conv-{number:03}",
            "in": {"text": f"Can I return order {number}?", "by_hand": "SEEN-LABEL"},
            "out": {"text": "I promise a refund.", "quality": 0.123, "found": "SEEN-REASON"},
            "review": {"expected": "No refund after 14 days.", "by": "SEEN-PERSON", "passed": number % 2 == 0},
        }
        for number in range(count)
    ]


NESTED = """[results.nested]
id = "id"
prompt = "in.text"
label = "in.by_hand"
actual = "out.text"
score = "out.quality"
reason = "out.found"
expected = "review.expected"
outcome = "review.passed"
"""

RUNS = {"agentv": agentv_rows, "product": product_rows, "nested": nested_rows}


def write_run(folder: Path, kind: str = "product", count: int = 6, codes: int = 3) -> Path:
    """Write a run and its codes, and return the path of the run."""
    path = folder / "run.jsonl"
    if kind == "nested":
        (folder / ".sampleui.toml").write_text(NESTED, encoding="utf-8")
    path.write_text("".join(json.dumps(row) + "\n" for row in RUNS[kind](count)), encoding="utf-8")
    texts = (f"## fault {number}\n\nThe answer has fault {number}.\n" for number in range(1, codes + 1))
    (folder / "failures.md").write_text("\n".join(texts), encoding="utf-8")
    return path
