"""The decks of a run: those that somebody names, those that its records name, or else the one that is meant.

A deck that a run names and no dialect knows is read by a table that is guessed from its keys. The run shows that
the file is a deck, so that nobody need be asked: rows of a question and an answer under names of their own, which
the task of a run maps itself.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path, PurePath

from sampleui.deck.load import load
from sampleui.deck.model import DeckFiles
from sampleui.errors import DeckError
from sampleui.formats.data import Table, texts_in
from sampleui.formats.registry import BY_SUFFIX
from sampleui.integrations.index import settings_folders
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.review.results.run_paths import run_of
from sampleui.review.samples.lookup import Answering, ByValues, Candidate, Joiner, SampleIndex, suite_of
from sampleui.sample.dialects.guessing import guessed, is_likely, name_of, written_dialect
from sampleui.sample.dialects.shipped import is_shown
from sampleui.sample.dialects.user import user_dialect
from sampleui.sample.model import Sample
from sampleui.sample.parse import integration_of
from sampleui.settings.options import Settings
from sampleui.settings.writing import settings_file, table_in
from sampleui.text.confined import (
    belongs,
    below,
    below_here,
    is_file,
    is_folder,
    is_inside,
    is_link,
    is_root,
    listed,
    opened,
    project_root,
    real_path,
    size_of,
)
from sampleui.text.limits import MAX_LOOKED_FOR_BYTES, MAX_RUN_DECKS
from sampleui.workspace.deck import Deck, deck_of
from sampleui.workspace.edit_requests import SampleAddress, sample_names
from sampleui.workspace.folders import holds_results
from sampleui.workspace.reading import PromptOptions, dialect_told_by
from sampleui.workspace.samples import readable

_LOOKED_AT = 50


def ran_deck(files: DeckFiles, dialect: str | None, prompts: PromptOptions, otherwise: str) -> Deck:
    """Return loaded files as a deck, as `deck_of` does; one that shows no dialect by the table guessed for it.

    Raises:
        DeckError: when it is a table in which no dialect finds messages and for which nothing is guessed.
    """
    known = (
        dialect is not None
        or otherwise != ""
        or len(files.sources) > 1
        or dialect_told_by(files, prompts) is not None
    )
    document = files.sources[0].document
    some = [sample for index in range(min(len(document), _LOOKED_AT)) if (sample := readable(document, index))]
    if known or is_shown(document.container, some):
        return deck_of(files, dialect, prompts, otherwise)
    table = guessed(some, document.container)
    if table is None or not is_likely(table):
        return deck_of(files, dialect, prompts, otherwise)
    named = table_in(written_dialect(name_of(files.path.stem), table), settings_file(files.path.parent))
    kind = user_dialect(named.name, named.table)
    return Deck(files, kind, prompts._replace(dialects=(*prompts.dialects, kind)), "its table is guessed")


def index_of(samples: Sequence[Sample]) -> SampleIndex:
    """Return samples as records find them."""
    lookup = integration_of(samples[0]).joining().lookup if samples else None
    return SampleIndex(samples, (lookup or ByValues)(samples))


@dataclass(frozen=True)
class FoundDecks:
    """The decks of a run, or why none is used and what to do about it."""

    decks: tuple[Deck, ...] = ()
    hint: str = ""

    @property
    def samples(self) -> Iterator[Sample]:
        """The samples of all decks."""
        return (sample for deck in self.decks for sample in deck.samples)

    def sample(self, record: Answering) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""
        place = self._joiner.place_of(record)
        return None if place is None else self.decks[place[0]].samples[place[1]]

    def lacks(self, record: Answering) -> bool:
        """Tell whether the deck of a record is here and does not have its sample."""
        return self._joiner.lacks(record)

    def deck_of(self, record: Answering) -> Deck | None:
        """Return the deck that has the sample of a record, None if none has."""
        place = self._joiner.place_of(record)
        return None if place is None else self.decks[place[0]]

    def address(self, record: Answering) -> SampleAddress | None:
        """Return the sample of a record as commands take it, its deck seen from the working folder."""
        place = self._joiner.place_of(record)
        if place is None:
            return None
        return SampleAddress(below_here(self.decks[place[0]].path), self._names[place[0]][place[1]])

    def holding(self, words: str, entries: Sequence[Entry]) -> frozenset[int]:
        """Return the records by index whose sample holds a text, upper and lower case alike."""
        wanted = words.casefold()
        samples = ((entry.index, self.sample(entry)) for entry in entries)
        return frozenset(
            index
            for index, sample in samples
            if sample is not None and any(wanted in text.casefold() for text in texts_in(sample.data))
        )

    @cached_property
    def _names(self) -> tuple[tuple[str, ...], ...]:
        """The samples of each deck, as commands name them."""
        return tuple(map(sample_names, self.decks))

    @cached_property
    def _joiner(self) -> Joiner:
        return Joiner(
            [Candidate(deck.path, index_of(deck.samples), suite_of(deck.path, deck.around)) for deck in self.decks]
        )


_ENDS = tuple(
    f"{kind}{suffix}"
    for suffix, form in BY_SUFFIX.items()
    for kind in ((".deck",) if form.name == "markdown" else ("", ".eval"))
)
"""How the names of decks end; of Markdown, which may be anything, those that say so."""

RESULT_WORDS = frozenset({"results", "result", "baseline", "run", "eval"})
_SKIPPED = frozenset({".git", ".venv", "node_modules", "runs", "results"})
HOMES = ("decks", "datasets", "data", "evals")
"""Folders beside results in which decks are usually kept."""

MAX_SAMPLES, LOOKED_AT = 20_000, 200
"""Samples and records that are looked at to tell which deck was run."""

NEAR = 3
"""How many folders upward a deck is looked for that nothing names."""

NONE_KNOWN = "no deck is known; pass it with --deck to fix samples"
"""What is said of a run without a deck; of records that nobody graded, and that need none, nothing is."""


def decks_of_run(results: Results, paths: Sequence[Path], settings: Settings) -> FoundDecks:
    """Return the decks that were run: the given files and those in given folders, or else what can be found.

    The records name their deck; it is looked for from the results upward to the root of the project. A deck that
    nobody names is used only where exactly one could be meant: by its name, or else by the samples it has.

    Raises:
        DeckError: when a given deck cannot be read, or a given folder has none.
    """
    if paths:
        return given_decks(paths, settings, otherwise=results.deck_dialect)
    next(results.index(1), None)
    if run_of(results.path) is not None:
        results.indexed()
    named = [path for source in _sources(results) if (path := _resolved(source, results)) is not None]
    decks = [*_decks(named, settings, otherwise=results.deck_dialect, ran=True)]
    if decks:
        return FoundDecks(tuple(decks))
    decks = [*_decks(_sibling_decks(results.path), settings, otherwise=results.deck_dialect)]
    suites = [
        entry.suite for entry in results.entries[:1] if entry.suite and PurePath(entry.suite).name == entry.suite
    ]
    decks = decks or [*_decks(_named(suites, results.path.parent, results.path.name), settings)]
    if not decks and results.by_table:
        decks = _answering(results, settings)
    decks = _outermost(decks)
    if len(decks) < 2:
        return FoundDecks(tuple(decks), "" if decks or not results.grades else NONE_KNOWN)
    several = " and ".join(deck.path.name for deck in decks[:2])
    return FoundDecks((), f"{several} could be the deck; pass the one with --deck to fix samples")


def given_decks(
    paths: Sequence[Path], settings: Settings, dialect: str | None = None, otherwise: str = ""
) -> FoundDecks:
    """Return decks that somebody names: files, and those in folders. `otherwise` is as in `deck_of`.

    Raises:
        DeckError: when one cannot be read, or a folder has none.
    """
    return FoundDecks(tuple(deck for path in paths for deck in _decks_at(path, settings, dialect, otherwise)))


def _decks_at(path: Path, settings: Settings, dialect: str | None, otherwise: str) -> list[Deck]:
    if not is_folder(path):
        return [_opened(path, settings, dialect, otherwise, ran=True)]
    decks = [*islice(_decks(_files_in(path), settings, dialect, otherwise), MAX_RUN_DECKS)]
    if not decks:
        raise DeckError("the folder has no decks", path)
    return decks


def _opened(path: Path, settings: Settings, dialect: str | None, otherwise: str, ran: bool) -> Deck:
    opened = ran_deck if ran else deck_of
    return opened(load(path), dialect, PromptOptions.of(settings), otherwise)


def _answering(results: Results, settings: Settings) -> list[Deck]:
    """Return the deck with the samples of most of the records, of the files around results; several that are equal.

    The results of most tools name no deck. A file counts that has the samples of half of the records at least; of
    several the one with the values that most records repeat. One that has neither an id nor a value of any of them
    is not meant, since any deck has a first and a second sample. Beside a run that nobody graded, a file that is
    read by the same table is another run.
    """
    entries = results.entries[:LOOKED_AT]
    near = (path for folder in _upward(results.base_dir)[:NEAR] for path in _decks_in(folder, results.path))
    ranked: list[tuple[tuple[int, int], Deck]] = []
    for deck in _decks(_within(near, MAX_LOOKED_FOR_BYTES), settings, otherwise=results.deck_dialect):
        if not results.grades and any(_is_record(sample.data, results) for sample in deck.samples[:1]):
            continue
        index = index_of(deck.samples[:MAX_SAMPLES])
        ran = sum(index.find(entry) is not None for entry in entries)
        if not any(index.with_id(entry.sample_id) is not None or index.repeats(entry) for entry in entries):
            continue
        ranked.append(((ran, sum(index.repeats(entry) for entry in entries)), deck))
    most = max((counts for counts, _ in ranked), default=(0, 0))
    return [deck for counts, deck in ranked if counts == most and counts[0] * 2 >= max(len(entries), 1)]


def _is_record(row: Table, results: Results) -> bool:
    """Tell whether a row is read as the records of results are."""
    adapter = results.read_by(row)
    return adapter is not None and adapter.parse(row).entry is not None


def _outermost(decks: Sequence[Deck]) -> list[Deck]:
    """Return decks without those that are files of another of them: a config has its files of tests."""
    inner = {real_path(source.path) for deck in decks for source in deck.files.sources[1:]}
    return [deck for deck in decks if real_path(deck.path) not in inner] or [*decks]


def _within(paths: Iterable[Path], most: int) -> Iterator[Path]:
    """Yield files as long as they have so many bytes together; larger ones are passed over."""
    for path in paths:
        size = size_of(path)
        if size <= most:
            most -= size
            yield path


def _decks_in(folder: Path, results: Path) -> Iterator[Path]:
    """Yield the files of a folder, and of those usually kept beside results, that may be decks."""
    for home in (folder, *(folder / name for name in HOMES)):
        for path in () if is_link(home) else listed(home).paths:
            if path.suffix.lower() not in BY_SUFFIX or not is_file(path):
                continue
            if real_path(path) != real_path(results) and real_path(path).parent == real_path(home):
                yield path


def _files_in(folder: Path) -> Iterator[Path]:
    for base, folders, names in below(folder):
        folders[:] = sorted(name for name in folders if not is_skipped([name]))
        for path in (base / name for name in sorted(names)):
            if path.suffix.lower() in BY_SUFFIX and belongs(path):
                yield path


def _decks(
    paths: Iterable[Path],
    settings: Settings,
    dialect: str | None = None,
    otherwise: str = "",
    *,
    ran: bool = False,
) -> Iterator[Deck]:
    """Yield the decks among files, each once. Results are not decks, though they may look like one.

    `ran` says that a run names them, so that one that no dialect knows is read by a guessed table.
    """
    for path in {real_path(path): path for path in paths}.values():
        if holds_results(path):
            continue
        with contextlib.suppress(DeckError):
            deck = _opened(path, settings, dialect, otherwise, ran)
            if len(deck.samples):
                yield deck.as_found()


def _sources(results: Results) -> list[str]:
    """Return the decks that records name, each once, in their order, or else those that the run's events name."""
    named = dict.fromkeys(entry.source for entry in results.entries if entry.source)
    return [*named] or [*_datasets(results.base_dir / "events.jsonl")]


def _datasets(events: Path) -> Iterator[str]:
    if not belongs(events):
        return
    with contextlib.suppress(OSError), opened(events) as file:
        for line in islice(file, 50):
            with contextlib.suppress(ValueError, AttributeError, KeyError, TypeError, RecursionError):
                event: Table = json.loads(line)
                path = event["payload"]["metadata"]["path"] if event["event"] == "dataset_registered" else None  # type: ignore[index,call-overload]
                if isinstance(path, str):
                    yield path


def _resolved(source: str, results: Results) -> Path | None:
    """Return where a deck lies that a record names, None if it is not found.

    A path is as its run saw it, from a folder that may be called otherwise here: leading parts may be missing. The
    copy that a run keeps is not its deck, and a stranger's results name no file outside of the project: that of the
    results, or else the one in which the person works.
    """
    run, written = run_of(results.path), PurePath(source)
    parts = written.parts[1:] if written.is_absolute() else written.parts
    if ".." in parts or "\0" in source or written.suffix.lower() not in BY_SUFFIX:
        return None
    here = real_path(Path())
    folders = (*_upward(results.base_dir), *([here] if is_root(project_root(here)) else []))
    for start in range(len(parts)):
        for folder in folders:
            path = folder.joinpath(*parts[start:])
            inside = is_file(path) and is_inside(path, project_root(folder))
            if inside and not (run is not None and is_inside(path, run)):
                return path
    return None


def is_skipped(folders: Sequence[str]) -> bool:
    """Tell whether one of the folders on a way to a file is one in which no deck is looked for."""
    return not _SKIPPED.union(settings_folders()).isdisjoint(folders)


def _upward(folder: Path) -> list[Path]:
    """Return a folder and those above it up to the root of its project; the folder alone if nothing marks that."""
    here, root = real_path(folder), project_root(folder)
    return [above for above in (here, *here.parents) if above.is_relative_to(root)]


def _sibling_decks(results: Path) -> Iterator[Path]:
    """Yield the files that are named as the results are, beside them or in the folder `decks` next to theirs."""
    run = run_of(results)
    home, name = (results.parent, results.name) if run is None else (run.parent, run.name)
    whole = name.removesuffix(results.suffix)
    stems = {
        ".".join(part for part in whole.split(".") if part not in RESULT_WORDS): None,
        name.split(".")[0]: None,
    }
    yield from _named([stem for stem in stems if stem and stem not in RESULT_WORDS], home, results.name)


def _named(stems: Sequence[str], home: Path, results_name: str) -> Iterator[Path]:
    """Yield the files that have one of these names but for their ending, in a folder or in `decks` next to it."""
    names = [f"{stem}{suffix}" for stem in stems for suffix in _ENDS if f"{stem}{suffix}" != results_name]
    decks_folder = home.parent / "decks"
    for folder in (home, *([decks_folder] if is_inside(decks_folder, project_root(home)) else [])):
        for path in (folder / name for name in names):
            if is_file(path) and real_path(path).parent == real_path(folder):  # no link that leads elsewhere
                yield path
