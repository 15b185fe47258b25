"""Edits that earlier sessions of a deck left unsaved, offered when it is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.deck.journal import forget, journals, recoverable
from sampleui.text.wording import counted

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen


async def offer_recovery(screen: AuthorScreen) -> None:
    """Tell of other sessions of this deck, and offer what those left unsaved that ended without leave.

    Only what is discarded here, or restored, is gone from the next start.
    """
    session = screen.session
    if session.journal.is_locked:
        return  # it was asked when the deck was opened
    session.journal.hold()
    if not {*journals(session.deck.path)} - {session.journal.path}:
        return
    left_edits = recoverable(session.deck.files, session.journal.path)
    if left_edits.notes:
        screen.warn("; ".join(left_edits.notes))
    for number, left in enumerate(left_edits.left, 1):
        more = {"n": "Ask about the one before it"} if number < len(left_edits.left) else {}
        edits = counted(len(left.steps), "unsaved edit")
        answer = await screen.confirm(
            f"An earlier session of {session.deck.path.name} ended with {edits}.",
            {"r": "Restore them, to look at and save", "d": "Discard them", **more},
            "Cancel, and ask at the next start",
        )
        if answer == "r":
            session.repeat(left.steps)
            if session.journal.failure is None:
                forget(left.path)
            screen.show_step("restored", left.steps[-1])
            if left_edits.notes:
                screen.warn("; ".join((f"restored: {left.steps[-1].label}", *left_edits.notes)))
        elif answer == "d":
            forget(left.path)
        if answer in ("r", ""):
            return
    for stale in left_edits.stale:
        asks = f"{stale.why[0].upper()}{stale.why[1:]}."
        if (
            await screen.confirm(asks, {"d": "Discard them"}, "Keep them, and ask at the next start", safe=True)
            == "d"
        ):
            forget(stale.path)
