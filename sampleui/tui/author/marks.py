"""What is marked on an author screen, to be acted on together: samples, or turns and fields of one sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sampleui.deck.history import UndoStep
from sampleui.formats.data import DataPath
from sampleui.tui.author.filtering import SampleFilter
from sampleui.tui.widgets.virtual_list import Marked

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen


class Marks:
    """The marks of an author screen. They are places (indexes, paths): edits that move things move them too."""

    def __init__(self, screen: AuthorScreen, narrowing: SampleFilter) -> None:
        self._screen = screen
        self._filter = narrowing
        self._samples: Marked[int] = Marked()
        self._turns: Marked[DataPath] = Marked()
        self._of = 0

    @property
    def samples(self) -> frozenset[int]:
        """The indexes of marked samples."""
        return self._samples.places

    @property
    def turns(self) -> frozenset[DataPath]:
        """The paths of marked turns and fields of the current sample."""
        return self._turns.places

    @property
    def in_list(self) -> bool:
        """Whether the pane with the focus is the list of samples."""
        return self._screen.scope == "samples"

    @property
    def any_here(self) -> bool:
        """Whether something is marked in the pane with the focus."""
        return bool(self.chosen_samples(or_current=False) if self.in_list else self.turns)

    def chosen_samples(self, *, or_current: bool = True) -> list[int]:
        """Return the marked samples that are shown, in order; if there are none the current one."""
        shown = self._filter.shown
        marked = sorted(index for index in self.samples if index in shown)
        here = [self._screen.index] if or_current and self._screen.sample is not None else []
        return marked or [index for index in here if index >= 0]

    def chosen_turns(self) -> list[DataPath]:
        """Return what is marked in the sample, in the order shown, without what is inside another of them.

        Where nothing is marked, that is the turn or field with the cursor.
        """
        conversation = self._screen.conversation
        item = conversation.current
        marked = [item.path for item in conversation.items if item.path in self.turns]
        outer = [path for path in marked if not any(path[:depth] in self.turns for depth in range(1, len(path)))]
        return outer or ([item.path] if item is not None and item.path else [])

    def toggle(self) -> None:
        """Mark what the cursor is on, or remove its mark, and go on to the next one."""
        marked, row, rows = self._here
        self._keep(marked.toggled(row, rows))
        self._screen.pane.step(1)

    def extend(self) -> None:
        """Mark all from the one that was marked last to the one with the cursor."""
        marked, row, rows = self._here
        self._keep(marked.extended(row, rows))

    def toggle_all(self) -> None:
        """Mark all samples that are shown, or all turns or fields beside the cursor; if all are marked, none."""
        marked, row, rows = self._here
        here = {*rows} if self.in_list else {path for path in rows if path[:-1] == rows[row][:-1]}
        self._keep(marked.all_toggled(here))

    def clear(self) -> None:
        """Take all marks away in the pane with the focus."""
        self._keep(self._here[0]._replace(places=frozenset()))

    def follow_sample(self, index: int) -> None:
        """Drop the marks of turns if another sample is shown: they belong to one sample."""
        if index != self._of:
            self._of = index
            self._turns = Marked()

    def place_turns(self, turns: Iterable[DataPath] = ()) -> None:
        """Take the places that the marked turns have after an edit of the sample."""
        self._turns = self._turns._replace(places=frozenset(turns))

    def place_samples(self, samples: Iterable[int] = ()) -> None:
        """Take the places that the marked samples have after an edit of the deck."""
        self._samples, self._turns = Marked(frozenset(samples)), Marked()

    def follow_step(self, step: UndoStep) -> None:
        """Follow a step back or forth: what stood at a mark may be elsewhere."""
        whole = all(len(change.splice.removed) == len(change.splice.added) == 1 for change in step.changes)
        self.place_samples(self.samples if whole else ())

    @property
    def _here(self) -> tuple[Marked[Any], int, list[Any]]:
        """The marks of the pane with the focus, the row of its cursor, and what can be marked there, by rows."""
        if self.in_list:
            samples = [index for index in self._filter.shown if index >= 0]
            return self._samples, min(self._screen.samples.cursor, len(samples) - 1), samples
        paths = [item.path for item in self._screen.conversation.items if item.path]
        here = self._screen.here.path
        return self._turns, paths.index(here) if here in paths else 0, paths

    def _keep(self, marked: Marked[Any]) -> None:
        if self.in_list:
            self._samples = marked
            self._screen.show_samples()
        else:
            self._turns = marked
            self._screen.show_flags()
        self._screen.show_keys()
