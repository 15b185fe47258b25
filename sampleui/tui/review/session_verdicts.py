"""What people decide and say in a review, and take or refuse of what programs propose: written down, taken back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sampleui.review.labels import label_about, take_code, take_codes_of, taken_by_code
from sampleui.review.log.store import Log, differ, undoing
from sampleui.review.log.verdict_migration import RunSamples
from sampleui.review.record import Entry, Record
from sampleui.review.session import decision_about, noted_at
from sampleui.review.verdict import Decision, LabelValue, LogAction, NotePlace, Verdict
from sampleui.runs.sample_as_run import run_samples
from sampleui.text.visible import one_line
from sampleui.text.wording import counted
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
        read = ((index, review.results.record(index)) for index in indexes)
        return [made_about(review, record, verdict, own_comment(review, index)) for index, record in read]

    return _keep(review, await asyncio.to_thread(decisions), step)


def settle(review: ReviewSession, verdict: Verdict) -> Decision:
    """Settle what reviewers disagree on about the current record.

    Raises:
        EditRefusedError: when there is no record here.
        ResultsError: when the log cannot be written.
    """
    entry = review.item.entry
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
    had = [[label for label in _own_labels(review, index) if label.code == code] for index in indexes]
    made = [
        label_about(made_about(review, review.results.record(index)), review.log.codebook, code, LabelValue.YES)
        for index, labels in zip(indexes, had, strict=True)
        if not labels
    ]
    _keep(review, made or [undoing(label) for labels in had for label in labels])
    return bool(made)


def as_step(made: Sequence[Decision], step: str | None = None) -> Iterator[Decision]:
    """Yield decisions as one step of undo, or as a part of the step that begins with the decision of an id."""
    yield from (replace(item, step=step or (None if item is made[0] else made[0].id)) for item in made)


def _keep(review: ReviewSession, made: Sequence[Decision], step: str | None = None) -> tuple[Decision, ...]:
    kept = review.log.append_all(as_step(made, step))
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
            review.state = review.state.at(entry.index)
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
    made = made_about(review, review.record(entry.index), verdict, comment)
    return _keep(review, [replace(made, kind=kind)])[0]


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
    kept = _keep(review, made)
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
    return _keep(review, made)


def last_said(review: ReviewSession, index: int) -> Decision | None:
    """Return the reviewer's verdict on a record, or ruling, whichever is the later; None if there is none."""
    digest, reviewer = review.queue.items[index].entry.digest, review.options.reviewer
    decisions = (review.log.own_decision(digest, reviewer, settles=settles) for settles in (False, True))
    return max((item for item in decisions if item is not None), key=lambda item: item.time, default=None)


def own_codes(review: ReviewSession, indexes: Sequence[int]) -> frozenset[str]:
    """Return the codes that all of some records have by the reviewer's own labels."""
    each = ({str(label.code) for label in _own_labels(review, index)} for index in indexes)
    return frozenset(set.intersection(*each))


def _own_labels(review: ReviewSession, index: int) -> list[Decision]:
    """Return the reviewer's labels of a record that say *yes*."""
    labels = review.log.labels(review.queue.items[index].entry.digest, review.options.reviewer)
    return [label for label in labels if label.label is LabelValue.YES]


def own_comment(review: ReviewSession, index: int) -> str:
    """Return what the reviewer said with the verdict on a record; empty for nothing."""
    decision = last_said(review, index)
    return "" if decision is None else decision.comment


def own_note(review: ReviewSession, index: int, place: NotePlace | None) -> Decision | None:
    """Return the reviewer's last note on a record as a whole or on a place in it; None if there is none."""
    notes = review.log.notes(review.queue.items[index].entry.digest, review.options.reviewer)
    return next((note for note in reversed(notes) if not note.carried and note.place == place), None)


# What programs propose


def waiting(review: ReviewSession, index: int) -> tuple[Decision, ...]:
    """Return what programs proposed about a record that waits for the reviewer."""
    digest, reviewer = review.queue.items[index].entry.digest, review.options.reviewer
    return review.log.open_proposals(digest, reviewer)


def takeable(review: ReviewSession, index: int) -> tuple[Decision, ...]:
    """Return what of the proposals about a record can be taken: the last verdict, comments and labels, by time."""
    proposed = sorted(waiting(review, index), key=lambda item: (item.time, item.id))
    last = next((item.id for item in reversed(proposed) if item.verdict is not None), None)
    return tuple(item for item in proposed if item.verdict is None or item.id == last)


def taken_words(log: Log, proposed: Iterable[Decision]) -> dict[str, str]:
    """Say by the ids of proposed labels how often those of their program for their code were taken so far."""
    counts = taken_by_code(log)
    labels = ((item, counts.get((item.reviewer, log.codebook.now(item.code)))) for item in proposed if item.code)
    return {
        item.id: f"{item.code} of {item.reviewer} so far: {count.taken:,} taken, {count.refused:,} refused"
        for item, count in labels
        if count is not None
    }


async def answer(
    review: ReviewSession, taken: Sequence[tuple[int, Decision]], refused: Sequence[Decision] = ()
) -> tuple[Decision, ...]:
    """Take what programs proposed about records as the reviewer's own, and refuse the rest, as one step of undo.

    Of several programs' verdicts on a record it is the last one, with its comment; a comment that is proposed alone
    becomes a note.

    A code goes into the file of the codes, also where a label of it is taken.

    Args:
        review: the review.
        taken: the records, -1 for a code, and what of `takeable` was seen of each; what waits no longer is left.
        refused: what is not taken; likewise.

    Raises:
        EditRefusedError: when a code cannot be written into the file of the codes.
        ResultsError: when a record cannot be read, or the log cannot be written; then nothing is taken or refused.
    """
    log, reviewer = review.log, review.options.reviewer

    def own(index: int, item: Decision) -> Decision:
        record = review.results.record(index)
        if item.label is not None and item.code is not None:
            made = label_about(made_about(review, record), log.codebook, item.code, item.label, place=item.place)
        elif item.verdict is None:
            made = noted_at(made_about(review, record, comment=item.comment), record, item.place)
        else:
            comment = item.comment or own_comment(review, index)
            made = replace(made_about(review, record, item.verdict, comment), tags=item.tags)
        return replace(made, proposal=item.id, proposed_by=item.reviewer)

    def decisions() -> list[Decision]:
        made = [own(index, item) for index, item in taken if index >= 0 and item in takeable(review, index)]
        for item in left:
            about = Decision(reviewer=reviewer, record=item.record, record_id=item.record_id, sample=item.sample)
            made.append(replace(about, kind=LogAction.REFUSE, proposal=item.id, proposed_by=item.reviewer))
        return made

    log.refresh()
    left = [item for item in refused if item in log.open_proposals(item.record, reviewer)]
    codes = [item for index, item in taken if index < 0 and item in log.open_proposals("", reviewer)]
    for code in codes:
        take_code(log, code, reviewer)
    take_codes_of(log, [item for _, item in taken if item.label is not None], reviewer)
    return (*codes, *_keep(review, await asyncio.to_thread(decisions)))


def refusals(review: ReviewSession, digest: str) -> tuple[Decision, ...]:
    """Return the refusals of proposals that one may see: one's own; once one has decided, all."""
    decided = review.own_decision(digest) is not None
    mine = review.options.reviewer
    return tuple(item for item in review.log.refusals(digest) if decided or item.reviewer == mine)
