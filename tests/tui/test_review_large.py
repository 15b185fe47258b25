"""Results that are read while they are reviewed."""

from __future__ import annotations

import gc
import threading
from pathlib import Path

import pytest

from sampleui.review.queue import ReviewOptions
from sampleui.settings.options import Settings
from sampleui.text.limits import RESULTS_READ_AT_ONCE
from sampleui.tui.app import SampleUI
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review import feed, session_figures
from sampleui.tui.review.first_screen import review_screen
from sampleui.tui.review.screen import ReviewScreen

from .review_driver import ReviewDriver, write_results

ROWS = 4_000


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file that is too large to be read before the screen is up; the worst record is near its end."""
    rows = [
        {"test_id": f"case-{at}", "score": 0.1 if at == ROWS - 5 else 0.2 + at / ROWS / 2, "output": "word " * 60}
        for at in range(ROWS)
    ]
    path = write_results(tmp_path_factory.mktemp("large") / "large.jsonl", rows)
    assert path.stat().st_size > RESULTS_READ_AT_ONCE
    return path


def review(path: Path) -> ReviewScreen:
    screen = review_screen(ReviewOptions(results=path, reviewer="ada"), Settings())()
    assert isinstance(screen, ReviewScreen)
    return screen


async def test_the_first_record_is_shown_while_the_rest_is_read(large):
    screen = review(large)
    app = SampleUI(lambda: screen, Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        driver = ReviewDriver(pilot, large)
        assert driver.at == "case-0"
        assert "case-0" in driver.title
        left_alone = gc.get_freeze_count()
        await driver.until(lambda: screen.review.results.complete and len(screen.review.queue.items) == ROWS)
        await pilot.pause()
        assert driver.queue[0] == f"case-{ROWS - 5}"  # sorted anew, worst first
        assert driver.at == "case-0"  # but where one is, one stays
        assert not screen.index_bar.display
        assert f"{ROWS:,} of {ROWS:,}" in str(screen.queue_pane.border_subtitle)
        await driver.until(lambda: gc.get_freeze_count() > left_alone + ROWS)  # else keys wait for the collector


async def test_leaving_does_not_wait_for_the_rest(large):
    screen = review(large)
    app = SampleUI(lambda: screen, Settings())
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
    assert app.return_code == 0


async def test_what_is_read_is_searched_and_another_search_ends_the_one_before(large):
    screen = review(large)
    app = SampleUI(lambda: screen, Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        driver = ReviewDriver(pilot, large)
        await driver.until(lambda: screen.review.results.complete)
        await driver.press("slash")
        await driver.type("case-39")
        await driver.type("99")
        await driver.until(lambda: driver.queue == ["case-3999"])
        assert "“case-3999”" in str(screen.queue_pane.border_title)


def test_the_bar_says_how_far_reading_is():
    from sampleui.tui.review.widgets import IndexBar

    bar = IndexBar()
    bar.show("read", 25, 100)
    text = row_text(bar.row(40))
    assert "25% read" in text
    assert len(text) == 40
    assert text.count("━") == round(text.count("━") + text.count("─")) // 4


async def test_figures_that_take_long_are_dropped_by_escape_and_leaving_does_not_wait_for_them(
    tmp_path, monkeypatch
):
    begun, end = threading.Event(), threading.Event()

    def slow(_: object) -> None:
        begun.set()
        end.wait(30)

    path = write_results(tmp_path / "run.jsonl", [{"test_id": "a", "score": 0.1, "output": "x"}])
    screen = review(path)
    app = SampleUI(lambda: screen, Settings())
    async with app.run_test() as pilot:
        driver = ReviewDriver(pilot, path)
        await driver.until(lambda: screen.review.fully_indexed and not feed.is_reading(screen))
        monkeypatch.setattr(session_figures, "plots", slow)
        for key in ("escape", "ctrl+q"):
            await pilot.press("H")
            await driver.until(begun.is_set)
            begun.clear()
            await pilot.press(key)
            if key == "escape":
                await driver.until(lambda: not screen.figuring)
                assert "the figures were dropped" in driver.drawn
    assert app.return_code == 0
    end.set()
