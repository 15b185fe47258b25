"""Records side by side: runs, targets, attempts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sampleui.review.attempts import Attempts, attempts_of, cases_of
from sampleui.review.baseline import GraderChange, Trend, compare, record_comparison_words
from sampleui.review.record import Entry, Grade
from tests.review.build import entry


@pytest.mark.parametrize(
    ("old", "new", "trend", "said"),
    [
        (0.5, 0.6, Trend.BETTER, "judge 0.5 → 0.6"),
        (0.5, 0.4, Trend.WORSE, "judge 0.5 → 0.4"),
        (None, 0.4, Trend.ONLY_NEW, "judge 0.4, only here"),
        (0.5, None, Trend.ONLY_OLD, "judge 0.5, only in the baseline"),
    ],
)
def test_how_an_evaluator_changed(old: float | None, new: float | None, trend: Trend, said: str) -> None:
    (found,) = compare(
        [entry(grades=() if new is None else (Grade("judge", new, None),))],
        [entry(grades=() if old is None else (Grade("judge", old, None),))],
    )
    (change,) = found.graders
    assert (change, change.trend, str(change)) == (GraderChange("judge", old, new), trend, said)


def test_evaluators_that_gave_the_same_did_not_change() -> None:
    marks = (Grade("judge", 0.5, None), Grade("words", None, "pass"))
    (found,) = compare([entry(grades=marks)], [entry(grades=marks)])
    assert (found.graders, found.trend, found.delta) == ((), Trend.SAME, 0.0)


@pytest.mark.parametrize(("new", "old"), [(None, 0.5), (0.5, None), (None, None)])
def test_without_a_score_there_is_no_difference(new: float | None, old: float | None) -> None:
    (found,) = compare([entry(score=new)], [entry(score=old)])
    assert found.delta is None


def test_a_record_that_only_one_run_has_goes_by_its_own_id() -> None:
    new, old = compare([entry(0, "a")], [entry(0, "b")])
    assert (new.id, new.trend, old.id, old.trend) == ("a", Trend.ONLY_NEW, "b", Trend.ONLY_OLD)


def test_attempts_of_one_target_at_one_sample_are_counted() -> None:
    entries = [
        entry(0, "a", score=1.0, target="x"),
        entry(1, "a", score=0.0, target="x"),
        entry(2, "a", score=1.0, target="y"),
        replace(entry(3, "b", score=0.0, target="x"), trials=(2, 3)),
        replace(entry(4, "c", score=0.0, target="x"), trials=(0, 1)),
    ]
    found = attempts_of(entries)
    assert found == {
        0: Attempts("a", "x", 1, 2), 1: Attempts("a", "x", 1, 2), 3: Attempts("b", "x", 2, 3),
    }  # fmt: skip
    assert str(found[3]) == "2 of 3 passed"
    assert attempts_of(entries[:2], fail_under=0.0)[0].passed == 2
    assert cases_of(entries) == {(None, None, "a"): (0, 1, 2)}


def graded(at: int = 0, sample: str = "a", **scores: float) -> Entry:
    """Return a record whose score is the mean of what its evaluators gave, as most runners have it."""
    marks = tuple(Grade(name, score, None) for name, score in scores.items())
    return entry(at, sample, score=sum(scores.values()) / len(scores), grades=marks)


@pytest.mark.parametrize(
    ("old", "new", "trend"),
    [
        ({"words": 1.0}, {"words": 1.0, "judge": 0.0}, Trend.WORSE),
        ({"words": 0.0}, {"words": 0.0, "judge": 1.0}, Trend.SAME),
        ({"words": 1.0, "tone": 0.0}, {"judge": 0.0, "words": 1.0}, Trend.SAME),
        ({"words": 1.0}, {"words": 0.0, "judge": 1.0}, Trend.WORSE),
        ({"words": 0.2}, {"words": 0.4, "judge": 0.0}, Trend.SAME),
        ({"words": 1.0}, {"judge": 1.0}, Trend.SAME),
        ({"words": 1.0, "tone": 0.0}, {"words": 0.0, "tone": 1.0}, Trend.SAME),
    ],
)
def test_records_are_compared_by_how_they_came_out_and_evaluators_of_one_run_are_told_beside(
    old, new, trend
) -> None:
    (found,) = compare([graded(**new)], [graded(**old)])
    assert found.trend is trend
    assert {one.name for one in found.apart} == {*old} ^ {*new}


def test_evaluators_that_only_one_run_has_are_told_apart_from_the_counts() -> None:
    old, new = (
        [graded(at, f"s{at}", words=1.0) for at in range(3)],
        [graded(at, f"s{at}", words=1.0, judge=0.9) for at in range(3)],
    )
    assert record_comparison_words(compare(new, old)) == "3 the same; evaluators only here: judge"
    assert record_comparison_words(compare(old, new)) == "3 the same; evaluators only in the baseline: judge"
    assert record_comparison_words(compare([*old, graded(3, "s3", words=0.0)], old)) == "3 the same, 1 only here"


@pytest.mark.parametrize(
    ("old", "new", "trend"),
    [
        ({"score": None}, {"score": None}, Trend.UNKNOWN),
        ({"score": 1.0}, {"score": None}, Trend.UNKNOWN),
        ({"score": None, "error": "late"}, {"score": None, "error": "late"}, Trend.UNKNOWN),
        ({"score": None, "error": "late"}, {"score": 0.0}, Trend.UNKNOWN),
        ({"score": None, "error": "late"}, {"score": 1.0}, Trend.UNKNOWN),
        ({"score": 1.0}, {"score": None, "error": "late"}, Trend.UNKNOWN),
        ({"score": 0.0}, {"score": 0.0}, Trend.SAME),
    ],
)
def test_what_is_not_graded_is_not_the_same(old, new, trend) -> None:
    (found,) = compare([entry(**new)], [entry(**old)])
    assert found.trend is trend


def test_a_record_that_failed_to_answer_has_no_evaluators_apart() -> None:
    (found,) = compare([entry(0, "a", score=None, error="late")], [graded(words=1.0)])
    assert (found.trend, found.apart, found.reason) == (Trend.UNKNOWN, (), "an error here")


def decided(by: str, **scores: float) -> Entry:
    """Return a record of which one evaluator decides."""
    return replace(graded(0, "a", **scores), decider=by, score=scores.get(by))


@pytest.mark.parametrize(
    ("old", "new", "trend"),
    [
        (decided("match", match=1.0, length=0.2), decided("match", match=1.0, length=0.2, third=0.0), Trend.SAME),
        (decided("match", match=1.0, length=0.0), decided("match", match=0.0, length=1.0, third=1.0), Trend.WORSE),
        (decided("match", match=1.0, length=0.2), decided("length", match=1.0, length=0.2), Trend.WORSE),
        (decided("judge", match=1.0), decided("judge", match=1.0, judge=0.0), Trend.UNKNOWN),
    ],
)
def test_outcomes_are_compared_where_one_evaluator_decides_both(old: Entry, new: Entry, trend: Trend) -> None:
    (found,) = compare([new], [old])
    assert found.trend is trend


def test_evaluators_of_one_name_are_compared_one_by_one() -> None:
    old = entry(grades=(Grade("contains", 1.0, None), Grade("contains", 1.0, None)))
    new = entry(grades=(Grade("contains", 0.0, None), Grade("contains", 1.0, None)))
    (found,) = compare([new], [old])
    assert [str(one) for one in found.graders] == ["contains 1 → 0"]


@pytest.mark.parametrize("decided", [False, True])
def test_an_evaluator_without_a_score_is_compared_by_its_verdict(decided: bool) -> None:
    (found,) = compare(
        [entry(grades=(Grade("words", None, "fail"),), score=None if decided else 0.5)],
        [entry(grades=(Grade("words", None, "pass"),), score=None if decided else 0.5)],
    )
    assert (found.trend, [str(one) for one in found.graders]) == (
        Trend.WORSE if decided else Trend.SAME,
        ["words 1 → 0"],
    )


def pairs(new: list[Entry], old: list[Entry]) -> list[tuple[int | None, int | None]]:
    found = compare(new, old)
    return [(one.new.index if one.new else None, one.old.index if one.old else None) for one in found]


def test_records_pair_by_target_where_a_run_has_several() -> None:
    x, y, z = (entry(at, "a", target=name) for at, name in enumerate("xyz"))
    assert pairs([y, z], [x, y]) == [(1, 1), (2, None), (None, 0)]
    assert pairs([y], [x, y]) == [(1, 1), (None, 0)]
    assert pairs([y], [x]) == [(1, 0)], "one target each: another model on the same samples"


def test_attempts_pair_by_their_number_and_what_is_left_in_order() -> None:
    one, two, three = (replace(entry(at, "a", target="x"), attempt=at + 1) for at in range(3))
    assert pairs([three, one], [one, two, three]) == [(2, 2), (0, 0), (None, 1)]
    plain = [entry(at, "a") for at in range(3)]
    assert pairs(plain[:2], plain) == [(0, 0), (1, 1), (None, 2)]


def test_samples_of_several_decks_pair_with_those_of_their_own() -> None:
    one, two = (replace(entry(at, "a"), source=f"/here/{name}.yaml") for at, name in enumerate("xy"))
    moved = [replace(entry(at, "a"), source=f"/there/{name}.yaml") for at, name in ((1, "y"), (0, "x"))]
    assert pairs([one, two], moved) == [(0, 0), (1, 1)]
    assert pairs([one, two], [replace(two, source="other.yaml")]) == [(0, None), (1, None), (None, 1)]
    assert pairs([one], [replace(two, source="other.yaml")]) == [(0, 1)]


def test_rows_that_say_which_sample_they_are_of_pair_by_that_and_not_by_a_number() -> None:
    one, two = (replace(entry(at, name), join_keys=(name,)) for at, name in enumerate(("#1", "#2")))
    renumbered = replace(entry(7, "#1"), join_keys=("#2",))
    assert pairs([renumbered], [one, two]) == [(7, 1), (None, 0)]
