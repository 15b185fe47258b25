"""The lists of a workspace, its decks and results and what was found in them, and the screen that shows one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.rows import Row, fitted, spread
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.widgets.virtual_list import VirtualList
from sampleui.tui.workspace.listing import RESULTS, UNKNOWN

if TYPE_CHECKING:
    from sampleui.tui.workspace.search import DeckSearch
    from sampleui.tui.workspace.state import Workspace


class DeckList(VirtualList):
    """A row for each file: unsaved edits, its place, how many samples and problems."""

    scope: ClassVar[str] = "decks"

    def __init__(self, workspace: Workspace, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._workspace = workspace
        self.shown: list[int] = []

    def count(self) -> int:
        """Return the number of rows."""
        return len(self.shown)

    def row(self, index: int, width: int) -> Row:
        """Return a file."""
        entry = self._workspace.entries[self.shown[index]]
        session = self._workspace.session(entry.path)
        state = "  "
        if session is not None:
            state = "● " if session.unsaved else "○ "
        left = (("warning-bold", state), ("text", one_line(self._workspace.name_of(entry.path), 200)))
        return spread(left, self._facts(index), width)

    def _facts(self, index: int) -> list[tuple[str, str]]:
        entry = self._workspace.entries[self.shown[index]]
        if entry.failure:
            return [("error", f"{severity_mark('error')} {one_line(entry.failure, 60)}")]
        if entry.kind == RESULTS:
            return [("accent", "results")]
        if entry.kind == UNKNOWN:
            return [("muted", "unknown; a table is offered")]
        marks = [("error", entry.errors), ("warning", entry.warnings)]
        problems = [(name, f"{severity_mark(name)} {count}  ") for name, count in marks if count > 0]
        count = len(entry.ids)
        return [*problems, ("muted", counted(count, "sample"))]


_PLACE, _LONGEST_PLACE = 0.5, 72
"""How much of a row says where a hit is: a share, and a number of cells."""


class HitList(VirtualList):
    """A row for each hit: its place, and the text around it."""

    scope: ClassVar[str] = "hits"

    def __init__(self, search: DeckSearch, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.search = search

    def count(self) -> int:
        """Return the number of hits."""
        return len(self.search.hits)

    def row(self, index: int, width: int) -> Row:
        """Return a hit."""
        hit = self.search.hits[index]
        room = min(int(width * _PLACE), _LONGEST_PLACE)
        place = fitted(hit.place, room)
        return (
            ("muted", place.ljust(room + 2)),
            ("text", hit.before),
            ("match", hit.found),
            ("text", hit.after),
        )


class ListScreen(CommandScreen):
    """A screen with a title line and a list in a frame below it, which takes the keys for moving."""

    DEFAULT_CSS = """
    ListScreen {
        layout: vertical;
        TitleBar { background: $surface; }
        KeyBar { background: $surface; }
        #list-pane {
            height: 1fr; border: round $text-edge; border-title-color: $text-muted;
            border-subtitle-color: $text-faint;
            &:focus-within { border: round $accent; border-title-color: $accent; border-title-style: bold; }
        }
        VirtualList { height: 1fr; scrollbar-background: $background; scrollbar-color: $text-edge; }
    }
    """
    list: VirtualList

    def on_descendant_focus(self) -> None:
        """Show the keys of what has the focus: the list, or the field that narrows it."""
        self.show_keys()
