"""What of its queue a review screen shows: filters, order, random samples and the search."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.errors import ResultsError
from sampleui.review.filters import Filters, unknown_words
from sampleui.review.queue import Order
from sampleui.tui.review.draws import take_draw
from sampleui.tui.review.filters import filter_choices, known_in
from sampleui.tui.review.rows.queue import order_words
from sampleui.tui.screens import asking
from sampleui.tui.textual_internals import COMMANDS
from sampleui.workspace.filtering import no_field

if TYPE_CHECKING:
    from sampleui.review.sampling import Draw
    from sampleui.text.terms import Term
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.widgets.filter_input import FilterInput


class Narrowing:
    """Shows fewer records, or all again in another order."""

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._unknown: tuple[str, ...] = ()

    async def choose_filter(self) -> None:
        """Ask for a filter."""
        await self.know_reworded()
        choices = filter_choices(self._screen.review, self._screen.review.queue.filters)
        picked = await asking.pick(self._screen, "Show records", list(choices))
        if picked:
            self.narrow(choices[picked])

    async def know_reworded(self) -> None:
        """Wait until it is known which records can be filtered by an expectation that has changed."""
        if self._screen.feed.expecting:
            self._screen.say("looking for expectations that changed since the run")
            await self._screen.feed.done("expectations")
            self._screen.hush()

    def narrow(self, filters: Filters) -> None:
        """Show other records."""
        if not filters.text and not self._screen.search_input.has_focus:
            self._screen.search_input.shut()
            self._seek("")  # a field that is hidden seeks nothing: the same may be typed again
        self._screen.go(self._screen.review.state.narrowed(filters))

    def _seek(self, words: str) -> None:
        self._screen.review.state = replace(self._screen.review.state, sought=words)

    def turn_order(self) -> None:
        """Sort in the next order that there is for these records."""
        review, queue = self._screen.review, self._screen.review.queue
        lacking = {
            Order.TARGET: not review.several_targets,
            Order.UNSTABLE: not review.attempts,
            Order.DRAWN: review.state.draw is None,
        }
        orders = [order for order in Order if not lacking.get(order)]
        position = orders.index(queue.order) if queue.order in orders else -1
        turned = queue.shown(order=orders[(position + 1) % len(orders)])
        self._screen.go(replace(review.state, queue=turned))
        self._screen.say(f"sorted {order_words(self._screen.review.queue.order)}")

    def take_draw(self, draw: Draw) -> None:
        """Show the records of a draw when the log has it."""
        try:
            line = take_draw(self._screen.review, draw)
        except ResultsError as error:
            self._screen.complain(error)
            return
        self._screen.show_all()
        self._screen.say(line)

    def open_search(self) -> None:
        """Open the field for a text to search the records for."""
        self._screen.review.state = self._screen.review.state.searching()
        self._screen.search_input.open()

    def search(self, message: FilterInput.Narrowed) -> None:
        """Look for a text in all records."""
        if message.words == self._screen.review.state.sought:
            return
        self._seek(message.words)
        self._screen.feed.stop_search()
        if message.words:
            self._screen.feed.search(message.words)
        else:
            self.show_found("", frozenset())

    def end_search(self) -> None:
        """Show the records that a search left out again."""
        self._seek("")
        self._screen.feed.stop_search()
        self.show_found("", frozenset())

    def leave_search(self) -> None:
        """Go to the queue, or back to where the search was opened if it was dropped."""
        self._screen.set_focus(self._screen.search_input.next_focus(self._screen.queue))
        if not self._screen.search_input.value:
            self._screen.search_input.shut()
        self._screen.run_worker(self._finish_search(), group=COMMANDS)

    async def _finish_search(self) -> None:
        await self._screen.feed.done("search")
        self._screen.review.state = replace(self._screen.review.state, sought_from=None)
        self._tell_found()

    def show_found(
        self, words: str, found: frozenset[int], terms: tuple[Term, ...] = (), unknown: tuple[str, ...] = ()
    ) -> None:
        """Show the records that a search found, if it is still the last one."""
        if words != self._screen.review.state.sought:
            return
        self._screen.index_bar.show("", 1, 1)
        self.narrow(self._screen.review.queue.filters._replace(text=words, found=found, terms=terms))
        self._unknown = unknown
        self._tell_found()

    def _tell_found(self) -> None:
        queue, words = self._screen.review.queue, self._screen.review.state.sought
        among = len(queue.shown(queue.filters._replace(text="", found=frozenset(), terms=())).visible)
        count = f"{len(queue.visible):,} of {among:,}: {words}"
        problems = [unknown_words(queue.filters.terms)]
        if self._unknown:
            known = known_in(self._screen.review.results, self._screen.review.decks)
            problems.append(no_field(self._unknown, "no record or sample", known))
        if words and any(problems):
            self._screen.warn(f"{len(queue.visible):,} of {among:,}: {'; '.join(filter(None, problems))}")
        else:
            self._screen.say(count if words else f"{among:,} records again")
