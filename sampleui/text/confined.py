"""Files read without trusting their names.

A path that is named, by data or by hand, may lead anywhere: to a pipe that never answers, to a device that never
ends, to one of the system's virtual files without a size. Only regular files of a bounded size are read here, and
the opened file is judged, not its name. A path in data may also go through `..` or a symlink; it is read only if it
is inside a root after symlinks are resolved.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple

from sampleui.integrations import index

SCHEME = "file://"
"""What stands before the path of a file in the values of samples and configs."""


class RefusalKind(StrEnum):
    """Why a file was not read."""

    NOT_FOUND = "not-found"
    OUTSIDE_ROOT = "outside-root"
    NOT_REGULAR = "not-regular"
    TOO_LARGE = "too-large"
    UNREADABLE = "unreadable"


class Refusal(NamedTuple):
    """Why a file was not read: the kind for programs, the reason for people."""

    kind: RefusalKind
    reason: str


class Confined(NamedTuple):
    """The bytes of a file that was read, and where it really lies (absolute, symlinks resolved)."""

    path: Path
    data: bytes


def is_root(folder: Path) -> bool:
    """Tell whether a folder is the root of a project: it has `.git`, `pyproject.toml` or the settings of a tool."""
    marks = (".git", *index.settings_folders(), "pyproject.toml")
    return any(os.path.exists(folder / mark) for mark in marks)  # noqa: PTH110 (never raises)


def project_root(folder: Path) -> Path:
    """Return the nearest folder at or above one that is the root of a project, else the folder."""
    resolved = folder.resolve()
    return next(filter(is_root, (resolved, *resolved.parents)), resolved)


def read_confined(written: str, folders: Iterable[Path], root: Path, max_bytes: int) -> Confined | Refusal:
    """Read a file by the path its author wrote, looked for in the folders in order.

    The first folder in which the path exists decides, even when it is then refused: a later folder must not quietly
    stand in for a file that the author can see. Outside the root nothing is looked for, so that no refusal reveals
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
            return _read_inside(path, written, real_root, max_bytes)
        except (FileNotFoundError, NotADirectoryError):
            refusal = Refusal(RefusalKind.NOT_FOUND, f"{written} does not exist")
        except ValueError:  # a NUL or a lone surrogate, which no file's name can hold
            return Refusal(RefusalKind.NOT_FOUND, f"{written!r} is not a path")
        except (NotRegularError, IsADirectoryError):
            return Refusal(RefusalKind.NOT_REGULAR, f"{written} is not a regular file")
        except (OSError, RuntimeError) as error:  # RuntimeError: a symlink loop, before Python 3.13
            if getattr(error, "errno", 0) == errno.EFBIG:
                return Refusal(RefusalKind.TOO_LARGE, f"{written} is larger than {max_bytes:,} bytes")
            return Refusal(RefusalKind.UNREADABLE, f"{written} cannot be read: {_words(error)}")
    return refusal


class NotRegularError(OSError):
    """What was opened is a folder, a pipe, a device or a file that the system makes up."""

    def __init__(self, path: Path) -> None:
        super().__init__(errno.EINVAL, "not a regular file", str(path))


@contextmanager
def opened(path: Path) -> Iterator[BufferedReader]:
    """Open a regular file for reading, through symlinks, and never wait for one that is a pipe.

    Raises:
        NotRegularError: when it is something else.
        OSError: when it cannot be opened.
    """
    with _regular(path, _FLAGS) as file:
        yield file


def read_whole(path: Path, max_bytes: int) -> bytes:
    """Read a regular file at once.

    Raises:
        NotRegularError: when it is something else.
        OSError: when it cannot be read, or is larger than that.
    """
    with opened(path) as file:
        return _read_all(file, max_bytes)


# O_NONBLOCK keeps the open of a pipe without a writer from waiting for ever.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)


def _regular(path: Path, flags: int) -> BufferedReader:
    descriptor = os.open(path, flags)
    try:
        status = os.fstat(descriptor)
        # A file without a size that has bytes is one that the system makes up as it is read, perhaps without end.
        if not stat.S_ISREG(status.st_mode) or (status.st_size == 0 and os.read(descriptor, 1)):
            raise NotRegularError(path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _read_all(file: BufferedReader, max_bytes: int) -> bytes:
    size = os.fstat(file.fileno()).st_size
    # One byte more than it may have: it may grow while it is read.
    data = (file.read(size + 1) or b"") if size <= max_bytes else b""
    data += file.read(max_bytes + 1 - len(data)) if len(data) > size else b""
    if max(size, len(data)) > max_bytes:
        raise OSError(errno.EFBIG, f"larger than {max_bytes:,} bytes")
    return data


def _read_inside(path: Path, written: str, root: Path, max_bytes: int) -> Confined | Refusal:
    with _regular(path, _FLAGS | getattr(os, "O_NOFOLLOW", 0)) as file:
        # Symlinks may have appeared between the check of the path and the open: what counts is what was opened.
        if not _really_at(file.fileno(), path).is_relative_to(root):
            return Refusal(RefusalKind.OUTSIDE_ROOT, f"{written} lies outside {root}")
        return Confined(path, _read_all(file, max_bytes))


def _really_at(descriptor: int, path: Path) -> Path:
    """Return where an opened file is, as far as the system says; or else the path that it was opened by."""
    try:
        return Path(f"/proc/self/fd/{descriptor}").readlink()
    except OSError:
        return path


def _words(error: Exception) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)
