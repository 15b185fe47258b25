"""What a review screen does as verdicts are given: who they are about, what is offered then, and where to go on."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

from textual.widget import Widget

from sampleui.errors import ResultsError
from sampleui.review.session import place_of, texts_said
from sampleui.review.verdict import NotePlace, Verdict
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import key_named
from sampleui.tui.review.boxes import ShowProposals
from sampleui.tui.review.comments import own_verdict, own_words
from sampleui.tui.review.proposals import refuse, take, takeable, waiting
from sampleui.tui.review.rows.queue import all_decided
from sampleui.tui.review.session_verdicts import (
    decide_alike,
    decide_all,
    give_verdict,
    last_decision,
    undo_verdicts,
    undo_words,
    write_comment,
)
from sampleui.tui.screens import asking
from sampleui.tui.trace.actions import EVENT_PANES

if TYPE_CHECKING:
    from sampleui.tui.review.boxes import CommentInput
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.workspace.proposed_edits import ProposedEdit

NONE_ALIKE = "no other open record in the filter has this answer"


class Deciding:
    """The verdicts, comments and proposals of a review screen.

    Attributes:
        just_decided: the record decided just now, which what follows is about; None once something else was done.
    """

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
        self._before_comment: Widget | None = None
        self._place: NotePlace | None = None
        self.just_decided: int | None = None

    def decide(self, verdict: Verdict) -> Awaitable[None] | None:
        """Record a verdict about all that are marked, or else about the current record, and go on.

        A sample that expects the wrong thing is offered to be fixed first.
        """
        if marked := self._screen.review.state.marked:
            return self._decide_marked(verdict, marked)
        if folded := self._screen.review.state.folded:
            return self._decide_like(verdict, folded)
        review = self._screen.review
        decided = review.item.entry.index
        decision = give_verdict(review, verdict)
        stays = "; your comment stays" if decision.comment else ""
        line = f"recorded {verdict} for {decision.record_id}{stays}"
        if verdict is Verdict.EXPECTED_WRONG and self._screen.fixing.possible and not self._screen.shown.changed:
            self._screen.show_all()
            return self._offer_fix(line, decided)
        self._go_on(line, decided)
        return None

    async def _decide_marked(self, verdict: Verdict, marked: Sequence[int]) -> None:
        made = await decide_all(self._screen.review, verdict, marked)
        self._screen.marks.clear()
        alone = marked[0] if len(marked) == 1 else None
        self._go_on(f"recorded {verdict} for {counted(len(made), 'record')}", alone)

    async def _decide_like(self, verdict: Verdict, folded: Sequence[int]) -> None:
        """Record a verdict about errors that are one row: the open ones, or all where none is."""
        review = self._screen.review
        undecided = [index for index in folded if review.queue.items[index].verdict is None]
        made = await decide_all(review, verdict, undecided or folded)
        self._go_on(f"recorded {verdict} for {counted(len(made), 'record')} with this same error", None)

    @property
    def proposed_to(self) -> tuple[Sequence[int], Sequence[ProposedEdit]]:
        """The records that are marked, or of the current row, with open proposals, and the edits of these."""
        review = self._screen.review
        among = review.state.chosen
        edits = {item.id: item for index in among for item in review.state.edits.get(index, ())}
        if not among:
            edits = {item.id: item for item in review.state.proposed}
        return [index for index in among if waiting(review, index)], [*edits.values()]

    async def take_proposals(self) -> None:
        """Take what programs propose: edits of the sample after a look at their diff, then the verdicts.

        Verdicts that do not stand on the screen, whole, are shown first.
        """
        review = self._screen.review
        indexes, edits = self.proposed_to
        proposed = [(index, item) for index in indexes for item in takeable(review, index)]
        seen = self._screen.proposal_bar.shows([item for _, item in proposed])
        for edit in edits:
            if not await self._screen.fixing.take_proposed(edit):
                return
        if (
            proposed
            and not seen
            and not await self._screen.answer_to(ShowProposals([item for _, item in proposed]))
        ):
            return
        taken = await take(review, proposed)
        self._screen.marks.clear()
        if taken:
            first = taken[0]
            alone_words = f"{first.verdict or 'a comment'} for {first.record_id}"
            what = (
                alone_words
                if len(taken) == 1
                else f"{len(taken):,} {'verdicts' if all(item.verdict for item in taken) else 'proposals'}"
            )
            by = {one_line(decision.proposed_by or "", 40) for decision in taken}
            alone = next((index for index in indexes), None) if len(taken) == 1 else None
            self._go_on(f"took {what}, proposed by {', '.join(sorted(by))}", alone)
        else:
            self._screen.show_all()

    def refuse_proposals(self) -> None:
        """Refuse what programs propose."""
        indexes, edits = self.proposed_to
        self._screen.fixing.refuse_proposed(edits)
        refused = refuse(self._screen.review, indexes)
        self._screen.marks.clear()
        self._screen.show_all()
        undo = key_named("verdict.undo", "u")
        self._screen.say(f"refused {counted(len(edits) + len(refused), 'proposal')}; {undo} takes it back")

    async def _offer_fix(self, line: str, decided: int) -> None:
        answers = {"e": "Edit what the sample expects"}
        if self._screen.answer_text and not self._screen.fixing.nothing_to_take:
            answers["x"] = "Take the actual answer as expected"
        answers["n"] = "Go on to the next record"
        answer = await asking.confirm(self._screen, f"{line[0].upper()}{line[1:]}.", answers)
        if answer == "e":
            await self._screen.fixing.edit()
        elif answer == "x" and await self._screen.fixing.take():
            self._go_on(f"{line} and took the answer into the deck", decided)
        elif answer == "n":
            self._go_on(line, decided)

    def _go_on(self, line: str, decided: int | None) -> None:
        alike = 0 if decided is None else len(self._screen.review.state.alike_to(decided))
        more = self._screen.review.state.at_open()
        self.just_decided = decided
        self._screen.go(more or self._screen.review.state)
        if alike:
            self._screen.say(f"{line}; = decides all {alike + 1:,} with this same answer")
        else:
            self._screen.say(line if more else f"{line}; {all_decided(self._screen.review.progress)}")

    async def decide_alike(self) -> None:
        """Give the verdict on the record decided just now, or else on this one, to those with the same answer."""
        review, about = self._screen.review, self.about
        await self._screen.feed.done("answers")
        entry, verdict = review.queue.items[about].entry, own_verdict(review, about)
        others = review.state.alike_to(about)
        if verdict is None or not others:
            lacking = f"{entry.id} has no verdict of yours yet" if verdict is None else NONE_ALIKE
            self._screen.refuse(lacking)
            return
        same_case = [index for index in others if review.queue.items[index].entry.case == entry.case]
        if len(same_case) < len(others):
            answers = {"a": f"All {len(others) + 1:,}, whatever they were asked"}
            if same_case:
                answers["s"] = f"The {len(same_case) + 1:,} that answer this sample"
            picked = await asking.confirm(
                self._screen, f"Decide all with the answer of {entry.id}: {verdict}?", answers
            )
            if not picked:
                return
            others = same_case if picked == "s" else others
        decisions = await decide_alike(review, about, others)
        self._go_on(f"recorded {verdict} for {len(decisions):,} more with this same answer", None)

    async def undo(self) -> None:
        """Take back what was done last: a fix saved in this review, a refusal, a verdict or a note."""
        self.just_decided = None
        review = self._screen.review
        fixing = self._screen.fixing
        done = (fixing.last, last_decision(review), fixing.last_refused)
        last = max((item for item in done if item is not None), key=lambda item: item.time, default=None)
        if last is None:
            self._screen.refuse("nothing to undo")
        elif last is done[0]:
            if line := await self._screen.fixing.take_back():
                self._screen.say(line)
        elif last is done[2]:
            line = self._screen.fixing.unrefuse()
            self._screen.show_all()
            self._screen.say(line)
        elif undone := undo_verdicts(review):
            line = undo_words(review, undone)
            self._screen.show_all()
            self._screen.say(line)

    @property
    def about(self) -> int:
        """The record decided just now, or else the current one, by its index.

        Raises:
            EditRefusedError: if there is no record here.
        """
        return self.just_decided if self.just_decided is not None else self._screen.review.item.entry.index

    def open_comment(self) -> None:
        """Open the field for a comment: on the record decided just now, or else on the current one or its event."""
        review, just, about = self._screen.review, self.just_decided, self.about
        self.just_decided = None
        item = review.queue.items[about]
        self._before_comment = self._screen.focused
        self._place = None if just is not None else self._event
        self._open_field(about, item.entry.id)
        if just is not None:
            self._screen.say(f"the comment is on {item.entry.id}, decided just now: {item.verdict}")

    def _open_field(self, about: int, name: str) -> None:
        review, named = self._screen.review, name if self._place is None else f"{name}, {self._place}"
        quotable: Sequence[str] = ()
        with contextlib.suppress(ResultsError):  # a note can be written of a record that cannot be read
            quotable = texts_said(review.reader.record(about)) if self._place is None else ()
        self._screen.comment_input.open(own_words(review, about, self._place), about, named, quotable)

    @property
    def _event(self) -> NotePlace | None:
        """The event of the trace that the cursor is on, where one is in it."""
        event = self._screen.trace_view.event if self._screen.scope in EVENT_PANES.split() else None
        return None if event is None else NotePlace("event", event.number - 1)

    def keep_comment(self, message: CommentInput.Written) -> None:
        """Keep a comment; one that is a quote alone is what the next line is about."""
        text = message.text
        self._screen.set_focus(self._before_comment or self._screen.answer.view)
        if text is not None and text.startswith(">") and "\n" not in text:
            self._quote(text[1:].strip(), self._screen.comment_input.about)
        elif text is not None:
            self.write_comment(text)

    def write_comment(self, text: str) -> None:
        """Write down a comment that was typed, and say where it is."""
        review, about = self._screen.review, self._screen.comment_input.about
        among = review.state.folded if about == review.current and self._place is None else ()
        try:
            written = write_comment(review, text, among or (about,), self._place)
        except ResultsError as error:
            self._screen.show_all()
            self._screen.complain(error)
            return
        self._screen.show_all()
        first = next(iter(written), None)
        where = "" if first is None or first.place is None else f", {first.place}"
        more = f" and {len(written) - 1:,} more" if len(written) > 1 else ""
        done = "no comment now" if first is None else f"recorded the comment on {first.record_id}{more}{where}"
        self._screen.say(done)

    def _quote(self, words: str, about: int) -> None:
        """Ask what is said of words of a record."""
        review = self._screen.review
        try:
            place = place_of(words, review.reader.record(about))
        except ResultsError as error:
            self._screen.complain(error)
            return
        if place is None:
            self._screen.warn(f"the record does not say “{one_line(words, 60)}”; nothing was written")
            return
        self._place = place
        self._open_field(about, review.queue.items[about].entry.id)
