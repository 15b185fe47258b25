"""Vectors that are kept beside the checkout; without them there is nothing to run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .vectors import evaluate

VECTORS = Path(__file__).parents[3] / "shared" / "statistics" / "vectors.jsonl"
CASES = [json.loads(line) for line in VECTORS.read_text("utf-8").splitlines()] if VECTORS.exists() else []


def equal(found: Any, wanted: Any) -> bool:
    """Return whether two results are equal: numbers within 1e-9 of the larger of them and 1, all else exactly."""
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(equal(found[key], wanted[key]) for key in wanted)
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(equal, found, wanted))
    if isinstance(wanted, float):
        return isinstance(found, float) and abs(found - wanted) <= 1e-9 * max(1.0, abs(found), abs(wanted))
    return type(found) is type(wanted) and bool(found == wanted)


@pytest.mark.skipif(not CASES, reason="no vectors beside the checkout")
def test_vectors_come_out_as_written():
    wrong = {
        case["name"]: (found, case["gives"])
        for case in CASES
        if not equal(found := evaluate(case["given"]), case["gives"])
    }
    assert wrong == {}
