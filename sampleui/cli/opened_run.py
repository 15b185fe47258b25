"""A run that a command is about: its results, the decks that were run and the log of its reviews."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, wraps
from inspect import signature
from pathlib import Path
from typing import Any, TypeAlias

from sampleui.cli import output
from sampleui.cli.app import settings_for
from sampleui.cli.arguments import with_options
from sampleui.cli.output import FAILED
from sampleui.cli.run_options import deck_option, results_argument, reviewer_of
from sampleui.review.codes import Codebook
from sampleui.review.log.store import Log, log_path, open_log
from sampleui.review.log.verdict_migration import RunSamples, carry_over
from sampleui.review.results.file import Results, scored_results
from sampleui.review.results.run_paths import latest_of, not_looked_into, run_name
from sampleui.runs.decks import NONE_KNOWN, FoundDecks, decks_of_run
from sampleui.runs.sample_as_run import samples_in
from sampleui.settings.options import Settings
from sampleui.text.wording import counted

_MAX_LISTED = 12
_Command: TypeAlias = Callable[..., int]


class OpenedRun:
    """Results, and what else commands need of their run, each part read when it is asked for.

    Args:
        path: the results. Of a folder of runs the latest is opened, and the others, and what is left out, are told.
        decks: the decks that were run, or folders of them; those that can be found if none is given.
        reviewer, agent: who says something, a person or a program, by an option.
        fail_under: the threshold that is asked for.
        scorer: the scorer that is to decide.
    """

    def __init__(
        self,
        path: Path,
        decks: Sequence[Path] = (),
        *,
        reviewer: str | None = None,
        agent: str | None = None,
        fail_under: float | None = None,
        scorer: str | None = None,
    ) -> None:
        self.path, self._decks, self._by = path, decks, (reviewer, agent)
        self._fail_under, self._scorer = fail_under, scorer

    @cached_property
    def settings(self) -> Settings:
        """The settings for it, with the command line's. Raises SettingsError as `load_settings` does."""
        who = reviewer_of(*self._by)
        return settings_for(self.path, reviewer=who, fail_under=self._fail_under, scorer=self._scorer)

    @cached_property
    def results(self) -> Results:
        """Its results. Raises ResultsError as `scored_results` does."""
        opened, note = scored_results(self.path, self.settings)
        if note:
            output.complain(note)
        if opened.guess is not None:
            output.complain(f"{opened.path}: {opened.guess.remark}")
        for left_out in not_looked_into(self.path):
            output.complain(left_out)
        latest, *others = [run_name(index, self.path) for index in latest_of(self.path)] or [""]
        if others:
            listed = ", ".join(others[:_MAX_LISTED])
            more = f" and {len(others) - _MAX_LISTED:,} more" if len(others) > _MAX_LISTED else ""
            output.complain(f"{latest} is the latest of {len(others) + 1:,} runs; the others: {listed}{more}")
        return opened

    @property
    def reviewer(self) -> str:
        """The name of who says something. Raises SettingsError where it is nobody's."""
        return self.settings.reviewer_name

    @property
    def threshold(self) -> float | None:
        """The threshold that was asked for."""
        return self.settings.asked_threshold

    @cached_property
    def decks(self) -> FoundDecks:
        """The decks that were run, as `decks_ran` finds them."""
        return decks_ran(self.results, self._decks, self.settings)

    @cached_property
    def samples(self) -> RunSamples:
        """The samples of the decks, as the run had them."""
        return samples_in(self.results.base_dir, self.decks)

    @cached_property
    def log(self) -> Log:
        """The log of its reviews as it stands beside the results. Raises ResultsError if it cannot be read."""
        log = open_log(log_path(self.results.path))
        tell_unreadable(log)
        return log

    @cached_property
    def carried_log(self) -> Log:
        """The log with the decisions of earlier runs that count for its records. Raises as `log` does."""
        carry_over(self.results.indexed(), self.log, self.samples)
        tell_repeated(self.log.codebook)
        return self.log


def on_run(*options: Callable[[_Command], _Command]) -> Callable[[_Command], _Command]:
    """Return what gives a command RESULTS, --deck and options that say how they are opened, all as its `run`."""

    def decorated(command: _Command) -> _Command:
        own = signature(command).parameters

        @wraps(command)
        def called(*, results: Path, decks: tuple[Path, ...], **given: Any) -> int:
            opened = {name: given.pop(name) for name in _OPENING & given.keys() - own.keys()}
            return command(run=OpenedRun(results, decks, **opened), **given)

        return with_options(results_argument, *options, deck_option)(called)

    return decorated


_OPENING = {"reviewer", "agent", "fail_under", "scorer"}


def decks_ran(results: Results, asked: Sequence[Path], settings: Settings) -> FoundDecks:
    """Return the decks that were run; where several could be it, none of which is used then, that is told.

    Raises:
        DeckError: as `decks_of_run` does.
    """
    found = decks_of_run(results, asked, settings)
    if found.hint not in ("", NONE_KNOWN):
        output.complain(found.hint)
    return found


def unread(results: Results) -> int:
    """Return the exit code for results that are indexed, and say so when nothing in them could be read."""
    if results.entries or not results.skipped:
        return 0
    output.complain(f"{results.path}: none of its {results.skipped:,} rows could be read")
    return FAILED


def tell_unreadable(log: Log) -> None:
    """Say on standard error how many lines of a log cannot be read, which count for nothing then."""
    if log.unreadable:
        output.complain(f"{log.path}: {counted(log.unreadable, 'line')} that cannot be read, and of no account")


def tell_repeated(book: Codebook) -> None:
    """Say on standard error which headings in the file of the codes count for nothing."""
    for line, why in book.warnings:
        output.complain(f"{book.path}:{line}: {why}")
