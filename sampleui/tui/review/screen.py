"""The review screen: the queue, the conversation, expected against actual, scores and trace, and the verdicts."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widget import Widget

from sampleui.errors import ResultsError, SampleUIError
from sampleui.formats.data import DataPath
from sampleui.review.filters import Filters, QueueItem
from sampleui.review.queue import Order
from sampleui.review.results.file import Progress
from sampleui.review.verdict import Verdict
from sampleui.settings.options import Settings
from sampleui.text.confined import packaged_text
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import COMMENT, Command, ScreenKind, key_named
from sampleui.tui.drawing.rows import Row
from sampleui.tui.review.joined import Missing, Spot
from sampleui.tui.review.open_review import decks_to_join, other_run
from sampleui.tui.review.rows.queue import (
    all_decided,
    filter_words,
    heading_cells,
    missing_row,
    order_words,
    queue_row,
    title_of,
)
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.shown import Shown, record_alone
from sampleui.tui.review.widgets import AnswerPane, IndexBar, QueueList, QueueMarks, ScoreView, VerdictBar
from sampleui.tui.screens.base import CommandScreen, in_background
from sampleui.tui.screens.panes import Column, Frame, Pane, PaneRow, put_away, resize
from sampleui.tui.textual_internals import COMMANDS
from sampleui.tui.widgets.bars import caption
from sampleui.tui.widgets.virtual_list import VirtualList

if TYPE_CHECKING:
    from sampleui.review.baseline import Compared
    from sampleui.review.sampling import Draw
    from sampleui.text.terms import Term
    from sampleui.tui.review.boxes import CommentInput, RecordSearch
    from sampleui.tui.review.feed import Feed
    from sampleui.tui.review.fixing import Fixing
    from sampleui.tui.review.matrix import MatrixPlace
    from sampleui.tui.trace.trace_view import TraceView
    from sampleui.tui.widgets.conversation import Conversation
    from sampleui.tui.widgets.filter_input import FilterInput
    from sampleui.workspace.proposed_edits import ProposedEdit

TALL = 52
"""Rows from which scores, timeline and detail have room above each other."""
_TURNS = "turns"
_TRACE = ("timeline", "detail")
_HEADER = 6
_LEAST_TARGET = 8
"""Lines of a trace view beside its events: what it amounts to, and a border."""
_FILTER = 14
"""Cells of a target that is filtered by, in the title of the queue."""
NONE_ALIKE = "no other open record in the filter has this answer"

_GROWN = 1.3
"""By how much the index must have grown for the queue to be sorted again while it is read."""


class ReviewScreen(CommandScreen):
    """Steps through the records of one results file.

    Its first frame shows the queue, and what the first record says by itself. What is beside the record (its
    sample, what was sent, what it did) is read after that, and keys wait for it.
    """

    kept_as = "review"
    home = "answer"
    AUTO_FOCUS: ClassVar[str | None] = "#answer-text"
    _unknown: tuple[str, ...] = ()
    _is_whole = False
    """Whether what the first frame does without is there."""

    kind = ScreenKind.REVIEW
    DEFAULT_CSS = packaged_text(Path(__file__).with_suffix(".tcss"))

    def __init__(self, review: ReviewSession, settings: Settings) -> None:
        super().__init__(settings)
        self.review: ReviewSession = review
        self.shown = Shown()
        self.narrowed = ""
        self.queue_pane = Frame(id="queue-pane")
        self.queue = QueueList(id="queue")
        self.index_bar = IndexBar()
        self._turns_place = Frame(id=_TURNS)
        self.answer = AnswerPane(id="answer")
        self.scores = ScoreView(id="scores")
        self.verdict_bar = VerdictBar()
        self.marks = QueueMarks(self)
        self._before_comment: Widget | None = None
        self.matrix_place: MatrixPlace | None = None
        self._just_decided: int | None = None

    @cached_property
    def fixing(self) -> Fixing:
        """The deck, as it is edited from here; loaded when it is first asked for."""
        from sampleui.tui.review.fixing import Fixing

        return Fixing(self)

    @cached_property
    def feed(self) -> Feed:
        """What is read and looked for in the background."""
        from sampleui.tui.review.feed import Feed

        return Feed(self)

    @cached_property
    def search_input(self) -> RecordSearch:
        """What records are searched for; mounted after the first frame."""
        from sampleui.tui.review.boxes import RecordSearch

        return RecordSearch()

    @cached_property
    def comment_input(self) -> CommentInput:
        """A comment; mounted after the first frame."""
        from sampleui.tui.review.boxes import CommentInput

        return CommentInput()

    @cached_property
    def conversation(self) -> Conversation:
        """The turns and fields of the sample; mounted after the first frame."""
        from sampleui.tui.widgets.conversation import Conversation

        return Conversation(id=_TURNS)

    @cached_property
    def trace_view(self) -> TraceView:
        """What the record did; mounted after the first frame."""
        from sampleui.tui.trace.trace_view import TraceView

        return TraceView(id="trace")

    def compose(self) -> ComposeResult:
        """Yield the panes."""
        yield self.title_bar
        yield self.tabs
        with PaneRow(id="panes"):
            with self.queue_pane:
                yield self.queue
            with Frame(id="middle", classes="pane-row"):
                yield self._turns_place
                yield self.answer
            with Frame(id="right"):
                yield self.scores
        yield self.index_bar
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
        spots, current = review.spots, review.like_errors.row_spot
        row = spots.index(current) if current in spots else self.queue.cursor
        self.queue.show(spots, self._queue_row, row)
        queue = review.queue
        target = review.target_words(queue.filters.target, _FILTER)
        words = filter_words(queue.filters, self.narrowed, queue.order, target)
        self.queue_pane.border_title = Content(f"Queue · {words}")
        by = f"{one_line(decider, 30)} decides · " if (decider := review.results.decider) else ""
        marked = f"{count:,} marked · " if (count := len(self.marks.chosen)) else ""
        caption(self.queue_pane, f"{marked}{by}{len(queue.visible):,} of {len(queue.items):,}")

    def show_record(self) -> None:
        """Show the current record in every pane."""
        from sampleui.tui.review.record_context import flags_of, items_shown, shown_at, trace_shown

        shown = shown_at(self.review)
        same = shown.record is not None and shown.record is self.shown.record and not self.shown.alone
        self.shown = shown
        unknown = self.review.current is None or shown.problem
        self.conversation.empty_hint = "" if unknown else "Neither the deck nor the record says what was asked."
        words = self.review.queue.filters.marked
        items, cursor = items_shown(shown), self.conversation.cursor if same else (0, 0)
        self.conversation.show(items, flags_of(shown, items), cursor, same=same)
        self.conversation.seek(words, keep=same)
        self.answer.show(shown, sought=words, keep=same)
        self.scores.grade(shown, words, keep=same)
        if not same:
            self.trace_view.show(trace_shown(shown, self.review.results.base_dir))
        self.trace_view.seek(words)
        self.show_state()
        self.fit_trace()
        if (self.trace_view.has_class("away")) == (len(self.shown_panes()) == len(self.panes())):
            self.fit()
        self.show_keys()

    def _show_alone(self) -> None:
        """Show what the current record says by itself."""
        self.shown = record_alone(self.review)
        self.answer.show(self.shown)
        self.scores.grade(self.shown, "", keep=False)
        self.show_state()

    @property
    def answer_text(self) -> str:
        """What of the answer of the current record takes the place of the expected one."""
        record = self.shown.record
        return "" if record is None or record.unanswered or record.doubtful else record.compared

    def show_state(self) -> None:
        """Show the title and the verdicts."""
        item = self.shown.item
        self.title_bar.show(title_of(self.review, self.shown, self.has_class("narrow")))
        marked, folded = len(self.marks.chosen), len(self.review.like_errors.folded)
        about = f"for {marked:,} marked" if marked else f"for {folded:,} like errors" if folded else ""
        self.verdict_bar.show(self.review.progress, item.verdict if item else None, self.shown.changed, about)
        self.show_keys()

    def show_marks(self) -> None:
        """Show which records are marked."""
        self.show_queue()
        self.show_state()

    def _queue_row(self, spot: Spot, width: int) -> Row:
        if isinstance(spot, Missing):
            return missing_row(spot, width)
        review = self.review
        item, group = review.queue.items[spot], review.like_errors.group(spot)
        return queue_row(
            item,
            width,
            review.compared.get(spot),
            unjoined=spot in review.unjoined,
            fail_under=review.options.fail_under,
            marked=spot in self.marks.places,
            group=self._group(spot, item, width) if review.queue.order is Order.TARGET else None,
            targets=review.several_targets,
            target=review.target_words(item.entry.target, max(width // 3, _LEAST_TARGET)),
            like=[review.queue.items[index] for index in group.members] if group is not None else (),
            is_open=group is not None and review.like_errors.is_open(group),
            edited=spot in review.proposals.edits,
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
        places = [target for pane, target in shows if pane.shows_match] + [self.trace_view.timeline] * traced
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
        return panes if not self._is_whole or self.trace_view.state.all else panes[: -len(_TRACE)]

    def folded(self, pane: Pane) -> bool:
        """Where all do not fit above each other, the trace is open while it has the focus, and the scores else."""
        inside, tall = self._in_trace, self.app.size.height >= TALL
        return not tall and ((inside and pane.scope == "scores") or (not inside and pane.scope == "detail"))

    def fit(self) -> None:
        """Fit the panes; the column of scores and trace goes with its panes."""
        super().fit()
        narrow, inside = self.has_class("narrow"), self._in_trace
        if self._is_whole:
            traced = len(self.shown_panes()) == len(self.panes())
            self.fit_trace()
            put_away(self.trace_view, not traced or (narrow and not inside))
        put_away(self.query_one("#right"), narrow and not inside and self.scope != "scores")

    # Filters, order and search

    async def choose_filter(self) -> None:
        """Let a filter be chosen."""
        from sampleui.tui.review.filters import filter_choices

        await self.know_reworded()
        choices = filter_choices(self.review, self.narrowed, self.review.queue.filters)
        picked = await self.pick("Show records", list(choices))
        if picked:
            chosen = choices[picked]
            self.narrowed = chosen.narrowed
            self.narrow(chosen.filters)

    async def know_reworded(self) -> None:
        """Wait until it is known which records can be filtered by an expectation that has changed."""
        if self.feed.expecting:
            self.say("looking for expectations that changed since the run")
            await self.feed.done("expectations")
            self.hush()

    def narrow(self, filters: Filters) -> None:
        """Show other records."""
        if not filters.text and not self.search_input.has_focus:
            self.search_input.shut()
            self.review.sought = ""  # a field that is hidden seeks nothing: the same may be typed again
        self.review.narrow(filters)
        self.show_all()

    def turn_order(self) -> None:
        """Sort in the next order that there is for these records."""
        review, queue = self.review, self.review.queue
        lacking = {
            Order.TARGET: not review.several_targets,
            Order.UNSTABLE: not review.attempts,
            Order.DRAWN: review.draws.last is None,
        }
        orders = [order for order in Order if not lacking.get(order)]
        position = orders.index(queue.order) if queue.order in orders else -1
        self.review.queue = queue.shown(order=orders[(position + 1) % len(orders)])
        self.show_all()
        self.say(f"sorted {order_words(self.review.queue.order)}")

    def take_draw(self, drawn: Draw) -> None:
        """Show the records of a draw when the log has it."""
        from sampleui.tui.review.filters import SAMPLED

        try:
            line = self.review.draws.take(drawn)
        except ResultsError as error:
            self.complain(error)
            return
        self.narrowed = SAMPLED
        self.show_all()
        self.say(line)

    def open_search(self) -> None:
        """Let a text be typed that records are searched for."""
        self.review.begin_search()
        self.search_input.open()

    def on_filter_input_narrowed(self, message: FilterInput.Narrowed) -> None:
        """Look for a text in all records."""
        if message.words == self.review.sought:
            return
        self.review.sought = message.words
        self.feed.stop_search()
        if message.words:
            self.feed.search(message.words)
        else:
            self.show_found("", frozenset())

    def end_search(self) -> None:
        """Show the records that a search left out again."""
        self.review.sought = ""
        self.feed.stop_search()
        self.show_found("", frozenset())

    def on_filter_input_done(self) -> None:
        """Go to the queue, or back to where the search was opened if it was dropped."""
        self.set_focus(self.search_input.next_focus(self.queue))
        if not self.search_input.value:
            self.search_input.shut()
        self.run_worker(self._finish_search(), group=COMMANDS)

    async def _finish_search(self) -> None:
        await self.feed.done("search")
        self.review.end_search()
        self._tell_found()

    def show_found(
        self, words: str, found: frozenset[int], terms: tuple[Term, ...] = (), unknown: tuple[str, ...] = ()
    ) -> None:
        """Show the records that a search found, if it is still the last one."""
        if words != self.review.sought:
            return
        self.index_bar.show("", 1, 1)
        self.narrow(self.review.queue.filters._replace(text=words, found=found, terms=terms))
        self._unknown = unknown
        self._tell_found()

    def _tell_found(self) -> None:
        queue, words = self.review.queue, self.review.sought
        among = len(queue.shown(queue.filters._replace(text="", found=frozenset(), terms=())).visible)
        count = f"{len(queue.visible):,} of {among:,}: {words}"
        if words and self._unknown:
            from sampleui.tui.review.filters import known_in
            from sampleui.workspace.filtering import no_field

            known = known_in(self.review.results, self.review.decks)
            missing = no_field(self._unknown, "no record or sample", known)
            self.warn(f"{len(queue.visible):,} of {among:,}: {missing}")
        else:
            self.say(count if words else f"{among:,} records again")

    # What keys do

    def on_mount(self) -> None:
        """Show the queue and what the first record says by itself."""
        self.review.take_in()
        self.name_panes()
        self._show_alone()

    def on_first_drawn(self) -> None:
        """Read and show what the first frame did without. What is typed waits for it, as for a command."""
        self.run_worker(self._become_whole(), group=COMMANDS)

    async def _become_whole(self) -> None:
        """Do so in pieces, between which a new size of the terminal is taken over; a thread reads the decks."""
        problem = None
        try:
            if self.review.options.decks is None:
                self.review.join(*await in_background(decks_to_join, self.review, self.settings))
        except SampleUIError as error:
            problem = error
        await asyncio.sleep(0)
        turns = self.conversation
        await asyncio.sleep(0)
        trace = self.trace_view
        await asyncio.sleep(0)
        with self.app.batch_update():
            await self._turns_place.remove()
            await self.queue_pane.mount(self.search_input, before=0)
            await self.mount(self.comment_input, before=self.verdict_bar)
            await self.query_one("#middle").mount(turns, before=0)
            await self.query_one("#right").mount(trace)
            self._is_whole = True
            self.name_panes()
            self._begin()
        if problem is not None:
            self.complain(problem)

    def show_keys(self) -> None:
        """Show what can be done; nothing can before all that commands act on is there."""
        if self._is_whole:
            super().show_keys()

    def _begin(self) -> None:
        from sampleui.tui.review.boxes import offer_waiting

        self.review.take_in()
        self.show_all()
        if hint := self.review.hint:
            (self.warn if self.review.options.hint else self.say)(hint)
        self.feed.index()
        if (
            self.review.results.complete
        ):  # what is typed is about the record to begin with, known when all is settled
            self.run_worker(self.feed.done("index"), group=COMMANDS)
        self.run_worker(offer_waiting(self), group=COMMANDS)

    @property
    def at_once(self) -> frozenset[str]:
        """The keys that end what is at work: reading, searching, figures. They need not wait for it."""
        return frozenset({"escape", "ctrl+q"}) if self.feed.reading or self.feed.figuring else frozenset()

    def run_command(self, command: Command[Any]) -> None:
        """Run a command; one that is about something else ends that the record decided last is spoken of."""
        if command.id.partition(".")[0] not in ("verdict", "comment", "app"):
            self._just_decided = None
        super().run_command(command)

    def step(self, by: int) -> None:
        """Go to another record in the filter."""
        if self.review.step(by):
            self.show_all()
        else:
            self.refuse(f"this is the {'last' if by > 0 else 'first'} record in the filter")

    def next_unreviewed(self) -> None:
        """Go to the next record that is not decided."""
        if self.review.next_unreviewed():
            self.show_all()

    def decide(self, verdict: Verdict) -> Awaitable[None] | None:
        """Record a verdict about all that are marked, or else about the current record, and go on.

        A sample that expects the wrong thing is offered to be fixed first.
        """
        if marked := self.marks.chosen:
            return self._decide_marked(verdict, marked)
        if folded := self.review.like_errors.folded:
            return self._decide_like(verdict, folded)
        decided = self.review.item.entry.index
        comment_stays = not self.review.comments.waiting_for(decided) and self.review.comments.of(decided)
        decision = self.review.verdicts.decide(verdict)
        stays = "; your comment stays" if comment_stays and decision.comment else ""
        line = f"recorded {verdict} for {decision.record_id}{stays}"
        if verdict is Verdict.EXPECTED_WRONG and self.fixing.possible and not self.shown.changed:
            self.show_all()
            return self._offer_fix(line, decided)
        self._go_on(line, decided)
        return None

    async def _decide_marked(self, verdict: Verdict, marked: Sequence[int]) -> None:
        made = await self.review.verdicts.decide_all(verdict, marked)
        self.marks.clear()
        alone = marked[0] if len(marked) == 1 else None
        self._go_on(f"recorded {verdict} for {counted(len(made), 'record')}", alone)

    async def _decide_like(self, verdict: Verdict, folded: Sequence[int]) -> None:
        """Record a verdict about errors that are one row: the open ones, or all where none is.

        The comment that waits on the one that is shown is on all that have none.
        """
        undecided = [index for index in folded if self.review.queue.items[index].verdict is None]
        comment = self.review.comments.waiting_for(self.review.item.entry.index)
        made = await self.review.verdicts.decide_all(verdict, undecided or folded, comment=comment)
        self._go_on(f"recorded {verdict} for {counted(len(made), 'record')} with this same error", None)

    def turn_group(self) -> None:
        """Give each of several like errors a row, or all of them one."""
        group = self.review.like_errors.turn()
        assert group is not None, "what the command needs"
        self.show_queue()
        self.show_state()
        what = f"{counted(len(group.members), 'record')} of one sample with this same error"
        self.say(what if self.review.like_errors.is_open(group) else f"{what}, as one row")

    @property
    def proposed_to(self) -> tuple[Sequence[int], Sequence[ProposedEdit]]:
        """The records that are marked, or of the current row, with open proposals, and the edits of these."""
        review = self.review
        here = [review.current] if isinstance(review.current, int) else []
        among = self.marks.chosen or review.like_errors.folded or here
        edits = {item.id: item for index in among for item in review.proposals.edits.get(index, ())}
        if not among:
            edits = {item.id: item for item in review.proposals.here}
        return [index for index in among if review.proposals.waiting(index)], [*edits.values()]

    async def take_proposals(self) -> None:
        """Take what programs propose: edits of the sample after a look at their diff, then the verdicts."""
        review = self.review
        indexes, edits = self.proposed_to
        for item in edits:
            if not await self.fixing.take_proposed(item):
                return
        taken = await review.proposals.take(indexes)
        self.marks.clear()
        if taken:
            what = f"{taken[0].verdict} for {taken[0].record_id}" if len(taken) == 1 else f"{len(taken):,} verdicts"
            by = {one_line(decision.proposed_by or "", 40) for decision in taken}
            alone = next((index for index in indexes), None) if len(taken) == 1 else None
            self._go_on(f"took {what}, proposed by {', '.join(sorted(by))}", alone)
        else:
            self.show_all()

    def refuse_proposals(self) -> None:
        """Refuse what programs propose."""
        indexes, edits = self.proposed_to
        self.fixing.refuse_proposed(edits)
        refused = self.review.proposals.refuse(indexes)
        self.marks.clear()
        self.show_all()
        undo = key_named("verdict.undo", "u")
        self.say(f"refused {counted(len(edits) + len(refused), 'proposal')}; {undo} takes it back")

    async def _offer_fix(self, line: str, decided: int) -> None:
        answers = {"e": "Edit what the sample expects"}
        if self.answer_text:
            answers["x"] = "Take the actual answer as expected"
        answer = await self.confirm(f"{line[0].upper()}{line[1:]}.", {**answers, "n": "Go on to the next record"})
        if answer == "e":
            await self.fixing.edit()
        elif answer == "x" and await self.fixing.take():
            self._go_on(f"{line} and took the answer into the deck", decided)
        elif answer == "n":
            self._go_on(line, decided)

    def _go_on(self, line: str, decided: int | None) -> None:
        alike = 0 if decided is None else len(self.review.same_answers.alike(decided))
        more = self.review.next_unreviewed()
        self._just_decided = decided
        self.show_all()
        if alike:
            self.say(f"{line}; = decides all {alike + 1:,} with this same answer")
        else:
            self.say(line if more else f"{line}; {all_decided(self.review.progress)}")

    def know_answers(self, groups: Sequence[Sequence[int]]) -> None:
        """Take note of which records have the same answer."""
        self.review.same_answers.know(groups)
        self.show_keys()

    async def decide_alike(self) -> None:
        """Give the verdict on the record decided just now, or else on this one, to those with the same answer."""
        review, about = self.review, self.about
        await self.feed.done("answers")
        entry, verdict = review.queue.items[about].entry, review.verdicts.own(about)
        others = review.same_answers.alike(about)
        if verdict is None or not others:
            lacking = f"{entry.id} has no verdict of yours yet" if verdict is None else NONE_ALIKE
            self.refuse(lacking)
            return
        own = [index for index in others if review.queue.items[index].entry.case == entry.case]
        if len(own) < len(others):
            answers = {"a": f"All {len(others) + 1:,}, whatever they were asked"}
            if own:
                answers["s"] = f"The {len(own) + 1:,} that answer this sample"
            picked = await self.confirm(f"Decide all with the answer of {entry.id}: {verdict}?", answers)
            if not picked:
                return
            others = own if picked == "s" else others
        decisions = await review.verdicts.decide_alike(about, others)
        self._go_on(f"recorded {verdict} for {len(decisions):,} more with this same answer", None)

    async def undo(self) -> None:
        """Take back what was done last: a fix saved in this review, a comment that waits, or a verdict."""
        self._just_decided = None
        review = self.review
        done = (self.fixing.last, review.comments.last, review.verdicts.last(), self.fixing.last_refused)
        last = max((item for item in done if item is not None), key=lambda item: item.time, default=None)
        if last is None:
            self.refuse("nothing to undo")
        elif last is done[0]:
            if line := await self.fixing.take_back():
                self.say(line)
        elif last is done[3]:
            line = self.fixing.unrefuse()
            self.show_all()
            self.say(line)
        elif last is done[1]:
            line = review.comments.take_back()
            self.show_all()
            self.say(line)
        elif undone := review.verdicts.undo():
            line = review.verdicts.told_undo(undone)
            self.show_all()
            self.say(line)

    @property
    def about(self) -> int:
        """The record decided just now, or else the current one, by its index.

        Raises:
            EditRefusedError: if there is no record here.
        """
        return self._just_decided if self._just_decided is not None else self.review.item.entry.index

    def open_comment(self) -> None:
        """Let a comment be typed: on the record decided just now, or else on the current one."""
        review, just, about = self.review, self._just_decided, self.about
        self._just_decided = None
        item = review.queue.items[about]
        self._before_comment = self.focused
        self.comment_input.open(review.comments.of(about), about, item.entry.id)
        if just is not None:
            self.say(f"the comment is on {item.entry.id}, decided just now: {item.verdict}")

    def on_comment_input_written(self, message: CommentInput.Written) -> None:
        """Keep a comment."""
        self.set_focus(self._before_comment or self.answer.view)
        if message.text is None:
            return
        try:
            decision = self.review.comments.write(message.text, self.comment_input.about)
        except ResultsError as error:
            self.show_all()
            self.complain(error)
            return
        self.show_all()
        if decision is not None:
            self.say(f"recorded the comment on {decision.record_id}")
        else:
            self.say("the comment waits for the verdict" if message.text else "no comment waits for the verdict")

    def keep_typed(self) -> None:
        """Write down the comment that is being typed."""
        if self.scope == COMMENT and (text := self.comment_input.value.strip()):
            self.review.comments.keep(self.review.queue.items[self.comment_input.about].entry.digest, text)

    def on_verdict_bar_given(self, message: VerdictBar.Given) -> None:
        """Give the verdict that was clicked."""
        self.run_command(self.registry[f"verdict.{message.verdict}"])

    def show_progress(self, progress: Progress, did: str) -> None:
        """Show how far reading is, and the records that came in where they are worth it."""
        self.index_bar.show(did, progress.done, progress.size)
        if len(self.review.results.entries) > _GROWN * len(self.review.queue.items):
            self._take_in()

    def finish_reading(self, compared: Sequence[Compared], rejoin: bool) -> None:
        """Show the records now that all are known."""
        self.index_bar.show("read", 1, 1)
        self.review.take_in()
        self.review.settle(compared, rejoin=rejoin)
        self.narrowed = "differs from the baseline" if compared else self.narrowed
        self._take_in()
        self.show_record()
        self.feed.compare_expectations()
        self.feed.compare_answers()
        if skipped := self.review.results.skipped:
            first = f"; the first: {told[0]}" if (told := self.review.results.diagnostics) else ""
            self.complain(ResultsError(f"{counted(skipped, 'row')} could not be read{first}"))
        elif ended := self.review.results.ended:
            self.warn(ended)
        elif missing := self.review.unfound:
            self.warn(f"there is no record {missing}")
        elif compared:
            self.say(self.review.comparison_words)

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

    def reveal_trace(self, pane: str) -> None:
        """Show a pane of the trace where it is hidden; empty for none."""
        target = {"timeline": self.trace_view.timeline, "detail": self.trace_view.detail.view}.get(pane)
        if target is None:
            return
        if self.has_class("narrow"):
            if pane == "detail" or self.scope != "detail":
                self.set_focus(target)
        elif pane == "detail" and self.trace_view.detail.has_class("away"):
            self.set_focus(self.trace_view.timeline)

    def reload(self, scorer: str | None = None) -> None:
        """Read the results again and stay at the record, another scorer deciding what passed if one is named."""
        self.review.reload(scorer)
        self.marks.clear()
        self.show_all()
        self.say(f"{scorer} decides what passed" if scorer else "reading the results again")
        self.feed.index()
        self.run_worker(self.feed.done("index"), group=COMMANDS)

    def open_run(self, index: Path, record_id: str = "", baseline: Path | None = None) -> None:
        """Review another run instead of this one, from a record on, against a baseline, where these are given."""
        from sampleui.tui.review.fixing import Fixing

        self.feed.stop_search()
        options = self.review.options if baseline is None else self.review.options._replace(baseline=baseline)
        self.review = other_run(index, options, self.settings, record_id)
        self.fixing, self._just_decided, self.narrowed = Fixing(self), None, ""
        self.search_input.shut()
        self.marks = QueueMarks(self)
        self._begin()

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        """Show the record that the cursor went to."""
        if message.control is self.queue and self.queue.spots:
            spot = self.queue.spots[self.queue.cursor]
            if spot != self.review.like_errors.row_spot:
                self._just_decided = None
                self.review.current = spot
                self.show_record()

    def on_virtual_list_chosen(self, message: VirtualList.Chosen) -> None:
        """Go to the answer of the record that was clicked."""
        if message.control is self.queue:
            self.set_focus(self.place_to_read)

    def on_conversation_opened(self) -> None:
        """Edit the turn that was clicked twice."""
        self.run_command(self.registry["fix.edit"])
