"""`sampleui export`: reviewed records as samples of a deck."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE, DialectName, a_person_s, answer_option
from sampleui.cli.check_reports import complain_of_problems, findings_data
from sampleui.cli.opened_run import OpenedRun, on_run, unread
from sampleui.formats.data import Plain, Table
from sampleui.review.labels import known_code
from sampleui.review.log.store import Log, disagreement
from sampleui.review.record import Entry
from sampleui.review.reports.export import Reviewed, export
from sampleui.review.verdict import Decision, LabelValue, Verdict
from sampleui.runs.transcript_to_sample import is_todays, target_deck
from sampleui.sample.dialects.older import todays
from sampleui.sample.parse import as_meant, integration_of
from sampleui.settings.reviewers import is_program, reviewer_named
from sampleui.text.confined import exists
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.workspace.deck import Deck

NOTHING = POOR = 1


@click.command("export")
@on_run()
@click.option(
    "--verdict",
    "verdicts",
    type=click.Choice([str(verdict) for verdict in Verdict]),
    multiple=True,
    help="May be repeated.",
)
@click.option("--code", metavar="NAME", help="Records that fail by this code, whatever their verdict.")
@click.option("--to", "target", metavar="DECK", type=FILE, required=True, help="The deck to write to.")
@click.option("--reviewer", metavar="NAME", help="Only verdicts of this reviewer.")
@click.option("--dialect", type=DialectName(), help="Read and write DECK in this dialect.")
@click.option("--take-actual", is_flag=True, help="Make the actual answer the expected one.")
@answer_option()
def command(
    *,
    run: OpenedRun,
    verdicts: tuple[str, ...],
    code: str | None,
    target: Path,
    reviewer: str | None,
    dialect: str | None,
    take_actual: bool,
) -> int:
    """Write the records of RESULTS with a verdict, or a code by which they fail, as samples, in file order.

    A record whose sample is in the deck that was run becomes that sample; another becomes what the record itself
    says was asked and expected. A record that reviewers disagree about is left out and named until it is
    adjudicated. DECK is created if it does not exist, else the samples are added at its end; those whose id it
    has already are left out. Whatever could not be carried over unchanged is printed, one line each, and so are the
    reviewers' comments and kinds of failure, which no deck has. Exit codes: 0 all samples were written, 1 there are
    none to write, some are left out, or `sampleui check` finds problems in what was written, 2 nothing was written.

    --format json prints one object: "file", "samples" with the ids of those written, "left_out" with how many are,
    "new_findings", and the lines as "remarks".
    """
    if not (verdicts or code):
        raise click.UsageError("say which records, by --verdict or --code")
    if reviewer is not None and is_program(reviewer_named(reviewer)):
        raise click.BadParameter(
            f"{reviewer} is a program, whose proposals are no verdicts", param_hint="--reviewer"
        )
    if exists(target):
        a_person_s(f"propose what goes into {target} by add-sample")
    read, log = run.results.indexed(), run.carried_log
    source = next(iter(run.decks.decks), None)
    chosen = [Verdict(verdict) for verdict in verdicts]
    known = code and known_code(log, code).name
    reviewed = [
        Reviewed(read.record(entry.index), decision, run.decks.sample(entry))
        for entry in read.counted
        if (decision := _decision(log, entry.digest, chosen, known, reviewer)) is not None
    ]
    disputed = [entry for entry in read.counted if log.disputed(entry.digest)]
    target_dialect = dialect or (source.dialect if source and not exists(target) else None)
    written = target_deck(target, target_dialect, results=read.path)
    notes: list[str] = []
    reviewed = [_alone(item, written, notes) for item in reviewed]
    exported = export(reviewed, written.kind, take_actual=take_actual)
    left_out = [line for entry in disputed if (line := _left_out(entry, read.telling_name(entry), log, chosen))]
    said = (line for item in reviewed for line in _said(item, log))
    for line in (*notes, *exported.report, *said, *left_out):
        output.line(line)
    first = len(written.samples)
    written = _with_samples(written, exported.samples)
    count = len(written.samples) - first
    missing = len(left_out) + len(exported.samples) - count
    if unreadable := unread(read):
        return unreadable
    if not count:
        wanted = ", ".join([*chosen, *([f"fails by {code}"] if code else [])])
        output.complain("nothing is new" if reviewed else f"no record has such a verdict: {wanted}")
        return NOTHING
    for lost in written.save():
        output.complain(lost)
    new = [diagnostic for diagnostic in written.diagnostics if (diagnostic.sample_index or 0) >= first]
    ids: list[Plain] = [sample.id for sample in written.samples[first:]]
    words = f"{target}: {counted(count, 'sample')} written{f', {missing:,} left out' if missing else ''}"
    output.answer(words, file=str(target), samples=ids, left_out=missing, new_findings=findings_data(new))
    return POOR if complain_of_problems(new, target) or missing else 0


def _with_samples(deck: Deck, samples: Iterable[Table]) -> Deck:
    """Return a deck with samples at its end, but for those whose id it has; print what was left out or is unfit."""
    ids_there = {sample.id for sample in deck.samples}
    for data in samples:
        name = data.get("id")
        if str(name) in ids_there:
            output.line(f"{name}: left out, {deck.path.name} has it already")
            continue
        document = deck.files.sources[-1].document
        sample, unfit = document.fitting(todays(data, deck.kind) if is_todays(deck) else data)
        for remark in unfit:
            output.line(f"{name}: {remark}")
        deck = deck.insert_sample(len(deck.samples), sample)
    return deck


def _alone(reviewed: Reviewed, target: Deck, notes: list[str]) -> Reviewed:
    """Return a reviewed record whose sample no longer depends on the file that it is from."""
    if reviewed.sample is None:
        return reviewed
    around = target.files.sources[0].document.context
    detached = integration_of(reviewed.sample).references().detach(reviewed.sample, target.path.parent, around)
    sample, sample_notes = detached or as_meant(reviewed.sample, target.kind, target.path.parent)
    notes += (f"{reviewed.record.id}: {note}" for note in sample_notes)
    return dataclasses.replace(reviewed, sample=sample)


def _said(reviewed: Reviewed, log: Log) -> Iterator[str]:
    """Yield what reviewers and programs said of a record."""
    for decision in log.everything(reviewed.record.digest):
        kinds = f" # {', '.join(decision.tags)}" if decision.tags else ""
        comment = f": {one_line(decision.comment, 2_000)}" if decision.comment else ""
        if kinds or comment or decision.label is not None:
            yield f"{reviewed.record.id}: {decision.verdict_words} by {decision.reviewer}{kinds}{comment}"


def _left_out(entry: Entry, name: str, log: Log, verdicts: list[Verdict]) -> str:
    """Return why a disputed record is left out, by its name; empty if nobody gave it one of the verdicts."""
    decided = log.by_reviewer(entry.digest)
    if not any(item.verdict in verdicts for item in decided.values()):
        return ""
    return f"{name}: left out, reviewers disagree ({disagreement(decided)})"


def _decision(
    log: Log, record: str, verdicts: Sequence[Verdict], code: str | None, reviewer: str | None
) -> Decision | None:
    """Return the verdict, or else the label, for which a record is asked for; None if it is not."""
    decision = None if log.disputed(record) else log.current(record, reviewer)
    if decision is not None and decision.verdict in verdicts:
        return decision
    labels = log.labels(record, reviewer) if code is not None else ()
    last = {label.reviewer: label for label in labels if label.code == code}
    return next((label for label in last.values() if label.label is LabelValue.YES), None)
