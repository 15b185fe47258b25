"""Write a deck back: proved first, then atomically, and never over somebody else's change."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sampleui.deck.load import stamp_of
from sampleui.deck.model import DeckFiles, Source
from sampleui.deck.proof import prove
from sampleui.errors import SaveError, SaveRefusedError, StaleFileError


def save(files: DeckFiles) -> tuple[Path, ...]:
    """Write the files of a deck that changed and return their paths; the states of the deck then count as saved.

    All files are checked, proved and written beside their targets before the first one is replaced, so one that
    cannot be written keeps the others from being half of a save. A file is replaced by renaming a new one over it:
    a reader sees the old text or the new, never a part. A symlink stays and its target is replaced; mode and, where
    the system allows, owner are kept. A file with several hard links leaves its other names with the old text.

    Raises:
        StaleFileError: when a file changed on disk since it was read.
        SaveRefusedError: when the new text does not read back as the deck's values or is not valid Unicode.
        SaveError: when the system does not let a file be written.
    """
    changed = [source for source in files.sources if source.changed]
    for source in changed:
        prove(source)
    with contextlib.ExitStack() as stack:
        drafts = [stack.enter_context(_draft(source)) for source in changed]
        for source, draft in zip(changed, drafts, strict=True):
            _refuse_stale(source, draft.data)
            _replace(source.path, draft)
            source.disk.stamp = stamp_of(draft.target, draft.data)
            source.disk.saved = source.document
    return tuple(source.path for source in changed)


def is_stale(source: Source) -> bool:
    """Tell whether a file seems to have changed on disk since it was read: other bytes, gone, or come into being.

    Cheap enough to ask often: the bytes are read only when size or time differ. `save` always reads them.

    Raises:
        SaveError: when the file cannot be read.
    """
    stamp = source.disk.stamp
    with contextlib.suppress(OSError):
        held = source.path.stat()
        if stamp is not None and (held.st_size, held.st_mtime_ns) == (stamp.size, stamp.mtime_ns):
            return False
    return _digest(source.path) != (stamp.sha256 if stamp else None)


@dataclass(frozen=True, slots=True)
class _Draft:
    """A complete new file beside the one it will replace."""

    target: Path
    temporary: Path
    data: bytes


def _encoded(source: Source) -> bytes:
    try:
        # Piece by piece: a large file as one text beside its bytes would take the memory twice.
        return b"".join(piece.encode("utf-8") for piece in source.document.pieces)
    except UnicodeEncodeError as error:
        code = ord(error.object[error.start])
        raise SaveRefusedError(
            f"{source.path} was not saved: half of a surrogate pair, U+{code:04X}, cannot be written as UTF-8"
        ) from None


def _digest(path: Path) -> str | None:
    """Return the SHA-256 of a file, None where there is none.

    The bytes decide and not the time stamp: two writes within one tick of the clock have the same time.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return ""
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SaveError(f"{path} was not saved: {error.strerror}") from error


def _refuse_stale(source: Source, wanted: bytes) -> None:
    path, stamp, found = source.path, source.disk.stamp, _digest(source.path)
    if found == (stamp.sha256 if stamp else None):
        return
    if found is None:
        raise StaleFileError(f"{path} was not saved: the file was deleted since it was read")
    if found == hashlib.sha256(wanted).hexdigest():
        return
    change = "changed on disk since it was read" if stamp else "came into being since the deck was begun"
    raise StaleFileError(f"{path} was not saved: the file {change}")


@contextlib.contextmanager
def _draft(source: Source) -> Iterator[_Draft]:
    """Write a temporary file beside the target; on leaving it is removed, unless it was renamed away."""
    data, path = _encoded(source), source.path
    _refuse_stale(source, data)
    target = path.resolve()
    temporary = target.with_name(f".sampleui-{os.urandom(6).hex()}.tmp")
    try:
        held = target.stat() if target.exists() else None
        if held is not None and not os.access(target, os.W_OK):
            raise SaveError(f"{path} was not saved: the file is read-only")
        descriptor = os.open(temporary, _FLAGS, 0o666 if held is None else 0o600)
    except OSError as error:
        raise SaveError(_why(path, error)) from error
    try:
        _fill(path, descriptor, data, held)
        yield _Draft(target, temporary, data)
    finally:
        with contextlib.suppress(FileNotFoundError):
            temporary.unlink()


_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)


def _fill(path: Path, descriptor: int, data: bytes, held: os.stat_result | None) -> None:
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            if held is not None:
                _keep_owner_and_mode(descriptor, held)
            os.fsync(descriptor)
    except OSError as error:
        raise SaveError(_why(path, error)) from error


def _keep_owner_and_mode(descriptor: int, held: os.stat_result) -> None:
    if hasattr(os, "fchown"):
        # Only root may give a file away; a member of its group may still keep that.
        for owner in ((held.st_uid, held.st_gid), (-1, held.st_gid)):
            with contextlib.suppress(PermissionError):
                os.fchown(descriptor, *owner)
                break
    if hasattr(os, "fchmod"):
        os.fchmod(descriptor, stat.S_IMODE(held.st_mode))


def _replace(path: Path, draft: _Draft) -> None:
    try:
        draft.temporary.replace(draft.target)
    except OSError as error:
        raise SaveError(_why(path, error)) from error
    # The new file is in place: that the folder cannot be flushed, as on some network disks, is no failed save.
    with contextlib.suppress(OSError):
        folder = os.open(draft.target.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _why(path: Path, error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{path} was not saved: there is no folder {path.parent}"
    if isinstance(error, PermissionError):
        return f"{path} was not saved: the folder {path.parent} does not allow it ({error.strerror})"
    return f"{path} was not saved: {error.strerror or error}"
