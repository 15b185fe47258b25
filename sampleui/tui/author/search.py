"""Looking for a text in a deck, hit by hit, between frames; and the last places of the author, to go back to."""

from __future__ import annotations

import asyncio
import time
from bisect import bisect_left
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual.timer import Timer

from sampleui.deck.history import Focus
from sampleui.formats.data import shown
from sampleui.text.limits import MAX_FORMER_PLACES, TookTooLongError
from sampleui.text.visible import one_line
from sampleui.tui.drawing.rows import Row, spread
from sampleui.tui.widgets.bars import LineBar
from sampleui.workspace.deck import Deck
from sampleui.workspace.text_search import TOO_LONG, Proposed, found_in, replacements_in

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.workspace.text_search import Hit, Query


class FormerPlaces:
    """Where an author was, the last place first, each sample once."""

    def __init__(self) -> None:
        self._left: list[Focus] = []

    def leave(self, focus: Focus) -> None:
        """Note a place that is left."""
        self._left = [focus, *(item for item in self._left if item.sample != focus.sample)][:MAX_FORMER_PLACES]

    def by_name(self, deck: Deck, here: int) -> Mapping[str, Focus]:
        """Return the places by what they are called, without the current sample, and those that are gone."""
        places: dict[str, Focus] = {}
        for focus in self._left:
            if focus.sample != here and -len(deck.files.sources) <= focus.sample < len(deck.samples):
                where = f" › {shown(focus.path)}" if focus.path else ""
                places[f"{deck.sample_at(focus.sample).id}{where}"] = focus
        return places


SLICE_S = 0.01
"""Seconds of looking between two frames."""


class FindBar(LineBar, can_focus=True):
    """Hidden until something is looked for. It is given a function that says what to show."""

    scope: ClassVar[str] = "found"

    DEFAULT_CSS = """
    FindBar { display: none; background: $panel; }
    """

    def __init__(self, summary: Callable[[], tuple[str, str, str]], *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._told = summary

    def row(self, width: int) -> Row:
        """Return what is looked for, how, and how much was found."""
        text, how, position = self._told()
        left = (("accent-bold", " find "), ("text", one_line(text)), ("muted", f"  {how}"))
        return spread(left, [("match" if self.has_focus else "muted", f" {position} ")], width)


class Seeking:
    """What is looked for.

    Attributes:
        bar: the line that says so.
        places: where the author was before.
        query: what; None for nothing.
        hits: what was found so far, in the order of the deck.
        hit_index: which of them is shown; -1 for none yet.
        options: how it was asked for, by the keys of the box.
        failure: why not all was looked at; empty if it was.
    """

    def __init__(self, screen: AuthorScreen) -> None:
        self.bar = FindBar(lambda: self.summary, id="find")
        self._screen = screen
        self.places = FormerPlaces()
        self.query: Query | None = None
        self.only: int | None = None
        self.hits: list[Hit] = []
        self.hit_index = -1
        self.failure = ""
        self._deck: Deck | None = None
        self._left: Iterator[int] = iter(())
        self._timer: Timer | None = None
        self.complete = True
        self.options = frozenset[str]()

    def start(self, query: Query, only: int | None = None) -> None:
        """Look in the samples that are shown, the current one first, or in one, and give the keys to the line."""
        self.query, self.only = query, only
        self.bar.display = True
        self._begin()
        self._screen.set_focus(self.bar)

    def stop(self) -> None:
        """Look for nothing, and go back to the conversation."""
        self.query, self.hits, self.hit_index, self.complete = None, [], -1, True
        self._left = iter(())
        self._screen.conversation.mark_words("")
        self._screen.set_focus(self._screen.conversation)
        self.bar.display = False

    def step(self, by: int) -> bool:
        """Show another hit, starting again at the first one; tell whether there is one."""
        if self._deck is not None and self._deck.files is not self._screen.session.deck.files:
            self._begin()  # places may have changed
        if self.hits:
            self._show((self.hit_index + by) % len(self.hits))
        return bool(self.hits)

    @property
    def summary(self) -> tuple[str, str, str]:
        """What is looked for, how, and how much of it was found so far; empty texts for nothing."""
        query = self.query
        if query is None:
            return "", "", ""
        options = {
            "Aa": not query.ignore_case,
            "word": query.word,
            ".*": query.regex,
            "here": self.only is not None,
        }
        count = len(self.hits)
        position = f"{self.hit_index + 1:,} of {count:,}" if count else "0"
        if not count and self.complete:
            position = "nothing found in the samples shown" if self._screen.sample_filter.words else "nothing found"
        more = self.failure or ("" if self.complete else "…")
        return query.text, " ".join(option for option, on in options.items() if on), f"{position} {more}".rstrip()

    def replacements(self, new: str) -> list[Proposed]:
        """Return what would change where all hits are replaced. Raises TookTooLongError for a slow pattern."""
        assert self.query is not None
        deck = self._screen.session.deck
        samples = map(deck.sample_at, dict.fromkeys(hit.index for hit in self.hits))
        return [
            Proposed(deck, sample.id, item)
            for sample in samples
            for item in replacements_in(sample.index, sample.data, self.query, new)
        ]

    def _begin(self) -> None:
        screen = self._screen
        self._deck = screen.session.deck
        self.hits, self.hit_index, self.failure, self.complete = [], -1, "", False
        self._left = iter(self._order(self.only))
        if self._timer is None:
            self._timer = screen.set_interval(1 / 30, self.look_on)
        self.look_on()

    async def counted(self, query: Query, only: int | None) -> AsyncIterator[int]:
        """Yield how many hits there are so far of what is not yet looked for, between frames.

        Raises:
            TookTooLongError: for a slow pattern.
        """
        deck, count, until = self._screen.session.deck, 0, time.perf_counter() + SLICE_S
        for index in self._order(only):
            count += len(found_in(deck, index, query))
            if time.perf_counter() > until:
                yield count
                await asyncio.sleep(SLICE_S)
                until = time.perf_counter() + SLICE_S
        yield count

    def _order(self, only: int | None) -> list[int]:
        """Return the samples to look at, from the current one on."""
        screen = self._screen
        if only is not None:
            return [only]
        shown = [*screen.sample_filter.shown]
        here = next((position for position, index in enumerate(shown) if index >= screen.index), 0)
        return [*shown[here:], *shown[:here]]

    def look_on(self) -> None:
        """Look at more samples, for as long as the time between two frames allows."""
        until = time.perf_counter() + SLICE_S
        while (index := next(self._left, None)) is not None:
            self._look(index)
            if time.perf_counter() > until:
                break
        else:
            self.complete = True
            if self._timer is not None:
                self._timer.stop()
                self._timer = None
        first = self._first() if self.hit_index < 0 and self.hits else None
        if first is not None:
            self._show(first)
        self.bar.update()

    def _look(self, index: int) -> None:
        assert self.query is not None
        assert self._deck is not None
        try:
            hits = found_in(self._deck, index, self.query)
        except TookTooLongError:
            self.failure = TOO_LONG
            self._left = iter(())  # as it would in the next one
            return
        if hits:
            hit_index = bisect_left(self.hits, _order_of(index), key=lambda hit: _order_of(hit.index))
            shown = self.hits[self.hit_index] if self.hit_index >= 0 else None
            self.hits[hit_index:hit_index] = hits
            self.hit_index = self.hits.index(shown) if shown is not None else -1

    def _first(self) -> int | None:
        """Return the first hit at the cursor or after it, else the first of all; None while that is not known."""
        here = (_order_of(self._screen.index), self._screen.conversation.cursor[0])
        items = self._screen.conversation.items
        order = {item.path: index for index, item in enumerate(items)}

        def rank(hit: Hit) -> tuple[float, int]:
            around = (order[hit.path[:depth]] for depth in range(len(hit.path) + 1) if hit.path[:depth] in order)
            return _order_of(hit.index), max(around, default=0)

        behind = (index for index, hit in enumerate(self.hits) if rank(hit) >= here)
        return next(behind, 0 if self.complete else None)

    def _show(self, index: int) -> None:
        self.hit_index = index
        hit, screen = self.hits[index], self._screen
        if hit.index != screen.index:
            self.places.leave(screen.here)
        screen.unfold((*hit.path, 0))
        screen.refresh_all(Focus(hit.index, hit.path))
        same = [item for item in self.hits if (item.index, item.path) == (hit.index, hit.path)]
        screen.conversation.mark_words(hit.text, same.index(hit))
        self.bar.update()


def _order_of(index: int) -> float:
    """Return where a sample is in the list: what is beside the samples is below them."""
    return index if index >= 0 else float("inf")
