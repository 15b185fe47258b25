"""The decks that the arguments of a command refer to: files as named, folders and globs by what they hold."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import click

from sampleui.cli import output
from sampleui.cli.arguments import FILE
from sampleui.cli.processes import each
from sampleui.deck.load import load_text
from sampleui.errors import DeckError
from sampleui.formats.registry import BY_SUFFIX
from sampleui.settings.options import Settings
from sampleui.text.confined import is_file, is_folder, opened, real_path
from sampleui.text.limits import MAX_DECK_BYTES, MAX_EDIT_BYTES
from sampleui.text.patterns import is_glob
from sampleui.workspace.deck import Deck, deck_of, open_with
from sampleui.workspace.edit_requests import RequestError
from sampleui.workspace.folders import (
    DeckCheck,
    LikelyDeck,
    Skipped,
    Unread,
    deck_check,
    globbed,
    may_own,
    walk,
)
from sampleui.workspace.reading import PromptOptions, dialect_told_by
from sampleui.workspace.samples import asks_nothing

_Result = TypeVar("_Result")
_TWICE = "given already"


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """A deck, the argument that led to it, and whether that argument names the deck itself."""

    path: Path
    argument: Path
    named: bool


@dataclass(frozen=True, slots=True)
class DeckArguments:
    """What the arguments of a command mean.

    Attributes:
        found: the decks in the order of the arguments; an error for an argument, or a folder, without any.
        skipped: the files that are not decks, in the same order.
    """

    found: tuple[FoundDeck | DeckError, ...]
    skipped: tuple[Skipped, ...] = ()


decks_argument = click.argument("decks", metavar="DECK...", nargs=-1, required=True, type=FILE)
jobs_option = click.option(
    "--jobs",
    "-j",
    type=click.IntRange(min=1),
    help="How many processes work on many files; one per processor if not given.",
)


def decks_of(paths: Sequence[Path], jobs: int | None = None, *, only_decks: bool = False) -> DeckArguments:
    """Return the decks that arguments mean.

    A file that is named is always one. Of a folder, and of a glob that names no file, it is those files that hold
    samples, each once; one whose samples belong to another of them, as the cases of a suite do, is read with that.

    With `only_decks` a file that is named is looked at as one of a folder is, and one that the decks around it
    refer to is read with those.
    """
    below = {path: below_path for path in paths if (below_path := _below(path, only_decks)) is not None}
    if not below:
        return DeckArguments(tuple(FoundDeck(path, path, named=True) for path in paths))
    files = dict.fromkeys(
        item.path for candidates in below.values() for item in candidates if isinstance(item, LikelyDeck)
    )
    around = [owner for path in files if only_decks and path in below for owner in may_own(path)]
    judged = _judged([*dict.fromkeys((*files, *around))], jobs)
    found: list[FoundDeck | DeckError] = []
    skipped: list[Skipped] = []
    seen = {real_path(path) for path in paths if path not in below}
    for path in paths:
        if path not in below:
            found.append(FoundDeck(path, path, named=True))
            continue
        chosen, left = _chosen(path, below[path], judged, seen)
        found += chosen
        skipped += left
    return DeckArguments(tuple(found), tuple(skipped))


def each_deck(
    work: Callable[[Path], _Result], meant: DeckArguments, jobs: int | None, doing: str
) -> Iterator[_Result | DeckError]:
    """Yield the result of each deck, or why there is none, in the order of the arguments. Raises as `each` does."""
    results = each(work, [item.path for item in meant.found if isinstance(item, FoundDeck)], jobs, doing)
    return (next(results) if isinstance(item, FoundDeck) else item for item in meant.found)


STANDARD_INPUT = Path("-")
_UNNAMED = ("", "jsonl", "csv", "tsv")
"""The formats that a text is tried in that no name tells of: the one that it shows, then those that any may be."""


def open_argument(settings: Settings, path: Path, dialect: str | None) -> Deck:
    """Open the deck that an argument names, `-` for standard input. Raises DeckError as `open_with` does."""
    if path != STANDARD_INPUT:
        return open_with(settings, path, dialect)
    data = b"" if sys.stdin is None else sys.stdin.buffer.read(MAX_DECK_BYTES + 1)
    if len(data) > MAX_DECK_BYTES:
        raise DeckError(f"standard input is larger than {MAX_DECK_BYTES >> 20:,} MiB", path)
    tables, options = [*settings.dialects.values()] or None, PromptOptions.of(settings)
    found: list[Deck | DeckError] = []
    for form in _UNNAMED:
        try:
            files = load_text(data, path, tables, form)
            deck = deck_of(files, dialect, options)
        except DeckError as error:
            found.append(error)
            continue
        told = dialect_told_by(files, options) if found else None
        is_told = told is not None and told.dialect.name == deck.dialect
        if deck.samples and (not found or is_told or not asks_nothing(deck.samples)):
            return deck
        found.append(deck)
    if isinstance(found[0], DeckError):
        raise found[0]
    return found[0]


def _below(path: Path, only_decks: bool) -> list[LikelyDeck | Skipped | Unread] | None:
    """Return the candidates in a folder or of a glob; None for a file that is a deck because it is named."""
    if is_many(path):
        return list(walk(path) if is_folder(path) else globbed(str(path)))
    if not only_decks or not is_file(path):
        return None
    return [LikelyDeck(path) if path.suffix.lower() in BY_SUFFIX else Skipped(path, "not named like a deck")]


@dataclass(frozen=True, slots=True)
class _Judged:
    """Why a file is no deck of its own ("" for one that is), and the deck that it is part of."""

    reason: str
    owner: Path | None = None


def is_many(path: Path) -> bool:
    """Tell whether an argument stands for the decks that it holds or matches."""
    return is_folder(path) or is_glob(path)


def _judged(files: list[Path], jobs: int | None) -> dict[Path, _Judged]:
    verdicts = [
        DeckCheck() if isinstance(item, DeckError) else item for item in each(deck_check, files, jobs, "looking at")
    ]
    reals = [real_path(path) for path in files]
    parts = {real: item.parts for real, item in zip(reals, verdicts, strict=True)}
    owners: dict[Path, Path] = {}
    for path, real in zip(files, reals, strict=True):
        for part in parts[real]:
            # Two that refer to each other are one deck: that of the first.
            if real not in parts.get(part, ()) or (part not in owners and real not in owners):
                owners.setdefault(part, path)
    return {
        path: _Judged(f"read with {owners[real].name}", owners[real]) if real in owners else _Judged(item.reason)
        for path, real, item in zip(files, reals, verdicts, strict=True)
    }


def _chosen(
    argument: Path, below: list[LikelyDeck | Skipped | Unread], judged: dict[Path, _Judged], seen: set[Path]
) -> tuple[list[FoundDeck | DeckError], list[Skipped]]:
    """Return the decks that an argument adds to those of earlier ones, and the files that are skipped."""
    found: list[FoundDeck | DeckError] = []
    skipped: list[Skipped] = []
    for item in below:
        if isinstance(item, Unread):
            found.append(DeckError(item.reason, item.path))
        elif isinstance(item, Skipped):
            skipped.append(item)
        else:
            verdict = judged[item.path]
            deck = _first_owner(item.path, judged) if argument == item.path else item.path
            if verdict.reason:
                skipped.append(Skipped(item.path, verdict.reason))
            if verdict.reason and deck == item.path:
                continue
            if (real := real_path(deck)) not in seen:
                seen.add(real)
                found.append(FoundDeck(deck, argument, named=False))
            elif not verdict.reason:
                skipped.append(Skipped(item.path, _TWICE))
    if not found and is_many(argument) and not any(skip.reason == _TWICE for skip in skipped):
        found.append(DeckError("the folder has no decks" if is_folder(argument) else "no deck matches", argument))
    return found, skipped


def _first_owner(path: Path, judged: dict[Path, _Judged]) -> Path:
    """Return the deck that a file is part of; the file itself if it is a deck."""
    while (owner := judged[path].owner) is not None:
        path = owner
    return path


def tell_skipped(skipped: Sequence[Skipped]) -> None:
    """Print what was left out and why, and how many files that are."""
    for item in skipped:
        output.line(f"{item.path}: skipped: {item.reason}")
    if skipped:
        counts = Counter(skip.reason.split(":")[0] for skip in skipped)
        listed = ", ".join(f"{count:,} {reason}" for reason, count in counts.most_common())
        output.line(f"{len(skipped):,} skipped: {listed}")


def text_of(file: Path) -> str:
    """Return the text of a file, or of standard input for `-`, of at most MAX_EDIT_BYTES.

    Raises:
        RequestError: for what is no UTF-8, and as `bytes_of` does.
        OSError: when it cannot be read.
    """
    try:
        return bytes_of(file, MAX_EDIT_BYTES).decode("utf-8")
    except UnicodeDecodeError as error:
        raise RequestError("request", f"{file} is not UTF-8: see its byte {error.start + 1}") from None


def bytes_of(file: Path, most: int) -> bytes:
    """Return what a file holds, or standard input for `-`.

    Raises:
        RequestError: when standard input is closed, or there is more than the most.
        OSError: when it cannot be read.
    """
    is_input = file == STANDARD_INPUT
    if is_input and sys.stdin is None:
        raise RequestError("request", "standard input is closed")
    with nullcontext(sys.stdin.buffer) if is_input else opened(file) as source:
        data = source.read(most + 1)
    if len(data) > most:
        name = "standard input" if is_input else file
        raise RequestError("request", f"{name} is larger than {most >> 20} MiB, the most that is taken")
    return data
