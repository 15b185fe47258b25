"""The part of a review that decides: verdicts, comments, kinds of failure, adjudication, undo."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import NamedTuple

from sampleui.errors import EditRefusedError, ResultsError
from sampleui.review.filters import Item
from sampleui.review.log.carrying import Samples
from sampleui.review.log.store import Log, differ
from sampleui.review.log.waiting import Waiting
from sampleui.review.options import ReviewOptions
from sampleui.review.queue import Queue
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.review.session import decision_about
from sampleui.review.verdict import Decision, Kind, Verdict, now
from sampleui.runs.values import samples_of
from sampleui.tui.review.decks import Decks
from sampleui.tui.review.reading import Reader
from sampleui.tui.review.shown import Spot


class Drafted(NamedTuple):
    """A comment that was written without a verdict: on which record, in place of what, and when."""

    place: int
    digest: str
    before: str
    time: str


class Deciding:
    """Decides about the records of a review. Its attributes are those of the whole session."""

    results: Results
    log: Log
    options: ReviewOptions
    decks: Decks
    reader: Reader
    queue: Queue
    current: Spot | None
    drafts: dict[str, str]
    drafted: list[Drafted]
    waiting: Waiting

    @property
    def samples(self) -> Samples:
        """What is known of the samples of the records."""
        return samples_of(self.results.base_dir, self.decks.digest)

    @property
    def item(self) -> Item:
        """The current record's place in the queue."""
        raise NotImplementedError

    def decide(self, verdict: Verdict) -> Decision:
        """Record a verdict about the current record, with the comment that was written for it.

        Raises:
            EditRefusedError: if there is no record here.
            ResultsError: when the log cannot be written.
        """
        entry = self.item.entry
        return self._append(entry, verdict, self.drafts.get(entry.digest, ""), self.tags(entry.index))

    def adjudicate(self, verdict: Verdict) -> Decision:
        """Settle what reviewers disagree on about the current record.

        Raises:
            EditRefusedError: when they do not disagree, or there is no record here.
            ResultsError: when the log cannot be written.
        """
        entry = self.item.entry
        if not self.disagreement:
            raise EditRefusedError(f"reviewers do not disagree about {entry.id}")
        return self._append(entry, verdict, self.drafts.get(entry.digest, ""), kind=Kind.ADJUDICATE)

    @property
    def disagreement(self) -> tuple[Decision, ...]:
        """What reviewers said about the current record, where they disagree, whether that is settled or not."""
        if not isinstance(self.current, int):
            return ()
        made = self.log.by_reviewer(self.item.entry.digest)
        return tuple(made.values()) if differ(made.values()) else ()

    def tag(self, tags: tuple[str, ...], at: int) -> Decision:
        """Tag one's verdict on a record with kinds of failure.

        Raises:
            EditRefusedError: when one has given none.
            ResultsError: when the log cannot be written.
        """
        entry = self.queue.items[at].entry
        mine = self._own(entry.digest)
        if mine is None or mine.verdict is None:
            raise EditRefusedError(f"{entry.id} has no verdict of yours yet; kinds of failure go with one")
        return self._append(entry, mine.verdict, mine.comment, tags)

    def tags(self, at: int) -> tuple[str, ...]:
        """Return the kinds of failure that the reviewer tagged a record with."""
        mine = self._own(self.queue.items[at].entry.digest)
        return mine.tags if mine is not None else ()

    def comment(self, text: str, at: int) -> Decision | None:
        """Write a comment on a record: recorded with the verdict if there is one, else kept for the one to come.

        Raises:
            ResultsError: when the log cannot be written, or the comment is kept for this session only.
        """
        entry = self.queue.items[at].entry
        mine = self._own(entry.digest)
        if mine is not None and mine.verdict is not None:
            return self._append(entry, mine.verdict, text, mine.tags)
        self.drafted.append(Drafted(at, entry.digest, self.drafts.get(entry.digest, ""), now()))
        self.draft(entry.digest, text)
        return None

    def commented(self, at: int) -> str:
        """Return what the reviewer wrote about a record."""
        digest = self.queue.items[at].entry.digest
        made = self._own(digest)
        return self.drafts.get(digest, made.comment if made is not None else "")

    def draft(self, digest: str, text: str) -> None:
        """Let a comment wait for the verdict on its record, even if the session dies; empty for none.

        Raises:
            ResultsError: when it is kept for this session only.
        """
        before = self.drafts.pop(digest, "")
        if text:
            self.drafts[digest] = text
        if text or before:
            self.waiting.keep(digest, text)

    def drop_drafts(self) -> None:
        """Give up all comments that wait.

        Raises:
            ResultsError: when they cannot be removed.
        """
        for digest in tuple(self.drafts):
            self.draft(digest, "")

    @property
    def last_draft(self) -> Drafted | None:
        """The comment written last that still waits for its verdict."""
        waiting = (one for one in reversed(self.drafted) if one.digest in self.drafts)
        return next(waiting, None)

    def undraft(self) -> str:
        """Take back the comment written last without a verdict, go to its record, and say what was done.

        Raises:
            ResultsError: when it is taken back for this session only.
        """
        drafted = self.last_draft
        assert drafted is not None
        self.drafted.remove(drafted)
        if drafted.place < len(self.queue.items):
            self.current = drafted.place
        self.draft(drafted.digest, drafted.before)
        return "took back the comment that waits for a verdict"

    def last_decision(self) -> Decision | None:
        """Return one's last decision that stands, wherever it was given.

        Raises:
            ResultsError: when the log cannot be read.
        """
        self.log.refresh()
        return self.log.last(self.options.reviewer)

    def undo(self) -> Decision | None:
        """Take back one's last decision and go to its record; None if there is none.

        Raises:
            ResultsError: when the log cannot be written.
        """
        undone = self.log.undo(self.options.reviewer)
        if undone is None:
            return None
        standing, entry = self.decision(undone.record), self.results.find(undone.record_id)
        noted = self.decks.digest(entry) if entry is not None else None
        disputed = self.log.disputed(undone.record)
        self.queue = self.queue.decided(undone.record, standing, noted, disputed=disputed)
        if undone.comment and standing is None:
            with contextlib.suppress(ResultsError):  # the log has it too
                self.draft(undone.record, undone.comment)
        if entry is not None and entry.digest == undone.record and entry.index < len(self.queue.items):
            self.current = entry.index
        return undone

    def told_undo(self, undone: Decision) -> str:
        """Say what was taken back, and which earlier decision of one's own counts again."""
        standing = self._own(undone.record) if undone.kind is Kind.DECIDE else None
        if standing is None:
            return f"took back {undone.verdict} of {undone.record_id}"
        if standing.verdict is not undone.verdict:
            return f"took back {undone.verdict} of {undone.record_id}, which is {standing.verdict} again"
        what = "the comment on" if standing.comment != undone.comment else "a change to"
        return f"took back {what} {undone.record_id}, which stays {standing.verdict}"

    def _append(
        self, entry: Entry, verdict: Verdict, comment: str, tags: tuple[str, ...] = (), kind: Kind = Kind.DECIDE
    ) -> Decision:
        noted = self.decks.digest(entry)
        record = self.reader.record(entry.index)
        values = self.samples.values(record)
        who = self.options.reviewer
        made = decision_about(record, verdict, who, values, comment=comment, sample_hash=noted)
        made = self.log.append(replace(made, tags=tags, kind=kind))
        with contextlib.suppress(ResultsError):  # the verdict is recorded: at worst its comment is offered again
            self.draft(entry.digest, "")
        standing, disputed = self.decision(entry.digest), self.log.disputed(entry.digest)
        self.queue = self.queue.decided(entry.digest, standing, noted, disputed=disputed)
        return made

    def decision(self, digest: str) -> Decision | None:
        """Return the decision that counts for a record in this review: a ruling, or else one's own."""
        return self.log.current(digest, self.options.reviewer)

    def _own(self, digest: str) -> Decision | None:
        return self.log.by_reviewer(digest).get(self.options.reviewer)
