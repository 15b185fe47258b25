"""`sampleui guess`: a dialect table for a file that no dialect recognizes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE
from sampleui.deck.load import load
from sampleui.errors import DeckError, OtherFileError, ResultsError
from sampleui.formats.data import CONTAINERS, Table
from sampleui.review.results.adapter_selection import name_of as results_name
from sampleui.review.results.adapter_selection import shipped_for
from sampleui.review.results.file import open_results
from sampleui.review.results.guessing import guessed_records, guessed_rows, is_of_a_run, written_rows
from sampleui.sample.dialects.guessing import PIECES, guessed, is_in_pieces, name_of, written_dialect
from sampleui.sample.dialects.older import updated
from sampleui.sample.message_shapes import is_talk
from sampleui.sample.rules.every_dialect import cure
from sampleui.settings.options import PROJECT_FILE, load_settings
from sampleui.settings.vocabulary import UserTable
from sampleui.settings.writing import settings_file, table_in, take_table
from sampleui.workspace.near_miss import near_miss
from sampleui.workspace.reading import PromptOptions, detected, dialect_told_by
from sampleui.workspace.samples import readable, why_other_table
from sampleui.workspace.unknown_files import under_in, with_samples

_LOOKED_AT = 50
NOTHING = 1
"""The exit code for a file in which nothing is asked."""


class _NothingAskedError(Exception):
    """No field of a file looks like a question or a prompt."""


@click.command("guess")
@click.argument("file", type=FILE)
@click.option("--name", metavar="NAME", help="What to call the dialect; the file's name if not given.")
@click.option(
    "--as", "kind", type=click.Choice(["deck", "results"]), help="What FILE is; told from its keys if not given."
)
@click.option("--take", is_flag=True, help="Add the table to the end of the project's .sampleui.toml.")
def command(*, file: Path, name: str | None, kind: str | None, take: bool) -> int:
    """Print a table that makes FILE readable as a dialect of your own, ready to paste into .sampleui.toml.

    For a deck the table says where the messages or the prompt are, how turns are spelled, what is expected, and
    where ids and tags are, with the types of all keys, as far as names and values show it; for results, where the
    id is, how a row came out, the answer, and what evaluators gave. Once the table is in the project's file, FILE
    opens. If a dialect reads FILE already, standard error says so.

    Exit codes: 0 a table was printed, 1 FILE asks nothing of a model, 2 it cannot be read or has no samples.
    """
    try:
        table = _of_results(file, sure=kind is not None) if kind != "deck" else None
    except OtherFileError as error:
        output.complain(f"{error}: nothing is asked in it")
        return NOTHING
    if table is None and kind == "results":
        raise ResultsError("nothing in its rows looks like something to read", file)
    try:
        text = _of_deck(file, name) if table is None else written_rows(name or results_name(file.stem), *table)
    except _NothingAskedError as error:
        output.complain(f"{file}: nothing is asked: {error}")
        return NOTHING
    table_in(text, settings_file(file.parent))
    if take:
        output.complain(f"{take_table(file.parent, text)}: the table is written")
    output.text_value(f"# for {PROJECT_FILE}\n{text}".rstrip("\n"))
    return 0


def _of_results(file: Path, *, sure: bool) -> tuple[UserTable, Sequence[Table]] | None:
    """Return the table of a file of results, and rows; None if none can be guessed, or it may as well be a deck."""
    try:
        results = open_results(file, (), anyones=sure, asked=sure)
        rows = results.first_rows
    except OtherFileError:
        raise
    except (ResultsError, OSError):
        if sure:
            raise
        return None
    table = guessed_rows(rows, results.source.container) or guessed_records(rows, results.source.container)
    known = next((item for row in rows if (item := shipped_for(row))), None)
    if table is None or not (sure or known or (is_of_a_run(table) and not _is_deck(file))):
        return None
    if known is not None:
        output.complain(f"{file} is read as results of {known} already")
    return table, rows


def _is_deck(file: Path) -> bool:
    """Tell whether a file is read as a deck of a known dialect already."""
    try:
        files = load(file)
    except DeckError:
        return False
    options = PromptOptions.of(load_settings(file.parent))
    is_other = not len(files) or why_other_table(files.sources[0], options.dialects)
    return not is_other and dialect_told_by(files, options) is not None


def _of_deck(file: Path, name: str | None) -> str:
    found = load(file)
    files = with_samples(found)
    holder = next((source for source in files.sources if len(source.document)), None)
    if holder is None:
        where = ", ".join(CONTAINERS)
        raise DeckError(f"no samples were found: they are expected in a list, in lines, or under {where}", file)
    document = holder.document
    some = (readable(document, index) for index in range(len(document)))
    looked_at = [item for item in islice(some, _LOOKED_AT) if item]
    if is_talk(looked_at):
        raise _NothingAskedError("it is one conversation, which review and trace read as that")
    table = guessed(looked_at, under_in(document))
    if table is None and looked_at and all(map(is_in_pieces, looked_at)):
        raise _NothingAskedError(f"no table can be guessed: {PIECES}")
    if table is None:
        raise _NothingAskedError("nothing in its samples looks like a prompt or a conversation")
    options = PromptOptions.of(load_settings(file.parent))
    known = dialect_told_by(files, options)
    near = near_miss(found.sources[0].document, detected(found, options).dialect)
    if near is not None and near.row is None:
        output.complain(f"{file}: {near.message}; the table reads it as it is")
    elif known is not None and any(updated(item, known.dialect) for item in looked_at):
        output.complain(f"{file} has older records of {known.dialect.title}; {cure(known.dialect)} rewrites them")
    elif known is not None:
        output.complain(f"{file} is read as {known.dialect.title} already: {known.reason}")
    return written_dialect(name or name_of(file.stem), table)
