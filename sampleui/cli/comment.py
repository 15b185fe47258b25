"""`sampleui comment` and `sampleui comments`: say something of a record, and read what people said."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import answer_option, form_option
from sampleui.cli.completion import record_ids
from sampleui.cli.opened_run import OpenedRun, on_run, unread
from sampleui.cli.run_options import lines_option, program_option, reviewer_option
from sampleui.cli.saying import said_in, say
from sampleui.formats.data import Plain, Table
from sampleui.review.decided import Seen, as_data, of_people, programs_said, words
from sampleui.review.results.file import Results
from sampleui.review.session import Remark, decision_about
from sampleui.review.verdict import Decision, LogAction

_ALL_READ = 1_000
"""Records of a run up to which each is read for what people wrote of it; of more those that a person graded."""


@click.command("comment")
@on_run(reviewer_option, program_option)
@click.argument("record_id", metavar="ID", shell_complete=record_ids, required=False)
@click.argument("text", metavar="TEXT", required=False)
@lines_option
@answer_option()
def comment(*, run: OpenedRun, record_id: str | None, text: str | None, lines: Path | None) -> int:
    """Comment on the record ID of RESULTS, with the verdict that you gave it; #N is the N-th.

    Without a verdict of yours it is a note. Lines at its beginning that begin with > quote what it is about: words
    of the answer, or of what was asked. With --as agent:NAME it is a program's, and is shown as a proposal that a
    person takes or refuses. --lines and --format json are those of `sampleui verdict`, and so are the exit codes.

    Example: sampleui comment run.jsonl haiku 'six syllables in the last line' --as agent:claude
    """
    if lines is not None:
        if record_id is not None:
            raise click.UsageError("give either ID and TEXT, or --lines")
        return say(run, said_in(lines), lines=lines)
    if record_id is None or text is None:
        raise click.UsageError("give ID and TEXT, or --lines FILE")
    if not text.strip():
        raise click.BadParameter("a comment must not be empty", param_hint="TEXT")
    said = Remark(record_id, None, text.strip())
    return say(run, [said])


@click.command("comments")
@on_run()
@form_option
@click.option("--since", metavar="TOKEN", help="What was said since, by programs too; '' for all, with a token.")
def comments(*, run: OpenedRun, form: str, since: str | None) -> int:
    """Print what people wrote about the records of RESULTS, by time.

    --format json prints {"comments": [...]}, each with "id", "record", "deck", "sample", "reviewer", "kind"
    ("decide", "adjudicate" or "note"), "verdict" (null for a note), "comment", "code", "label", "proposed_by" (the
    program whose proposal and words the reviewer took; null for a person's own) and "time". A note may have a
    "place": the "part" of the record ("answer", "turn" or "event"), its "number", and the "quote" with its
    "start" and "end" in that. Comments that programs propose are not among them. What people wrote in a file of the
    run's own tool, such as a feedback.json, comes last, with what has it as "reviewer", without "id" and "time".

    --since prints what was said since a TOKEN was given, and what programs proposed, with the kind "propose"; its
    JSON has the next "token". "code" is the name of a code that is proposed, with a "label" or by itself.

    Exit codes: 0 they are printed, 2 a file could not be read.
    """
    read, log = run.results.indexed(), run.log
    if code := unread(read):
        return code
    written = [decision for decision in of_people(log) if decision.comment]
    kept = [*_kept_by_tools(read)] if not since else []
    token: Table = {}
    if since is not None:
        try:
            seen = Seen.read(since) if since else Seen()
        except ValueError as error:
            raise click.BadParameter("not a token that this command printed", param_hint="--since") from error
        written = [decision for decision in (*written, *programs_said(log)) if seen.lacks(decision)]
        token = {"token": Seen.of(log).token}
    if form == "json":
        addresses = {entry.digest: run.decks.address(entry) for entry in read.entries}
        listed: list[Plain] = [as_data(item, addresses.get(item.record)) for item in written]
        listed += (as_data(item, addresses.get(item.record)) for item in kept)
        output.json_value({"comments": listed, **token})
        return 0
    for decision in (*written, *kept):
        output.line(words(decision))
    return 0


def _kept_by_tools(results: Results) -> Iterator[Decision]:
    """Yield as notes what people wrote of records in the files of the tool that ran them."""
    for entry in results.counted:
        if len(results.counted) > _ALL_READ and not any(grade.by_person for grade in entry.grades):
            continue
        record = results.record(entry.index)
        for said in record.evaluators:
            if said.by_person and said.reasoning:
                note = decision_about(record, None, f"({said.name})", comment=said.reasoning)
                yield replace(note, kind=LogAction.NOTE, id="", time="")
