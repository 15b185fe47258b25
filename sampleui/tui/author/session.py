"""An open deck as it is being edited: the deck, its one history, its open edit, and what the rules say about it."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sampleui.deck import edit
from sampleui.deck.history import Focus, History, UndoStep, folded
from sampleui.deck.model import Change, DeckFile, DeckFiles, Disk, Stamp
from sampleui.formats.data import DataPath, Plain
from sampleui.formats.document import Document, Splice
from sampleui.formats.operations import Operation, Set
from sampleui.sample.parse import value_at
from sampleui.workspace.deck import Deck
from sampleui.workspace.reading import PromptOptions

if TYPE_CHECKING:
    from sampleui.deck.journal import Journal
    from sampleui.deck.merging import DiskChanges
    from sampleui.tui.author.problems import Problems

Edit = Callable[[DeckFiles], Change]
"""An edit to make of the files as they are then."""


class OpenEdit(NamedTuple):
    """A value being edited. One step of undo, however much is typed.

    Attributes:
        label: what the step is called.
        focus: the value.
        before: the deck before the step.
        prior: changes the step began with, such as the insertion of the turn being written.
        change: what was typed so far.
        back: where the author was before it, None for the value itself.
        of_all: whether a value that samples share changes for all of them.
    """

    label: str
    focus: Focus
    before: Deck
    prior: tuple[Change, ...] = ()
    change: Change | None = None
    back: Focus | None = None
    of_all: bool = False

    @property
    def changes(self) -> tuple[Change, ...]:
        """All that the step changes so far."""
        return self.prior if self.change is None else (*self.prior, self.change)

    @property
    def base(self) -> Deck:
        """The deck that what is typed is put into."""
        deck = self.before
        for change in self.prior:
            deck = deck.apply(change)
        return deck


class Session:
    """The state of the author screen that is not about looks. `deck` is always what is shown, typing included.

    Attributes:
        took_outside: whether what others changed on disk was taken in; whoever asks sets it back.
        left_at: where its screen was when it was left last; None before.
    """

    def __init__(self, deck: Deck, readonly: str = "") -> None:
        self.deck = self._told = deck
        self.readonly = readonly
        self.history = History()
        self.open_edit: OpenEdit | None = None
        self.took_outside = False
        self.left_at: Focus | None = None

    @cached_property
    def journal(self) -> Journal:
        """What is kept of its edits until they are saved."""
        from sampleui.deck.journal import Journal

        return Journal(self.deck.files)

    @cached_property
    def problems(self) -> Problems:
        """What the rules say about the deck."""
        from sampleui.tui.author.problems import Problems

        return Problems(self.deck)

    @property
    def has_dates(self) -> bool:
        """Whether the format of all files with samples has dates."""
        return all(document.has_dates for document in self._with_samples)

    @property
    def has_null(self) -> bool:
        """Whether the format of all files with samples has null."""
        return all(document.has_null for document in self._with_samples)

    @property
    def _with_samples(self) -> list[Document]:
        documents = [source.document for source in self.deck.files.sources]
        return [document for document in documents if len(document) or len(documents) == 1]

    def perform(self, label: str, *edits: Edit, before: Focus | None = None, after: Focus | None = None) -> None:
        """Make some edits as one step of undo.

        Raises:
            EditError: when one of them cannot be made; none is made then.
        """
        self._push(UndoStep(label, changes_of(self.deck.files, edits), before, after))

    def begin(
        self, label: str, focus: Focus, *edits: Edit, back: Focus | None = None, of_all: bool = False
    ) -> None:
        """Open a value for editing, after some edits that belong to the same step; `back` is the place before.

        With `of_all` a value that samples share changes for all of them.

        Raises:
            EditError: when one of the edits cannot be made; nothing is opened then.
        """
        open_edit = OpenEdit(label, focus, self.deck, changes_of(self.deck.files, edits), back=back, of_all=of_all)
        if open_edit.prior:
            self.journal.record(UndoStep(label, open_edit.prior))
        self.open_edit = open_edit
        self._show(open_edit.base)

    def widen(self, path: DataPath) -> None:
        """Let the open value be the one at a path around it, as which it is edited: a tool call is one value."""
        open_edit = self.open_edit
        if open_edit is not None:
            self.open_edit = open_edit._replace(focus=Focus(open_edit.focus.sample, path))

    def draft(self, value: Plain) -> None:
        """Show the deck with another text in the open value.

        Raises:
            EditError: when the value cannot be written; the deck keeps the last one that could.
        """
        open_edit = self.open_edit
        assert open_edit is not None
        base = open_edit.base
        make = edit.apply_to_all if open_edit.of_all else edit.apply
        change = make(base.files, open_edit.focus.sample, Set(open_edit.focus.path, value))
        before = open_edit.change.splice.added if open_edit.change is not None else change.splice.removed
        if before != change.splice.added:  # written down at once: a session that dies in a text loses no more
            typed = Change(change.source, Splice(change.splice.start, before, change.splice.added))
            self.journal.record(UndoStep(open_edit.label, (typed,)))
        self.open_edit = open_edit._replace(change=change)
        self._show(base.apply(change))

    def finish(self) -> bool:
        """Close the open value. What was drafted becomes one step of undo; tell whether there is one."""
        open_edit, self.open_edit = self.open_edit, None
        if open_edit is None:
            return False
        changes = folded(open_edit.changes)
        deck = open_edit.before
        if changes:
            step = UndoStep(open_edit.label, changes, open_edit.back or open_edit.focus, open_edit.focus)
            self.history.push(step)
            deck = dataclasses.replace(deck, files=step.apply(deck.files))
        self._show(deck)
        return bool(changes)

    def extend(self, label: str, focus: Focus, *edits: Edit) -> None:
        """Make edits that belong to the step of the open value, after what was typed.

        Raises:
            EditError: when one of them cannot be made; none is made then.
        """
        open_edit = self.open_edit
        assert open_edit is not None
        files = open_edit.base.files if open_edit.change is None else open_edit.base.files.apply(open_edit.change)
        added = changes_of(files, edits)
        self.journal.record(UndoStep(label, added))
        self.open_edit = open_edit._replace(
            label=label, focus=focus, prior=(*open_edit.changes, *added), change=None
        )

    def take_back(self) -> Focus:
        """Close the open value as if it had never been opened, and return where the author was before."""
        open_edit, self.open_edit = self.open_edit, None
        assert open_edit is not None
        if open_edit.changes:
            self.journal.record(UndoStep(open_edit.label, open_edit.changes).inverse())
        self._show(open_edit.before)
        return open_edit.back or open_edit.focus

    def discard(self) -> UndoStep | None:
        """Close the open value and take back what was typed; redo brings it back. None when that is nothing."""
        return self.undo() if self.finish() else None

    def undo(self) -> UndoStep | None:
        """Take the last step back and return it; None if there is none."""
        return self._turn(self.history.undo(self.deck.files))

    def redo(self) -> UndoStep | None:
        """Make the step again that was undone last and return it; None if there is none."""
        return self._turn(self.history.redo(self.deck.files))

    def repeat(self, steps: Iterable[UndoStep]) -> None:
        """Make the steps of an earlier session again."""
        for step in steps:
            self._push(step)

    def take_outside(self, outside: DiskChanges) -> UndoStep:
        """Take what the disk alone has changed, as one step of undo; edits are on top of the disk from then on."""
        from sampleui.deck.merging import edits_of, rebase  # not before others have changed the file

        self.took_outside = True
        step = UndoStep("what changed on disk", outside.changes)
        self.history.push(step)
        self._show_files(step.apply(self.deck.files))
        rebase(self.deck.files, outside.disk)
        self.journal.restart(self.deck.files)
        edits = edits_of(self.deck.files)
        if edits:
            self.journal.record(UndoStep("edits before the file changed", edits))
        return step

    def save(self) -> tuple[str, ...]:
        """Write the deck and return what could not be kept of the files replaced, in words.

        Raises:
            SaveError: when it was not written.
        """
        self.journal.saving(self.deck.files)
        lost = self.deck.save(whole=False)
        self.saved()
        return lost

    def move_to(self, path: Path, stamp: Stamp) -> None:
        """Switch to another file that holds the deck as it is; its history stays."""
        files = self.deck.files
        document = files.sources[0].document
        source = DeckFile(path, document, Disk(document, stamp))
        self._show_files(DeckFiles(path, (source,), files.notes))
        self.journal.discard()
        del self.journal  # the file that the deck is now has another
        self.journal.hold()

    def saved(self) -> None:
        """Note that the disk holds the deck as it is."""
        self.journal.restart(self.deck.files)

    @property
    def unsaved(self) -> bool:
        """Whether leaving now would lose something."""
        return self.deck.changed

    @property
    def unfinished(self) -> DataPath:
        """Where a value stands that was just put in, while it is empty: what is about it waits until it is left.

        One that was there before and is emptied is a problem at once.
        """
        if self.open_edit is None or not self.open_edit.prior:
            return ()
        focus = self.open_edit.focus
        value = value_at(self.deck.sample_at(focus.sample).data, focus.path)
        return focus.path if value is None or (isinstance(value, str) and not value.strip()) else ()

    def use(self, prompts: PromptOptions) -> None:
        """Render the samples with other settings."""
        self._show(dataclasses.replace(self.deck, prompts=prompts))

    def _show_files(self, files: DeckFiles) -> None:
        self._show(dataclasses.replace(self.deck, files=files))

    def _show(self, deck: Deck) -> None:
        """Switch to another state of the deck, in the dialect that it then is in; no text stays open, or it waits.

        What is about an empty text that is open waits until that is left, as does the dialect that a text shows.
        """
        if self.open_edit is None:
            deck = self._told = deck.redetected(self._told)
        self.deck = deck
        edited = self.open_edit.focus.sample if self.open_edit is not None else -1
        self.problems.follow(self.deck, Focus(edited, self.unfinished))

    def _turn(self, turned: tuple[DeckFiles, UndoStep] | None) -> UndoStep | None:
        if turned is None:
            return None
        files, step = turned
        self.journal.record(step)
        self._show_files(files)
        return step

    def _push(self, step: UndoStep) -> None:
        before = self.deck.files
        self.history.push(step)
        self.journal.record(step)
        self._show_files(step.apply(before))


def as_edit(change: Change) -> Edit:
    """Return the edit that makes a change which is known already."""
    return lambda _: change


def edits_of(index: int, changes: Iterable[Edit | Operation]) -> list[Edit]:
    """Return edits as they are, and operations as the edits that make them in one sample."""
    return [
        change if callable(change) else partial(edit.apply, index=index, operation=change) for change in changes
    ]


def edits_in(changes: Mapping[int, Operation]) -> list[Edit]:
    """Return operations in samples, by the index of each, as edits."""
    return [partial(edit.apply, index=index, operation=operation) for index, operation in changes.items()]


def changes_of(files: DeckFiles, edits: Iterable[Edit]) -> tuple[Change, ...]:
    """Return edits, made one after another, as changes of files."""
    changes = []
    for make_change in edits:
        change = make_change(files)
        files = files.apply(change)
        changes.append(change)
    return tuple(changes)
