"""Traces of many events and of megabytes: only what is in view is worked on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest

from sampleui.tui.trace.trace_view import TraceView
from tests.quick import within

from .trace_driver import results, shown


@pytest.mark.painted
async def test_outputs_of_megabytes_open_at_once_and_only_what_is_in_view_is_drawn(tmp_path):
    output = "a line of output with some words\n" * 150_000
    events = [
        event
        for number in range(4)
        for event in (
            {"type": "tool_call", "id": number, "name": "read", "input": {"n": number}},
            {"type": "tool_result", "id": number, "output": f"{output}needle {number}"},
        )
    ]
    run = results(tmp_path, {"id": "large", "trace": events})
    async with AsyncExitStack() as open_app:
        with within(2):
            app = await open_app.enter_async_context(shown(run))
            await app.press("t")
        view = app.screen.trace_view.detail.view
        assert len(view.rows) < 40
        await app.press("Z")
        assert len(view.rows) > 150_000
        drawn = []
        before = view.render_line
        view.render_line = lambda y: drawn.append(y) or before(y)
        await app.press("tab", "j")
        assert 0 < len(drawn) <= 4 * view.size.height
        await app.press("shift+tab", "slash", *"needle 2")
        await app.until_drawn("needle 2")


@pytest.mark.painted
async def test_of_many_events_only_those_in_view_are_made_to_rows(tmp_path, monkeypatch):
    from sampleui.tui.trace import trace_view as timeline

    made = []
    before = timeline.line_row
    monkeypatch.setattr(timeline, "line_row", lambda row, *rest: made.append(row.number) or before(row, *rest))
    events = [
        {"type": "tool_call", "name": "x", "input": {"n": number}, "output": number} for number in range(20_000)
    ]
    async with shown(results(tmp_path, {"id": "a", "trace": events})) as app:
        await app.press("G")
        await app.until(lambda: 20_000 in made)
        await app.press("k", "pageup", "home")
        assert app.at == 1 and 1 in made
        assert len(set(made)) < 100


async def test_each_record_is_read_once_to_be_shown_and_counted(tmp_path, monkeypatch):
    from sampleui.runs import records as of_runs

    read = []
    before = of_runs.trace_of
    monkeypatch.setattr(
        of_runs, "trace_of", lambda record, folder: read.append(record.id) or before(record, folder)
    )
    monkeypatch.setattr(TraceView, "on_mount", lambda _: asyncio.sleep(0.1))  # as the first start on a busy machine
    events = [{"type": "tool_call", "name": "x"}]
    run = results(tmp_path, *({"id": name, "trace": events} for name in "abc"))
    read.clear()
    async with shown(run) as app:
        await app.until(lambda: len(read) >= 3)
        await app.rested()
        assert sorted(read) == ["a", "b", "c"]
