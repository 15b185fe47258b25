"""Which files of a folder are left out: hidden ones, other programs' folders, and what `.gitignore` files name.

The patterns are those of git (gitignore(5)): the last one that matches decides, `!` includes a file again, and what
is below an ignored folder cannot be included again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from sampleui.text.confined import project_root, read_whole
from sampleui.text.globs import ignore_pattern
from sampleui.text.limits import MAX_IGNORE_BYTES

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
        above = [one for one in reversed(here.parents) if one.is_relative_to(root)]
        ignoring = cls()
        for one in above:
            ignoring = ignoring.within(one)
        return ignoring

    def within(self, folder: Path) -> Ignoring:
        """Return the rules that hold in a folder below, its own `.gitignore` included."""
        try:
            text = read_whole(folder / GITIGNORE, MAX_IGNORE_BYTES).decode("utf-8", "replace")
        except OSError:
            return self
        return Ignoring((*self.layers, (folder.resolve(), tuple(rules_of(text)))))

    def reason(self, path: Path, *, folder: bool) -> str | None:
        """Return why nobody means a file or folder, None for one that may be meant."""
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
