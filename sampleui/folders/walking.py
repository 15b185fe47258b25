"""The files below a folder that may be decks, in order, and why the others are left out.

The patterns of `.gitignore` files are git's (gitignore(5)): the last one that matches decides, `!` includes a file
again, and what is below an ignored folder cannot be included again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sampleui.folders.deck_detection import holds_results
from sampleui.formats.registry import BY_SUFFIX
from sampleui.review.results.run_paths import FLAT, log_suffixes, own_index
from sampleui.text.confined import project_root, read_whole
from sampleui.text.limits import MAX_IGNORE_BYTES, MAX_OWNER_BYTES
from sampleui.text.patterns import MAGIC, ignore_pattern, matches_typed

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
    for candidate in walk(base):
        inside = candidate.path.relative_to(base).parts
        paths = (base.joinpath(*inside[:count]) for count in range(len(inside), 0, -1))
        if any(matches_typed(path, pattern) for path in paths):
            yield candidate


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
            entries_sorted = sorted((entry.is_dir(), entry.name, entry.is_symlink()) for entry in entries)
    except OSError as error:
        yield Unread(folder, f"the folder cannot be read: {error.strerror or error}")
        return
    for is_folder, name, is_link in entries_sorted:
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


GITIGNORE = ".gitignore"
FOREIGN = frozenset({"node_modules", "venv", "__pycache__", "site-packages"})
"""Folders that hold what programs put there."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A line of a `.gitignore`.

    Attributes:
        matches: the pattern, for a path relative to the folder of the file.
        ignored: whether what matches is ignored, or taken in again.
        folders: whether folders alone are meant.
    """

    matches: re.Pattern[str]
    ignored: bool
    folders: bool


@dataclass(frozen=True, slots=True)
class Ignoring:
    """The rules that hold in a folder: those of each `.gitignore` from the root of the project down to it."""

    layers: tuple[tuple[Path, tuple[Rule, ...]], ...] = ()

    @classmethod
    def above(cls, folder: Path) -> Ignoring:
        """Return the rules that hold in a folder for what is in the folders above it."""
        root = project_root(folder)
        here = folder.resolve()
        above = [folder for folder in reversed(here.parents) if folder.is_relative_to(root)]
        ignoring = cls()
        for parent in above:
            ignoring = ignoring.within(parent)
        return ignoring

    def within(self, folder: Path) -> Ignoring:
        """Return the rules that hold in a folder below, its own `.gitignore` included."""
        try:
            text = read_whole(folder / GITIGNORE, MAX_IGNORE_BYTES).decode("utf-8", "replace")
        except OSError:
            return self
        return Ignoring((*self.layers, (folder.resolve(), tuple(rules_of(text)))))

    def reason(self, path: Path, *, folder: bool) -> str | None:
        """Return why a file or folder is left out of a folder of decks; None if it is looked at."""
        if path.name.startswith("."):
            return "hidden"
        if folder and path.name in FOREIGN:
            return "a folder of other programs"
        return "ignored by git" if self._ignored(path, folder=folder) else None

    def _ignored(self, path: Path, *, folder: bool) -> bool:
        real = path.parent.resolve() / path.name
        for home, rules in reversed(self.layers):
            inside = real.relative_to(home).as_posix()
            for rule in reversed(rules):
                if (folder or not rule.folders) and rule.matches.match(inside):
                    return rule.ignored
        return False


def rules_of(text: str) -> Iterator[Rule]:
    """Yield the rules of a `.gitignore` in order."""
    for line in text.removeprefix("\ufeff").splitlines():
        pattern = re.sub(r"(?<!\\)[ \t]+$", "", line)
        negated = pattern.startswith("!")
        pattern = pattern[negated:]
        folders = pattern.endswith("/")
        pattern = pattern.rstrip("/")
        if not pattern or line.startswith("#"):
            continue
        matches = _compiled(pattern)
        if matches is not None:
            yield Rule(matches, not negated, folders)


@cache
def _compiled(pattern: str) -> re.Pattern[str] | None:
    return ignore_pattern(pattern.lstrip("/")) if "/" in pattern else ignore_pattern(pattern, anywhere=True)


_REFERRING = frozenset({".yaml", ".yml", ".md", ".markdown"})


def may_own(path: Path) -> Iterator[Path]:
    """Yield the files that may refer to a file: in its folder, and in those above it up to the root of the project.

    They name it or its folder, or have a glob. Whether they do refer to it is decided by `telling.told`.
    """
    names = [path.name.encode(), path.parent.name.encode(), b"*"]
    root = project_root(path.parent)
    here = path.parent
    while here.resolve().is_relative_to(root):
        for file in _files(here):
            if file.suffix.lower() in _REFERRING and file.name != path.name and _mentions(file, names):
                yield file
        if here.resolve() == root:
            return
        here = here.parent if here.name not in ("", "..") else here / ".."


def _files(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _mentions(path: Path, names: list[bytes]) -> bool:
    try:
        data = read_whole(path, MAX_OWNER_BYTES)
    except OSError:
        return False
    return any(name in data for name in names if name)
