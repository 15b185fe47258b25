"""What is found in a workspace: decks and samples by name, every hit in them, and what replaces hits."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from textual.events import ScreenResume
from textual.widgets import Input

from sampleui.deck.history import Focus
from sampleui.errors import EditRefusedError
from sampleui.formats.data import shown
from sampleui.sample.parse import value_at
from sampleui.text.visible import one_line, visible
from sampleui.text.wording import counted
from sampleui.tui.commands import ScreenKind
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.dialogs import Pick
from sampleui.tui.screens.finding import USUAL, FindBox, replacements_agreed
from sampleui.tui.screens.panes import ListPane, Pane
from sampleui.tui.textual_internals import is_there
from sampleui.tui.widgets.bars import Title
from sampleui.tui.widgets.virtual_list import RowList, VirtualList
from sampleui.tui.workspace.search import DeckHit, DeckSearch, replaced
from sampleui.tui.workspace.state import Workspace, matching
from sampleui.workspace.text_search import Query

if TYPE_CHECKING:
    from sampleui.tui.workspace.screen import WorkspaceScreen

_BEFORE, _AFTER = 20, 200
"""Characters that are shown around a hit."""

_PLACE, _LONGEST_PLACE = 0.5, 72
"""How much of a row says where a hit is: a share, and a number of cells."""


def _hit_row(workspace: Workspace, found: DeckHit, width: int) -> Row:
    """Return a hit: its place, and the text around it."""
    entry, deck, hit = found
    sample = deck.sample_at(hit.index)
    text = str(value_at(sample.data, hit.path))
    start = max(hit.start - _BEFORE, 0)
    room = min(int(width * _PLACE), _LONGEST_PLACE)
    where = f"{workspace.name_of(entry.path)} › {sample.id} › {shown(hit.path)}"
    return (
        ("muted", fitted(one_line(where, 300), room).ljust(room + 2)),
        ("text", ("…" if start else "") + _line(text[start : hit.start])),
        ("match", _line(hit.text)),
        ("text", _line(text[hit.end : hit.end + _AFTER])),
    )


def _line(text: str) -> str:
    return visible(text.replace("\r\n", "⏎").replace("\n", "⏎").replace("\t", " "))


_REDRAW_S = 0.1
"""Seconds between two looks at what was found meanwhile."""

_GROWTH_POLL_S = 0.25
"""Seconds between two looks at what was listed meanwhile."""


class FoundScreen(CommandScreen):
    """Lists the hits of a search as they are found."""

    kind = ScreenKind.FOUND
    home = "hits"
    AUTO_FOCUS = "#hits"

    def __init__(self, around: WorkspaceScreen, query: Query) -> None:
        super().__init__(around.settings)
        self.around = around
        self.search = DeckSearch(around.workspace, self.settings, query)
        self.list = RowList[DeckHit]("hits")
        self.list_pane = ListPane(self.list)
        self._told = (-1, False)

    def panes(self) -> list[Pane]:
        """Return the list."""
        return [Pane("hits", "Found", self.list_pane, self.list)]

    def on_mount(self) -> None:
        """Begin to look."""
        self.name_panes()
        self.set_interval(_REDRAW_S, self._show)
        self._look()

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Look again through decks that were edited meanwhile."""
        self._told = (-1, False)
        if self.search.outdated():
            self.run_worker(self._look_again(), group="again")

    @property
    def at_once(self) -> frozenset[str]:
        """The keys that need not wait for the search."""
        return frozenset() if self.search.complete else frozenset({"escape", "ctrl+q"})

    def _look(self) -> None:
        self.run_worker(self.search.look(lambda: self.around.complete), group="looking", exclusive=True)
        self._show()

    async def _look_again(self) -> None:
        for entry in self.search.outdated():
            await self.search.again(entry)
        self._told = (-1, False)
        self._show()

    def _show(self) -> None:
        search = self.search
        if self._told == (progress := (len(search.hits), search.complete)):
            return
        self._told = progress
        self.list.show(search.hits, partial(_hit_row, self.around.workspace), None)
        decks = len(search.decks)
        title = f"{len(search.hits):,} in {counted(decks, 'deck')}{'' if search.complete else ' …'}"
        problem = ("warning-bold", f"▲ {search.failure}") if search.failure else ("muted", "")
        state = "unsaved" if self.around.workspace.unsaved else "saved"
        self.title_bar.show(Title(f"find {search.query.text}", "Workspace", title, state, problem))
        self.show_keys()

    # Going

    def open_current(self) -> None:
        """Open the deck of the hit with the cursor."""
        if self.search.hits:
            hit = self.search.hits[self.list.cursor]
            self.around.open(hit.entry, Focus(hit.hit.index, hit.hit.path), self.search.query)

    def on_virtual_list_chosen(self, _message: VirtualList.Chosen) -> None:
        """Open the hit that was clicked."""
        self.open_current()

    def look_for(self, query: Query) -> None:
        """Look for something else."""
        self.search = DeckSearch(self.around.workspace, self.settings, query)
        self.list.cursor = 0
        self._told = (-1, False)
        self._look()

    async def replace(self) -> None:
        """Ask what replaces all hits, show every change, and make those that are agreed to, as `replaced` does."""
        agreed = await replacements_agreed(self, self.search, " in all decks")
        if not agreed:
            return
        self.leave()
        done, notes = replaced(self.around.workspace, self.search, agreed)
        self.around.show_list()
        if notes:
            self.around.complain(EditRefusedError("; ".join(notes)))
        else:
            keys = (self.around.key_of(name) for name in ("deck.save", "deck.undo"))
            self.around.say("{}; {} saves all of them, {} takes it back".format(done, *keys))


class PlacePick(Pick):
    """Decks and samples to be found by letters of their names. It grows as long as more are listed."""

    def __init__(self, title: str, screen: WorkspaceScreen) -> None:
        super().__init__(title, [*screen.workspace.places()], wide=True)
        self._screen, self._workspace = screen, screen.workspace
        self._entries = len(self._workspace.entries)

    def on_mount(self) -> None:
        """Follow the list where it is not complete yet."""
        if not self._screen.complete:
            self.set_interval(_GROWTH_POLL_S, self._grow)

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the names that match, the best first."""
        return matching(self._names, typed)

    def _grow(self) -> None:
        entries = len(self._workspace.entries)
        if entries != self._entries and is_there(self):
            self._entries = entries
            self._names = [*self._workspace.places()]
            picked = self.picked
            names = self.narrowed(self.query_one(Input).value)
            self.show(names)
            self._list.reload(names.index(picked) if picked in names else 0)


async def pick_place(screen: WorkspaceScreen) -> str:
    """Ask for any deck or sample by letters of its name; empty for none."""
    await screen.discovery.until_listed()
    return await screen.app.push_screen_wait(PlacePick("Open a deck or a sample", screen)) or ""


async def ask_query(screen: WorkspaceScreen, over: CommandScreen) -> Query | None:
    """Ask what to look for in all decks, by a box over a screen; None for nothing."""
    box = FindBox(screen.sought, screen.options, lambda query, _: hits_counted(screen, query), USUAL)
    text = await over.answer_to(box)
    if not text:
        return None
    screen.sought, screen.options = text, box.options
    return box.query_of(text)


def hits_counted(screen: WorkspaceScreen, query: Query) -> AsyncIterator[int]:
    """Yield how many hits there are so far of what would be looked for in all decks."""
    return DeckSearch(screen.workspace, screen.settings, query).counted(lambda: screen.complete)
