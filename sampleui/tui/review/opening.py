"""From results to the review screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from getpass import getuser
from pathlib import Path

from textual.screen import Screen

from sampleui.deck.load import load
from sampleui.review.options import ReviewOptions
from sampleui.review.results import Results, open_results
from sampleui.review.store import log_path, open_log
from sampleui.rundecks import decks_of_run
from sampleui.settings import Settings
from sampleui.tui.decks import deck_for
from sampleui.tui.review.deck import ReviewDeck
from sampleui.tui.review.session import ReviewSession

AT_ONCE = 1 << 20
"""Bytes up to which a results file is read before the screen is up."""


def review_screen(options: ReviewOptions, settings: Settings) -> Callable[[], Screen[int]]:
    """Open what a review needs and return what makes its screen. Large results are read while it is shown."""
    from sampleui.tui.screens.review import ReviewScreen

    review = _session(options, settings)
    return lambda: ReviewScreen(review, settings)


def usual_review(path: Path, settings: Settings) -> Callable[[], Screen[int]]:
    """Open results as the command line does without options, and return what makes their screen.

    Raises:
        ResultsError: when the results or the log cannot be read.
    """
    found = decks_of_run(open_results(path), (), settings)
    decks = tuple(deck.path for deck in found.decks)
    limit = settings.fail_under if "fail_under" in settings.origins else None
    options = ReviewOptions(
        results=path, reviewer=settings.reviewer or _user(), decks=decks, hint=found.hint, fail_under=limit
    )
    return review_screen(options, settings)


def _user() -> str:
    try:
        return getuser()
    except (OSError, KeyError):  # a container may run under a number that has no name
        return "reviewer"


def other_run(index: Path, options: ReviewOptions, settings: Settings) -> ReviewSession:
    """Return the review of another run, with the decks that it ran.

    Raises:
        ResultsError: when its results or its log cannot be read.
        DeckError: when a deck that was asked for cannot be read.
    """
    found = decks_of_run(open_results(index), options.given, settings)
    among = options.among or options.results
    paths = tuple(deck.path for deck in found.decks)
    return _session(replace(options, results=index, among=among, decks=paths, hint=found.hint), settings)


def _session(options: ReviewOptions, settings: Settings) -> ReviewSession:
    results = _begun(open_results(options.results))
    baseline = _begun(open_results(options.baseline)) if options.baseline is not None else None
    decks = tuple(ReviewDeck(deck_for(load(path), settings, None, results.deck_dialect)) for path in options.decks)
    return ReviewSession(results, open_log(log_path(results.path)), options, decks, baseline)


def _begun(results: Results) -> Results:
    if results.path.stat().st_size <= AT_ONCE:
        return results.indexed()
    next(results.index(), None)
    return results
