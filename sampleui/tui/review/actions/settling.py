"""Commands beside the verdicts: kinds of failure, and adjudication of what reviewers disagree on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.review.verdict import Verdict
from sampleui.tui.review.actions.registry import REVIEW

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

_GROUP = "Verdicts"


def kinds_are_set(screen: ReviewScreen) -> str:
    """Need names for kinds of failure."""
    return "" if screen.settings.failure_tags else "no kinds of failure are set (failure_tags in the settings)"


def a_disagreement(screen: ReviewScreen) -> str:
    """Need reviewers who disagree about the current record."""
    return "" if screen.review.disagreement else "reviewers do not disagree about this record"


@REVIEW.command("verdict.tag", "#", "Kind of failure", group=_GROUP, bar=14, needs=kinds_are_set)
async def tag(screen: ReviewScreen) -> None:
    """Tag your verdict on the record just decided, or else on this one, with kinds of failure of the settings."""
    review, about = screen.review, screen.about
    before = review.tags(about)
    given = list(before)
    while True:
        known = dict.fromkeys((*screen.settings.failure_tags, *before))
        names = {f"{'✓' if one in given else ' '} {one}": one for one in known}
        picked = await screen.pick(f"Kinds of failure of {review.queue.items[about].entry.id}", list(names))
        if not picked:
            break
        name = names[picked]
        given = [one for one in given if one != name] if name in given else [*given, name]
    if tuple(given) != before:
        made = review.tag(tuple(given), about)
        screen.show_all()
        screen.say(f"recorded {', '.join(given) or 'no kind of failure'} for {made.record_id}")


@REVIEW.command("verdict.adjudicate", "A", "Adjudicate", group=_GROUP, bar=15, needs=a_disagreement)
async def adjudicate(screen: ReviewScreen) -> None:
    """Settle what reviewers disagree on: a verdict of its own, which counts for all of them."""
    review = screen.review
    names = {}
    for verdict in Verdict:
        who = ", ".join(one.reviewer for one in review.disagreement if one.verdict is verdict)
        names[f"{verdict.key} {verdict}" + f"  ({who})" * bool(who)] = verdict
    picked = await screen.pick("Adjudicate", list(names))
    if picked:
        made = review.adjudicate(names[picked])
        screen.show_all()
        screen.say(f"adjudicated {made.verdict} for {made.record_id}")
