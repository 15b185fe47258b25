"""The decks that the arguments of a command mean: files as they are named, folders and globs as what they hold."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from sampleui.cli import output
from sampleui.cli.files import FILE
from sampleui.cli.many import Died, each
from sampleui.errors import DeckError
from sampleui.folders.telling import Told, told
from sampleui.folders.walking import Candidate, Skipped, Unread, globbed, is_glob, walk

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Found:
    """A deck, the argument that it was found by, and whether that is its own name."""

    path: Path
    given: Path
    named: bool


@dataclass(frozen=True, slots=True)
class Decks:
    """What the arguments of a command mean.

    Attributes:
        found: the decks in the order of the arguments; an error for an argument, or a folder, without any.
        skipped: what is none of them, in the same order.
    """

    found: tuple[Found | DeckError, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files."""
        return tuple(one.path for one in self.found if isinstance(one, Found))


def decks_argument(function: _Function) -> _Function:
    """Declare the argument DECKS."""
    return click.argument("decks", metavar="DECK...", nargs=-1, required=True, type=FILE)(function)


def jobs_option(function: _Function) -> _Function:
    """Declare `--jobs`."""
    words = "How many processes work on many files; as many as there are processors if not given."
    return click.option("--jobs", "-j", type=click.IntRange(min=1), help=words)(function)


def decks_of(given: Sequence[Path], jobs: int | None = None) -> Decks:
    """Return the decks that arguments mean.

    A file that is named is always one. Of a folder, and of a glob that names no file, it is those files that hold
    samples, each once; one whose samples belong to another of them, as the cases of a suite do, is read with that.
    """
    if not any(is_many(path) for path in given):
        return Decks(tuple(Found(path, path, named=True) for path in given))
    below = {path: list(walk(path) if path.is_dir() else globbed(str(path))) for path in given if is_many(path)}
    files = list(dict.fromkeys(one.path for found in below.values() for one in found if isinstance(one, Candidate)))
    judged = _judged(files, jobs)
    found: list[Found | DeckError] = []
    skipped: list[Skipped] = []
    seen = {os.path.realpath(path) for path in given}
    for path in given:
        if path not in below:
            found.append(Found(path, path, named=True))
            continue
        chosen, left = _chosen(path, below[path], judged, seen)
        found += chosen
        skipped += left
    return Decks(tuple(found), tuple(skipped))


def is_many(path: Path) -> bool:
    """Tell whether an argument stands for the decks that it holds or matches."""
    return path.is_dir() or is_glob(path)


def _judged(files: list[Path], jobs: int | None) -> dict[Path, str]:
    """Return for each file why it is no deck of its own, "" for one that is."""
    said = [Told() if isinstance(one, Died) else one for one in each(told, files, jobs, "looking at")]
    parts = {path: one.parts for path, one in zip((path.resolve() for path in files), said, strict=True)}
    owners: dict[Path, Path] = {}
    for owner, held in parts.items():
        for part in held:
            # Two that refer to each other are one deck: that of the first.
            if owner not in parts.get(part, ()) or (part not in owners and owner not in owners):
                owners.setdefault(part, owner)
    return {
        path: one.reason or (f"read with {owners[real].name}" if (real := path.resolve()) in owners else "")
        for path, one in zip(files, said, strict=True)
    }


def _chosen(
    given: Path, below: list[Candidate | Skipped | Unread], judged: dict[Path, str], seen: set[str]
) -> tuple[list[Found | DeckError], list[Skipped]]:
    """Return what of the things below an argument are decks that are not seen yet, and what is left out."""
    found: list[Found | DeckError] = []
    skipped: list[Skipped] = []
    for one in below:
        if isinstance(one, Unread):
            found.append(DeckError(one.reason, one.path))
        elif isinstance(one, Skipped):
            skipped.append(one)
        elif reason := judged[one.path]:
            skipped.append(Skipped(one.path, reason))
        elif (real := os.path.realpath(one.path)) in seen:
            skipped.append(Skipped(one.path, "given already"))
        else:
            seen.add(real)
            found.append(Found(one.path, given, named=False))
    if not found and not any(one.reason == "given already" for one in skipped):
        found.append(DeckError("the folder has no decks" if given.is_dir() else "no deck matches", given))
    return found, skipped


def tell_skipped(skipped: Sequence[Skipped]) -> None:
    """Print what was left out and why, and how many files that are."""
    for one in skipped:
        output.line(f"{one.path}: skipped: {one.reason}")
    if skipped:
        counts = Counter(one.reason.split(":")[0] for one in skipped)
        listed = ", ".join(f"{count:,} {reason}" for reason, count in counts.most_common())
        output.line(f"{len(skipped):,} skipped: {listed}")
