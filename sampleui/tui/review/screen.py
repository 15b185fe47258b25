"""The review screen: the queue, the conversation, expected against actual, scores and trace, and the verdicts."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Any

from textual.widget import Widget

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath
from sampleui.review.baseline import Compared
from sampleui.review.results.file import Progress
from sampleui.review.verdict import Verdict
from sampleui.settings.options import Settings
from sampleui.text.counting import counted
from sampleui.tui.commands import COMMENT, Command, ScreenKind
from sampleui.tui.input.settled import COMMANDS
from sampleui.tui.review.feed import Feed
from sampleui.tui.review.fixing import Fixing
from sampleui.tui.review.narrowing import ReviewNarrowing
from sampleui.tui.review.rows.queue import all_decided
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.waiting import offer_waiting
from sampleui.tui.review.widgets.bars import CommentInput, VerdictBar
from sampleui.tui.widgets.virtual_list import VirtualList

_GROWN = 1.3
"""By how much the index must have grown for the queue to be sorted again while it is read."""


class ReviewScreen(ReviewNarrowing):
    """Steps through the records of one results file."""

    kind = ScreenKind.REVIEW
    DEFAULT_CSS = Path(__file__).with_suffix(".tcss").read_text(encoding="utf-8")

    def __init__(self, review: ReviewSession, settings: Settings) -> None:
        super().__init__(review, settings)
        self.fixing = Fixing(self)
        self.feed = Feed(self, self)
        self._before_comment: Widget | None = None
        self._just_decided: int | None = None

    def on_mount(self) -> None:
        """Show the first record, and read on."""
        self.name_panes()
        self._begin()

    def _begin(self) -> None:
        self.review.take_in()
        self.show_all()
        if hint := self.review.hint:
            (self.warn if self.review.options.hint else self.say)(hint)
        self.feed.index()
        self.run_worker(offer_waiting(self), group=COMMANDS)

    @property
    def at_once(self) -> frozenset[str]:
        """The keys that need not wait until the results are read or searched: those that end that."""
        return frozenset({"escape", "ctrl+q"}) if self.feed.reading else frozenset()

    def run_command(self, command: Command[Any]) -> None:
        """Run a command; one that is about something else ends that the record decided last is spoken of."""
        if command.id.partition(".")[0] not in ("verdict", "comment", "app"):
            self._just_decided = None
        super().run_command(command)

    # Stepping and deciding

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
        """Record a verdict and go on; a sample that expects the wrong thing is offered to be fixed first."""
        decided = self.review.item.entry.index
        made = self.review.decide(verdict)
        said = f"recorded {verdict} for {made.record_id}"
        if verdict is Verdict.EXPECTED_WRONG and self.fixing.possible and not self.shown.changed:
            self.show_all()
            return self._offer_fix(said, decided)
        self._go_on(said, decided)
        return None

    async def _offer_fix(self, said: str, decided: int) -> None:
        answers = {"e": "Edit what the sample expects"}
        if self.answer_text:
            answers["x"] = "Take the actual answer as expected"
        answer = await self.confirm(f"{said[0].upper()}{said[1:]}.", {**answers, "n": "Go on to the next record"})
        if answer == "e":
            await self.fixing.edit()
        elif answer == "x" and await self.fixing.take():
            self._go_on(f"{said} and took the answer into the deck", decided)
        elif answer == "n":
            self._go_on(said, decided)

    def _go_on(self, said: str, decided: int) -> None:
        more = self.review.next_unreviewed()
        self._just_decided = decided
        self.show_all()
        self.say(said if more else f"{said}; {all_decided(self.review.progress)}")

    async def undo(self) -> None:
        """Take back what was done last: a fix saved in this review, a comment that waits, or a verdict."""
        self._just_decided = None
        review = self.review
        done = (self.fixing.last, review.last_draft, review.last_decision())
        last = max((one for one in done if one is not None), key=lambda one: one.time, default=None)
        if last is None:
            self.refuse("nothing to undo")
        elif last is done[0]:
            if said := await self.fixing.take_back():
                self.say(said)
        elif last is done[1]:
            said = review.undraft()
            self.show_all()
            self.say(said)
        elif (undone := review.undo()) is not None:
            said = review.told_undo(undone)
            self.show_all()
            self.say(said)

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
        self.comment_input.open(review.commented(about), about, item.entry.id)
        if just is not None:
            self.say(f"the comment is on {item.entry.id}, decided just now: {item.verdict}")

    def on_comment_input_written(self, message: CommentInput.Written) -> None:
        """Keep a comment."""
        self.set_focus(self._before_comment or self.answer.view)
        if message.text is None:
            return
        try:
            made = self.review.comment(message.text, self.comment_input.about)
        except ResultsError as error:
            self.show_all()
            self.complain(error)
            return
        self.show_all()
        if made is not None:
            self.say(f"recorded the comment on {made.record_id}")
        else:
            self.say("the comment waits for the verdict" if message.text else "no comment waits for the verdict")

    def keep_typed(self) -> None:
        """Write down the comment that is being typed."""
        text = self.comment_input.value.strip()
        if self.scope == COMMENT and text:
            self.review.draft(self.review.queue.items[self.comment_input.about].entry.digest, text)

    def on_verdict_bar_given(self, message: VerdictBar.Given) -> None:
        """Give the verdict that was clicked."""
        self.run_command(self.registry[f"verdict.{message.verdict}"])

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
        if skipped := self.review.results.skipped:
            first = f"; the first: {told[0]}" if (told := self.review.results.diagnostics) else ""
            self.complain(ResultsError(f"{counted(skipped, 'row')} could not be read{first}"))
        elif ended := self.review.results.ended:
            self.warn(ended)
        elif compared:
            self.say(self.review.comparison_words)

    def expects(self, reworded: frozenset[int]) -> None:
        """Take note of the records whose sample expects something else than when it was run."""
        self.review.reworded = reworded

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
        self.show_all()
        self.say(f"{scorer} decides what passed" if scorer else "reading the results again")
        self.feed.index()
        self.run_worker(self.feed.done("index"), group=COMMANDS)

    def open_run(self, index: Path) -> None:
        """Review another run instead of this one."""
        from sampleui.tui.review.beginning import other_run

        self.feed.stop_search()
        self.review = other_run(index, self.review.options, self.settings)
        self.fixing, self._just_decided, self.narrowed = Fixing(self), None, ""
        self.search_input.shut()
        self._begin()

    def open_report(self) -> None:
        """Show the figures."""
        from sampleui.review.reports.report import report_of
        from sampleui.tui.review.boxes import ReportScreen

        review = self.review
        self.app.push_screen(ReportScreen(report_of(review.results, review.log, review.options.fail_under)))

    def on_virtual_list_moved(self, message: VirtualList.Moved) -> None:
        """Show the record that the cursor went to."""
        if message.control is self.queue and self.queue.spots:
            spot = self.queue.spots[self.queue.cursor]
            if spot != self.review.current:
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
