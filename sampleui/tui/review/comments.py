"""The comments of a review: those that go with a verdict, and those that wait for one."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sampleui.review.log.waiting_comments import Waiting
from sampleui.review.verdict import Decision, now

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


class Drafted(NamedTuple):
    """A comment that was written without a verdict: on which record, in place of what, and when."""

    record_index: int
    digest: str
    before: str
    time: str


class Comments:
    """What the reviewer writes about records.

    Attributes:
        drafts: by digest of a record, a comment that waits for the verdict.
        drafted: the comments written so in this session, the last one last.
        waiting: where such comments are kept.
    """

    def __init__(self, review: ReviewSession) -> None:
        self._review = review
        self.drafts: dict[str, str] = {}
        self.drafted: list[Drafted] = []
        self.waiting = Waiting(review.results.path, review.options.reviewer)

    def write(self, text: str, index: int) -> Decision | None:
        """Write a comment on a record: recorded with the verdict if there is one, else kept for the one to come.

        Raises:
            ResultsError: when the log cannot be written, or the comment is kept for this session only.
        """
        entry, mine = self._review.queue.items[index].entry, self._review.verdicts.said(index)
        if mine is not None and mine.verdict is not None:
            return self._review.verdicts.record(entry, mine.verdict, text, mine.tags, mine.kind)
        self.drafted.append(Drafted(index, entry.digest, self.drafts.get(entry.digest, ""), now()))
        self.keep(entry.digest, text)
        return None

    def waiting_for(self, index: int) -> str:
        """Return the comment that waits for a verdict on a record; empty if none does."""
        return self.drafts.get(self._review.queue.items[index].entry.digest, "")

    def of(self, index: int) -> str:
        """Return what the reviewer wrote about a record: what waits for the verdict, or else what goes with it."""
        decision = self._review.verdicts.said(index)
        return self.waiting_for(index) or (decision.comment if decision is not None else "")

    def holding(self, words: str) -> frozenset[int]:
        """Return the records on which a comment that the reviewer may see holds a text."""
        wanted = words.casefold()
        return frozenset(
            item.entry.index
            for item in self._review.queue.items
            if any(wanted in text.casefold() for text in (*item.comments, self.drafts.get(item.entry.digest, "")))
        )

    def keep(self, digest: str, text: str) -> None:
        """Let a comment wait for the verdict on its record, even if the session dies; empty for none.

        Raises:
            ResultsError: when it is kept for this session only.
        """
        before = self.drafts.pop(digest, "")
        if text:
            self.drafts[digest] = text
        if text or before:
            self.waiting.keep(digest, text)

    def drop_all(self) -> None:
        """Give up all comments that wait.

        Raises:
            ResultsError: when they cannot be removed.
        """
        for digest in tuple(self.drafts):
            self.keep(digest, "")

    @property
    def last(self) -> Drafted | None:
        """The comment written last that still waits for its verdict."""
        waiting = (item for item in reversed(self.drafted) if item.digest in self.drafts)
        return next(waiting, None)

    def take_back(self) -> str:
        """Take back the comment written last without a verdict, go to its record, and say what was done.

        Raises:
            ResultsError: when it is taken back for this session only.
        """
        drafted = self.last
        assert drafted is not None
        self.drafted.remove(drafted)
        if drafted.record_index < len(self._review.queue.items):
            self._review.current = drafted.record_index
        self.keep(drafted.digest, drafted.before)
        return "took back the comment that waits for a verdict"
