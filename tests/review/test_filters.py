"""What a queue is narrowed by: decisions, targets, kinds of failure, terms."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sampleui.review.filters import Filters, is_word, item_holds, of_items, passing
from sampleui.review.queue import Order, Queue, first_of, items_of
from sampleui.review.record import Grade
from sampleui.review.verdict import Decision, LogAction, RecordView, Verdict
from sampleui.text.terms import terms_of
from tests.review.build import decided, decision, entry

ENTRIES = (
    entry(0, "low", score=0.1, target="b", tags=("hard",), grades=(Grade("judge", 0.1, None),)),
    entry(1, "late", score=None, target="a", error="Timed out"),
    entry(2, "fine", score=1.0, target="b"),
    entry(3, "half", score=0.5, tags=("hard",)),
)
MADE = {
    "digest-0": decision("digest-0", Verdict.FLAKY, sample_hash="old"),
    "digest-3": replace(decision("digest-3", Verdict.OK), kind=LogAction.ADJUDICATE, carried=True),
}


SAID = {"digest-0": RecordView(codes=("format",))}


def queue(**filters: object) -> Queue:
    items = items_of(ENTRIES, MADE.get, lambda _: "new", view_of=lambda record: SAID.get(record, RecordView()))
    return Queue(items).shown(Filters(**filters), Order.FILE)  # type: ignore[arg-type]


def shown(found: Queue) -> list[str]:
    return [found.items[at].entry.id for at in found.visible]


@pytest.mark.parametrize(
    ("words", "ids"),
    [
        ("problem", ["low", "late", "half"]),
        ("-problem", ["fine"]),
        ("changed", ["low"]),
        ("verdict:flaky", ["low"]),
        ("verdict:none", ["late", "fine"]),
        ("code:format", ["low"]),
        ("target:b", ["low", "fine"]),
        ("target:none", ["half"]),
        ("error:timed", ["late"]),
        ("score<0.6", ["low", "half"]),
        ("tag:hard -verdict:ok", ["low"]),
        ("tags:hard", ["low", "half"]),
        ("id:l", ["low", "late", "half"]),
        ("outcome:passed", ["fine"]),
        ("failed:judge", ["low"]),
    ],
)
def test_terms_of_records(words: str, ids: list[str]) -> None:
    terms = terms_of(words)
    assert all(map(of_items, terms))
    assert shown(queue(text=words, terms=terms, found=frozenset(range(4)))) == ids


def test_words_are_found_elsewhere() -> None:
    word, quoted, field = terms_of('paris "problem" role:user')
    assert [is_word(one) for one in (word, quoted, field)] == [True, True, False]
    assert not any(map(of_items, (word, quoted, field)))
    assert not is_word(terms_of("problem")[0])
    assert shown(queue(text="x", terms=(word,), found=frozenset({1, 2}))) == ["late", "fine"]


def test_a_term_holds_whatever_its_minus_says() -> None:
    (item,) = items_of(ENTRIES[:1], MADE.get, lambda _: "new")
    assert all(item_holds(term, item) for term in terms_of("problem -problem changed -score<1"))


@pytest.mark.parametrize(
    ("filters", "ids"),
    [
        ({"target": "b"}, ["low", "fine"]),
        ({"code": "format"}, ["low"]),
        ({"verdict": Verdict.OK}, ["half"]),
        ({"only": frozenset({0, 3}), "unreviewed": True}, []),
    ],
)
def test_a_filter_of_the_queue_shows_its_records_alone(filters: dict[str, object], ids: list[str]) -> None:
    assert shown(queue(**filters)) == ids


@pytest.mark.parametrize(
    ("filters", "changes"),
    [
        (Filters(), False),
        (Filters(failed=True, target="b", text="x"), False),
        (Filters(unreviewed=True), True),
        (Filters(stale=True), True),
        (Filters(verdict=Verdict.OK), True),
        (Filters(code="format"), True),
        (Filters(terms=terms_of("verdict:ok")), True),
        (Filters(terms=terms_of("x code:y")), True),
        (Filters(terms=terms_of("changed")), True),
        (Filters(terms=terms_of('"changed" problem score<1')), False),
    ],
)
def test_whether_a_decision_changes_what_is_shown(filters: Filters, changes: bool) -> None:
    assert filters.by_decision is changes


@pytest.mark.parametrize(
    ("filters", "marked"),
    [
        (Filters(text="paris"), "paris"),
        (Filters(text="x", terms=terms_of("score<1 -lyon Paris problem")), "paris"),
        (Filters(text="x", terms=terms_of("score<1 -lyon")), ""),
    ],
)
def test_which_words_are_marked(filters: Filters, marked: str) -> None:
    assert filters.marked == marked


def test_a_queue_by_target_is_by_score_within_each() -> None:
    assert shown(queue().shown(order=Order.TARGET)) == ["half", "late", "low", "fine"]


def test_what_a_decision_makes_of_an_item() -> None:
    low, late, _, half = queue().items
    assert (low.stale, low.view.codes, low.adjudicated, low.carried) == (True, ("format",), False, False)
    assert (half.stale, half.adjudicated, half.carried) == (False, True, True)
    assert late.verdict is None


def test_records_that_were_replaced_are_shown_where_they_are_asked_for() -> None:
    found = Queue().with_items(queue().items, frozenset({0, 3}))
    assert shown(found) == ["late", "fine"]
    assert shown(found.shown(Filters(only=frozenset({0, 2})))) == ["low", "fine"]
    assert found.progress.total == 2


def test_a_decision_shows_at_once_only_where_it_can_hide() -> None:
    made = decision("digest-2", Verdict.OK)
    assert shown(decided(queue(unreviewed=True), "digest-2", made)) == ["late"]
    assert shown(decided(queue(failed=True), "digest-0", None)) == ["low", "late", "half"]
    assert decided(queue(unreviewed=True), "digest-9", made).visible == (1, 2)


def test_a_changed_sample_hides_no_record_but_where_those_are_asked_for() -> None:
    def none(_: str) -> Decision | None:
        return None

    assert shown(queue(stale=True).revised(lambda _: True, none, lambda _: "x")) == []
    assert shown(queue().revised(lambda _: True, none, lambda _: "x")) == ["low", "late", "fine", "half"]


def test_the_first_of_a_queue_is_that_of_its_order() -> None:
    items = items_of(ENTRIES, MADE.get)
    firsts = [first_of(items, order) for order in (Order.SCORE, Order.FILE, Order.TARGET)]
    assert [one.entry.id for one in firsts if one is not None] == ["late", "low", "half"]
    assert first_of((), Order.FILE) is None
    assert passing(items, Filters(text="TIMED")) == [1]


def test_stepping_backwards_from_nowhere_begins_at_the_end() -> None:
    found = queue()
    assert (found.step(None, 2), found.step(None, -1), found.step(None, -4), found.step(None, -5)) == (
        1,
        3,
        0,
        None,
    )
    assert (found.step(0, 0), found.step(2, 2)) == (0, None)
