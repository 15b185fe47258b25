"""`sampleui report`: the figures of a run and its review."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.reviewing import results_argument, results_at, settings_of, threshold_of, threshold_option, unread
from sampleui.review.log.carrying import carry_over
from sampleui.review.log.store import log_path, open_log
from sampleui.review.reports.report import as_data, report_of
from sampleui.review.reports.scoreedits import score_edits
from sampleui.review.reports.text import as_markdown, as_text


@click.command("report")
@results_argument
@threshold_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "markdown", "score-edits"]),
    default="text",
    help="How to print.",
)
def command(results: Path, fail_under: float | None, form: str) -> int:
    """Print the figures of RESULTS and of the verdicts about them.

    How many records failed, by evaluator; how much of that is decided and how; where the truth is known, agreement,
    average distance and a confusion table of scores against it; outcomes against verdicts; Cohen's kappa of every
    two reviewers who decided the same records. score-edits prints the verdicts about a log of Inspect as arguments
    of its edit_score, a line each; the log is never written. Exit codes: 0 it is printed,
    2 a file, or every row of it, could not be read.
    """
    settings = settings_of(results, fail_under=fail_under)
    opened = results_at(results).indexed()
    log = open_log(log_path(opened.path))
    carry_over(opened, log)
    if form == "score-edits":
        for edit in score_edits(opened, log):
            output.json_value(edit, compact=True)
        return unread(opened)
    report = report_of(opened, log, threshold_of(settings))
    for note in opened.diagnostics:
        output.complain(str(note))
    if form == "json":
        output.json_value(as_data(report))
    else:
        for line in as_markdown(report) if form == "markdown" else as_text(report):
            output.line(line)
    return unread(opened)
