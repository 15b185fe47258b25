"""The lines of the review screen: the verdicts, and how far the index is."""

from __future__ import annotations

from textual import events
from textual.message import Message

from sampleui.review.queue import Progress
from sampleui.review.verdict import Verdict
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.rows.queue import bar, verdict_places, verdict_row
from sampleui.tui.widgets.bars import LineBar


class VerdictBar(LineBar):
    """The verdicts with their keys, what was decided here, and how much of the queue is done."""

    class Given(Message):
        """A verdict was clicked."""

        def __init__(self, verdict: Verdict) -> None:
            super().__init__()
            self.verdict = verdict

    _progress = Progress(0, 0, ())
    _current: Verdict | None = None
    _stale = False
    _marked = 0

    def show(self, progress: Progress, current: Verdict | None, stale: bool, marked: int) -> None:
        """Show where the review is, and how many records a verdict would be about if they are marked."""
        self._progress, self._current, self._stale, self._marked = progress, current, stale, marked
        self.update()

    def row(self, width: int) -> Row:
        """Return the bar."""
        return verdict_row(self._progress, self._current, self._stale, width, self._marked)

    def on_click(self, event: events.Click) -> None:
        """Give the verdict that was clicked."""
        for start, end, verdict, _ in verdict_places(self._progress, self.size.width):
            if start <= event.x < end:
                self.post_message(self.Given(verdict))


class IndexBar(LineBar):
    """How far the results are read or searched; hidden when that is done."""

    DEFAULT_CSS = """
    IndexBar { display: none; }
    """

    _did = ""
    _done = 0
    _whole = 0

    def show(self, did: str, done: int, size: int) -> None:
        """Show a state; one that is complete hides the bar."""
        self._did, self._done, self._whole = did, done, size
        self.display = done < size
        self.update()

    def row(self, width: int) -> Row:
        """Return the bar."""
        part = self._done / self._whole if self._whole else 1
        words = f" {part:.0%} {self._did} "
        cells = max(width - len(words) - 1, 0)
        return (("text", " "), *bar(self._done, self._whole, cells), ("muted", words))
