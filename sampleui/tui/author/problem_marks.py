"""What the author screen shows of problems, and how they are looked for between frames."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from textual.timer import Timer

from sampleui.deck.history import Focus
from sampleui.text.diagnostic import Diagnostic
from sampleui.tui.author.filtering import SampleFilter
from sampleui.tui.author.problems import Problems
from sampleui.tui.author.showing import title_of
from sampleui.tui.drawing.items import find
from sampleui.tui.screens.panes import resize

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_SLICE = 0.006
_IDLE_SLICE = 0.025
"""Seconds of looking between two frames, while keys come and while none do."""

_IDLE_AFTER = 1.0
"""Seconds without a key after which nobody is waiting for one to be answered."""

_FOLLOW = 0.05
"""Seconds after a key in which the screen follows it, and nothing is looked at."""

_AT_ONCE = 8

_REPORT_INTERVAL_S = 0.5
"""Seconds between two reports of how far it is: drawing one takes as long as looking at a hundred samples."""


class ProblemMarks:
    """The problems of a deck on an author screen, as they are found.

    Attributes:
        in_pane: whether there is a pane of them: not in a deck without any.
    """

    def __init__(self, screen: AuthorScreen, narrowing: SampleFilter) -> None:
        self._screen = screen
        self._filter = narrowing
        self.in_pane = False
        self._problems: Problems | None = None
        self._timer: Timer | None = None
        self._reported = 0.0

    def watch(self) -> None:
        """Look for the problems of the deck as it is now, in slices, if that is not done or going on."""
        problems = self._screen.session.problems
        if problems is self._problems and (problems.complete or self._timer is not None):
            return
        self._problems = problems
        self._reported = 0.0
        if self._timer is None:
            self._timer = self._screen.set_interval(1 / 30, self._tick)
        self._look(problems)

    def _tick(self) -> None:
        if self._problems is not None and time.monotonic() - self._screen.last_key > _FOLLOW:
            self._look(self._problems)

    def _look(self, problems: Problems) -> None:
        idle = time.monotonic() - self._screen.last_key > _IDLE_AFTER
        until = time.perf_counter() + (_IDLE_SLICE if idle else _SLICE)
        while not problems.complete and time.perf_counter() < until:
            problems.look(_AT_ONCE)
        if problems.complete and self._timer is not None:
            self._timer.stop()
            self._timer = None
        now = time.monotonic()
        if problems.complete or now - self._reported >= _REPORT_INTERVAL_S:
            self._reported = now
            self._show_progress(problems.complete)

    def show(self) -> None:
        """Show what is known of problems, and the title line."""
        screen = self._screen
        pane = screen.problem_list
        pane.show(screen.session.problems.placed())
        if not screen.typing:  # the panes keep their sizes while one types
            self.in_pane = bool(pane.count())
            resize(pane, "height", None)
            screen.fit()
        elif not screen.has_class("narrow") and pane.size:
            resize(pane, "height", pane.outer_size.height)
        self.show_status()
        screen.samples.refresh()
        screen.title_bar.show(title_of(screen.session, screen.sample))

    def show_status(self) -> None:
        """Show the worst problem of the turn or field with the cursor."""
        self._screen.message_line.show_status(*self._screen.status())

    def go_next(self, back: bool = False) -> None:
        """Go to the first problem after the cursor, from the end to the first one; `back` is the other way.

        There is one.
        """
        screen = self._screen
        placed = screen.session.problems.placed()
        of_samples = [item for item in placed if item.sample_index is not None]
        if not of_samples:
            screen.refuse(_of_deck(placed[0]))
            return
        items = screen.conversation.items
        here = (screen.index, screen.conversation.cursor[0])
        positions = [(item, (item.sample_index, find(items, item.node)[0])) for item in of_samples]
        if back:
            target = next((item for item, position in reversed(positions) if position < here), of_samples[-1])
        else:
            target = next((item for item, position in positions if position > here), of_samples[0])
        screen.go(Focus(target.sample_index or 0, target.node))
        screen.problem_list.cursor = screen.problem_list.problems.index(target)

    def go_chosen(self) -> None:
        """Go to the value of the problem with the cursor."""
        pane = self._screen.problem_list
        if pane.problems:
            problem = pane.problems[pane.cursor]
            if problem.sample_index is not None:
                self._screen.go(Focus(problem.sample_index, problem.node))
            else:
                self._screen.refuse(_of_deck(problem))

    def _show_progress(self, complete: bool) -> None:
        screen = self._screen
        if complete:
            screen.samples.refresh()
            screen.show_flags()
            self._filter.note_checked()
        if complete or len(screen.problem_list.problems) < screen.size.height:
            self.show()
        else:
            screen.title_bar.show(title_of(screen.session, screen.sample))


def _of_deck(problem: Diagnostic) -> str:
    return f"{problem.path.name}:{problem.line}:{problem.column}, of no sample: {problem.message}"
