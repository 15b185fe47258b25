"""`sampleui convert`: a deck in another format or dialect."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.deck.load import create, read_text
from sampleui.deck.model import DeckFiles, Disk, Source
from sampleui.deck.save import save
from sampleui.errors import EditRefusedError, SampleUIError
from sampleui.formats.data import Table
from sampleui.formats.document import Document
from sampleui.sample.convert import convert
from sampleui.sample.dialects import DIALECTS, Dialect
from sampleui.sample.model import FileSegment, Sample
from sampleui.sample.parse import turns
from sampleui.workspace import Deck, open_deck


class TargetExistsError(SampleUIError):
    """The file to write exists and --force was not given."""


@click.command("convert")
@click.argument("source", metavar="SRC", type=click.Path(path_type=Path))
@click.argument("target", metavar="DST", type=click.Path(path_type=Path))
@click.option(
    "--to", "dialect", type=click.Choice(list(DIALECTS)), help="The dialect of DST; that of SRC if not given."
)
@click.option("--from", "given", type=click.Choice(list(DIALECTS)), help="Read SRC in this dialect.")
@click.option("--force", is_flag=True, help="Replace DST if it exists.")
def command(source: Path, target: Path, dialect: str | None, given: str | None, *, force: bool) -> int:
    """Write the samples of SRC to DST; its extension says the format.

    Every field that has no place in the target is reported, one line each; where the target keeps metadata, the
    field is kept there. Comments and layout are not carried. Exit codes: 0 all samples were written, 2 nothing was.
    """
    deck = open_deck(source, given)
    wanted = DIALECTS[dialect] if dialect else deck.kind
    files = _empty(target, wanted, force=force)
    written = _filled(files, deck, wanted)
    save(written)
    for remark in _not_carried(deck, target):
        output.line(remark)
    output.line(f"{target}: {len(written):,} samples written as {wanted.title}")
    return 0


# A form with a key over its samples begins with the dialect's own; the others have but one way to begin.
_BEGINNINGS = {"yaml": "{key}: []\n", "json": '{{"{key}": []}}\n'}


def _empty(target: Path, dialect: Dialect, *, force: bool) -> DeckFiles:
    if target.exists() and not force:
        raise TargetExistsError(f"{target} exists; --force replaces it")
    stamp = read_text(target)[1] if target.exists() else None
    document = create(target).sources[0].document
    if dialect.containers[0] and document.format in _BEGINNINGS:
        document = type(document).parse(_BEGINNINGS[document.format].format(key=dialect.containers[0][0]))
    return DeckFiles(target, (Source(target, document, Disk(document, stamp)),))


def _filled(files: DeckFiles, deck: Deck, wanted: Dialect) -> DeckFiles:
    source = files.sources[0]
    document = source.document
    for sample in deck.samples:
        converted = convert(_identified(deck, sample), deck.kind, wanted)
        for remark in converted.report:
            output.line(f"{sample.id}: {remark}")
        document = _with(document, sample, converted.data)
    return dataclasses.replace(files, sources=(dataclasses.replace(source, document=document),))


def _with(document: Document, sample: Sample, data: Table) -> Document:
    try:
        return document.apply(document.insert_sample(len(document), data))
    except EditRefusedError as error:
        raise EditRefusedError(f"{sample.path}:{sample.line}: {sample.id} cannot be written: {error}") from error


def _identified(deck: Deck, sample: Sample) -> Table:
    """Return a sample's data with the name that a keyed deck gives it as its id."""
    own = deck.own_id(sample)
    return sample.data if own is None or "id" in sample.data else {"id": own, **sample.data}


def _not_carried(deck: Deck, target: Path) -> Iterator[str]:
    for source in deck.files.sources:
        for key in source.document.context:
            yield f"{source.path}: {key} stands beside the samples and is not carried"
        moved = source.path.parent.resolve() != target.parent.resolve()
        held = [sample for sample in deck.samples if sample.path == source.path] if moved else []
        files = dict.fromkeys(
            segment.path
            for sample in held
            for turn in turns(sample)
            for segment in turn.segments
            if isinstance(segment, FileSegment)
        )
        for file in files:
            yield f"{file} is found from the folder of {source.path}; the path is kept as it is written"
