"""Crash recovery: the steps of a session that are not saved yet, kept on the disk and offered again.

A journal is a file of JSON lines: first the files it is about, with the hashes of what was on disk, then one line
for each step. It is useful only as long as the disk holds those bytes, or those that an unfinished save was about
to write. Lines are handed to the system at once but not synced: they outlive the process, but not a power cut.
Every session has a journal of its own and holds a lock on it, so another session neither offers its steps nor
writes over them; what a dead session left stays until it is restored or discarded. Nothing here makes a session
fail: what cannot be written is tried again with the next step, and the user is told in the meantime.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterator, Sequence
from io import FileIO
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, NamedTuple

from sampleui.deck.history import UndoStep, joined
from sampleui.deck.model import Change, DeckFiles
from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.document import Document, Lazy, Splice
from sampleui.text.confined import descriptor_of, listed, opened, real_path, size_of, status_of
from sampleui.text.limits import MAX_JOURNAL_BYTES, MAX_JOURNALS
from sampleui.text.position import TextEdit
from sampleui.text.replacing import make_own_folder, own_path, remove, take_lock

VERSION = 1
_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND


class Journal:
    """The journal of one session.

    Attributes:
        path: the file that the session holds; None until there is one.
        file: the same, open and locked.
        failure: why its last line is not written, in words for the user; None while all are.
    """

    def __init__(self, files: DeckFiles) -> None:
        self.path: Path | None = None
        self.failure: str | None = None
        self._deck = files.path
        self.file: FileIO | None = None
        self._begin(files)

    def _begin(self, files: DeckFiles) -> None:
        self._on_disk = _on_disk(files)
        self._first_line = Lazy[bytes]()
        self._unwritten = b""
        self._written = 0
        self._recorded = False

    def prepare(self) -> None:
        """Work out the hashes of what is on disk, which take a while for a large deck, before an edit asks."""
        self._first_line.get(lambda: _line(_header(self._on_disk)))

    def hold(self) -> None:
        """Take a file before there is anything to write, so that other sessions of the deck know of this one."""
        with contextlib.suppress(OSError):  # the first step tries again, and says why
            self._take()

    def record(self, step: UndoStep) -> None:
        """Write down a step that was made. Undoing is a step too: its inverse."""
        self._recorded = True
        self._write(_line(_step_data(step)))

    def saving(self, files: DeckFiles) -> None:
        """Write down what a save is about to put on the disk, so that a kill in it leaves nothing to guess."""
        if self._recorded:
            changed: list[Plain] = [
                [number, _digest(source.document)] for number, source in enumerate(files.sources) if source.changed
            ]
            self._write(_line({"saving": changed}))

    def restart(self, files: DeckFiles) -> None:
        """Start again after a save: what was written down is on disk now. The session goes on to hold its file."""
        self.failure = None
        self._empty()
        self._begin(files)

    def discard(self) -> None:
        """Remove what this session wrote, after a clean end."""
        self.failure = None
        self._empty()  # an empty journal says nothing, if its name should stay
        if self.file is not None and self.path is not None:
            forget(self.path)
            with contextlib.suppress(OSError):
                self.file.close()
        self.file = self.path = None

    def _empty(self) -> None:
        if self.file is not None:
            with contextlib.suppress(OSError):
                self.file.truncate(0)

    def _take(self) -> FileIO:
        if self.file is None:
            self.path, self.file = _free(self._deck)
        return self.file

    def _write(self, line: bytes) -> None:
        if not (self._written or self._unwritten):
            self.prepare()
            self._unwritten = self._first_line.get(bytes)
        self._unwritten += line
        try:
            file = self._take()
            file.truncate(self._written)  # anything behind it is what an earlier try left
            rest = self._unwritten
            while rest:
                rest = rest[file.write(rest) or _nothing() :]
        except OSError as error:
            self.failure = f"unsaved edits are not kept for recovery: {error.strerror or error}"
        else:
            self._written += len(self._unwritten)
            self._unwritten = b""
            self.failure = None


def forget(path: Path) -> None:
    """Remove a journal, if it is there."""
    with contextlib.suppress(OSError):
        remove(path)


def journal_path(deck: Path) -> Path:
    """Return where the first journal of a deck is: named after the deck, and a hash of where it really lies."""
    return own_path("journal", real_path(deck), deck.stem, ".jsonl")


def journals(deck: Path) -> tuple[Path, ...]:
    """Return the journals of all sessions of a deck, the one written last first."""
    first = journal_path(deck)
    by_time: list[tuple[int, Path]] = []
    for path in listed(first.parent).paths:
        if path.name.startswith(f"{first.stem}.") and path.suffix == first.suffix:
            status = status_of(path)
            if status is not None:  # else its session has ended meanwhile
                by_time.append((status.st_mtime_ns, path))
    return tuple(path for _, path in sorted(by_time, reverse=True))


def _nothing() -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _free(deck: Path) -> tuple[Path, FileIO]:
    """Open the first journal of a deck that no session, living or dead, has written, and take its lock.

    Raises:
        OSError: if there is none to be had.
    """
    first = journal_path(deck)
    make_own_folder(first.parent)
    for number in range(1, MAX_JOURNALS + 1):
        path = first if number == 1 else first.with_suffix(f".{number}.jsonl")
        descriptor = descriptor_of(path, _FLAGS, 0o600)
        try:
            if _is_free(descriptor, path):
                return path, FileIO(descriptor, "a+b")
        except BaseException:
            _close(descriptor)
            raise
        _close(descriptor)
    raise OSError(errno.EMFILE, f"{MAX_JOURNALS} sessions of this deck have left their journals")


def _is_free(descriptor: int, path: Path) -> bool:
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        return False
    try:
        take_lock(descriptor, patience=0)
        status = os.fstat(descriptor)  # as its last holder left it, who may have removed its name meanwhile
    except TimeoutError:
        return False
    named = status_of(path)
    return status.st_size == 0 and named is not None and os.path.samestat(status, named)


def _close(descriptor: int) -> None:
    with contextlib.suppress(OSError):
        os.close(descriptor)


def _line(data: dict[str, Plain]) -> bytes:
    return json.dumps(data).encode("ascii") + b"\n"


def _digest(document: Document) -> str:
    import hashlib

    digest = hashlib.sha256()
    for data in document.encoded("replace"):
        digest.update(data)
    return digest.hexdigest()


def _on_disk(files: DeckFiles) -> list[tuple[str, Document | None]]:
    """Return where the files of a deck really lie, and what the disk holds of each; None for nothing yet."""
    return [
        (str(real_path(source.path)), source.disk.saved if source.disk.stamp else None) for source in files.sources
    ]


def _header(on_disk: Sequence[tuple[str, Document | None]]) -> dict[str, Plain]:
    identities: list[Plain] = [[path, None if saved is None else _digest(saved)] for path, saved in on_disk]
    return {"version": VERSION, "files": identities}


def _step_data(step: UndoStep) -> dict[str, Plain]:
    changes: list[Plain] = [_change_data(change) for change in step.changes]
    return {"label": step.label, "changes": changes}


def _change_data(change: Change) -> Plain:
    """Return a change as its smallest edit, because a piece may be long and an edit short."""
    splice, edit = change.splice, change.splice.text_edit()
    sizes: list[Plain] = [len(piece) for piece in splice.added]
    return [change.source, splice.start, len(splice.removed), edit.start, edit.end, edit.text, sizes]


OPEN_ELSEWHERE = "this deck is open in another session"
_CHANGED = "an earlier session left unsaved edits of this deck, which has changed since"


class UnsavedWork(NamedTuple):
    """What one session left unsaved.

    Attributes:
        path: its journal; `forget` drops it.
        steps: the unsaved steps in order, at least one; making them brings the deck to where it was.
    """

    path: Path
    steps: tuple[UndoStep, ...]


class Stale(NamedTuple):
    """Unsaved work of one session that can no longer be applied.

    Attributes:
        path: its journal; `forget` drops it.
        why: why not, in words.
    """

    path: Path
    why: str


class Recovery(NamedTuple):
    """What the journals of a deck say.

    Attributes:
        left: what dead sessions left that can be made again, the last one first. Each is on its own: all of them
            began with what is on the disk.
        stale: what dead sessions left that cannot.
        notes: anything else to report, such as another session that is open.
    """

    left: tuple[UnsavedWork, ...] = ()
    stale: tuple[Stale, ...] = ()
    notes: tuple[str, ...] = ()


class _InUseError(Exception):
    """The session of a journal goes on, in words."""


class _StaleError(Exception):
    """Why a journal is of no use, in words."""


def recoverable(files: DeckFiles, own: Path | None = None) -> Recovery:
    """Look into the journals of a deck; one that no longer says anything is removed.

    Whoever makes the steps records them in the new session's journal, and drops the old one after that.

    Args:
        files: the deck, as it was read just now.
        own: the journal of the session that asks.
    """
    left: list[UnsavedWork] = []
    stale: list[Stale] = []
    notes: dict[str, None] = {}
    for path in journals(files.path):
        if path == own:
            continue
        try:
            steps = _read(files, path)
        except _InUseError as note:
            notes[str(note)] = None
        except _StaleError as why:
            stale.append(Stale(path, str(why)))
        else:
            left += [UnsavedWork(path, steps)] if steps else []
    return Recovery(tuple(left), tuple(stale), tuple(notes))


def _read(files: DeckFiles, path: Path) -> tuple[UndoStep, ...]:
    try:
        with opened(path) as file:
            alone = take_lock(file.fileno(), patience=0)
            written = file.read(MAX_JOURNAL_BYTES)
            # Text after the last line feed is a line that the session did not live to finish.
            lines = written.decode("utf-8").split("\n")[:-1]
            steps = joined(_recovered(files, [json.loads(line) for line in lines]))
            if alone and written and not steps:
                forget(path)
    except FileNotFoundError:
        return ()
    except TimeoutError:
        raise _InUseError(OPEN_ELSEWHERE + _unsaved(path)) from None
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError, FormatError):
        raise _StaleError(f"the unsaved edits of an earlier session cannot be read: {path}") from None
    return steps


def _unsaved(path: Path) -> str:
    try:
        return " that has unsaved edits" if size_of(path) else ""
    except OSError:
        return ""


def _recovered(files: DeckFiles, lines: Sequence[Any]) -> Iterator[UndoStep]:
    """Yield what is not saved of the lines of a journal."""
    if not lines:
        return
    if not all(isinstance(line, dict) for line in lines):
        raise ValueError("not the lines of a journal")
    now, noted = _header(_on_disk(files)), lines[0]
    unsaved = [_first_unsaved(index, noted, now, lines) for index in range(len(files.sources))]
    first = [item for item in unsaved if item is not None]
    if noted["version"] != VERSION or len(noted["files"]) != len(unsaved) or len(first) != len(unsaved):
        raise _StaleError(_CHANGED)
    yield from _steps(files, lines, first)


def _first_unsaved(file: int, noted: Any, now: Any, lines: Sequence[Any]) -> int | None:
    """Return the line from which the changes of a file are not on the disk yet; None if that is not known.

    What is on the disk is what the session began with, or what a save wrote in which it was killed.
    """
    path, digest = now["files"][file]
    if noted["files"][file] == [path, digest]:
        return 1
    saves = (number for number, line in enumerate(lines) if [file, digest] in line.get("saving", ()))
    return max(saves, default=None) if noted["files"][file][0] == path else None


def _steps(files: DeckFiles, lines: Sequence[Any], first: Sequence[int]) -> Iterator[UndoStep]:
    """Yield the steps without the changes that their files hold already."""
    for number, data in enumerate(lines):
        changes = []
        for entry in data.get("changes", ()):
            if number >= first[entry[0]]:
                change = _change(files, entry)
                files = files.apply(change)
                changes.append(change)
        if changes:
            yield UndoStep(str(data["label"]), tuple(changes))


def _change(files: DeckFiles, entry: list[Any]) -> Change:
    source, first, count, start, end, text, sizes = entry
    removed = files.sources[source].document.pieces[first : first + count]
    after = TextEdit(start, end, text).apply("".join(removed))
    if len(removed) != count or sum(sizes) != len(after):
        raise ValueError("not a change of this deck")
    offsets = [0, *accumulate(sizes)]
    return Change(source, Splice(first, removed, tuple(after[start:end] for start, end in pairwise(offsets))))
