"""What a recorded case of this room is: the files of a deck, their edits, and what others write to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from sampleui.deck import edit
from sampleui.deck.diff import changed_samples, diff
from sampleui.deck.history import History, Step, joined
from sampleui.deck.hunks import Hunk, hunks, taken_back
from sampleui.deck.load import load
from sampleui.deck.merging import edits_of, outside, rebase
from sampleui.deck.model import Change, DeckFiles
from sampleui.deck.save import save
from sampleui.errors import SampleUIError
from sampleui.formats.data import Plain, Table
from tests.recorded import as_json, folder_of_a_case, write


def play(given: dict[str, Any]) -> Plain:
    """Open a deck, edit it, take in what others wrote to its files, undo all, and save.

    Args:
        given: `files`, their texts by name, the deck first; `edits`, each a function of `deck.edit` and its
            arguments; and `others`, texts that are written to files of the deck before it is saved.

    Returns:
        What the deck was read as; what came of each edit; the diff, its hunks, and what each leaves when it is
        taken back; what others changed and what comes of it; and what the save wrote.
    """
    with folder_of_a_case() as home:
        folder = home / "project" / "decks"
        (folder.parent / ".git").mkdir(parents=True)
        write(folder, given["files"])
        try:
            found = _played(folder, load(folder / next(iter(given["files"]))), given)
        except SampleUIError as error:
            found = {"error": str(error)}
        return as_json(found, home)


def _played(folder: Path, files: DeckFiles, given: dict[str, Any]) -> Table:
    told: Table = {
        "files": [[str(one.path), len(one.document), one.suite] for one in files.sources],
        "notes": [str(one) for one in files.notes],
    }
    history = History()
    done: list[Plain] = []
    for name, *more in given["edits"]:
        try:
            change = _change(files, name, more)
        except (SampleUIError, IndexError) as error:
            done.append(str(error))
            continue
        files, step = files.apply(change), Step(name, (change,))
        history.push(step)
        done.append(files.sources[change.source].document.text)
    told["edits"], told["changed"] = done, [files.changed, *sorted(changed_samples(files))]
    told["diff"], told["hunks"] = diff(files), [_hunk(files, one) for one in hunks(files)]
    if given.get("others"):
        write(folder, given["others"])
        files, told["others"] = _taken_in(files)
    told["saved"] = _saved(files)
    told["undone"] = [*_undone(files, history)]
    return told


def _change(files: DeckFiles, name: str, given: list[Any]) -> Change:
    index, *more = given
    if more and isinstance(more[0], list):
        more[0] = tuple(more[0])
    make: Callable[..., Change] = getattr(edit, name)
    return make(files, index, *more)


def _hunk(files: DeckFiles, hunk: Hunk) -> Plain:
    try:
        change = taken_back(files, hunk)
        left: Plain = files.apply(change).sources[change.source].document.text
    except SampleUIError as error:
        left = {"refused": str(error)}
    return [hunk.back.source, hunk.line, hunk.old, hunk.new, [*hunk.samples], left]


def _taken_in(files: DeckFiles) -> tuple[DeckFiles, Plain]:
    disk = load(files.path)
    theirs = outside(files, disk)
    if theirs is None:
        return files, None
    mine = len(edits_of(files))
    for change in theirs.changes:
        files = files.apply(change)
    rebase(files, disk)
    return files, [theirs.both, mine, [source.document.text for source in files.sources]]


def _saved(files: DeckFiles) -> Plain:
    try:
        saved = save(files)
    except SampleUIError as error:
        return str(error)
    return [[path.name, path.read_bytes().decode()] for path in saved.paths] + [[*saved.lost]]


def _undone(files: DeckFiles, history: History) -> Iterator[Plain]:
    steps: list[Step] = []
    with suppress(IndexError):
        while (undone := history.undo(files)) is not None:
            files, step = undone
            steps.append(step)
            yield [source.document.text for source in files.sources]
    yield [[step.label, len(step.changes)] for step in joined(steps)]
    yield [history.undoable, history.redoable, files.changed]
