"""From results to the review screen."""

from __future__ import annotations

from collections.abc import Callable
from getpass import getuser
from pathlib import Path

from textual.screen import Screen

from sampleui.review.session import ReviewOptions
from sampleui.settings.options import Settings
from sampleui.settings.tables import Named
from sampleui.tui.review.beginning import begun, by_table, with_decks


def review_screen(options: ReviewOptions, settings: Settings) -> Callable[[], Screen[int]]:
    """Open what a review needs and return what makes its screen. Large results are read while it is shown."""
    from sampleui.tui.review.screen import ReviewScreen

    review = begun(options, settings)
    return lambda: ReviewScreen(review, settings)


def usual_review(path: Path, settings: Settings, table: Named | None = None) -> Callable[[], Screen[int]]:
    """Open results as the command line does without options, and return what makes their screen.

    Args:
        path: the results.
        settings: the settings.
        table: what its rows are read by, where that is settled.

    Raises:
        ResultsError: when the results or the log cannot be read.
    """
    limit = settings.fail_under if "fail_under" in settings.origins else None
    options = ReviewOptions(results=path, reviewer=settings.reviewer or _user(), fail_under=limit)
    return review_screen(with_decks(options if table is None else by_table(options, table), settings), settings)


def _user() -> str:
    try:
        return getuser()
    except (OSError, KeyError):  # a container may run under a number that has no name
        return "reviewer"
