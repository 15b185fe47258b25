"""Whether a person is in the review of a run: a lock that the app holds as long as it shows it."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from zlib import crc32

from platformdirs import user_state_path

from sampleui.text.confined import descriptor_of, named, real_path
from sampleui.text.replacing import make_own_folder


@contextmanager
def present(results: Path) -> Iterator[None]:
    """Be in the review of results, as those who wait for its end see. Where there are no locks, nobody sees it."""
    descriptor = None
    with suppress(OSError):
        descriptor = _opened(results, create=True)
        fcntl.flock(descriptor, fcntl.LOCK_SH)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def is_reviewed(results: Path) -> bool:
    """Tell whether somebody is in the review of results."""
    try:
        descriptor = _opened(results, create=False)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _opened(results: Path, *, create: bool) -> int:
    path = real_path(results)
    # No secure hash, which the first frame does without: two runs of one lock would be waited for a little longer.
    mark = crc32(os.fsencode(path))
    lock = named(user_state_path("sampleui")) / "reviews" / f"{path.name[:40]}-{mark:08x}.open"
    if create:
        make_own_folder(lock.parent)
    return descriptor_of(lock, os.O_RDWR | (os.O_CREAT if create else 0), 0o600)
