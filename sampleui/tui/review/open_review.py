"""Opens a review: its results, their baseline, their decks and their log."""

from __future__ import annotations

from pathlib import Path

from sampleui.deck.load import load
from sampleui.review.log.store import log_path, open_log
from sampleui.review.results.adapters.user_tables import own_results
from sampleui.review.results.file import Results, open_results
from sampleui.review.results.scored import scored_results
from sampleui.review.session import ReviewOptions
from sampleui.runs.decks import decks_of_run, ran_deck
from sampleui.settings.options import Settings
from sampleui.settings.tables import Named
from sampleui.tui.limits import RESULTS_READ_AT_ONCE
from sampleui.tui.review.decks import ReviewDeck
from sampleui.tui.review.session import ReviewSession
from sampleui.workspace.reading import PromptOptions


def open_review(options: ReviewOptions, settings: Settings) -> ReviewSession:
    """Open what a review needs; large results are read while it goes on.

    Raises:
        ResultsError: when the results, the baseline or the log cannot be read.
        DeckError: when a deck cannot be read.
    """
    opened, note = scored_results(options.results, settings, options.own)
    results, older = _indexed(opened), options.baseline
    baseline = None
    if older is not None:  # by the same scorer: another one of the older run would make a difference of its own
        baseline = _indexed(open_results(older, first=options.own, scorer=results.decider))
    prompts, otherwise = PromptOptions.of(settings), results.deck_dialect
    decks = tuple(ReviewDeck(ran_deck(load(path), None, prompts, otherwise)) for path in options.decks)
    review = ReviewSession(results, open_log(log_path(results.path)), options, decks, baseline)
    review.note = note
    return review


def other_run(index: Path, options: ReviewOptions, settings: Settings, record_id: str = "") -> ReviewSession:
    """Return the review of another run, with the decks that it ran, from a record on or from the first open one.

    Raises:
        ResultsError: when its results or its log cannot be read.
        DeckError: when a deck that was asked for cannot be read.
    """
    among = options.among or options.results
    itself = options.baseline is not None and options.baseline.absolute() == index.absolute()
    baseline = None if itself else options.baseline
    other = options._replace(results=index, among=among, baseline=baseline, sample=None, record_id=record_id)
    return open_review(with_decks(other, settings), settings)


def with_decks(options: ReviewOptions, settings: Settings) -> ReviewOptions:
    """Return what is asked for with the decks that were run: those given, else those that are found.

    Raises:
        ResultsError: when the results cannot be read.
        DeckError: when a deck that was given cannot be read.
    """
    run_decks = decks_of_run(open_results(options.results, first=options.own), options.given, settings)
    return options._replace(decks=tuple(deck.path for deck in run_decks.decks), hint=run_decks.hint)


def by_table(options: ReviewOptions, table: Named) -> ReviewOptions:
    """Return what is asked for, the rows read by a table."""
    return options._replace(own=(own_results(table.name, table.of_rows),))


def _indexed(results: Results) -> Results:
    if results.path.stat().st_size <= RESULTS_READ_AT_ONCE:
        return results.indexed()
    next(results.index(), None)
    return results
