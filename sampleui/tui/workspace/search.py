"""A search in all decks of a workspace, in the background."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sampleui.deck.history import Focus, UndoStep
from sampleui.errors import SampleUIError
from sampleui.settings.options import Settings
from sampleui.text.confined import read_whole, real_path
from sampleui.text.limits import MAX_SEARCHED_BYTES, TookTooLongError
from sampleui.text.wording import counted
from sampleui.tui.author.session import Session
from sampleui.tui.workspace.listing import DECK, ListedFile
from sampleui.tui.workspace.state import JointStep, Workspace
from sampleui.workspace.deck import Deck, open_with
from sampleui.workspace.text_search import TOO_LONG, Hit, Proposed, Query, found_in, replacements_in, replacing

_SLICE_S = 0.01
"""Seconds of looking between two frames."""

_WAIT_S = 0.1
"""Seconds until more decks may be listed."""


class DeckHit(NamedTuple):
    """A hit in one of several decks, as that was read."""

    entry: ListedFile
    deck: Deck
    hit: Hit


class DeckSearch:
    """What is looked for, and what was found of it so far.

    Attributes:
        query: what.
        hits: in the order of the decks and of their samples.
        complete: whether all decks were looked through.
        failure: why some were not; empty where all were.
    """

    def __init__(self, workspace: Workspace, settings: Settings, query: Query) -> None:
        self.query = query
        self.hits: list[DeckHit] = []
        self.complete = False
        self.failure = ""
        self.workspace = workspace
        self._settings = settings
        self._done: set[Path] = set()
        self._until = 0.0

    @property
    def decks(self) -> Mapping[ListedFile, Deck]:
        """The decks that hold it, as they were read."""
        return {hit.entry: hit.deck for hit in self.hits}

    async def look(self, all_listed: Callable[[], bool]) -> None:
        """Look through decks as they are listed, until all are; nothing waits for it, and it can be cancelled."""
        seen: set[Path] = set()
        while True:
            todo = [item for item in self.workspace.entries if item.path not in seen]
            if not todo and all_listed():
                break
            if not todo:
                await asyncio.sleep(_WAIT_S)
                continue
            passed = await asyncio.to_thread(self._passed, todo)
            seen.update(item.path for item in todo[: passed + 1])
            if passed == len(todo):
                continue
            entry = todo[passed]
            try:
                await self._look_into(entry, self.hits)
            except TookTooLongError:
                self.failure = TOO_LONG
                break
            except (SampleUIError, OSError):
                self.failure = "not all decks can be read"
        self.complete = True

    async def counted(self, all_listed: Callable[[], bool]) -> AsyncIterator[int]:
        """Look through decks, and yield how many hits there are so far. Raises TookTooLongError."""
        looking = asyncio.ensure_future(self.look(all_listed))
        try:
            while not looking.done():
                await asyncio.wait([looking], timeout=_WAIT_S)
                yield len(self.hits)
        finally:
            looking.cancel()
        if self.failure == TOO_LONG:
            raise TookTooLongError

    async def again(self, entry: ListedFile) -> None:
        """Look through one deck again, which was edited."""
        hits: list[DeckHit] = []
        self._done -= {real_path(source.path) for source in self.decks[entry].files.sources}
        try:
            await self._look_into(entry, hits)
        except TookTooLongError:
            self.failure = TOO_LONG
        index = next(number for number, hit in enumerate(self.hits) if hit.entry is entry)
        before = sum(hit.entry is entry for hit in self.hits)
        self.hits[index : index + before] = hits

    def outdated(self) -> list[ListedFile]:
        """Return the decks that were edited since they were looked through."""
        sessions = ((entry, deck, self.workspace.session(entry.path)) for entry, deck in self.decks.items())
        return [entry for entry, deck, session in sessions if session and session.deck.files is not deck.files]

    def replacements(self, new: str) -> list[Proposed]:
        """Return what would change where all hits are replaced. Raises TookTooLongError for a slow pattern."""
        found = {(hit.entry, hit.hit.index): hit.deck for hit in self.hits}
        samples = ((entry, deck, deck.sample_at(index)) for (entry, index), deck in found.items())
        return [
            Proposed(deck, f"{self.workspace.name_of(entry.path)} › {sample.id}", item)
            for entry, deck, sample in samples
            for item in replacements_in(sample.index, sample.data, self.query, new)
        ]

    async def _look_into(self, entry: ListedFile, into: list[DeckHit]) -> None:
        session = self.workspace.session(entry.path)
        if session is not None:
            deck = session.deck
        else:
            deck = await asyncio.to_thread(open_with, self._settings, entry.path)
        done = {source.path for source in deck.files.sources if real_path(source.path) in self._done}
        for index in (*range(len(deck.samples)), *deck.beside):
            if time.perf_counter() > self._until:
                await asyncio.sleep(_SLICE_S)
                self._until = time.perf_counter() + _SLICE_S
            hits = found_in(deck, index, self.query)
            if hits and deck.sample_at(index).path not in done:
                into += [DeckHit(entry, deck, hit) for hit in hits]
        self._done.update(real_path(source.path) for source in deck.files.sources)

    def _passed(self, entries: Sequence[ListedFile]) -> int:
        """Return how many decks come before the first one whose files may hold the text."""
        for index, entry in enumerate(entries):
            if entry.kind != DECK or entry.failure:
                continue
            try:
                if self.workspace.session(entry.path) or any(map(self._may_be_in, entry.files)):
                    return index
            except OSError:
                return index  # opening it says why
        return len(entries)

    def _may_be_in(self, path: Path) -> bool:
        return self.query.may_be_in(read_whole(path, MAX_SEARCHED_BYTES).decode("utf-8", "replace"))


def replaced(workspace: Workspace, search: DeckSearch, agreed: Sequence[Proposed]) -> tuple[str, list[str]]:
    """Make replacements in decks that are or will be open, one step of undo a deck, and of all of them in the list.

    Returns:
        What was done, and what was not; nothing is done of a deck in which one of the edits is refused.
    """
    by_deck: dict[Path, list[Proposed]] = {}
    for proposed in agreed:
        by_deck.setdefault(proposed.deck.path, []).append(proposed)
    values = 0
    steps: list[tuple[Session, UndoStep]] = []
    all_notes: list[str] = []
    for path, replacements in by_deck.items():
        edits = [partial(replacing, item=replacement.item) for replacement in replacements]
        deck, _, first = replacements[0]
        there = Focus(first.index, first.path)
        try:
            session, notes = workspace.take_up(path, deck)
            label = f"replace {search.query.text} in {len(replacements)} values"
            session.perform(label, *edits, before=there, after=there)
        except SampleUIError as error:
            all_notes.append(f"{workspace.name_of(path)}: {error}")
        else:
            all_notes += [f"{workspace.name_of(path)}: {note}" for note in notes]
            values += len(replacements)
            if session.history.last is not None:
                steps.append((session, session.history.last))
    workspace.joint_steps.append(JointStep(f"replace {search.query.text}", tuple(steps)))
    done = f"{counted(values, 'value')} replaced in {counted(len(steps), 'deck')}"
    return done, [done, *all_notes] if all_notes else []
