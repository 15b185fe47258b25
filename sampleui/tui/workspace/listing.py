"""The files of a workspace: decks with what is in them, and results, as they are found and as they change."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from sampleui.deck.model import DeckFiles
from sampleui.errors import SampleUIError
from sampleui.review.results.file import open_results
from sampleui.review.results.run_paths import folder_source, record_files
from sampleui.settings.options import Settings
from sampleui.text.confined import is_folder, real_path, status_of
from sampleui.text.diagnostic import Severity
from sampleui.text.patterns import is_glob
from sampleui.workspace.deck import deck_of, open_with
from sampleui.workspace.folders import UNTOLD, LikelyDeck, Skipped, Unread, deck_check, globbed, walk
from sampleui.workspace.reading import PromptOptions

DECK, RESULTS, UNKNOWN = "deck", "results", "unknown"

Stamps: TypeAlias = Mapping[Path, tuple[int, int]]
"""What tells whether a file changed: its modification time in nanoseconds, its size in bytes."""


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file of a workspace.

    Attributes:
        path: the file.
        kind: `deck`, `results` of a run, or `unknown` for a file that a guessed table would read.
        ids: the ids of a deck's samples, in order.
        errors, warnings: how many problems its rules find; -1 for a deck that was not checked yet.
        failure: why it cannot be read; empty if it can.
        files: the files that its samples stand in.
        left_out: whether it is not to be opened either, as a link that leads out of the project.
        records: of a folder of records, how many files these are in; 0 for what is a file.
    """

    path: Path
    kind: str = DECK
    ids: tuple[str, ...] = ()
    errors: int = 0
    warnings: int = 0
    failure: str = ""
    files: tuple[Path, ...] = ()
    left_out: bool = False
    records: int = 0


def entries_found(
    paths: Iterable[Path], settings: Settings, stamps: dict[Path, tuple[int, int]]
) -> Iterator[ListedFile]:
    """Yield the decks and results that files, folders and globs stand for, each once and not checked yet.

    What is named is listed whatever it is; what lies in a folder is where its content says that it is one. Of the
    folder of a run its index is listed, and a folder of JSON files that are records if there is nothing else.
    `stamps` is filled with what the files looked at are like.
    """
    seen: set[Path] = set()
    paths, waiting, others = tuple(paths), [], False
    for candidate, named in _candidates(paths):
        if isinstance(candidate, LikelyDeck):
            stamps.update(_stamp(candidate.path))
        entry = _entry(candidate, settings, seen, named=named)
        if entry is None:
            continue
        if not others and entry.kind == RESULTS and not named and not entry.failure:
            waiting.append(entry)  # it may be one of the records of a folder
            continue
        others = True
        yield from (*waiting, entry)
        waiting.clear()
    yield from waiting if others else _as_folders(paths, waiting)


def entries_now(
    paths: Iterable[Path], settings: Settings, entries: Sequence[ListedFile], before: Stamps
) -> tuple[list[ListedFile], Stamps] | None:
    """Return the files as they are now; None if nothing has changed. Only what changed is read again."""
    paths = tuple(paths)
    candidates = [*_candidates(paths)]
    stamps: dict[Path, tuple[int, int]] = {}
    for candidate, _ in candidates:
        if isinstance(candidate, LikelyDeck):
            stamps.update(_stamp(candidate.path))
    if stamps == before:
        return None
    touched = {path for path in stamps.keys() | before.keys() if stamps.get(path) != before.get(path)}
    apart = [item for item in entries if not touched.isdisjoint((item.path, *item.files))]
    touched.update(path for item in apart for path in (item.path, *item.files))
    if any(is_folder(item.path) for item in entries):
        touched.update(stamps)  # the files of a folder of records are not listed one by one
    kept = {item.path: item for item in entries if item.path not in touched}
    now: list[ListedFile] = []
    seen: set[Path] = set()
    for candidate, named in candidates:
        if candidate.path in kept:
            entry: ListedFile | None = kept[candidate.path]
            seen.update(real_path(path) for path in (candidate.path, *kept[candidate.path].files))
        elif candidate.path in touched or isinstance(candidate, Unread):
            entry = _entry(candidate, settings, seen, named=named)
        else:
            continue  # it was no deck before
        if entry is not None:
            now.append(entry)
    return _as_folders(paths, now), stamps


def _as_folders(paths: Sequence[Path], entries: Sequence[ListedFile]) -> list[ListedFile]:
    """Return the folders that are a run of one file for each record, if nothing else is found, else the entries."""
    if any(entry.kind != RESULTS for entry in entries):
        return [*entries]
    sources = ((path, folder_source(path)) for path in paths if is_folder(path))
    if runs := [
        ListedFile(path, RESULTS, records=len(source.files)) for path, source in sources if source and source.files
    ]:
        apart = (entry for entry in entries if not any(entry.path.is_relative_to(run.path) for run in runs))
        return [*apart, *runs]
    files = {file for path in paths if is_folder(path) for file in record_files(path)}
    if not files.issuperset(entry.path for entry in entries):
        return [*entries]
    folders = []
    for path in paths:
        with contextlib.suppress(SampleUIError, OSError):
            count = len(record_files(path)) if is_folder(path) else 0
            if count and is_folder((run := open_results(path)).path):
                folder = ListedFile(path, RESULTS, records=count)
                folders += [folder] if not entries or len(run.indexed()) == len(entries) else []
    return folders or [*entries]


def _candidates(paths: Iterable[Path]) -> Iterator[tuple[LikelyDeck | Skipped | Unread, bool]]:
    """Yield what may be listed, and whether it was named itself."""
    for path in paths:
        below = None
        if is_glob(path):
            below = globbed(str(path))
        elif is_folder(path):
            below = walk(path)
        for candidate in below if below is not None else (LikelyDeck(path),):
            index = candidate.index if isinstance(candidate, Skipped) else None
            yield LikelyDeck(index) if index is not None else candidate, below is None


def _stamp(path: Path) -> Stamps:
    status = status_of(path)
    return {} if status is None else {path: (status.st_mtime_ns, status.st_size)}


def _entry(
    candidate: LikelyDeck | Skipped | Unread, settings: Settings, seen: set[Path], *, named: bool
) -> ListedFile | None:
    if isinstance(candidate, Unread):
        return ListedFile(candidate.path, failure=candidate.reason, left_out=True)
    if isinstance(candidate, Skipped) or real_path(candidate.path) in seen:
        return None
    seen.add(real_path(candidate.path))
    what = deck_check(candidate.path)
    seen.update(what.parts)
    if what.reason == RESULTS:
        return ListedFile(candidate.path, RESULTS)
    if named or not what.reason:
        return _read(candidate.path, settings, what.files if what.reason != UNTOLD else None)
    return ListedFile(candidate.path, UNKNOWN) if what.reason == UNTOLD and _offered(what.files, settings) else None


def _offered(files: DeckFiles | None, settings: Settings) -> bool:
    from sampleui.workspace.unknown_files import is_offered

    try:
        return files is not None and is_offered(files, PromptOptions.of(settings))
    except SampleUIError:
        return False


def _read(path: Path, settings: Settings, files: DeckFiles | None = None, *, checked: bool = False) -> ListedFile:
    try:
        deck = deck_of(files, None, PromptOptions.of(settings)) if files is not None else open_with(settings, path)
        ids = tuple(sample.id for sample in deck.samples)
        found = Counter(diagnostic.severity for diagnostic in deck.diagnostics) if checked else None
    except (SampleUIError, OSError) as error:
        return ListedFile(path, failure=str(error))
    errors, warnings = (-1, -1) if found is None else (found[Severity.ERROR], found[Severity.WARNING])
    return ListedFile(path, DECK, ids, errors, warnings, files=tuple(source.path for source in deck.files.sources))


def entry_checked(entry: ListedFile, settings: Settings) -> ListedFile:
    """Return a deck with the problems that its rules find, as it is now."""
    return _read(entry.path, settings, checked=True)
