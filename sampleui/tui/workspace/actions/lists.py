"""Commands of both screens of a workspace: moving in their list, and those of the app."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.tui.actions import APP
from sampleui.tui.commands import Registry

if TYPE_CHECKING:
    from sampleui.tui.workspace.widgets import ListScreen

LISTS: Registry[ListScreen] = Registry()
_MOVING = "Moving"
_SCOPES = "decks hits"


@LISTS.command("cursor.down", "j down", "Down", group=_MOVING, scopes=_SCOPES)
def down(screen: ListScreen) -> None:
    """Move down."""
    screen.list.step(1)


@LISTS.command("cursor.up", "k up", "Up", group=_MOVING, scopes=_SCOPES)
def up(screen: ListScreen) -> None:
    """Move up."""
    screen.list.step(-1)


@LISTS.command("cursor.page-down", "pagedown space", "Page down", group=_MOVING, scopes=_SCOPES)
def page_down(screen: ListScreen) -> None:
    """Move down by a screen."""
    screen.list.page(1)


@LISTS.command("cursor.page-up", "pageup", "Page up", group=_MOVING, scopes=_SCOPES)
def page_up(screen: ListScreen) -> None:
    """Move up by a screen."""
    screen.list.page(-1)


@LISTS.command("cursor.first", "home", "First", group=_MOVING, scopes=_SCOPES)
def first(screen: ListScreen) -> None:
    """Go to the first one."""
    screen.list.jump(last=False)


@LISTS.command("cursor.last", "end G", "Last", group=_MOVING, scopes=_SCOPES)
def last(screen: ListScreen) -> None:
    """Go to the last one."""
    screen.list.jump(last=True)


LISTS.include(APP)
