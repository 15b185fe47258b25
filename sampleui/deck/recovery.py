"""The steps that sessions cut off left in their journals, read back and offered again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from sampleui.deck.history import Step, joined
from sampleui.deck.journal import VERSION, forget, header, journals
from sampleui.deck.model import Change, DeckFiles
from sampleui.errors import FormatError
from sampleui.formats.document import Splice
from sampleui.text.confined import opened
from sampleui.text.limits import MAX_JOURNAL_BYTES
from sampleui.text.locks import take_lock
from sampleui.text.position import TextEdit

OPEN_ELSEWHERE = "this deck is open in another session"
_CHANGED = "an earlier session left unsaved edits of this deck, which has changed since"


@dataclass(frozen=True, slots=True)
class Left:
    """What one session left unsaved.

    Attributes:
        path: its journal; `forget` drops it.
        steps: the unsaved steps in order, at least one; making them brings the deck to where it was.
    """

    path: Path
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Stale:
    """What one session left unsaved that cannot be made again.

    Attributes:
        path: its journal; `forget` drops it.
        why: why not, in words.
    """

    path: Path
    why: str


@dataclass(frozen=True, slots=True)
class Recovery:
    """What the journals of a deck say.

    Attributes:
        left: what dead sessions left that can be made again, the last one first. Each is on its own: all of them
            began with what is on the disk.
        stale: what dead sessions left that cannot.
        notes: anything else to report, such as another session that is open.
    """

    left: tuple[Left, ...] = ()
    stale: tuple[Stale, ...] = ()
    notes: tuple[str, ...] = ()


class _OpenError(Exception):
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
    left: list[Left] = []
    stale: list[Stale] = []
    notes: dict[str, None] = {}
    for path in journals(files.path):
        if path == own:
            continue
        try:
            steps = _read(files, path)
        except _OpenError as note:
            notes[str(note)] = None
        except _StaleError as why:
            stale.append(Stale(path, str(why)))
        else:
            left += [Left(path, steps)] if steps else []
    return Recovery(tuple(left), tuple(stale), tuple(notes))


def _read(files: DeckFiles, path: Path) -> tuple[Step, ...]:
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
        raise _OpenError(OPEN_ELSEWHERE + _unsaved(path)) from None
    except (OSError, ValueError, KeyError, TypeError, IndexError, RecursionError, FormatError):
        raise _StaleError(f"the unsaved edits of an earlier session cannot be read: {path}") from None
    return steps


def _unsaved(path: Path) -> str:
    try:
        return " that has unsaved edits" if path.stat().st_size else ""
    except OSError:
        return ""


def _recovered(files: DeckFiles, lines: Sequence[Any]) -> Iterator[Step]:
    """Yield what is not saved of the lines of a journal."""
    if not lines:
        return
    if not all(isinstance(line, dict) for line in lines):
        raise ValueError("not the lines of a journal")
    now, noted = header(files), lines[0]
    unsaved = [_first_unsaved(index, noted, now, lines) for index in range(len(files.sources))]
    first = [item for item in unsaved if item is not None]
    if noted["version"] != VERSION or len(noted["files"]) != len(unsaved) or len(first) != len(unsaved):
        raise _StaleError(_CHANGED)
    yield from _steps(files, lines, first)


def _first_unsaved(file: int, noted: Any, now: Any, lines: Sequence[Any]) -> int | None:
    """Return the line from which on the changes of a file are not on the disk; None if that is not known.

    What is on the disk is what the session began with, or what a save wrote in which it was killed.
    """
    path, digest = now["files"][file]
    if noted["files"][file] == [path, digest]:
        return 1
    saves = (number for number, line in enumerate(lines) if [file, digest] in line.get("saving", ()))
    return max(saves, default=None) if noted["files"][file][0] == path else None


def _steps(files: DeckFiles, lines: Sequence[Any], first: Sequence[int]) -> Iterator[Step]:
    """Yield the steps, without the changes of each file that are before its first line that is not saved."""
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
    source, first, count, start, end, text, sizes = entry
    removed = files.sources[source].document.pieces[first : first + count]
    after = TextEdit(start, end, text).apply("".join(removed))
    if len(removed) != count or sum(sizes) != len(after):
        raise ValueError("not a change of this deck")
    offsets = [0, *accumulate(sizes)]
    return Change(source, Splice(first, removed, tuple(after[start:end] for start, end in pairwise(offsets))))
