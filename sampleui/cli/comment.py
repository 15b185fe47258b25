"""`sampleui comment` and `sampleui comments`: say something of a record, and read what people said."""

from __future__ import annotations

from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_of
from sampleui.cli.arguments import form_option
from sampleui.cli.completion import record_ids
from sampleui.cli.run_options import (
    deck_option,
    program_option,
    results_argument,
    results_at,
    reviewer_of,
    reviewer_option,
)
from sampleui.formats.data import Table
from sampleui.review.decided import Seen, as_data, of_people, programs_said, words
from sampleui.review.log.store import log_path, open_log
from sampleui.review.session import comment_on, found_entry
from sampleui.review.verdict import LogAction
from sampleui.runs.decks import decks_of_run
from sampleui.runs.sample_as_run import samples_in


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

    Without a verdict of yours it is a note. Lines at its beginning that begin with > quote what it is about: words
    of the answer, or of what was asked. With --as agent:NAME it is a program's, and is shown as a proposal that a
    person takes or refuses.

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
    made = comment_on(read, log, record_id, text.strip(), who, sample_hash=noted, samples=samples)
    if made.verdict is None and made.place is None and text.lstrip().startswith(">"):
        output.complain(f"{entry.id} does not say what is quoted: the comment is on the record")
    done = "kept the proposed comment" if made.kind is LogAction.PROPOSE else "recorded the comment"
    where = f", {made.place}," if made.place is not None else ""
    output.line(f"{done} on {read.telling_name(entry)}{where} in {log.path}")
    return 0


@click.command("comments")
@results_argument
@form_option
@click.option("--since", metavar="TOKEN", help="What was said since, by programs too; '' for all, with a token.")
def comments(*, results: Path, form: str, since: str | None) -> int:
    """Print what people wrote about the records of RESULTS, by time.

    --format json prints {"comments": [...]}, each with "id", "record", "sample", "reviewer", "kind" ("decide",
    "adjudicate" or "note"), "verdict" (null for a note), "comment", "code", "label", "proposed_by" (the
    program whose proposal and words the reviewer took; null for a person's own) and "time". A note may have a
    "place": the "part" of the record ("answer", "turn" or "event"), its "number", and the "quote" with its
    "start" and "end" in that. Comments that programs propose are not among them.

    --since prints what was said since a TOKEN was given, labels and what programs proposed too, these with the kind
    "propose"; its JSON has the next "token". Of a label and a code that is proposed, "code" is the name.

    Exit codes: 0 they are printed, 2 a file could not be read.
    """
    read = results_at(results, settings_of(results)).indexed()
    log = open_log(log_path(read.path))
    written = [decision for decision in of_people(log) if decision.comment]
    token: Table = {}
    if since is not None:
        try:
            seen = Seen.read(since) if since else Seen()
        except ValueError as error:
            raise click.BadParameter("not a token that this command printed", param_hint="--since") from error
        written = [decision for decision in (*of_people(log), *programs_said(log)) if seen.lacks(decision)]
        token = {"token": Seen.of(log).token}
    if form == "json":
        output.json_value({"comments": [*map(as_data, written)], **token})
        return 0
    for decision in written:
        output.line(words(decision))
    return 0
