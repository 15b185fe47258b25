"""What is marked on an author screen, to be acted on together: samples, or turns and fields of one sample."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sampleui.deck.history import Step
from sampleui.formats.data import DataPath
from sampleui.tui.author.filtering import Narrowing

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen


class Marks:
    """The marks of an author screen. They are places, so they go where something else may be at theirs.

    Attributes:
        samples: the indexes of marked samples.
        turns: the paths of marked turns and fields of the current sample.
    """

    def __init__(self, screen: AuthorScreen, narrowing: Narrowing) -> None:
        self._screen = screen
        self._narrowing = narrowing
        self.samples: frozenset[int] = frozenset()
        self.turns: frozenset[DataPath] = frozenset()
        self._last: dict[bool, int] = {}
        self._of = 0

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
        shown = self._narrowing.shown
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
        row, rows = self._rows()
        self._set(self._marked_here ^ {rows[row]})
        self._last[self.in_list] = row
        self._screen.pane.step(1)

    def extend(self) -> None:
        """Mark all from the one that was marked last to the one with the cursor."""
        row, rows = self._rows()
        last = min(self._last.get(self.in_list, row), len(rows) - 1)
        self._set(self._marked_here | {*rows[min(last, row) : max(last, row) + 1]})
        self._last[self.in_list] = row

    def toggle_all(self) -> None:
        """Mark all samples that are shown, or all turns or fields beside the cursor; if all are marked, none."""
        row, rows = self._rows()
        every = {item for item in rows if _around(item) == _around(rows[row])}
        self._set(self._marked_here - every if every <= self._marked_here else self._marked_here | every)

    def clear(self) -> None:
        """Take all marks away in the pane with the focus."""
        self._set(frozenset())

    def went(self, index: int) -> None:
        """Take note of which sample is shown: marks of turns are those of one sample."""
        if index != self._of:
            self._of, self.turns = index, frozenset()
            self._last.pop(False, None)

    def moved(self, turns: Iterable[DataPath] = ()) -> None:
        """Take the places that the marked turns have after an edit of the sample."""
        self.turns = frozenset(turns)

    def rearranged(self, samples: Iterable[int] = ()) -> None:
        """Take the places that the marked samples have after an edit of the deck."""
        self.samples, self.turns = frozenset(samples), frozenset()
        self._last.clear()

    def turned(self, step: Step) -> None:
        """Follow a step back or forth: what stood at a mark may be elsewhere."""
        whole = all(len(change.splice.removed) == len(change.splice.added) == 1 for change in step.changes)
        self.rearranged(self.samples if whole else ())

    @property
    def _marked_here(self) -> frozenset[int | DataPath]:
        return frozenset(self.samples if self.in_list else self.turns)

    def _rows(self) -> tuple[int, list[int | DataPath]]:
        """Return the row of the cursor and what all rows stand for that can be marked."""
        screen = self._screen
        if self.in_list:
            found: list[int | DataPath] = [index for index in self._narrowing.shown if index >= 0]
            return min(screen.samples.cursor, len(found) - 1), found
        rows: list[int | DataPath] = [item.path for item in screen.conversation.items if item.path]
        return rows.index(screen.here.path), rows

    def _set(self, marked: frozenset[int | DataPath]) -> None:
        if self.in_list:
            self.samples = frozenset(item for item in marked if isinstance(item, int))
            self._screen.show_samples()
        else:
            self.turns = frozenset(item for item in marked if not isinstance(item, int))
            self._screen.show_flags()
        self._screen.show_keys()


def _around(place: int | DataPath) -> DataPath:
    """Return the list or table that a turn or field stands in; samples are in one list."""
    return () if isinstance(place, int) else place[:-1]
