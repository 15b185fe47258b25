"""The lines of the review screen: the verdicts, how far the index is, and the fields to type in."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.message import Message
from textual.widgets import Input

from sampleui.review.queue import Progress
from sampleui.review.verdict import Verdict
from sampleui.text.visible import one_line
from sampleui.tui.commands import COMMENT
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.rows.queue import bar, verdict_places, verdict_row
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.line_bar import LineBar


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


class RecordSearch(FilterInput):
    """The field for what to search in all texts of the records."""

    settle: ClassVar[float] = 0.12

    def __init__(self) -> None:
        super().__init__("words, or verdict:none, target:x, score<0.5, role:tool", id="review-search")


class CommentInput(Input):
    """The field for a comment, hidden until it is opened.

    Attributes:
        about: the index of the record that is commented on.
    """

    scope: ClassVar[str] = COMMENT

    DEFAULT_CSS = """
    CommentInput { display: none; border: none; height: 1; padding: 0 1; background: $panel; }
    CommentInput:focus { border: none; }
    """

    class Written(Message):
        """The field was left; `text` is None when it was dropped."""

        def __init__(self, text: str | None) -> None:
            super().__init__()
            self.text = text

    def __init__(self) -> None:
        super().__init__(id="comment", select_on_focus=False)
        self.about = 0

    def open(self, text: str, about: int, name: str) -> None:
        """Show the field with a text to go on from, about a record by its index, which has a name."""
        self.about = about
        self.placeholder = f"why {one_line(name)}? Enter keeps it, Escape drops it"
        self.value = text
        self.cursor_position = len(text)
        self.display = True
        self.screen.set_focus(self)

    def leave(self, *, keep: bool) -> None:
        """Leave the field."""
        self.display = False
        self.post_message(self.Written(self.value.strip() if keep else None))
