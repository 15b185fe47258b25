"""Commands that go to a place by its name or its number, back to a former one, and the one that repeats an edit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.deck.history import Focus
from sampleui.errors import EditRefusedError
from sampleui.tui.author.actions.needs import AUTHOR, a_problem, several_samples

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_GROUP = "Moving"


@AUTHOR.command("sample.go", ":", "Go to", group=_GROUP, bar=25, needs=several_samples)
async def go_to_sample(screen: AuthorScreen) -> None:
    """Go to a sample by its number, its id, or letters of its id, from a list."""
    from sampleui.tui.author.boxes import SamplePick

    samples = screen.session.deck.samples
    wanted = await screen.asked(SamplePick(samples, max(screen.index, 0))) or ""
    number = wanted.removeprefix("#")
    if number.isdecimal() and 1 <= int(number) <= len(samples):
        screen.go(Focus(int(number) - 1))
    elif number.isdecimal():
        raise EditRefusedError(f"there is no sample {number}: the last one is {len(samples)}")
    elif wanted:
        raise EditRefusedError(f"no sample has an id like {wanted}")


@AUTHOR.command("place.list", "'", "Last places", group=_GROUP)
async def last_places(screen: AuthorScreen) -> None:
    """Go back to one of the last places."""
    named = screen.places.by_name(screen.session.deck, screen.index)
    if not named:
        raise EditRefusedError("this is the first place")
    picked = await screen.pick("Last places", [*named])
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


def an_edit_before(screen: AuthorScreen) -> str:
    """Need an edit that was made."""
    return "" if screen.repeating.can_repeat else "there is no edit to repeat yet"


@AUTHOR.command("edit.repeat", ".", "Repeat", group="Deck", scopes="samples turns", bar=26, needs=an_edit_before)
async def repeat(screen: AuthorScreen) -> None:
    """Repeat the last edit where the cursor is, with the same answers and the same text."""
    await screen.repeating.repeat()
