"""Filters, order and search of the review screen."""

from __future__ import annotations

from sampleui.review.filters import Filters
from sampleui.review.queue import Order
from sampleui.text.terms import Term
from sampleui.tui.input.settled import COMMANDS
from sampleui.tui.review.feed import Feed
from sampleui.tui.review.filters import filter_choices, known_in
from sampleui.tui.review.panes import ReviewPanes
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.workspace.filtering import no_field


class ReviewNarrowing(ReviewPanes):
    """Shows a part of a review's queue."""

    feed: Feed
    _unknown: tuple[str, ...] = ()

    async def choose_filter(self) -> None:
        """Let a filter be chosen."""
        choices = filter_choices(self.review, self.narrowed)
        picked = await self.pick("Show records", list(choices))
        if picked:
            chosen = choices[picked]
            self.narrowed = chosen.narrowed
            self.narrow(chosen.filters)

    def narrow(self, filters: Filters) -> None:
        """Show other records."""
        if not filters.text and not self.search_input.has_focus:
            self.search_input.shut()
        self.review.narrow(filters)
        self.show_all()

    def turn_order(self) -> None:
        """Sort in the next order; by target if there are several."""
        orders = [one for one in Order if one is not Order.TARGET or self.review.several_targets]
        queue = self.review.queue
        at = orders.index(queue.order) if queue.order in orders else -1
        self.review.queue = queue.shown(order=orders[(at + 1) % len(orders)])
        self.show_all()
        self.say(f"sorted by {self.review.queue.order}")

    def open_search(self) -> None:
        """Let a text be typed that records are searched for."""
        self.review.begin_search()
        self.search_input.open()

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Look for a text in all records."""
        if message.words == self.review.sought:
            return
        self.review.sought = message.words
        self.feed.stop_search()
        if message.words:
            self.feed.search(message.words)
        else:
            self.found("", frozenset())

    def end_search(self) -> None:
        """Show the records that a search left out again."""
        self.review.sought = ""
        self.feed.stop_search()
        self.found("", frozenset())

    def on_filter_input_done(self) -> None:
        """Go back to the queue."""
        if not self.search_input.value:
            self.search_input.shut()
        self.set_focus(self.queue)
        self.run_worker(self._found(), group=COMMANDS)

    async def _found(self) -> None:
        await self.feed.done("search")
        self.review.end_search()
        self._tell_found()

    def found(
        self, words: str, found: frozenset[int], terms: tuple[Term, ...] = (), unknown: tuple[str, ...] = ()
    ) -> None:
        """Show the records that a search found, if it is still the last one."""
        if words != self.review.sought:
            return
        self.index_bar.show("", 1, 1)
        self.narrow(self.review.queue.filters._replace(text=words, found=found, terms=terms))
        self._unknown = unknown
        self._tell_found()

    def _tell_found(self) -> None:
        queue, words = self.review.queue, self.review.sought
        among = len(queue.shown(queue.filters._replace(text="", found=frozenset(), terms=())).visible)
        found = f"{len(queue.visible):,} of {among:,}: {words}"
        if words and self._unknown:
            known = known_in(self.review.results, self.review.decks)
            missing = no_field(self._unknown, "no record or sample", known)
            self.warn(f"{len(queue.visible):,} of {among:,}: {missing}")
        else:
            self.say(found if words else f"{among:,} records again")
