"""`sampleui convert`: a deck in another format or dialect."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE, DialectName, answer_option
from sampleui.cli.check_reports import findings_data, problems
from sampleui.cli.deck_arguments import DeckArguments, FoundDeck, decks_of, is_many
from sampleui.deck.load import create, read_text
from sampleui.deck.model import DeckFile, DeckFiles, Disk
from sampleui.deck.save import save
from sampleui.errors import DeckError, EditRefusedError, SampleUIError
from sampleui.formats.registry import BY_NAME, BY_SUFFIX, FORMATS
from sampleui.sample.convert import Converted, convert, made_ids, unasked
from sampleui.sample.convert.rows import as_row, by_columns, from_row, misread
from sampleui.sample.convert.tabled import with_value_at
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.dialects.older import new_container, new_messages
from sampleui.sample.dialects.shipped import DIALECTS, NOTHING_TELLS, Dialect
from sampleui.sample.message_shapes import is_item, is_message
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_meant, own_id
from sampleui.settings.options import load_settings
from sampleui.text.confined import exists, folder_held, is_folder, is_link, passes_link, real_path
from sampleui.text.wording import counted
from sampleui.workspace.deck import Deck, read_deck
from sampleui.workspace.reading import PromptOptions, detected, dialects_for
from sampleui.workspace.sample_transfer import Growing, attached, some, unsaid, with_given_name

_FURTHER = "multi-document"


class ConversionError(SampleUIError):
    """A deck is not converted: it has no samples, one of them cannot be read, or the target exists."""


@click.command("convert")
@click.argument("sources", metavar="SRC...", nargs=-1, required=True, type=FILE)
@click.argument("target", metavar="DST", type=FILE)
@click.option("--to", "target_dialect", type=DialectName(), help="The dialect of DST; that of SRC if not given.")
@click.option("--from", "source_dialect", type=DialectName(), help="Read SRC in this dialect.")
@click.option(
    "--format",
    "form",
    type=click.Choice([form.name for form in FORMATS if form.name != "markdown"]),
    help="The format of the files in a folder DST; that of each SRC if not given.",
)
@click.option("--force", is_flag=True, help="Replace DST if it exists.")
@answer_option("--report")
def command(
    *,
    sources: tuple[Path, ...],
    target: Path,
    target_dialect: str | None,
    source_dialect: str | None,
    form: str | None,
    force: bool,
) -> int:
    """Write the samples of SRC to DST, in the format that the extension of DST names.

    Several SRC, and folders and globs in quotes, are written into the folder DST, which is made if it is missing:
    each file under its own name with the extension of --format, and the decks of a folder in the same subfolders of
    DST. `sampleui check --help` says which files of a folder are decks.

    Every field that could not simply move is reported on a line of its own, with the samples that have it; a field
    without a place in the target is kept under metadata where the target has that. Comments and layout are not
    carried over. A sample without an id is given one where the target needs ids, and ids that only SRC allows twice
    are numbered. Exit codes: 0 all samples were written, and `sampleui check` finds no problem in them as decks of
    the target's dialect; 1 it finds some; 2 a deck was not written. The other decks are written all the same.

    --report json prints an object for each deck, a line each: "source", "file", "dialect", "samples" with how many
    there are, "new_findings", and what is reported as "remarks"; of one that was not written "source" and "error".
    """
    if len(sources) == 1 and not is_many(sources[0]) and not is_folder(target):
        if form is not None and BY_SUFFIX.get(target.suffix.lower()) is not BY_NAME[form]:
            raise ConversionError(f"{target} does not have the extension of {form}")
        return _convert(sources[0], target, None, target_dialect, source_dialect, force=force)
    if exists(target) and not is_folder(target):
        raise ConversionError(f"{target} is a file; several decks are written into a folder")
    return _convert_all(
        decks_of(sources),
        target,
        form,
        partial(_convert, target_dialect=target_dialect, source_dialect=source_dialect, force=force),
    )


def _convert_all(
    meant: DeckArguments, folder: Path, form: str | None, convert_one: Callable[[Path, Path, Path], int]
) -> int:
    """Write decks into a folder, each by itself, and return 2 if one was not written, 1 if one has problems."""
    written: dict[Path, Path] = {}
    code = 0
    for item in meant.found:
        try:
            if isinstance(item, DeckError):
                raise item
            if not item.named and real_path(item.path).is_relative_to(real_path(folder)):
                continue  # what an earlier call wrote into a folder below the one that is converted
            target = _target(item, folder, form)
            if target in written:
                raise ConversionError(f"{item.path}: {target} is already written from {written[target]}")
            written[target] = item.path
            if passes_link(target, folder):
                raise ConversionError(f"{target}: it is or goes through a link, through which nothing is written")
            with folder_held(target.parent, folder, create=True):
                code = max(code, convert_one(item.path, target, folder))
        except (SampleUIError, OSError) as error:
            code = output.failed(error, source=str(item.path or folder))
    return code


def _target(deck: FoundDeck, folder: Path, form: str | None) -> Path:
    """Return the path to write a deck to: its path below the given folder, with the extension of the format."""
    inside = deck.path.relative_to(deck.argument) if is_folder(deck.argument) else Path(deck.path.name)
    if form is None and BY_SUFFIX.get(inside.suffix.lower()) is BY_NAME["markdown"]:
        raise ConversionError(f"{deck.path}: a Markdown deck is written in another format; name it by --format")
    return folder / (inside if form is None else inside.with_suffix(BY_NAME[form].suffixes[0]))


def _convert(
    source: Path,
    target: Path,
    trusted: Path | None,
    target_dialect: str | None,
    source_dialect: str | None,
    *,
    force: bool,
) -> int:
    """Write one deck as another, say what changed, and return 1 if what was written has problems.

    `trusted` is the folder that was named for it to lie in; None if it was named itself.
    """
    deck = read_deck(source, source_dialect)
    for note in deck.notes:
        if note.rule != _FURTHER:
            output.complain(str(note))
    if not len(deck.samples):
        raise ConversionError(f"{source} has no samples to convert")
    if deck.reason == NOTHING_TELLS and all(map(_is_message, deck.samples)):
        promoting = f"sampleui promote {source} --id '#1' --to {target}"
        raise ConversionError(f"{source} is a conversation and no deck; {promoting} makes a sample of it")
    users = (*dialects_for(Path.cwd()), *dialects_for(target.parent), *deck.prompts.dialects)
    known = {**DIALECTS, **{item.name: item for item in users}}
    dialect = known[target_dialect] if target_dialect else deck.kind
    moved = _with_ids([_moved(deck, sample, dialect, target) for sample in deck.samples], deck.kind, dialect)
    moving = _laid(moved, target, dialect)
    written, remarks = _filled(_empty(target, dialect, moving, force=force), moving)
    saved = save(written, trusted=trusted)
    for remark, ids in remarks.items():
        output.line(f"{remark} ({some(ids, len(deck.samples))})")
    about = (
        *_not_carried(deck, target),
        *saved.lost,
        *_read_otherwise(written, dialect),
        *_refused(moving, target, dialect),
    )
    for remark in about:
        output.line(remark)
    found = Deck(written, dialect, PromptOptions.of(load_settings(target.parent))).diagnostics
    faults = problems(found)
    if faults:
        output.complain(f"{target} does not pass check --dialect {dialect.name}: {faults}")
    output.answer(
        f"{target}: {counted(len(written), 'sample')} written as {dialect.title}",
        source=str(source),
        file=str(target),
        dialect=dialect.name,
        samples=len(written),
        new_findings=findings_data(found),
    )
    return 1 if faults else 0


def _is_message(sample: Sample) -> bool:
    """Tell whether what was taken for a sample is a message, in any shape that is known, and has none itself."""
    data = sample.data
    says = not {"content", "parts"}.isdisjoint(data) or is_item(data)
    return says and is_message(data) and value_at(data, sample.messages_path) is None


class _Moving(NamedTuple):
    """A sample, what its text says beyond its values, and the converted sample."""

    sample: Sample
    unsaid: tuple[str, ...]
    converted: Converted


def _moved(deck: Deck, sample: Sample, dialect: Dialect, target: Path) -> _Moving:
    meant, left = as_meant(sample, dialect, target.parent)
    data_with_id = {**with_given_name(deck, sample), **meant.data}
    data = from_row(data_with_id, deck.kind, sample.columns)
    near = new_messages(dialect) if dialect.today else ()
    converted = convert(data, deck.kind, dialect, near)
    converted = dataclasses.replace(converted, report=by_columns(converted.report, data_with_id, data, deck.kind))
    asks = unasked(converted.data, dialect)
    missed = (f"the sample has no {asks}, which {dialect.title} wants",) if asks else ()
    return _Moving(sample, (*unsaid(deck, sample), *left, *missed), converted)


def _with_ids(moving: list[_Moving], source: Dialect, dialect: Dialect) -> list[_Moving]:
    """Return the samples with the ids that the target needs."""
    with_ids = [*moving]
    ids = [own_id(item.converted.data, dialect) for item in moving]
    for index, (name, why) in made_ids(ids, source, dialect).items():
        path, converted = dialect.id_paths[0], moving[index].converted
        key = str(path[0])
        data = with_value_at({key: None, **converted.data}, path, name)
        report = (*converted.report, f"{'.'.join(map(str, path))}: {why}")
        with_ids[index] = moving[index]._replace(converted=Converted(data, report))
    return with_ids


def _laid(moving: list[_Moving], target: Path, dialect: Dialect) -> list[_Moving]:
    """Return the samples as they are laid out in the file: as rows, where the program of the dialect reads rows."""
    if BY_SUFFIX.get(target.suffix.lower()) not in (BY_NAME["csv"], BY_NAME["tsv"]):
        return moving
    columns = {key for item in moving for key in item.converted.data}
    rows = [as_row(item.converted.data, dialect, columns) for item in moving]
    return [
        item._replace(converted=Converted(row, (*item.converted.report, *notes)))
        for item, (row, notes) in zip(moving, rows, strict=True)
    ]


def _refused(moving: list[_Moving], target: Path, dialect: Dialect) -> Iterator[str]:
    """Yield what the program of a dialect would reject in the file as a whole."""
    rows = [item.converted.data for item in moving]
    if BY_SUFFIX.get(target.suffix.lower()) is BY_NAME["csv"]:
        yield from misread(rows, dialect)
    with_messages = sum(isinstance(value_at(row, dialect.message_paths[0]), list) for row in rows)
    if dialect.conversion.one_kind and 0 < with_messages < len(rows):
        yield (
            f"{dialect.title} takes conversations and other samples from separate files alone:"
            f" {with_messages:,} of {len(rows):,} are conversations"
        )


def _empty(target: Path, dialect: Dialect, moving: list[_Moving], *, force: bool) -> DeckFiles:
    if is_link(target):
        raise ConversionError(f"{target} is a link, through which nothing is written")
    if exists(target) and not force:
        raise ConversionError(f"{target} exists; --force replaces it")
    keys = dict.fromkeys(key for item in moving for key in item.converted.data)
    document = create(target, new_container(dialect), keys).sources[0].document
    disk = Disk(document, None)
    if exists(target):
        text, stamp = read_text(target)
        disk = Disk(dataclasses.replace(document, pieces=(text,)), stamp)
    return DeckFiles(target, (DeckFile(target, document, disk),))


def _filled(files: DeckFiles, moving: list[_Moving]) -> tuple[DeckFiles, dict[str, list[str]]]:
    """Return the target with all samples, and for each remark the ids of the samples it is about."""
    source = files.sources[0]
    growing = Growing(source.document)
    remarks: dict[str, list[str]] = {}
    for sample, unsaid_of, converted in moving:
        try:
            data, lost = source.document.fitting(converted.data)
            growing.add(data)
        except EditRefusedError as error:
            message = f"{sample.path}:{sample.line}: {sample.id} cannot be written: {error}"
            raise EditRefusedError(message) from error
        for remark in (*unsaid_of, *converted.report, *lost):
            remarks.setdefault(remark, []).append(sample.id)
    written = source._replace(document=growing.document)
    return dataclasses.replace(files, sources=(written,)), remarks


def _read_otherwise(written: DeckFiles, dialect: Dialect) -> Iterator[str]:
    """Yield a remark if the written file would be read in another dialect unless `--dialect` is given."""
    detection_dialect = detected(written, PromptOptions(dialects=dialects_for(written.path.parent))).dialect
    if detection_dialect.name != dialect.name:
        remedy = f"--dialect {dialect.name} reads it as {dialect.title}"
        yield f"{written.path} reads as {detection_dialect.title} by its keys; {remedy}"


def _not_carried(deck: Deck, target: Path) -> Iterator[str]:
    for source in deck.files.sources:
        for key in source.document.context:
            yield f"{source.path}: {key} is beside the samples and is not carried over"
        if any(finding.rule == _FURTHER for finding, _ in source.document.notes()):
            yield f"{source.path}: the documents behind the first one are not carried"
        moved = real_path(source.path.parent) != real_path(target.parent)
        left_behind = [sample for sample in deck.samples if sample.path == source.path] if moved else []
        for file in attached(left_behind):
            yield f"{file} is found from the folder of {source.path}; the path is kept as it is written"
