"""`sampleui trace`: what the runs of a results file did."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import click

from sampleui.cli import app, output
from sampleui.cli.app import settings_for
from sampleui.cli.arguments import FILE, dialect_option, plain_option
from sampleui.cli.opened_run import decks_ran
from sampleui.cli.run_options import given_deck_option, id_option, inside_option, scorer_option
from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.record import outcome_of
from sampleui.review.results.file import scored_results
from sampleui.runs.decks import given_decks
from sampleui.runs.records import RunRecords, TracedRecord, open_run
from sampleui.settings.options import Settings
from sampleui.trace.events import to_data
from sampleui.trace.golden import Alignment, ComparedPair
from sampleui.trace.reading.extract import untold
from sampleui.trace.report import alignment_lines, text_lines, trace_data, trajectory_data, trajectory_lines
from sampleui.workspace.edit_requests import SampleAddress

UNREAD = 2
_EMPTY = "nothing in it was done, answered or graded"


@click.command("trace")
@click.argument("path", metavar="RESULTS", type=FILE)
@id_option("Only the records of this id; #N is the N-th.")
@inside_option
@given_deck_option
@click.option("--format", "form", type=click.Choice(["text", "json"]), help="Print instead of opening the app.")
@dialect_option
@scorer_option
@click.option("--theme", metavar="NAME", help="The colours of the app.")
@plain_option
def command(
    *,
    path: Path,
    record_id: str | None,
    inside: int | None,
    decks: tuple[Path, ...],
    form: str | None,
    dialect: str | None,
    scorer: str | None,
    theme: str | None,
    plain: bool | None,
) -> int:
    """Show what the runs of RESULTS did.

    RESULTS is a JSON Lines or JSON file of records, a log, the folder of a run or its index, or a trace or a
    transcript in a file of its own. With --deck the trajectory checks of each record's sample are run, and its
    calls are held against the golden trajectories.

    On a terminal the app opens. With --format, or without a terminal, the events are printed: as text, or as one
    JSON object per line of "id", "deck" and "sample" as get and set take them, "target", "outcome", "line",
    "source", "summary", "reported", "events", "diagnostics", "text", "reasoning", "raw", "usage", "checks" and
    "golden". --id finds a record, or the records of all targets and attempts that answer a sample. --inside
    prints what happened in one event of it as a trace of its own.

    Exit codes: 0 all is well, 1 a trajectory check failed or could not be made, or messages are of a shape that is
    not known, 2 the file could not be read or has no such record, or a row in it is not a result.
    """
    settings = settings_for(path, theme=theme, scorer=scorer, plain=plain)
    run = open_run(path, *given_decks(decks, settings, dialect).decks, settings=settings)
    if inside is not None and record_id is None:
        raise click.UsageError("--inside is about one record, which --id names")
    if form is None and inside is None and output.interactive():
        return app.show_trace(run, settings, record_id)
    indexes = _record_indexes(run, record_id)
    proven, alone, unknown, empty = True, 0, 0, [index for index in indexes if run.is_empty(index)]
    for index in empty:
        output.complain(f"{run.path}:{run.records[index].line}: not a result: {_EMPTY}")
    indexes = [index for index in indexes if index not in {*empty}]
    addresses = _addresses(path, decks, settings) if form == "json" else {}
    for index in indexes:
        subject = run.subject(index)
        if decks and subject.sample is None:
            alone += 1
        proven = proven and all(result.passed is True for result in subject.checks)
        unknown += not subject.trace.summary.counted
        subject = subject if inside is None else subject.inside(inside)
        if form == "json":
            address = addresses.get(subject.record.id)
            output.json_value(as_data(subject, address), compact=record_id is None or len(indexes) > 1)
        else:
            _print(subject, first=index == indexes[0])
    for error in run.broken:
        output.complain(str(error))
    if unknown:
        output.complain(f"{unknown:,} of {len(indexes):,} records: what was called is not known")
    if alone:
        output.complain(f"{alone:,} of {len(indexes):,} records have no sample in the decks")
    if empty or (run.broken and record_id is None):
        return UNREAD
    return 1 if alone or unknown or not proven else 0


def _addresses(path: Path, decks: Sequence[Path], settings: Settings) -> dict[str, SampleAddress | None]:
    """Return the samples of records, by the ids of the records, as commands take them; none of a transcript."""
    with suppress(ResultsError):
        results = scored_results(path, settings).results.indexed()
        found = decks_ran(results, decks, settings)
        return {entry.id: found.address(entry) for entry in results.entries}
    return {}


def as_data(subject: TracedRecord, address: SampleAddress | None = None) -> Table:
    """Return a record as the JSON object that `--format json` prints; `address` is that of its sample."""
    return {
        **trace_data(subject.trace, subject.record.id),
        "deck": None if address is None else str(address.deck),
        "sample": subject.record.sample_id if address is None else address.name,
        "target": None if subject.entry is None else subject.entry.target,
        "outcome": str(outcome_of(subject.entry)),
        "line": subject.record.line,
        "checks": trajectory_data(subject.checks),
        "golden": None if subject.alignments is None else [*map(_alignment_data, subject.alignments)],
    }


def _record_indexes(run: RunRecords, record_id: str | None) -> Sequence[int]:
    if record_id is None:
        return range(len(run.records))
    indexes = run.find_all(record_id)
    if not indexes:
        raise ResultsError(f"there is no record {record_id}; it has {len(run.records):,} others", run.path)
    return indexes


def _print(subject: TracedRecord, *, first: bool) -> None:
    if not first:
        output.line()
    width = max(shutil.get_terminal_size((120, 24)).columns, 80)
    entry = subject.entry
    about = [str(outcome_of(entry)), entry.target or ""] if entry is not None else []
    for line in text_lines(subject.trace, subject.record.id, width, " · ".join(filter(None, about))):
        output.line(line)
    for line in trajectory_lines(subject.checks):
        output.line(line)
    if subject.alignments is None:
        output.line(f"NOT COMPARED with the golden trajectories: {untold(subject.trace)}")
    for alignment in (subject.alignments or ())[:1]:
        for line in alignment_lines(alignment):
            output.line(line)


def _alignment_data(alignment: Alignment) -> Table:
    return {
        "golden": alignment.golden_index,
        "distance": alignment.distance,
        "calls": [_pair_data(pair) for pair in alignment.rows],
    }


def _pair_data(pair: ComparedPair) -> Table:
    differences: list[Plain] = [str(difference) for difference in pair.differences]
    return {
        "kind": str(pair.kind),
        "golden": None if pair.golden is None else to_data(pair.golden.event),
        "actual": None if pair.actual is None else to_data(pair.actual.event),
        "differences": differences,
    }
