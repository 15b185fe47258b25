"""What the commands about results share: who reviews, which deck was run, the options."""

from __future__ import annotations

import contextlib
import getpass
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from sampleui.cli.files import FILE
from sampleui.cli.opening import opened
from sampleui.errors import DeckError
from sampleui.formats.data import Table
from sampleui.review.results import Results
from sampleui.sample.model import Sample
from sampleui.settings import Settings, load_settings
from sampleui.text.confined import project_root
from sampleui.workspace import Deck

DECK_KEYS = ("deck", "eval_file", "evalFile", "eval_path", "dataset_path", "source_file", "dataset")
DECK_SUFFIXES = (".toml", ".yaml", ".yml", ".deck.md", ".jsonl", ".json")
RESULT_WORDS = frozenset({"results", "result", "baseline", "run", "eval"})

_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class FoundDeck:
    """The deck of a run, or why none is used and what to do about it."""

    deck: Deck | None
    hint: str = ""


def results_argument(function: _Function) -> _Function:
    """Declare the argument RESULTS."""
    return click.argument("results", type=FILE)(function)


def deck_option(function: _Function) -> _Function:
    """Declare `--deck`."""
    words = "The deck that was run; looked for beside RESULTS if not given."
    return click.option("--deck", type=FILE, help=words)(function)


def reviewer_option(function: _Function) -> _Function:
    """Declare `--reviewer`."""
    words = "Whose verdicts; your login name if not given."
    return click.option("--reviewer", metavar="NAME", help=words)(function)


def threshold_option(function: _Function) -> _Function:
    """Declare `--fail-under`."""
    kind = click.FloatRange(0, 1)
    return click.option("--fail-under", type=kind, help="Scores under this fail, whatever the run says.")(function)


def settings_of(results: Path, reviewer: str | None = None, fail_under: float | None = None) -> Settings:
    """Return the settings for a results file, options of the command line put over them."""
    folder = results if results.is_dir() else results.parent
    return load_settings(folder, {"reviewer": reviewer, "fail_under": fail_under})


def threshold_of(settings: Settings) -> float | None:
    """Return the threshold that was asked for, None for what each runner says."""
    return settings.fail_under if "fail_under" in settings.origins else None


def reviewer_of(settings: Settings) -> str:
    """Return the name to write beside a verdict."""
    try:
        return settings.reviewer or getpass.getuser()
    except (OSError, KeyError):  # a container may run under a number that has no name
        return "reviewer"


def deck_of_run(results: Results, given: Path | None, settings: Settings) -> FoundDeck:
    """Return the deck that was run: the given one, else the one that the first record names or that lies beside.

    A deck that was not given is used only where exactly one could be meant. The first record is indexed for it.

    Raises:
        DeckError: when the given deck cannot be read.
    """
    if given is not None:
        return FoundDeck(opened(given, None, settings))
    next(results.index(1), None)
    data = results.record(0).data if results.entries else {}
    decks = _decks(_named(data, results.base_dir), settings) or _decks(_beside(results.path), settings)
    if len(decks) == 1:
        return FoundDeck(decks[0])
    if decks:
        several = " and ".join(deck.path.name for deck in decks[:2])
        return FoundDeck(None, f"{several} could be the deck; pass the one with --deck to fix samples")
    return FoundDeck(None, "no deck is known; pass it with --deck to fix samples")


def sample_of(deck: Deck | None, sample_id: str) -> Sample | None:
    """Return a sample of a deck, None where there is none of the id."""
    samples = deck.samples if deck is not None else ()
    return next((sample for sample in samples if sample.id == sample_id), None)


def _decks(paths: Iterable[Path], settings: Settings) -> list[Deck]:
    """Return the decks among files, each once."""
    found = []
    for path in {path.resolve(): path for path in paths}.values():
        with contextlib.suppress(DeckError):
            deck = opened(path, None, settings)
            found += [deck] * bool(len(deck.samples))
    return found


def _named(data: Table, folder: Path) -> Iterator[Path]:
    """Yield the decks that a record names. A stranger's results may name no file outside of the project."""
    for key in DECK_KEYS:
        said = data.get(key)
        if not isinstance(said, str) or "\0" in said or not said.endswith(DECK_SUFFIXES):
            continue
        for base in (folder, Path()):
            path = base / said
            if path.is_file() and path.resolve().is_relative_to(project_root(base.resolve())):
                yield path


def _beside(results: Path) -> Iterator[Path]:
    """Yield the files that are named as the results are, beside them or in the folder `decks` next to theirs."""
    stem = results.name.split(".")[0]
    names = [f"{stem}{suffix}" for suffix in DECK_SUFFIXES if stem not in RESULT_WORDS]
    for folder in (results.parent, results.parent.parent / "decks"):
        for path in (folder / name for name in names if name != results.name):
            if path.is_file() and path.resolve().parent == folder.resolve():  # no link that leads elsewhere
                yield path
