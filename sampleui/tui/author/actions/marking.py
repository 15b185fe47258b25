"""Commands that mark samples, turns and fields, to be acted on together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.author.actions.needs import a_mark, an_item_or_sample
from sampleui.tui.author.actions.registry import AUTHOR

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_GROUP = "Marks"
_LISTS = "samples turns"


@AUTHOR.command("mark.toggle", "space", "Mark", group=_GROUP, scopes=_LISTS, bar=16, needs=an_item_or_sample)
def toggle(screen: AuthorScreen) -> None:
    """Mark the sample, turn or field and go to the next, or remove the mark; edits act on all marked."""
    screen.marks.toggle()


@AUTHOR.command("mark.range", "V", "Mark to here", group=_GROUP, scopes=_LISTS, needs=an_item_or_sample)
def extend(screen: AuthorScreen) -> None:
    """Mark everything from the last mark to the cursor."""
    screen.marks.extend()


@AUTHOR.command("mark.all", "*", "Mark all", group=_GROUP, scopes=_LISTS, needs=an_item_or_sample)
def toggle_all(screen: AuthorScreen) -> None:
    """Mark all samples that are shown, or all turns; again removes the marks."""
    screen.marks.toggle_all()


@AUTHOR.command("mark.clear", "escape", "Unmark", group=_GROUP, scopes="turns", bar=2, needs=a_mark)
def clear(screen: AuthorScreen) -> None:
    """Remove all marks in the pane."""
    screen.marks.clear()
