"""A run that goes on while it is reviewed: its new records are taken in, and a new run beside it is offered."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.results.file import Results
from sampleui.review.results.run_paths import run_name, runs_from
from sampleui.text.confined import is_folder, size_and_time
from sampleui.text.limits import MAX_FOLLOWED_BYTES
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import TYPING
from sampleui.tui.review import feed

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

POLL_S = 1.0
"""Seconds between two looks."""

RUNS_EVERY = 5
"""Looks after which the folder is looked at for new runs."""


class _RunState(NamedTuple):
    """A run on the disk: its bytes and time of change, None if it is gone; and the runs beside it, newest first."""

    file: tuple[int, int] | None
    runs: tuple[Path, ...] | None


class RunWatch:
    """The file of the run under a review screen, and the folder of its runs."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._path = screen.review.results.path
        self._known = _bytes_and_time(screen.review.results)
        self.looks = 0
        self.looking = False

    def begin(self) -> None:
        """Look from now on."""
        self._screen.set_interval(POLL_S, self._tick)

    async def look(self) -> None:
        """Look once, and take in what is new; nothing is done while a text is typed or something is read."""
        screen = self._screen
        if self.looking or not self._may_act():
            return
        self.looking = True
        try:
            state = await asyncio.to_thread(self._state)
            if not self._may_act():
                return
            if screen.review.results.path != self._path:
                self._path, self._known = screen.review.results.path, _bytes_and_time(screen.review.results)
            elif state.file is None and self._known is not None:
                self._known = None
                screen.warn("the run is no longer on disk; what was read of it stays")
            elif state.file is not None and state.file != self._known:
                await self._take_in(state.file)
            if state.runs is not None:
                self._offer(state.runs)
        finally:
            self.looking = False

    def _may_act(self) -> bool:
        screen = self._screen
        return screen.is_active and screen.scope not in TYPING and not (screen.figuring or feed.is_reading(screen))

    def _tick(self) -> None:
        self._screen.run_worker(self.look(), group="watch")

    def _state(self) -> _RunState:
        self.looks += 1
        review = self._screen.review
        runs = runs_from(review.runs_path, review.results.path) if self.looks % RUNS_EVERY == 1 else None
        return _RunState(_bytes_and_time(review.results), runs)

    async def _take_in(self, file: tuple[int, int]) -> None:
        """Read the run again, at the same record or still at the end, and say what came."""
        screen, review, before = self._screen, self._screen.review, self._known
        self._known = file
        if file[0] > MAX_FOLLOWED_BYTES:
            screen.say(f"the run has changed on disk; {screen.key_of('review.reload')} reads it again")
            return
        count = len(review.results.counted)
        contents = {entry.digest for entry in review.results.entries}
        visible = review.queue.visible
        at_end = len(visible) > 1 and review.current == visible[-1]
        try:
            feed.follow(screen)
        except ResultsError:
            self._known = before  # it is being written: the next look finds it whole
            return
        await feed.done(screen, feed.INDEX)
        if not review.decks:
            await feed.look_for_decks(screen)
        if at_end and review.queue.visible:
            review.current = review.queue.visible[-1]
            screen.show_all()
        more = len(review.results.counted) - count
        if not contents <= {entry.digest for entry in review.results.entries}:
            screen.warn("the run was written anew, or some of its records were, and is read again")
        elif more > 0 and not review.results.skipped:
            screen.say(f"{counted(more, 'more record')} of a run that goes on; {review.results.ended}".rstrip("; "))

    def _offer(self, runs: tuple[Path, ...]) -> None:
        review = self._screen.review
        new = [index for index in runs if index not in review.runs]
        review.runs = runs
        if new:
            name = one_line(run_name(new[0], review.runs_path), 40)
            self._screen.say(f"a new run: {name}; {self._screen.key_of('review.runs')} opens it")
            self._screen.show_keys()


def _bytes_and_time(results: Results) -> tuple[int, int] | None:
    """Return the bytes and the time of change of a run; of a folder the sum of its files, and the latest of all."""
    if not is_folder(results.path):
        return size_and_time(results.path)
    files = results.source.files
    found = [*filter(None, map(size_and_time, files))]
    folders = [*filter(None, map(size_and_time, {results.path, *(file.parent for file in files)}))]
    return (sum(size for size, _ in found), max(time for _, time in (*found, *folders))) if folders else None
