"""Looks for the decks and results of a workspace in the background, and follows their changes."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.tui.textual_internals import COMMANDS, tell
from sampleui.tui.workspace.listing import ListedFile, Stamps, entries_found, entries_now, entry_checked

if TYPE_CHECKING:
    from sampleui.tui.workspace.screen import WorkspaceScreen

POLL_S = 2.0
"""Seconds between two looks at what has changed, more where a look takes long."""

LISTING_TIMEOUT_S = 1.0
"""Seconds that keys, and the box of decks, wait for all to be listed once some are."""

_SHARE = 20
"""How many times as long as a look took nothing is looked at."""

_REDRAW_S = 0.05
"""Seconds between two times that the list is shown while it grows."""


class Discovery:
    """Finds the files of a workspace: first all that exist, then what is wrong with each, then what changes.

    Attributes:
        began: set when the first file is listed, or there is none.
        ended: set when all are, checked or not.
    """

    def __init__(self, screen: WorkspaceScreen) -> None:
        self._screen = screen
        self._workspace = screen.workspace
        self._number = 0
        self._stamps: Stamps = {}
        self.began, self.ended = asyncio.Event(), asyncio.Event()
        self._asked = asyncio.Event()

    def look(self) -> None:
        """Look from now on, off the thread that draws; what was listed stays until it is found again."""
        self._number += 1
        self.ended.clear()
        self._screen.run_worker(self.until_listed(), group=COMMANDS)
        self._screen.run_worker(self._look(self._number), group="looking", exclusive=True)

    async def until_listed(self) -> None:
        """Wait for all to be listed, in a large folder for what a second brings: keys are about what is listed."""
        await self.began.wait()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.ended.wait(), LISTING_TIMEOUT_S)

    def soon(self) -> None:
        """Look at what has changed without waiting for the next time."""
        self._asked.set()

    def stop(self) -> None:
        """Stop looking."""
        self._number += 1

    async def _look(self, number: int) -> None:
        await asyncio.to_thread(self._find, number)
        if number != self._number:
            return
        await self._check(number)
        while number == self._number:
            await self._follow(number)

    def _find(self, number: int) -> None:
        screen, entries, shown_at = self._screen, list[ListedFile](), 0.0
        stamps: dict[Path, tuple[int, int]] = {}
        for item in entries_found(self._workspace.paths, screen.settings, stamps):
            if number != self._number or not screen.app.is_running:
                return
            entries.append(item)
            if time.monotonic() - shown_at > _REDRAW_S:
                tell(screen, self._take_listed, number, tuple(entries), False)
                shown_at = time.monotonic()
        if number == self._number and screen.app.is_running:
            self._stamps = stamps
            tell(screen, self._take_listed, number, tuple(entries), True)

    def _take_listed(self, number: int, entries: Sequence[ListedFile], complete: bool) -> None:
        if number == self._number and (complete or len(entries) > len(self._workspace.entries)):
            self._workspace.entries = [*entries]
            if complete:
                self.ended.set()
            self._screen.show_list()
            self.began.set()

    async def _check(self, number: int) -> None:
        """Check what was not yet, the decks that are in view first."""
        screen, shown_at = self._screen, 0.0
        while number == self._number:
            entry = self._screen.unchecked()
            if entry is None:
                self._screen.show_checked()
                return
            if self._screen.searching:
                await asyncio.sleep(_REDRAW_S)
                continue
            now = await asyncio.to_thread(entry_checked, entry, screen.settings)
            self._workspace.update_entry(now)
            if time.monotonic() - shown_at > _REDRAW_S:
                self._screen.show_checked()
                shown_at = time.monotonic()

    async def _follow(self, number: int) -> None:
        screen = self._screen
        begun = time.monotonic()
        entries = self._workspace.entries
        followed_up = await asyncio.to_thread(
            entries_now, self._workspace.paths, screen.settings, tuple(entries), self._stamps
        )
        took = time.monotonic() - begun
        if followed_up is not None and number == self._number and entries is self._workspace.entries:
            self._workspace.follow(followed_up[0])
            self._stamps = followed_up[1]
            self._screen.show_list()
            await self._check(number)
        with suppress(TimeoutError):
            await asyncio.wait_for(self._asked.wait(), max(POLL_S, took * _SHARE))
        self._asked.clear()
