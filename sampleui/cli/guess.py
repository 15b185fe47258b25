"""`sampleui guess`: the table of a dialect for a file that none knows."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import click

from sampleui.cli import output
from sampleui.cli.files import FILE
from sampleui.deck.load import load
from sampleui.dialecttables import CONTAINERS
from sampleui.errors import DeckError
from sampleui.reading import PromptOptions, told_by
from sampleui.sample.guessing import guessed, name_of, written
from sampleui.samples import readable
from sampleui.settings import PROJECT_FILE, load_settings

_LOOKED_AT = 50


@click.command("guess")
@click.argument("file", type=FILE)
@click.option("--name", metavar="NAME", help="What to call the dialect; the file's name if not given.")
def command(*, file: Path, name: str | None) -> int:
    """Print the table that FILE would take as a dialect of your own, ready to paste into .sampleui.toml.

    It says where messages or a prompt stand, how turns are spelled, what is expected, ids, tags and the types of
    all keys, as far as names and values tell. With the table in the project's file FILE opens. That a file is read
    in a dialect already is said on standard error.

    Exit codes: 0 a table was printed, 2 there are no samples to guess from.
    """
    files = load(file)
    holder = next((source for source in files.sources if len(source.document)), None)
    if holder is None:
        where = ", ".join(CONTAINERS)
        raise DeckError(f"no samples were found: they stand in a list, in lines, or under {where}", file)
    document = holder.document
    some = (readable(document, index) for index in range(len(document)))
    table = guessed([one for one in islice(some, _LOOKED_AT) if one], document.container)
    if table is None:
        raise DeckError("nothing in its samples looks like a prompt or a conversation", file)
    known = told_by(files, PromptOptions.of(load_settings(file.parent)))
    if known is not None:
        output.complain(f"{file} is read as {known.dialect.title} already: {known.reason}")
    output.text_value(f"# for {PROJECT_FILE}\n{written(name or name_of(file.stem), table)}".rstrip("\n"))
    return 0
