"""The verdicts of a review's session: given, settled between reviewers, tagged and taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.review.labels import label_about
from sampleui.review.log.store import differ, undoing
from sampleui.review.log.verdict_migration import RunSamples
from sampleui.review.record import Entry, Record
from sampleui.review.session import decision_about, noted_at
from sampleui.review.verdict import Decision, LabelValue, LogAction, NotePlace, Verdict
from sampleui.runs.sample_as_run import run_samples
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.tui.review.comments import last_said, own_comment, own_note

if TYPE_CHECKING:
    from sampleui.tui.review.session import ReviewSession


def samples_of(review: ReviewSession) -> RunSamples:
    """What is known of the samples of the records."""
    return run_samples(review.results.base_dir, review.decks.digest, (item.deck.path for item in review.decks))


async def decide_all(
    review: ReviewSession, verdict: Verdict, indexes: Sequence[int], step: str | None = None
) -> tuple[Decision, ...]:
    """Record a verdict about several records, which one step of undo takes back, each with its own comment.

    Many take a while to be read, which is done outside the thread that draws.

    Args:
        review: the review.
        verdict: what is decided.
        indexes: the records.
        step: the id of a decision that they are one step with; None for the first of them.

    Raises:
        ResultsError: when a record cannot be read, or the log cannot be written; then none is decided.
    """

    def decisions() -> list[Decision]:
        made: list[Decision] = []
        for index in indexes:
            said, first = own_comment(review, index), made[0].id if made else None
            decision = made_about(review, review.results.record(index), verdict, said)
            made.append(replace(decision, step=step or first))
        return made

    made = review.log.append_all(await asyncio.to_thread(decisions))
    review.revise()
    return made


def settle(review: ReviewSession, verdict: Verdict) -> Decision:
    """Settle what reviewers disagree on about the current record.

    Raises:
        EditRefusedError: when they do not disagree, or there is no record here.
        ResultsError: when the log cannot be written.
    """
    entry = review.item.entry
    if not disagreement(review):
        raise EditRefusedError(f"reviewers do not disagree about {entry.id}")
    before = review.log.own_decision(entry.digest, review.options.reviewer, settles=True)
    comment = "" if before is None else before.comment
    return write_down(review, entry, verdict, comment, kind=LogAction.ADJUDICATE)


def disagreement(review: ReviewSession) -> tuple[Decision, ...]:
    """What reviewers said about the current record, where they disagree, whether that is settled or not."""
    if not isinstance(review.current, int):
        return ()
    decisions = review.log.by_reviewer(review.item.entry.digest)
    return tuple(decisions.values()) if differ(decisions.values()) else ()


def label_by_hand(review: ReviewSession, indexes: Sequence[int], code: str) -> bool:
    """Label records *yes* for a code, as one step; where all of them are, take that back and return false.

    Raises:
        ResultsError: when a record cannot be read, or the log cannot be written.
    """
    log, reviewer = review.log, review.options.reviewer
    had = [
        [
            item
            for item in log.labels(review.queue.items[index].entry.digest, reviewer)
            if item.code == code and item.label is LabelValue.YES
        ]
        for index in indexes
    ]
    made = [
        label_about(made_about(review, review.results.record(index)), log.codebook, code, LabelValue.YES)
        for index, labels in zip(indexes, had, strict=True)
        if not labels
    ]
    _keep_step(review, made or [undoing(label) for labels in had for label in labels])
    return bool(made)


def _keep_step(review: ReviewSession, made: Sequence[Decision]) -> tuple[Decision, ...]:
    """Write decisions down as one step of undo."""
    kept = review.log.append_all(replace(item, step=made[0].id if item is not made[0] else None) for item in made)
    review.revise()
    return kept


def undo_verdicts(review: ReviewSession) -> tuple[Decision, ...]:
    """Take back one's last decision, or those that were made as one, and go to the first record of these.

    Raises:
        ResultsError: when the log cannot be written.
    """
    undone = review.log.undo(review.options.reviewer)
    review.revise()
    for item in undone[:1]:
        entry = review.results.find(item.record_id)
        if entry is not None and entry.digest == item.record and entry.index < len(review.queue.items):
            review.current = entry.index
    return undone


def undo_words(review: ReviewSession, undone: Sequence[Decision]) -> str:
    """Say what was taken back, and which earlier decision of one's own counts again."""
    if undone[0].kind is LogAction.REFUSE:
        return f"took back the refusal of {counted(len(undone), 'proposal')}, {undone[0].record_id}"
    if undone[0].kind is LogAction.NOTE:
        return f"took back the note on {undone[0].record_id}"
    labels = [item for item in undone if item.label is not None]
    if len(labels) == len(undone):
        records, named = len({item.record for item in labels}), one_line(str(labels[0].code), 60)
        said = f"{labels[0].label} for {named}" if len(labels) == 1 else f"{len(labels):,} labels"
        return f"took back {said} of {labels[0].record_id if records == 1 else f'{records:,} records'}"
    undone = [item for item in undone if item.label is None]
    verdicts = {item.verdict for item in undone}
    if len(undone) > 1:
        what = undone[0].verdict if len(verdicts) == 1 else "the verdicts"
        return f"took back {what} of {len(undone):,} records"
    (item,) = undone
    settles = item.kind is LogAction.ADJUDICATE
    standing = review.log.own_decision(item.record, review.options.reviewer, settles=settles)
    if standing is None:
        return f"took back {item.verdict} of {item.record_id}"
    if standing.verdict is not item.verdict:
        return f"took back {item.verdict} of {item.record_id}, which is {standing.verdict} again"
    what = "the comment on" if standing.comment != item.comment else "a change to"
    return f"took back {what} {item.record_id}, which stays {standing.verdict}"


def write_down(
    review: ReviewSession,
    entry: Entry,
    verdict: Verdict,
    comment: str,
    *,
    kind: LogAction = LogAction.DECIDE,
) -> Decision:
    """Write down a decision about a record.

    Raises:
        ResultsError: when the record cannot be read, or the log cannot be written.
    """
    record = review.record(entry.index)
    decision = review.log.append(replace(made_about(review, record, verdict, comment), kind=kind))
    review.revise()
    return decision


def made_about(
    review: ReviewSession, record: Record, verdict: Verdict | None = None, comment: str = ""
) -> Decision:
    """Return a decision about a record, or what is said of it without a verdict, that is not recorded yet."""
    return decision_about(record, verdict, review.options.reviewer, samples_of(review), comment)


def write_comment(
    review: ReviewSession,
    text: str,
    indexes: Sequence[int],
    place: NotePlace | None = None,
    *,
    notes_alone: bool = False,
) -> tuple[Decision, ...]:
    """Write a comment on records in place of those that there are, and return what was written, as one step.

    It is empty to drop them; then nothing is returned. With `notes_alone` it is a note, whatever verdict there is.

    Raises:
        ResultsError: when a record cannot be read, or the log cannot be written.
    """
    mine = None if notes_alone else last_said(review, indexes[0])
    if mine is not None and mine.verdict is not None and place is None and not own_note(review, indexes[0], None):
        entry = review.queue.items[indexes[0]].entry
        return (write_down(review, entry, mine.verdict, text, kind=mine.kind),)
    made: list[Decision] = []
    for index in indexes:
        note = own_note(review, index, place)
        if note is not None and note.comment == text:  # who wrote its words stays told
            continue
        if text:
            record = review.record(review.queue.items[index].entry.index)
            noted = noted_at(made_about(review, record, comment=text), record, place)
            made.append(replace(noted, undoes=None if note is None else note.id))
        elif note is not None:
            made.append(undoing(note))
    kept = _keep_step(review, made)
    return kept if text else ()


def put_under(review: ReviewSession, notes: Sequence[Decision], code: str) -> tuple[Decision, ...]:
    """Put notes under a code, as one step, and return what was written; where all are, take them away from there.

    Raises:
        ResultsError: when a record cannot be read, or the log cannot be written.
    """
    log, reviewer = review.log, review.options.reviewer
    under = {
        label.note: label
        for record in {note.record for note in notes}
        for label in log.labels(record, reviewer)
        if label.code == code and label.note is not None
    }
    new = [note for note in notes if note.id not in under]
    about = {note.record for note in new}
    records = {entry.digest: entry.index for entry in review.results.entries if entry.digest in about}
    read = ((note, made_about(review, review.results.record(records[note.record]))) for note in new)
    made = [label_about(item, log.codebook, code, LabelValue.YES, note=note) for note, item in read]
    made = made or [undoing(under[note.id]) for note in notes]
    return _keep_step(review, made)
