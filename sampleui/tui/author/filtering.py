"""Which samples of a deck the author screen shows: all, or those that match its filter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.deck.history import Focus

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
        if self._screen.leave_text():
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
            screen.places.leave(screen.here)
            screen.refresh_all(self._began)
            return
        filtering = self._filtering if self.words else None
        if filtering is not None and (complaint := filtering.complaint):
            screen.warn(complaint)
        if hidden or screen.index not in self.shown:
            screen.places.leave(self._began or screen.here)
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
