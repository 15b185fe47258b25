"""A file that only ever grows by whole lines, written by several processes that may be killed at any moment."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

if sys.platform != "win32":
    import fcntl

NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS})
READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


@dataclass(frozen=True, slots=True)
class Place:
    """How far a file was read: which file (device and inode) and how many bytes of it."""

    file: tuple[int, int] = (0, 0)
    offset: int = 0

    def leads_to(self, other: Place) -> bool:
        """Tell whether another place is later in the same file. The very beginning leads everywhere."""
        return self.offset == 0 or (self.file == other.file and self.offset <= other.offset)


@contextlib.contextmanager
def locked(path: Path, *, create: bool) -> Iterator[int]:
    """Open a file for appending under a lock that other processes wait for.

    A file that may not be written is opened for reading. A new file's name is on the disk before this returns.

    Raises:
        OSError: when it cannot be opened; FileNotFoundError when it is missing and not to be created.
    """
    descriptor = _opened(path, create)
    try:
        _lock(descriptor)
        while not _same_file(descriptor, path):  # replaced, as a merge does, while we waited
            os.close(descriptor)
            descriptor = _opened(path, create)
            _lock(descriptor)
        yield descriptor
    finally:
        os.close(descriptor)  # and with it the lock


def repaired(descriptor: int, path: Path, whole: Callable[[bytes], bool]) -> Place:
    """Make the file end with a line feed, and return its end.

    An unfinished last line that is `whole` is completed; any other is moved to `PATH.torn`. In a file that may not
    be written the unfinished line is left out.
    """
    found = os.fstat(descriptor)
    file, size = (found.st_dev, found.st_ino), found.st_size
    tail = _tail(descriptor, size)
    if not tail:
        return Place(file, size)
    if not _writable(descriptor):
        return whole_end(descriptor)
    if whole(tail):
        write_line(descriptor, b"\n")
        return Place(file, size + 1)
    with path.with_name(path.name + ".torn").open("ab") as torn:
        torn.write(tail + b"\n")
        torn.flush()
        os.fsync(torn.fileno())
    os.ftruncate(descriptor, size - len(tail))
    os.fsync(descriptor)
    return Place(file, size - len(tail))


def whole_end(descriptor: int) -> Place:
    """Return where the last whole line ends."""
    found = os.fstat(descriptor)
    return Place((found.st_dev, found.st_ino), found.st_size - len(_tail(descriptor, found.st_size)))


def read_from(descriptor: int, start: Place, end: Place) -> bytes:
    """Return the bytes between two places."""
    os.lseek(descriptor, start.offset, os.SEEK_SET)
    parts, left = [], end.offset - start.offset
    while left > 0 and (part := os.read(descriptor, left)):
        parts.append(part)
        left -= len(part)
    return b"".join(parts)


def write_line(descriptor: int, line: bytes) -> None:
    """Append a line by one write and return when it is on the disk.

    Raises:
        OSError: when it could not be written whole; the file is then as it was.
    """
    size = os.fstat(descriptor).st_size
    try:
        if os.write(descriptor, line) != len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(descriptor, size)
        raise


def _opened(path: Path, create: bool) -> int:
    flags = os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, os.O_RDWR | flags)
    except FileNotFoundError:
        if not create:
            raise
    except OSError as error:
        if create or error.errno not in READ_ONLY:
            raise
        return os.open(path, os.O_RDONLY | flags)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | flags, 0o666)
    _sync_folder(path.parent)
    return descriptor


def _sync_folder(folder: Path) -> None:
    if sys.platform != "win32":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _lock(descriptor: int) -> None:
    if sys.platform != "win32":
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        except OSError as error:
            # Some network file systems have no locks. A single appending write still keeps lines apart.
            if error.errno not in NO_LOCKS:
                raise


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _writable(descriptor: int) -> bool:
    if sys.platform == "win32":
        return True
    return fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE != os.O_RDONLY


def _tail(descriptor: int, size: int) -> bytes:
    """Return what follows the last line feed."""
    step = 1 << 12
    while True:
        start = max(0, size - step)
        os.lseek(descriptor, start, os.SEEK_SET)
        data = os.read(descriptor, size - start)
        if b"\n" in data or start == 0:
            return data[data.rfind(b"\n") + 1 :]
        step *= 8
