"""What is beside the record that a review shows: its sample, what was sent, what it did."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import takewhile
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import DataPath, Plain, Table, tables_in
from sampleui.review.log.verdict_migration import offer_words
from sampleui.review.record import Entry, Record
from sampleui.review.results.requests import SentPrompt, sent, text_said
from sampleui.review.samples.comparing import expected_of
from sampleui.runs.records import TracedRecord, file_record, subject_of, trace_of
from sampleui.runs.requests import prompt_sent
from sampleui.runs.sample_as_run import as_run
from sampleui.sample.dialects.older import today_called
from sampleui.sample.dialects.shipped import LEAST
from sampleui.sample.message import said_alone
from sampleui.sample.model import Sample
from sampleui.sample.parse import conversation, dialect_of, integration_of
from sampleui.sample.sections import words_of
from sampleui.text.squeezed import found_again
from sampleui.text.visible import one_line
from sampleui.trace.reading.extract import RecordTrace, TraceSource
from sampleui.trace.reading.files import FileRecord
from sampleui.trace.transcript import is_below, transcript
from sampleui.tui.drawing.cards import ASSERTION_SIGNS, Flags
from sampleui.tui.drawing.items import Item, items_of
from sampleui.tui.review.joined import Unmatched
from sampleui.tui.review.rows.noted import placed_notes
from sampleui.tui.review.rows.read import asked_of
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.session_verdicts import refusals
from sampleui.tui.review.shown import Beside, Shown, Sides, record_alone


def shown_at(review: ReviewSession) -> Shown:
    """Return everything about the current place of a review; of a record that cannot be read, why."""
    alone = record_alone(review)._replace(alone=False, sample=review.sample)
    try:
        return alone if alone.problem else _with_context(review, alone)
    except ResultsError as error:
        return Shown(sample=alone.sample, problem=str(error), has_baseline=alone.has_baseline)


def _with_context(review: ReviewSession, alone: Shown) -> Shown:
    """Return a place with what is beside its record, or beside what has none."""
    item, record, sample = alone.item, alone.record, alone.sample
    deck = review.deck.deck if review.deck is not None else None
    base_dir = review.results.base_dir
    text, criteria, any_of = expected_of(sample, record)
    shown = alone._replace(expected=text, any_of=any_of, criteria=criteria, edits=tuple(review.state.proposed))
    if item is None or record is None:
        old = review.before(review.current.old if isinstance(review.current, Unmatched) else None)
        asked = prompt_sent(old, base_dir, sample, deck)
        return shown._replace(comparison=review.comparison_words, old=old, asked=asked)
    entry, compared = item.entry, review.compared.get(item.entry.index)
    kept = as_run(record, base_dir, sample)
    edited = review.deck is not None and review.deck.name_of(entry) in review.deck.changed
    offered = review.log.offered(entry.digest, review.options.reviewer)
    among = review.cases.get(entry.case, (entry.index,))
    attempts = tuple(dict.fromkeys(review.attempts[index] for index in among if index in review.attempts))
    changed = edited or item.stale or bool(kept and kept.changed)
    grading = None if sample is None else integration_of(sample).grading()
    assertions = {} if grading is None or sample is None else grading.recorded_outcomes(record, sample, changed)
    return shown._replace(
        refusals=refusals(review, entry.digest),
        offered=tuple(offer_words(offer, record) for offer in offered),
        changed=changed,
        assertions=assertions,
        compared=compared,
        old=review.before(compared.old if compared is not None else None),
        attempts=review.attempts.get(entry.index),
        flaky=entry.digest in review.log.flaky,
        asked=prompt_sent(record, base_dir, sample, deck),
        as_run=kept,
        sides=Sides(review.results, among, entry.index, attempts, review.options.fail_under),
        beside=beside(review, entry) if record.files else None,
    )


def with_talk(shown: Shown, traced: TracedRecord, review: ReviewSession) -> Shown:
    """Return what is shown of a record with what was said before its answer, and which of that others have too."""
    record = shown.record
    if record is None:
        return shown
    said = _said(record, traced.trace, asked_of(shown))
    answers = [text.strip() for text in (record.actual, record.whole) if text]
    is_answer = bool(said) and said[-1]["role"] == "assistant" and not said[-1].get("tool_calls")
    talk = said[:-1] if is_answer and text_said(said_alone(said[-1]).get("content")).strip() in answers else said
    return shown._replace(talk=talk, repeated=_repeated(review, record, talk))


def _said(record: Record, trace: RecordTrace, asked: Sequence[Table]) -> tuple[Table, ...]:
    """Return what was asked and then done, as messages; a run may begin by repeating what it was asked."""
    wire = tables_in([*trace.response.wire_messages])
    done = [entry for entry in wire if entry.get("role") and not is_below(entry)]
    if not done or trace.source not in (TraceSource.OUTPUT_MESSAGES, TraceSource.TRANSCRIPT):
        return transcript(record.data, trace, asked).messages
    before = {words_of(message).strip() for message in asked}
    opening = len([*takewhile(lambda message: message["role"] in ("system", "developer", "user"), done)])
    again = [message for message in done[:opening] if words_of(message).strip() not in before]
    return (*asked, *again, *done[opening:])


def _repeated(review: ReviewSession, record: Record, talk: Sequence[Table]) -> frozenset[str]:
    """Return the texts of a system in what was said that the record before or after it has, too."""
    systems = [words_of(message) for message in talk if message["role"] in ("system", "developer")]
    if not any("\n" in text or len(text) > _LINE for text in systems):
        return frozenset()  # a line it is already
    known: set[str] = set()
    for index in (record.index - 1, record.index + 1):
        if 0 <= index < len(review.results.entries):
            with contextlib.suppress(ResultsError):
                other, sample = review.results.record(index), review.decks.sample(review.results.entries[index])
                asked = other.asked or sent(other.data) or ([] if sample is None else conversation(sample))
                known.update(map(words_of, tables_in([*asked])))
    return frozenset(known.intersection(systems))


_LINE = 60
"""Characters of a text that is a line in most places."""


def items_shown(shown: Shown) -> tuple[Item, ...]:
    """Return what was sent, where the run says it, and the sample's turns and fields.

    Where the deck renders today what was sent, the sample stands for both, below the messages that its file has for
    all samples. Turns that it renders otherwise are marked, and those that are the run's and not the sample's.
    """
    asked, sample = shown.asked, shown.sample
    if sample is None:
        return _headed(_sent(asked), "as it was sent")
    items = items_of(sample, unfolded(shown.assertions))
    if not asked.sent:
        return items
    if asked.added:
        return (*_headed(_sent(asked), "as it was sent"), *_headed(items, "the deck today ✓ unchanged"))
    if not asked.differs:
        before = len(asked.sent) - sum(item.turn is not None and not item.depth for item in items)
        shared = _sent(asked, "of the whole file")[: max(before, 0)]
        return _headed((*shared, *items), "sent ✓ as the deck renders today")
    return (*_headed(_sent(asked), "as it was sent"), *_headed(items, "the deck today"))


def unfolded(paths: Iterable[DataPath]) -> dict[DataPath, bool]:
    """Return which fields are open, so that what held in a run is shown by itself."""
    return {path[:end]: False for path in paths for end in range(1, len(path))}


def asked_last(items: Sequence[Item]) -> int | None:
    """Return which item is what the user said last; None where nothing was said."""
    asked = [index for index, item in enumerate(items) if item.turn is not None and item.label == "user"]
    return asked[-1] if asked else None


def flags_of(shown: Shown, items: Sequence[Item]) -> dict[int, Flags]:
    """Return what is said beside the items of a record: whether they held in the run, which keys are older ones.

    Texts of a system that other records have too are brief.
    """
    flags, placed = dict[int, Flags](), placed_notes(shown.decisions)
    for index, item in enumerate(items):
        outcome = ASSERTION_SIGNS[shown.assertions[item.path]] if item.path in shown.assertions else ("", "", "")
        sample = shown.sample
        older = sample is not None and bool(today_called(item.path, sample.data, dialect_of(sample)))
        said = "" if item.turn is None else "\n".join(part.text for part in item.parts)
        brief = item.turn is not None and said in shown.repeated
        notes = tuple(
            f"{text} (“{one_line(place.quote, 60)}”)"
            for place, text in placed
            if place.part == "turn" and next(found_again(place.quote, said), None)
        )
        flags[index] = Flags(outcome=outcome, older=older, brief=brief and not notes, notes=notes)
    return flags


def _sent(asked: SentPrompt, note: str = "") -> tuple[Item, ...]:
    messages: list[Plain] = [*asked.sent]
    items = items_of(Sample("", 0, {"messages": messages}, LEAST, ("messages",), Path()))
    notes = {**dict.fromkeys(asked.added, "by the run"), **dict.fromkeys(asked.apart, "≠ the deck today")}
    return tuple(
        item._replace(
            path=(),  # they lead nowhere in the deck
            parts=tuple(part._replace(path=()) for part in item.parts),
            note="  ".join(filter(None, (item.note, notes.get(index, note)))),
        )
        for index, item in enumerate(items)
    )


def _headed(items: tuple[Item, ...], heading: str) -> tuple[Item, ...]:
    return (items[0]._replace(heading=heading), *items[1:]) if items else ()


def trace_shown(shown: Shown, base_dir: Path) -> TracedRecord:
    """Return what the record did, beside what its sample asks of it."""
    record = shown.record or shown.old
    row = FileRecord(1, {}) if record is None else file_record(record)
    return subject_of(row, trace_of(row, base_dir), shown.sample, record)


def beside(review: ReviewSession, entry: Entry) -> Beside | None:
    """Return the answer that one is shown beside, the chosen or else the first; None where there is no other."""
    others = _others(review, entry)
    if not others:
        return None
    names, chosen = (*others, ""), review.state.beside
    index = names.index(chosen) if chosen in names else 0
    record = None
    with contextlib.suppress(ResultsError):
        record = others[names[index]]() if index < len(others) else None
    return Beside(names[index], record, names[(index + 1) % len(names)])


def _others(review: ReviewSession, entry: Entry) -> dict[str, Callable[[], Record]]:
    """Return how each other answer to the sample is read, by whose it is: those of targets, then the run before."""
    results, earlier, others = review.results, review.earlier, dict[str, Callable[[], Record]]()
    among = [results.entries[index] for index in review.cases.get(entry.case, ())]
    targets = [*dict.fromkeys(other.target for other in among if other.target and other.target != entry.target)]
    first = [name for name in results.baselines if name in targets]
    for target in dict.fromkeys((*first, *targets)):
        found = _like(entry, [other for other in among if other.target == target])
        others[target] = partial(results.record, found.index)
    if earlier is not None:
        same = [
            other
            for other in earlier.counted
            if other.sample_id == entry.sample_id and other.target == entry.target
        ]
        if same:
            others.setdefault(earlier.path.name, partial(earlier.record, _like(entry, same).index))
    return others


def _like(entry: Entry, others: Sequence[Entry]) -> Entry:
    """Return the record of the same attempt, or else the first."""
    return next((other for other in others if other.attempt == entry.attempt), others[0])
