"""`sampleui review`: step through failed samples, decide, fix the deck, go on."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import review
from sampleui.cli.arguments import FILE, form_option, plain_option
from sampleui.cli.completion import record_ids
from sampleui.cli.opened_run import OpenedRun
from sampleui.cli.run_options import (
    deck_option,
    order_option,
    results_argument,
    reviewer_option,
    scorer_option,
    threshold_option,
)
from sampleui.cli.waiting import Since, pane_beside, review_words
from sampleui.review.presence import is_reviewed
from sampleui.review.queue import Order
from sampleui.review.sampling import Design, Population
from sampleui.review.session import found_entry
from sampleui.review.verdict import person


@click.command("review")
@results_argument
@deck_option
@threshold_option
@scorer_option
@click.option("--all", "everything", is_flag=True, help="Show the records that passed too.")
@reviewer_option
@order_option
@click.option("--baseline", type=FILE, help="An earlier run to compare with.")
@click.option(
    "--id",
    "record_id",
    metavar="ID",
    default="",
    shell_complete=record_ids,
    help="Begin with this record; #N is the N-th.",
)
@click.option("--sample", "size", type=click.IntRange(1), help="Draw this many records at random.")
@click.option(
    "--from",
    "source",
    type=click.Choice([str(one) for one in Population]),
    default="all",
    help="Draw from the records that passed, failed or are ungraded.",
)
@click.option(
    "--by",
    multiple=True,
    metavar="FIELD",
    help="Draw from each target, tag, outcome, suite or value of a field in proportion; may be repeated.",
)
@click.option("--seed", metavar="SEED", default="1", help="The same seed draws the same records of the same run.")
@click.option(
    "--wait", is_flag=True, help="Print what was decided when the person leaves; in tmux in a pane beside."
)
@click.option("--since", metavar="TOKEN", help="With --wait, what was decided since an answer that had this token.")
@click.option(
    "--for", "seconds", metavar="SECONDS", type=click.FloatRange(min=0), help="Wait no longer, at the most."
)
@form_option
@plain_option
def command(
    *,
    results: Path,
    decks: tuple[Path, ...],
    fail_under: float | None,
    scorer: str | None,
    everything: bool,
    reviewer: str | None,
    order: str,
    baseline: Path | None,
    record_id: str,
    size: int | None,
    source: str,
    by: tuple[str, ...],
    seed: str,
    plain: bool | None,
    wait: bool,
    since: str | None,
    seconds: float | None,
    form: str,
) -> int:
    """Step through the failed records of RESULTS in the app.

    RESULTS is a file of results (JSON, JSON Lines, YAML, TOML, CSV), a log, the folder of a run, or a folder of
    runs or logs, of which the latest is opened; the tools are listed in the documentation. Verdicts are kept beside
    it in NAME.reviews.jsonl. A review needs no deck, but samples can only be fixed where there is one. With
    --sample the queue is a random sample, whose chances are kept in that file too, so that figures can be weighted.
    With --wait what people decided meanwhile is printed when they have left the review, with --format json as
    {"open", "decided", "refused", "edits", "token"}. Without a terminal of its own it attaches to the review that a
    person is in, opens one in a pane beside, in tmux, or says how a person opens it. The review goes on if the one
    who waits is ended; --since TOKEN, with the token that is said first and last, tells all since. --for SECONDS
    waits no longer, and 0 not at all.
    Exit codes: 0 the app was left, 1 --wait ended while a person is in the review, 2 a file could not be read,
    there is no such record, or no such sample can be drawn.
    """
    if size is None and (by or source != Population.ALL):
        raise click.UsageError("--from and --by go with --sample: they say what it is drawn from")
    design = None if size is None else Design(size, Population(source), by, seed)
    if not wait and (since is not None or seconds is not None):
        raise click.UsageError("--since and --for go with --wait")
    if wait:
        run = OpenedRun(results, decks, reviewer=reviewer, fail_under=fail_under, scorer=scorer)
        person(run.settings.reviewer_name, results)
        if record_id:
            found_entry(run.results, record_id)
        try:
            moment = Since(run.results, run.decks, since or "")
        except ValueError as error:
            raise click.BadParameter("not a token that this command printed", param_hint="--since") from error
        if seconds is not None or not output.interactive():
            _wait(moment, seconds)
            return moment.told(form)
    code = review(
        results,
        decks,
        reviewer=reviewer,
        fail_under=fail_under,
        scorer=scorer,
        plain=plain,
        everything=everything,
        order=Order(order),
        baseline=baseline,
        record_id=record_id,
        design=design,
    )
    return moment.told(form) if wait and code == 0 else code


def _wait(moment: Since, seconds: float | None) -> None:
    """Wait for the end of a review that a person is in or is to begin, in a pane beside or where they are told."""
    output.complain(f"waiting; if this is ended, the review goes on: ask again with --since {moment.token}")
    pane = None
    if is_reviewed(moment.results):
        output.complain("a person is in the review")
    elif seconds != 0 and not moment.is_over and (pane := pane_beside()) is None:
        opens = shlex.join(["sampleui", *review_words(sys.argv[1:])])
        output.complain(f"a person opens it, in a terminal: {opens}")
    moment.wait(seconds, pane)
