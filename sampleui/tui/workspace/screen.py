"""The screen that lists the decks and results of a workspace, filters them, and opens and saves them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from sampleui.deck.history import Focus
from sampleui.errors import DeckError, SampleUIError, SaveError
from sampleui.settings.options import Settings
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.author.session import Session
from sampleui.tui.commands import ScreenKind
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.rows import Row, spread
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.screens.panes import ListPane, Pane
from sampleui.tui.widgets.bars import Title
from sampleui.tui.widgets.virtual_list import RowList, VirtualList
from sampleui.tui.workspace.discovery import Discovery
from sampleui.tui.workspace.listing import DECK, RESULTS, UNKNOWN, ListedFile
from sampleui.tui.workspace.state import JointStep, Workspace
from sampleui.workspace.deck import open_with

if TYPE_CHECKING:  # the first list needs no deck to be open
    from sampleui.tui.screens.guessed_table import Taken, Without
    from sampleui.tui.widgets.filter_input import FilterInput
    from sampleui.tui.workspace.found import FoundScreen
    from sampleui.workspace.text_search import Query


_NAMED = 5
"""How many decks a message names."""


def _deck_row(workspace: Workspace, index: int, width: int) -> Row:
    """Return a file of a workspace: unsaved edits, its place, how many samples and problems."""
    entry = workspace.entries[index]
    session = workspace.session(entry.path)
    state = "  "
    if session is not None:
        state = "● " if session.unsaved else "○ "
    left = (("warning-bold", state), ("text", one_line(workspace.name_of(entry.path), 200)))
    return spread(left, _facts(entry), width)


def _facts(entry: ListedFile) -> list[tuple[str, str]]:
    if entry.failure:
        return [("error", f"{severity_mark('error')} {one_line(entry.failure, 60)}")]
    if entry.kind == RESULTS:
        held = [("muted", f"{counted(entry.records, 'file')} of records  ")] if entry.records else []
        return [*held, ("accent", "results")]
    if entry.kind == UNKNOWN:
        return [("muted", "unknown; a table is offered")]
    marks = [("error", entry.errors), ("warning", entry.warnings)]
    problems = [(name, f"{severity_mark(name)} {count}  ") for name, count in marks if count > 0]
    return [*problems, ("muted", counted(len(entry.ids), "sample"))]


def let_through(workspace: Workspace, words: str) -> list[int]:
    """Return the indexes of the entries whose name or ids hold all words."""
    wanted = words.casefold().split()

    def holds(entry: ListedFile) -> bool:
        text = "\n".join((workspace.name_of(entry.path), *entry.ids)).casefold()
        return all(word in text for word in wanted)

    return [index for index, entry in enumerate(workspace.entries) if not wanted or holds(entry)]


def title_of(workspace: Workspace, complete: bool) -> Title:
    """Return the title: the folders, how many files are listed, and how many errors the decks among them have.

    A folder of records is counted as that, with its files.
    """
    entries = workspace.entries
    records = sum(entry.records for entry in entries)
    folders = sum(entry.records > 0 for entry in entries)
    held = [f"{counted(folders, 'folder')} of {counted(records, 'file')}"] if folders else []
    files = len(entries) - folders
    listed = " · ".join((*held, *([counted(files, "file")] if files or not folders else [])))
    errors = sum(max(entry.errors, 0) + (1 if entry.failure else 0) for entry in entries)
    left = sum(entry.errors < 0 for entry in entries)
    checked = ("added", "✓ no errors") if any(entry.kind == DECK for entry in entries) else ("muted", "no decks")
    well = ("muted", f"{left:,} to check") if left or not complete else checked
    return Title(
        ", ".join(map(str, workspace.paths[:3])),
        "Workspace",
        f"{listed}{'' if complete else ' …'}",
        "unsaved" if workspace.unsaved else "saved",
        ("error-bold", f"✖ {counted(errors, 'error')}") if errors else well,
    )


def some_names(names: Sequence[str]) -> str:
    """Return the first names of decks, and how many more there are."""
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


class WorkspaceScreen(CommandScreen):
    """Lists decks and results as they are found, and opens them."""

    kind = ScreenKind.WORKSPACE
    home = "decks"
    AUTO_FOCUS = "#decks"

    def __init__(self, paths: Sequence[Path], settings: Settings) -> None:
        super().__init__(settings)
        self.workspace: Workspace = Workspace(paths)
        self.list = RowList[int]("decks")
        self.list_pane = ListPane(self.list)
        self.wanted: str | Query | None = None
        self.sought, self.options = "", frozenset[str]()
        self.found: FoundScreen | None = None
        self.words = ""
        self.discovery = Discovery(self)
        self.began: ListedFile | None = None

    @cached_property
    def filter(self) -> FilterInput:
        """The field for the words that the list is narrowed by; mounted when it is first opened."""
        from sampleui.tui.widgets.filter_input import FilterInput

        field = FilterInput("words of a name, or of the id of a sample", id="filter")
        self.list_pane.mount(field, before=self.list)
        return field

    def panes(self) -> list[Pane]:
        """Return the list."""
        return [Pane("decks", "Decks", self.list_pane, self.list)]

    def on_mount(self) -> None:
        """Say where decks are looked for, and begin to."""
        self.name_panes()
        self.title_bar.show(title_of(self.workspace, complete=False))
        self.discovery.look()

    @property
    def entry(self) -> ListedFile | None:
        """The file with the cursor."""
        return self.workspace.entries[self.list.items[self.list.cursor]] if self.list.items else None

    # Looking

    @property
    def complete(self) -> bool:
        """Whether all decks are listed."""
        return self.discovery.ended.is_set()

    @property
    def at_once(self) -> frozenset[str]:
        """The key that need not wait for the list: the one that leaves."""
        return frozenset() if self.complete else frozenset({"ctrl+q"})

    def unchecked(self) -> ListedFile | None:
        """Return a deck that was not checked yet, one that is in view before others; None if all were."""
        entries = self.workspace.entries
        top = round(self.list.scroll_y)
        near = (
            entries[index] for index in self.list.items[top : top + self.list.size.height] if index < len(entries)
        )
        return next((entry for entry in (*near, *entries) if entry.errors < 0), None)

    @property
    def searching(self) -> bool:
        """Whether something is being looked for, before which checks stand back."""
        return self.found is not None and not self.found.search.complete

    def show_checked(self) -> None:
        """Show what was found wrong with a deck."""
        self.list.refresh()
        self._show_title()

    def show_list(self) -> None:
        """Show the files that the words of the filter let through."""
        entries = self.workspace.entries
        shown = [index for index in self.list.items if index < len(entries)]
        before = entries[shown[self.list.cursor]].path if self.list.cursor < len(shown) else None
        listed = let_through(self.workspace, self.words)
        key = self._first_key(self.registry["deck.new"])
        begun = f"no decks or results here; {key} begins a deck" if self.complete else ""
        self.list.empty_hint = "no name and no id holds these words; escape shows all" if self.words else begun
        paths = [entries[index].path for index in listed]
        cursor = paths.index(before) if before in paths else None
        self.list.show(listed, partial(_deck_row, self.workspace), cursor)
        self._show_title()

    def _show_title(self) -> None:
        self.title_bar.show(title_of(self.workspace, self.complete))
        self.show_keys()

    # Opening

    def open_current(self) -> None:
        """Open the file with the cursor."""
        if self.entry is not None:
            self.open(self.entry)

    def open(self, entry: ListedFile, focus: Focus | None = None, sought: Query | None = None) -> None:
        """Open a deck at a place, or at the last place in it, with what is looked for there; or results.

        For a file that no dialect knows, the guessed table is shown first. What is left out is not opened.
        """
        if entry.left_out:
            self.complain(DeckError(f"it is not opened: {entry.failure}", entry.path))
            return
        recent = self.workspace.recent
        self.workspace.recent = [entry.path, *(path for path in recent if path != entry.path)]
        unknown = self.workspace.guess_for(entry, self.settings)
        if unknown is None:
            self._show(entry, focus, sought)
            return

        from sampleui.tui.screens.guessed_table import GuessedTable, Taken, Without

        def answered(answer: Taken | Without | None) -> None:
            if answer is not Without.LEFT:
                self._show(entry, focus, sought, answer if isinstance(answer, Taken) else None)

        self.app.push_screen(GuessedTable(unknown, self.settings), answered)

    def _show(
        self, entry: ListedFile, focus: Focus | None, sought: Query | None, taken: Taken | None = None
    ) -> None:
        if taken is not None:
            self.settings = taken.settings
            self.discovery.look()  # it may be the table of other files, too
        try:
            screen = self._screen_of(entry, focus, sought, taken)
        except (SampleUIError, OSError) as error:
            self.complain(error if isinstance(error, SampleUIError) else DeckError(str(error), entry.path))
            return
        self.app.push_screen(screen, lambda _: self._back())

    def _screen_of(
        self, entry: ListedFile, focus: Focus | None, sought: Query | None, taken: Taken | None
    ) -> Screen[int]:
        if entry.kind == RESULTS or (taken is not None and taken.named.reads_rows):
            from sampleui.tui.review.first_screen import usual_review

            return usual_review(entry.path, self.settings, taken.named if taken is not None else None)()
        from sampleui.tui.workspace.member import MemberScreen

        session = self.workspace.session(entry.path)
        dialect = taken.asked_for if taken is not None else None
        if session is None:
            from sampleui.tui.opening import deck_screen

            try:
                session = Session(self.workspace.as_named(open_with(self.settings, entry.path, dialect)))
            except DeckError:
                return deck_screen(entry.path, self.settings, dialect)()
            self.workspace.keep_open(entry.path, session)
        return MemberScreen(self, entry.path, session, focus or session.left_at, sought)

    def _back(self) -> None:
        """Show the list again with the changes to a deck, or open the place that was asked for from it."""
        self.show_list()
        self.discovery.soon()
        wanted, self.wanted = self.wanted, None
        if isinstance(wanted, str):
            self.open_place(wanted)
        elif wanted is not None:
            self.find_in_decks(wanted)

    def open_place(self, name: str) -> None:
        """Open a deck or a sample by its name in the list of places."""
        entry, sample = self.workspace.places()[name]
        self.open(entry, Focus(sample) if sample >= 0 else None)

    # Finding

    def find_in_decks(self, query: Query) -> None:
        """List what is found in all decks."""
        if self.found is not None:
            self.found.look_for(query)
            return

        from sampleui.tui.workspace.found import FoundScreen

        def left(_: int | None) -> None:
            self.found = None
            self.show_list()

        self.found = FoundScreen(self, query)
        self.app.push_screen(self.found, left)

    def turn_joint_step(
        self, at_hand: tuple[JointStep, list[Session]] | None, did: str, turn: Callable[[Session], object]
    ) -> None:
        """Take a step back, or make it again, in the decks in which that can be, and say in which it cannot."""
        assert at_hand is not None
        joint, sessions = at_hand
        for session in sessions:
            turn(session)
        self.show_list()
        others = [session.deck.path.name for session, _ in joint.steps if session not in sessions]
        done = f"{did} in {counted(len(sessions), 'deck')}: {joint.label}"
        if others:
            self.warn(f"{done}; not in {some_names(others)}, edited or undone since: open it for its own steps")
        else:
            self.say(done)

    # What the list says

    def on_virtual_list_chosen(self, _message: VirtualList.Chosen) -> None:
        """Open the row that was clicked."""
        self.open_current()

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Show what the words let through."""
        self.words = message.words
        self.show_list()

    def on_filter_input_done(self) -> None:
        """Go to the list, or where the words were dropped back to the file that had the cursor."""
        if self.began is not None and not self.filter.display:
            rows = {self.workspace.entries[index].path: row for row, index in enumerate(self.list.items)}
            self.list.reload(rows.get(self.began.path))
        if not self.words:
            self.filter.shut()
        self.set_focus(self.list)

    # Leaving

    def save_all(self) -> bool:
        """Save every deck that has edits; tell whether all are. What hinders one does not hinder the others."""
        saved, notes = self.workspace.save_all()
        self.show_list()
        self.discovery.soon()
        done = [f"saved {some_names(saved)}"] if saved else []
        if notes:
            self.complain(SaveError("; ".join((*done, *notes))))
        else:
            self.say(*done)
        return not self.workspace.unsaved
