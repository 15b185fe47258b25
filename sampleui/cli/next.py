"""`sampleui next`: the next record to be reviewed."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_of
from sampleui.cli.run_options import (
    deck_option,
    order_option,
    results_argument,
    results_at,
    reviewer_option,
    scorer_option,
    threshold_option,
    unread,
)
from sampleui.formats.data import Plain, Table
from sampleui.review.handing_back import words_of
from sampleui.review.log.store import log_path, open_log
from sampleui.review.log.verdict_migration import has_earlier, offer_words
from sampleui.review.queue import Order
from sampleui.review.record import Record, failed, none_failed, ungraded, why_failed
from sampleui.review.results.file import Results
from sampleui.review.results.requests import sent, text_said
from sampleui.review.samples.comparing import expected_of, unseen_differences
from sampleui.review.session import next_record
from sampleui.runs.decks import FoundDecks, decks_of_run
from sampleui.runs.sample_as_run import samples_in
from sampleui.text.wording import counted

NONE_LEFT = 1


@click.command("next")
@results_argument
@threshold_option
@scorer_option
@reviewer_option
@deck_option
@order_option
@click.option("--format", "form", type=click.Choice(["text", "json", "id"]), default="text", help="How to print.")
def command(
    *,
    results: Path,
    fail_under: float | None,
    scorer: str | None,
    reviewer: str | None,
    decks: tuple[Path, ...],
    order: str,
    form: str,
) -> int:
    """Print the next failed record of RESULTS that the reviewer has not decided, or that nobody graded.

    With --format id the record's id alone is printed, for `sampleui verdict`. With --format json one object:
    "id", "sample", "path", "line", "score", "reasons", "expected", "actual", "misses", "reasoning"; "target" and
    "attempt" where the run says them; "scorer" where one decides; "asked" with what was asked where nobody graded
    the record; "criteria" where a sample says how an answer is judged and names none; "unanswered" with the reason
    where the answer was not kept; "in_its_place" with what an error has in the place of an answer; "differs" with
    the code points that differ where expected and actual look the same. What is expected is the sample's where its
    deck is known, else the record's own.
    Exit codes: 0 a record is printed, 1 none is left, 2 a file could not be read.
    """
    settings = settings_of(results, reviewer, fail_under, scorer)
    opened = results_at(results, settings)
    log = open_log(log_path(opened.path))
    joined = decks_of_run(opened, decks, settings) if has_earlier(log) else None
    samples = samples_in(opened.base_dir, joined or FoundDecks())
    who = settings.reviewer_name
    record = next_record(opened, log, who, settings.asked_threshold, Order(order), samples=samples)
    if record is None:
        for note in opened.diagnostics:
            output.complain(str(note))
        nothing = unread(opened)
        if not nothing:
            skipped = f"; {counted(opened.skipped, 'row')} could not be read" if opened.skipped else ""
            output.complain(f"{_none_left(opened, settings.asked_threshold)}{skipped}")
        return nothing or NONE_LEFT
    if form == "id":
        output.line(record.id)
        return 0
    sample = (joined or decks_of_run(opened, decks, settings)).sample(record)
    expected, judged, _ = expected_of(sample, record)
    criteria = None if judged is None else judged.text
    record = dataclasses.replace(record, expected=expected)
    if form == "json":
        output.json_value(as_data(record, opened.path, settings.asked_threshold, criteria))
    else:
        notes = [offer_words(item, record) for item in log.offered(record.digest, who)]
        if record.digest in log.flaky:
            notes.append("found flaky on an earlier run")
        notes += (f"you noted: {words_of(note)}" for note in log.notes(record.digest, who))
        _print(record, opened, settings.asked_threshold, notes, criteria)
    return 0


def _none_left(results: Results, fail_under: float | None) -> str:
    """Say why nothing is left to decide, and how many records are ungraded."""
    records = results.counted
    unknown = sum(ungraded(record, fail_under) for record in records)
    message = none_failed(records, fail_under)
    if any(failed(record, fail_under) for record in records):
        message = "every failed record is decided" + (f"; {counted(unknown, 'record')} ungraded" if unknown else "")
    return f"{message}: {results.untold}" if unknown and results.untold else message


def as_data(record: Record, path: Path, fail_under: float | None, criteria: str | None = None) -> Table:
    """Return a record as the JSON object that `--format json` prints. There is no `actual` without an answer."""
    reasons: list[Plain] = [*why_failed(record, fail_under)]
    misses: list[Plain] = [*record.misses]
    unseen: list[Plain] = [*_unseen(record)]
    return {
        "id": record.id,
        "sample": record.sample_id,
        "path": str(path),
        "line": record.line,
        "score": record.score,
        "reasons": reasons,
        **({"asked": _asked(record) or None} if ungraded(record, fail_under) else {}),
        "expected": record.expected,
        "actual": None if record.unanswered else record.actual,
        "misses": misses,
        "reasoning": record.reasoning,
        **({"target": record.target} if record.target is not None else {}),
        **({"attempt": record.attempt} if record.attempt is not None else {}),
        **({"scorer": record.decider} if record.decider is not None else {}),
        **({} if criteria is None else {"criteria": criteria}),
        **({"unanswered": record.unanswered} if record.lost else {}),
        **({"in_its_place": record.actual} if record.unanswered and record.actual else {}),
        **({"differs": unseen} if unseen else {}),
    }


def _asked(record: Record) -> str:
    """Return what was asked, as its row says it; of several messages each behind who said it."""
    messages = record.asked or sent(record.data)
    if len(messages) == 1:
        return text_said(messages[0].get("content"))
    return "\n".join(f"{message.get('role')}: {text_said(message.get('content'))}" for message in messages)


def _unseen(record: Record) -> tuple[str, ...]:
    """Return how an answer differs that looks the same as what is expected, or as one of several answers."""
    answers = record.any_of or ((record.expected,) if record.expected is not None else ())
    found = (unseen_differences(answer, record.actual) for answer in answers if not record.unanswered)
    return next(filter(None, found), ())


def _print(
    record: Record, run: Results, fail_under: float | None, notes: Sequence[str], criteria: str | None
) -> None:
    why = "; ".join(why_failed(record, fail_under)) or "ungraded"
    output.line(f"{run.path}:{record.line}: {run.telling_name(record)}: {why}")
    answer = f"({record.unanswered})" if record.unanswered else record.actual
    texts = (
        ("asked", _asked(record) if ungraded(record, fail_under) else None),
        ("expected", record.expected),
        ("criteria", criteria),
        ("actual", answer),
        ("instead", record.actual if record.unanswered else None),
        ("reasoning", record.reasoning),
    )
    for label, text in texts:
        for index, part in enumerate((text or "").splitlines()):
            output.line(f"{'' if index else label + ':':<10} {part}")
    for line in _unseen(record):
        output.line(f"differs:   {line}")
    for miss in record.misses:
        output.line(f"missed:    {miss}")
    for note in (*notes, *(item.message for item in record.notes)):
        output.line(f"note:      {note}")
