"""A file that only ever grows by whole lines, written by several processes that may be killed at any moment."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from sampleui.text.confined import NotRegularError, descriptor_of, folder_held
from sampleui.text.limits import MAX_LOG_BYTES
from sampleui.text.replacing import remove, take_lock

_ATTEMPTS = 100
"""How often a file is opened again that was replaced while its lock was waited for."""


_READ_ONLY = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class ReadPosition(NamedTuple):
    """How far a file was read: which file it is (device and inode), and how many of its bytes."""

    file: tuple[int, int] = (0, 0)
    offset: int = 0

    def leads_to(self, other: ReadPosition) -> bool:
        """Tell whether another place is later in the same file. The very beginning leads everywhere."""
        return self.offset == 0 or (self.file == other.file and self.offset <= other.offset)


@contextlib.contextmanager
def locked(path: Path, *, create: bool, trusted: Path | None = None) -> Iterator[int]:
    """Open a file for appending under a lock that other processes wait for.

    From the trusted folder on no part of its path may be a link; None if a person named its folder. A file that may
    not be written is opened for reading; nothing is written through a link. A new file's name is on the disk before
    this returns, and the file is removed again if nothing comes to be written into it.

    Raises:
        LinkError: when it is a link, to whatever.
        NotRegularError: when it is a folder, a pipe or a device.
        MissingError: when it is missing and not to be created.
        OSError: when it cannot be opened or locked.
    """
    with _folder_of(path, trusted) as folder:
        descriptor, new = _locked(path, create, folder)
        try:
            if new and folder is not None:
                os.fsync(folder)
            yield descriptor
        finally:
            if new:
                _remove_empty(descriptor, path, folder)
            _close(descriptor)  # and with it the lock


@contextlib.contextmanager
def _folder_of(path: Path, trusted: Path | None) -> Iterator[int | None]:
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(folder_held(path.parent, trusted))
        except FileNotFoundError as error:
            raise MissingError(*error.args) from error
        yield folder


def repaired(
    descriptor: int, path: Path, whole: Callable[[bytes], bool], trusted: Path | None = None
) -> ReadPosition:
    """Make the file end with a line feed, and return its end.

    An unfinished last line that is `whole` is completed; any other is moved to `PATH.torn`.

    Raises:
        OSError: when it cannot be repaired, as a file that may not be written; nothing is lost then.
    """
    status = os.fstat(descriptor)
    file, size = (status.st_dev, status.st_ino), status.st_size
    tail = _tail(descriptor, size)
    if not tail:
        return ReadPosition(file, size)
    _refuse_shared(status)
    if whole(tail):
        write_line(descriptor, b"\n")
        return ReadPosition(file, size + 1)
    with locked(path.with_name(path.name + ".torn"), create=True, trusted=trusted) as torn:
        before = os.fstat(torn).st_size
        write_line(torn, tail + b"\n")
        try:
            os.ftruncate(descriptor, size - len(tail))
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(torn, before)
            raise
    os.fsync(descriptor)
    return ReadPosition(file, size - len(tail))


def whole_end(descriptor: int) -> ReadPosition:
    """Return where the last whole line ends."""
    status = os.fstat(descriptor)
    return ReadPosition((status.st_dev, status.st_ino), status.st_size - len(_tail(descriptor, status.st_size)))


class MissingError(FileNotFoundError):
    """There is no file of that name."""


class HalfWrittenError(OSError):
    """A line could not be written and what was written of it could not be taken back."""


def write_line(descriptor: int, line: bytes) -> None:
    """Append a line and return when it is on the disk; in a single write, if the system accepts it as one.

    Raises:
        HalfWrittenError: when it was not written as it should be, and may be found in the file, whole or in part.
        OSError: when it could not be written, as to a file with another name; the file is then as it was.
    """
    status = os.fstat(descriptor)
    _refuse_shared(status)
    size = status.st_size
    rest = line
    try:
        while rest:
            written = os.write(descriptor, rest)
            if not written:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            rest = rest[written:]
        os.fsync(descriptor)
    except OSError as error:
        if rest == line:
            raise
        try:
            os.ftruncate(descriptor, size)
        except OSError:
            raise HalfWrittenError(*error.args) from error
        raise


def _refuse_shared(status: os.stat_result) -> None:
    """Refuse a file that has another name as well, by which it may lie in another folder and be somebody's own."""
    if status.st_nlink > 1:
        raise OSError(errno.EMLINK, "it has another name (a hard link), by which it would change elsewhere too")


def _locked(path: Path, create: bool, folder: int | None) -> tuple[int, bool]:
    """Return an opened file whose lock is held, and whether it was made just now."""
    created = False
    for left in reversed(range(_ATTEMPTS)):
        descriptor, new = _opened(path, create, folder)
        created = created or new
        try:
            _take(descriptor, path)
            if _same_file(descriptor, path, folder):
                return descriptor, created
            if not left:
                raise OSError(errno.ESTALE, "it is replaced again and again")
        except BaseException as error:
            # Whoever holds the lock is about to write. Where nobody can take it, nobody writes either.
            if created and not isinstance(error, TimeoutError):
                _remove_empty(descriptor, path, folder)
            _close(descriptor)
            raise
        _close(descriptor)  # it was replaced, as a merge does, while we waited
    raise AssertionError("the last attempt ends otherwise")


def _take(descriptor: int, path: Path) -> None:
    """Take the lock of an opened file, which has to be a regular one and not too large."""
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        raise NotRegularError(path)
    # Where a file system has no locks, a single appending write still keeps lines apart.
    take_lock(descriptor)
    size = os.fstat(descriptor).st_size
    if size == 0 and os.read(descriptor, 1):  # a file that the system makes up
        raise NotRegularError(path)
    if size > MAX_LOG_BYTES:
        raise OSError(errno.EFBIG, f"larger than {MAX_LOG_BYTES:,} bytes")


def _opened(path: Path, create: bool, folder: int | None) -> tuple[int, bool]:
    try:
        return descriptor_of(path, os.O_RDWR | os.O_APPEND, folder=folder), False
    except FileNotFoundError as error:
        if not create:
            raise MissingError(*error.args) from error
    except OSError as error:
        if create or error.errno not in _READ_ONLY:
            raise
        return descriptor_of(path, os.O_RDONLY, folder=folder), False
    with contextlib.suppress(FileExistsError):
        return descriptor_of(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, folder=folder), True
    return descriptor_of(path, os.O_RDWR | os.O_APPEND, folder=folder), False  # somebody else was quicker


def _close(descriptor: int) -> None:
    with contextlib.suppress(OSError):  # what was written is on the disk by now
        os.close(descriptor)


def _remove_empty(descriptor: int, path: Path, folder: int | None) -> None:
    """Remove a file in which nothing was written. Its lock is held: whoever waits for it will find it gone."""
    with contextlib.suppress(OSError):
        if _is_empty(descriptor):
            remove(path, folder)


def _is_empty(descriptor: int) -> bool:
    with contextlib.suppress(OSError):
        return os.fstat(descriptor).st_size == 0
    return os.lseek(descriptor, 0, os.SEEK_END) == 0


def _same_file(descriptor: int, path: Path, folder: int | None) -> bool:
    name = path if folder is None else path.name
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(name, dir_fd=folder, follow_symlinks=False))
    except FileNotFoundError:
        return False


def _tail(descriptor: int, size: int) -> bytes:
    """Return what follows the last line feed."""
    step = 1 << 12
    while True:
        start = max(0, size - step)
        data = read_from(descriptor, start, size)
        if b"\n" in data or start == 0:
            return data[data.rfind(b"\n") + 1 :]
        step *= 8


def read_from(descriptor: int, start: int, end: int) -> bytes:
    """Return the bytes between two offsets.

    Raises:
        OSError: when they cannot be read, all of them.
    """
    os.lseek(descriptor, start, os.SEEK_SET)
    parts, left = [], end - start
    while left > 0:
        part = os.read(descriptor, left)
        if not part:
            raise OSError(errno.EIO, "the file became shorter while it was read")
        parts.append(part)
        left -= len(part)
    return b"".join(parts)
