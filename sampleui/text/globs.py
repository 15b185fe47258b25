"""The files that a glob stands for. It may come from anyone, so it is matched in bounded time or not at all."""

from __future__ import annotations

import os
import re
from itertools import islice
from pathlib import Path

MAGIC = frozenset("*?{[")
"""Characters of which any makes a glob of a path."""

_MOST_WILDCARDS = 6
_MOST_ALTERNATIVES = 100
_REPEATS = re.compile(r"[+*]\(")


def matched(pattern: str, folder: Path, root: Path, most: int) -> list[str]:
    """Return the files in a root that a glob stands for, as paths from a folder, sorted.

    There are none if it leaves the root, has more than six wildcards or a repeated group, `+(a|aa)`, or its braces
    stand for more than a hundred globs.

    Args:
        pattern: the glob.
        folder: what it is relative to.
        root: the folder that every file must lie in.
        most: how many files are looked for.
    """
    from wcmatch import glob
    from wcmatch._wcparse import PatternLimitException  # public in what it does, though not in where it is

    first = min((at for at, mark in enumerate(pattern) if mark in MAGIC), default=len(pattern))
    start = pattern[:first].rpartition("/")[0]
    endless = _REPEATS.search(pattern) or sum(map(pattern.count, MAGIC)) > _MOST_WILDCARDS
    leaves = ".." in pattern[len(start) :].split("/") or not is_inside(folder / start, root)
    if endless or leaves or "\0" in pattern:
        return []
    flags = glob.GLOBSTAR | glob.BRACE | glob.NODIR | glob.EXTGLOB
    try:
        found = [*islice(glob.iglob(pattern, flags=flags, root_dir=folder, limit=_MOST_ALTERNATIVES), most)]
    except PatternLimitException:
        return []
    return sorted(name for name in found if is_inside(folder / name, root))


def is_inside(path: Path, root: Path) -> bool:
    """Tell whether a path leads into a folder, symlinks followed."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))
    except ValueError:  # a NUL, which no file's name can hold
        return False
