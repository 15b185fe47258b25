"""Commands that show and move, and change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.prompt.providers import DEFAULT_SYSTEM_PROMPT, PROVIDERS
from sampleui.tui.actions import PARTS, moving
from sampleui.tui.author.actions.needs import AUTHOR, a_problem
from sampleui.tui.author.preview import TABS

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_GROUP = "Moving"
NO_SYSTEM_PROMPT = "none, unless the sample has one"
SEVERAL_LINES = "write several lines …"
_PANES = "samples turns preview problems"

AUTHOR.include(moving(_PANES))
AUTHOR.include(PARTS)


@AUTHOR.command("preview.next", "p", "Preview", group=_GROUP, bar=9)
def next_preview(screen: AuthorScreen) -> None:
    """Show the next tab of the preview; if another pane fills the screen, go to the preview first."""
    _turn_preview(screen, 1)


@AUTHOR.command("preview.previous", "P", "Previous preview", group=_GROUP)
def previous_preview(screen: AuthorScreen) -> None:
    """Show the previous tab of the preview; if another pane fills the screen, go to the preview first."""
    _turn_preview(screen, -1)


def _turn_preview(screen: AuthorScreen, tabs: int) -> None:
    screen.editing.follow()
    if screen.preview.has_class("away"):
        screen.set_focus(screen.preview.view)
    else:
        screen.preview.turn(tabs)


def _declare_tab(tab: str) -> None:
    def shown(screen: AuthorScreen) -> str:
        return "" if tab in screen.preview.tabs else "the preview of this sample has no such tab"

    def show(screen: AuthorScreen) -> None:
        screen.editing.follow()
        screen.preview.turn_to(tab)
        if screen.preview.has_class("away"):
            screen.set_focus(screen.preview.view)

    show.__doc__ = f"Show the tab {tab} of the preview."
    AUTHOR.command(f"preview.tab-{tab.lower()}", "", f"{tab} preview", group="Preview", needs=shown)(show)


for _tab in TABS:
    _declare_tab(_tab)


@AUTHOR.command("problem.next", "! g", "Next problem", group=_GROUP, bar=8, needs=a_problem)
def next_problem(screen: AuthorScreen) -> None:
    """Go to the next problem after the cursor, in whichever sample it is."""
    screen.problem_marks.go_next()


@AUTHOR.command("problem.open", "enter", "Go there", group=_GROUP, scopes="problems", bar=1, needs=a_problem)
def open_problem(screen: AuthorScreen) -> None:
    """Go to the value the problem is about."""
    screen.problem_list.choose()


@AUTHOR.command("preview.fold", "Z", "Fold", group="Preview", scopes="preview", bar=10)
def fold_preview(screen: AuthorScreen) -> None:
    """Show messages that are sent as written whole, though the conversation is beside, or fold them."""
    folded = screen.preview.fold()
    screen.say("messages that are sent as written are a line each" if folded else "messages are shown whole")


@AUTHOR.command("preview.provider", "w", "Provider", group="Preview")
async def choose_provider(screen: AuthorScreen) -> None:
    """Choose the provider whose request the preview shows."""
    picked = await screen.pick(f"Provider, now {screen.settings.provider}", [*PROVIDERS])
    if picked:
        screen.use_prompt_settings(provider=picked)
        screen.say(f"the request is shown as {picked} takes it")


@AUTHOR.command("preview.system-prompt", "W", "System prompt", group="Preview")
async def choose_system_prompt(screen: AuthorScreen) -> None:
    """Write or choose the system prompt that stands in if a sample has no system message."""
    present = screen.settings.system_prompt
    names = [*dict.fromkeys([*([present] if present else []), DEFAULT_SYSTEM_PROMPT]), NO_SYSTEM_PROMPT]
    picked = await screen.pick("System prompt", [*names, SEVERAL_LINES], texts=True)
    if picked == SEVERAL_LINES:
        picked = await screen.write("System prompt", present or "")
    if picked.strip():
        screen.use_prompt_settings(system_prompt=None if picked == NO_SYSTEM_PROMPT else picked)
