"""From results to the screen that reviews them, or that asks first how their rows are to be read."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.review.queue import ReviewOptions
from sampleui.review.results.dialect import user_result_dialect
from sampleui.review.results.file import scored_results
from sampleui.review.verdict import person
from sampleui.settings.options import Settings
from sampleui.tui.review.screen import ReviewScreen
from sampleui.tui.review.session import open_review
from sampleui.tui.screens.base import ScreenMaker

if TYPE_CHECKING:
    from textual.screen import Screen

    from sampleui.review.results.file import Results, Scored
    from sampleui.settings.writing import NamedTable
    from sampleui.tui.review.session import ReviewSession
    from sampleui.tui.screens.guessed_table import Taken


def first_review(options: ReviewOptions, settings: Settings, opened: Scored | None = None) -> ScreenMaker:
    """Return what makes the first screen for results: for rows that no tool is known to write, their table.

    `opened` is the results, if they are open.

    Raises:
        ResultsError: when the results, the baseline or the log cannot be read.
        DeckError: when the deck cannot be read.
    """
    review = open_review(options, settings, opened)
    if review.results.guess is None:
        return lambda: ReviewScreen(review, settings)
    return _asking(review, options, settings)


def _asking(review: ReviewSession, options: ReviewOptions, settings: Settings) -> ScreenMaker:
    """Return what makes the screen that asks for a table; few reviews need what it shows."""
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.screens.guessed_table import UnknownScreen
    from sampleui.workspace.deck import open_with
    from sampleui.workspace.unknown_files import unknown_results

    unknown = unknown_results(review.results)
    assert unknown is not None, "what is guessed for its rows"

    def by_table(taken: Taken | None) -> Screen[int]:
        if taken is None:
            return ReviewScreen(review, settings)
        if taken.named.reads_rows:
            return review_screen(_by_table(options, taken.named), taken.settings)()
        return AuthorScreen(open_with(taken.settings, options.results, taken.asked_for), taken.settings)

    return lambda: UnknownScreen(unknown, settings, by_table)


def review_screen(options: ReviewOptions, settings: Settings, opened: Scored | None = None) -> ScreenMaker:
    """Open what a review needs and return what makes its screen. Raises as `open_review` does."""
    review = open_review(options, settings, opened)
    return lambda: ReviewScreen(review, settings)


def usual_review(
    path: Path, settings: Settings, table: NamedTable | None = None, results: Results | None = None
) -> ScreenMaker:
    """Open results as the command line does without options, and return what makes their screen.

    Args:
        path: the results.
        settings: the settings.
        table: what its rows are read by, where that is settled.
        results: its records, if they are open.

    Raises:
        ResultsError: when the results or the log cannot be read, or the reviewer is a program.
    """
    reviewer, threshold = person(settings.reviewer_name, path), settings.asked_threshold
    options = ReviewOptions(results=path, reviewer=reviewer, fail_under=threshold)
    if table is not None:
        return review_screen(_by_table(options, table), settings)
    return review_screen(options, settings, scored_results(path, settings, as_it_is=results))


def _by_table(options: ReviewOptions, table: NamedTable) -> ReviewOptions:
    """Return what was asked for, with its rows read by a table."""
    return options._replace(dialects=(user_result_dialect(table.name, table.table),))
