"""Crash recovery: the steps of a session that are not saved yet, kept beside the user's other state.

A journal is a file of JSON lines: first the files it is about, with the hashes of what was on disk, then one line
a step. It is of use only while the disk still holds those bytes. Lines are handed to the system at once and not
synced: they outlive the process and not a power cut. The session that writes a journal holds a lock on it, so a
second one neither offers those steps nor writes over them. Nothing here fails a session: a journal that cannot be
written or read is given up with a note.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, TextIO

from sampleui.deck.history import Step
from sampleui.deck.model import Change, DeckFiles, Source
from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.document import Splice
from sampleui.text.edit import TextEdit

_VERSION = 1


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
        failure: why it was given up, in words for the user; None while it is kept.
    """

    def __init__(self, files: DeckFiles) -> None:
        self.failure: str | None = None
        self._deck = files.path
        self._header = _header(files)
        self._file: TextIO | None = None

    @cached_property
    def path(self) -> Path:
        """Where it is kept; asked only when there is something to keep."""
        return journal_path(self._deck)

    def record(self, step: Step) -> None:
        """Write down a step that was made. Undoing is a step too: its inverse."""
        if self.failure is not None:
            return
        try:
            if self._file is None:
                self._file = self._opened()
                self._file.write(json.dumps(self._header) + "\n")
            self._file.write(json.dumps(_step_data(step)) + "\n")
            self._file.flush()
        except OSError as error:
            self.failure = f"unsaved edits are not kept for recovery: {error.strerror or error}"

    def restart(self, files: DeckFiles) -> None:
        """Begin anew after a save: what was written down is on disk now."""
        self.discard()
        self._header = _header(files)

    def discard(self) -> None:
        """Remove what this session wrote, after a save or a clean end."""
        if self._file is None:
            return
        forget(self.path)
        with contextlib.suppress(OSError):
            self._file.close()
        self._file = None

    def _opened(self) -> TextIO:
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = self.path.open("a", encoding="utf-8", newline="\n")
        if not _locked(file):
            file.close()
            raise BlockingIOError("another session of this deck is open")
        file.truncate(0)
        return file


def recoverable(files: DeckFiles) -> Recovery:
    """Return the unsaved steps that an earlier session left for a deck, if the disk holds what they are about.

    Whoever makes them records them in the new session's journal; `forget` drops them.
    """
    path = journal_path(files.path)
    try:
        with path.open("r+", encoding="utf-8", newline="\n") as file:
            if not _locked(file):
                return Recovery(note="this deck is open in another session that has unsaved edits")
            lines = file.read().split("\n")
        if json.loads(lines[0]) != _header(files):
            return Recovery(note="an earlier session left unsaved edits of this deck, which has changed since")
        return Recovery(tuple(_steps(files, lines[1:])))
    except FileNotFoundError:
        return Recovery()
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError, FormatError):
        return Recovery(note=f"the unsaved edits of an earlier session cannot be read: {path}")


def forget(path: Path) -> None:
    """Remove a journal, if it is there."""
    with contextlib.suppress(OSError):
        path.unlink()


def journal_path(deck: Path) -> Path:
    """Return where the journal of a deck is kept: named after the deck and the hash of where it really lies."""
    from platformdirs import user_state_path

    where = hashlib.sha256(os.fsencode(deck.resolve())).hexdigest()[:16]
    return user_state_path("sampleui") / "journal" / f"{deck.stem[:40]}-{where}.jsonl"


def _locked(file: TextIO) -> bool:
    """Take the lock of a journal until the file is closed; tell whether it was free."""
    try:
        import fcntl
    except ImportError:  # Windows, where two sessions of one deck are told apart by the stale check alone
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


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


def _steps(files: DeckFiles, lines: list[str]) -> Iterator[Step]:
    # Text after the last line feed is a line that the session did not live to finish.
    for line in lines[:-1]:
        data = json.loads(line)
        changes = []
        for entry in data["changes"]:
            change = _change(files, entry)
            files = files.apply(change)
            changes.append(change)
        yield Step(str(data["label"]), tuple(changes))


def _change(files: DeckFiles, entry: list[Any]) -> Change:
    source, at, count, start, end, text, sizes = entry
    removed = files.sources[source].document.pieces[at : at + count]
    after = TextEdit(start, end, text).apply("".join(removed))
    if len(removed) != count or sum(sizes) != len(after):
        raise ValueError("not a change of this deck")
    offsets = [0, *accumulate(sizes)]
    return Change(source, Splice(at, removed, tuple(after[one:other] for one, other in pairwise(offsets))))
