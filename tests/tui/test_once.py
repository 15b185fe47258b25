"""What is done once is done, however late its task begins."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from textual import _time, events
from textual.app import App
from textual.geometry import Size

from sampleui.tui.textual_internals import once

from .driver import opened


@contextmanager
def held_up() -> Iterator[None]:
    """Let a second go by after the first look that each task takes at the clock."""
    true, looks = _time.get_time, Counter[object]()

    def late() -> float:
        task = asyncio.current_task()
        looks[task] += 1
        return true() + min(looks[task] - 1, 1)

    with pytest.MonkeyPatch.context() as clock:
        clock.setattr(_time, "get_time", late)
        yield


async def test_a_timer_that_is_held_up_as_it_begins_comes_all_the_same():
    app: App[None] = App()
    came = asyncio.Event()
    async with app.run_test():
        with held_up():
            once(app, 0.01, came.set)
            await asyncio.sleep(0.2)
        assert came.is_set()


async def test_a_new_size_is_drawn_though_the_app_is_held_up_as_it_comes(hello):
    async with opened(hello, size=(120, 40)) as app:
        with held_up():
            size = Size(90, 30)
            app.app.post_message(events.Resize(size, size))
            await asyncio.sleep(0.2)
        await app.until(lambda: app.screen.title_bar.size.width == 90)
