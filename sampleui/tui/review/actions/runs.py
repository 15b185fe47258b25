"""Opening another run from a review."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.review.results.runfolder import run_name
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
