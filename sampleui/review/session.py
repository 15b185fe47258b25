"""The steps of a review, whoever takes them: the next record, a decision about one, records drawn at random."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from difflib import get_close_matches
from itertools import chain, takewhile
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.review.attempts import attempts_of, ranks_by_stability
from sampleui.review.codes import FailureCode
from sampleui.review.log.store import Log
from sampleui.review.log.verdict_migration import (
    NO_DECKS,
    RunSamples,
    answer_digest,
    carry_over,
    has_earlier,
)
from sampleui.review.queue import Order, first_of, items_of
from sampleui.review.record import Entry, Record, failed, outcome_of
from sampleui.review.results.file import Results
from sampleui.review.results.requests import sent, text_said
from sampleui.review.results.run_paths import run_of
from sampleui.review.sampling import Design, Draw, draw_records, values_by
from sampleui.review.verdict import Decision, LabelValue, LogAction, NotePlace, Verdict, travelling_digest
from sampleui.sample.model import Sample
from sampleui.text.confined import size_of
from sampleui.text.limits import MAX_READ_AT_ONCE_BYTES
from sampleui.text.squeezed import found_again
from sampleui.text.visible import visible


def next_record(
    results: Results,
    log: Log,
    reviewer: str | None = None,
    fail_under: float | None = None,
    order: Order = Order.SCORE,
    *,
    samples: RunSamples = NO_DECKS,
) -> Record | None:
    """Return the first failed record that the reviewer (None: that anyone) has not decided; None when all are.

    Of results that say nothing of how their records came out, it is the first of all.

    `samples` is what is known of the samples, by which decisions of earlier runs count.

    Raises:
        ResultsError: when the file cannot be read.
    """
    counting = _as_indexed(results) if _goes_by_file(results, log, order) else results.indexed().counted
    if results.complete:
        carry_over(results, log, samples)
    asked = (entry for entry in counting if not results.grades or failed(entry, fail_under))
    open_ones = (entry for entry in asked if log.current(entry.digest, reviewer) is None)
    if order is Order.FILE:
        entry = next(open_ones, None)  # and the rest of the file need not be read
    else:
        attempts = attempts_of(results.counted, fail_under) if order is Order.UNSTABLE else {}
        items = items_of(open_ones, lambda _: None, fail_under=fail_under)
        first = first_of(items, order, ranks_by_stability(attempts))
        entry = first.entry if first is not None else None
    return results.record(entry.index) if entry else None


def draw(
    results: Results,
    design: Design,
    reviewer: str,
    sample_of: Callable[[Entry], Sample | None],
    fail_under: float | None = None,
) -> Draw:
    """Draw records of results at random; the draw is not in a log yet.

    `sample_of` returns the sample of a record, None where no deck has it: strata are made by its fields, or else by
    those of the record.

    Raises:
        ResultsError: when the results cannot be read, or nothing can be drawn so.
        PathError: when what is to be made strata by cannot be the name of a field.
    """
    from sampleui.review.reports.run_figures import tables_of

    def data_of(entry: Entry) -> Table | None:
        sample = sample_of(entry)
        return None if sample is None else sample.data

    return draw_records(
        results.indexed().counted,
        design,
        values_by(design.by, lambda entry: tables_of(results, entry, data_of)),
        reviewer,
        fail_under=fail_under,
        scorer=results.scorer,
    )


def earlier_draw(log: Log, draw_now: Draw) -> Draw | None:
    """Return the last draw of the same design from other records than those of this one; None if there is none."""
    return next((draw for draw in reversed(log.draws) if draw.supplanted_by(draw_now)), None)


class Remark(NamedTuple):
    """What is to be said of a record.

    Attributes:
        record_id: the record's id; the sample's where only one record answers it.
        verdict: what is decided; None for a comment alone.
        comment: why; None to keep what the reviewer said with the verdict before.
        codes: those by which the record fails.
        adjudicate: whether it settles a disagreement of reviewers.
        line: the line of a file that says it, from 1; 0 for one that stands alone.
    """

    record_id: str
    verdict: Verdict | None
    comment: str | None
    codes: tuple[FailureCode, ...] = ()
    adjudicate: bool = False
    line: int = 0


def what_is_said(
    results: Results,
    log: Log,
    said: Remark,
    reviewer: str,
    samples: RunSamples = NO_DECKS,
    *,
    before: Decision | None = None,
) -> tuple[Decision, ...]:
    """Return a verdict or a comment as a line of the log, with labels as one step; they are not recorded yet.

    A comment alone is a note, or it comes with the verdict of one's own that there is; lines at the beginning of a
    note that begin with `>` quote the record, and are its place. Of a program it is a proposal.

    Args:
        results: where the record is.
        log: what was decided before.
        said: what is said.
        reviewer: who says it.
        samples: what is known of the samples.
        before: what the reviewer says of it just before, which the log has not yet.

    Raises:
        ResultsError: if there is no such record, or no disagreement to settle.
    """
    record = results.record(found_entry(results, said.record_id).index)
    if said.adjudicate and not log.disputed(record.digest) and log.ruling(record.digest) is None:
        raise ResultsError(f"reviewers do not disagree about {record.id}: there is nothing to adjudicate", log.path)
    before = before or log.own_decision(record.digest, reviewer, settles=said.adjudicate)
    verdict, comment = said.verdict, said.comment
    if before is not None:
        verdict = verdict or before.verdict
        comment = before.comment if comment is None else comment
    line = decision_about(record, verdict, reviewer, samples, comment or "")
    if verdict is None:
        return (noted_at(line, record),)
    line = dataclasses.replace(line, kind=LogAction.ADJUDICATE if said.adjudicate else LogAction.DECIDE)
    labels = (
        label_of(decision_about(record, None, reviewer, samples), code.name, LabelValue.YES, code.digest)
        for code in said.codes
    )
    return line, *(dataclasses.replace(label, step=line.id) for label in labels)


def noted_at(comment: Decision, record: Record, place: NotePlace | None = None) -> Decision:
    """Return a comment without a verdict as a note, at a place or at what its first lines quote."""
    lines = comment.comment.splitlines()
    quoted = [line[1:].strip() for line in takewhile(lambda line: line.startswith(">"), lines)]
    rest = "\n".join(lines[len(quoted) :]).strip()
    found = place_of("\n".join(quoted), record) if quoted and rest else None
    text = comment.comment if found is None else rest
    return dataclasses.replace(comment, kind=LogAction.NOTE, comment=text, place=found or place)


def texts_said(record: Record) -> tuple[str, ...]:
    """Return what may be quoted of a record: its answer, then the turns of what was asked."""
    asked = record.asked or sent(record.data)
    return (record.actual, *(text_said(message.get("content")) for message in asked))


def place_of(quote: str, record: Record) -> NotePlace | None:
    """Return where a record says something: in its answer, or else in a turn of what was asked; None if nowhere.

    Where it does not say just that, blanks, marks and ends of lines make no difference: one quotes what is drawn.
    """
    said = texts_said(record) if quote else ()
    exact = (
        (index, start, start + len(quote)) for index, text in enumerate(said) if (start := text.find(quote)) >= 0
    )
    drawn = ((index, *span) for index, text in enumerate(said) for span in found_again(quote, text))
    for index, start, end in chain(exact, drawn):
        part, number = ("turn", index - 1) if index else ("answer", None)
        return NotePlace(part, number, said[index][start:end], start, end)
    return None


def decision_about(
    record: Record, verdict: Verdict | None, reviewer: str, samples: RunSamples = NO_DECKS, comment: str = ""
) -> Decision:
    """Return the decision that gives a record a verdict, or without one says something of it, not recorded yet."""
    answer, target, sample_hash = answer_digest(record), record.target or "", samples.digest(record)
    values = samples.values(record) or sample_hash
    return Decision(
        reviewer=reviewer,
        record=record.digest,
        record_id=record.id,
        sample=record.sample_id,
        sample_hash=sample_hash,
        answer=answer,
        target=target,
        same=travelling_digest(answer, values, target, outcome_of(record), verdict),
        verdict=verdict,
        comment=comment,
    )


def label_of(about: Decision, code: str, label: LabelValue, definition: str) -> Decision:
    """Return what is about a record as a label of it, by a version of a code's definition."""
    return dataclasses.replace(about, kind=LogAction.LABEL, code=code, label=label, definition=definition)


def _goes_by_file(results: Results, log: Log, order: Order) -> bool:
    """Tell whether the records may be gone through one by one, so that not all of them need be read.

    Reruns, verdicts of an earlier run and scales of scores are known at the end only; the next of a
    large file is returned at once.
    """
    if order is not Order.FILE or run_of(results.path) is not None or results.of_one_tool:
        return False
    late = has_earlier(log) or results.by_table
    return not late or size_of(results.path) > MAX_READ_AT_ONCE_BYTES


def _as_indexed(results: Results) -> Iterator[Entry]:
    done = 0
    for _ in results.index():
        yield from results.entries[done:]
        done = len(results.entries)


def found_entry(results: Results, record_id: str) -> Entry:
    """Return the entry of a record id, or of the one that a terminal shows so: with signs for what is invisible.

    Raises:
        ResultsError: if there is none; the message names the nearest ids.
    """
    entry = results.indexed().find(record_id)
    shown = [other for other in results.entries if visible(other.id) == record_id] if entry is None else []
    if len(shown) == 1:
        return shown[0]
    if entry is None:
        near = get_close_matches(record_id, [entry.id for entry in results.entries], 3)
        meant = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ResultsError(f"no record {record_id}{meant}", results.path)
    return entry
