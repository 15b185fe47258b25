"""The files below a folder that may be decks, one at a time and in order, and why the others are not."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sampleui.folders.deck_detection import holds_results
from sampleui.folders.ignoring import Ignoring
from sampleui.formats.registry import BY_SUFFIX
from sampleui.review.results.logs import log_suffixes
from sampleui.review.results.runfolder import FLAT, own_index
from sampleui.text.globs import MAGIC, matches_typed

RUN = "the folder of a run"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A file that may be a deck by its name and its place."""

    path: Path


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file or folder that is not looked into, or a file that is not a deck, and why.

    Attributes:
        path: the file or folder.
        reason: why.
        index: the file that lists the records, where it is the folder of a run.
    """

    path: Path
    reason: str
    index: Path | None = None


@dataclass(frozen=True, slots=True)
class Unread:
    """A folder that the system does not let be read, and why."""

    path: Path
    reason: str


def walk(folder: Path) -> Iterator[Candidate | Skipped | Unread]:
    """Yield what lies below a folder: of each folder its files by name, then its folders.

    Links to folders are not followed. Files that no deck has the name of are passed over without a word.
    """
    yield from _walk(folder, Ignoring.above(folder))


def globbed(pattern: str) -> Iterator[Candidate | Skipped | Unread]:
    """Yield what a glob matches, and what lies below the folders that it matches, in the order of `walk`.

    `**` stands for any number of folders. What `walk` does not look into is not matched.
    """
    pattern = str(Path(pattern))  # without `./`, which no path found below has
    base = Path(
        re.split(r"[*?\[{]", pattern, maxsplit=1)[0].rpartition("/")[0] or ("/" if pattern[0] == "/" else "")
    )
    for found in walk(base):
        inside = found.path.relative_to(base).parts
        paths = (base.joinpath(*inside[:count]) for count in range(len(inside), 0, -1))
        if any(matches_typed(path, pattern) for path in paths):
            yield found


def is_glob(path: Path) -> bool:
    """Tell whether a path that names nothing is to be read as a glob."""
    return bool(MAGIC & set(str(path))) and not os.path.lexists(path)


def _walk(folder: Path, above: Ignoring) -> Iterator[Candidate | Skipped | Unread]:
    index = own_index(folder)
    if index is not None and index.name not in FLAT and holds_results(index):
        yield Skipped(folder, RUN, index)
        return
    ignoring = above.within(folder)
    try:
        with os.scandir(folder) as entries:
            found = sorted((one.is_dir(), one.name, one.is_symlink()) for one in entries)
    except OSError as error:
        yield Unread(folder, f"the folder cannot be read: {error.strerror or error}")
        return
    for is_folder, name, is_link in found:
        path = folder / name
        if not is_folder:
            yield from _file(path, ignoring)
        elif (reason := "a link to a folder" if is_link else ignoring.reason(path, folder=True)) is not None:
            yield Skipped(path, reason)
        else:
            yield from _walk(path, ignoring)


def _file(path: Path, ignoring: Ignoring) -> Iterator[Candidate | Skipped]:
    if path.suffix.lower() not in (*BY_SUFFIX, *log_suffixes()):
        return
    reason = ignoring.reason(path, folder=False)
    if reason is None and not path.is_file():
        reason = "no regular file" if path.exists() else "a link that leads nowhere"
    yield Candidate(path) if reason is None else Skipped(path, reason)
