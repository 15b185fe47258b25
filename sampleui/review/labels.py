"""Labels: whether records fail in the way of a code, and passes over codes, in which a person says so of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from sampleui.errors import EditRefusedError, ResultsError
from sampleui.formats.data import Table
from sampleui.review.codes import (
    Codebook,
    FailureCode,
    add_codes,
    check_name,
    define_code,
    merge_codes,
    rename_code,
)
from sampleui.review.log.store import Log, definition_line
from sampleui.review.record import Entry
from sampleui.review.sampling import Design, Draw, draw_records
from sampleui.review.session import label_of
from sampleui.review.verdict import Decision, LabelValue, NotePlace, new_id, now
from sampleui.text.visible import one_line


def draw_pass(
    entries: Sequence[Entry], codes: Sequence[str], reviewer: str, seed: str, among: Draw | None = None
) -> Draw:
    """Return a pass over codes: all records in an order by chance, or those of a draw in its order; not kept yet.

    Whoever stops it after some records has read a random sample of them.

    Args:
        entries: the records that count.
        codes: for which codes they are gone through.
        reviewer: who does.
        seed: what the order depends on beside the records.
        among: the draw, in whose order and with whose chances its records are gone through; None for all records.

    Raises:
        ResultsError: if there are no records.
    """
    if among is None:
        among = draw_records(entries, Design(len(entries), seed=seed), lambda _: (), reviewer)
    return replace(among, id=new_id(), time=now(), reviewer=reviewer, codes=tuple(codes))


def label_about(
    about: Decision,
    codebook: Codebook,
    code: str,
    label: LabelValue,
    *,
    drawn: Draw | None = None,
    place: NotePlace | None = None,
    note: Decision | None = None,
) -> Decision:
    """Return a label of a record, of a code's definition as it is now, that is not recorded yet.

    Args:
        about: what is about the record, as of `decision_about`; of each label its own.
        codebook: the codes; one that is not among them has no definition.
        code: the code.
        label: whether it fails so.
        drawn: the pass that asks for it; None where nobody drew the record.
        place: what in the record it is about.
        note: the note that it puts under the code, whose place it has then.
    """
    return replace(
        label_of(about, codebook.now(code), label, codebook.digest(code)),
        drawn=None if drawn is None else drawn.id,
        place=place if note is None else note.place,
        note=None if note is None else note.id,
    )


def is_current(label: Decision, codebook: Codebook) -> bool:
    """Tell whether a label is of the definition that its code has now."""
    return label.code is not None and label.definition == codebook.digest(label.code)


def codes_of(log: Log) -> tuple[str, ...]:
    """Return the names of all codes: those of the file in its order, then those that only labels have, by name."""
    known = dict.fromkeys(code.name for code in log.codebook.codes)
    others = {key.code for key in log.given}
    return (*known, *sorted(others.difference(known)))


def labelled_by(log: Log) -> tuple[Mapping[str, Mapping[str, int]], Mapping[str, int]]:
    """Return by code, as it is called now, how many records each person has labelled by its definition as it is.

    Then how many were labelled by older definitions alone, each person's counted.
    """
    now, older = defaultdict[str, dict[str, set[str]]](dict), defaultdict[str, dict[str, set[str]]](dict)
    for (code, who, definition, _), labels in log.given.items():
        by_person = (now if definition == log.codebook.digest(code) else older)[code]
        by_person.setdefault(who, set()).update(labels)
    counts = {code: {who: len(records) for who, records in people.items()} for code, people in now.items()}
    alone = {
        code: sum(len(records.difference(now[code].get(who, ()))) for who, records in people.items())
        for code, people in older.items()
    }
    return counts, alone


def with_codes(sample_of: Callable[[Entry], Table | None], log: Log) -> Callable[[Entry], Table | None]:
    """Return what has the codes by which records fail among the values of their samples, to group by `code`."""

    def values(entry: Entry) -> Table:
        return {**(sample_of(entry) or {}), "code": [*log.codes(entry.digest)]}

    return values


def renamed_by_hand(log: Log) -> Iterator[tuple[str, str]]:
    """Yield codes of labels that the file does not have, each with the one that has its definition there now."""
    now_of = {code.digest: code.name for code in log.codebook.codes if code.text}
    given = {(key.code, key.definition or "") for key in log.given}
    for name in sorted({code for code, _ in given if log.codebook.find(code) is None}):
        found = {now_of[definition] for code, definition in given if code == name and definition in now_of}
        if len(found) == 1:
            yield name, found.pop()


class TakenCounts(NamedTuple):
    """How often what a program proposed was taken.

    Attributes:
        proposed: how many proposals it did not take back.
        taken: how many of them people took.
        refused: how many of them people refused, and did not take.
    """

    proposed: int = 0
    taken: int = 0
    refused: int = 0


def taken_by_code(log: Log) -> Mapping[tuple[str, str], TakenCounts]:
    """Return how often labels that each program proposed were taken, by program and code as it is called now."""
    taken = {item.proposal for item in log.standing_labels}
    proposed, took, refused = Counter[tuple[str, str]](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for record in log.proposed:
        refusals = {item.proposal for item in log.refusals(record)}
        for item in log.proposals(record):
            if item.label is not None and item.code is not None:
                key = item.reviewer, log.codebook.now(item.code)
                proposed[key] += 1
                took[key] += item.id in taken
                refused[key] += item.id in refusals and item.id not in taken
    return {key: TakenCounts(number, took[key], refused[key]) for key, number in proposed.items()}


def propose_code(log: Log, code: FailureCode, reviewer: str) -> Decision:
    """Keep a code that a program proposes, and return the proposal. Nothing is written into the file of codes.

    Where the code stands for another one (`code.formerly`), that is to be renamed to it, or merged into it.

    Raises:
        EditRefusedError: if no code can have its name.
        ResultsError: when the log cannot be written.
    """
    check_name(code.name)
    return log.append(replace(definition_line(code, reviewer), formerly=next(iter(code.formerly), None)))


def take_code(log: Log, proposal: Decision, reviewer: str) -> Codebook:
    """Write what a program proposes of the codes into their file, note who took it, and return the codes.

    Raises:
        EditRefusedError: if it cannot be written into the file as it is now, or somebody answered it meanwhile.
        ResultsError: if the file or the log cannot be read or written.
    """
    log.refresh()
    if proposal not in log.open_proposals(""):
        raise EditRefusedError(f"what {one_line(proposal.reviewer, 60)} proposed waits for no answer any more")
    book, name, former = log.codebook.checked(), str(proposal.code), proposal.formerly
    code = FailureCode(name, proposal.comment)
    if former is not None:
        known = any(item.name == name for item in book.codes)
        book = merge_codes(book, former, name) if known else rename_code(book, former, name)
    elif book.find(name) is None:
        book = add_codes(book, [code])
    elif proposal.definition and book.digest(name) != proposal.definition:
        book = define_code(book, book.now(name), code.text)
    taken = replace(definition_line(code, reviewer), proposal=proposal.id, proposed_by=proposal.reviewer)
    log.append(taken)
    log.refresh()
    return book


def take_codes_of(log: Log, labels: Iterable[Decision], reviewer: str) -> None:
    """Take the codes that programs proposed with labels and that the file does not have. Raises as `take_code`."""
    wanted = {str(label.code) for label in labels if log.codebook.find(str(label.code)) is None}
    for proposal in log.open_proposals(""):
        if proposal.code in wanted:
            take_code(log, proposal, reviewer)


def known_code(log: Log, name: str) -> FailureCode:
    """Return a code by its name, one that waits as a program's proposal included.

    Raises:
        ResultsError: if there is none of that name; the message names the others.
    """
    code = log.codebook.checked().find(name) or proposed_code(log, name)
    if code is None:
        known = ", ".join(one_line(item.name, 40) for item in log.codebook.codes[:12])
        beside = f"; there are {known}" if known else ""
        raise ResultsError(f"no code is called {one_line(name, 80)}{beside}; code add makes one")
    return code


def proposed_code(log: Log, name: str) -> FailureCode | None:
    """Return a code that a program proposed and that waits for an answer; None if there is none of that name."""
    waiting = (item for item in log.open_proposals("") if item.code == name and item.formerly is None)
    return next((FailureCode(name, item.comment) for item in waiting), None)
