"""What is done once is done, however late its task begins."""

from __future__ import annotations

import asyncio
import itertools

from textual import _time
from textual.app import App

from sampleui.tui.once import once


async def test_a_timer_that_is_held_up_as_it_begins_comes_all_the_same(monkeypatch):
    app: App[None] = App()
    came = asyncio.Event()
    async with app.run_test():
        true, looks = _time.get_time, itertools.count()
        with monkeypatch.context() as held_up:  # a second goes by after the first look at the clock
            held_up.setattr(_time, "get_time", lambda: true() + min(next(looks), 1))
            once(app, 0.01, came.set)
            await asyncio.sleep(0.2)
        assert came.is_set()
