"""Folders for a while, which are gone afterwards even if the process that had them was killed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir

from sampleui.text.confined import descriptor_of
from sampleui.text.replacing import take_lock

_LOCK_GRACE_S = 60.0
"""Seconds in which a folder may not have its lock yet."""

MARK = ".sampleui-temporary"
"""The file by which a folder is known to be one of these, whatever others are called that people have there."""


@contextmanager
def temporary_folder(prefix: str) -> Iterator[Path]:
    """Make a temporary folder whose name begins so; those that killed processes left are removed first."""
    for left in Path(gettempdir()).glob(f"{prefix}*"):
        with suppress(OSError):
            _remove_if_left(left)
    with TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as name, _lock(Path(name)):
        (Path(name) / MARK).touch()
        yield Path(name)


def _remove_if_left(folder: Path) -> None:
    """Remove a marked folder of this user's whose lock nobody has. Raises OSError when another process has it."""
    if not (folder / MARK).exists():
        return
    status = folder.lstat()
    if status.st_uid == os.getuid() and time.time() - status.st_mtime > _LOCK_GRACE_S:
        with _lock(folder) as is_locked:
            if is_locked:
                shutil.rmtree(folder)


@contextmanager
def _lock(folder: Path) -> Iterator[bool]:
    """Hold the lock of a folder, as processes that are forked meanwhile do; tell whether there are locks."""
    descriptor = descriptor_of(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield take_lock(descriptor, patience=0)
    finally:
        os.close(descriptor)
