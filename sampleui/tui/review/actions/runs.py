"""Opening another run from a review, and having another scorer decide about this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.review.results.runfolder import run_name
from sampleui.settings.remembering import remember
from sampleui.settings.tables import settings_file
from sampleui.tui.review.actions.registry import REVIEW
from sampleui.tui.review.waiting import ask_about_waiting

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen


def several_runs(screen: ReviewScreen) -> str:
    """Need other runs beside the one that is open."""
    return "" if len(screen.review.runs) > 1 else "there are no other runs beside this one"


@REVIEW.command("review.runs", "O", "Other runs", group="Looking", bar=13, needs=several_runs)
async def other_runs(screen: ReviewScreen) -> None:
    """Open another run of the folder; the latest is listed first."""
    review = screen.review
    names = {}
    for at, index in enumerate(review.runs):
        here = index.absolute() == review.results.path.absolute()
        names[run_name(index, review.among) + " · latest" * (at == 0) + " · open" * here] = index
    picked = await screen.pick("Runs", list(names))
    if picked and names[picked] != review.results.path and await ask_about_waiting(screen):
        screen.open_run(names[picked])


def several_scorers(screen: ReviewScreen) -> str:
    """Need several scorers of which one decides."""
    results = screen.review.results
    if results.decider is None:
        return "the run says itself which records passed"
    return "" if len(results.scorers) > 1 else "the run has no other scorer"


@REVIEW.command("review.scorer", "D", "Deciding scorer", group="Looking", bar=15, needs=several_scorers)
async def scorer(screen: ReviewScreen) -> None:
    """Choose the scorer that decides what passed; the choice is kept in the project's settings."""
    results = screen.review.results
    names = {name + " · decides" * (name == results.decider): name for name in results.scorers}
    picked = await screen.pick("Which scorer decides what passed", list(names))
    if picked and names[picked] != results.decider:
        path = settings_file(results.path.parent)
        remember("scorer", names[picked], path)
        screen.settings = screen.settings.under({"scorer": names[picked]}, str(path))
        screen.reload(names[picked])
