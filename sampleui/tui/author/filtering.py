"""Which samples of a deck the author screen shows, all or those that match its filter, and what is marked.

Marked things are acted on together: samples, or turns and fields of one sample.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sampleui.deck.history import Focus, UndoStep
from sampleui.formats.data import DataPath
from sampleui.tui.widgets.virtual_list import Marked, MarkStep

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.workspace.filtering import Filtering


class SampleFilter:
    """The samples that an author screen shows.

    Attributes:
        shown: their indexes, in order.
    """

    def __init__(self, screen: AuthorScreen) -> None:
        self._screen = screen
        self.shown: range | list[int] = range(0)
        self._counted = 0
        self._found_in: tuple[object, ...] = ()
        self._also: int | None = None
        self._filtering: Filtering | None = None
        self._began: Focus | None = None

    @property
    def words(self) -> str:
        """The words of the filter; empty for none."""
        return self._screen.filter.words if self._screen.is_drawn else ""

    @property
    def count_words(self) -> str:
        """How many samples are shown."""
        total = len(self._screen.session.deck.samples)
        return f"{self._screen.samples.samples} of {total}" if self.words else str(total)

    def find(self, also: int | None = None) -> None:
        """Find the samples that hold the words of the filter, and one more that is being worked on."""
        deck, words = self._screen.session.deck, self.words
        self._counted, self._also = len(deck.samples), also
        beside = deck.beside
        beside += [also] if also is not None and also < 0 and also not in beside else []
        if not words:
            self.shown = [*range(self._counted), *beside] if beside else range(self._counted)
            return
        from sampleui.workspace.filtering import Filtering

        self._found_in = self._state
        problems, comparing = self._screen.session.problems, self._screen.comparing
        self._filtering = Filtering(deck, words, problems.found_in, lambda: comparing.changed)
        passing = set(self._filtering.passing())
        passing |= set() if also is None or also < 0 else {also}
        self.shown = [*sorted(passing), *([also] if also in beside else [])]

    def reveal(self, index: int) -> None:
        """Make sure that a sample is shown; the deck may have more samples than before."""
        if index not in self.shown or len(self._screen.session.deck.samples) != self._counted:
            self.find(also=index)

    def renew(self) -> None:
        """Apply the filter again if the deck, or what it is compared with, has changed."""
        if self.words and self._found_in != self._state:
            self.find(also=self._screen.index)

    @property
    def _state(self) -> tuple[object, ...]:
        return (self._screen.session.deck.files, *self._screen.comparing.files)

    def near(self, by: int) -> int | None:
        """Return the sample that is shown some rows from the current one; None beyond the ends."""
        row = self._screen.samples.cursor + by
        sample = self.shown[row] if 0 <= row < len(self.shown) else -1
        return sample if sample >= 0 else None

    def open(self) -> None:
        """Open the filter of the samples."""
        if self._screen.editing.leave():
            self._began = None if self.words else self._screen.here
            self._screen.filter.open()

    def follow(self) -> None:
        """Show the samples that hold the words typed; the current one stays if it is among them.

        Where the words are dropped while they are typed, the sample is shown again that was current before.
        """
        screen = self._screen
        hidden = screen.sample is None
        self.find()
        if self._began is not None and not screen.filter.display:
            screen.seeking.places.leave(screen.here)
            screen.refresh_all(self._began)
            return
        filtering = self._filtering if self.words else None
        if filtering is not None and (complaint := filtering.complaint):
            screen.warn(complaint)
        if hidden or screen.index not in self.shown:
            screen.seeking.places.leave(self._began or screen.here)
            screen.index = screen.index if not self.shown or screen.index in self.shown else self.shown[0]
            screen.show_sample(())
        screen.show_samples()

    def note_left(self) -> None:
        """Give the focus to the samples shown, or back to the pane that had it where the filter was dropped."""
        screen = self._screen
        screen.set_focus(screen.filter.next_focus(screen.samples))
        if not screen.filter.words:
            screen.filter.shut()
        self._began = None

    def note_checked(self) -> None:
        """Note that all samples were checked: a filter by problems may show others now."""
        if not self.words or self._filtering is None or not self._filtering.on_problems:
            return
        if self._also is None:
            self.follow()
        else:  # what is worked on stays, whatever was found in it
            self.find(also=self._also)
            self._screen.show_samples()

    def show_all(self) -> None:
        """End the filter."""
        screen = self._screen
        screen.filter.shut()
        self.find()
        screen.refresh_all(screen.here)


class Marks:
    """The marks of an author screen. They are places (indexes, paths): edits that move things move them too."""

    def __init__(self, screen: AuthorScreen) -> None:
        self._screen = screen
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
        shown = self._screen.sample_filter.shown
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

    def mark(self, step: MarkStep) -> None:
        """Mark by a step; of turns and fields all are those beside the cursor. One alone goes on to the next."""
        marked, row, rows = self._here
        if step is Marked.all_toggled and not self.in_list:
            rows = [path for path in rows if path[:-1] == rows[row][:-1]]
        self._keep(step(marked, row, rows))
        if step is Marked.toggled:
            self._screen.pane.step(1)

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
            samples = [index for index in self._screen.sample_filter.shown if index >= 0]
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
