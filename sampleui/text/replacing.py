"""Files that several processes write: locked, and replaced as a whole, so that no reader ever finds a part.

The new text is written to a draft beside its target, synced, and renamed over it. Whoever replaces a file holds the
lock of its folder, so two processes cannot write over each other between a check and a rename; and any draft that
the holder of the lock finds in the folder was left by a process that was killed.

Locks are advisory, and the system releases them when their holder dies. Waiting for one has a limit, because its
holder may be a process that somebody stopped.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import re
import shutil
import stat
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sampleui.text.confined import (
    LinkError,
    NotRegularError,
    StrPath,
    descriptor_of,
    exists,
    folder_held,
    is_folder,
    is_free,
    is_link,
    is_there,
    listed,
    named,
    opened,
    real_path,
    strays,
)

LOCK_TIMEOUT_S = 5.0
"""How long a lock is waited for, in seconds."""

# Some network file systems have no locks, or none of what is opened for reading.
_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF})
_PAUSE = 0.002
_PART = 1 << 20
_DRAFT = re.compile(r"\.sampleui-[0-9a-f]{12}\.tmp")
_NO_ATTRIBUTES = frozenset({errno.EOPNOTSUPP, errno.ENOSYS})
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def take_lock(descriptor: int, patience: float = LOCK_TIMEOUT_S) -> bool:
    """Take the lock of an open file or folder, held until the descriptor is closed; tell whether there are locks.

    Args:
        descriptor: of the opened file.
        patience: seconds to wait for another holder; 0 for not waiting at all.

    Raises:
        TimeoutError: when another process holds it for that long.
        OSError: when the system cannot say.
    """
    end = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= end:
                raise TimeoutError(errno.ETIMEDOUT, "another program holds its lock") from None
            time.sleep(_PAUSE)
        except OSError as error:
            if error.errno not in _NO_LOCKS:
                raise
            return False
        else:
            return True


class Draft(NamedTuple):
    """A complete new file beside the one it is to replace.

    Attributes:
        target: the file to replace, symlinks resolved.
        temporary: the draft.
        data: what it holds.
        lost: what of the target the draft could not take over, in words.
        folder: the descriptor of their folder, through which both are reached; None where a system has none.
    """

    target: Path
    temporary: Path
    data: bytes
    lost: tuple[str, ...]
    folder: int | None


def own_path(room: str, path: Path, name: str, suffix: str) -> Path:
    """Return where the program keeps in the user's state what is about a file or a folder.

    Args:
        room: the folder of its kind.
        path: where that file or folder lies, by a hash of which it is told apart from others of its name.
        name: what it is named after.
        suffix: what the name ends in.
    """
    import hashlib  # loads the whole of OpenSSL, which the first frame does without

    from platformdirs import user_state_path  # what writes a log does without

    where = hashlib.sha256(os.fsencode(path)).hexdigest()[:16]
    return named(user_state_path("sampleui")) / room / f"{name[:40]}-{where}{suffix}"


def make_own_folder(folder: Path) -> None:
    """Make a folder of the program's own, if it is not there, that its user alone may enter.

    Raises:
        OSError: when it cannot be made.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)


def write_new(path: Path, data: bytes) -> None:
    """Write a new file that its user alone may read, in a folder that is the program's own.

    Raises:
        FileExistsError: when there is something of that name, if only a link.
        OSError: when it cannot be written.
    """
    descriptor = descriptor_of(path, _NEW, 0o600)
    try:
        _write(descriptor, data)
    finally:
        os.close(descriptor)


def write_folder(
    target: Path, texts: Mapping[str, bytes], copies: Mapping[str, Path], trusted: Path | None = None
) -> None:
    """Write a new folder with files in it, on the disk when this returns: all of it or nothing.

    Args:
        target: the folder. The one that it lies in is made if there is none.
        texts: the files that are written, by their paths in it.
        copies: files that are copied into it, by their paths in it.
        trusted: as of `drafted`.

    Raises:
        FileExistsError: when there is something of that name.
        LinkError: when a part of the way is a link.
        OSError: when it cannot be written.
    """
    with folder_held(target.parent, trusted, create=True) as home:
        if not is_free(target):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
        if home is not None and take_lock(home):
            _clear(target.parent, home)
        draft = target.with_name(f".sampleui-{os.urandom(6).hex()}.tmp")
        try:
            os.mkdir(draft if home is None else draft.name, 0o777, dir_fd=home)
            for name, data in texts.items():
                with _new_file(draft / name, trusted or target.parent) as file:
                    _write(file, data)
            for name, source in copies.items():
                with _new_file(draft / name, trusted or target.parent) as file, opened(source) as copied:
                    while part := copied.read(_PART):
                        _write(file, part)
            os.rename(*_names(draft, target, home), src_dir_fd=home, dst_dir_fd=home)
        except BaseException:
            with contextlib.suppress(OSError):
                _remove_folder(draft, home)
            raise
        if home is not None:
            with contextlib.suppress(OSError):
                os.fsync(home)


@contextlib.contextmanager
def _new_file(path: Path, trusted: Path) -> Iterator[int]:
    with folder_held(path.parent, trusted, create=True) as folder:
        descriptor = descriptor_of(path, _NEW, folder=folder)
        try:
            yield descriptor
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _names(draft: Path, target: Path, folder: int | None) -> tuple[StrPath, StrPath]:
    return (draft, target) if folder is None else (draft.name, target.name)


def _remove_folder(path: Path, folder: int | None) -> None:
    shutil.rmtree(path if folder is None else path.name, dir_fd=folder)


@contextlib.contextmanager
def folders_held(paths: Iterable[Path]) -> Iterator[None]:
    """Hold the locks of the folders that files really lie in, cleared of what kills have left there.

    Where a folder cannot be opened or its file system has no locks, there is nothing to hold.

    Raises:
        OSError: when a lock cannot be taken; TimeoutError when another process holds it.
    """
    folders = {where.parent for path in paths if not strays(path, where := real_path(path))}
    with contextlib.ExitStack() as stack:
        for folder in sorted(folders):  # in one order, or two would wait for ever
            try:
                descriptor = descriptor_of(folder, os.O_RDONLY)
            except OSError:
                continue
            stack.callback(_close, descriptor)
            if take_lock(descriptor):
                _clear(folder, descriptor)
        yield


@contextlib.contextmanager
def drafted(path: Path, data: bytes, *, through_link: bool = False, trusted: Path | None = None) -> Iterator[Draft]:
    """Write a draft of a file, on the disk when this returns; on leaving it is removed unless it was put in place.

    Mode, access lists, extended attributes and, where the system allows it, the owner are those of the target.

    Args:
        path: the file.
        data: what it is to hold.
        through_link: whether a path that is a link stands for the file that it leads to, since a person named it.
        trusted: the folder that a person named, from which on no part of the path may be a link; None if they named
            the path itself.

    Raises:
        LinkError: when it is a link all the same, or one that leads nowhere.
        OSError: when it cannot be written, or the target may not be.
    """
    if is_link(path) and not (through_link and exists(path)):
        raise LinkError(path)
    target = real_path(path) if trusted is None else path.absolute()
    # Where a path is resolved, no part of it is a link any more.
    with (
        folder_held(target.parent, Path(target.anchor) if trusted is None else trusted) as folder,
        _held(target, folder) as old,
    ):
        temporary = target.with_name(f".sampleui-{os.urandom(6).hex()}.tmp")
        descriptor = descriptor_of(temporary, _NEW, 0o666 if old is None else 0o600, folder)
        try:
            try:
                _write(descriptor, data)
                lost = () if old is None else tuple(_taken_over(descriptor, old))
                os.fsync(descriptor)
            finally:
                os.close(descriptor)  # which is where some network disks say that they are full
            yield Draft(target, temporary, data, lost, folder)
        except BaseException:
            with contextlib.suppress(OSError):
                remove(temporary, folder)
            raise


def remove(path: Path, folder: int | None = None) -> None:
    """Remove a file, by a descriptor of its folder if there is one. Raises OSError when it stays."""
    os.unlink(path if folder is None else path.name, dir_fd=folder)


def put_in_place(draft: Draft) -> None:
    """Put a draft in the place of its target.

    Raises:
        OSError: when it is not in place; the target is as it was.
    """
    if draft.folder is None:
        draft.temporary.replace(draft.target)
        return
    os.replace(draft.temporary.name, draft.target.name, src_dir_fd=draft.folder, dst_dir_fd=draft.folder)
    # The new file is in place: that the folder cannot be flushed, as on some network disks, is not a failure.
    with contextlib.suppress(OSError):
        os.fsync(draft.folder)


def _close(descriptor: int) -> None:
    with contextlib.suppress(OSError):
        os.close(descriptor)


def _write(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        written = os.write(descriptor, rest)
        if not written:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        rest = rest[written:]


def _clear(folder: Path, descriptor: int) -> None:
    for file in listed(folder).paths:
        if _DRAFT.fullmatch(file.name):
            folder_fd = descriptor if os.unlink in os.supports_dir_fd else None
            with contextlib.suppress(OSError):
                if is_folder(file) and not is_link(file):
                    _remove_folder(file, folder_fd)
                else:
                    remove(file, folder_fd)


@contextlib.contextmanager
def _held(target: Path, folder: int | None) -> Iterator[int | None]:
    """Open a file that may be written, whatever is put in its place meanwhile; yield None if there is none yet.

    Raises:
        OSError: when it may not be written.
    """
    try:
        # Opened and not asked about: the answer of the system is what counts, and it has a reason.
        descriptor = descriptor_of(target, os.O_WRONLY, folder=folder)
    except FileNotFoundError:
        if is_there(target):  # it is there all the same: what it has beside its bytes must not be lost
            raise
        yield None
        return
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotRegularError(target)
        yield descriptor
    finally:
        _close(descriptor)


def _taken_over(descriptor: int, old: int) -> Iterator[str]:
    """Give a draft what its target has beside its bytes; yield what it cannot be given."""
    status = os.fstat(old)
    if status.st_nlink > 1:
        yield "its other hard links keep the old text"
    yield from _owner(descriptor, status)
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    yield from _attributes(descriptor, old)


def _owner(descriptor: int, status: os.stat_result) -> Iterator[str]:
    if not hasattr(os, "fchown"):
        return
    mine = os.fstat(descriptor)
    if (mine.st_uid, mine.st_gid) == (status.st_uid, status.st_gid):
        return
    try:
        os.fchown(descriptor, status.st_uid, status.st_gid)
    except OSError:
        # Only root may give a file away; a member of its group may still keep that.
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, status.st_gid)
        now = os.fstat(descriptor)
        yield f"it belonged to user {status.st_uid} and group {status.st_gid}, now to {now.st_uid} and {now.st_gid}"


def _attributes(descriptor: int, old: int) -> Iterator[str]:
    """Copy extended attributes, which access lists are too; what the folder gave a new file is taken away."""
    if not hasattr(os, "listxattr"):
        return
    try:
        wanted, present = os.listxattr(old), os.listxattr(descriptor)
    except OSError as error:
        if error.errno not in _NO_ATTRIBUTES:
            yield "its access lists and attributes are not kept"
        return
    for name in {*present} - {*wanted}:
        with contextlib.suppress(OSError):
            os.removexattr(descriptor, name)
    for name in wanted:
        try:
            value = os.getxattr(old, name)
            if name not in present or os.getxattr(descriptor, name) != value:
                os.setxattr(descriptor, name, value)
        except OSError:
            yield f"its attribute {name} is not kept"
