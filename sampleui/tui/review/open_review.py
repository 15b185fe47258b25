"""Opens a review: its results, their baseline and their log; then the decks that were run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.review.log.store import log_path, open_log
from sampleui.review.queue import ReviewOptions
from sampleui.review.results.evaluations import same_evaluation_words
from sampleui.review.results.file import Results, Scored, open_results, scored_results
from sampleui.settings.options import Settings
from sampleui.text.confined import size_of
from sampleui.text.limits import RESULTS_READ_AT_ONCE
from sampleui.text.wording import counted
from sampleui.tui.review.session import ReviewSession

if TYPE_CHECKING:
    from sampleui.tui.review.decks import ReviewDeck


def open_review(options: ReviewOptions, settings: Settings, opened: Scored | None = None) -> ReviewSession:
    """Open what a review needs; large results are read while it goes on.

    Its decks are not: `decks_to_join` looks for them.

    Args:
        options: what is asked for.
        settings: the settings.
        opened: its results, if they are open.

    Raises:
        ResultsError: when the results, the baseline or the log cannot be read.
    """
    scored = opened or scored_results(options.results, settings, options.dialects)
    results, older = _indexed(scored.results), options.baseline
    baseline = None
    if older is not None:  # by the same scorer: another one of the older run would make a difference of its own
        baseline = _indexed(open_results(older, first=options.dialects, scorer=results.decider, asked=True))
    log = open_log(log_path(results.path))
    review = ReviewSession(results, log, options, baseline)
    same = same_evaluation_words(baseline, results) if baseline is not None else ""
    lost = f"{counted(log.unreadable, 'line')} of {log.path.name} cannot be read" if log.unreadable else ""
    review.note = "; ".join(filter(None, (lost, scored.note, same)))
    return review


def decks_to_join(review: ReviewSession, settings: Settings) -> tuple[Sequence[ReviewDeck], str]:
    """Return the decks that were run and what to say about them, empty for nothing; the review stays as it is.

    Raises:
        DeckError: when a deck that was asked for cannot be read.
    """
    from sampleui.runs.decks import decks_of_run
    from sampleui.tui.review.decks import ReviewDeck

    ran = decks_of_run(review.results, review.options.decks, settings)
    return tuple(map(ReviewDeck, ran.decks)), ran.hint


def other_run(index: Path, options: ReviewOptions, settings: Settings, record_id: str = "") -> ReviewSession:
    """Return the review of another run, with the decks that it ran, from a record on or from the first open one.

    Raises:
        ResultsError: when its results or its log cannot be read.
        DeckError: when a deck that was asked for cannot be read.
    """
    runs_path = options.runs_path or options.results
    itself = options.baseline is not None and options.baseline.absolute() == index.absolute()
    baseline = None if itself else options.baseline
    other = options._replace(
        results=index, runs_path=runs_path, baseline=baseline, sample=None, record_id=record_id
    )
    review = open_review(other, settings)
    review.join(*decks_to_join(review, settings))
    return review


def _indexed(results: Results) -> Results:
    if size_of(results.path) <= RESULTS_READ_AT_ONCE:
        return results.indexed()
    next(results.index(), None)
    return results
