"""Comments that wait for their verdict, at the start of a review and at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.errors import ResultsError

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen


async def offer_waiting(screen: ReviewScreen) -> None:
    """Offer the comments that an earlier session left without a verdict; what is not discarded stays."""
    review = screen.review
    try:
        comments = review.waiting.read()
    except ResultsError as error:
        screen.complain(error)
        return
    if not comments:
        return
    answer = await screen.confirm(
        f"An earlier session left {_counted(len(comments))} for a verdict.",
        {"r": "Restore, each with its record", "d": "Discard"},
        "Cancel, and ask at the next start",
    )
    if answer:
        review.drafts = {**comments, **review.drafts}
    if answer == "d":
        review.drop_drafts()
    screen.show_all()


async def ask_about_waiting(screen: ReviewScreen) -> bool:
    """Ask what to do with comments that wait for a verdict; tell whether to leave."""
    screen.keep_typed()
    if not screen.review.drafts:
        return True
    answer = await screen.confirm(
        f"This session has {_counted(len(screen.review.drafts))} for a verdict.",
        {"q": "Quit, and keep them for the next start", "d": "Discard, and quit"},
        "Go on reviewing",
    )
    if answer == "d":
        screen.review.drop_drafts()
    return bool(answer)


def _counted(number: int) -> str:
    return f"{number} comment{'s that wait' if number > 1 else ' that waits'}"
