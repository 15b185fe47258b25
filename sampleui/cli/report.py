"""`sampleui report`: the figures of a run and its review."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.reviewing import (
    deck_option,
    log_of,
    results_argument,
    results_at,
    scorer_option,
    settings_of,
    threshold_option,
    unread,
)
from sampleui.review.log.store import Log, disagreement, log_path, open_log
from sampleui.review.log.verdict_migration import has_earlier
from sampleui.review.reports.report import as_data, report_of
from sampleui.review.reports.score_edits import score_edits
from sampleui.review.reports.text import as_markdown, as_text
from sampleui.review.results.file import Results
from sampleui.runs.decks import FoundDecks, decks_of_run

NOTHING = 1


@click.command("report")
@results_argument
@threshold_option
@scorer_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "score-edits"]),
    default="text",
    help="How to print.",
)
@deck_option
def command(
    *, results: Path, fail_under: float | None, scorer: str | None, form: str, decks: tuple[Path, ...]
) -> int:
    """Print the figures of RESULTS and of the verdicts about them.

    How many records failed, by evaluator; how much of that is decided and how; where the truth is known, agreement,
    average distance and a confusion table of scores against it; outcomes against verdicts; Cohen's kappa of every
    two reviewers who decided the same records. score-edits prints the verdicts about a log of Inspect as arguments
    of its edit_score, a line each; the log is never written. A record that reviewers disagree about counts under no
    verdict and is named, until it is adjudicated. Exit codes: 0 it is printed, 1 there are no records, or no edits
    of scores to print, 2 a file, or every row of it, could not be read.
    """
    settings = settings_of(results, fail_under=fail_under, scorer=scorer)
    opened = results_at(results, settings).indexed()
    decided = decks or has_earlier(open_log(log_path(opened.path)))
    log = log_of(opened, decks_of_run(opened, decks, settings) if decided else FoundDecks())
    if form == "score-edits":
        return _score_edits(opened, log)
    for note in opened.diagnostics:
        output.complain(str(note))
    if not opened.entries:
        if not opened.skipped:
            output.complain(f"{opened.path}: there are no records")
        return unread(opened) or NOTHING
    report = report_of(opened, log, settings.asked_threshold)
    if form == "json":
        output.json_value(as_data(report))
    else:
        for line in as_markdown(report) if form == "markdown" else as_text(report):
            output.line(line)
    return unread(opened)


def _score_edits(opened: Results, log: Log) -> int:
    """Print the verdicts as edits of scores, and return the exit code."""
    edits = [*score_edits(opened, log)]
    for edit in edits:
        output.json_value(edit, compact=True)
    for entry in opened.counted:
        if log.disputed(entry.digest):
            disagreements = disagreement(log.by_reviewer(entry.digest))
            output.complain(f"{entry.id}: left out, reviewers disagree ({disagreements})")
    if code := unread(opened):
        return code
    if edits:
        return 0
    output.complain(f"{opened.path}: no verdict says anything of a score")
    return NOTHING
