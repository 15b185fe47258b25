"""The state of a workspace: the files listed, the decks that are open, and the last place in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual.fuzzy import FuzzySearch

from sampleui.deck.journal import recoverable
from sampleui.errors import EditRefusedError, SampleUIError, StaleFileError
from sampleui.settings.options import Settings
from sampleui.text.confined import is_folder, real_path
from sampleui.text.limits import MAX_WEIGHED_NAMES
from sampleui.tui.author.session import Session
from sampleui.tui.workspace.listing import DECK, RESULTS, ListedFile
from sampleui.workspace.deck import Deck

if TYPE_CHECKING:  # the first list needs no deck to be open
    from sampleui.deck.history import UndoStep
    from sampleui.workspace.unknown_files import Unknown


class JointStep(NamedTuple):
    """What was done to several decks at once, with the step that it is in the history of each."""

    label: str
    steps: tuple[tuple[Session, UndoStep], ...]


class Workspace:
    """The state of the list of decks, and the sessions of those that were opened from it.

    Attributes:
        paths: what it was opened for.
        entries: what is listed so far.
        recent: the places that were opened, the last one first.
        joint_steps: what was done to several decks at once, the latest last.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)
        self.entries: list[ListedFile] = []
        self.recent: list[Path] = []
        self.joint_steps: list[JointStep] = []
        self._sessions: dict[Path, Session] = {}

    def session(self, path: Path) -> Session | None:
        """Return the session of a deck that is open."""
        return self._sessions.get(real_path(path))

    def guess_for(self, entry: ListedFile, settings: Settings) -> Unknown | None:
        """Return what is guessed for a file of no known dialect; any other deck is kept open."""
        from sampleui.review.results.file import open_results
        from sampleui.workspace.opening import open_path
        from sampleui.workspace.unknown_files import Unknown, unknown_results

        if self.session(entry.path) is not None:
            return None
        try:
            if entry.kind == RESULTS:
                return unknown_results(open_results(entry.path, asked=True))
            opened = open_path(entry.path, settings)
        except (SampleUIError, OSError):
            return None  # opening it says why
        if isinstance(opened, Unknown):
            return opened
        if not isinstance(opened, Deck):
            return None
        self.keep_open(entry.path, Session(self.as_named(opened)))
        return None

    def as_named(self, deck: Deck) -> Deck:
        """Return a deck of the list; one that nobody named is not written through links."""
        return deck if deck.path in self.paths else deck.as_found()

    def keep_open(self, path: Path, session: Session) -> None:
        """Keep a deck open."""
        self._sessions[real_path(path)] = session

    def update_entry(self, entry: ListedFile) -> None:
        """Note what a file that is listed has become."""
        index = next((number for number, item in enumerate(self.entries) if item.path == entry.path), None)
        if index is not None:
            self.entries[index] = entry

    def follow(self, now: Sequence[ListedFile]) -> None:
        """List the files that exist now; one with unsaved edits stays in its place: saving writes it again."""
        there = {entry.path for entry in now}
        unsaved = {session.deck.path for session in self.unsaved}
        before, self.entries = self.entries, [*now]
        for index, item in enumerate(before):
            if item.path not in there and item.path in unsaved:
                self.entries.insert(index, item)

    def take_up(self, path: Path, deck: Deck) -> tuple[Session, tuple[str, ...]]:
        """Return the session of a deck that is to be edited, a new one if none is open, and what to tell of it.

        Raises:
            EditRefusedError: when an earlier session left edits of it, which have to be asked about first.
        """
        session = self.session(path)
        if session is not None:
            return session, ()
        session = Session(deck)
        session.journal.hold()
        recovery = recoverable(deck.files, session.journal.path)
        if recovery.left or recovery.stale:
            session.journal.discard()
            raise EditRefusedError(f"{path.name} has unsaved edits of an earlier session: open it first")
        self.keep_open(path, session)
        return session, recovery.notes

    def forget(self, path: Path) -> None:
        """Keep a deck open no longer."""
        self._sessions.pop(real_path(path), None)

    def to_undo(self) -> tuple[JointStep, list[Session]] | None:
        """Return the last joint step that can be taken back, and the decks in which it is the last of all."""
        return self._turnable([*reversed(self.joint_steps)], lambda session: session.history.last)

    def to_redo(self) -> tuple[JointStep, list[Session]] | None:
        """Return the first joint step that was taken back, and the decks in which it can be made again."""
        return self._turnable(self.joint_steps, lambda session: session.history.undone_last)

    def _turnable(
        self, steps: Sequence[JointStep], at_hand: Callable[[Session], UndoStep | None]
    ) -> tuple[JointStep, list[Session]] | None:
        for joint in steps:
            sessions = [item for item, step in joint.steps if item in self.open and at_hand(item) is step]
            if sessions:
                return joint, sessions
        return None

    @property
    def open(self) -> list[Session]:
        """The sessions of all decks that are open."""
        return [*self._sessions.values()]

    @property
    def unsaved(self) -> list[Session]:
        """Those with edits that are not saved."""
        return [session for session in self._sessions.values() if session.unsaved]

    def save_all(self) -> tuple[list[str], list[str]]:
        """Save every deck that has edits, and return the names of those saved, and what hindered or was lost."""
        saved: list[str] = []
        notes: list[str] = []
        for session in self.unsaved:
            name = session.deck.path.name
            try:
                lost = session.save()
            except StaleFileError as error:
                notes.append(f"{error}: open it, saving there asks")
            except SampleUIError as error:
                notes.append(f"{name}: {error}")
            else:
                saved.append(name)
                notes += [f"{name}: {item}" for item in lost]
        return saved, notes

    def name_of(self, path: Path) -> str:
        """Return a path as the list shows it: from the folder that was opened, if it is one."""
        root = self.paths[0] if len(self.paths) == 1 and is_folder(self.paths[0]) else Path()
        return str(path.relative_to(root)) if path.is_relative_to(root) and path != root else str(path)

    def places(self) -> Mapping[str, tuple[ListedFile, int]]:
        """Return every deck and sample by name: recent decks first, then in the order listed.

        The number is that of the sample, -1 for the deck as a whole.
        """
        order = {path: index for index, path in enumerate(self.recent)}
        entries = sorted(self.entries, key=lambda item: order.get(item.path, len(order)))
        found: dict[str, tuple[ListedFile, int]] = {self.name_of(item.path): (item, -1) for item in entries}
        for entry in entries:
            name = self.name_of(entry.path)
            if entry.kind == DECK:
                found.update({f"{name} › {sample}": (entry, index) for index, sample in enumerate(entry.ids)})
        return found


def matching(names: Sequence[str], typed: str) -> list[str]:
    """Return the names that hold the letters typed, in order, the best match first."""
    letters = typed.replace(" ", "")
    if not letters:
        return [*names]
    holds = re.compile(".*?".join(map(re.escape, letters)), re.IGNORECASE | re.DOTALL)
    matches = [name for name in names if holds.search(name)][:MAX_WEIGHED_NAMES]
    search = FuzzySearch()
    weighed = [(search.match(letters, name)[0], -index, name) for index, name in enumerate(matches)]
    return [name for score, _, name in sorted(weighed, reverse=True) if score]
