"""Records side by side: runs, targets, attempts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sampleui.review.baseline import GraderChange, Trend, compare
from sampleui.review.record import Mark
from sampleui.review.targets import Attempts, attempts_of, cases_of, targets_of
from tests.review.build import entry


@pytest.mark.parametrize(
    ("old", "new", "trend", "said"),
    [
        (0.5, 0.6, Trend.BETTER, "judge 0.5 → 0.6"),
        (0.5, 0.4, Trend.WORSE, "judge 0.5 → 0.4"),
        (None, 0.4, Trend.ONLY_NEW, "judge none → 0.4"),
        (0.5, None, Trend.ONLY_OLD, "judge 0.5 → none"),
    ],
)
def test_how_an_evaluator_changed(old: float | None, new: float | None, trend: Trend, said: str) -> None:
    (found,) = compare(
        [entry(marks=() if new is None else (Mark("judge", new, None),))],
        [entry(marks=() if old is None else (Mark("judge", old, None),))],
    )
    (change,) = found.graders
    assert (change, change.trend, str(change)) == (GraderChange("judge", old, new), trend, said)


def test_evaluators_that_gave_the_same_did_not_change() -> None:
    marks = (Mark("judge", 0.5, None), Mark("words", None, "pass"))
    (found,) = compare([entry(marks=marks)], [entry(marks=marks)])
    assert (found.graders, found.trend, found.delta) == ((), Trend.SAME, 0.0)


@pytest.mark.parametrize(("new", "old"), [(None, 0.5), (0.5, None), (None, None)])
def test_without_a_score_there_is_no_difference(new: float | None, old: float | None) -> None:
    (found,) = compare([entry(score=new)], [entry(score=old)])
    assert found.delta is None


def test_a_record_that_only_one_run_has_goes_by_its_own_id() -> None:
    new, old = compare([entry(0, "a")], [entry(0, "b")])
    assert (new.id, new.trend, old.id, old.trend) == ("a", Trend.ONLY_NEW, "b", Trend.ONLY_OLD)


def test_targets_are_summed_up_where_there_are_several() -> None:
    entries = [
        entry(0, score=1.0, target="x", marks=(Mark("judge", 1.0, None), Mark("words", None, "pass"))),
        entry(1, score=0.5, target="x", marks=(Mark("judge", 0.5, None),)),
        entry(2, score=None, error="late", target="x"),
        entry(3, score=0.7),
    ]
    one, other = targets_of(entries)
    assert (one.name, one.records, one.failed, one.errors, one.mean, one.means) == (
        "x", 3, 2, 1, 0.75, (("judge", 0.75),),
    )  # fmt: skip
    assert (other.name, other.failed, other.mean, other.means) == ("-", 1, 0.7, ())
    assert targets_of(entries, 0.6)[1].failed == 0
    assert targets_of(entries[:3]) == ()
    assert targets_of([entry(4, score=None, error="late"), *entries])[0].mean == 0.7


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
