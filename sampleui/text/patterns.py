"""Patterns that may be a stranger's, regular expressions and globs: matched in limited time or not at all."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from sampleui.text.confined import below, is_file, is_folder, is_inside, is_link, is_there, listed
from sampleui.text.limits import (
    MAX_ALTERNATIVES,
    MAX_FOLDER_DEPTH,
    MAX_GUIDELINE_FOLDERS,
    MAX_GUIDELINE_LENGTH,
    MAX_GUIDELINE_WILDCARDS,
    MAX_IGNORE_WILDCARDS,
    MAX_MATCHED_FOLDERS,
    MAX_TYPED_ALTERNATIVES,
    MAX_WILDCARDS,
    TookTooLongError,
    limited,
)

PATTERN_TIMEOUT_S = 1.0
"""How long a pattern may be matched."""


class PatternError(Exception):
    """A pattern, or an assertion that has one, cannot be evaluated here. The message says why."""


def groups_in(text: str, pattern: str, ignore_case: bool) -> list[str]:
    """Return what the groups of a Python pattern find in a text; all of the match if the pattern has no groups.

    Raises:
        PatternError: when it is not a pattern, or takes too long.
    """
    try:
        ready = compiled(pattern, re.IGNORECASE if ignore_case else re.NOFLAG)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"its pattern is not understood: {error}") from None
    match = limited_match(ready.search, text)
    groups = () if match is None else match.groups() or (match[0],)
    return [group for group in groups if isinstance(group, str)]


def compiled(pattern: str, options: re.RegexFlag) -> re.Pattern[str]:
    """Return a pattern ready to be matched, whatever Python warns that a later version may read otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern, options)


def limited_match(looked: Callable[[str], re.Match[str] | None], text: str) -> re.Match[str] | None:
    """Return what a pattern's `match` or `search` finds in a text.

    Raises:
        PatternError: when it takes too long.
    """
    try:
        with limited(PATTERN_TIMEOUT_S):
            return looked(text)
    except TookTooLongError:
        raise PatternError(f"its pattern takes longer than {PATTERN_TIMEOUT_S:g} s") from None


MAGIC = frozenset("*?{[")
"""Characters of which any makes a glob of a path."""


def is_glob(path: Path) -> bool:
    """Tell whether a path that names nothing is to be read as a glob."""
    return bool(MAGIC & set(str(path))) and not is_there(path)


_REPEATS = re.compile(r"[+*]\(")
_WILDCARDS = re.compile(r"\*+|\(")
_NAMES_HIDDEN = re.compile(r"(?:^|[/{,(|])\.")


def _wcmatch() -> tuple[Any, type[Exception]]:
    """Return wcmatch's globs, and what it raises for too many alternatives; most starts do without."""
    from wcmatch import _wcparse, glob  # the exception is public in what it does, though not in where it is

    return glob, _wcparse.PatternLimitException


def matched(pattern: str, folder: Path, root: Path, most: int) -> list[str]:
    """Return the files in a root that a glob stands for, as paths from a folder, sorted.

    There are none if it leaves the root, has more than six wildcards or a repeated group, `+(a|aa)`, or its braces
    stand for more than a hundred globs. No folder outside of the root is looked into, whatever braces hide or links
    lead to.

    Args:
        pattern: the glob.
        folder: what it is relative to.
        root: the folder that every file must lie in.
        most: how many files are looked for.
    """
    glob, too_many = _wcmatch()
    first = min((number for number, mark in enumerate(pattern) if mark in MAGIC), default=len(pattern))
    start = pattern[: pattern.rfind("/", 0, first) + 1]
    endless = _REPEATS.search(pattern) or sum(map(pattern.count, MAGIC)) > MAX_WILDCARDS
    if endless or not is_inside(folder / start, root):
        return []
    flags = glob.GLOBSTAR | glob.BRACE | glob.EXTGLOB
    try:
        translated, _ = glob.translate(pattern, flags=flags, limit=MAX_ALTERNATIVES)
    except too_many:
        return []
    wanted = [re.compile(each) for each in translated]
    found = _files_below(folder / start, pattern[len(start) :], root)
    names = (f"{start}{path.relative_to(folder / start).as_posix()}" for path in found)
    return sorted(islice((name for name in names if any(each.match(name) for each in wanted)), most))


def _files_below(folder: Path, pattern: str, root: Path) -> Iterator[Path]:
    """Yield the files in a root, below a folder of it, that are no deeper than a glob goes."""
    deepest = MAX_FOLDER_DEPTH if "**" in pattern else pattern.count("/")
    waiting, left = [(folder, 0)], MAX_MATCHED_FOLDERS
    while waiting and left:
        here, depth = waiting.pop()
        left -= 1
        for path in listed(here).paths:
            if is_file(path):
                if is_inside(path, root):
                    yield path
            elif depth < deepest and is_folder(path) and _is_entered(path, pattern, root):
                waiting.append((path, depth + 1))


def _is_entered(folder: Path, pattern: str, root: Path) -> bool:
    if folder.name.startswith(".") and not _NAMES_HIDDEN.search(pattern):
        return False
    # A star stands for a link to a folder as well, two stars do not: they would go round in it.
    return not is_link(folder) or ("**" not in pattern and is_inside(folder, root))


def is_guideline_pattern(pattern: str) -> bool:
    """Tell whether a pattern of guidelines can be matched in bounded time, however many files it is tried on.

    Repeated groups, `+(a|aa)`, and long rows of wildcards could keep the app busy for hours.
    """
    return (
        len(pattern) <= MAX_GUIDELINE_LENGTH
        and not _REPEATS.search(pattern)
        and len(_WILDCARDS.findall(pattern)) <= MAX_GUIDELINE_WILDCARDS
        and pattern.count("**") <= MAX_GUIDELINE_FOLDERS
    )


def matches_any(name: str, patterns: Sequence[str]) -> bool:
    """Tell whether a name matches one of some patterns; names that begin with a dot are names like others."""
    glob, too_many = _wcmatch()
    flags = glob.GLOBSTAR | glob.BRACE | glob.EXTGLOB | glob.DOTGLOB | glob.FORCEUNIX
    try:
        with warnings.catch_warnings():  # an odd pattern must not write on the screen of the app
            warnings.simplefilter("ignore", FutureWarning)
            return bool(glob.globmatch(name, [pattern.removeprefix("./") for pattern in patterns], flags=flags))
    except too_many:
        return False


def matches_typed(path: Path, pattern: str) -> bool:
    """Tell whether a path matches a glob that a user typed.

    Raises:
        PatternError: when its braces stand for too many globs.
    """
    glob, too_many = _wcmatch()
    flags = glob.GLOBSTAR | glob.BRACE | glob.EXTGLOB
    try:
        return bool(glob.globmatch(str(path), pattern, flags=flags, limit=MAX_TYPED_ALTERNATIVES))
    except too_many:
        raise PatternError(f"it stands for more than {MAX_TYPED_ALTERNATIVES:,} patterns") from None


def no_files(pattern: str) -> Iterator[Path]:
    """Yield what a glob that a user typed matches and is neither a file nor a folder: a pipe, a link to nothing.

    Raises:
        PatternError: as `matches_typed` does.
    """
    path = Path(pattern)
    steps = next((count for count, part in enumerate(path.parts) if MAGIC & {*part}), len(path.parts))
    base = Path(*path.parts[:steps])
    for folder, folders, names in below(base):
        for name in names:
            found = folder / name
            if not is_file(found) and not is_folder(found) and matches_typed(found, str(path)):
                yield found
        if "**" not in pattern and len(folder.parts) + 1 >= len(path.parts):
            folders.clear()


def ignore_pattern(pattern: str, *, anywhere: bool = False) -> re.Pattern[str] | None:
    """Return what matches the paths that a pattern of a `.gitignore` names, None for one with too many wildcards.

    It names them below the folder of the file, or `anywhere` in the folders below that too.
    """
    if pattern.count("*") > MAX_IGNORE_WILDCARDS:
        return None
    glob, _ = _wcmatch()
    flags = glob.GLOBSTAR | glob.DOTGLOB | glob.FORCEUNIX | glob.CASE
    [translated], _ = glob.translate(f"**/{pattern}" if anywhere else pattern, flags=flags)
    return re.compile(translated)
