"""The notes of a run as a list, from which one goes to their records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sampleui.review.handing_back import words_of
from sampleui.review.verdict import Decision
from sampleui.text.visible import one_line
from sampleui.tui.screens import asking

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.review.session import ReviewSession


async def go_to_note(screen: ReviewScreen) -> None:
    """Show the notes and comments of the run, and go to the record of the one that is picked."""
    review = screen.review
    listed = [*notes_in(review)]
    if not listed:
        screen.say("there are no notes that you may see")
        return
    width = len(str(len(listed)))
    names = {
        f"{number:>{width}} {_line(item, index, review)}": index for number, (index, item) in enumerate(listed, 1)
    }
    picked = await asking.pick(screen, "Notes", list(names))
    if picked:
        review.current = names[picked]
        screen.show_all()


def notes_in(review: ReviewSession) -> Iterator[tuple[int, Decision]]:
    """Yield what the reviewer may see that people wrote, with the index of its record, in file order."""
    for item in review.queue.items:
        if item.comments:
            for said in review.log.seen_by(review.options.reviewer, item.entry.digest):
                if said.comment:
                    yield item.entry.index, said


def _line(said: Decision, index: int, review: ReviewSession) -> str:
    where = "" if said.place is None or said.place.quote else f"{said.place}: "
    name = review.results.telling_name(review.queue.items[index].entry)
    whose = "" if said.reviewer == review.options.reviewer else f" ({one_line(said.reviewer, 40)})"
    return f"{one_line(name, 60)}{whose}  {where}{one_line(words_of(said), 200)}"
