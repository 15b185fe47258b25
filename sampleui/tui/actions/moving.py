"""Commands that move, by the same names on every screen of panes, so that rebinding one rebinds it everywhere."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Protocol

from sampleui.tui.commands import Command, Registry
from sampleui.tui.screens.paned import PanedScreen
from sampleui.tui.widgets.conversation import Conversation


class ConversationHost(Protocol):
    """A screen that shows a conversation."""

    conversation: Conversation

    def refuse(self, why: str) -> None:
        """Say why a key does nothing."""


_MOVING: Registry[PanedScreen] = Registry()
PARTS: Registry[ConversationHost] = Registry()
"""The commands that go through the parts of a turn."""

_GROUP = "Moving"
_STEP = 3
"""Percent of the screen by which a pane is made wider or narrower."""

_END, _BEGINNING = "this is the end", "this is the beginning"


def moving(panes: str) -> Iterator[Command[PanedScreen]]:
    """Yield the commands that go to panes and move in them; `panes` are the scopes in which one moves."""
    for command in _MOVING:
        in_panes = command.id.startswith("cursor.")
        yield dataclasses.replace(command, scopes=frozenset(panes.split())) if in_panes else command


@_MOVING.command("pane.next", "tab f6", "Next pane", group=_GROUP, bar=20, anywhere=True)
def next_pane(screen: PanedScreen) -> None:
    """Go to the next pane; a text being edited is taken."""
    screen.turn_pane(1)


@_MOVING.command("pane.previous", "shift+tab shift+f6", "Previous pane", group=_GROUP, anywhere=True)
def previous_pane(screen: PanedScreen) -> None:
    """Go to the previous pane."""
    screen.turn_pane(-1)


@_MOVING.command("pane.zoom", "z", "Zoom", group=_GROUP, bar=21, needs=lambda screen: screen.cannot_zoom())
def zoom(screen: PanedScreen) -> None:
    """Show the pane alone on the whole screen, the others under tabs; press again to show all."""
    screen.zoom()


@_MOVING.command("pane.widen", ")", "Wider", group=_GROUP)
def widen(screen: PanedScreen) -> None:
    """Make the pane wider; the widths of panes are remembered."""
    screen.widen(_STEP)


@_MOVING.command("pane.narrow", "(", "Narrower", group=_GROUP)
def narrow(screen: PanedScreen) -> None:
    """Make the pane narrower."""
    screen.widen(-_STEP)


@_MOVING.command("cursor.down", "j down", "Down", group=_GROUP)
def down(screen: PanedScreen) -> None:
    """Move down by a turn, a sample, a problem or a line."""
    _tell_end(screen, screen.pane.step(1), _END)


@_MOVING.command("cursor.up", "k up", "Up", group=_GROUP)
def up(screen: PanedScreen) -> None:
    """Move up."""
    _tell_end(screen, screen.pane.step(-1), _BEGINNING)


@_MOVING.command("cursor.page-down", "pagedown", "Page down", group=_GROUP)
def page_down(screen: PanedScreen) -> None:
    """Move down by a screen."""
    _tell_end(screen, screen.pane.page(1), _END)


@_MOVING.command("preview.page-down", "space", "Page down", group=_GROUP, scopes="preview problems")
def preview_down(screen: PanedScreen) -> None:
    """Scroll the pane down by a screen."""
    page_down(screen)


@_MOVING.command("cursor.page-up", "pageup", "Page up", group=_GROUP)
def page_up(screen: PanedScreen) -> None:
    """Move up by a screen."""
    _tell_end(screen, screen.pane.page(-1), _BEGINNING)


@_MOVING.command("cursor.first", "home", "First", group=_GROUP)
def first(screen: PanedScreen) -> None:
    """Go to the first one."""
    _tell_end(screen, screen.pane.jump(last=False), _BEGINNING)


@_MOVING.command("cursor.last", "end G", "Last", group=_GROUP)
def last(screen: PanedScreen) -> None:
    """Go to the last one."""
    _tell_end(screen, screen.pane.jump(last=True), _END)


def several_parts(screen: ConversationHost) -> str:
    """Need an item of several parts."""
    item = screen.conversation.current
    return "" if item is not None and len(item.parts) > 1 else "there is one part here"


@PARTS.command("part.next", "l right", "Next part", group=_GROUP, scopes="turns", needs=several_parts)
def next_part(screen: ConversationHost) -> None:
    """Go to the next part of a turn: a segment, a tool call, a key."""
    _tell_end(screen, screen.conversation.step_part(1), "this is the last part of the turn")


@PARTS.command("part.previous", "h left", "Previous part", group=_GROUP, scopes="turns", needs=several_parts)
def previous_part(screen: ConversationHost) -> None:
    """Go to the previous part of a turn."""
    _tell_end(screen, screen.conversation.step_part(-1), "this is the first part of the turn")


def _tell_end(screen: PanedScreen | ConversationHost, moved: bool, end: str) -> None:
    if not moved:
        screen.refuse(end)
