"""The review screen: the queue, the conversation, expected against actual, scores and trace, and the verdicts."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath
from sampleui.review.baseline import Compared
from sampleui.review.queue import Filters, Order
from sampleui.review.results import Progress
from sampleui.review.verdict import Verdict
from sampleui.settings import Settings
from sampleui.tui.actions.review import REVIEW
from sampleui.tui.cards import Flags
from sampleui.tui.review_feed import Feed
from sampleui.tui.review_filters import filter_choices
from sampleui.tui.review_fixing import Fixing
from sampleui.tui.review_rows import filter_words, missing_row, queue_row, status
from sampleui.tui.review_scores import score_rows
from sampleui.tui.review_session import Missing, ReviewSession, Shown, Spot
from sampleui.tui.review_subject import items_shown, trace_shown
from sampleui.tui.rows import Row
from sampleui.tui.screens.paned import Pane, PanedScreen
from sampleui.tui.widgets.conversation import Conversation
from sampleui.tui.widgets.filter_input import FilterInput
from sampleui.tui.widgets.review_answer import AnswerPane
from sampleui.tui.widgets.review_bars import CommentInput, IndexBar, RecordSearch, VerdictBar
from sampleui.tui.widgets.review_queue import QueueList
from sampleui.tui.widgets.review_scores import ScoreView
from sampleui.tui.widgets.title_bar import Title
from sampleui.tui.widgets.trace_view import TraceView
from sampleui.tui.widgets.virtual_list import VirtualList

TALL = 52
"""Rows from which scores, timeline and detail have room above each other."""

_TRACE = ("timeline", "detail")
_GROWN = 1.3
"""By how much the index must have grown for the queue to be sorted anew while it is read."""


class ReviewScreen(PanedScreen):
    """Steps through the records of one results file."""

    registry = REVIEW
    home = "answer"
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")
    AUTO_FOCUS: ClassVar[str | None] = "#answer-text"

    def __init__(self, review: ReviewSession, settings: Settings) -> None:
        super().__init__(settings)
        self.review = review
        self.shown = Shown()
        self.narrowed = ""
        self.fixing = Fixing(self)
        self.feed = Feed(self)
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
                yield self.index_bar
            with Vertical(id="middle", classes="pane-row"):
                yield self.conversation
                yield self.answer
            with Vertical(id="right"):
                yield self.scores
                yield self.trace_view
        yield self.comment_input
        yield self.verdict_bar
        yield self.key_bar

    def on_mount(self) -> None:
        """Show the first record, and read on."""
        self.name_panes()
        self.review.take_in()
        self.show_all()
        if self.review.options.hint:
            self.say(self.review.options.hint)
        self.feed.index()

    # Showing

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
        self.queue_pane.border_title = Content(f"Queue · {filter_words(queue.filters, self.narrowed, queue.order)}")
        self.queue_pane.border_subtitle = Content(f"{len(queue.visible):,} of {len(queue.items):,}")

    def show_record(self) -> None:
        """Show the current record in every pane."""
        try:
            shown = self.review.shown()
        except ResultsError as error:
            self.complain(error)
            return
        same = shown.record is not None and shown.record is self.shown.record
        self.shown = shown
        flags: dict[int, Flags] = {}
        self.conversation.empty_hint = "Neither the deck nor the record says what was asked."
        self.conversation.show(items_shown(shown), flags, self.conversation.cursor if same else (0, 0))
        self.answer.show(shown, baseline=self.review.baseline is not None, keep=same)
        self.scores.show(partial(score_rows, shown), keep=same)
        if not same:
            self.trace_view.show(trace_shown(shown, self.review.results.base_dir))
        self.show_state()
        if (self.trace_view.has_class("away")) == (len(self.shown_panes()) == len(self.panes())):
            self.fit()

    def show_state(self) -> None:
        """Show the title and the verdicts."""
        item = self.shown.item
        self.title_bar.show(self._title())
        self.verdict_bar.show(self.review.progress, item.verdict if item else None, self.shown.changed)

    def _title(self) -> Title:
        review, item = self.review, self.shown.item
        name = review.results.path.name
        place = f"{self.queue.cursor + 1 if self.queue.count() else 0}/{self.queue.count()}"
        deck = review.deck.deck.path.name if review.deck is not None else "no deck"
        if item is None:
            named = review.current.id if isinstance(review.current, Missing) else "nothing to review"
            return Title(f"{name} › {named}", deck, place)
        words = "sample changed since this run" if self.shown.changed else "failed" if item.failed else "passed"
        style, glyph = ("warning-bold", "~") if self.shown.changed else status(item)
        return Title(f"{name} › {item.entry.id}", deck, place, problems=(style, f"{glyph} {words}"))

    def _queue_row(self, spot: Spot, width: int) -> Row:
        if isinstance(spot, Missing):
            return missing_row(spot, width)
        review = self.review
        return queue_row(review.queue.items[spot], width, review.compared.get(spot), spot in review.unjoined)

    # Stepping and deciding

    def step(self, by: int) -> None:
        """Go to another record in the filter."""
        if self.review.step(by):
            self.show_all()
        else:
            self.say(
                "this is the last record in the filter" if by > 0 else "this is the first record in the filter"
            )

    def next_unreviewed(self) -> None:
        """Go to the next record that is not decided."""
        if self.review.next_unreviewed():
            self.show_all()
        else:
            self.say("every record in the filter is decided")

    def decide(self, verdict: Verdict) -> Awaitable[None] | None:
        """Record a verdict and go on; a sample that expects the wrong thing is offered to be fixed first."""
        made = self.review.decide(verdict)
        said = f"recorded {verdict} for {made.record_id}"
        if verdict is Verdict.EXPECTED_WRONG and self.fixing.possible and not self.shown.changed:
            self.show_all()
            return self._offer_fix(said)
        self._go_on(said)
        return None

    async def _offer_fix(self, said: str) -> None:
        answers = {"e": "Edit what the sample expects"}
        if self.answer_text:
            answers["x"] = "Take the actual answer as expected"
        answer = await self.confirm(f"{said}.", {**answers, "n": "Go on to the next record"})
        if answer == "e":
            await self.fixing.edit()
        elif answer == "n" or (answer == "x" and await self.fixing.take()):
            self._go_on(said)

    def _go_on(self, said: str) -> None:
        more = self.review.next_unreviewed()
        self.show_all()
        self.say(said if more else f"{said}; every record in the filter is decided")

    def undo(self) -> None:
        """Take back the last verdict and go to its record."""
        undone = self.review.undo()
        self.show_all()
        self.say(f"took back {undone.verdict} of {undone.record_id}" if undone else "nothing to undo")

    def open_comment(self) -> None:
        """Let a comment be typed."""
        digest = self.review.item.entry.digest
        mine = self.shown.decisions[0].comment if self.shown.decisions else ""
        self.comment_input.open(self.review.drafts.get(digest, mine))

    def on_comment_input_written(self, message: CommentInput.Written) -> None:
        """Keep a comment."""
        self.answer.view.focus()
        if message.text is None:
            return
        try:
            made = self.review.comment(message.text)
        except ResultsError as error:
            self.complain(error)
            return
        self.show_all()
        self.say(f"recorded the comment on {made.record_id}" if made else "the comment waits for the verdict")

    def on_verdict_bar_given(self, message: VerdictBar.Given) -> None:
        """Give the verdict that was clicked."""
        self.run_command(REVIEW[f"verdict.{message.verdict}"])

    # Filters and search

    async def choose_filter(self) -> None:
        """Let a filter be chosen."""
        choices = filter_choices(self.review, self.narrowed)
        picked = await self.pick("Show records", list(choices))
        if picked:
            chosen = choices[picked]
            self.narrowed = chosen.narrowed
            self.narrow(chosen.filters)

    def narrow(self, filters: Filters) -> None:
        """Show other records."""
        if not filters.text:
            self.search_input.shut()
        self.review.narrow(filters)
        self.show_all()

    def turn_order(self) -> None:
        """Sort in the other order."""
        queue = self.review.queue
        self.review.queue = queue.shown(order=Order.FILE if queue.order is Order.SCORE else Order.SCORE)
        self.show_all()
        self.say(f"sorted by {self.review.queue.order}")

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Look for a text in all records."""
        if message.words == self.review.sought:
            return
        self.review.sought = message.words
        self.feed.stop_search()
        if message.words:
            self.feed.search(message.words)
        else:
            self.found("", frozenset())

    def on_filter_input_done(self) -> None:
        """Go back to the queue."""
        if not self.search_input.value:
            self.search_input.shut()
        self.queue.focus()

    # What comes from the background

    def indexed(self, progress: Progress, did: str) -> None:
        """Show how far reading is, and the records that came in where they are worth it."""
        self.index_bar.show(did, progress.done, progress.size)
        if len(self.review.results.entries) > _GROWN * len(self.review.queue.items):
            self._take_in()

    def settled(self, compared: Sequence[Compared], rejoin: bool) -> None:
        """Show the records now that all are known."""
        self.index_bar.show("read", 1, 1)
        self.review.take_in()
        self.review.settle(compared, rejoin=rejoin)
        self.narrowed = "differs from the baseline" if compared else self.narrowed
        self._take_in()
        self.show_record()
        if self.review.results.skipped:
            self.say(f"{self.review.results.skipped:,} rows could not be read")

    def found(self, words: str, found: frozenset[int]) -> None:
        """Show the records that a search found."""
        import dataclasses

        self.index_bar.show("", 1, 1)
        self.narrow(dataclasses.replace(self.review.queue.filters, text=words, found=found))

    def _take_in(self) -> None:
        nothing = self.shown.item is None
        self.review.take_in()
        self.show_queue()
        if nothing:
            self.show_record()
        else:
            self.show_state()

    @property
    def edited_path(self) -> DataPath | None:
        """The turn or field to edit: the one the cursor was put on, None for what the sample expects."""
        item = self.conversation.current
        chosen = self.scope == "turns" or self.conversation.cursor != (0, 0)
        return item.path if chosen and item is not None else None

    @property
    def answer_text(self) -> str:
        """The actual answer of the current record."""
        return self.shown.record.actual if self.shown.record is not None else ""

    def open_report(self) -> None:
        """Show the figures."""
        from sampleui.review.report import report_of
        from sampleui.tui.screens.report import ReportScreen

        review = self.review
        self.app.push_screen(ReportScreen(report_of(review.results, review.log, review.options.fail_under)))

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

    def name_panes(self) -> None:
        """Write their titles on the panes; the queue's says what it shows."""
        super().name_panes()
        self.show_queue()

    def shown_panes(self) -> list[Pane]:
        """Return the panes, without those of the trace where there is none."""
        panes = self.panes()
        state = self.trace_view.state
        return panes if state is not None and state.all else panes[: -len(_TRACE)]

    def folded(self, pane: Pane) -> bool:
        """Where all do not fit above each other, the trace is open while it has the focus, and the scores else."""
        inside, tall = self.scope in _TRACE, self.app.size.height >= TALL
        return not tall and ((inside and pane.scope == "scores") or (not inside and pane.scope == "detail"))

    def fit(self) -> None:
        """Fit the panes; the column of scores and trace goes with its panes."""
        super().fit()
        narrow, inside = self.has_class("narrow"), self.scope in _TRACE
        traced = len(self.shown_panes()) == len(self.panes())
        self.trace_view.set_class(inside, "open")
        self.trace_view.set_class(not traced or (narrow and not inside), "away")
        self.query_one("#right").set_class(narrow and not inside and self.scope != "scores", "away")

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        """Show the record that the cursor went to."""
        if message.control is self.queue and self.queue.spots:
            spot = self.queue.spots[message.row]
            if spot != self.review.current:
                self.review.current = spot
                self.show_record()

    def on_virtual_list_chosen(self, message: VirtualList.Chosen) -> None:
        """Go to the answer of the record that was clicked."""
        if message.control is self.queue:
            self.answer.view.focus()

    def on_conversation_opened(self) -> None:
        """Edit the turn that was clicked twice."""
        self.run_command(REVIEW["fix.edit"])

    def on_trace_view_said(self, message: TraceView.Said) -> None:
        """Say what the trace has to say."""
        self.say(message.text)
