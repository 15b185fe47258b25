"""Crash recovery: the steps of a session that are not saved yet, kept beside the user's other state.

A journal is a file of JSON lines: first the files it is about, with the hashes of what was on disk, then one line
a step. It is of use only while the disk still holds those bytes, or what a save that was begun was to write. Lines
are handed to the system at once and not synced: they outlive the process and not a power cut. The session that
writes a journal holds a lock on it, so a second one neither offers those steps nor writes over them. Nothing here
fails a session: what cannot be written is tried again with the next step, and said meanwhile.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import FileIO
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from sampleui.deck.history import Step
from sampleui.deck.model import Change, DeckFiles, Source
from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.document import Splice
from sampleui.text.confined import NotRegularError, opened
from sampleui.text.edit import TextEdit
from sampleui.text.locks import take_lock

_VERSION = 1
_MAX_BYTES = 1 << 30
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_FLAGS |= getattr(os, "O_NONBLOCK", 0)


@dataclass(frozen=True, slots=True)
class Recovery:
    """What a session that did not end cleanly left behind.

    Attributes:
        steps: its unsaved steps in order; making them brings the deck to where it was. Empty when there are none.
        note: why a journal that was found is of no use, None when it is, or when there is none.
    """

    steps: tuple[Step, ...] = ()
    note: str | None = None


class Journal:
    """The journal of one session. The first step makes the file, so looking at a deck leaves nothing behind.

    Attributes:
        failure: why its last line is not written, in words for the user; None while all are.
    """

    def __init__(self, files: DeckFiles) -> None:
        self.failure: str | None = None
        self._deck = files.path
        self._file: FileIO | None = None
        self._begin(files)

    def _begin(self, files: DeckFiles) -> None:
        self._unwritten = _line(_header(files))
        self._written = 0

    @cached_property
    def path(self) -> Path:
        """Where it is kept; asked only when there is something to keep."""
        return journal_path(self._deck)

    def record(self, step: Step) -> None:
        """Write down a step that was made. Undoing is a step too: its inverse."""
        self._write(_line(_step_data(step)))

    def saving(self, files: DeckFiles) -> None:
        """Write down what a save is about to put on the disk, so that a kill in it leaves nothing to guess."""
        if self._file is not None:
            changed: list[Plain] = [
                [at, _digest(source)] for at, source in enumerate(files.sources) if source.changed
            ]
            self._write(_line({"saving": changed}))

    def restart(self, files: DeckFiles) -> None:
        """Begin anew after a save: what was written down is on disk now."""
        self.discard()
        self._begin(files)

    def discard(self) -> None:
        """Remove what this session wrote, after a save or a clean end."""
        self.failure = None
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            self._file.truncate(0)  # an empty journal says nothing, if its name should stay
        forget(self.path)
        with contextlib.suppress(OSError):
            self._file.close()
        self._file = None

    def _write(self, line: bytes) -> None:
        self._unwritten += line
        try:
            if self._file is None:
                self._file = _opened(self.path)
            self._file.truncate(self._written)  # anything behind it is what an earlier try left
            rest = self._unwritten
            while rest:
                rest = rest[self._file.write(rest) or _nothing() :]
        except OSError as error:
            self.failure = f"unsaved edits are not kept for recovery: {error.strerror or error}"
        else:
            self._written += len(self._unwritten)
            self._unwritten = b""
            self.failure = None


def recoverable(files: DeckFiles) -> Recovery:
    """Return the unsaved steps that an earlier session left for a deck, if the disk holds what they are about.

    Whoever makes them records them in the new session's journal; `forget` drops them.
    """
    path = journal_path(files.path)
    try:
        with opened(path) as file:
            take_lock(file.fileno(), patience=0)
            # Text after the last line feed is a line that the session did not live to finish.
            lines = file.read(_MAX_BYTES).decode("utf-8").split("\n")[:-1]
        return _recovered(files, [json.loads(line) for line in lines])
    except FileNotFoundError:
        return Recovery()
    except TimeoutError:
        return Recovery(note="this deck is open in another session that has unsaved edits")
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError, FormatError):
        return Recovery(note=f"the unsaved edits of an earlier session cannot be read: {path}")


def _recovered(files: DeckFiles, lines: Sequence[Any]) -> Recovery:
    if not lines:
        return Recovery()
    if not all(isinstance(line, dict) for line in lines):
        raise ValueError("not the lines of a journal")
    header, said = _header(files), lines[0]
    found = [_first_unsaved(at, said, header, lines) for at in range(len(files.sources))]
    first = [one for one in found if one is not None]
    if said["version"] != _VERSION or len(said["files"]) != len(found) or len(first) != len(found):
        return Recovery(note="an earlier session left unsaved edits of this deck, which has changed since")
    return Recovery(tuple(_steps(files, lines, first)))


def _first_unsaved(at: int, said: Any, header: Any, lines: Sequence[Any]) -> int | None:
    """Return the line from which on the changes of a file are not on the disk; None where that cannot be said.

    What is on the disk is what the session began with, or what a save wrote in which it was killed.
    """
    path, digest = header["files"][at]
    if said["files"][at] == [path, digest]:
        return 1
    saves = (number for number, line in enumerate(lines) if [at, digest] in line.get("saving", ()))
    return max(saves, default=None) if said["files"][at][0] == path else None


def forget(path: Path) -> None:
    """Remove a journal, if it is there."""
    with contextlib.suppress(OSError):
        path.unlink()


def journal_path(deck: Path) -> Path:
    """Return where the journal of a deck is kept: named after the deck and the hash of where it really lies."""
    from platformdirs import user_state_path

    where = hashlib.sha256(os.fsencode(deck.resolve())).hexdigest()[:16]
    return user_state_path("sampleui") / "journal" / f"{deck.stem[:40]}-{where}.jsonl"


def _nothing() -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _opened(path: Path) -> FileIO:
    """Open a journal that no other session writes, and empty it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, _FLAGS, 0o600)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise NotRegularError(path)
        take_lock(descriptor, patience=0)
        os.ftruncate(descriptor, 0)
        return FileIO(descriptor, "a+b")
    except BaseException as error:
        with contextlib.suppress(OSError):
            os.close(descriptor)
        if isinstance(error, TimeoutError):
            raise BlockingIOError("another session of this deck is open") from None
        raise


def _line(data: dict[str, Plain]) -> bytes:
    return json.dumps(data).encode("ascii") + b"\n"


def _digest(source: Source) -> str:
    made = hashlib.sha256()
    for piece in source.document.pieces:
        made.update(piece.encode("utf-8", "replace"))
    return made.hexdigest()


def _header(files: DeckFiles) -> dict[str, Plain]:
    held: list[Plain] = [_identity(source) for source in files.sources]
    return {"version": _VERSION, "files": held}


def _identity(source: Source) -> Plain:
    stamp = source.disk.stamp
    return [str(source.path.resolve()), stamp.sha256 if stamp else None]


def _step_data(step: Step) -> dict[str, Plain]:
    changes: list[Plain] = [_change_data(change) for change in step.changes]
    return {"label": step.label, "changes": changes}


def _change_data(change: Change) -> Plain:
    """Return a change as its smallest edit, for a piece may be long and an edit short."""
    splice, edit = change.splice, change.splice.text_edit()
    sizes: list[Plain] = [len(piece) for piece in splice.added]
    return [change.source, splice.at, len(splice.removed), edit.start, edit.end, edit.text, sizes]


def _steps(files: DeckFiles, lines: Sequence[Any], first: Sequence[int]) -> Iterator[Step]:
    """Yield the steps, without the changes of each file that stand before its first line that is not saved."""
    for number, data in enumerate(lines):
        changes = []
        for entry in data.get("changes", ()):
            if number >= first[entry[0]]:
                change = _change(files, entry)
                files = files.apply(change)
                changes.append(change)
        if changes:
            yield Step(str(data["label"]), tuple(changes))


def _change(files: DeckFiles, entry: list[Any]) -> Change:
    source, at, count, start, end, text, sizes = entry
    removed = files.sources[source].document.pieces[at : at + count]
    after = TextEdit(start, end, text).apply("".join(removed))
    if len(removed) != count or sum(sizes) != len(after):
        raise ValueError("not a change of this deck")
    offsets = [0, *accumulate(sizes)]
    return Change(source, Splice(at, removed, tuple(after[one:other] for one, other in pairwise(offsets))))
