from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.review.filters import Choices, Filters, QueueItem, choices_of
from sampleui.review.queue import Order, Queue, items_of
from sampleui.review.record import Entry, Grade
from sampleui.review.verdict import Decision, Verdict
from tests.quick import within
from tests.review.build import decided, decision, entry

ENTRIES = (
    entry(0, "pass", score=1.0, grades=(Grade("judge", 1.0, "pass"),), tags=("easy",), target="atlas"),
    entry(1, "low", score=0.2, grades=(Grade("judge", 0.2, None), Grade("tools", 1.0, None)), tags=("hard",)),
    entry(2, "error", score=None, error="Timed out"),
    entry(3, "truth", score=3.0, truth=-3.0),
    entry(4, "mid", score=0.5, grades=(Grade("tools", 0.9, "fail"),), verdict="fail", tags=("hard",)),
    entry(5, "none", score=None),
)
DECIDED = {
    "digest-1": decision("digest-1", Verdict.MODEL_WRONG, sample_hash="old"),
    "digest-4": decision("digest-4", Verdict.OK),
}


ALL = Filters()


def queue(filters: Filters = ALL, order: Order = Order.FILE) -> Queue:
    return Queue(items_of(ENTRIES, DECIDED.get, lambda _: "new")).shown(filters, order)


def names(found: Queue) -> list[str]:
    return [found.items[at].entry.id for at in found.visible]


@pytest.mark.parametrize(
    ("filters", "shown"),
    [
        (Filters(), ["pass", "low", "error", "truth", "mid", "none"]),
        (Filters(failed=True), ["low", "error", "truth", "mid"]),
        (Filters(failed=True, unreviewed=True), ["error", "truth"]),
        (Filters(stale=True), ["low"]),
        (Filters(verdict=Verdict.OK), ["mid"]),
        (Filters(evaluator="judge"), ["low"]),
        (Filters(evaluator="tools"), ["mid"]),
        (Filters(tag="hard"), ["low", "mid"]),
        (Filters(text="TIMED"), ["error"]),
        (Filters(failed=True, only=frozenset({0, 2, 4})), ["error", "mid"]),
        (Filters(text="atlas"), ["pass"]),
        (Filters(text="atlas", found=frozenset({4})), ["pass", "mid"]),
    ],
)
def test_filters(filters: Filters, shown: list[str]) -> None:
    assert names(queue(filters)) == shown


def test_the_order_by_score_has_errors_first_and_the_unscored_last() -> None:
    assert names(queue(order=Order.SCORE)) == ["error", "truth", "low", "mid", "pass", "none"]


def test_what_there_is_to_filter_by() -> None:
    found = choices_of(queue().items)
    assert found == Choices(
        evaluators=(("judge", 1), ("tools", 1)), tags=(("hard", 2), ("easy", 1)), targets=(("atlas", 1),)
    )


def test_stepping_stops_at_the_ends() -> None:
    found = queue(Filters(failed=True))
    assert [found.step(None), found.step(None, -1)] == [1, 4]
    assert [found.step(1), found.step(2, 2), found.step(4), found.step(1, -1)] == [2, 4, None, None]
    assert Queue().step(None) is None


def test_stepping_goes_on_from_a_record_that_is_no_longer_visible() -> None:
    found = queue(Filters(failed=True, unreviewed=True))
    assert found.visible == (2, 3)
    after = decided(found, "digest-2", decision("digest-2"))
    assert after.visible == (3,)
    assert (after.step(2), after.step(2, -1)) == (3, None)
    assert (after.step(4, -1), after.step(4)) == (3, None)


def test_the_next_unreviewed_begins_anew_at_the_top() -> None:
    found = queue(Filters(failed=True))
    assert [found.next_unreviewed(at) for at in (None, 1, 2, 3, 4)] == [2, 2, 3, 2, 2]
    found = decided(decided(found, "digest-2", decision("digest-2")), "digest-3", decision("digest-3"))
    assert found.next_unreviewed(1) is None


def test_a_decision_and_its_undo_show_in_the_queue() -> None:
    found = queue()
    made = decision("digest-3", Verdict.FLAKY, sample_hash="old")
    after = decided(found, "digest-3", made, "new")
    assert (after.items[3].verdict, after.items[3].stale) == (Verdict.FLAKY, True)
    assert decided(after, "digest-3", None) == found


def test_decisions_about_a_sample_that_was_changed_are_stale() -> None:
    found = queue(Filters(stale=True)).revised(lambda entry: entry.sample_id == "low", DECIDED.get, lambda _: "old")
    assert names(found) == []
    assert names(found.revised(lambda entry: entry.sample_id == "low", DECIDED.get, lambda _: "newer")) == ["low"]
    assert names(found.revised(lambda entry: entry.sample_id == "pass", DECIDED.get, lambda _: "newer")) == []


def test_progress_counts_what_passes_the_filters_but_those_by_decision() -> None:
    found = queue(Filters(failed=True, unreviewed=True)).progress
    assert (found.reviewed, found.total) == (2, 4)
    assert dict(found.by_verdict) == {one: int(one in {Verdict.MODEL_WRONG, Verdict.OK}) for one in Verdict}


entries = st.lists(
    st.builds(
        entry,
        st.just(0),
        score=st.none() | st.sampled_from([0.0, 0.5, 0.8, 1.0]),
        truth=st.none() | st.just(0.5),
        error=st.none() | st.just("late"),
    ),
    max_size=12,
)


@given(entries, st.sampled_from(Order), st.booleans(), st.sets(st.integers(0, 11)))
def test_stepping_visits_every_visible_record_once(
    found: list[object], order: Order, only_failed: bool, decided: set[int]
) -> None:
    listed = [entry(at, score=one.score, truth=one.truth_score, error=one.error) for at, one in enumerate(found)]  # type: ignore[attr-defined]
    items = items_of(listed, lambda digest: decision(digest) if int(digest[7:]) in decided else None)
    shown = Queue(items).shown(Filters(failed=only_failed), order)
    visited, at = [], shown.step(None)
    while at is not None:
        visited.append(at)
        at = shown.step(at)
    assert tuple(visited) == shown.visible
    assert set(visited) == {item.entry.index for item in items if item.failed or not only_failed}
    unreviewed = {at for at in visited if at not in decided}
    for start in (None, *visited):
        following = shown.next_unreviewed(start)
        assert following in unreviewed - {start} or (following is None and not unreviewed - {start})


@given(entries, st.sampled_from(Order))
def test_growing_by_batches_comes_to_the_same(found: list[object], order: Order) -> None:
    items = items_of([entry(at, score=one.score) for at, one in enumerate(found)], lambda _: None)  # type: ignore[attr-defined]
    whole = Queue(items).shown(Filters(failed=True), order)
    grown = Queue().shown(Filters(failed=True), order).with_items(items[:3]).with_items(items[3:])
    assert grown == whole


def test_a_hundred_thousand_records_filter_within_a_frame() -> None:
    base = items_of((entry(0, "a", score=0.5), entry(0, "b", score=0.9)), lambda _: None)
    items = tuple(
        QueueItem(base[at % 2].entry, at % 2 == 0, (), float(at % 97), Verdict.OK if at % 3 else None)
        for at in range(100_000)
    )
    found = Queue(items).shown(order=Order.SCORE)
    with within(5 * 0.1):  # half of that on an idle machine
        for _ in range(5):
            found.shown(Filters(failed=True, unreviewed=True)).next_unreviewed(None)


def test_sample_hashes_are_asked_for_decided_records_only() -> None:
    asked: list[str] = []

    def hash_of(entry: Entry) -> str:
        asked.append(entry.sample_id)
        return "new"

    def no_decision_but_one(digest: str) -> Decision | None:
        return DECIDED.get(digest)

    items_of(ENTRIES, no_decision_but_one, hash_of)
    assert asked == ["low", "mid"]
