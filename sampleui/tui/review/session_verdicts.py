"""The verdicts of a review's session: given, settled between reviewers, tagged and taken back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError, ResultsError
from sampleui.review.log.store import differ
from sampleui.review.log.verdict_migration import RunSamples
from sampleui.review.record import Entry, Record
from sampleui.review.session import decision_about
from sampleui.review.verdict import Decision, LogAction, Verdict
from sampleui.runs.sample_as_run import run_samples
from sampleui.text.wording import counted

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


class Verdicts:
    """What the reviewer decides about records; each decision is in the log before the queue moves on."""

    def __init__(self, review: ReviewSession) -> None:
        self._review = review

    @property
    def samples(self) -> RunSamples:
        """What is known of the samples of the records."""
        return run_samples(self._review.results.base_dir, self._review.decks.digest)

    def decide(self, verdict: Verdict) -> Decision:
        """Record a verdict about the current record, with the comment written for it or for the one before.

        Raises:
            EditRefusedError: if there is no record here.
            ResultsError: when the log cannot be written.
        """
        entry = self._review.item.entry
        return self.record(entry, verdict, self._review.comments.of(entry.index), self.tags(entry.index))

    async def decide_all(
        self, verdict: Verdict, indexes: Sequence[int], step: str | None = None, comment: str = ""
    ) -> tuple[Decision, ...]:
        """Record a verdict about several records, which one step of undo takes back, each with its own comment.

        Many take a while to be read, which is done outside the thread that draws.

        Args:
            verdict: what is decided.
            indexes: the records.
            step: the id of a decision that they are one step with; None for the first of them.
            comment: that of the records that have none of their own.

        Raises:
            ResultsError: when a record cannot be read, or the log cannot be written; then none is decided.
        """

        def decisions() -> list[Decision]:
            made: list[Decision] = []
            for index in indexes:
                said, first = self._review.comments.of(index) or comment, made[0].id if made else None
                decision = self.about(self._review.results.record(index), verdict, said, self.tags(index))
                made.append(replace(decision, step=step or first))
            return made

        made = self._review.log.append_all(await asyncio.to_thread(decisions))
        for decision in made:
            with contextlib.suppress(ResultsError):  # they are recorded: at worst a comment is offered again
                self._review.comments.keep(decision.record, "")
        self._review.revise({decision.record for decision in made})
        return made

    def own_verdict(self, index: int) -> Verdict | None:
        """Return the verdict that the reviewer gave a record, None if there is none."""
        mine = self._review.own_decision(self._review.queue.items[index].entry.digest)
        return mine.verdict if mine is not None else None

    async def decide_alike(self, index: int, others: Sequence[int]) -> tuple[Decision, ...]:
        """Give other records one's verdict on a record; one step of undo takes all of these back.

        Raises:
            ResultsError: as `decide_all` does.
        """
        mine = self._review.own_decision(self._review.queue.items[index].entry.digest)
        assert mine is not None and mine.verdict is not None, "what the command needs"
        return await self.decide_all(mine.verdict, others, mine.step or mine.id)

    def adjudicate(self, verdict: Verdict) -> Decision:
        """Settle what reviewers disagree on about the current record.

        Raises:
            EditRefusedError: when they do not disagree, or there is no record here.
            ResultsError: when the log cannot be written.
        """
        entry = self._review.item.entry
        if not self.disagreement:
            raise EditRefusedError(f"reviewers do not disagree about {entry.id}")
        before = self._review.log.own_decision(entry.digest, self._review.options.reviewer, settles=True)
        comment = self._review.comments.drafts.get(entry.digest, before.comment if before is not None else "")
        return self.record(entry, verdict, comment, before.tags if before else (), kind=LogAction.ADJUDICATE)

    @property
    def disagreement(self) -> tuple[Decision, ...]:
        """What reviewers said about the current record, where they disagree, whether that is settled or not."""
        if not isinstance(self._review.current, int):
            return ()
        decisions = self._review.log.by_reviewer(self._review.item.entry.digest)
        return tuple(decisions.values()) if differ(decisions.values()) else ()

    def tag(self, tags: tuple[str, ...], index: int) -> Decision:
        """Tag one's verdict on a record, or one's ruling, with kinds of failure.

        Raises:
            EditRefusedError: when one has given none.
            ResultsError: when the log cannot be written.
        """
        mine, entry = self.said(index), self._review.queue.items[index].entry
        if mine is None or mine.verdict is None:
            raise EditRefusedError(f"{entry.id} has no verdict of yours yet; kinds of failure go with one")
        return self.record(entry, mine.verdict, mine.comment, tags, mine.kind)

    def said(self, index: int) -> Decision | None:
        """Return the reviewer's verdict on a record, or ruling, whichever is the later; None if there is none."""
        digest, reviewer = self._review.queue.items[index].entry.digest, self._review.options.reviewer
        decisions = (self._review.log.own_decision(digest, reviewer, settles=settles) for settles in (False, True))
        return max((item for item in decisions if item is not None), key=lambda item: item.time, default=None)

    def tags(self, index: int) -> tuple[str, ...]:
        """Return the kinds of failure that the reviewer tagged a record with."""
        mine = self.said(index)
        return mine.tags if mine is not None else ()

    def last(self) -> Decision | None:
        """Return one's last decision that stands, wherever it was given.

        Raises:
            ResultsError: when the log cannot be read.
        """
        self._review.log.refresh()
        return self._review.log.last(self._review.options.reviewer)

    def undo(self) -> tuple[Decision, ...]:
        """Take back one's last decision, or those that were made as one, and go to the first record of these.

        Raises:
            ResultsError: when the log cannot be written.
        """
        undone = self._review.log.undo(self._review.options.reviewer)
        about = {decision.record for decision in undone}
        self._review.revise(about)
        for item in undone:
            if item.comment and item.proposal is None and self._review.decision(item.record) is None:
                with contextlib.suppress(ResultsError):  # the log has it too
                    self._review.comments.keep(item.record, item.comment)
        for item in undone[:1]:
            entry = self._review.results.find(item.record_id)
            if entry is not None and entry.digest == item.record and entry.index < len(self._review.queue.items):
                self._review.current = entry.index
        return undone

    def told_undo(self, undone: Sequence[Decision]) -> str:
        """Say what was taken back, and which earlier decision of one's own counts again."""
        if undone[0].kind is LogAction.REFUSE:
            return f"took back the refusal of {counted(len(undone), 'proposal')}, {undone[0].record_id}"
        verdicts = {item.verdict for item in undone}
        if len(undone) > 1:
            what = undone[0].verdict if len(verdicts) == 1 else "the verdicts"
            return f"took back {what} of {len(undone):,} records"
        (item,) = undone
        settles = item.kind is LogAction.ADJUDICATE
        standing = self._review.log.own_decision(item.record, self._review.options.reviewer, settles=settles)
        if standing is None:
            return f"took back {item.verdict} of {item.record_id}"
        if standing.verdict is not item.verdict:
            return f"took back {item.verdict} of {item.record_id}, which is {standing.verdict} again"
        what = "the comment on" if standing.comment != item.comment else "a change to"
        return f"took back {what} {item.record_id}, which stays {standing.verdict}"

    def record(
        self,
        entry: Entry,
        verdict: Verdict,
        comment: str,
        tags: tuple[str, ...] = (),
        kind: LogAction = LogAction.DECIDE,
    ) -> Decision:
        """Write down a decision about a record; its comment waits no longer.

        Raises:
            ResultsError: when the record cannot be read, or the log cannot be written.
        """
        record = self._review.reader.record(entry.index)
        decision = self._review.log.append(replace(self.about(record, verdict, comment, tags), kind=kind))
        with contextlib.suppress(ResultsError):  # the verdict is recorded: at worst its comment is offered again
            self._review.comments.keep(entry.digest, "")
        self._review.revise({entry.digest})
        return decision

    def about(self, record: Record, verdict: Verdict, comment: str, tags: tuple[str, ...]) -> Decision:
        """Return a decision about a record that is not recorded yet."""
        values, noted = self.samples.values(record), self._review.decks.digest(record)
        decision = decision_about(
            record, verdict, self._review.options.reviewer, values, comment=comment, sample_hash=noted
        )
        return replace(decision, tags=tags)
