"""The one undo history of a deck, without limit."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sampleui.deck.model import Change, DeckFiles
from sampleui.formats.data import DataPath
from sampleui.formats.document import Splice


class Focus(NamedTuple):
    """Where the author was: a sample of the deck and the value in it, such as `("messages", 2)`."""

    sample: int
    path: DataPath = ()


class UndoStep(NamedTuple):
    """One step of undo: changes made in order, and where the author was before and after them."""

    label: str
    changes: tuple[Change, ...]
    before: Focus | None = None
    after: Focus | None = None

    def inverse(self) -> UndoStep:
        """Return the step that undoes this one. Its `after` is where undoing leads back to."""
        changes = tuple(change.inverse() for change in reversed(self.changes))
        return UndoStep(self.label, changes, self.after, self.before)

    def apply(self, files: DeckFiles) -> DeckFiles:
        """Return the files with all changes made."""
        for change in self.changes:
            files = files.apply(change)
        return files


class History:
    """The steps that were made and those that were undone.

    Steps hold the pieces of text they took out and put in, which they share with the documents they came from, so
    a long history costs about as much as the text that was typed.

    Attributes:
        done: the steps that can be taken back, the latest last.
    """

    def __init__(self) -> None:
        self.done: list[UndoStep] = []
        self._undone: list[UndoStep] = []

    @property
    def last(self) -> UndoStep | None:
        """The step that would be taken back next; None if there is none."""
        return self.done[-1] if self.done else None

    @property
    def undone_last(self) -> UndoStep | None:
        """The step that would be made again next; None if there is none."""
        return self._undone[-1] if self._undone else None

    def push(self, step: UndoStep) -> None:
        """Add a step that was made. What was undone before can no longer be redone."""
        changes = folded(step.changes)
        if not changes:
            return
        self._undone.clear()
        self.done.append(UndoStep(step.label, changes, step.before, step.after))

    def undo(self, files: DeckFiles) -> tuple[DeckFiles, UndoStep] | None:
        """Take the last step back: the files without it and the step that took it back; None at the beginning."""
        if not self.done:
            return None
        step = self.done.pop()
        self._undone.append(step)
        back = step.inverse()
        return back.apply(files), back

    def redo(self, files: DeckFiles) -> tuple[DeckFiles, UndoStep] | None:
        """Make the step again that was undone last: the files with it and the step; None if there is none."""
        if not self._undone:
            return None
        step = self._undone.pop()
        self.done.append(step)
        return step.apply(files), step


def folded(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Return the changes with each run to the same pieces joined into one, without those that change nothing.

    Typing makes a change a key, each on top of the one before; a step keeps its first and last text alone.
    """
    kept: list[Change] = []
    for change in changes:
        if kept and _continues(kept[-1], change):
            last = kept.pop()
            change = Change(last.source, Splice(last.splice.start, last.splice.removed, change.splice.added))
        if change.splice.removed != change.splice.added:
            kept.append(change)
    return tuple(kept)


def joined(steps: Iterable[UndoStep]) -> tuple[UndoStep, ...]:
    """Return the steps with each run that has one label and changes the same pieces joined into one.

    A journal holds what was typed bit by bit; whoever restores it takes it back at once.
    """
    kept: list[UndoStep] = []
    for step in steps:
        if kept and kept[-1].label == step.label and _continues(kept[-1].changes[-1], step.changes[0]):
            last = kept.pop()
            step = UndoStep(step.label, folded((*last.changes, *step.changes)), last.before, step.after)
        if step.changes:
            kept.append(step)
    return tuple(kept)


def _continues(last: Change, change: Change) -> bool:
    return (
        last.source == change.source
        and last.splice.start == change.splice.start
        and last.splice.added == change.splice.removed
    )
