"""What a workspace lists: the decks and results that paths stand for, each looked into when its turn comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sampleui.errors import SampleUIError
from sampleui.folders.telling import told
from sampleui.folders.walking import Candidate, Unread, globbed, is_glob, walk
from sampleui.settings import Settings
from sampleui.text.diagnostic import Severity
from sampleui.tui.opening import open_for

DECK, RESULTS = "deck", "results"


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of a workspace.

    Attributes:
        path: the file.
        kind: `deck`, or `results` of a run.
        ids: the ids of a deck's samples, in order.
        errors, warnings: how many problems its rules find.
        failure: why it cannot be read; empty where it can.
        files: the files that its samples stand in.
    """

    path: Path
    kind: str = DECK
    ids: tuple[str, ...] = ()
    errors: int = 0
    warnings: int = 0
    failure: str = ""
    files: tuple[Path, ...] = ()


def listed(paths: Iterable[Path], settings: Settings) -> Iterator[Entry | None]:
    """Yield the decks and results that files, folders and globs stand for, each once; None for anything else.

    What is named is listed whatever it is; what lies in a folder is where its content says that it is one.
    """
    seen: set[Path] = set()
    for path in paths:
        below = globbed(str(path)) if is_glob(path) else walk(path) if path.is_dir() else None
        for found in below if below is not None else (Candidate(path),):
            yield _entry(found, settings, seen, named=below is None)


def _entry(found: object, settings: Settings, seen: set[Path], *, named: bool) -> Entry | None:
    if isinstance(found, Unread):
        return Entry(found.path, failure=found.reason)
    if not isinstance(found, Candidate) or found.path.resolve() in seen:
        return None
    seen.add(found.path.resolve())
    what = told(found.path)
    seen.update(what.parts)
    if what.reason == RESULTS:
        return Entry(found.path, RESULTS)
    return looked_into(found.path, settings) if named or not what.reason else None


def looked_into(path: Path, settings: Settings) -> Entry:
    """Return what is in a deck."""
    try:
        deck = open_for(path, settings, None)
        counts = Counter(one.severity for one in deck.diagnostics)
        ids = tuple(sample.id for sample in deck.samples)
        files = tuple(source.path for source in deck.files.sources)
    except (SampleUIError, OSError) as error:
        return Entry(path, failure=str(error))
    return Entry(path, DECK, ids, counts[Severity.ERROR], counts[Severity.WARNING], files=files)
