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


async def test_a_verdict_is_the_outcome_of_a_record_that_nobody_graded_until_it_is_taken_back(
    tmp_path: Path,
) -> None:
    async with reviewing(write_results(tmp_path / "log.jsonl", ROWS)) as review:
        await review.press("5", "1", "3", "[", "[")
        assert "failed by a person" in review.title
        await review.press("/")
        await review.type("outcome:failed")
        await review.press("enter")
        await review.rested()
        assert review.queue == ["t1"]
        await review.press("escape", "/")
        await review.type("outcome:ungraded")
        await review.press("enter")
        await review.rested()
        assert review.queue == [f"t{n}" for n in range(2, 12)]
        await review.press("u", "u")
        await review.rested()
        assert "t1" in review.queue and "t0" not in review.queue


async def test_rows_that_a_tool_writes_are_all_there_where_nobody_graded_them(tmp_path: Path) -> None:
    rows = [{"id": f"r{n}", "question": "Why?", "answer": "So.", "expected": "So."} for n in range(3)]
    async with reviewing(write_results(tmp_path / "log.jsonl", rows)) as review:
        assert review.queue == ["r0", "r1", "r2"]


async def test_of_a_very_long_answer_the_part_that_is_searched_for_is_shown(tmp_path: Path) -> None:
    text = "".join(f"line {number} of it\n" for number in range(30_000))
    rows = [{"trace_id": "t", "user_query": "What?", "model_reply": text}]
    async with reviewing(write_results(tmp_path / "log.jsonl", rows)) as review:
        assert "characters 1 to 100,000 of" in review.answer
        assert "line 29999 " not in review.answer
        await review.press("/")
        await review.type("line 29999")
        await review.press("enter")
        await review.rested()
        assert "line 29999 " in review.answer


async def test_of_very_long_answers_what_differs_is_shown(tmp_path: Path) -> None:
    text = "".join(f"line {number} of it\n" for number in range(30_000))
    other = text.replace("line 29000 ", "line X ")
    rows = [{"test_id": "t", "score": 0, "output": other, "expected": text, "target": "m"}]
    async with reviewing(write_results(tmp_path / "log.jsonl", rows)) as review:
        assert "line X " in review.answer
        assert "actual: characters" in review.answer
        assert "exactly" not in review.answer


async def test_of_a_very_long_question_the_beginning_is_drawn_and_told(tmp_path: Path) -> None:
    rows = [{"trace_id": "t", "user_query": "word " * 100_000, "model_reply": "So."}]
    async with reviewing(write_results(tmp_path / "log.jsonl", rows)) as review:
        assert "characters 1 to 100,000 of 500,000" in review.answer
        assert review.answer.endswith("Answer\n  So.")


async def test_of_a_very_long_question_the_part_with_what_is_searched_for_is_drawn(tmp_path: Path) -> None:
    asked = "\n".join(f"line {number} of many words" for number in range(20_000))
    rows = [
        {"trace_id": "t", "user_query": f"{asked}\nWhere is the needle?\n{asked}", "model_reply": "So."},
        {"trace_id": "u", "user_query": "short", "model_reply": "And."},
    ]
    async with reviewing(write_results(tmp_path / "log.jsonl", rows)) as review:
        await review.press("slash")
        await review.type("THE NEEDLE")
        await review.press("enter")
        await review.back()
        assert "Where is the needle?" in review.drawn
        assert "characters 488,391 to 588,390 of 97" in review.answer
        await review.press("slash", "ctrl+u", "enter")
        await review.back()
        assert "characters 1 to 100,000 of 97" in review.answer


async def test_a_record_read_by_itself_has_the_question_in_it_and_the_room_of_the_conversation(
    tmp_path: Path,
) -> None:
    rows = [{"trace_id": "t", "user_query": "Where is it?", "model_reply": "In the hall."}]
    async with reviewing(write_results(tmp_path / "log.jsonl", rows), size=(120, 40)) as review:
        assert "Where is it?" in review.answer
        assert not review.screen.conversation.display
        await review.press("v")
        assert "Where is it?" not in review.answer
        assert review.screen.conversation.display
        await review.press("v")
        assert not review.screen.conversation.display
