"""Watches whether the files of an open deck change on disk, and takes the changes over."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.deck.load import load
from sampleui.deck.merging import Outside, outside
from sampleui.deck.save import is_stale
from sampleui.errors import DeckError, SampleUIError, SaveError
from sampleui.text.wording import counted

if TYPE_CHECKING:
    from sampleui.deck.model import DeckFiles
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.author.session import Session

EVERY = 1.0
"""Seconds between two looks."""

SETTLED = 0.05
"""Seconds that a changed file stays as it is before it is read: many programs empty a file, and then write it."""


class FileWatch:
    """The files under an author screen.

    What only the disk changed is taken at once, as a step of undo. Where both sides changed the same place, or the
    deck can no longer be read, that is reported, and saving asks.
    """

    def __init__(self, screen: AuthorScreen) -> None:
        self._screen = screen
        self._told = ""
        self.looking = False

    def begin(self) -> None:
        """Look from now on."""
        self._screen.set_interval(EVERY, self._tick)

    async def look(self) -> None:
        """Look once, and take what was changed; nothing is done while a text is typed or a question is asked."""
        screen = self._screen
        files = screen.session.deck.files
        if self.looking or screen.typing or not screen.is_active:
            return
        self.looking = True
        try:
            change = await asyncio.to_thread(_looked_at, screen.session)
        except SampleUIError as error:
            self._tell(f"{files.path.name} changed on disk: {error}")
            return
        finally:
            self.looking = False
        untouched = screen.session.deck.files is files and not screen.typing and screen.is_active
        if isinstance(change, str):
            self._tell(change)
        elif change is None:
            self._told = ""
            if untouched and screen.session.problems.look_at_files():
                screen.refresh_all()
        elif untouched and not change.both:
            screen.take_outside(change)
        elif untouched:
            places = counted(change.both, "place")
            self._tell(f"{files.path.name} changed on disk in {places} that you edited, too; saving asks")

    def _tick(self) -> None:
        self._screen.run_worker(self.look(), group="watch")

    def _tell(self, message: str) -> None:
        if message != self._told:
            self._told = message
            self._screen.complain(DeckError(message))


def _looked_at(session: Session) -> Outside | str | None:
    session.journal.prepare()
    return read_again(session.deck.files)


def read_again(files: DeckFiles) -> Outside | str | None:
    """Return the changes on disk; None for none, or while they are written; a message if they cannot be taken.

    Raises:
        DeckError: when a file can no longer be read as a deck.
    """
    missing = [
        source.path.name for source in files.sources if source.disk.stamp is not None and not source.path.exists()
    ]
    if missing:
        return f"{', '.join(missing)} was deleted; saving writes it again"
    try:
        stale = any(is_stale(source) for source in files.sources if source.disk.stamp is not None)
    except SaveError as error:
        return str(error)
    if not stale:
        return None
    before = [_size_and_time(source.path) for source in files.sources]
    time.sleep(SETTLED)
    if before != [_size_and_time(source.path) for source in files.sources]:
        return None
    change = outside(files, load(files.path))
    return change if change is not None else f"{files.path.name} changed on disk as a whole; saving asks"


def _size_and_time(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns
