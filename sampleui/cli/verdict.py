"""`sampleui verdict`: decide about a record without the app."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_of
from sampleui.cli.completion import record_ids
from sampleui.cli.run_options import (
    deck_option,
    log_of,
    program_option,
    results_argument,
    results_at,
    reviewer_of,
    reviewer_option,
)
from sampleui.review.labels import known_code
from sampleui.review.log.store import log_path, open_log
from sampleui.review.session import decide, found_entry
from sampleui.review.verdict import LogAction, Verdict
from sampleui.runs.decks import decks_of_run
from sampleui.runs.sample_as_run import samples_in


@click.command("verdict")
@results_argument
@click.argument("record_id", metavar="ID", shell_complete=record_ids)
@click.argument("verdict", metavar="VERDICT", type=click.Choice([str(verdict) for verdict in Verdict]))
@click.option("--comment", metavar="TEXT", help="Why; '' drops what you said before.")
@click.option(
    "--code",
    "--tag",
    "codes",
    multiple=True,
    metavar="NAME",
    help="A code by which it fails, as code list names them; may be repeated.",
)
@click.option("--adjudicate", is_flag=True, help="Settle a disagreement between reviewers.")
@reviewer_option
@program_option
@deck_option
def command(
    *,
    results: Path,
    record_id: str,
    verdict: str,
    comment: str | None,
    codes: tuple[str, ...],
    adjudicate: bool,
    reviewer: str | None,
    agent: str | None,
    decks: tuple[Path, ...],
) -> int:
    """Record a verdict on the record ID of RESULTS; #N is the N-th.

    VERDICT is model-wrong, expected-wrong, grader-wrong, flaky, ok or skip.

    It goes to the log that the app writes too, and is on the disk when this returns. Where the deck is known, the
    verdict notes what the sample was like. The comment of your verdict before stays unless another is given,
    and so do your labels. With --as agent:NAME it is a program's: kept as a proposal, which is shown, counts
    as nobody's, and waits for a person to take or refuse it in the review. Exit codes: 0 it is recorded, 2 it
    is not.
    """
    settings = settings_of(results, reviewer_of(reviewer, agent))
    read = results_at(results, settings)
    run_decks = decks_of_run(read, decks, settings)
    samples = samples_in(read.base_dir, run_decks)
    entry = found_entry(read, record_id)
    noted = samples.digest(entry)
    log = log_of(read, run_decks) if adjudicate or codes else open_log(log_path(read.path))
    decision = decide(
        read,
        log,
        record_id,
        Verdict(verdict),
        settings.reviewer_name,
        comment=comment,
        sample_hash=noted,
        codes=[known_code(log, name) for name in codes],
        adjudicate=adjudicate,
        samples=samples,
    )
    stays = comment is None and decision.comment
    kept = "; the comment of the verdict before stays" if stays else ""
    done = "kept the proposal" if decision.kind is LogAction.PROPOSE else "recorded"
    output.line(f"{done} {decision.verdict} for {read.telling_name(entry)} in {log.path}{kept}")
    return 0
