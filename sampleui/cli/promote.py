"""`sampleui promote`: a new sample from the first turns of a run."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.app import settings_for
from sampleui.cli.arguments import FILE, DialectName, a_person_s, answer_option
from sampleui.cli.check_reports import complain_of_problems, findings_data
from sampleui.cli.opened_run import OpenedRun
from sampleui.cli.run_options import given_deck_option, id_option, inside_option
from sampleui.deck.diff import in_brief
from sampleui.errors import ResultsError
from sampleui.runs.decks import given_decks
from sampleui.runs.records import RunRecords, open_run
from sampleui.runs.transcript_to_sample import promote, target_deck
from sampleui.text.confined import exists

_MAX_LISTED = 6
"""Other records of an id that are named."""


@click.command("promote")
@click.argument("path", metavar="RESULTS", type=FILE)
@id_option("The record; #N is the N-th.", required=True)
@click.option("--turns", metavar="N", type=click.IntRange(min=1), help="How many turns to take; all if not given.")
@inside_option
@click.option("--to", "target", metavar="DECK", required=True, type=FILE, help="The deck to add it to.")
@click.option("--as", "name", metavar="NAME", help="The id of the sample; else the record's, or its first words.")
@given_deck_option
@click.option("--dialect", type=DialectName(), help="Read and write DECK in this dialect.")
@click.option("--dry-run", is_flag=True, help="Print what would be written, and write nothing.")
@answer_option()
def command(
    *,
    path: Path,
    record_id: str,
    turns: int | None,
    inside: int | None,
    target: Path,
    name: str | None,
    decks: tuple[Path, ...],
    dialect: str | None,
    dry_run: bool,
) -> int:
    """Add turns 1 to N of a record in RESULTS to the end of DECK, as a new sample.

    The turns are what was asked, then what the run did: its messages, or its events as messages. Where the record
    does not say what was asked, --deck takes it from the record's sample. With --inside they are what a sub-agent
    was asked and did: those of the call that began it. An id that DECK has already gets a number. DECK need not
    exist yet; a new one is begun in the dialect of the deck that was run. What is written is printed as a diff.
    Where several records answer the sample of an id, the first is taken, and you are told which one that is and how
    to name the others.

    Exit codes: 0 it was written (or, with --dry-run, could be), 1 `sampleui check` finds problems in the
    new sample, 2 it was not.

    --format json prints one object: "file", "sample" with its id, "written", "diff", "lost" and "new_findings".
    """
    if exists(target):
        a_person_s(f"propose what goes into {target} by add-sample")
    elif dialect is None:
        dialect = _dialect_of_run(path, decks)
    settings = settings_for(path)
    run = open_run(path, *given_decks(decks, settings).decks)
    index = run.find(record_id)
    if index is None:
        raise ResultsError(f"there is no record {record_id}", path)
    others = [other for other in run.find_all(record_id) if other != index]
    if others:
        output.complain(_which(run, record_id, index, others))
    subject = run.subject(index) if inside is None else run.subject(index).inside(inside)
    transcript = subject.transcript()
    promotion = promote(
        transcript,
        len(transcript.messages) if turns is None else turns,
        name or subject.record.id,
        target_deck(target, dialect, results=run.path),
    )
    output.diff_value(promotion.diff)
    for line in promotion.lost:
        output.complain(line)
    text, problems = promotion.diff, promotion.problems
    if not dry_run:
        for lost in promotion.save():
            output.complain(lost)
        output.complain(f"{target}: {promotion.sample_id} is written")
    if promotion.note:
        output.complain(promotion.note)
    output.answer(
        file=str(target),
        sample=promotion.sample_id,
        written=not dry_run,
        diff=in_brief(text),
        lost=[*promotion.lost],
        new_findings=findings_data(problems),
    )
    return int(complain_of_problems(problems, target))


def _dialect_of_run(path: Path, decks: Sequence[Path]) -> str | None:
    """Return the dialect of the decks that were run, in which a new deck is begun; None where none is known."""
    with suppress(ResultsError):
        return next((deck.dialect for deck in OpenedRun(path, decks).decks.decks), None)
    return None


def _which(run: RunRecords, record_id: str, index: int, others: Sequence[int]) -> str:
    """Say which of several records with the same id is taken, and how to name the others."""
    listed = ", ".join(_record_label(run, other) for other in others[:_MAX_LISTED])
    more = f" and {len(others) - _MAX_LISTED:,} more" if len(others) > _MAX_LISTED else ""
    taken = f"taken is {_record_label(run, index)}, not {listed}{more}"
    return f"{record_id} is the id of {len(others) + 1:,} records; {taken}"


def _record_label(run: RunRecords, index: int) -> str:
    entry = run.entry(index)
    target = f" of {entry.target}" if entry is not None and entry.target else ""
    return f"#{index + 1}{target}"
