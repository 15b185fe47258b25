"""The decks that may refer to a file of cases: a suite is in the folder of its cases, or in one above."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sampleui.text.confined import project_root, read_whole

_REFERRING = frozenset({".yaml", ".yml", ".md", ".markdown"})
_MAX_BYTES = 1 << 22


def may_own(path: Path) -> Iterator[Path]:
    """Yield the files that may refer to a file: in its folder, and in those above it up to the root of the project.

    They name it or its folder, or have a glob. Whether they do refer to it is decided by `telling.told`.
    """
    names = [path.name.encode(), path.parent.name.encode(), b"*"]
    root = project_root(path.parent)
    here = path.parent
    while here.resolve().is_relative_to(root):
        for one in _files(here):
            if one.suffix.lower() in _REFERRING and one.name != path.name and _mentions(one, names):
                yield one
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
        data = read_whole(path, _MAX_BYTES)
    except OSError:
        return False
    return any(name in data for name in names if name)
