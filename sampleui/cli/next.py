"""`sampleui next`: the next record to be reviewed."""

from __future__ import annotations

from collections.abc import Sequence

import click

from sampleui.cli import output
from sampleui.cli.opened_run import OpenedRun, on_run, unread
from sampleui.cli.run_options import (
    order_option,
    reviewer_option,
    scorer_option,
    threshold_option,
)
from sampleui.page.record_data import record_data, unseen_in
from sampleui.page.records import RecordDetails, details_of
from sampleui.review.attempts import attempt_numbers
from sampleui.review.handing_back import words_of
from sampleui.review.log.verdict_migration import has_earlier, offer_words
from sampleui.review.queue import Order
from sampleui.review.record import Record, failed, none_failed, ungraded
from sampleui.review.results.file import Results
from sampleui.review.results.requests import sent, text_said
from sampleui.review.session import next_record
from sampleui.runs.decks import FoundDecks
from sampleui.runs.sample_as_run import samples_in
from sampleui.settings.reviewers import is_program
from sampleui.text.wording import counted
from sampleui.workspace.edit_requests import SampleAddress

NONE_LEFT = 1


@click.command("next")
@on_run(threshold_option, scorer_option, reviewer_option)
@order_option
@click.option("--format", "form", type=click.Choice(["text", "json", "id"]), default="text", help="How to print.")
def command(*, run: OpenedRun, order: str, form: str) -> int:
    """Print the next failed record of RESULTS that the reviewer has not decided, or that nobody graded.

    With --format id the record's id alone is printed, for `sampleui verdict`. With --format json one object: the
    "id" of the record; "deck" and "sample", by which get, set and edit take its sample; "target", "attempt",
    "file", "line"; "outcome", "score", "scorer", "why"; "asked", "expected", "actual"; the "evaluators", each with
    "passed", "score" and "reason"; and what was "said" of it. What is expected is the sample's where its deck is
    known, else the record's own. A text of more than 4,000 characters is cut, and says so.
    Exit codes: 0 a record is printed, 1 none is left, 2 a file could not be read.
    """
    opened, log, who, threshold = run.results, run.log, run.reviewer, run.threshold
    samples = run.samples if has_earlier(log) else samples_in(opened.base_dir, FoundDecks())
    record = next_record(opened, log, who, threshold, Order(order), samples=samples)
    if record is None:
        for note in opened.diagnostics:
            output.complain(str(note))
        nothing = unread(opened)
        if not nothing:
            skipped = f"; {counted(opened.skipped, 'row')} could not be read" if opened.skipped else ""
            done = f"{who} has proposed a verdict on" if is_program(who) else ""
            output.complain(f"{_none_left(opened, threshold, done)}{skipped}")
        return nothing or NONE_LEFT
    if form == "id":
        output.line(record.id)
        return 0
    details, address = details_of(opened, log, run.decks, record, threshold), run.decks.address(record)
    if form == "json":
        said = log.everything(record.digest) if is_program(who) else log.seen_by(who, record.digest)
        attempt = attempt_numbers(opened.counted).get(record.index)
        output.json_value(record_data(details, str(opened.path), address, said, attempt))
    else:
        notes = [offer_words(item, record) for item in log.offered(record.digest, who)]
        if record.digest in log.flaky:
            notes.append("found flaky on an earlier run")
        notes += (f"you noted: {words_of(note)}" for note in log.notes(record.digest, who))
        _print(details, opened, threshold, notes, address)
    return 0


def _none_left(results: Results, fail_under: float | None, proposed: str = "") -> str:
    """Say why nothing is left to decide, and how many records are ungraded; of what is `proposed` that it is."""
    records = results.counted
    unknown = sum(ungraded(record, fail_under) for record in records)
    message = none_failed(records, fail_under)
    if any(failed(record, fail_under) for record in records):
        done = f"{proposed} every failed record" if proposed else "every failed record is decided"
        message = done + (f"; {counted(unknown, 'record')} ungraded" if unknown else "")
    return f"{message}: {results.untold}" if unknown and results.untold else message


def _asked(record: Record) -> str:
    """Return what was asked, as its row says it; of several messages each behind who said it."""
    messages = record.asked or sent(record.data)
    if len(messages) == 1:
        return text_said(messages[0].get("content"))
    return "\n".join(f"{message.get('role')}: {text_said(message.get('content'))}" for message in messages)


def _print(
    details: RecordDetails,
    run: Results,
    fail_under: float | None,
    notes: Sequence[str],
    address: SampleAddress | None,
) -> None:
    record, expected = details.record, details.expected
    why = "; ".join(details.why) or "ungraded"
    output.line(f"{run.path}:{record.line}: {run.telling_name(record)}: {why}")
    answer = f"({record.unanswered})" if record.unanswered else record.actual
    texts = (
        ("sample", None if address is None else f"{address.name} of {address.deck}"),
        ("asked", _asked(record) if ungraded(record, fail_under) else None),
        ("expected", expected.text),
        ("criteria", None if expected.criteria is None else expected.criteria.text),
        ("actual", answer),
        ("instead", record.actual if record.unanswered else None),
        ("reasoning", record.reasoning),
    )
    for label, text in texts:
        for index, part in enumerate((text or "").splitlines()):
            output.line(f"{'' if index else label + ':':<10} {part}")
    for line in unseen_in(record, expected.text):
        output.line(f"differs:   {line}")
    for miss in record.misses:
        output.line(f"missed:    {miss}")
    for note in (*notes, *(item.message for item in record.notes)):
        output.line(f"note:      {note}")
