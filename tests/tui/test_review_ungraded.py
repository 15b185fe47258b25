"""A review of records that nobody graded: all of them in the order of their file, an answer and a key each."""

from __future__ import annotations

from pathlib import Path

import pytest

from .review_driver import reviewing, write_results

ROWS = [
    {"trace_id": f"t{n}", "user_query": f"What is {n} + {n}?", "model_reply": f"It is {2 * n}."} for n in range(12)
]


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_key_judges_a_record_that_nobody_graded_and_goes_on(tmp_path: Path, size: tuple[int, int]) -> None:
    async with reviewing(write_results(tmp_path / "log.jsonl", ROWS), size=size) as review:
        assert review.queue == [f"t{n}" for n in range(12)]
        assert "ungraded" in review.title
        assert "It is 0." in review.answer
        assert "Expected" not in review.answer
        await review.press("5", "1", "5")
        assert review.at == "t3"
        assert [(item.record_id, str(item.verdict)) for item in review.log] == [
            ("t0", "ok"),
            ("t1", "model-wrong"),
            ("t2", "ok"),
        ]
