"""Commands that several screens have, by the same keys and names: those of the app, moving, and marking."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from sampleui.tui.commands import FILTER, MOVEMENT, Command, Registry
from sampleui.tui.widgets.virtual_list import Marked

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.screens.base import CommandScreen
    from sampleui.tui.widgets.filter_input import FilterInput

    SampleScreen: TypeAlias = AuthorScreen | ReviewScreen

APP: Registry[CommandScreen] = Registry()
_APP = "App"


@APP.command("app.palette", "ctrl+p", "Palette", group=_APP, bar=30, anywhere=True)
async def palette(screen: CommandScreen) -> None:
    """Find any command by name and run it, even while a text is edited."""
    await screen.open_commands()


@APP.command("app.help", "?", "Help", group=_APP, bar=31)
async def show_help(screen: CommandScreen) -> None:
    """List every command and its keys, the most used first; type to narrow, Enter runs one."""
    await screen.open_commands()


@APP.command("app.theme", "T", "Theme", group=_APP)
async def theme(screen: CommandScreen) -> None:
    """Choose a theme, which is tried on at once; the other settings are lines of .sampleui.toml."""
    from sampleui.tui.screens.asking import choose_theme

    await choose_theme(screen)


@APP.command("app.suspend", "ctrl+z", "Suspend", group=_APP)
def suspend(screen: CommandScreen) -> None:
    """Go back to the shell for a while; `fg` there comes back here."""
    screen.suspend()


FIELDS: Registry[CommandScreen] = Registry()
_FIELDS = "Narrowing"


def _filter(screen: CommandScreen) -> FilterInput:
    """Return the field that filters a list, which has the focus."""
    return cast("FilterInput", screen.focused)


a_filter = FIELDS.need(lambda screen: screen.scope == FILTER, "no filter is being typed")


@FIELDS.command("filter.keep", "enter down", "Keep", group=_FIELDS, scopes=FILTER, bar=1, needs=a_filter)
def keep(screen: CommandScreen) -> None:
    """Keep what was typed and go to the list."""
    _filter(screen).keep()


@FIELDS.command("filter.clear", "escape", "Clear", group=_FIELDS, scopes=FILTER, bar=2, needs=a_filter)
def clear(screen: CommandScreen) -> None:
    """Drop what was typed and show everything again."""
    _filter(screen).clear()


_MOVING: Registry[CommandScreen] = Registry()
PARTS: Registry[SampleScreen] = Registry()
"""The commands that go through the parts of a turn."""

_STEP = 3
"""Percent of the screen by which a pane is made wider or narrower."""

_END, _BEGINNING = "this is the end", "this is the beginning"


def moving(panes: str) -> Iterator[Command[CommandScreen]]:
    """Yield the commands that go to panes and move in them; `panes` are the scopes in which one moves."""
    for command in _MOVING:
        in_panes = command.id.startswith("cursor.")
        yield command._replace(scopes=frozenset(panes.split())) if in_panes else command


@_MOVING.command("pane.next", "tab f6", "Next pane", group=MOVEMENT, bar=20, anywhere=True)
def next_pane(screen: CommandScreen) -> None:
    """Go to the next pane; a text being edited is taken."""
    screen.turn_pane(1)


@_MOVING.command("pane.previous", "shift+tab shift+f6", "Previous pane", group=MOVEMENT, anywhere=True)
def previous_pane(screen: CommandScreen) -> None:
    """Go to the previous pane."""
    screen.turn_pane(-1)


@_MOVING.command("pane.zoom", "z", "Zoom", group=MOVEMENT, bar=21, needs=lambda screen: screen.cannot_zoom())
def zoom(screen: CommandScreen) -> None:
    """Show the pane alone on the whole screen, the others under tabs; press again to show all."""
    screen.zoom()


@_MOVING.command("pane.widen", ")", "Wider", group=MOVEMENT)
def widen(screen: CommandScreen) -> None:
    """Make the pane wider; the widths of panes are remembered."""
    screen.widen(_STEP)


@_MOVING.command("pane.narrow", "(", "Narrower", group=MOVEMENT)
def narrow(screen: CommandScreen) -> None:
    """Make the pane narrower."""
    screen.widen(-_STEP)


@_MOVING.command("cursor.down", "j down", "Down", group=MOVEMENT)
def down(screen: CommandScreen) -> None:
    """Move down by one: a turn, a row, a line."""
    _tell_end(screen, screen.pane.step(1), _END)


@_MOVING.command("cursor.up", "k up", "Up", group=MOVEMENT)
def up(screen: CommandScreen) -> None:
    """Move up."""
    _tell_end(screen, screen.pane.step(-1), _BEGINNING)


@_MOVING.command("cursor.page-down", "pagedown ctrl+d", "Page down", group=MOVEMENT)
def page_down(screen: CommandScreen) -> None:
    """Move down by a screen."""
    _tell_end(screen, screen.pane.page(1), _END)


@_MOVING.command("preview.page-down", "space", "Page down", group=MOVEMENT, scopes="preview problems")
def preview_down(screen: CommandScreen) -> None:
    """Scroll the pane down by a screen."""
    page_down(screen)


@_MOVING.command("cursor.page-up", "pageup ctrl+u", "Page up", group=MOVEMENT)
def page_up(screen: CommandScreen) -> None:
    """Move up by a screen."""
    _tell_end(screen, screen.pane.page(-1), _BEGINNING)


@_MOVING.command("cursor.first", "home", "First", group=MOVEMENT)
def first(screen: CommandScreen) -> None:
    """Go to the first one."""
    (screen.say if screen.pane.jump(last=False) else screen.refuse)(_BEGINNING)


@_MOVING.command("cursor.last", "end G", "Last", group=MOVEMENT)
def last(screen: CommandScreen) -> None:
    """Go to the last one."""
    (screen.say if screen.pane.jump(last=True) else screen.refuse)(_END)


def several_parts(screen: SampleScreen) -> str:
    """Need an item of several parts."""
    item = screen.conversation.current
    return "" if item is not None and len(item.parts) > 1 else "there is one part here"


@PARTS.command("part.next", "l right", "Next part", group=MOVEMENT, scopes="turns", needs=several_parts)
def next_part(screen: SampleScreen) -> None:
    """Go to the next part of a turn: a segment, a tool call, a key."""
    _tell_end(screen, screen.conversation.step_part(1), "this is the last part of the turn")


@PARTS.command("part.previous", "h left", "Previous part", group=MOVEMENT, scopes="turns", needs=several_parts)
def previous_part(screen: SampleScreen) -> None:
    """Go to the previous part of a turn."""
    _tell_end(screen, screen.conversation.step_part(-1), "this is the first part of the turn")


def _tell_end(screen: CommandScreen, moved: bool, end: str) -> None:
    if not moved:
        screen.refuse(end)


_MARKING: Registry[SampleScreen] = Registry()
_MARKS = "Marks"


def marking(
    panes: str, needs: Callable[[Any], str], beside: str = "", taken: Mapping[str, str] = MappingProxyType({})
) -> Iterator[Command[SampleScreen]]:
    """Yield the commands that mark in panes, where `needs` has nothing to say.

    In the panes `beside` them, where `space` scrolls, the others mark as well, but for a key that is `taken` there.
    """
    for command in _MARKING:
        scopes = {*panes.split()} if command.run is toggle else {*panes.split(), *beside.split()}
        scopes -= {pane for pane, key in taken.items() if key in command.keys}
        yield command._replace(scopes=frozenset(scopes), needs=needs)


@_MARKING.command("mark.toggle", "space", "Mark", group=_MARKS, bar=16)
def toggle(screen: SampleScreen) -> None:
    """Mark what has the cursor and go to the next, or unmark it; edits and verdicts apply to all marked."""
    screen.mark(Marked.toggled)


@_MARKING.command("mark.range", "V", "Mark to here", group=_MARKS)
def extend(screen: SampleScreen) -> None:
    """Mark everything from the last mark to the cursor."""
    screen.mark(Marked.extended)


@_MARKING.command("mark.all", "*", "Mark all", group=_MARKS)
def toggle_all(screen: SampleScreen) -> None:
    """Mark all that is shown; again removes the marks."""
    screen.mark(Marked.all_toggled)
