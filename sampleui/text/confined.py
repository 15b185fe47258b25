"""Files that a deck or a results file names, read without trusting the name.

What data names may lie anywhere: behind `..`, behind a symlink, on a pipe that never answers, on a device that
never ends. Nothing is read here unless it lies inside a root after symlinks are resolved and is a regular file of a
bounded size, judged on the opened file and not on its name.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

ROOT_MARKS = (".git", ".agentv", "pyproject.toml")


class RefusalKind(StrEnum):
    """Why a file was not read."""

    NOT_FOUND = "not-found"
    OUTSIDE_ROOT = "outside-root"
    NOT_REGULAR = "not-regular"
    TOO_LARGE = "too-large"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a file was not read: the kind for programs, the reason for people."""

    kind: RefusalKind
    reason: str


@dataclass(frozen=True, slots=True)
class Confined:
    """The bytes of a file that was read, and where it really lies (absolute, symlinks resolved)."""

    path: Path
    data: bytes


def project_root(folder: Path) -> Path:
    """Return the nearest folder at or above one that has `.git`, `.agentv` or `pyproject.toml`, else the folder."""
    resolved = folder.resolve()
    for candidate in (resolved, *resolved.parents):
        if any((candidate / mark).exists() for mark in ROOT_MARKS):
            return candidate
    return resolved


def read_confined(written: str, folders: Iterable[Path], root: Path, max_bytes: int) -> Confined | Refusal:
    """Read a file by the path its author wrote, looked for in the folders in order.

    The first folder in which the path exists decides, even when it is then refused: a later folder must not quietly
    stand in for a file that the author can see.

    Args:
        written: the path as written, relative or absolute.
        folders: where a relative path is looked for.
        root: the folder that the file must lie in.
        max_bytes: the largest size that is read.
    """
    if not written:
        return Refusal(RefusalKind.NOT_FOUND, "the path is empty")
    found = _first_existing(written, folders)
    if found is None:
        return Refusal(RefusalKind.NOT_FOUND, f"{written} does not exist")
    if isinstance(found, Refusal):
        return found
    if not found.is_relative_to(root.resolve()):
        return Refusal(RefusalKind.OUTSIDE_ROOT, f"{written} lies outside {root}")
    return _read_regular(found, written, max_bytes)


def _first_existing(written: str, folders: Iterable[Path]) -> Path | Refusal | None:
    for folder in folders:
        try:
            return (folder / written).resolve(strict=True)
        except (FileNotFoundError, NotADirectoryError):
            continue
        except ValueError:  # a NUL or a lone surrogate, which no file's name can hold
            return Refusal(RefusalKind.NOT_FOUND, f"{written!r} is not a path")
        except (OSError, RuntimeError) as error:  # RuntimeError: a symlink loop, before Python 3.13
            return Refusal(RefusalKind.UNREADABLE, f"{written} cannot be read: {_words(error)}")
    return None


def _read_regular(path: Path, written: str, max_bytes: int) -> Confined | Refusal:
    # The resolved path has no symlink left: one that appears between the check and the open is not followed.
    # O_NONBLOCK keeps the open of a pipe without a writer from waiting for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        return Refusal(RefusalKind.UNREADABLE, f"{written} cannot be read: {_words(error)}")
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return Refusal(RefusalKind.NOT_REGULAR, f"{written} is not a regular file")
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        return Refusal(RefusalKind.UNREADABLE, f"{written} cannot be read: {_words(error)}")
    finally:
        os.close(descriptor)
    if len(data) > max_bytes:
        return Refusal(RefusalKind.TOO_LARGE, f"{written} is larger than {max_bytes:,} bytes")
    return Confined(path, data)


def _words(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
