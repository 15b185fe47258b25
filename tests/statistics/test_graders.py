"""A grader against people: small cases that a hand can check, and how often the intervals hold."""

from __future__ import annotations

from random import Random

import pytest

from sampleui.errors import StatisticsError
from sampleui.statistics.graders import (
    Label,
    ReviewedStratum,
    corrected_rate,
    grader_estimate,
    labels_missing,
    percentile,
)

UNKNOWN = (None, None)


def fails(size, *, right=0, wrong=0, skipped=0):
    people = [False] * right + [True] * wrong + [None] * skipped
    return ReviewedStratum(size, "fail", [Label(False, person) for person in people])


def passes(size, *, right=0, wrong=0, skipped=0):
    people = [True] * right + [False] * wrong + [None] * skipped
    return ReviewedStratum(size, "pass", [Label(True, person) for person in people])


def test_records_weigh_as_many_as_they_stand_for():
    # All 20 fails, 5 of them wrong; of 80 passes 20, 2 of them wrong: they stand for 72 right and 8 wrong ones.
    found = grader_estimate([fails(20, right=15, wrong=5), passes(80, right=18, wrong=2)])
    assert found.pass_rate.value == pytest.approx((72 + 5) / 100)
    assert found.true_positive_rate.value == pytest.approx(72 / 77)
    assert found.true_negative_rate.value == pytest.approx(15 / 23)
    assert found.precision.value == pytest.approx(0.9)
    assert found.negative_predictive_value.value == 0.75
    assert found.agreement.value == pytest.approx((72 + 15) / 100)
    assert found.true_negative_rate.interval.low < 15 / 23 < found.true_negative_rate.interval.high


def test_a_review_of_every_record_is_no_certainty_about_those_to_come():
    found = grader_estimate([fails(4, right=3, wrong=1), passes(6, right=5, wrong=1)])
    assert found.true_positive_rate.value == pytest.approx(5 / 6)
    low, high = found.true_positive_rate.interval
    assert low < 0.5 < 0.95 < high


def test_failures_alone_tell_nothing_of_wrong_passes():
    found = grader_estimate([fails(25, right=16, wrong=9), passes(75)])
    assert found.unreviewed == (1,)
    undefined = (found.pass_rate, found.true_positive_rate, found.true_negative_rate, found.precision)
    assert undefined == (UNKNOWN,) * 4
    assert found.negative_predictive_value.value == 0.64


def test_passes_alone_tell_their_precision():
    found = grader_estimate([fails(10), passes(60, right=18, wrong=2)])
    assert (found.unreviewed, found.precision.value, found.negative_predictive_value) == ((0,), 0.9, UNKNOWN)
    assert found.true_positive_rate == found.true_negative_rate == found.pass_rate == UNKNOWN


def test_mixed_verdicts_unreviewed_leave_nothing():
    found = grader_estimate([fails(3, right=3), passes(3, right=3), ReviewedStratum(1, "mixed", [])])
    ratios = (found.pass_rate, found.true_positive_rate, found.true_negative_rate)
    assert (*ratios, found.precision, found.negative_predictive_value) == (UNKNOWN,) * 5


def test_a_stratum_without_records_touches_nothing():
    alone, beside = [passes(80, right=18, wrong=2)], [fails(0), passes(80, right=18, wrong=2)]
    found = grader_estimate(beside)
    assert found.true_positive_rate == (1.0, (1.0, 1.0))
    assert (found.negative_predictive_value, found.unreviewed) == (UNKNOWN, ())
    assert found.pass_rate == grader_estimate(alone).pass_rate


def test_without_records_everything_is_undefined():
    found = grader_estimate([])
    assert (found.size, found.pass_rate, found.agreement) == (0, UNKNOWN, UNKNOWN)


@pytest.mark.parametrize("strata", [[fails(40, right=28, wrong=12), passes(160, right=30)], [passes(50, wrong=1)]])
def test_a_sample_of_one_kind_has_an_interval_as_any_other(strata):
    low, high = grader_estimate(strata).precision.interval
    assert 0 <= low < high <= 1
    assert high - low > 0.02


def test_an_interval_reaches_to_the_share_that_was_found():
    found = grader_estimate([fails(10, right=1, wrong=9), passes(10_000, right=1)])
    assert found.true_negative_rate.value == found.true_negative_rate.interval.high == 1.0


def test_who_cannot_say_is_counted_as_skipped_and_weighs_nothing():
    found = grader_estimate([fails(4, right=2, skipped=2), passes(3, right=2, wrong=1)])
    assert (found.reviewed, found.skipped, found.size) == (5, 2, 7)
    assert found.true_negative_rate.value == pytest.approx(4 / 5)


def test_the_interval_repeats_with_its_seed():
    strata = [fails(40, right=6, wrong=4), passes(60, right=10, wrong=3)]
    assert grader_estimate(strata, seed=3) == grader_estimate(strata, seed=3) != grader_estimate(strata)


def test_a_rate_is_corrected_by_what_the_grader_gets_wrong():
    # It passes 9 of 10 right answers and 1 of 5 wrong ones: of 65 of 100 passed, 0.9x + 0.2(1 - x) = 0.65.
    strata = [fails(20, right=16, wrong=4), passes(40, right=36, wrong=4)]
    found = corrected_rate(strata, 65, 100)
    assert found.observed == 0.65
    assert found.rate.value == pytest.approx((0.65 - 0.2) / (0.9 - 0.2))
    assert found.rate.interval.low < 0.5 < 0.75 < found.rate.interval.high
    assert found.clipped is False


def test_a_grader_that_is_right_as_often_as_a_coin_corrects_nothing():
    strata = [fails(10, right=5, wrong=5), passes(10, right=5, wrong=5)]
    assert corrected_rate(strata, 5, 10) == (0.5, UNKNOWN, None)
    assert corrected_rate([fails(10, right=9, wrong=1), passes(10, right=9, wrong=1)], 0, 0) == (
        None,
        UNKNOWN,
        None,
    )


def test_what_the_graders_rates_do_not_fit_is_cut_and_told():
    found = corrected_rate([fails(40, right=36, wrong=4), passes(60, right=56, wrong=4)], 1, 200)
    assert (found.rate.value, found.clipped) == (0.0, True)


def test_a_percentile_lies_between_two_values_by_their_distance():
    assert percentile([1.0, 2.0, 4.0], 0.75) == 3.0
    assert (percentile([1.0, 2.0], 1.0), percentile([5.0], 0.5)) == (2.0, 5.0)


@pytest.mark.parametrize(
    "stratum",
    [
        passes(1, right=2),
        passes(-1),
        ReviewedStratum(2, "fail", [Label(True, True)]),
        ReviewedStratum(2, "pass", [Label(False, True)]),
    ],
)
def test_labels_that_do_not_fit_their_stratum_are_refused(stratum):
    with pytest.raises(StatisticsError):
        grader_estimate([stratum])


def test_the_labels_still_missing_are_those_at_which_wilsons_interval_begins_at_80_percent():
    assert [labels_missing(0, errors) for errors in range(4)] == [16, 25, 33, 40]
    assert [labels_missing(15, 0), labels_missing(16, 0), labels_missing(20, 1), labels_missing(90, 3)] == [
        1,
        0,
        5,
        0,
    ]


@pytest.mark.long
@pytest.mark.parametrize(("rate", "right", "caught", "reviewed"), [(0.85, 0.9, 0.7, 40), (0.6, 0.95, 0.9, 30)])
def test_intervals_hold_the_truth_of_records_to_come(rate, right, caught, reviewed):
    """Review all failures and a random part of the passes of 300 records, 30 times over."""
    chance = Random(f"{rate} {right} {caught}")
    truths = {
        "true_positive_rate": right,
        "true_negative_rate": caught,
        "precision": rate * right / (rate * right + (1 - rate) * (1 - caught)),
        "pass_rate": rate,
    }
    held = dict.fromkeys(truths, 0)
    for _ in range(30):
        records = []
        for _ in range(300):
            person = chance.random() < rate
            records.append(Label(chance.random() < (right if person else 1 - caught), person))
        failed, passed = ([label for label in records if label.grader is grade] for grade in (False, True))
        drawn = chance.sample(passed, min(reviewed, len(passed)))
        found = grader_estimate(
            [ReviewedStratum(len(failed), "fail", failed), ReviewedStratum(len(passed), "pass", drawn)]
        )
        for name, truth in truths.items():
            low, high = getattr(found, name).interval
            held[name] += low <= truth <= high
    assert min(held.values()) >= 25, held
