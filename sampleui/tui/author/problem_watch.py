"""Looks for problems between frames, so that a large deck can be used at once."""

from __future__ import annotations

import time
from collections.abc import Callable

from textual.timer import Timer

from sampleui.tui.author.problems import Problems
from sampleui.tui.screens.base import CommandScreen

_SLICE = 0.006
_IDLE_SLICE = 0.025
"""Seconds of looking between two frames, while keys come and while none do."""

_IDLE_AFTER = 1.0
"""Seconds without a key after which nobody is waiting for one to be answered."""

_FOLLOW = 0.05
"""Seconds after a key in which the screen follows it, and nothing is looked at."""

_AT_ONCE = 8


class ProblemWatch:
    """Looks through the samples of a deck in slices and reports how far it is."""

    def __init__(self, screen: CommandScreen, told: Callable[[bool], None]) -> None:
        self._screen = screen
        self._told = told
        self._problems: Problems | None = None
        self._timer: Timer | None = None

    def watch(self, problems: Problems) -> None:
        """Look through a deck, if that is not done or under way. `told` is called with whether it is complete."""
        if problems is self._problems and (problems.complete or self._timer is not None):
            return
        self._problems = problems
        if self._timer is None:
            self._timer = self._screen.set_interval(1 / 30, self._tick)
        self._look()

    def _tick(self) -> None:
        if time.monotonic() - self._screen.last_key > _FOLLOW:
            self._look()

    def _look(self) -> None:
        problems = self._problems
        assert problems is not None
        idle = time.monotonic() - self._screen.last_key > _IDLE_AFTER
        until = time.perf_counter() + (_IDLE_SLICE if idle else _SLICE)
        while not problems.complete and time.perf_counter() < until:
            problems.look(_AT_ONCE)
        if problems.complete and self._timer is not None:
            self._timer.stop()
            self._timer = None
        self._told(problems.complete)
