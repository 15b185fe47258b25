"""Files that a deck or a results file names, read without trusting the name.

What data names may lie anywhere: behind `..`, behind a symlink, on a pipe that never answers, on a device that
never ends. Nothing is read here unless it lies inside a root after symlinks are resolved and is a regular file of a
bounded size, judged on the opened file and not on its name.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
    stand in for a file that the author can see. Outside the root nothing is looked for, so that no refusal tells
    what is there.

    Args:
        written: the path as written, relative or absolute.
        folders: where a relative path is looked for.
        root: the folder that the file must lie in.
        max_bytes: the largest size that is read.
    """
    if not written:
        return Refusal(RefusalKind.NOT_FOUND, "the path is empty")
    real_root = root.resolve()
    refusal = Refusal(RefusalKind.OUTSIDE_ROOT, f"{written} lies outside {root}")
    for folder in folders:
        try:
            path = (folder / written).resolve()
            if not path.is_relative_to(real_root):
                return refusal
            with _opened(path) as file:
                return _read(file, path, written, real_root, max_bytes)
        except (FileNotFoundError, NotADirectoryError):
            refusal = Refusal(RefusalKind.NOT_FOUND, f"{written} does not exist")
        except ValueError:  # a NUL or a lone surrogate, which no file's name can hold
            return Refusal(RefusalKind.NOT_FOUND, f"{written!r} is not a path")
        except (OSError, RuntimeError) as error:  # RuntimeError: a symlink loop, before Python 3.13
            return Refusal(RefusalKind.UNREADABLE, f"{written} cannot be read: {_words(error)}")
    return refusal


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    # O_NONBLOCK keeps the open of a pipe without a writer from waiting for ever.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _read(descriptor: int, path: Path, written: str, root: Path, max_bytes: int) -> Confined | Refusal:
    # Symlinks may have appeared between the check of the path and the open: what counts is what was opened.
    if not _really_at(descriptor, path).is_relative_to(root):
        return Refusal(RefusalKind.OUTSIDE_ROOT, f"{written} lies outside {root}")
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        return Refusal(RefusalKind.NOT_REGULAR, f"{written} is not a regular file")
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        data = file.read(min(status.st_size, max_bytes) + 1)
        data += file.read(max_bytes + 1 - len(data)) if len(data) > status.st_size else b""
    if len(data) > max_bytes:
        return Refusal(RefusalKind.TOO_LARGE, f"{written} is larger than {max_bytes:,} bytes")
    return Confined(path, data)


def _really_at(descriptor: int, path: Path) -> Path:
    """Return where an opened file lies, as far as the system tells; else the path that it was opened by."""
    try:
        return Path(f"/proc/self/fd/{descriptor}").readlink()
    except OSError:
        return path


def _words(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
