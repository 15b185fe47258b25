"""What programs propose in a review, for records and for their samples, and a person takes or refuses."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.review.verdict import Decision, LogAction
from sampleui.tui.review.joined import Unmatched

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession
    from sampleui.workspace.proposed_edits import ProposedEdit


class Proposals:
    """The verdicts and comments that wait in the log, and the edits that wait beside the decks.

    Attributes:
        edits: by index of a record, the edits that are proposed for its sample.
        edits_elsewhere: those for a sample without a record, and for what is beside the samples.
    """

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self.edits: dict[int, list[ProposedEdit]] = {}
        self.edits_elsewhere: tuple[Unmatched, ...] = ()

    def know(self) -> None:
        """Note the edits that programs propose, as the decks have read them last."""
        waiting = [(index, item) for index, deck in enumerate(self._review.decks) for item in deck.proposals]
        by_sample: dict[tuple[int, str], list[ProposedEdit]] = {}
        for index, item in waiting:
            for sample in item.samples:
                by_sample.setdefault((index, sample), []).append(item)
        self.edits = {}
        for entry in self._review.results.counted if by_sample else ():
            deck_index, name = self._review.decks.sample_index(entry), self._review.decks.name_of(entry)
            if deck_index is not None and name is not None and (deck_index, name) in by_sample:
                self.edits[entry.index] = by_sample[deck_index, name]
        placed = {item.id for items in self.edits.values() for item in items}
        self.edits_elsewhere = tuple(
            Unmatched(", ".join(item.samples) or "beside the samples", deck=index, edit=item)
            for index, item in waiting
            if item.id not in placed
        )

    @property
    def here(self) -> Sequence[ProposedEdit]:
        """The edits that are proposed for the sample of the current place."""
        current = self._review.current
        if isinstance(current, int):
            return self.edits.get(current, [])
        return [] if current is None or current.edit is None else [current.edit]

    def waiting(self, index: int) -> tuple[Decision, ...]:
        """Return what programs proposed about a record that waits for the reviewer."""
        digest, reviewer = self._review.queue.items[index].entry.digest, self._review.options.reviewer
        return self._review.log.open_proposals(digest, reviewer)

    def takeable(self, index: int) -> tuple[Decision, ...]:
        """Return what of the proposals about a record can be taken: the last verdict, or else a comment on one."""
        waiting = sorted(self.waiting(index), key=lambda item: (item.time, item.id))
        verdicts = [item for item in waiting if item.verdict is not None]
        alone = waiting[-1:] if self._review.verdicts.own_verdict(index) is not None else []
        return tuple(verdicts[-1:] or alone)

    def next_of(self, index: int) -> tuple[Decision, ...]:
        """Return what of the proposals about a record is to be seen before it is answered."""
        return self.takeable(index) or self.waiting(index)[-1:]

    async def take(self, taken: Sequence[tuple[int, Decision]]) -> tuple[Decision, ...]:
        """Take what programs proposed about records as the reviewer's own, as one step of undo.

        Of several programs' verdicts on a record it is the last one, with its comment and kinds of failure; a
        comment that is proposed alone goes with the verdict that the reviewer has given.

        Args:
            taken: the records and what of `takeable` was seen of each; what waits no longer is left.

        Raises:
            ResultsError: when a record cannot be read, or the log cannot be written; then none is taken.
        """
        review = self._review

        def decisions() -> list[Decision]:
            made: list[Decision] = []
            for index, item in taken:
                if item not in self.takeable(index):
                    continue
                verdict = item.verdict or review.verdicts.own_verdict(index)
                assert verdict is not None, "what can be taken has one"
                comment, tags = item.comment or review.comments.of(index), item.tags or review.verdicts.tags(index)
                decision = review.verdicts.about(review.results.record(index), verdict, comment, tags)
                step = made[0].id if made else None
                made.append(replace(decision, proposal=item.id, proposed_by=item.reviewer, step=step))
            return made

        made = review.log.append_all(await asyncio.to_thread(decisions))
        review.revise({decision.record for decision in made})
        return made

    def refuse(self, indexes: Sequence[int]) -> tuple[Decision, ...]:
        """Refuse what programs proposed about records, as one step of undo.

        Raises:
            ResultsError: when the log cannot be written; then none is refused.
        """
        made: list[Decision] = []
        for item in (item for index in indexes for item in self.waiting(index)):
            refusal = Decision(
                reviewer=self._review.options.reviewer,
                record=item.record,
                record_id=item.record_id,
                sample=item.sample,
                kind=LogAction.REFUSE,
                proposal=item.id,
                proposed_by=item.reviewer,
                step=made[0].id if made else None,
            )
            made.append(refusal)
        refused = self._review.log.append_all(made)
        self._review.revise({decision.record for decision in refused})
        return refused

    def refusals(self, digest: str) -> tuple[Decision, ...]:
        """Return the refusals of proposals that one may see: one's own; once one has decided, all."""
        decided = self._review.own_decision(digest) is not None
        mine = self._review.options.reviewer
        return tuple(item for item in self._review.log.refusals(digest) if decided or item.reviewer == mine)
