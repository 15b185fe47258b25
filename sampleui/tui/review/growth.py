"""A run that goes on while it is reviewed: its new records are taken in, and a new run beside it is offered."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

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
    from sampleui.tui.review.session import ReviewSession

POLL_S = 1.0
"""Seconds between two looks."""

RUNS_EVERY = 5
"""Looks after which the folder is looked at for new runs."""


@dataclass
class RunWatch:
    """The run under a review screen, as it was seen last.

    Attributes:
        path: where it is.
        known: its bytes and time of change; None if it is gone.
        looks: how often it was looked at.
        looking: whether it is looked at now.
    """

    path: Path
    known: tuple[int, int] | None
    looks: int = 0
    looking: bool = False


def watch(screen: ReviewScreen) -> None:
    """Follow the run, and the folder of its runs, from now on."""
    results = screen.review.results
    screen.run_watch = RunWatch(results.path, _bytes_and_time(results))
    screen.set_interval(POLL_S, lambda: screen.run_worker(look(screen, screen.run_watch), group="watch"))


async def look(screen: ReviewScreen, watched: RunWatch) -> None:
    """Look once, and take in what is new; nothing is done while a text is typed or something is read."""
    if watched.looking or not _may_act(screen):
        return
    watched.looking = True
    review = screen.review
    watched.looks += 1
    with_runs = watched.looks % RUNS_EVERY == 1
    try:
        file, runs = await asyncio.to_thread(_on_disk, review, with_runs)
        if not _may_act(screen):
            return
        results = screen.review.results
        if results.path != watched.path:
            watched.path, watched.known = results.path, _bytes_and_time(results)
        elif file is None and watched.known is not None:
            watched.known = None
            screen.warn("the run is no longer on disk; what was read of it stays")
        elif file is not None and file != watched.known:
            await _take_in(screen, watched, file)
        if runs is not None and review is screen.review:
            _offer(screen, runs)
    finally:
        watched.looking = False


def _may_act(screen: ReviewScreen) -> bool:
    return screen.is_active and screen.scope not in TYPING and not (screen.figuring or feed.is_reading(screen))


def _on_disk(review: ReviewSession, with_runs: bool) -> tuple[tuple[int, int] | None, tuple[Path, ...] | None]:
    """Return the bytes and the time of change of a run, None if it is gone; and the runs beside it if asked for."""
    runs = runs_from(review.runs_path, review.results.path) if with_runs else None
    return _bytes_and_time(review.results), runs


async def _take_in(screen: ReviewScreen, watched: RunWatch, file: tuple[int, int]) -> None:
    """Read the run again, at the same record or still at the end, and say what came."""
    review, before = screen.review, watched.known
    watched.known = file
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
        watched.known = before  # it is being written: the next look finds it whole
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


def _offer(screen: ReviewScreen, runs: tuple[Path, ...]) -> None:
    review = screen.review
    new = [index for index in runs if index not in review.runs]
    review.runs = runs
    if new:
        name = one_line(run_name(new[0], review.runs_path), 40)
        screen.say(f"a new run: {name}; {screen.key_of('review.runs')} opens it")
        screen.show_keys()


def _bytes_and_time(results: Results) -> tuple[int, int] | None:
    """Return the bytes and the time of change of a run; of a folder the sum of its files, and the latest of all."""
    if not is_folder(results.path):
        return size_and_time(results.path)
    files = results.source.files
    found = [*filter(None, map(size_and_time, files))]
    folders = [*filter(None, map(size_and_time, {results.path, *(file.parent for file in files)}))]
    return (sum(size for size, _ in found), max(time for _, time in (*found, *folders))) if folders else None
