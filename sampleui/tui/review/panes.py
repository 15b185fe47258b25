"""The panes of the review screen: what is where, and what each shows of the current record."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widget import Widget

from sampleui.review.filters import Item
from sampleui.review.queue import Order
from sampleui.settings.options import Settings
from sampleui.text.visible import one_line
from sampleui.tui.captions import caption
from sampleui.tui.drawing.cards import Flags
from sampleui.tui.drawing.rows import Row
from sampleui.tui.pane_widths import resize
from sampleui.tui.review.rows.queue import GROUP, filter_words, missing_row, queue_row, title_of
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.showing import shown_at
from sampleui.tui.review.shown import Missing, Shown, Spot
from sampleui.tui.review.subject import items_shown, trace_shown
from sampleui.tui.review.widgets.answer import AnswerPane
from sampleui.tui.review.widgets.bars import CommentInput, IndexBar, RecordSearch, VerdictBar
from sampleui.tui.review.widgets.panes import QueueList, ScoreView
from sampleui.tui.screens.paned import Column, Pane, PanedScreen
from sampleui.tui.trace.widgets.trace_view import TraceView
from sampleui.tui.widgets.conversation import Conversation

TALL = 52
"""Rows from which scores, timeline and detail have room above each other."""

_TRACE = ("timeline", "detail")
_HEADER = 6
_LEAST_TARGET = 8
"""Lines of a trace view beside its events: what it amounts to, and a border."""

_FILTER = 14
"""Cells of a target that is filtered by, in the title of the queue."""

_NO_FLAGS: dict[int, Flags] = {}


class ReviewPanes(PanedScreen):
    """Shows a review. What its keys do is said by the screen made of it."""

    kept_as = "review"
    home = "answer"
    AUTO_FOCUS: ClassVar[str | None] = "#answer-text"

    def __init__(self, review: ReviewSession, settings: Settings) -> None:
        super().__init__(settings)
        self.review = review
        self.shown = Shown()
        self.narrowed = ""
        self.queue_pane = Vertical(id="queue-pane")
        self.search_input = RecordSearch()
        self.queue = QueueList(id="queue")
        self.index_bar = IndexBar()
        self.conversation = Conversation(id="turns")
        self.answer = AnswerPane(id="answer")
        self.scores = ScoreView(id="scores")
        self.trace_view = TraceView(id="trace")
        self.comment_input = CommentInput()
        self.verdict_bar = VerdictBar()

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        yield self.title_bar
        yield self.tabs
        with Horizontal(id="panes"):
            with self.queue_pane:
                yield self.search_input
                yield self.queue
            with Vertical(id="middle", classes="pane-row"):
                yield self.conversation
                yield self.answer
            with Vertical(id="right"):
                yield self.scores
                yield self.trace_view
        yield self.index_bar
        yield self.comment_input
        yield self.verdict_bar
        yield self.message_line
        yield self.key_bar

    def show_all(self) -> None:
        """Show the queue and the current record as they are now."""
        self.show_queue()
        self.show_record()

    def show_queue(self) -> None:
        """Show the queue, the cursor on the current record."""
        review = self.review
        spots, current = review.spots, review.current
        at = spots.index(current) if current in spots else self.queue.cursor
        self.queue.show(spots, self._queue_row, at)
        queue = review.queue
        target = review.target_words(queue.filters.target, _FILTER)
        words = filter_words(queue.filters, self.narrowed, queue.order, target)
        self.queue_pane.border_title = Content(f"Queue · {words}")
        by = f"{one_line(decider, 30)} decides · " if (decider := review.results.decider) else ""
        caption(self.queue_pane, f"{by}{len(queue.visible):,} of {len(queue.items):,}")

    def show_record(self) -> None:
        """Show the current record in every pane."""
        shown = shown_at(self.review)
        same = shown.record is not None and shown.record is self.shown.record
        self.shown = shown
        unknown = self.review.current is None or shown.problem
        self.conversation.empty_hint = "" if unknown else "Neither the deck nor the record says what was asked."
        words = self.review.queue.filters.marked
        items, cursor = items_shown(shown), self.conversation.cursor if same else (0, 0)
        self.conversation.show(items, _NO_FLAGS, cursor, same=same)
        self.conversation.seek(words, keep=same)
        self.answer.show(shown, baseline=self.review.baseline is not None, sought=words, keep=same)
        self.scores.grade(shown, words, keep=same)
        if not same:
            self.trace_view.show(trace_shown(shown, self.review.results.base_dir))
        self.trace_view.seek(words)
        self.show_state()
        self.fit_trace()
        if (self.trace_view.has_class("away")) == (len(self.shown_panes()) == len(self.panes())):
            self.fit()
        self.show_keys()

    @property
    def answer_text(self) -> str:
        """What of the answer of the current record takes the place of the expected one."""
        record = self.shown.record
        return "" if record is None or record.unanswered or record.doubtful else record.compared

    def show_state(self) -> None:
        """Show the title and the verdicts."""
        item = self.shown.item
        self.title_bar.show(title_of(self.review, self.shown, self.queue.cursor, self.has_class("narrow")))
        self.verdict_bar.show(self.review.progress, item.verdict if item else None, self.shown.changed)
        self.show_keys()

    def _queue_row(self, spot: Spot, width: int) -> Row:
        if isinstance(spot, Missing):
            return missing_row(spot, width)
        review = self.review
        item = review.queue.items[spot]
        return queue_row(
            item,
            width,
            review.compared.get(spot),
            unjoined=spot in review.unjoined,
            fail_under=review.options.fail_under,
            group=self._group(spot, item) if review.queue.order is Order.TARGET else None,
            targets=review.several_targets,
            target=review.target_words(item.entry.target, max(width // 3, _LEAST_TARGET)),
        )

    def _group(self, spot: int, item: Item) -> str:
        """Return the target that a row begins, empty if the row above is of the same."""
        before = self.review.queue.step(spot, -1)
        same = before is not None and self.review.queue.items[before].entry.target == item.entry.target
        return "" if same else self.review.target_words(item.entry.target, GROUP - 1) or "-"

    # Panes

    def panes(self) -> list[Pane]:
        """Return the panes."""
        return [
            Pane("queue", "Queue", self.queue_pane, self.queue),
            Pane("turns", "Conversation", self.conversation, self.conversation),
            Pane("answer", "Answer", self.answer, self.answer.view),
            Pane("scores", "Scores", self.scores, self.scores),
            *self.trace_view.panes(),
        ]

    @property
    def place_to_read(self) -> Widget:
        """The pane to read a record in: the answer, or where only another shows what is searched for, that."""
        traced = bool(self.trace_view.state.found)
        shows = (
            (self.answer, self.answer.view),
            (self.conversation, self.conversation),
            (self.scores, self.scores),
        )
        places = [target for pane, target in shows if pane.found] + [self.trace_view.timeline] * traced
        return next(iter(places), self.answer.view)

    def name_panes(self) -> None:
        """Write their titles on the panes; the queue's says what it shows."""
        super().name_panes()
        self.show_queue()

    @property
    def _in_trace(self) -> bool:
        """Whether the focus is in the trace; its search field is in it, too."""
        return self._current().scope in _TRACE

    def fit_trace(self) -> None:
        """Give a short timeline the lines it needs and no more, unless its detail is shown too."""
        opened = self._in_trace or self.app.size.height >= TALL or self.has_class("narrow")
        self.trace_view.set_class(opened, "open")
        resize(self.trace_view, "max_height", None if opened else len(self.trace_view.state.all) + _HEADER)

    def columns(self) -> list[Column]:
        """Return the queue, and the scores with the trace; the answer takes what is left."""
        return [Column("queue", self.queue_pane, 26), Column("right", self.query_one("#right"), 37)]

    def shown_panes(self) -> list[Pane]:
        """Return the panes, without those of the trace if there is none."""
        panes = self.panes()
        return panes if self.trace_view.state.all else panes[: -len(_TRACE)]

    def folded(self, pane: Pane) -> bool:
        """Where all do not fit above each other, the trace is open while it has the focus, and the scores else."""
        inside, tall = self._in_trace, self.app.size.height >= TALL
        return not tall and ((inside and pane.scope == "scores") or (not inside and pane.scope == "detail"))

    def fit(self) -> None:
        """Fit the panes; the column of scores and trace goes with its panes."""
        super().fit()
        narrow, inside = self.has_class("narrow"), self._in_trace
        traced = len(self.shown_panes()) == len(self.panes())
        self.fit_trace()
        self.trace_view.set_class(not traced or (narrow and not inside), "away")
        self.query_one("#right").set_class(narrow and not inside and self.scope != "scores", "away")
