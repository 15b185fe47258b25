"""`sampleui comment` and `sampleui comments`: say something of a record, and read what people said."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_of
from sampleui.cli.completion import record_ids
from sampleui.cli.run_options import (
    deck_option,
    program_option,
    results_argument,
    results_at,
    reviewer_of,
    reviewer_option,
)
from sampleui.formats.data import Plain
from sampleui.review.decided import as_data, of_people, words
from sampleui.review.log.store import log_path, open_log
from sampleui.review.log.waiting_comments import Waiting
from sampleui.review.results.file import Results
from sampleui.review.session import comment_on, found_entry
from sampleui.review.verdict import LogAction
from sampleui.runs.decks import decks_of_run
from sampleui.runs.sample_as_run import samples_in
from sampleui.settings.reviewers import is_program
from sampleui.text.visible import one_line


@click.command("comment")
@results_argument
@click.argument("record_id", metavar="ID", shell_complete=record_ids)
@click.argument("text", metavar="TEXT")
@reviewer_option
@program_option
@deck_option
def comment(
    *, results: Path, record_id: str, text: str, reviewer: str | None, agent: str | None, decks: tuple[Path, ...]
) -> int:
    """Comment on the record ID of RESULTS, with the verdict that you gave it; #N is the N-th.

    Without a verdict of yours the comment waits for it in the app. With --as agent:NAME it is a program's, and is
    shown as a proposal that a person takes or refuses.

    Example: sampleui comment run.jsonl haiku 'six syllables in the last line' --as agent:claude

    Exit codes: 0 it is recorded, 2 it is not.
    """
    if not text.strip():
        raise click.BadParameter("a comment must not be empty", param_hint="TEXT")
    settings = settings_of(results, reviewer_of(reviewer, agent))
    read = results_at(results, settings)
    run_decks = decks_of_run(read, decks, settings)
    samples = samples_in(read.base_dir, run_decks)
    entry = found_entry(read, record_id)
    log, who = open_log(log_path(read.path)), settings.reviewer_name
    noted = samples.digest(entry)
    decision = comment_on(read, log, record_id, text.strip(), who, sample_hash=noted, samples=samples)
    if decision is None:
        output.line(f"the comment on {entry.id} waits for a verdict of {one_line(who, 60)}")
        return 0
    done = "kept the proposed comment" if decision.kind is LogAction.PROPOSE else "recorded the comment"
    output.line(f"{done} on {decision.record_id} in {log.path}")
    return 0


@click.command("comments")
@results_argument
@click.option(
    "--format", "form", type=click.Choice(["text", "json"]), default="text", help="For people or programs."
)
def comments(*, results: Path, form: str) -> int:
    """Print what people wrote about the records of RESULTS, by time; comments that wait for your verdict last.

    --format json prints {"comments": [...]}, each with "record", "sample", "reviewer", "kind" ("decide" or
    "adjudicate"), "verdict" (null while the comment waits for one), "comment", "failure_tags", "proposed_by" (the
    program whose proposal and words the reviewer took; null for a person's own) and "time". Comments that programs
    propose are not among them.

    Exit codes: 0 they are printed, 2 a file could not be read.
    """
    settings = settings_of(results)
    read = results_at(results, settings).indexed()
    written = [decision for decision in of_people(open_log(log_path(read.path))) if decision.comment]
    waiting = _waiting(read, settings.reviewer_name)
    if form == "json":
        unsaid: list[Plain] = [
            {
                "record": record_id,
                "sample": sample,
                "reviewer": settings.reviewer_name,
                "kind": "decide",
                "verdict": None,
                "comment": text,
                "failure_tags": [],
                "proposed_by": None,
                "time": None,
            }
            for record_id, sample, text in waiting
        ]
        output.json_value({"comments": [*(as_data(decision) for decision in written), *unsaid]})
        return 0
    for decision in written:
        output.line(words(decision))
    for record_id, _, text in waiting:
        output.line(f"{record_id}: waits for a verdict: {one_line(text, 2_000)}")
    return 0


def _waiting(results: Results, reviewer: str) -> list[tuple[str, str, str]]:
    """Return the record, the sample and the text of the comments that wait for a verdict of a person."""
    texts = {} if is_program(reviewer) else Waiting(results.path, reviewer).read()
    entries = (entry for entry in results.counted if entry.digest in texts)
    return [(entry.id, entry.sample_id, texts[entry.digest]) for entry in entries]
