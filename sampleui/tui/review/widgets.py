"""The widgets of the review screen: the queue, the answer beside what was expected, scores, bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from sampleui.review.queue import ReviewProgress
from sampleui.review.verdict import Decision, NotePlace, Verdict
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.matches import Range, marked, ranges, with_style
from sampleui.tui.drawing.rows import Room, Row, row_text
from sampleui.tui.review.rows.answer import VIEWS, WITH_TALK, views_of
from sampleui.tui.review.rows.queue import USUAL_KEYS, VerdictKeys, bar, verdict_places, verdict_row
from sampleui.tui.review.rows.scores import proposal_rows, score_rows
from sampleui.tui.review.shown import Shown
from sampleui.tui.themes import has_colours
from sampleui.tui.widgets.bars import LineBar, Painted, caption
from sampleui.tui.widgets.text_view import NOMINAL, TabbedText, TextView

if TYPE_CHECKING:
    from sampleui.tui.drawing.two_texts import TextDifference


class ScoreView(TextView):
    """How an answer was graded, and what reviewers said about it."""

    scope: ClassVar[str] = "scores"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._graded = Shown()
        self._words = ""
        self._found: int | None = None

    @property
    def shows_match(self) -> bool:
        """Whether it shows what is searched for, or will once it has its place."""
        return bool(ranges(score_rows(self._graded, NOMINAL), self._words))

    @property
    def says_something(self) -> bool:
        """Whether there is anything to say of how an answer was graded."""
        return bool(score_rows(self._graded, NOMINAL))

    def grade(self, shown: Shown, words: str, *, keep: bool) -> None:
        """Show how an answer was graded, what is searched for marked in it and in view."""
        keep = keep and words == self._words
        self._graded, self._words = shown, words
        self.show(self._graded_rows, keep, None if keep else self._first)

    def _graded_rows(self, width: int) -> Sequence[Row]:
        rows, self._found = marked(score_rows(self._graded, width), self._words)
        return rows

    def _first(self) -> tuple[int, int] | None:
        return None if self._found is None else (self._found, self._found)


class _Page(NamedTuple):
    """A view in a width and a height: its rows, what differs in them, and where they show what is searched for."""

    width: int
    height: int
    rows: Sequence[Row]
    differences: tuple[TextDifference, ...]
    found: Mapping[int, list[Range]]

    def marked(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Return its rows, in whichever styles, with what is searched for marked."""
        if not self.found:
            return rows
        return [with_style(row, self.found.get(index, ()), "match") for index, row in enumerate(rows)]


_BEGINNING = 24
"""Characters of a note that its first row has in any width."""


class AnswerPane(TabbedText):
    """The differences, either text whole, what was sent, or the baseline's answer against this one."""

    class Opened(Message):
        """Another view was gone to, which may need another room."""

    scope: ClassVar[str] = "answer"

    DEFAULT_CSS = "AnswerPane TabStrip { margin-bottom: 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, view_id="answer-text")
        self._shown = Shown()
        self._sought = ""
        self._opened = False
        self.tabs = views_of(self._shown)
        self._at = 0
        self._page: _Page | None = None

    def show(self, shown: Shown, *, sought: str = "", keep: bool = False) -> None:
        """Show another record, what is searched for marked in it, or the same one again, which keeps the place."""
        keep = keep and sought == self._sought
        self._opened = self._opened and keep
        self._shown, self._sought = shown, sought
        self.tabs = views_of(shown)
        self._update(keep)

    @property
    def shows_match(self) -> bool:
        """Whether the view shows what is searched for, or will once it has its place."""
        return bool((self._page or self._page_at(NOMINAL)).found)

    @property
    def differences(self) -> int:
        """How many differences the view shows."""
        return len(self._page.differences) if self._page is not None else 0

    @property
    def is_read(self) -> bool:
        """Whether the record is shown with what was said before its answer, of which some is folded."""
        return self.tab in WITH_TALK and self._shown.record is not None

    @property
    def reads_alone(self) -> bool:
        """Whether an answer is read with what was asked, which no sample says more of than the record itself."""
        return self.is_read and self._shown.sample is None and not self._shown.alone

    def open(self, tab: str) -> None:
        """Go to a view by its name."""
        super().open(tab)
        self.post_message(self.Opened())

    def unfold(self) -> bool:
        """Show what is hidden or folded of the record, or hide it again; tell whether it is shown."""
        self._opened = not self._opened
        self._update(keep=True)
        return self._opened

    def reveal_note(self, place: NotePlace) -> None:
        """Scroll to a note that is drawn below the words that it quotes."""
        from sampleui.tui.review.rows.noted import placed_notes

        begin = tuple(note.text[:_BEGINNING] for note in placed_notes(self._shown.decisions) if note.place == place)
        for index, row in enumerate(self.view.rows) if begin else ():
            if row_text(row).strip().startswith(begin):
                self.view.reveal(index)
                return

    def go_difference(self, by: int) -> str:
        """Go to another difference; return which of how many it is, empty if there is none on that side."""
        if not 0 <= self._at + by < self.differences:
            return ""
        self._at += by
        self.view.show(self._rows, goal=self._goal)
        return f"difference {self._at + 1:,} of {self.differences:,}"

    def _update(self, keep: bool) -> None:
        self.show_tabs()
        self._page = None
        if keep:
            self.view.show(self._rows)
        else:
            self._at = 0
            self.view.show(self._rows, keep=False, goal=self._goal)

    def _rows(self, width: int) -> Sequence[Row]:
        """Return the view's rows at a width, the current difference and what is searched for marked in them."""
        page = self._page
        if page is None or (page.width, page.height) != (width, self._height):
            page = self._page = self._page_at(width)
        apart, rows = page.differences, page.rows
        self._at = max(min(self._at, len(apart) - 1), 0)
        caption(self, f"{self._at + 1:,} of {len(apart):,} differences" if len(apart) > 1 else "")
        if len(apart) > 1:
            from sampleui.tui.drawing.two_texts import lit

            rows = lit(rows, apart[self._at])
        return page.marked(rows)

    def _page_at(self, width: int) -> _Page:
        room = Room(
            width,
            self._height,
            brackets=not has_colours(self.app),
            sought=self._sought,
            alone=self.reads_alone or self.screen.has_class("narrow"),
            opened=self._opened,
        )
        rows = VIEWS[self.tab].rows(self._shown, room)
        if self._shown.alone:
            return _Page(width, room.height, rows, (), {})
        from sampleui.tui.drawing.two_texts import differences

        if self._shown.record is not None and self._shown.decisions:
            from sampleui.review.session import texts_said
            from sampleui.tui.review.rows.noted import placed_notes, with_notes

            rows = with_notes(rows, placed_notes(self._shown.decisions), texts_said(self._shown.record), width)
        return _Page(width, room.height, rows, differences(rows), ranges(rows, self._sought))

    @property
    def _height(self) -> int:
        return self.view.scrollable_content_region.height or Room(0).height

    def _goal(self) -> tuple[int, int] | None:
        """Return the rows to be in view: what is searched for, else the difference that the cursor is on."""
        page = self._page
        if page is None:
            return None
        if page.found and self._at == 0:
            return min(page.found), min(page.found)
        return (page.differences[self._at].row, page.differences[self._at].end) if page.differences else None


class VerdictBar(LineBar):
    """The verdicts with their keys, what was decided here, and how much of the queue is done.

    Attributes:
        keys: the key that gives each verdict.
    """

    class Given(Message):
        """A verdict was clicked."""

        def __init__(self, verdict: Verdict) -> None:
            super().__init__()
            self.verdict = verdict

    _progress = ReviewProgress(0, 0, ())
    _current: Verdict | None = None
    _stale = False
    _about = ""
    keys: VerdictKeys = USUAL_KEYS

    def show(self, progress: ReviewProgress, current: Verdict | None, stale: bool, about: str) -> None:
        """Show where the review is, and what a verdict would be about if not the current record alone."""
        self._progress, self._current, self._stale, self._about = progress, current, stale, about
        self.update()

    def name_keys(self, keys: VerdictKeys) -> bool:
        """Show which key gives which verdict; tell whether that is new."""
        is_new = keys != self.keys
        self.keys = keys
        self.update()
        return is_new

    def row(self, width: int) -> Row:
        """Return the bar."""
        return verdict_row(self._progress, self._current, self._stale, width, self._about, keys=self.keys)

    def on_click(self, event: events.Click) -> None:
        """Give the verdict that was clicked."""
        for start, end, verdict, _ in verdict_places(self._progress, self.size.width, self.keys):
            if start <= event.x < end:
                self.post_message(self.Given(verdict))


class ProposalBar(Painted):
    """What a program proposes for the current record, whole: what, who and why; hidden where nothing waits.

    A key takes what stands here. What has no room here is to be shown elsewhere first.
    """

    DEFAULT_CSS = """
    ProposalBar { height: auto; width: 1fr; display: none; }
    """
    MAX_ROWS: ClassVar[int] = 4

    def __init__(self) -> None:
        super().__init__()
        self._proposed: Sequence[Decision] = ()

    def show(self, proposed: Sequence[Decision]) -> None:
        """Show what is proposed."""
        if proposed != self._proposed:
            self._proposed = proposed
            self.display = bool(proposed)
            self.refresh(layout=True)

    def shows(self, proposed: Sequence[Decision]) -> bool:
        """Tell whether exactly this stands on the screen, to its end."""
        rows = self._rows(self.size.width)
        seen = self.screen.region.contains_region(self.region) and self.size.height == len(rows) <= self.MAX_ROWS
        return bool(proposed) and [*proposed] == [*self._proposed] and seen

    def _rows(self, width: int) -> Sequence[Row]:
        return proposal_rows(self._proposed, max(self.room(width), 1))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines it takes, up to a few."""
        return min(len(self._rows(width)), self.MAX_ROWS)

    def render_line(self, y: int) -> Strip:
        """Draw a line; the last one says where the rest is, if there is more."""
        width = self.size.width
        rows = self._rows(width)
        if y == self.size.height - 1 and y < len(rows) - 1:
            return self.painted((("warning-bold", f"… {key_named('proposal.take', 'A')} shows the rest"),), width)
        return self.painted(rows[y] if y < len(rows) else (), width)


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
