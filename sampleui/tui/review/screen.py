"""The review screen: the queue, the conversation, expected against actual, scores and trace, and the verdicts."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from sampleui.errors import ResultsError, SampleUIError
from sampleui.review.filters import QueueItem
from sampleui.review.queue import Order
from sampleui.review.results.file import IndexProgress
from sampleui.review.verdict import Verdict
from sampleui.settings.options import Settings
from sampleui.text.confined import packaged_text
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import TYPING, Command, Registry, ScreenKind, key_label
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.joined import QueueRow, Unmatched
from sampleui.tui.review.rows.answer import RECORD
from sampleui.tui.review.rows.queue import (
    filter_words,
    heading_cells,
    missing_row,
    queue_row,
    title_of,
)
from sampleui.tui.review.session import ReviewSession, decks_to_join
from sampleui.tui.review.shown import Shown, record_alone
from sampleui.tui.review.state import ReviewState
from sampleui.tui.review.widgets import (
    AnswerPane,
    IndexBar,
    ProposalBar,
    ScoreView,
    VerdictBar,
)
from sampleui.tui.screens.base import CommandScreen, in_background
from sampleui.tui.screens.panes import Pane, PaneColumn, PaneFrame, PaneRow, put_away, resize
from sampleui.tui.textual_internals import COMMANDS
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.virtual_list import Marked, MarkStep, RowList, VirtualList

if TYPE_CHECKING:
    from sampleui.review.baseline import Compared
    from sampleui.tui.review.commenting import CommentInput
    from sampleui.tui.review.feed import RunWatch
    from sampleui.tui.review.matrix import MatrixPlace
    from sampleui.tui.review.running import Job
    from sampleui.tui.trace.trace_view import TraceView
    from sampleui.tui.widgets.conversation import Conversation
    from sampleui.tui.widgets.filter_input import FilterInput

TALL = 52
"""Rows from which scores, timeline and detail have room above each other."""
_TURNS = "turns"
_TRACE = ("timeline", "detail")
_TURNS_SHARE = 0.4
"""The part of the middle that turns have; more, where the answer leaves that."""
_AROUND_ANSWER = 5
"""Lines of the answer's pane that are no rows: its border, the tabs and the lines around them."""
_HEADER = 6
_MIN_TARGET = 8
"""Lines of a trace view beside its events: what it amounts to, and a border."""
_FILTER = 14
"""Cells of a target that is filtered by, in the title of the queue."""
_DEBOUNCE_S = 0.12
"""Seconds without a key after which records are searched."""

_GROWN = 1.3
"""By how much the index must have grown for the queue to be sorted again while it is read."""


class ReviewScreen(CommandScreen):
    """Steps through the records of one results file.

    Its first frame shows the queue, and what the first record says by itself. What is beside the record (its
    sample, what was sent, what it did) is read after that, and keys wait for it.
    """

    kept_as = "review"
    home = "answer"
    quotes = True
    AUTO_FOCUS: ClassVar[str | None] = "#answer-text"
    _is_whole = False
    """Whether what the first frame does without is there."""

    search_input: FilterInput
    comment_input: CommentInput
    conversation: Conversation
    trace_view: TraceView
    run_watch: RunWatch
    """What the first frame does without: two fields, turns, what the record did, and the run on the disk."""

    kind = ScreenKind.REVIEW
    DEFAULT_CSS = packaged_text(Path(__file__).with_suffix(".tcss"))

    def __init__(self, review: ReviewSession, settings: Settings) -> None:
        super().__init__(settings)
        self.review: ReviewSession = review
        review.views = settings.view
        self.shown = Shown()
        self.queue_pane = PaneFrame(id="queue-pane")
        self.queue: RowList[QueueRow] = RowList("queue")
        self.index_bar = IndexBar()
        self._turns_place = PaneFrame(id=_TURNS)
        self._middle = PaneFrame(id="middle", classes="pane-row")
        self._right = PaneFrame(id="right")
        self.answer: AnswerPane = AnswerPane(id="answer")
        self.scores = ScoreView(id="scores")
        self.proposal_bar = ProposalBar()
        self.verdict_bar = VerdictBar()
        self.figuring: int = 0
        self.matrix_place: MatrixPlace | None = None
        self.job: Job | None = None

    @cached_property
    def registry(self) -> Registry[Any]:
        """The commands of the screen, and those of the user's own."""
        usual = self.kind.registry
        if not self.settings.commands:
            return usual
        from sampleui.tui.review.running import own_commands

        whole: Registry[Any] = Registry()
        whole.pasted = usual.pasted
        whole.include(usual)
        whole.include(own_commands(self.settings.commands))
        return whole

    def body(self) -> ComposeResult:
        """Yield the panes."""
        yield self.tabs
        with PaneRow(id="panes"):
            with self.queue_pane:
                yield self.queue
            with self._middle:
                yield self._turns_place
                yield self.answer
            with self._right:
                yield self.scores
        yield self.index_bar
        yield self.proposal_bar
        yield self.verdict_bar

    def show_all(self) -> None:
        """Show the queue and the current record as they are now."""
        self.show_queue()
        self.show_record()

    def show_queue(self) -> None:
        """Show the queue, the cursor on the current record."""
        review = self.review
        spots, current = review.state.rows, review.current
        self.queue.show(spots, self._queue_row, 0 if current is None else spots.index(current))
        queue = review.queue
        target = review.target_words(queue.filters.target, _FILTER)
        words = filter_words(queue, target)
        self.queue_pane.border_title = Content(f"Queue · {words}")
        by = f"{one_line(decider, 30)} decides · " if (decider := review.results.decider) else ""
        marked = f"{count:,} marked · " if (count := len(self.review.state.marked)) else ""
        caption(self.queue_pane, f"{marked}{by}{len(queue.visible):,} of {len(queue.items):,}")

    def show_record(self) -> None:
        """Show the current record in every pane."""
        from sampleui.tui.review import record_context
        from sampleui.tui.review.rows.noted import by_event, placed_notes

        shown = record_context.shown_at(self.review)
        same = shown.record is not None and shown.record is self.shown.record and not self.shown.alone
        if same:
            shown = shown._replace(talk=self.shown.talk, repeated=self.shown.repeated)
        else:
            traced = record_context.trace_shown(shown, self.review.results.base_dir)
            self.trace_view.show(traced, self.review.results.base_dir)
            shown = record_context.with_talk(shown, traced, self.review)
        self.shown = shown
        self.trace_view.annotate(by_event(placed_notes(shown.decisions)))
        unknown = self.review.current is None or shown.problem
        self.conversation.empty_hint = "" if unknown else "Neither the deck nor the record says what was asked."
        words = self.review.queue.filters.marked
        deck, base_dir = self.review.deck, self.review.results.base_dir
        self.conversation.places = (*([(deck.deck.path.parent, None)] if deck else []), (base_dir, base_dir))
        items, cursor = record_context.items_shown(shown), self.conversation.cursor if same else (0, 0)
        flags, lead = record_context.flags_of(shown, items), record_context.asked_last(items)
        self.conversation.show(items, flags, cursor, same=same, lead=lead)
        self.conversation.seek(words, keep=same)
        self.answer.show(shown, sought=words, keep=same)
        self.scores.grade(shown, words, keep=same)
        self.trace_view.seek(words, self.review.queue.filters.terms)
        self.show_state()
        if self._current() not in self.shown_panes():
            self.set_focus(self.place_to_read)
        self.fit()
        self.show_keys()

    def show_state(self) -> None:
        """Show the title and the verdicts."""
        item = self.shown.item
        title = title_of(self.review, self.shown, self.has_class("narrow"))
        runs = f"⟳ {self.job.words}" if self.job is not None and self.job.is_running else ""
        self.title_bar.show(title._replace(position=f"{runs} · {title.position}") if runs else title)
        marked, folded = len(self.review.state.marked), len(self.review.state.folded)
        about = f"for {marked:,} marked" if marked else f"for {folded:,} like errors" if folded else ""
        self.verdict_bar.show(self.review.progress, item.verdict if item else None, self.shown.changed, about)
        here = self.review.current
        if self._is_whole:
            from sampleui.tui.review.session_verdicts import takeable

            self.proposal_bar.show(takeable(self.review, here) if isinstance(here, int) else ())
        self.show_keys()

    def mark(self, step: MarkStep) -> None:
        """Mark records by a step; one alone goes on to the next."""
        self.review.state = self.review.state.marked_by(step)
        self.show_queue()
        self.show_state()
        if step is Marked.toggled:
            self.queue.step(1)

    def _queue_row(self, spot: QueueRow, width: int) -> Row:
        if isinstance(spot, Unmatched):
            return missing_row(spot, width)
        review = self.review
        item, group = review.queue.items[spot], review.queue.groups.get(spot)
        return queue_row(
            item,
            width,
            review.compared.get(spot),
            unjoined=spot in review.unjoined,
            fail_under=review.options.fail_under,
            marked=spot in review.state.marks.places,
            group=self._group(spot, item, width) if review.queue.order is Order.TARGET else None,
            targets=len(review.targets) > 1,
            target=review.target_words(item.entry.target, max(width // 3, _MIN_TARGET)),
            like=[review.queue.items[index] for index in group.members] if group is not None else (),
            is_open=group is not None and review.queue.is_open(group),
            edited=spot in review.state.edits,
            outside=review.state.is_outside and spot == review.current,
            keys=self.verdict_bar.keys,
        )

    def _group(self, spot: int, item: QueueItem, width: int) -> str:
        """Return the target that a row begins, empty if the row above is of the same."""
        before = self.review.queue.step(spot, -1)
        same = before is not None and self.review.queue.items[before].entry.target == item.entry.target
        return "" if same else self.review.target_words(item.entry.target, heading_cells(width) - 1) or "-"

    def panes(self) -> list[Pane]:
        """Return the panes."""
        turns = self.conversation if self._is_whole else self._turns_place
        return [
            Pane("queue", "Queue", self.queue_pane, self.queue),
            Pane("turns", "Conversation", turns, turns),
            Pane("answer", "Answer", self.answer, self.answer.view),
            Pane("scores", "Scores", self.scores, self.scores),
            *(self.trace_view.panes() if self._is_whole else ()),
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
        panes = [target for pane, target in shows if pane.shows_match] + [self.trace_view.timeline] * traced
        return next(iter(panes), self.answer.view)

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

    def columns(self) -> list[PaneColumn]:
        """Return the queue, and the scores with the trace; the answer takes what is left."""
        return [PaneColumn("queue", self.queue_pane, 26), PaneColumn("right", self._right, 37)]

    def shown_panes(self) -> list[Pane]:
        """Return the panes that say something: a record may have no scores, and no trace."""
        silent = {*_TRACE} if self._is_whole and not self.trace_view.state.all else set[str]()
        if self._is_whole and not self.scores.says_something:
            silent.add("scores")
        return [pane for pane in self.panes() if pane.scope not in silent]

    def folded(self, pane: Pane) -> bool:
        """Tell whether a pane is hidden: its record shows the same, or it has no room while another has the focus.

        Where all do not fit above each other, the trace is open while it has the focus, and the scores else.
        """
        if pane.scope == _TURNS:
            return self.answer.reads_alone and self._current().scope != _TURNS
        if pane.scope == "scores" and not self.scores.says_something:
            return True
        inside, tall = self._in_trace, self.app.size.height >= TALL
        return not tall and ((inside and pane.scope == "scores") or (not inside and pane.scope == "detail"))

    def fit(self) -> None:
        """Fit the panes; the column of scores and trace goes with its panes.

        A trace of nothing but the messages that are read beside it is shown when one goes there.
        """
        super().fit()
        narrow, inside = self.has_class("narrow"), self._in_trace
        scored = self.scope == "scores" if narrow else not self._is_whole or self.scores.says_something
        traced = inside or not narrow
        if self._is_whole:
            self.fit_trace()
            says_more = self.trace_view.tells_more or not self.answer.reads_alone
            traced = bool(self.trace_view.state.all) and (inside or (says_more and not narrow))
            put_away(self.trace_view, not traced)
            self.set_class(self.answer.reads_alone and (self.answer.tab == RECORD or not scored), "reading")
        put_away(self._right, not (scored or traced))
        if self._is_whole:
            height = self._middle.size.height
            spare = height - len(self.answer.view.rows) - _AROUND_ANSWER
            resize(self.conversation, "max_height", None if narrow or spare < height * _TURNS_SHARE else spare)

    # What keys do

    def on_mount(self) -> None:
        """Show the queue and what the first record says by itself."""
        self.review.take_in()
        self.shown = record_alone(self.review)
        self.answer.show(self.shown)
        self.scores.grade(self.shown, "", keep=False)
        self.show_state()
        self.name_panes()

    def on_answer_pane_opened(self) -> None:
        """Give the view that was gone to its room."""
        self.fit()

    def on_first_drawn(self) -> None:
        """Read and show what the first frame did without. What is typed waits for it, as for a command."""
        self.run_worker(self._become_whole(), group=COMMANDS)

    async def _become_whole(self) -> None:
        """Do that in steps, so that a resize is handled in between; a thread reads the decks."""
        problem = None
        try:
            self.review.join(*await in_background(decks_to_join, self.review, self.settings))
        except SampleUIError as error:
            problem = error
        await asyncio.sleep(0)
        from sampleui.tui.review.commenting import CommentInput
        from sampleui.tui.widgets.conversation import Conversation
        from sampleui.tui.widgets.filter_input import FilterInput

        hint = "words, or verdict:none, target:x, score<0.5, role:tool"
        self.search_input = FilterInput(hint, id="review-search", debounce_s=_DEBOUNCE_S)
        self.comment_input = CommentInput()
        self.conversation = Conversation(id=_TURNS)
        await asyncio.sleep(0)
        from sampleui.tui.review.feed import begin, watch
        from sampleui.tui.trace.trace_view import TraceView

        self.trace_view = TraceView(id="trace")
        await asyncio.sleep(0)
        with self.app.batch_update():
            await self._turns_place.remove()
            await self.queue_pane.mount(self.search_input, before=0)
            await self.mount(self.comment_input, before=self.verdict_bar)
            await self._middle.mount(self.conversation, before=0)
            await self._right.mount(self.trace_view)
            self._is_whole = True
            self.name_panes()
            begin(self)
            watch(self)
        if problem is not None:
            self.complain(problem)

    def show_keys(self) -> None:
        """Show what can be done; nothing can before all that commands act on is there."""
        if self._is_whole:
            super().show_keys()
            scope = "queue" if self.scope in TYPING else self.scope
            keys = {verdict: self.keymap.keys_in(scope, self.registry[f"verdict.{verdict}"]) for verdict in Verdict}
            labels = {verdict: key_label(first[0]) if first else "" for verdict, first in keys.items()}
            if self.verdict_bar.name_keys(labels):
                self.queue.refresh()

    @property
    def at_once(self) -> frozenset[str]:
        """The keys that end what is at work: reading, searching, figures. They need not wait for it."""
        if not self._is_whole:
            return frozenset()
        from sampleui.tui.review.feed import is_reading

        return frozenset({"escape", "ctrl+q"}) if self.figuring or is_reading(self) else frozenset()

    def run_command(self, command: Command[Any]) -> None:
        """Run a command; one that is about something else ends that the record decided last is spoken of."""
        if command.id.partition(".")[0] not in ("verdict", "comment", "app"):
            self.review.state = replace(self.review.state, just_decided=None)
        super().run_command(command)

    def go(self, state: ReviewState) -> None:
        """Show another state of the review."""
        self.review.state = state
        self.show_all()

    def know_answers(self, groups: Sequence[Sequence[int]]) -> None:
        """Note which records have the same answer."""
        alike = {index: group for group in groups for index in group}
        self.review.state = replace(self.review.state, alike=alike)
        self.show_keys()

    def keep_typed(self) -> None:
        """Write down the comment that is being typed."""
        if self._is_whole:
            self.comment_input.keep_typed()

    def on_text_selected(self) -> None:
        """Ask what is said of the words that were selected with the mouse."""
        if self._is_whole and isinstance(self.review.current, int):
            self.comment_input.quote_selected(self.review.current)

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Look for a text in all records."""
        from sampleui.tui.review.narrowing import search

        search(self, message.words)

    def on_filter_input_done(self) -> None:
        """Leave the search, or drop it."""
        from sampleui.tui.review.narrowing import leave_search

        leave_search(self)

    def on_verdict_bar_given(self, message: VerdictBar.Given) -> None:
        """Give the verdict that was clicked."""
        self.run_command(self.registry[f"verdict.{message.verdict}"])

    def show_progress(self, progress: IndexProgress, did: str) -> None:
        """Show how far reading is, and the records that came in where they are worth it."""
        self.index_bar.show(did, progress.done, progress.size)
        if len(self.review.results.entries) > _GROWN * len(self.review.queue.items):
            self._take_in()

    def finish_reading(self, compared: Sequence[Compared], rejoin: bool) -> None:
        """Show the records now that all are known."""
        self.index_bar.show("read", 1, 1)
        self.review.finish_index(compared, rejoin=rejoin)
        self._take_in()
        self.show_record()
        if skipped := self.review.results.skipped:
            first = f"; the first: {diagnostics[0]}" if (diagnostics := self.review.results.diagnostics) else ""
            self.complain(ResultsError(f"{counted(skipped, 'row')} could not be read{first}"))
        elif ended := self.review.results.ended:
            (self.warn if self.review.results.warns else self.say)(ended)
        elif self.review.lacks_asked:
            self.warn(f"there is no record {self.review.options.record_id}")
        elif compared:
            self.say(self.review.comparison_words)

    def _take_in(self) -> None:
        before = None if self.shown.item is None else self.review.current
        self.review.take_in()
        self.show_queue()
        if before is None or before != self.review.current:
            self.show_record()
        else:
            self.show_state()

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        """Show the record that the cursor went to."""
        if message.control is self.queue and self.queue.items:
            spot = self.queue.items[self.queue.cursor]
            if spot != self.review.current:
                was_outside = self.review.state.is_outside  # and leaves the list as the cursor does
                self.review.state = replace(self.review.state.at(spot), just_decided=None)
                if was_outside:
                    self.show_queue()
                self.show_record()

    def on_virtual_list_chosen(self, message: VirtualList.Chosen) -> None:
        """Go to the answer of the record that was clicked."""
        if message.control is self.queue:
            self.set_focus(self.place_to_read)

    def on_conversation_opened(self) -> None:
        """Edit the turn that was clicked twice."""
        self.run_command(self.registry["fix.edit"])
