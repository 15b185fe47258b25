"""Many records of a sample with the same error: one row of the queue, which opens, and is decided as one."""

from __future__ import annotations

from pathlib import Path

import pytest

from sampleui.review.queue import Order, alike

from .review_driver import reviewing, write_results


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """48 errors of one sample, among them one of another kind, between two samples that failed."""
    rows = [{"test_id": "first", "score": 0.1, "output": "x"}]
    for number in range(48):
        error = f"timed out after {number}.5 s (req_{number:024x}a)"
        rows.append({"test_id": "slow", "target": f"m{number % 4}", "attempt": number // 4, "error": error})
    rows.append({"test_id": "slow", "target": "m9", "attempt": 1, "error": "HTTP 500"})
    rows.append({"test_id": "last", "score": 0.2, "output": "y"})
    return write_results(tmp_path / "run.jsonl", rows)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_like_errors_are_one_row_that_opens_and_closes(results, size):
    async with reviewing(results, size=size) as app:
        assert len(app.queue) == 4, "the rows of 48 records are one"
        assert "1/51" in app.title
        assert ("· ▸48" in app.title) if size[0] == 80 else ("for 48 like errors" in app.verdicts)
        if size[0] == 80:
            await app.press(*["shift+tab"] * 2)
        assert "▸48 slow" in app.drawn
        await app.press("+")
        assert len(app.queue) == 51 and "▾48 slow" in app.drawn
        assert "48 records of one sample with this same error" in app.said
        await app.press("]", "]", "+")
        assert len(app.queue) == 4 and "as one row" in app.said
        assert "▸48 slow" in app.drawn


async def test_a_row_of_like_errors_is_decided_as_one_step_of_undo(results):
    async with reviewing(results) as app:
        await app.press("4")
        assert "recorded flaky for 48 records with this same error" in app.said
        assert [item.record_id.partition("#")[0] for item in app.log] == ["slow"] * 48
        assert app.at.startswith("slow") and app.screen.review.item.entry.target == "m9", "the other error is open"
        assert "4 ▸48 slow" in app.drawn
        await app.press("u")
        assert "took back flaky of 48 records" in app.said
        assert len({item.undoes for item in app.log if item.undoes}) == 48
        assert "▸48 slow" in app.drawn and app.screen.review.progress.reviewed == 0


async def test_a_comment_on_a_row_of_like_errors_is_on_all_that_the_verdict_is_about(results):
    async with reviewing(results) as app:
        await app.press("c", *"was down", "enter", "4")
        notes, verdicts = app.log[:48], app.log[48:]
        assert [item.comment for item in notes] == ["was down"] * 48 and len(verdicts) == 48
        await app.press("u", "u")
        assert "took back" in app.said and not app.screen.review.log.standing_notes


async def test_steps_go_from_row_to_row_and_what_is_decided_alone_stays(results):
    async with reviewing(results) as app:
        await app.press("]")
        assert app.screen.review.item.entry.target == "m9"
        await app.press("]")
        assert app.at == "first"
        await app.press("[", "[")
        assert app.screen.review.item.entry.target == "m0", "back over 47 records that have no row"
        await app.press("[")
        assert "the first record" in app.said

        await app.press("+", "1", "+")
        assert "± ▸48 slow" in app.drawn, "one of them is decided"
        await app.press("4")
        assert "recorded flaky for 47 records" in app.said, "the open ones"
        assert sorted({str(item.verdict) for item in app.log}) == ["flaky", "model-wrong"]


async def test_the_next_open_record_is_one_of_another_row(results):
    async with reviewing(results) as app:
        await app.press("N")
        assert app.screen.review.item.entry.target == "m9"
        await app.press("N", "N", "N")
        assert "▸48" in app.drawn and app.screen.review.state.folded


async def test_a_mark_on_a_row_of_like_errors_is_on_all_of_them(results):
    async with reviewing(results) as app:
        await app.press("shift+tab", "shift+tab", "home", "space")
        assert "for 48 marked" in app.verdicts
        await app.press("space", "6")
        assert "recorded skip for 49 records" in app.said


async def test_targets_that_have_a_heading_each_have_their_own_rows(results):
    async with reviewing(results, order=Order.TARGET, size=(200, 50)) as app:
        assert app.drawn.count("▸12 slow") == 4
        await app.press("o")
        assert app.drawn.count("▸48 slow") == 1


async def test_samples_whose_ids_begin_alike_can_be_told_apart_in_a_narrow_queue(tmp_path):
    names = ["refunds-of-customers-after-30-days", "refunds-of-customers-after-60-days"]
    rows = [
        {"test_id": name, "target": target, "attempt": attempt, "score": 0.1, "output": "x"}
        for name in names
        for target in ("openai:gpt-4o-2024", "openai:gpt-4o-mini-2024")
        for attempt in (1, 2, 3)
    ]
    async with reviewing(write_results(tmp_path / "run.jsonl", rows)) as app:
        shown = [line[:30] for line in app.drawn.splitlines() if "✖ ·" in line[:9]]
        assert len({*shown}) == len(shown) == 12
        await app.press("o", "o")
        headed = [line[2:12].strip(" ›✖·") for line in app.drawn.splitlines() if "✖ ·" in line[10:18]]
        assert len({*filter(None, headed)}) == 2, "so can targets"


async def test_a_record_that_is_alone_has_nothing_to_open(results):
    async with reviewing(results, record_id="first") as app:
        await app.press("+")
        assert "no other record in the filter is of this sample with the same error" in app.said


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("timed out after 30.1 s", "timed out  after 29.97 s", True),
        ("HTTP 429", "HTTP 500", False),
        ("no tool internationalization", "no tool disestablishmentarian", False),
        ("trace 4bf92f3577b34da6a3ce929d0e0e4736", "trace 0af7651916cd43dd8448eb211c80319c", True),
        ("request 8f14e45f-ceea-467f-9d3b-2b7e2d1b3c4a", "request 1f14e45f-ceea-467f-9d3b-2b7e2d1b3c4b", True),
        ("at 2026-03-02T09:00:01.000Z", "at 2026-03-03 10:00:01", True),
        ("no model gpt-4o", "no model gpt-5", False),
        ("req_011CQkVmCnD9TyRgJpW4Vb2z failed", "req_012AQkVmCnD9TyRgJpW4Vb2y failed", True),
    ],
)
def test_errors_are_alike_but_for_what_differs_each_time(one, other, same):
    assert (alike(one) == alike(other)) is same
