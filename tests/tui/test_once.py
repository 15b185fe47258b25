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
        late = itertools.count(_time.get_time())
        with monkeypatch.context() as held_up:  # a second goes by from each look to the next
            held_up.setattr(_time, "get_time", lambda: next(late))
            once(app, 0.01, came.set)
            await asyncio.sleep(0.1)
        assert came.is_set()
