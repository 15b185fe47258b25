"""Records that hold what is typed into a search: words in their texts, or terms of their fields and decisions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import Protocol

from sampleui.errors import PathError
from sampleui.review.filters import Filters, is_word, of_items
from sampleui.review.record import Entry
from sampleui.review.results.file import Results
from sampleui.sample.model import Sample
from sampleui.sample.parse import value_at
from sampleui.sample.value_names import path_of
from sampleui.text.terms import Term
from sampleui.trace.call_search import asked_terms, calls_with, of_calls
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.timeline import timeline
from sampleui.workspace.filtering import field_holds, has_field, is_key_of


class Decks(Protocol):
    """The decks of a run, as a search asks them."""

    def sample(self, entry: Entry, /) -> Sample | None:
        """Return the sample that a record answers, None if no deck has it."""

    def holding(self, words: str, entries: Sequence[Entry], /) -> frozenset[int]:
        """Return the records by index whose sample holds a text."""


def search_terms(words: str) -> tuple[Term, ...]:
    """Return the terms of a search; none if it is words and nothing else, which are looked for as they stand."""
    terms = asked_terms(words)
    return () if all(is_word(term) and not term.negated and not term.quoted for term in terms) else terms


def matching(words: str, results: Results, decks: Decks, batch: int) -> Iterator[tuple[int, Set[int]]]:
    """Look for the records that hold words, or in which those terms hold that have to be read, batch by batch.

    All terms without a minus that ask for a call are to hold for one and the same call.

    Yields how many records were looked at, over all terms, and the indexes of what was found, of terms after the
    last step.

    Raises:
        ResultsError: when the file changed since it was indexed, or cannot be read.
    """
    indexes, looked, found, terms = frozenset(range(len(results.entries))), 0, set[int](), search_terms(words)
    if not terms:
        for some in results.search(words, batch):
            found.update(some)
            looked += batch
            yield looked, found
        yield looked, found | decks.holding(words, results.entries)
        return
    together = tuple(term for term in terms if of_calls(term) and not term.negated)
    for term in terms:
        if of_items(term) or term in together[1:]:
            continue
        holding: set[int] = set(decks.holding(term.value, results.entries)) if is_word(term) else set()
        for some in _search(term, together if term in together else (term,), results, decks, batch):
            holding.update(some)
            looked += batch
            yield looked, frozenset()
        indexes = indexes - holding if term.negated else indexes & holding
    yield looked, indexes


def filters_of(words: str, results: Results, decks: Decks) -> Filters:
    """Search for what was typed, to the end, and return it as filters.

    Raises:
        ResultsError: when the file changed since it was indexed, or cannot be read.
    """
    if not words:
        return Filters()
    *_, (_, found) = matching(words, results, decks, max(len(results.entries), 1))
    return Filters(text=words, found=frozenset(found), terms=search_terms(words))


def unknown_in(terms: tuple[Term, ...], results: Results, decks: Decks) -> tuple[str, ...]:
    """Return the fields asked for that no record and no sample has.

    Raises:
        ResultsError: when the file changed since it was indexed, or cannot be read.
    """
    keys = dict.fromkeys(term.key for term in terms if term.key and not (of_items(term) or of_calls(term)))
    return tuple(
        key for key in keys if not any(_has(key, results, decks, index) for index in range(len(results.entries)))
    )


def _has(key: str, results: Results, decks: Decks, index: int) -> bool:
    sample = decks.sample(results.entries[index])
    known = sample is not None and has_field(key, sample)
    return known or is_key_of(key, results.record(index).data)


def _search(
    term: Term, terms: Sequence[Term], results: Results, decks: Decks, batch: int
) -> Iterator[tuple[int, ...]]:
    """Yield the records in which a term holds, or all terms that ask for one call, a batch at each step."""
    if is_word(term):
        yield from results.search(term.value, batch)
        return
    entries = results.entries
    for start in range(0, len(entries), batch):
        some = range(start, min(start + batch, len(entries)))
        yield tuple(
            index
            for index in some
            if (of_calls(term) and _has_call(terms, results, index))
            or all(_holds(asked, results, decks, index) for asked in terms)
        )


def _has_call(terms: Sequence[Term], results: Results, index: int) -> bool:
    record = results.record(index)
    trace = read_trace(record.data, results.base_dir, record.thinking_answer)
    return bool(calls_with(timeline(trace.events), (term._replace(negated=False) for term in terms)))


def _holds(term: Term, results: Results, decks: Decks, index: int) -> bool:
    """Tell whether a field of a record's sample, or of the record itself, is as a term wants it."""
    sample = decks.sample(results.entries[index])
    if sample is not None and field_holds(term, sample):
        return True
    try:
        path = path_of(term.key)
    except PathError:
        return False
    value = value_at(results.record(index).data, path)
    return term.holds(value) if value is not None or sample is None else False
