"""`sampleui label` and `sampleui labels`: say of records which codes they fail by, and hand that to others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE, answer_option
from sampleui.cli.deck_arguments import STANDARD_INPUT, bytes_of
from sampleui.cli.opened_run import OpenedRun, on_run
from sampleui.cli.run_options import deck_option, program_option, results_argument, reviewer_option
from sampleui.errors import ResultsError, results_errors
from sampleui.review.code_figures import labels_to_split
from sampleui.review.codes import names_of
from sampleui.review.label_files import (
    ANNOTATIONS,
    LabelFile,
    LabelRow,
    is_label_file,
    label_file,
    read_label_file,
)
from sampleui.review.labels import is_current
from sampleui.review.log.store import Log
from sampleui.review.results.file import Results
from sampleui.review.sampling import LabelPart, LabelSplit, split_labels
from sampleui.review.verdict import Decision, LabelValue, LogAction, person
from sampleui.runs.labelling import decisions_of, named_code, split_in, transcript_id
from sampleui.settings.reviewers import is_program
from sampleui.text.confined import exists, read_whole
from sampleui.text.limits import MAX_RESULTS_BYTES
from sampleui.text.replacing import drafted, folders_held, put_in_place
from sampleui.text.wording import counted

LEFT_OUT = 1


@click.command("label")
@on_run(reviewer_option, program_option)
@click.argument("lines", metavar="[LINES]", type=FILE, default="-")
@answer_option()
def label(*, run: OpenedRun, lines: Path) -> int:
    """Label records of RESULTS from LINES, a file or standard input: {"id", "code", "label", "quote"} each.

    The label is yes (it fails so), no, or cannot say; the quote is of the record's answer, of what was asked or of
    its trace, and may be left out. CSV with these columns is read from a file that ends in .csv. All lines are
    recorded, or none where one is wrong. With --as agent:NAME they are proposals, each shown with its quote, that
    count when a person takes them.

    Example: sampleui label run.jsonl labels.jsonl --as agent:claude

    Exit codes: 0 they are recorded, 2 nothing is.
    """
    name = Path("lines.jsonl") if lines == STANDARD_INPUT else lines
    data = bytes_of(lines, MAX_RESULTS_BYTES) if lines == STANDARD_INPUT else _bytes_of(lines)
    read, log = run.results.indexed(), run.carried_log
    said = read_label_file(data, name, ids=frozenset(entry.id for entry in read.entries))
    made = decisions_of(read, log, said.rows, run.reviewer, run.samples)
    _record(log, made, said)
    return 0


def _record(log: Log, made: Sequence[Decision], said: LabelFile) -> None:
    kept = log.append_all(made) if made else ()
    proposed = any(item.kind is LogAction.PROPOSE for item in kept)
    labels = len([item for item in kept if item.label is not None])
    others = [counted(number, what) for number, what in (
        (len([item for item in kept if item.kind is LogAction.NOTE]), "note"),
        (len([item for item in kept if item.verdict is not None]), "verdict"),
    ) if number]  # fmt: skip
    what = " and ".join([counted(labels, "label"), *others])
    known = len([label for row in said.rows for label in row.labels]) - labels
    again = f"; {known:,} {'was' if known == 1 else 'were'} said before" if known else ""
    words = f"{'kept the proposal of' if proposed else 'recorded'} {what} in {log.path}{again}"
    output.answer(words, file=str(log.path), labels=labels, known=known, proposed=proposed)


@click.command("labels")
@results_argument
@click.option("--to", "target", metavar="FILE", type=FILE, help="Write them into this file.")
@click.option("--from", "source", metavar="FILE", type=FILE, help="Read them from this file.")
@click.option("--code", "codes", multiple=True, metavar="NAME", help="Of this code; may be repeated.")
@click.option(
    "--split",
    "seed",
    metavar="SEED",
    help="Split those of one code into train, dev and test, by chance, once.",
)
@click.option("--column", metavar="NAME", help="The column that has the labels, where its name says nothing.")
@click.option("--reviewer", metavar="NAME", help="Of this person.")
@deck_option
@answer_option()
def labels(
    *,
    results: Path,
    target: Path | None,
    source: Path | None,
    codes: tuple[str, ...],
    seed: str | None,
    column: str | None,
    reviewer: str | None,
    decks: tuple[Path, ...],
) -> int:
    """Write the labels of RESULTS for another tool, or read those that somebody gave elsewhere.

    --to writes those that people gave of the code's definition as it is now, of one code as a validation set
    ("id", "target" and "split": .jsonl, .csv, .yaml or .json), of several as a table with a column a code
    (.csv), or with notes and verdicts into a file whose name ends in annotations.jsonl. Ids are those of the
    transcripts. A label "cannot say" is left out of a validation set, and so is a record about which people
    disagree; each is told.

    --split puts the records of a code's labels into parts, so that a judge is tuned on some and measured on others:
    which is which follows from SEED and the records alone. What is labelled later is of the part dev.

    --from reads the same files, and any table with an id and a column of labels, as labels that the --reviewer
    gave. Nobody knows whether their records were drawn at random, so they enter no rate, unless every record has
    one. The parts of a validation set (train, dev, test) are kept too, where the code's labels are not split yet.

    Example: sampleui labels run.jsonl --to wrong-date.jsonl --code 'wrong date'

    Exit codes: 0 they are written or read, 1 some were left out, 2 nothing was.
    """
    if [target, source, seed].count(None) == 3 or (source is not None and (target is not None or seed is not None)):
        raise click.UsageError("say where to, by --to, or where from, by --from, or how they are split, by --split")
    run = OpenedRun(results, decks, reviewer=reviewer)
    read, log = run.results.indexed(), run.carried_log
    if seed is not None:
        _split(read, log, codes, person(run.reviewer, results), seed)
        if target is None:
            return 0
    if target is not None:
        return _write(read, log, target, codes or tuple(code.name for code in log.codebook.codes), reviewer)
    assert source is not None
    if reviewer is None:
        raise click.UsageError("say whose labels they are, by --reviewer")
    who = person(reviewer, results)
    if len(codes) > 1:
        raise click.UsageError("name one code; columns are those of several")
    ids = frozenset(entry.id for entry in read.entries)
    said = read_label_file(_bytes_of(source), source, next(iter(codes), None), column, ids)
    if said.guess:
        output.complain(f"{source}: {said.guess}")
    made = decisions_of(read, log, said.rows, who, run.samples, undefined=True)
    _record(log, made, said)
    _keep_parts(read, log, said, who, source)
    for name in sorted({str(item.code) for item in made if item.label is not None and not item.definition}):
        output.complain(f"{name} has no definition, as no heading of {log.codebook.path.name} is called so")
    return 0


def _keep_parts(results: Results, log: Log, said: LabelFile, reviewer: str, source: Path) -> None:
    """Keep the parts that a file has the labels of each code in, or say why they are not kept."""
    for name in sorted({named_code(log, code) for row in said.rows if row.split for code in row.labels}):
        before, why = log.split_of(name), ""
        try:
            split = split_in(results, log, said.rows, name, reviewer)
        except ResultsError as error:
            split, why = None, error.message
        if split is not None and before is not None:
            is_same = all(before.part_of(record) is part for part in LabelPart for record in split.parts[part])
            why = "" if is_same else _before(name, before)
        elif split is not None:
            log.keep_split(split)
            output.line(f"{log.path}: {_parts(split)}")
        if why:
            output.complain(f"{source}: the parts of {name} are not kept: {why}")


def _parts(split: LabelSplit) -> str:
    parts = ", ".join(f"{len(records):,} {part}" for part, records in split.parts.items())
    number = sum(map(len, split.parts.values()))
    return f"the labels of {counted(number, 'record')} for {split.code} are split: {parts}"


def _before(name: str, split: LabelSplit) -> str:
    how = f"by the seed {split.seed}" if split.seed else "as a file had it"
    return f"the labels of {name} are split already, on {split.time[:10]} {how}: that holds for good"


def _split(results: Results, log: Log, codes: Sequence[str], reviewer: str, seed: str) -> None:
    """Split the labels of a code and say how many records are in each part."""
    if len(codes) != 1:
        raise click.UsageError("name the code whose labels are split, by --code")
    name = log.codebook.checked().now(codes[0])
    if (before := log.split_of(name)) is not None:
        raise ResultsError(_before(name, before), log.path)
    labelled = labels_to_split(results.counted, log, name)
    split = split_labels(labelled, name, log.codebook.digest(name), reviewer, seed)
    log.keep_split(split)
    sizes = {str(part): len(records) for part, records in split.parts.items()}
    output.answer(f"{log.path}: {_parts(split)}", file=str(log.path), **sizes)


def _write(results: Results, log: Log, path: Path, codes: Sequence[str], reviewer: str | None) -> int:
    for code in codes:
        if log.codebook.checked().find(code) is None:
            raise ResultsError(f"no code is called {code}", log.codebook.path)
    names = tuple(map(log.codebook.now, codes))
    left_out: list[str] = []
    records = [*_exported(results, log, names, reviewer, left_out)]
    if not path.name.endswith(ANNOTATIONS) and len(names) == 1:
        unsure = [item for item in records if item.labels.get(names[0]) is LabelValue.UNSURE]
        left_out += [f"{item.id}: cannot say" for item in unsure]
        records = [item for item in records if item.labels and item not in unsure]
    data = label_file(path, names, records)
    if exists(path) and not is_label_file(_bytes_of(path), path, [*names_of(log.codebook.codes)]):
        raise ResultsError("there is something else than labels already; it stays as it is", path)
    with results_errors(path, "it cannot be written: "), folders_held([path]), drafted(path, data) as draft:
        put_in_place(draft)
    for line in left_out:
        output.complain(line)
    missing = f", {len(left_out):,} left out" if left_out else ""
    words = f"{path}: labels of {counted(len(records), 'record')} written{missing}"
    output.answer(words, file=str(path), records=len(records), left_out=len(left_out))
    return LEFT_OUT if left_out else 0


def _exported(
    results: Results, log: Log, codes: Sequence[str], reviewer: str | None, left_out: list[str]
) -> Iterator[LabelRow]:
    """Yield what people said of records, those of which nobody said anything left out."""
    split = log.split_of(codes[0]) if len(codes) == 1 else None
    for entry in results.counted:
        said = [item for item in log.labels(entry.digest, reviewer) if is_current(item, log.codebook)]
        notes = log.notes(entry.digest, reviewer)
        verdict = None if log.disputed(entry.digest) else log.current(entry.digest, reviewer)
        found: dict[str, LabelValue] = {}
        for code in codes:
            values = {item.label for item in said if item.code == code and not is_program(item.reviewer)}
            if len(values) == 1:
                found[code] = LabelValue(str(values.pop()))
            elif values:
                left_out.append(f"{results.telling_name(entry)}: people disagree about {code}")
        if found or notes or verdict is not None:
            lines = [*said, *notes, *([] if verdict is None else [verdict])]
            yield LabelRow(
                transcript_id(results.record(entry.index)),
                found,
                comment="\n".join(note.comment for note in notes),
                verdict=None if verdict is None else verdict.verdict,
                split="" if split is None else str(split.part_of(entry.digest)),
                time=max(item.time for item in lines),
            )


def _bytes_of(path: Path) -> bytes:
    with results_errors(path, "it cannot be read: "):
        return read_whole(path, MAX_RESULTS_BYTES)
