"""Vectors that are kept beside the checkout; without them there is nothing to run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .vectors import FUNCTIONS, evaluate

VECTORS = Path(__file__).parents[3] / "shared" / "statistics" / "vectors-3.jsonl"
KEPT = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()] if VECTORS.exists() else []
CASES = [case for case in KEPT if case["given"]["fn"] in FUNCTIONS]


def equal(found: Any, wanted: Any, within: float) -> bool:
    """Return whether two results are equal: numbers within 1e-9 of the larger of them and 1, all else exactly.

    The ends of an interval that is drawn may be off by as much as `within`.
    """
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(
            equal(found[key], wanted[key], within)
            if not within or not f"_{key}".endswith("_ci")
            else near(found[key], wanted[key], within)
            for key in wanted
        )
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(equal(*pair, within) for pair in zip(found, wanted, strict=True))
    if isinstance(wanted, float):
        return isinstance(found, float) and abs(found - wanted) <= 1e-9 * max(1.0, abs(found), abs(wanted))
    return type(found) is type(wanted) and bool(found == wanted)


def near(found: Any, wanted: Any, within: float) -> bool:
    """Return whether two intervals have ends that are as near as they may be, or both are not known."""
    if wanted is None or found is None:
        return found is wanted
    return all(abs(end - other) <= within for end, other in zip(found, wanted, strict=True))


@pytest.mark.skipif(not CASES, reason="no vectors beside the checkout")
def test_there_are_vectors_of_every_function():
    assert {case["given"]["fn"] for case in CASES} == FUNCTIONS.keys()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["name"]) for case in CASES])
def test_a_vector_comes_out_as_written(case):
    found = evaluate(case["given"])
    assert equal(found, case["gives"], case.get("within", 0.0)), found
