"""What the disk has beside an open deck: changes that others make of its files, and edits of earlier sessions."""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING

from sampleui.deck.journal import forget, journals, recoverable
from sampleui.deck.load import load
from sampleui.deck.merging import DiskChanges, changes_on_disk
from sampleui.deck.save import is_stale
from sampleui.errors import DeckError, SampleUIError, SaveError
from sampleui.text.confined import exists, size_and_time
from sampleui.text.wording import counted
from sampleui.tui.screens import asking
from sampleui.tui.textual_internals import COMMANDS, at_work

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sampleui.deck.model import DeckFiles
    from sampleui.formats.data import DataPath
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.author.session import Session


POLL_S = 1.0
"""Seconds between two looks."""

STABLE_S = 0.05
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
        """Look from now on, and offer what earlier sessions left unsaved."""
        self._screen.set_interval(POLL_S, self._tick)
        self._screen.run_worker(_offer_recovery(self._screen), group=COMMANDS)

    async def look(self) -> None:
        """Look once, and take what was changed."""
        screen = self._screen
        files = screen.session.deck.files
        if self.looking or not self._may_take:
            return
        self.looking = True
        try:
            change = await asyncio.to_thread(_looked_at, screen.session)
        except SampleUIError as error:
            self._tell(f"{files.path.name} changed on disk: {error}")
            return
        finally:
            self.looking = False
        untouched = screen.session.deck.files is files and self._may_take
        if isinstance(change, str):
            self._tell(change)
        elif change is None:
            self._told = ""
            if untouched and screen.session.problems.look_at_files():
                screen.refresh_all()
        elif untouched and not change.both:
            screen.take_outside(change)
        elif untouched:
            both = counted(change.both, "place")
            self._tell(f"{files.path.name} changed on disk in {both} that you edited, too; saving asks")

    @property
    def _may_take(self) -> bool:
        """Whether no text is typed, no question is asked, and no command is at work on the deck as it is."""
        screen = self._screen
        return screen.is_active and not screen.typing and not at_work(screen.app)

    def _tick(self) -> None:
        self._screen.run_worker(self.look(), group="watch")

    def _tell(self, message: str) -> None:
        if message != self._told:
            self._told = message
            self._screen.complain(DeckError(message))


def _looked_at(session: Session) -> DiskChanges | str | None:
    session.journal.prepare()
    return read_again(session.deck.files, session.deck.kind.id_paths)


def read_again(files: DeckFiles, id_paths: Sequence[DataPath] = ()) -> DiskChanges | str | None:
    """Return the changes on disk; None for none, or while they are written; a message if they cannot be taken.

    Args:
        files: those of the deck that is open.
        id_paths: where the id of a sample may be.

    Raises:
        DeckError: when a file can no longer be read as a deck.
    """
    missing = [
        source.path.name for source in files.sources if source.disk.stamp is not None and not exists(source.path)
    ]
    if missing:
        return f"{', '.join(missing)} was deleted; saving writes it again"
    try:
        stale = any(is_stale(source) for source in files.sources if source.disk.stamp is not None)
    except SaveError as error:
        return str(error)
    if not stale:
        return None
    before = [size_and_time(source.path) for source in files.sources]
    time.sleep(STABLE_S)
    if before != [size_and_time(source.path) for source in files.sources]:
        return None
    change = changes_on_disk(files, load(files.path), id_paths)
    return change if change is not None else f"{files.path.name} changed on disk as a whole; saving asks"


async def _offer_recovery(screen: AuthorScreen) -> None:
    """Tell of other sessions of this deck, and offer what those left unsaved that ended without leave.

    Only what is discarded here, or restored, is gone from the next start.
    """
    session = screen.session
    if session.journal.file is not None:
        return  # it was asked when the deck was opened
    session.journal.hold()
    if not {*journals(session.deck.path)} - {session.journal.path}:
        return
    left_edits = recoverable(session.deck.files, session.journal.path)
    if left_edits.notes:
        screen.warn("; ".join(left_edits.notes))
    for number, left in enumerate(left_edits.left, 1):
        more = {"n": "Ask about the one before it"} if number < len(left_edits.left) else {}
        edits = counted(len(left.steps), "unsaved edit")
        answer = await asking.confirm(
            screen,
            f"An earlier session of {session.deck.path.name} ended with {edits}.",
            {"r": "Restore them, to look at and save", "d": "Discard them", **more},
            "Cancel, and ask at the next start",
        )
        if answer == "r":
            session.repeat(left.steps)
            if session.journal.failure is None:
                forget(left.path)
            screen.show_step("restored", left.steps[-1])
            if left_edits.notes:
                screen.warn("; ".join((f"restored: {left.steps[-1].label}", *left_edits.notes)))
        elif answer == "d":
            forget(left.path)
        if answer in ("r", ""):
            return
    for stale in left_edits.stale:
        asks = f"{stale.why[0].upper()}{stale.why[1:]}."
        if (
            await asking.confirm(
                screen, asks, {"d": "Discard them"}, "Keep them, and ask at the next start", safe=True
            )
            == "d"
        ):
            forget(stale.path)
