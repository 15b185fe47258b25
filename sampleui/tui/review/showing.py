"""Everything about the current place of a review, read from the results, the run's folder and the decks."""

from __future__ import annotations

from sampleui.errors import ResultsError
from sampleui.review.log.verdict_migration import offer_words
from sampleui.review.record import Entry
from sampleui.runs.archive import as_run
from sampleui.runs.requests import asked
from sampleui.tui.review.session import ReviewSession
from sampleui.tui.review.shown import Shown, wanted
from sampleui.tui.review.sides import Sides


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
    return Shown(
        item=item,
        record=record,
        sample=sample,
        expected=text,
        any_of=any_of,
        criteria=criteria,
        decisions=review.log.seen_by(review.options.reviewer, entry.digest),
        offered=tuple(offer_words(offer, record) for offer in offered),
        changed=edited or item.stale or bool(kept and kept.changed),
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
