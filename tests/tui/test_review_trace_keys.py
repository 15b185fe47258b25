"""The keys of a trace, from every pane of a review."""

from __future__ import annotations

import pytest

from sampleui.tui.drawing.rows import row_text

from .review_driver import ReviewDriver, reviewing, write_results

PANES = ("queue", "turns", "answer", "scores", "timeline", "detail")
SIZES = [(80, 24), (120, 40)]
EVENTS = [
    {"type": "message", "text": "first"},
    {"type": "tool_call", "name": "find", "input": {"q": "a " * 900}, "id": "1"},
    {"type": "tool_result", "output": "found", "id": "1"},
    {"type": "tool_call", "name": "send", "input": {"to": "b"}, "id": "2"},
    {"type": "error", "text": "refused", "id": "2"},
]


def a_run(tmp_path):
    row = {"test_id": "a", "score": 0, "output": "x", "expected_output": "y", "trace": EVENTS}
    return write_results(tmp_path / "r.jsonl", [row])


async def at(app: ReviewDriver, pane: str) -> None:
    app.screen.set_focus(next(one.target for one in app.screen.panes() if one.scope == pane))
    await app.until(lambda: app.screen.scope == pane)


def footer(app: ReviewDriver) -> str:
    return row_text(app.screen.key_bar.row(app.screen.size.width))


async def test_the_footer_has_no_command_without_a_key(tmp_path):
    async with reviewing(a_run(tmp_path)) as app:
        for pane in PANES:
            await at(app, pane)
            await app.press("t")
            await at(app, pane)
            assert all(hint.key for hint in app.screen.key_bar.offered), pane


async def test_an_answer_without_a_sample_is_not_said_to_have_one_that_expects_nothing(tmp_path):
    async with reviewing(write_results(tmp_path / "r.jsonl", [{"test_id": "a", "score": 0, "output": "x"}])) as app:
        await app.until(lambda: "Nothing says what is expected." in app.drawn)


@pytest.mark.parametrize("size", SIZES)
async def test_the_keys_of_the_trace_work_from_every_pane_and_the_footer_shows_them(tmp_path, size, system):
    async with reviewing(a_run(tmp_path), size=size) as app:
        timeline, detail = app.screen.trace_view.timeline, app.screen.trace_view.detail
        for pane in PANES:
            await at(app, pane)
            assert "! Error" in footer(app) and "t Call" in footer(app), pane
            timeline.cursor = 0
            await app.press("t")
            assert app.screen.trace_view.event.event.name == "find", pane
            await at(app, pane)
            await app.press("!")
            assert app.screen.trace_view.event.failed, pane
            await app.until(lambda: timeline.size.height or detail.size.height)
            await at(app, pane)
            before = detail.tab
            await app.press("p")
            assert detail.tab != before, pane
            await app.until(lambda: detail.size.height)
            await at(app, pane)
            await app.press("y", "e")
            assert "✓ copied" in app.said, pane


@pytest.mark.parametrize("size", SIZES)
async def test_the_footer_of_a_pane_of_the_trace_shows_its_own_keys(tmp_path, size):
    async with reviewing(a_run(tmp_path), size=size) as app:
        await at(app, "timeline")
        await app.until(lambda: "/ Search" in footer(app) and "⏎ Open" in footer(app))
        assert footer(app).count("Search") == 1
        await app.press("/", *"refused", "enter")
        await app.until(lambda: app.screen.scope == "timeline" and app.screen.trace_view.state.found)
        await at(app, "detail")
        await app.until(lambda: "esc Back" in footer(app))
        await at(app, "answer")
        await app.press(";")
        event = app.screen.trace_view.event
        assert event is not None and event.failed


async def test_a_record_without_a_failing_event_goes_to_the_error_that_ended_it(tmp_path):
    said = [{"role": "assistant", "content": "Error occurred: boom"}]
    rows = [{"test_id": "a", "score": 0, "error": "boom", "output_messages": said}, {"test_id": "b", "score": 0}]
    async with reviewing(write_results(tmp_path / "r.jsonl", rows), size=(80, 24)) as app:
        await at(app, "queue")
        await app.press("!")
        assert (app.screen.scope, app.said) == ("answer", "✓ the record ended in an error: boom")
        assert "✖ error: boom" in app.answer
        await app.press("]", "!")
        assert app.screen.review.item.entry.id == "b"
        assert "nothing failed" not in app.said


@pytest.mark.parametrize("size", SIZES)
async def test_keys_of_a_detail_that_a_record_without_a_trace_has_not_leave_the_screen_as_it_is(tmp_path, size):
    row = {"test_id": "a", "score": 0, "output": "the answer", "expected_output": "y"}
    async with reviewing(write_results(tmp_path / "r.jsonl", [row]), size=size) as app:
        for key in ("ctrl+d", "ctrl+u", "J", "K", "p", "Z"):
            await at(app, "answer")
            await app.press(key)
            assert app.screen.scope == "answer", key
            assert "the answer" in app.drawn, key
            assert app.said, key


async def test_an_error_that_the_queue_cuts_is_read_whole_beside_it(tmp_path):
    error = "The call failed\n" + "".join(f"  at frame {number}\n" for number in range(60)) + "the key has expired"
    row = {"test_id": "a", "error": error, "input": "hi", "expected_output": "y"}
    async with reviewing(write_results(tmp_path / "r.jsonl", [row]), size=(80, 24)) as app:
        assert "The call failed at frame 0" in app.drawn
        await at(app, "answer")
        await app.press("G")
        assert "at frame 59" in app.drawn and "the key has expired" in app.drawn
