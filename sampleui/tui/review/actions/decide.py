"""Commands that step through the queue, decide, and settle what reviewers disagree on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from sampleui.review.verdict import Verdict
from sampleui.tui.commands import COMMENT
from sampleui.tui.review.actions.needs import (
    REVIEW,
    a_comment,
    a_decision,
    a_record,
    several_records,
    to_decide,
    undecided,
)

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

_QUEUE = "Queue"
_VERDICTS = "Verdicts"
_LOOKING = "queue turns answer scores"


@REVIEW.command("review.next", "]", "Next", group=_QUEUE, bar=1, needs=several_records)
def following(screen: ReviewScreen) -> None:
    """Go to the next record in the filter."""
    screen.step(1)


@REVIEW.command("review.previous", "[", "Previous", group=_QUEUE, bar=2, needs=several_records)
def previous(screen: ReviewScreen) -> None:
    """Go to the previous record in the filter."""
    screen.step(-1)


@REVIEW.command("review.unreviewed", "N", "Next unreviewed", group=_QUEUE, bar=11, needs=undecided)
def unreviewed(screen: ReviewScreen) -> None:
    """Go to the next record that is not decided; after the last one comes the first."""
    screen.next_unreviewed()


@REVIEW.command("review.open", "enter", "Read", group=_QUEUE, scopes="queue", bar=5, needs=a_record)
def open_record(screen: ReviewScreen) -> None:
    """Go to the answer of the record under the cursor, or to what was searched for in it."""
    screen.set_focus(screen.place_to_read)


@REVIEW.command("review.search", "/", "Search", group=_QUEUE, bar=14)
def search(screen: ReviewScreen) -> None:
    """Show only records that hold a text anywhere, or verdict:none, score<0.5, role:tool; Escape ends it."""
    screen.open_search()


def a_search(screen: ReviewScreen) -> str:
    """Need records that were searched for, or marks."""
    chosen = screen.review.queue.filters.text or screen.marks.places
    return "" if chosen else "nothing is searched for and nothing is marked"


@REVIEW.command("review.search-end", "escape", "Show all", group=_QUEUE, scopes=_LOOKING, needs=a_search)
def end_search(screen: ReviewScreen) -> None:
    """Remove the marks; if there are none, end the search and show the records again that it left out."""
    if screen.marks.places:
        screen.marks.clear()
    else:
        screen.end_search()


@REVIEW.command("review.filter", "f", "Filter", group=_QUEUE, bar=13)
async def choose_filter(screen: ReviewScreen) -> None:
    """Filter by outcome, verdict, kind of failure, evaluator, target, changes or baseline; filters add up."""
    await screen.choose_filter()


@REVIEW.command("review.order", "o", "Order", group=_QUEUE)
def turn_order(screen: ReviewScreen) -> None:
    """Sort by score, the worst first, as in the file, or by target if there are several."""
    screen.turn_order()


def _decide(verdict: Verdict) -> Callable[[ReviewScreen], Awaitable[None] | None]:
    def decide(screen: ReviewScreen) -> Awaitable[None] | None:
        return screen.decide(verdict)

    decide.__doc__ = f"Record {verdict}: {verdict.meaning}; {verdict.route}."
    return decide


for _verdict in Verdict:
    _title = str(_verdict).replace("-", " ").capitalize()
    REVIEW.command(f"verdict.{_verdict}", _verdict.key, _title, group=_VERDICTS, needs=to_decide)(_decide(_verdict))


@REVIEW.command("verdict.comment", "c", "Comment", group=_VERDICTS, bar=3, needs=a_record)
def comment(screen: ReviewScreen) -> None:
    """Comment on the record just decided, or else on this one, with its verdict or for the one to come."""
    screen.open_comment()


@REVIEW.command("comment.keep", "enter", "Keep", group=_VERDICTS, scopes=COMMENT, bar=1, needs=a_comment)
def keep_comment(screen: ReviewScreen) -> None:
    """Keep the comment."""
    screen.comment_input.leave(keep=True)


@REVIEW.command("comment.drop", "escape", "Drop", group=_VERDICTS, scopes=COMMENT, bar=2, needs=a_comment)
def drop_comment(screen: ReviewScreen) -> None:
    """Drop what was typed; an earlier comment stays."""
    screen.comment_input.leave(keep=False)


@REVIEW.command("verdict.undo", "u", "Undo", group=_VERDICTS, bar=12, needs=a_decision)
async def undo(screen: ReviewScreen) -> None:
    """Take back what you did last, a fix too, and go to its record; verdicts of earlier sessions as well."""
    await screen.undo()


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
        names = {f"{'✓' if item in given else ' '} {item}": item for item in known}
        picked = await screen.pick(f"Kinds of failure of {review.queue.items[about].entry.id}", list(names))
        if not picked:
            break
        name = names[picked]
        given = [item for item in given if item != name] if name in given else [*given, name]
    if tuple(given) != before:
        decision = review.tag(tuple(given), about)
        screen.show_all()
        screen.say(f"recorded {', '.join(given) or 'no kind of failure'} for {decision.record_id}")


@REVIEW.command("verdict.adjudicate", "A", "Adjudicate", group=_GROUP, bar=15, needs=a_disagreement)
async def adjudicate(screen: ReviewScreen) -> None:
    """Settle what reviewers disagree on: a verdict of its own, which counts for all of them."""
    review = screen.review
    names = {}
    for verdict in Verdict:
        who = ", ".join(item.reviewer for item in review.disagreement if item.verdict is verdict)
        names[f"{verdict.key} {verdict}" + (f"  ({who})" if who else "")] = verdict
    picked = await screen.pick("Adjudicate", list(names))
    if picked:
        decision = review.adjudicate(names[picked])
        screen.show_all()
        screen.say(f"adjudicated {decision.verdict} for {decision.record_id}")
