"""Types keys into the review screen and reads what it shows."""

from __future__ import annotations

import builtins
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import Order, ReviewOptions
from sampleui.review.sampling import Design
from sampleui.review.verdict import Decision
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.drawing.rows import row_text
from sampleui.tui.review.first_screen import review_screen
from sampleui.tui.review.screen import ReviewScreen

from .driver import ROOT, drawn_lines, keys_of, said, wait_until
from .pressing import press, rested

RESULTS = ROOT / "examples" / "results"


class ReviewDriver:
    """A running review."""

    def __init__(self, pilot: Pilot[int], results: Path) -> None:
        self.pilot = pilot
        self.app = pilot.app
        self.results = results
        self.pressed = 0

    @property
    def screen(self) -> ReviewScreen:
        return next(one for one in self.app.screen_stack if isinstance(one, ReviewScreen))

    @property
    def author(self) -> AuthorScreen:
        screen = self.app.screen
        assert isinstance(screen, AuthorScreen)
        return screen

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until all that they cause has happened."""
        self.pressed += len(keys)
        await press(self.app, *keys)

    async def type(self, text: str) -> None:
        """Type a text; its keys do not count."""
        await press(self.app, *keys_of(text))

    async def until(self, condition: Callable[[], Any]) -> None:
        """Wait until something is so."""
        await wait_until(self.pilot, condition)

    async def rested(self) -> None:
        """Wait until nothing is under way."""
        await rested(self.app)

    async def over(self, kind: builtins.type[Any]) -> None:
        """Wait for a screen of a kind to be on top."""
        await self.until(lambda: isinstance(self.app.screen, kind) and self.app.screen.is_mounted)
        await self.rested()

    async def back(self) -> None:
        """Wait for the review to be on top again."""
        await self.until(lambda: self.app.screen is self.screen)
        await self.rested()

    @property
    def at(self) -> str:
        """The id of the current record, or of what has none."""
        current = self.screen.review.current
        return self.screen.review.item.entry.id if isinstance(current, int) else current.id if current else ""

    @property
    def queue(self) -> list[str]:
        """The ids in the queue, in the order they are stepped through."""
        review = self.screen.review
        return [
            review.queue.items[one].entry.id if isinstance(one, int) else f"({one.id})" for one in review.state.rows
        ]

    @property
    def answer(self) -> str:
        return "\n".join(map(row_text, self.screen.answer.view.rows))

    @property
    def scores(self) -> str:
        return "\n".join(map(row_text, self.screen.scores.rows))

    @property
    def cards(self) -> str:
        return "\n".join(self.screen.conversation.lines())

    @property
    def said(self) -> str:
        """What is said of the last key."""
        return said(self.screen)

    @property
    def title(self) -> str:
        return row_text(self.screen.title_bar.row(self.screen.size.width))

    @property
    def keys(self) -> str:
        """The last line."""
        return row_text(self.screen.key_bar.row(self.screen.size.width))

    @property
    def verdicts(self) -> str:
        return row_text(self.screen.verdict_bar.row(self.screen.size.width))

    @property
    def drawn(self) -> str:
        """The whole terminal."""
        return "\n".join(drawn_lines(self.app.screen))

    @property
    def log(self) -> tuple[Decision, ...]:
        """The decisions on the disk."""
        return open_log(log_path(self.results)).decisions


@asynccontextmanager
async def reviewing(
    results: Path,
    deck: Path | None = None,
    size: tuple[int, int] = (120, 40),
    *,
    reviewer: str = "ada",
    everything: bool = False,
    order: Order = Order.SCORE,
    baseline: Path | None = None,
    settings: Settings | None = None,
    sample: Design | None = None,
    record_id: str = "",
) -> AsyncIterator[ReviewDriver]:
    """Run the review screen on results."""
    chosen = settings or Settings()
    options = ReviewOptions(
        results=results,
        reviewer=reviewer,
        decks=(deck,) if deck is not None else (),
        everything=everything,
        order=order,
        baseline=baseline,
        sample=sample,
        record_id=record_id,
    )
    app = SampleUI(review_screen(options, chosen), chosen)
    async with app.run_test(size=size) as pilot:
        driver = ReviewDriver(pilot, results)
        await rested(app)  # what begins to look is at work now
        looks = ("index", "expectations")
        await driver.until(lambda: all(worker.is_finished for worker in app.workers if worker.group in looks))
        await rested(app)
        yield driver


def write_results(path: Path, rows: list[dict[str, Any]]) -> Path:
    """Write a results file and return its path."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
