"""Commands of the user's own on the record under the cursor, as their settings name them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sampleui.runs.rerun.own import filled
from sampleui.runs.rerun.process import End, Ended, run
from sampleui.settings.options import OwnCommand
from sampleui.text.temporary import temporary_folder
from sampleui.tui.commands import Command, Hint
from sampleui.tui.review.narrowing import a_record
from sampleui.tui.review.running import BackgroundWork, OutputBox
from sampleui.tui.widgets.text_view import READING

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

TIMEOUT_S = 3600.0
"""Seconds after which a command is ended that does not end by itself."""


class OwnWork(BackgroundWork[Ended]):
    """A command of the user's own as it runs."""

    @property
    def words(self) -> str:
        """How long it has taken, or how it ended."""
        ended = self.result
        if ended is None:
            return super().words
        if ended.end is End.ENDED:
            return f"ended with exit code {ended.status} after {ended.seconds:.0f} s"
        return ended.why or str(ended.end)

    @property
    def succeeded(self) -> bool:
        """Tell whether it has ended by itself, and says that all went well."""
        return self.result is not None and self.result.end is End.ENDED and self.result.status == 0


def own_commands(commands: Mapping[str, OwnCommand]) -> Iterator[Command[ReviewScreen]]:
    """Yield the commands of the settings as those of a review."""
    for key, command in commands.items():
        help_line = f"Run {' '.join(command.arguments)}"
        yield Command(
            f"own.{key}",
            (key,),
            command.title,
            help_line,
            "Own",
            frozenset(),
            30,
            False,
            partial(_run, command),
            a_record,
        )


async def _run(command: OwnCommand, screen: ReviewScreen) -> None:
    """Start a command on the current record, and show its output until it is cancelled or has ended."""
    stack = ExitStack()
    try:
        out = stack.enter_context(temporary_folder("sampleui-own-"))
        values = _values(screen, out)
        arguments = [filled(argument, values) for argument in command.arguments]
        folder = screen.review.results.base_dir
        job = OwnWork(partial(run, arguments, folder, os.environ, out, seconds=TIMEOUT_S))
        screen.run_worker(_followed(command, screen, job, stack))
        stack = ExitStack()
    finally:
        stack.close()
    if command.show and await screen.answer_to(OwnBox(command.title, job)) == "cancel":
        job.cancel()


async def _followed(command: OwnCommand, screen: ReviewScreen, job: OwnWork, stack: ExitStack) -> None:
    """Wait for a command, and say how it ended."""
    await job.follow(stack)
    tell = screen.say if job.succeeded else screen.warn
    tell(f"{command.title}: {job.words}")


class OwnBox(OutputBox):
    """The output of a command of the user's own, which ends when it is left."""

    hints: ClassVar[Sequence[Hint]] = (Hint("escape", "Cancel it"), *READING)
    answers: ClassVar[Mapping[str, str]] = {"escape": "cancel", "c": "cancel"}


def _values(screen: ReviewScreen, out: Path) -> dict[str, str]:
    """Return the values to fill in; those that are not known of the record are missing."""
    review = screen.review
    entry = review.item.entry
    deck = review.deck
    known = {"id": entry.sample_id, "results": str(review.results.path.absolute()), "out": str(out), "n": "1"}
    known |= {"target": entry.target} if entry.target is not None else {}
    return known | ({"deck": str(deck.deck.path.absolute())} if deck is not None else {})
