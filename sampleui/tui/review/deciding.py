"""What a review screen does as verdicts are given: who they are about, what is offered then, and where to go on."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import TYPE_CHECKING

from sampleui.review.verdict import Decision, LogAction, Verdict
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.commands import key_named
from sampleui.tui.review.boxes import ShowProposals
from sampleui.tui.review.comments import own_verdict
from sampleui.tui.review.proposals import answer, takeable, taken_words, waiting
from sampleui.tui.review.rows.queue import all_decided
from sampleui.tui.review.session_verdicts import (
    decide_alike,
    decide_all,
    give_verdict,
    last_decision,
    undo_verdicts,
    undo_words,
)
from sampleui.tui.screens import asking

if TYPE_CHECKING:
    from sampleui.tui.review.notes import NotesScreen
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.workspace.proposed_edits import ProposedEdit

NONE_ALIKE = "no other open record in the filter has this answer"


class Deciding:
    """The verdicts and proposals of a review screen, and what comments are about.

    Attributes:
        just_decided: the record decided just now, which what follows is about; None once something else was done.
    """

    def __init__(self, screen: ReviewScreen) -> None:
        self._screen = screen
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
        """Take what programs propose: edits of the sample after a look at their diff, then all else.

        What does not stand on the screen, whole, is shown first, where some of it may be refused.
        """
        review = self._screen.review
        indexes, edits = self.proposed_to
        proposed = [(index, item) for index in indexes for item in takeable(review, index)]
        seen = self._screen.proposal_bar.shows([item for _, item in proposed])
        for edit in edits:
            if not await self._screen.fixing.take_proposed(edit):
                return
        made = await take_seen(self._screen, proposed, seen=seen)
        if made is None:
            return
        self._screen.marks.clear()
        alone = indexes[0] if indexes and len(made) == 1 else None
        if made:
            self._go_on(answered_words(made), alone)
        else:
            self._screen.show_all()

    async def refuse_proposals(self) -> None:
        """Refuse what programs propose."""
        review = self._screen.review
        indexes, edits = self.proposed_to
        self._screen.fixing.refuse_proposed(edits)
        refused = await answer(review, (), [item for index in indexes for item in waiting(review, index)])
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
        just, about = self.just_decided, self.about
        self.just_decided = None
        item = self._screen.review.queue.items[about]
        self._screen.comment_input.open(about, in_trace=just is None)
        if just is not None:
            self._screen.say(f"the comment is on {item.entry.id}, decided just now: {item.verdict}")


async def take_seen(
    screen: ReviewScreen | NotesScreen, proposed: Sequence[tuple[int, Decision]], *, seen: bool
) -> tuple[Decision, ...] | None:
    """Take what is proposed about records once it has stood on the screen, and refuse what is refused there.

    Returns:
        what was written into the log; None where one has thought better of it.
    """
    refused: frozenset[int] = frozenset()
    if proposed and not seen:
        items = [item for _, item in proposed]
        answered = await screen.answer_to(ShowProposals(items, taken_words(screen.review.log, items)))
        if answered is None:
            return None
        refused = answered
    taken = [item for number, item in enumerate(proposed) if number not in refused]
    return await answer(screen.review, taken, [proposed[number][1] for number in sorted(refused)])


def answered_words(made: Sequence[Decision]) -> str:
    """Say what was taken of what programs propose, and what was refused."""
    taken = [item for item in made if item.kind is not LogAction.REFUSE]
    by = ", ".join(sorted({one_line(item.proposed_by or item.reviewer, 40) for item in made}))
    refused = len(made) - len(taken)
    no = f"refused {refused:,}" if refused else ""
    if len(taken) == 1:
        (item,) = taken
        what = f"{item.code} {item.label}" if item.label else "a comment"
        about = f"{item.verdict or what} for {item.record_id}" if item.record else f"the code {item.code}"
        return " and ".join(filter(None, (f"took {about}", no))) + f", proposed by {by}"
    kinds = {("verdict" if item.verdict else "label" if item.label else "proposal") for item in taken}
    kind = kinds.pop() if len(kinds) == 1 else "proposal"
    yes = f"took {counted(len(taken), kind)}" if taken else ""
    return " and ".join(filter(None, (yes, no))) + f", proposed by {by}"
