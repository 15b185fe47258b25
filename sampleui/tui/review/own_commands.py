"""Commands of the user's own on the record under the cursor, as their settings name them."""

from __future__ import annotations

import asyncio
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from sampleui.errors import EditRefusedError
from sampleui.runs.rerun.process import KEPT_LINES, End, Ended, run
from sampleui.settings.options import PLACEHOLDER, OwnCommand
from sampleui.text.temporary import temporary_folder
from sampleui.tui.commands import Command, Hint
from sampleui.tui.review.running import OutputBox
from sampleui.tui.widgets.text_view import READING

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

LONGEST = 3600.0
"""Seconds after which a command is ended that does not end by itself."""


class OwnWork:
    """A command of the user's own as it runs; what it comes to is noted by the thread that waits for it."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        self.ended: Ended | None = None
        self._began = monotonic()
        self._stopped = threading.Event()

    @property
    def is_running(self) -> bool:
        """Whether it has not ended yet."""
        return self.ended is None

    @property
    def words(self) -> str:
        """How long it has taken, or how it ended."""
        ended = self.ended
        if ended is None:
            return f"{monotonic() - self._began:.0f} s"
        if ended.end is End.ENDED:
            return f"ended with exit code {ended.status} after {ended.seconds:.0f} s"
        return ended.why or str(ended.end)

    def work(self, arguments: list[str], folder: Path, out: Path) -> None:
        """Run it to its end, in the thread that calls this."""
        tell, is_stopped = self.lines.append, self._stopped.is_set
        self.ended = run(arguments, folder, os.environ, out, seconds=LONGEST, tell=tell, is_stopped=is_stopped)

    def cancel(self) -> None:
        """Have all that it started ended."""
        self._stopped.set()


def own_commands(commands: Mapping[str, OwnCommand]) -> Iterator[Command[ReviewScreen]]:
    """Yield the commands of the settings as those of a review."""
    for key, own in commands.items():
        help_line = f"Run {' '.join(own.arguments)}"
        yield Command(
            f"own.{key}", (key,), own.title, help_line, "Own", frozenset(), 30, False, partial(_run, own), _lacks
        )


def _lacks(screen: ReviewScreen) -> str:
    return "" if isinstance(screen.review.current, int) else "there is no record here"


async def _run(own: OwnCommand, screen: ReviewScreen) -> None:
    """Start a command on the current record, and show its output until it is cancelled or has ended."""
    stack = ExitStack()
    try:
        out = stack.enter_context(temporary_folder("sampleui-own-"))
        values = _values(screen, out)
        arguments = [_filled(argument, values) for argument in own.arguments]
        job = OwnWork()
        screen.run_worker(
            _followed(own, screen, job, partial(job.work, arguments, screen.review.results.base_dir, out), stack)
        )
        stack = ExitStack()
    finally:
        stack.close()
    if own.show and await screen.answer_to(OwnBox(own.title, job)) == "cancel":
        job.cancel()


async def _followed(
    own: OwnCommand, screen: ReviewScreen, job: OwnWork, work: Callable[[], None], stack: ExitStack
) -> None:
    """Wait for a command beside the commands of the review, which go on, and say how it ended."""
    with stack:
        waiting = asyncio.get_running_loop().run_in_executor(None, work)
        try:
            await asyncio.shield(waiting)
        finally:
            job.cancel()
            await asyncio.shield(waiting)
    screen.say(f"{own.title}: {job.words}")


class OwnBox(OutputBox):
    """The output of a command of the user's own, which ends when it is left."""

    hints: ClassVar[Sequence[Hint]] = (Hint("escape", "Cancel it"), *READING)
    answers: ClassVar[Mapping[str, str]] = {"escape": "cancel", "c": "cancel"}


def _values(screen: ReviewScreen, out: Path) -> dict[str, str]:
    """Return what is filled in; what is not known of the record is missing."""
    review = screen.review
    entry = review.item.entry
    deck = review.deck
    known = {"id": entry.sample_id, "results": str(review.results.path.absolute()), "out": str(out), "n": "1"}
    known |= {"target": entry.target} if entry.target is not None else {}
    return known | ({"deck": str(deck.deck.path.absolute())} if deck is not None else {})


def _filled(argument: str, values: Mapping[str, str]) -> str:
    """Return an argument with its values. Raises EditRefusedError where one is not known, or would be an option."""
    for name in PLACEHOLDER.findall(argument):
        if name not in values:
            raise EditRefusedError(f"the {name} of this record is not known")
    filled = PLACEHOLDER.sub(lambda match: values[match[1]], argument)
    if filled.startswith("-") and not argument.startswith("-"):
        raise EditRefusedError(f"{filled} begins with a dash, and would be taken for an option")
    return filled
