"""Locks between processes.

They are advisory, and the system releases them when their holder dies. Waiting for one has a limit, because its
holder may be a process that somebody stopped.
"""

from __future__ import annotations

import errno
import sys
import time

if sys.platform != "win32":
    import fcntl

PATIENCE = 5.0
"""How long a lock is waited for, in seconds."""

# Some network file systems have no locks, or none of what is opened for reading.
_NO_LOCKS = frozenset({errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EBADF})
_PAUSE = 0.002


def take_lock(descriptor: int, patience: float = PATIENCE) -> bool:
    """Take the lock of an open file or folder, held until the descriptor is closed; tell whether there are locks.

    Args:
        descriptor: of the opened file.
        patience: seconds to wait for another holder; 0 for not waiting at all.

    Raises:
        TimeoutError: when another process holds it for that long.
        OSError: when the system cannot say.
    """
    if sys.platform == "win32":
        return False
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
