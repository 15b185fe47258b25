"""Which part of a queue is shown. Pure values; nothing here reads a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sampleui.review.record import Entry, Outcome, outcome_of
from sampleui.review.verdict import RecordView, Verdict, passes_by
from sampleui.text.terms import NOTHING, SOMETHING, Term

PROBLEM, CHANGED = "problem", "changed"
DISPUTED = "disputed"
"""What a search by `verdict:` calls a record that reviewers disagree about."""


class QueueItem(NamedTuple):
    """A record in the queue.

    Attributes:
        failing: the names of the evaluators that it failed.
        rank: where it is in the order by score, lowest first.
        verdict: what was decided last, None when nothing was.
        stale: whether the sample has changed since that decision.
        carried: whether it was decided on an earlier run, about the same answer.
        adjudicated: whether that decision settled a disagreement.
        view: what is said of it beside that decision.
    """

    entry: Entry
    failed: bool
    failing: tuple[str, ...]
    rank: float
    verdict: Verdict | None = None
    stale: bool = False
    carried: bool = False
    adjudicated: bool = False
    view: RecordView = RecordView()

    @property
    def is_read(self) -> bool:
        """Whether the reviewer gave it a verdict, or wrote a note on it."""
        return self.view.noted or self.verdict is not None

    @property
    def outcome(self) -> Outcome:
        """How the record came out: as the run says, or where nobody graded it as the reviewer found."""
        if self.entry.error is None and self.failed:
            return Outcome.FAILED
        found = outcome_of(self.entry)
        passes = passes_by(self.undisputed_verdict) if found is Outcome.UNGRADED else None
        return found if passes is None else Outcome.PASSED if passes else Outcome.FAILED

    @property
    def by_a_person(self) -> bool:
        """Whether the outcome is what a reviewer found of a record that nobody graded."""
        return not self.failed and self.outcome is not outcome_of(self.entry)

    @property
    def undisputed_verdict(self) -> Verdict | None:
        """The verdict that counts in lists and figures; None if there is none or it is disputed."""
        return None if self.view.disputed else self.verdict


class Filters(NamedTuple):
    """What is shown: records that pass every filter that is set.

    Attributes:
        failed: failed, or an error.
        outcome: came out so.
        verdict: decided so.
        evaluator: failed by this evaluator.
        target: answered by this target.
        code: fails by this code, as someone says.
        text: in the id, the target or the error, upper and lower case alike; or the record is one of `found`.
        found: indexes of records whose texts hold `text`, from `Results.search`.
        terms: what `text` says as terms, where it is more than words; `found` are the records in which those hold
            that `item_holds` does not know of.
        only: indexes of records to stay among, such as those that differ from a baseline; None for all.
        named: what these are called.
    """

    failed: bool = False
    unreviewed: bool = False
    stale: bool = False
    outcome: Outcome | None = None
    verdict: Verdict | None = None
    evaluator: str | None = None
    tag: str | None = None
    target: str | None = None
    code: str | None = None
    text: str = ""
    found: frozenset[int] = frozenset()
    terms: tuple[Term, ...] = ()
    only: frozenset[int] | None = None
    named: str = ""

    def searching(self, found: Filters) -> Filters:
        """Return them with what another search found in the place of what is searched for."""
        return self._replace(text=found.text, found=found.found, terms=found.terms)

    @property
    def by_decision(self) -> bool:
        """Whether a decision can change what passes."""
        chosen = self.unreviewed or self.stale or any((self.outcome, self.verdict, self.code))
        return chosen or any(term.key in _OF_DECISIONS or is_flag(term, CHANGED) for term in self.terms)

    @property
    def marked(self) -> str:
        """The words to mark wherever they are shown."""
        if not self.terms:
            return self.text
        return next((term.value for term in self.terms if is_word(term) and not term.negated), "")


class Choices(NamedTuple):
    """What there is to filter by, with how many records each would show, most first."""

    evaluators: tuple[tuple[str, int], ...]
    tags: tuple[tuple[str, int], ...]
    targets: tuple[tuple[str, int], ...] = ()


def choices_of(items: Iterable[QueueItem]) -> Choices:
    """Return the evaluators that items failed, their tags and their targets."""
    evaluators, tags, targets = Counter[str](), Counter[str](), Counter[str]()
    for item in items:
        evaluators.update(item.failing)
        tags.update(item.entry.tags)
        if item.entry.target is not None:
            targets[item.entry.target] += 1
    return Choices(tuple(evaluators.most_common()), tuple(tags.most_common()), tuple(targets.most_common()))


def passing(items: Sequence[QueueItem], filters: Filters) -> list[int]:
    """Return the places of the items that pass every filter that is set."""
    # One plain pass for each filter that is set: 100,000 items take a few milliseconds each.
    tests: tuple[tuple[bool, Callable[[QueueItem], bool]], ...] = (
        (filters.failed, lambda item: item.failed),
        (filters.unreviewed, lambda item: item.verdict is None),
        (filters.stale, lambda item: item.stale),
        (filters.outcome is not None, lambda item: item.outcome is filters.outcome),
        (filters.verdict is not None, lambda item: item.undisputed_verdict == filters.verdict),
        (filters.evaluator is not None, lambda item: filters.evaluator in item.failing),
        (filters.tag is not None, lambda item: filters.tag in item.entry.tags),
        (filters.target is not None, lambda item: item.entry.target == filters.target),
        (filters.code is not None, lambda item: filters.code in item.view.codes),
    )
    only = filters.only
    indexes = [index for index in range(len(items)) if only is None or index in only]
    for is_set, passes in tests:
        if is_set:
            indexes = [index for index in indexes if passes(items[index])]
    return _by_text(indexes, items, filters)


def _by_text(indexes: list[int], items: Sequence[QueueItem], filters: Filters) -> list[int]:
    if filters.terms:
        for term in filter(of_items, filters.terms):
            indexes = [index for index in indexes if item_holds(term, items[index]) is not term.negated]
        return [index for index in indexes if items[index].entry.index in filters.found]
    if filters.text:
        wanted = filters.text.casefold()
        indexes = [index for index in indexes if index in filters.found or wanted in _words(items[index].entry)]
    return indexes


def targets_in(filters: Filters, targets: Iterable[str]) -> frozenset[str] | None:
    """Return the targets that pass the filters; None if there is no filter by target."""
    asked = [term for term in filters.terms if term.key == "target"]
    if filters.target is None and not asked:
        return None
    return frozenset(
        target
        for target in targets
        if filters.target in (None, target) and all(term.holds(target) is not term.negated for term in asked)
    )


def is_flag(term: Term, *names: str) -> bool:
    """Tell whether a term is one of some words with a meaning of their own, such as `problem`."""
    return not term.key and not term.quoted and term.value in names


def is_word(term: Term) -> bool:
    """Tell whether a term is a word to be found in the texts of a record."""
    return not term.key and not is_flag(term, PROBLEM, CHANGED)


def of_items(term: Term) -> bool:
    """Tell whether `item_holds` can decide a term."""
    return term.key in _VALUES or is_flag(term, PROBLEM, CHANGED)


def item_holds(term: Term, item: QueueItem) -> bool:
    """Tell whether a term holds for a record, regardless of a minus before it."""
    if is_flag(term, PROBLEM):
        return item.failed
    return item.stale if is_flag(term, CHANGED) else term.holds(_VALUES[term.key](item))


_VALUES: Mapping[str, Callable[[QueueItem], object]] = {
    "verdict": lambda item: DISPUTED if item.view.disputed else item.verdict and str(item.verdict),
    "proposed": lambda item: item.view.proposed and str(item.view.proposed),
    "comment": lambda item: item.view.comments,
    "code": lambda item: item.view.codes,
    "target": lambda item: item.entry.target,
    "error": lambda item: item.entry.error,
    "score": lambda item: item.entry.score,
    "tag": lambda item: item.entry.tags,
    "tags": lambda item: item.entry.tags,
    "id": lambda item: item.entry.id,
    "outcome": lambda item: str(item.outcome),
    "failed": lambda item: item.failing,
}
_OF_DECISIONS = frozenset({"verdict", "code", "proposed", "comment", "outcome"})


_WORDS_OF: Mapping[str, tuple[str, ...]] = {
    "outcome": tuple(Outcome),
    "verdict": (*Verdict, DISPUTED, NOTHING, SOMETHING),
    "proposed": (*Verdict, NOTHING, SOMETHING),
}
"""The words that a field may hold, of the fields that hold no others."""


def unknown_words(terms: Iterable[Term]) -> str:
    """Say which of the words asked for a field never holds, and which it may hold; empty for none."""
    unknown = [
        f"no {term.key} is {term.value}; there are {', '.join(words)}"
        for term in terms
        if (words := _WORDS_OF.get(term.key)) and not any(term.holds(word) for word in (*words, None))
    ]
    return "; ".join(unknown)


def _words(entry: Entry) -> str:
    return "\n".join((entry.id, entry.target or "", entry.error or "")).casefold()
