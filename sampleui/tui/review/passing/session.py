"""A pass over codes as a value, and what it reads and writes: its records, blind, and their labels in the log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from sampleui.errors import ResultsError
from sampleui.review.labels import draw_pass, label_about
from sampleui.review.log.store import LabelKey
from sampleui.review.results.requests import SentPrompt
from sampleui.review.samples.comparing import expected_of
from sampleui.review.sampling import Draw
from sampleui.review.verdict import Decision, LabelValue, LogAction, new_id
from sampleui.runs.blind import blind_record, blind_trace
from sampleui.runs.records import TracedRecord, file_record, trace_of
from sampleui.runs.requests import prompt_sent
from sampleui.text.visible import one_line
from sampleui.tui.review.record_context import with_talk
from sampleui.tui.review.rows.read import asked_of
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.session_verdicts import as_step, made_about
from sampleui.tui.review.shown import Shown

MAX_CODES = 9
"""How many codes one reading is about at most: a digit for each."""

_TURNS = {LabelValue.NO: LabelValue.YES, LabelValue.YES: LabelValue.UNSURE, LabelValue.UNSURE: LabelValue.NO}


@dataclass(frozen=True)
class PassState:
    """Where a pass is.

    Attributes:
        drawn: the pass as the log has it.
        order: the records, by index, in the order in which they are shown.
        known: by index of a record and by code, the labels that it has.
        before: likewise, those of the same definitions that earlier passes have.
        turned: likewise, those that were turned and are not taken yet.
        place: which of the records is shown, from 0.
    """

    drawn: Draw
    order: tuple[int, ...]
    known: Mapping[int, Mapping[str, LabelValue]] = field(default_factory=dict)
    before: Mapping[int, Mapping[str, LabelValue]] = field(default_factory=dict)
    turned: Mapping[int, Mapping[str, LabelValue]] = field(default_factory=dict)
    place: int = 0

    @property
    def codes(self) -> tuple[str, ...]:
        """The codes that it is about."""
        return self.drawn.codes

    @property
    def alone(self) -> bool:
        """Whether it is about one code."""
        return len(self.codes) == 1

    @property
    def index(self) -> int:
        """The record that is shown."""
        return self.order[self.place]

    @property
    def shown(self) -> Mapping[str, LabelValue]:
        """The labels that the record has or is to have: of several codes, *no* for those nothing was said of."""
        begun = {} if self.alone else dict.fromkeys(self.codes, LabelValue.NO)
        said = (self.before, self.known, self.turned)
        return {**begun, **{code: label for labels in said for code, label in labels.get(self.index, {}).items()}}

    def is_done(self, index: int) -> bool:
        """Tell whether a record has a label of each code."""
        return len(self.known.get(index, ())) == len(self.codes)

    @property
    def done(self) -> int:
        """How many records have a label of each code."""
        return sum(len(labels) == len(self.codes) for labels in self.known.values())

    def labelled(self, code: str) -> int:
        """Return how many records have a label of a code."""
        return sum(code in labels for labels in self.known.values())

    # Steps

    def at(self, place: int) -> PassState:
        """Go to a record by its place."""
        return replace(self, place=place)

    def at_open(self) -> PassState | None:
        """Go to the next record that lacks a label, after the last one to the first; None where none does."""
        count = len(self.order)
        places = (place % count for place in range(self.place + 1, self.place + count + 1))
        place = next((place for place in places if not self.is_done(self.order[place])), None)
        return None if place is None else self.at(place)

    def turn(self, code: str) -> PassState:
        """Turn the label of a code from no to yes, to cannot say, and to no."""
        turned = {**self.turned.get(self.index, {}), code: _TURNS[self.shown[code]]}
        return replace(self, turned={**self.turned, self.index: turned})

    def turned_to(self, index: int, labels: Mapping[str, LabelValue]) -> PassState:
        """Have labels of a record turned and not taken yet; none if there are none."""
        turned = {**self.turned, index: labels}
        return replace(self, turned={index: labels for index, labels in turned.items() if labels})


def begun(review: ReviewSession, codes: Collection[str], among: Draw | None) -> Draw:
    """Return a new pass over codes, when the log has it, over all records or those of a draw.

    Raises:
        ResultsError: when there are no records, or the log cannot be written.
    """
    entries, reviewer = review.results.indexed().counted, review.options.reviewer
    return review.log.keep_draw(draw_pass(entries, tuple(codes), reviewer, new_id(), among))


def opened(review: ReviewSession, drawn: Draw) -> PassState:
    """Return a pass at the first record that lacks a label, those first that have labels of old definitions."""
    first = {entry.digest: entry.index for entry in reversed(review.results.counted)}
    indexes = {digest: first[digest] for digest in drawn.records if digest in first}
    here, before = list[_Given](), list[_Given]()
    now, older = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for key, labels in review.log.given.items():
        if key.reviewer == review.options.reviewer and key.code in drawn.codes:
            is_now = key.definition == review.log.codebook.digest(key.code)
            (now if is_now else older)[key.code].update(labels)
            if is_now and key.drawn is not None:
                (here if key.drawn == drawn.id else before).append((key.code, labels))
    known = _by_index(indexes, here)
    lacking = {digest: index for digest, index in indexes.items() if len(known.get(index, ())) < len(drawn.codes)}
    outdated = {digest for code, records in older.items() for digest in records - now[code]}
    stale = {lacking[digest] for digest in outdated & lacking.keys()}
    order = sorted(indexes.values(), key=lambda index: index not in stale)
    state = PassState(drawn, tuple(order), known, _by_index(lacking, before), place=len(order) - 1)
    return state.at_open() or state.at(0)


_Given: TypeAlias = tuple[str, Mapping[str, LabelValue]]
"""A code, and its labels by the digests of records."""


def _by_index(indexes: Mapping[str, int], given: Sequence[_Given]) -> dict[int, Mapping[str, LabelValue]]:
    """Return the labels of records by index and code, of those that have any."""
    return {
        index: labels
        for digest, index in indexes.items()
        if (labels := {code: of_code[digest] for code, of_code in given if digest in of_code})
    }


def known_now(review: ReviewSession, state: PassState, index: int) -> PassState:
    """Return a pass with the labels of a record as the log has them, of definitions as they are."""
    log, reviewer, digest = review.log, review.options.reviewer, review.results.entries[index].digest
    keys = (LabelKey(code, reviewer, log.codebook.digest(code), state.drawn.id) for code in state.codes)
    given = {key.code: log.given.get(key, {}) for key in keys}
    labels = {code: labels[digest] for code, labels in given.items() if digest in labels}
    return replace(state, known={**state.known, index: labels})


def unfinished(review: ReviewSession) -> Iterator[tuple[Draw, int]]:
    """Yield the reviewer's passes in which records lack labels, and how many do; of the same codes the latest."""
    log, reviewer = review.log, review.options.reviewer
    latest = {drawn.codes: drawn for drawn in log.passes if drawn.reviewer == reviewer}
    there = {entry.digest for entry in review.results.counted}
    for drawn in reversed(latest.values()):
        keys = (LabelKey(code, reviewer, log.codebook.digest(code), drawn.id) for code in drawn.codes)
        records = there.intersection(drawn.records)
        left = len(records) - len(records.intersection(*(log.given.get(key, {}) for key in keys)))
        if left:
            yield drawn, left


def label(review: ReviewSession, state: PassState, labels: Mapping[str, LabelValue]) -> tuple[Decision, ...]:
    """Write down labels of the record that a pass shows, as one step of undo, and return them.

    Raises:
        ResultsError: when the record cannot be read, or the log cannot be written.
    """
    record, book = review.record(state.index), review.log.codebook
    made = [
        label_about(made_about(review, record), book, code, value, drawn=state.drawn)
        for code, value in labels.items()
    ]
    return review.log.append_all(as_step(made))


def is_last_done(review: ReviewSession, state: PassState) -> bool:
    """Tell whether the last thing that the reviewer did is a label of a pass or a note on a record of it."""
    last = review.log.last(review.options.reviewer)
    if last is None or last.drawn == state.drawn.id:
        return last is not None
    return last.kind is LogAction.NOTE and last.proposal is None and last.record in state.drawn.records


def blind_shown(review: ReviewSession, index: int) -> tuple[Shown, TracedRecord | None]:
    """Return what is shown of a record, and what it did, with nothing of how it came out.

    Of what was said of it the reviewer's own notes are shown alone. Of one that cannot be read it is why.
    """
    entry = review.results.entries[index]
    try:
        record = review.record(index)
    except ResultsError as error:
        return Shown(problem=str(error)), None
    sample, adapter, base_dir = (
        review.decks.sample(entry),
        review.results.read_by(record.data),
        review.results.base_dir,
    )
    bare = blind_record(record, adapter)
    expected = expected_of(sample, bare)
    traced = blind_trace(bare, trace_of(file_record(record), base_dir))
    asked = asked_of(Shown(asked=prompt_sent(record, base_dir), sample=sample))
    shown = Shown(
        record=replace(bare, expected=expected.text, any_of=expected.any_of, wanted=()),
        asked=SentPrompt(tuple(asked)),
        decisions=review.log.notes(entry.digest, review.options.reviewer),
        adapter=adapter,
        view=None if adapter is None else review.views.get(adapter.name),
    )
    return with_talk(shown, traced, review), traced


def codes_words(codes: Sequence[str]) -> str:
    """Return the names of codes in few words."""
    first = ", ".join(one_line(code, 30) for code in codes[:3])
    return f"{first} and {len(codes) - 3:,} more" if len(codes) > 3 else first
