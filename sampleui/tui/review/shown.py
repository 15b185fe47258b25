"""Everything that a review shows about its current place: the record, its sample, what was sent, what it did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath, Plain, Table
from sampleui.review.baseline import Compared
from sampleui.review.filters import QueueItem
from sampleui.review.log.verdict_migration import offer_words
from sampleui.review.record import Entry, Record
from sampleui.review.samples.comparing import Criteria, wanted
from sampleui.review.targets import Attempts
from sampleui.review.verdict import Decision
from sampleui.runs.archive import AsRun, as_run
from sampleui.runs.records import Subject, noted, subject_of, trace_of
from sampleui.runs.requests import Asked, asked
from sampleui.sample.dialects.older import today_called
from sampleui.sample.dialects.shipped import LEAST
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of, integration_of
from sampleui.trace.reading.files import FileRecord
from sampleui.tui.drawing.cards import HELD, Flags
from sampleui.tui.drawing.items import Item, items_of
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.sides import Sides


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything about one place of the queue.

    Attributes:
        item: None for what has no record; then only `sample` or `old` is known.
        expected: the text to compare the answer with, None if nobody says what was expected.
        any_of: the answers that are right, where there are several; `expected` names them all then.
        criteria: what the answer is judged by where nothing is there to compare it with, and what that is called.
        decisions: what each reviewer decided; those of others once one's own is made.
        offered: what was decided on an earlier run about the same answer, in words, where it does not count here.
        changed: whether the sample was changed since the run, or since the verdict.
        compared: how it fares against the baseline.
        comparison: how the run fares against the baseline, in words; empty without one.
        old: the baseline's record.
        flaky: whether an earlier run was found flaky about the sample.
        attempts: how the attempts at the sample by this target came out, if there are several.
        draft: the comment that waits for the verdict.
        asked: what was sent to the model, beside what the deck renders today.
        as_run: the sample as it was run, where the run keeps a copy of it.
        sides: the answers to the sample by other targets and in other tries.
        held: which assertions of the sample held in the run, by their paths; None where that is not known.
        problem: why the record cannot be read; empty when it can. Then nothing else of it is known.
    """

    item: QueueItem | None = None
    record: Record | None = None
    sample: Sample | None = None
    expected: str | None = None
    any_of: tuple[str, ...] = ()
    criteria: Criteria | None = None
    decisions: tuple[Decision, ...] = ()
    offered: tuple[str, ...] = ()
    changed: bool = False
    compared: Compared | None = None
    comparison: str = ""
    old: Record | None = None
    fail_under: float | None = None
    flaky: bool = False
    attempts: Attempts | None = None
    draft: str = ""
    asked: Asked = field(default_factory=Asked)
    as_run: AsRun | None = None
    sides: Sides | None = None
    held: Mapping[DataPath, bool | None] = field(default_factory=dict)
    problem: str = ""

    @property
    def first_failed(self) -> DataPath | None:
        """Where the first assertion is that failed, of a set that failed the first of its members that did."""
        failed = [path for path, passed in self.held.items() if passed is False]
        first = min(failed, key=len, default=())
        inside = (path for path in failed if path[: len(first)] == first != path)
        return next(inside, first) or None


def shown_at(review: ReviewSession) -> Shown:
    """Return everything about the current place of a review; of a record that cannot be read, why."""
    try:
        return _shown(review)
    except ResultsError as error:
        return Shown(sample=review.sample, problem=str(error))


def _shown(review: ReviewSession) -> Shown:
    sample = review.sample
    deck = review.deck.deck if review.deck is not None else None
    base_dir = review.results.base_dir
    if not isinstance(review.current, int):
        old = review.reader.before(review.current.old if review.current is not None else None)
        text, criteria, any_of = wanted(sample, None)
        return Shown(
            sample=sample,
            expected=text,
            any_of=any_of,
            criteria=criteria,
            comparison=review.comparison_words,
            old=old,
            asked=asked(old, base_dir, sample, deck),
        )
    item, compared = review.item, review.compared.get(review.current)
    entry, record = item.entry, review.reader.record(review.current)
    text, criteria, any_of = wanted(sample, record)
    kept = as_run(record, base_dir, sample)
    edited = review.deck is not None and review.deck.name_of(entry) in review.deck.changed
    offered = review.log.offered(entry.digest, review.options.reviewer)
    changed = edited or item.stale or bool(kept and kept.changed)
    return Shown(
        item=item,
        record=record,
        sample=sample,
        expected=text,
        any_of=any_of,
        criteria=criteria,
        decisions=review.log.seen_by(review.options.reviewer, entry.digest),
        offered=tuple(offer_words(offer, record) for offer in offered),
        changed=changed,
        held={} if sample is None else integration_of(sample).grading().held(record, sample, changed),
        compared=compared,
        old=review.reader.before(compared.old if compared is not None else None),
        fail_under=review.options.fail_under,
        attempts=review.attempts.get(entry.index),
        flaky=entry.digest in review.log.flaky,
        draft=review.drafts.get(entry.digest, ""),
        asked=asked(record, base_dir, sample, deck),
        as_run=kept,
        sides=_sides(review, entry),
    )


def _sides(review: ReviewSession, entry: Entry) -> Sides:
    among = review.cases.get(entry.case, (entry.index,))
    told = dict.fromkeys(review.attempts[index] for index in among if index in review.attempts)
    return Sides(review.results, among, entry.index, tuple(told), review.options.fail_under)


def items_shown(shown: Shown) -> tuple[Item, ...]:
    """Return what was sent, where the run says it, and the sample's turns and fields.

    Where the deck renders today what was sent, the sample stands for both, below the messages that its file has for
    all samples. Turns that it renders otherwise are marked, and those that are the run's and not the sample's.
    """
    asked, sample = shown.asked, shown.sample
    if sample is None:
        return _headed(_sent(asked), "as it was sent")
    unfolded = {path[:end]: False for path in shown.held for end in range(1, len(path))}
    own = items_of(sample, unfolded)
    if not asked.sent:
        return own
    if asked.added:
        return (*_headed(_sent(asked), "as it was sent"), *_headed(own, "the deck today ✓ unchanged"))
    if not asked.differs:
        before = len(asked.sent) - sum(item.turn is not None and not item.depth for item in own)
        shared = _sent(asked, "of the whole file")[: max(before, 0)]
        return _headed((*shared, *own), "sent ✓ as the deck renders today")
    return (*_headed(_sent(asked), "as it was sent"), *_headed(own, "the deck today"))


def flags_of(shown: Shown, items: Sequence[Item]) -> dict[int, Flags]:
    """Return what is said beside the items of a record: whether they held in the run, which keys are older ones."""
    flags: dict[int, Flags] = {}
    for index, item in enumerate(items):
        held = HELD[shown.held[item.path]] if item.path in shown.held else ("", "", "")
        older = shown.sample is not None and bool(today_called(item.path, dialect_of(shown.sample)))
        flags[index] = Flags(held=held, older=older)
    return flags


def _sent(asked: Asked, note: str = "") -> tuple[Item, ...]:
    messages: list[Plain] = [*asked.sent]
    items = items_of(Sample("", 0, {"messages": messages}, LEAST, ("messages",), Path()))
    notes = {**dict.fromkeys(asked.added, "by the run"), **dict.fromkeys(asked.apart, "≠ the deck today")}
    return tuple(_to_read(item, notes.get(index, note)) for index, item in enumerate(items))


def _to_read(item: Item, remark: str) -> Item:
    """Return a turn without its paths, since they lead nowhere in the deck, and with the notes on it."""
    parts = tuple(part._replace(path=()) for part in item.parts)
    note = "  ".join(one for one in (item.note, remark) if one)
    return item._replace(path=(), parts=parts, note=note)


def _headed(items: tuple[Item, ...], heading: str) -> tuple[Item, ...]:
    return (items[0]._replace(heading=heading), *items[1:]) if items else ()


def trace_shown(shown: Shown, base_dir: Path) -> Subject:
    """Return what the record did, beside what its sample asks of it."""
    record = shown.record or shown.old
    data: Table = record.data if record is not None else {}
    row = FileRecord(1, data) if record is None else FileRecord(record.line, data, notes=noted(record))
    return subject_of(row, trace_of(row, base_dir), shown.sample, record)
