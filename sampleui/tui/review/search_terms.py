"""What is typed into the search of a review: words, or terms in the language of the filters of decks."""

from __future__ import annotations

from collections.abc import Iterator

from sampleui.errors import PathError
from sampleui.filtering import field_holds, has_field, is_key_of
from sampleui.review.filters import is_word, of_items
from sampleui.review.results.file import Results
from sampleui.sample.names import path_of
from sampleui.sample.parse import value_at
from sampleui.text.terms import Term, terms_of
from sampleui.tui.review.decks import Decks


def asked_of(words: str) -> tuple[Term, ...]:
    """Return the terms of a search; none if it is words and nothing else, which are looked for as they stand."""
    terms = terms_of(words)
    return () if all(is_word(term) and not term.negated and not term.quoted for term in terms) else terms


def matching(
    terms: tuple[Term, ...], results: Results, decks: Decks, batch: int
) -> Iterator[tuple[int, frozenset[int]]]:
    """Look for the records in which those terms hold that have to be read, a batch at each step.

    Yields how many records were looked at, over all terms, and after the last step the indexes of what was found.

    Raises:
        ResultsError: when the file changed since it was indexed, or cannot be read.
    """
    found = frozenset(range(len(results.entries)))
    looked = 0
    for term in terms:
        if of_items(term):
            continue
        holding: set[int] = set(decks.holding(term.value, results.entries)) if is_word(term) else set()
        search = results.search(term.value, batch) if is_word(term) else _fields(term, results, decks, batch)
        for some in search:
            holding.update(some)
            looked += batch
            yield looked, frozenset()
        found = found - holding if term.negated else found & holding
    yield looked, found


def unknown_in(terms: tuple[Term, ...], results: Results, decks: Decks) -> tuple[str, ...]:
    """Return the fields asked for that no record and no sample has.

    Raises:
        ResultsError: when the file changed since it was indexed, or cannot be read.
    """
    keys = dict.fromkeys(term.key for term in terms if term.key and not of_items(term))
    return tuple(
        key for key in keys if not any(_has(key, results, decks, at) for at in range(len(results.entries)))
    )


def _has(key: str, results: Results, decks: Decks, at: int) -> bool:
    sample = decks.sample(results.entries[at])
    known = sample is not None and has_field(key, sample)
    return known or is_key_of(key, results.record(at).data)


def _fields(term: Term, results: Results, decks: Decks, batch: int) -> Iterator[tuple[int, ...]]:
    entries = results.entries
    for start in range(0, len(entries), batch):
        some = range(start, min(start + batch, len(entries)))
        yield tuple(at for at in some if _holds(term, results, decks, at))


def _holds(term: Term, results: Results, decks: Decks, at: int) -> bool:
    """Tell whether a field of a record's sample, or of the record itself, is as a term wants it."""
    sample = decks.sample(results.entries[at])
    if sample is not None and field_holds(term, sample):
        return True
    try:
        path = path_of(term.key)
    except PathError:
        return False
    held = value_at(results.record(at).data, path)
    return term.holds(held) if held is not None or sample is None else False
