"""`sampleui replace`: a text for another in the samples of decks, everything else left as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import click

from sampleui.cli import output
from sampleui.cli.checked import counted
from sampleui.cli.decks import Found, decks_argument, decks_of
from sampleui.cli.dialectname import DialectName
from sampleui.cli.guard import FAILED
from sampleui.deck.diff import diff
from sampleui.errors import DeckError, EditError, FormatError, SampleUIError
from sampleui.finding import SECONDS, PatternError, Query, texts_of
from sampleui.formats.data import DataPath, shown
from sampleui.sample.model import Sample
from sampleui.text.diagnostic import Finding, Severity
from sampleui.text.limits import TookTooLongError, limited
from sampleui.workspace import Deck, open_deck

Replace: TypeAlias = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Replaced:
    """A deck with all its replacements made.

    Attributes:
        deck: the deck.
        looked_at: how many samples were looked at.
        values, samples: how many values were replaced, and in how many samples.
        refused: what was not, each with its place and reason.
    """

    deck: Deck
    looked_at: int
    values: int
    samples: int
    refused: tuple[str, ...]


@click.command("replace")
@click.argument("old")
@click.argument("new")
@decks_argument
@click.option("--regex", "-e", is_flag=True, help="OLD is a regular expression, and NEW may name its groups.")
@click.option("--ignore-case", "-i", is_flag=True, help="Upper and lower case are alike.")
@click.option("--word", "-w", is_flag=True, help="Find whole words only.")
@click.option("--sample", "wanted", metavar="ID", help="Only in this sample; #N is the N-th.")
@click.option("--dialect", type=DialectName(), help="Read the decks in this dialect.")
@click.option("--dry-run", "-n", is_flag=True, help="Print the diff and write nothing.")
def command(
    *,
    old: str,
    new: str,
    decks: tuple[Path, ...],
    regex: bool,
    ignore_case: bool,
    word: bool,
    wanted: str | None,
    dialect: str | None,
    dry_run: bool,
) -> int:
    """Replace OLD by NEW in the texts of samples.

    DECK is a file, a folder, or a glob in quotes; `sampleui check --help` says which files of a folder are decks.
    Keys, comments, and what stands beside the samples are not looked at. Of a deck nothing is written unless all of
    its edits are accepted; refused ones are told with their place.

    Exit codes: 0 something was replaced, or would be; 1 nothing was found; 2 a deck was refused or could not be
    read, the others are written all the same.
    """
    replace = replacing(old, new, regex=regex, ignore_case=ignore_case, word=word)
    done: set[Path] = set()
    found, looked_at, failed = 0, 0, False
    for one in decks_of(decks).found:
        try:
            if not isinstance(one, Found):
                raise one
            replaced = replaced_in(open_deck(one.path, dialect), replace, wanted, done)
            done.update(source.path.resolve() for source in replaced.deck.files.sources)
            found, looked_at = found + replaced.values, looked_at + replaced.looked_at
            failed = failed or bool(replaced.refused)
            _finish(replaced, dry_run=dry_run)
        except (DeckError, SampleUIError, OSError) as error:
            output.complain(str(error))
            failed = True
    if wanted is not None and not looked_at and not failed:
        raise PatternError(f"no deck has a sample {wanted}")
    return FAILED if failed else int(not found)


def replacing(old: str, new: str, *, regex: bool, ignore_case: bool, word: bool) -> Replace:
    """Return what replaces every occurrence in a text.

    Raises:
        PatternError: when there is nothing to look for, or the pattern or what replaces it is none.
    """
    query = Query(old, regex, ignore_case, word)
    query.check(new)
    return lambda text: query.replaced(text, new)


def replaced_in(deck: Deck, replace: Replace, wanted: str | None, done: set[Path]) -> Replaced:
    """Return a deck with the replacements made in its samples, but for those in files that are done already."""
    refused: list[str] = []
    looked_at = values = samples = 0
    changed = deck
    for sample in deck.samples:
        if wanted not in (None, sample.id, f"#{sample.index + 1}") or sample.path.resolve() in done:
            continue
        looked_at, before = looked_at + 1, values
        refused += _unread(deck, sample)
        for path, text in texts_of(sample.data):
            try:
                with limited(SECONDS):
                    new = replace(text)
                if new != text:
                    changed = changed.set(sample.index, path, new)
                    values += 1
            except TookTooLongError:
                refused.append(_said(deck, sample.index, path, f"the pattern takes longer than {SECONDS:g} s"))
            except EditError as error:
                refused.append(_said(deck, sample.index, path, str(error)))
        samples += values > before
    return Replaced(changed, looked_at, values, samples, tuple(refused))


def _unread(deck: Deck, sample: Sample) -> Iterator[str]:
    at, inner = deck.files.locate(sample.index)
    try:
        deck.files.sources[at].document.read(inner)
    except FormatError as error:
        yield _said(deck, sample.index, (), f"the sample cannot be read: {error.message}")


def _said(deck: Deck, index: int, path: DataPath, why: str) -> str:
    return str(
        deck.place(
            index, Finding("replace-refused", Severity.ERROR, f"{shown(path)}: {why}" if path else why, path)
        )
    )


def _finish(replaced: Replaced, *, dry_run: bool) -> None:
    """Say what was refused; else write the deck, or print how it would change."""
    deck = replaced.deck
    for refusal in replaced.refused:
        output.complain(refusal)
    if replaced.refused:
        output.complain(f"{deck.path}: nothing is replaced, for {counted(len(replaced.refused), 'edit')} refused")
    elif dry_run and deck.changed:
        output.diff_value(diff(deck.files))
    elif deck.changed:
        for lost in deck.save():
            output.line(lost)
        values, samples = counted(replaced.values, "value"), counted(replaced.samples, "sample")
        output.line(f"{deck.path}: {values} replaced in {samples}")
