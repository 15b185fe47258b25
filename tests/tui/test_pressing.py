"""What the tests of screens do where the app fails."""

from __future__ import annotations

import pytest
from textual.worker import WorkerFailed

from .driver import opened


@pytest.mark.parametrize("key", ["j", "enter"])
async def test_a_test_ends_with_the_app_that_failed_and_shows_why(hello, monkeypatch, key):
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    with pytest.raises((ZeroDivisionError, WorkerFailed)):
        async with opened(hello) as app:
            monkeypatch.setattr(app.screen.conversation, "step", fail)
            monkeypatch.setattr(app.screen.conversation, "open_editor", fail)
            looks: list[int] = []
            await app.press(key)
            await app.until(lambda: looks.append(0))
    assert len(looks) < 3
