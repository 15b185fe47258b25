"""Commands that look and move and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.prompt.providers import DEFAULT_SYSTEM_PROMPT, PROVIDERS
from sampleui.tui.actions.author.needs import a_problem, a_sample, several_parts
from sampleui.tui.actions.author.registry import AUTHOR
from sampleui.tui.author.tabs import copied, is_json

if TYPE_CHECKING:
    from sampleui.tui.screens.author import AuthorScreen

_GROUP = "Moving"
NO_SYSTEM_PROMPT = "none, unless the sample has one"
SEVERAL_LINES = "write several lines …"
_PANES = "samples turns preview problems"
_STEP = 3
"""Percent of the screen by which a pane is made wider or narrower."""

_END, _BEGINNING = "this is the end", "this is the beginning"


@AUTHOR.command("pane.next", "tab", "Next pane", group=_GROUP, bar=20, anywhere=True)
def next_pane(screen: AuthorScreen) -> None:
    """Go to the next pane; a text being edited is taken."""
    screen.turn_pane(1)


@AUTHOR.command("pane.previous", "shift+tab", "Previous pane", group=_GROUP, anywhere=True)
def previous_pane(screen: AuthorScreen) -> None:
    """Go to the previous pane."""
    screen.turn_pane(-1)


@AUTHOR.command("pane.zoom", "z", "Zoom", group=_GROUP, bar=21, needs=lambda screen: screen.cannot_zoom())
def zoom(screen: AuthorScreen) -> None:
    """Show the pane alone on the whole screen, the others under tabs; press again to show all."""
    screen.zoom()


@AUTHOR.command("pane.widen", ")", "Wider", group=_GROUP)
def widen(screen: AuthorScreen) -> None:
    """Make the pane wider; the widths of panes are remembered."""
    screen.widen(_STEP)


@AUTHOR.command("pane.narrow", "(", "Narrower", group=_GROUP)
def narrow(screen: AuthorScreen) -> None:
    """Make the pane narrower."""
    screen.widen(-_STEP)


@AUTHOR.command("cursor.down", "j down", "Down", group=_GROUP, scopes=_PANES)
def down(screen: AuthorScreen) -> None:
    """Move down by a turn, a sample, a problem or a line."""
    _tell_end(screen, screen.pane.step(1), _END)


@AUTHOR.command("cursor.up", "k up", "Up", group=_GROUP, scopes=_PANES)
def up(screen: AuthorScreen) -> None:
    """Move up."""
    _tell_end(screen, screen.pane.step(-1), _BEGINNING)


@AUTHOR.command("cursor.page-down", "pagedown", "Page down", group=_GROUP, scopes=_PANES)
def page_down(screen: AuthorScreen) -> None:
    """Move down by a screen."""
    _tell_end(screen, screen.pane.page(1), _END)


@AUTHOR.command("preview.page-down", "space", "Page down", group=_GROUP, scopes="preview problems")
def preview_down(screen: AuthorScreen) -> None:
    """Scroll the pane down by a screen."""
    page_down(screen)


@AUTHOR.command("cursor.page-up", "pageup", "Page up", group=_GROUP, scopes=_PANES)
def page_up(screen: AuthorScreen) -> None:
    """Move up by a screen."""
    _tell_end(screen, screen.pane.page(-1), _BEGINNING)


@AUTHOR.command("cursor.first", "home", "First", group=_GROUP, scopes=_PANES)
def first(screen: AuthorScreen) -> None:
    """Go to the first one."""
    _tell_end(screen, screen.pane.jump(last=False), _BEGINNING)


@AUTHOR.command("cursor.last", "end G", "Last", group=_GROUP, scopes=_PANES)
def last(screen: AuthorScreen) -> None:
    """Go to the last one."""
    _tell_end(screen, screen.pane.jump(last=True), _END)


@AUTHOR.command("part.next", "l right", "Next part", group=_GROUP, scopes="turns", needs=several_parts)
def next_part(screen: AuthorScreen) -> None:
    """Go to the next part of a turn: a segment, a tool call, a key."""
    _tell_end(screen, screen.conversation.step_part(1), "this is the last part of the turn")


@AUTHOR.command("part.previous", "h left", "Previous part", group=_GROUP, scopes="turns", needs=several_parts)
def previous_part(screen: AuthorScreen) -> None:
    """Go to the previous part of a turn."""
    _tell_end(screen, screen.conversation.step_part(-1), "this is the first part of the turn")


@AUTHOR.command("preview.next", "p", "Preview", group=_GROUP, bar=7)
def next_preview(screen: AuthorScreen) -> None:
    """Show the next tab of the preview; if one pane fills the screen, go to the preview."""
    _turn_preview(screen, 1)


@AUTHOR.command("preview.previous", "P", "Previous preview", group=_GROUP)
def previous_preview(screen: AuthorScreen) -> None:
    """Show the previous tab of the preview."""
    _turn_preview(screen, -1)


def _tell_end(screen: AuthorScreen, moved: bool, end: str) -> None:
    if not moved:
        screen.refuse(end)


def _turn_preview(screen: AuthorScreen, tabs: int) -> None:
    screen.preview.turn(tabs)
    if screen.preview.has_class("away"):
        screen.set_focus(screen.preview.view)


@AUTHOR.command("problem.next", "g", "Next problem", group=_GROUP, bar=8, needs=a_problem)
def next_problem(screen: AuthorScreen) -> None:
    """Go to the next problem after the cursor, in whichever sample it is."""
    screen.told_problems.go_next()


@AUTHOR.command("problem.open", "enter", "Go there", group=_GROUP, scopes="problems", bar=1, needs=a_problem)
def open_problem(screen: AuthorScreen) -> None:
    """Go to the value the problem is about."""
    screen.problem_list.choose()


@AUTHOR.command("preview.copy", "Y", "Copy all", group="Preview", needs=a_sample)
def copy_preview(screen: AuthorScreen) -> None:
    """Copy all that the preview shows: the prompt, the question, the request as the provider takes it."""
    subject = screen.preview.subject
    if subject is None:
        raise EditRefusedError("there is no sample to copy the prompt of")
    tab = screen.preview.tab
    screen.copy(copied(subject, tab), "copied as JSON" if is_json(tab) else "copied")


@AUTHOR.command("preview.provider", "w", "Provider", group="Preview")
async def choose_provider(screen: AuthorScreen) -> None:
    """Choose the provider whose request the preview shows."""
    picked = await screen.pick(f"Provider, now {screen.settings.provider}", [*PROVIDERS])
    if picked:
        screen.use_prompt_settings(provider=picked)
        screen.say(f"the request is shown as {picked} takes it")


@AUTHOR.command("preview.system-prompt", "W", "System prompt", group="Preview")
async def choose_system_prompt(screen: AuthorScreen) -> None:
    """Write or choose the system prompt that stands in where a sample has no system message."""
    held = screen.settings.system_prompt
    names = [*dict.fromkeys([*([held] if held else []), DEFAULT_SYSTEM_PROMPT]), NO_SYSTEM_PROMPT]
    picked = await screen.pick("System prompt", [*names, SEVERAL_LINES], free=True)
    if picked == SEVERAL_LINES:
        picked = await screen.write("System prompt", held or "")
    if picked.strip():
        screen.use_prompt_settings(system_prompt=None if picked == NO_SYSTEM_PROMPT else picked)


@AUTHOR.command("preview.copy-here", "y", "Copy", group="Preview", scopes="preview", bar=2, needs=a_sample)
def copy_here(screen: AuthorScreen) -> None:
    """Copy the whole tab of the preview to the clipboard."""
    copy_preview(screen)
