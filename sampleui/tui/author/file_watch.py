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
        self._looking = False

    def begin(self) -> None:
        """Look from now on."""
        self._screen.set_interval(EVERY, self._tick)

    async def look(self) -> None:
        """Look once, and take what was changed; nothing is done while a text is typed or a question is asked."""
        screen = self._screen
        files = screen.session.deck.files
        if self._looking or screen.typing or not screen.is_active:
            return
        self._looking = True
        try:
            found = await asyncio.to_thread(read_again, files)
        except SampleUIError as error:
            self._tell(f"{files.path.name} changed on disk: {error}")
            return
        finally:
            self._looking = False
        untouched = screen.session.deck.files is files and not screen.typing and screen.is_active
        if isinstance(found, str):
            self._tell(found)
        elif found is None:
            self._told = ""
            if untouched and screen.session.problems.look_at_files():
                screen.refresh_all()
        elif untouched and not found.both:
            screen.take_outside(found)
        elif untouched:
            places = counted(found.both, "place")
            self._tell(f"{files.path.name} changed on disk in {places} that you edited, too; saving asks")

    def _tick(self) -> None:
        self._screen.run_worker(self.look(), group="watch")

    def _tell(self, said: str) -> None:
        if said != self._told:
            self._told = said
            self._screen.complain(DeckError(said))


def read_again(files: DeckFiles) -> Outside | str | None:
    """Return what the disk has changed; None if it has not, or is still at it; a text for what cannot be taken.

    Raises:
        DeckError: when a file can no longer be read as a deck.
    """
    missing = [one.path.name for one in files.sources if one.disk.stamp is not None and not one.path.exists()]
    if missing:
        return f"{', '.join(missing)} was deleted; saving writes it again"
    try:
        stale = any(is_stale(one) for one in files.sources if one.disk.stamp is not None)
    except SaveError as error:
        return str(error)
    if not stale:
        return None
    before = [_held(one.path) for one in files.sources]
    time.sleep(SETTLED)
    if before != [_held(one.path) for one in files.sources]:
        return None
    found = outside(files, load(files.path))
    return found if found is not None else f"{files.path.name} changed on disk as a whole; saving asks"


def _held(path: Path) -> tuple[int, int] | None:
    try:
        held = path.stat()
    except OSError:
        return None
    return held.st_size, held.st_mtime_ns
