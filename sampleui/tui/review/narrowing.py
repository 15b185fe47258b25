"""The commands of a review's queue: steps in it, and what it shows by filter, order, random sample and search."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from sampleui.errors import ResultsError
from sampleui.review.filters import Filters, unknown_words
from sampleui.review.queue import Order
from sampleui.text.wording import counted
from sampleui.tui.commands import Registry
from sampleui.tui.review import feed
from sampleui.tui.review.draws import draw_sample
from sampleui.tui.review.filters import filter_choices, known_in
from sampleui.tui.review.rows.queue import all_decided, order_words
from sampleui.tui.screens import asking
from sampleui.tui.textual_internals import COMMANDS
from sampleui.workspace.filtering import no_field

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

QUEUE: Registry[ReviewScreen] = Registry()
_GROUP = "Queue"
_LOOKING = "queue turns answer scores"

all_records = QUEUE.need(lambda screen: screen.review.results.complete, "the results are still being read")
a_record = QUEUE.need(lambda screen: screen.review.state.record is not None, "there is no record here")
like_errors = QUEUE.need(
    lambda screen: screen.review.state.group is not None,
    "no other record in the filter is of this sample with the same error",
)
a_search = QUEUE.need(
    lambda screen: screen.figuring or screen.review.queue.filters.text or screen.review.state.marks.places,
    "nothing is searched for and nothing is marked",
)


def several_records(screen: ReviewScreen) -> str:
    """Need another record in the filter."""
    visible = screen.review.queue.visible
    alone = len(visible) == 1 and visible[0] == screen.review.current
    return "" if visible and not alone else "there is no other record in the filter"


def undecided(screen: ReviewScreen) -> str:
    """Need a record in the filter that is not decided."""
    progress = screen.review.progress
    if not progress.total:
        return "there is no record in the filter"
    return "" if progress.waiting else all_decided(progress)


@QUEUE.command("review.sample", "S", "Random sample", group=_GROUP, bar=16, needs=all_records)
async def sample(screen: ReviewScreen) -> None:
    """Draw records at random, with known chances, so that weighted figures hold for all records."""
    await draw_sample(screen)


@QUEUE.command("review.next", "]", "Next", group=_GROUP, bar=1, needs=several_records)
def following(screen: ReviewScreen) -> None:
    """Go to the next record in the filter."""
    _step(screen, 1)


@QUEUE.command("review.previous", "[", "Previous", group=_GROUP, bar=8, needs=several_records)
def previous(screen: ReviewScreen) -> None:
    """Go to the previous record in the filter."""
    _step(screen, -1)


def _step(screen: ReviewScreen, by: int) -> None:
    if (state := screen.review.state.stepped(by)) is not None:
        screen.go(state)
    else:
        screen.refuse(f"this is the {'last' if by > 0 else 'first'} record in the filter")


@QUEUE.command("review.unreviewed", "N", "Next unreviewed", group=_GROUP, bar=11, needs=undecided)
def unreviewed(screen: ReviewScreen) -> None:
    """Go to the next record that is not decided; after the last one comes the first."""
    if (state := screen.review.state.at_open()) is not None:
        screen.go(state)


@QUEUE.command("review.open", "enter", "Read", group=_GROUP, scopes="queue", bar=5, needs=a_record)
def open_record(screen: ReviewScreen) -> None:
    """Go to the answer of the record under the cursor, or to what was searched for in it."""
    screen.set_focus(screen.place_to_read)


@QUEUE.command("review.like-errors", "+", "Open or close", group=_GROUP, bar=6, needs=like_errors)
def turn_group(screen: ReviewScreen) -> None:
    """Show each record of one sample with the same error, or all as one row, which is decided as one."""
    group = screen.review.state.group
    assert group is not None, "what the command needs"
    screen.go(screen.review.state.turned())
    what = f"{counted(len(group.members), 'record')} of one sample with this same error"
    screen.say(f"{what}, as one row" if screen.review.state.folded else what)


@QUEUE.command("review.search", "/", "Search", group=_GROUP, bar=14)
def open_search(screen: ReviewScreen) -> None:
    """Show only records that hold a text anywhere, or verdict:none, score<0.5, role:tool; Escape ends it."""
    state = screen.review.state
    screen.review.state = replace(state, sought_from=(state.current, state.current))
    screen.search_input.open()


@QUEUE.command("review.search-end", "escape", "Show all", group=_GROUP, scopes=_LOOKING, needs=a_search)
def end_search(screen: ReviewScreen) -> None:
    """Remove the marks; if there are none, end the search and show the records again that it left out.

    Figures that are being worked out are not waited for any longer, before all else.
    """
    if screen.figuring:
        feed.drop_figures(screen)
    elif screen.review.state.marks.places:
        screen.review.state = screen.review.state.marking()
        screen.show_queue()
        screen.show_state()
    else:
        _seek(screen, "")
        feed.stop_search(screen)
        _show_found(screen, Filters())


@QUEUE.command("review.filter", "f", "Filter", group=_GROUP, bar=13)
async def choose_filter(screen: ReviewScreen) -> None:
    """Filter by outcome, verdict, kind of failure, evaluator, target, changes or baseline; filters add up."""
    await know_reworded(screen)
    choices = filter_choices(screen.review, screen.review.queue.filters)
    picked = await asking.pick(screen, "Show records", list(choices))
    if picked:
        narrow(screen, choices[picked])


@QUEUE.command("review.order", "o", "Order", group=_GROUP)
def turn_order(screen: ReviewScreen) -> None:
    """Sort by score, the worst first, as in the file, or by target if there are several."""
    review, queue = screen.review, screen.review.queue
    lacking = {
        Order.TARGET: len(review.targets) < 2,
        Order.UNSTABLE: not review.attempts,
        Order.DRAWN: review.state.draw is None,
    }
    orders = [order for order in Order if not lacking.get(order)]
    position = orders.index(queue.order) if queue.order in orders else -1
    turned = queue.shown(order=orders[(position + 1) % len(orders)])
    screen.go(replace(review.state, queue=turned))
    screen.say(f"sorted {order_words(turned.order)}")


async def know_reworded(screen: ReviewScreen) -> None:
    """Wait until it is known which records can be filtered by an expectation that has changed."""
    if feed.at_work(screen, feed.EXPECTATIONS):
        screen.say("looking for expectations that changed since the run")
        await feed.done(screen, feed.EXPECTATIONS)
        screen.hush()


def narrow(screen: ReviewScreen, filters: Filters) -> None:
    """Show other records."""
    if not filters.text and not screen.search_input.has_focus:
        screen.search_input.shut()
        _seek(screen, "")  # a field that is hidden seeks nothing: the same may be typed again
    screen.go(screen.review.state.narrowed(filters))


def _seek(screen: ReviewScreen, words: str) -> None:
    screen.review.state = replace(screen.review.state, sought=words)


def search(screen: ReviewScreen, words: str) -> None:
    """Look for a text in all records."""
    if words == screen.review.state.sought:
        return
    _seek(screen, words)
    feed.stop_search(screen)
    if words:
        feed.search(screen, words, partial(_show_found, screen))
    else:
        _show_found(screen, Filters())


def leave_search(screen: ReviewScreen) -> None:
    """Go to the queue, or back to where the search was opened if it was dropped."""
    screen.set_focus(screen.search_input.next_focus(screen.queue))
    if not screen.search_input.value:
        screen.search_input.shut()
    screen.run_worker(_finish_search(screen), group=COMMANDS)


async def _finish_search(screen: ReviewScreen) -> None:
    await feed.done(screen, feed.SEARCH)
    screen.review.state = replace(screen.review.state, sought_from=None)
    try:
        _tell_found(screen)
    except ResultsError as error:
        screen.complain(error)


def _show_found(screen: ReviewScreen, found: Filters, unknown: tuple[str, ...] = ()) -> None:
    """Show the records that a search found, if it is still the last one."""
    if found.text != screen.review.state.sought:
        return
    screen.index_bar.show("", 1, 1)
    narrow(screen, screen.review.queue.filters.searching(found))
    screen.review.state = replace(screen.review.state, unknown=unknown)
    _tell_found(screen)


def _tell_found(screen: ReviewScreen) -> None:
    review, queue, words = screen.review, screen.review.queue, screen.review.state.sought
    among = len(queue.shown(queue.filters.searching(Filters())).visible)
    problems = [unknown_words(queue.filters.terms)]
    if unknown := review.state.unknown:
        problems.append(no_field(unknown, "no record or sample", known_in(review.results, review.decks)))
    if words and any(problems):
        screen.warn(f"{len(queue.visible):,} of {among:,}: {'; '.join(filter(None, problems))}")
    else:
        screen.say(f"{len(queue.visible):,} of {among:,}: {words}" if words else f"{among:,} records again")
