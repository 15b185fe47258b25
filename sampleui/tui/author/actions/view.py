"""Commands that show and move, go to a place by its name or number, or repeat the last edit."""

from __future__ import annotations

from functools import partial

from sampleui.deck.history import Focus
from sampleui.errors import EditRefusedError
from sampleui.prompt.providers import DEFAULT_SYSTEM_PROMPT, PROVIDERS
from sampleui.settings.views import ViewField
from sampleui.settings.vocabulary import PATH
from sampleui.tui.actions import PARTS, moving
from sampleui.tui.author.actions.needs import AUTHOR, a_problem, a_sample, several_samples
from sampleui.tui.author.boxes import SamplePick
from sampleui.tui.author.preview import TABS, VIEW, sample_sections
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.screens import asking
from sampleui.tui.screens.view_editor import view_edited

_GROUP = "Moving"
NO_SYSTEM_PROMPT = "none, unless the sample has one"
SEVERAL_LINES = "write several lines …"
_PANES = "samples turns preview problems"

AUTHOR.include(moving(_PANES))
AUTHOR.include(PARTS)


@AUTHOR.command("preview.next", "p", "Preview", group=_GROUP, bar=9, first="preview")
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
        screen.preview.open(tab)
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


@AUTHOR.command("preview.fold", "Z", "Fold", group="Preview", scopes="preview", bar=2)
def fold_preview(screen: AuthorScreen) -> None:
    """Show messages that are sent as written in full, or one line each where there is no room for all."""
    folded = screen.preview.fold()
    screen.say("messages that do not fit are a line each" if folded else "messages are shown whole")


@AUTHOR.command("preview.view", "V", "Edit view", group="Preview", scopes="preview", bar=3, needs=a_sample)
async def edit_view(screen: AuthorScreen) -> None:
    """Say which fields of such samples the tab View shows, and how, with the sample beside it."""
    sample = screen.sample
    assert sample is not None, "what the command needs"
    name = sample.dialect
    view = screen.settings.view.get(name, ())
    paths = [section.heading for section in sample_sections(sample, view) if section.hidden]
    named = {field.path for field in view}
    others = tuple(
        ViewField(path, hidden=bool(view)) for path in paths if path not in named and PATH.fullmatch(path)
    )
    fields = (view, others) if view else (others, ())
    folder, shown = sample.path.parent, partial(sample_sections, sample, in_full=False)
    if said := await view_edited(screen, folder, name, fields, shown):
        screen.show_preview()
        screen.preview.open(VIEW)
        screen.say(said)


def _names_variables(screen: AuthorScreen) -> str:
    sample = screen.sample
    named = sample is not None and sample.index >= 0 and screen.session.deck.render(sample).environment
    return "" if named else "the prompt of this sample names no variable of the environment"


@AUTHOR.command(
    "preview.environment", "=", "Environment", group="Preview", scopes="preview", needs=_names_variables
)
def show_environment(screen: AuthorScreen) -> None:
    """Show the values of the environment in the preview, or hide them again: names then stand as written."""
    screen.shows_environment = not screen.shows_environment
    screen.show_preview()
    screen.say("values of the environment are " + ("shown, marked" if screen.shows_environment else "hidden"))


@AUTHOR.command("preview.provider", "w", "Provider", group="Preview")
async def choose_provider(screen: AuthorScreen) -> None:
    """Choose the provider whose request the preview shows."""
    picked = await asking.pick(screen, f"Provider, now {screen.settings.provider}", [*PROVIDERS])
    if picked:
        screen.use_prompt_settings(provider=picked)
        screen.say(f"the request is shown as {picked} takes it")


@AUTHOR.command("preview.system-prompt", "W", "System prompt", group="Preview")
async def choose_system_prompt(screen: AuthorScreen) -> None:
    """Write or choose the system prompt for samples that have no system message."""
    present = screen.settings.system_prompt
    names = [*dict.fromkeys([*([present] if present else []), DEFAULT_SYSTEM_PROMPT]), NO_SYSTEM_PROMPT]
    picked = await asking.pick(screen, "System prompt", [*names, SEVERAL_LINES], texts=True)
    if picked == SEVERAL_LINES:
        picked = await asking.write(screen, "System prompt", present or "")
    if picked.strip():
        screen.use_prompt_settings(system_prompt=None if picked == NO_SYSTEM_PROMPT else picked)


@AUTHOR.command("sample.go", ":", "Go to", group=_GROUP, bar=25, needs=several_samples)
async def go_to_sample(screen: AuthorScreen) -> None:
    """Go to a sample by its number, its id, or letters of its id, from a list."""
    samples = screen.session.deck.samples
    wanted = await screen.answer_to(SamplePick(samples, max(screen.index, 0))) or ""
    number = wanted.removeprefix("#")
    if number.isdecimal() and 1 <= int(number) <= len(samples):
        screen.go(Focus(int(number) - 1))
    elif number.isdecimal():
        raise EditRefusedError(f"there is no sample {number}: the last one is {len(samples)}")
    elif wanted:
        raise EditRefusedError(f"no sample has an id like {wanted}")


def a_place(screen: AuthorScreen) -> str:
    """Need a place to go back to."""
    return "" if screen.seeking.places.by_name(screen.session.deck, screen.index) else "this is the first place"


@AUTHOR.command("place.list", "'", "Last places", group=_GROUP, needs=a_place)
async def last_places(screen: AuthorScreen) -> None:
    """Go back to one of the last places."""
    named = screen.seeking.places.by_name(screen.session.deck, screen.index)
    picked = await asking.pick(screen, "Last places", [*named])
    if picked:
        screen.go(named[picked])


@AUTHOR.command("problem.previous", "b", "Previous problem", group=_GROUP, needs=a_problem)
def previous_problem(screen: AuthorScreen) -> None:
    """Go to the problem before the cursor, in whichever sample it is."""
    screen.problem_marks.go_next(back=True)


@AUTHOR.command("go.samples", "1", "Samples", group=_GROUP)
def to_samples(screen: AuthorScreen) -> None:
    """Go to the list of samples."""
    screen.go_to_pane("samples")


@AUTHOR.command("go.turns", "2", "Conversation", group=_GROUP)
def to_turns(screen: AuthorScreen) -> None:
    """Go to the conversation."""
    screen.go_to_pane("turns")


@AUTHOR.command("go.preview", "3", "Preview pane", group=_GROUP)
def to_preview(screen: AuthorScreen) -> None:
    """Go to the preview."""
    screen.go_to_pane("preview")


@AUTHOR.command("go.problems", "4", "Problems", group=_GROUP, needs=a_problem)
def to_problems(screen: AuthorScreen) -> None:
    """Go to the list of problems."""
    screen.go_to_pane("problems")


an_edit_before = AUTHOR.need(lambda screen: screen.repeating.can_repeat, "there is no edit to repeat yet")


@AUTHOR.command("edit.repeat", ".", "Repeat", group="Deck", scopes="samples turns", bar=26, needs=an_edit_before)
async def repeat(screen: AuthorScreen) -> None:
    """Repeat the last edit where the cursor is, with the same answers and the same text."""
    await screen.repeating.repeat()
