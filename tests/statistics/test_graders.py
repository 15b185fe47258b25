"""A grader against people, wrong passes, and the corrected rate: small cases that a hand can check."""

from __future__ import annotations

import math
from itertools import product
from random import Random
from statistics import variance

import pytest

from sampleui.errors import StatisticsError
from sampleui.statistics import Z_95
from sampleui.statistics.graders import (
    Label,
    ReviewedStratum,
    bounds_without_passes,
    grader_estimate,
    miss_limits,
    percentile,
    percentile_interval,
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
    assert found.negative_predictive_value == (0.75, (0.75, 0.75))
    assert found.naive_true_positive_rate == pytest.approx(18 / 23)
    assert found.naive_true_negative_rate == pytest.approx(15 / 17)
    assert found.true_negative_rate.interval.low < 15 / 23 < found.true_negative_rate.interval.high
    assert found.covariance > 0


def test_where_all_was_reviewed_nothing_varies():
    found = grader_estimate([fails(4, right=3, wrong=1), passes(6, right=5, wrong=1)])
    assert found.true_positive_rate == (pytest.approx(5 / 6), (found.true_positive_rate.value,) * 2)
    assert (found.true_positive_variance, found.true_negative_variance, found.covariance) == (0.0, 0.0, 0.0)
    assert found.no_variation == ()


def test_failures_alone_tell_nothing_of_wrong_passes():
    found = grader_estimate([fails(25, right=16, wrong=9), passes(75)])
    assert found.unreviewed == (1,)
    undefined = (found.pass_rate, found.true_positive_rate, found.true_negative_rate, found.precision)
    assert undefined == ((None, None),) * 4
    assert found.negative_predictive_value.value == 0.64
    assert bounds_without_passes(16, 9, 75) == (16 / 91, (0.09, 0.84))


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
    assert (found.size, found.pass_rate, found.naive_true_positive_rate, found.covariance) == (
        0,
        UNKNOWN,
        None,
        None,
    )


def test_a_sample_of_one_kind_does_not_show_how_much_it_varies():
    found = grader_estimate([fails(40, right=28, wrong=12), passes(160, right=30)])
    assert found.no_variation == (1,)
    assert (found.true_negative_rate, found.precision) == ((1.0, None), (1.0, None))
    assert found.true_negative_variance is None
    assert found.negative_predictive_value.interval is not None


def test_a_percentile_lies_between_two_values_by_their_distance():
    assert percentile([1.0, 2.0, 4.0], 0.75) == 3.0
    assert (percentile([1.0, 2.0], 1.0), percentile([5.0], 0.5)) == (2.0, 5.0)


def test_a_sample_of_one_record_has_no_interval():
    found = grader_estimate([fails(4, right=2, wrong=2), passes(50, wrong=1)])
    assert (found.precision, found.pass_rate.interval) == ((0.0, None), None)


def test_one_kind_in_a_stratum_does_not_hide_what_varies_in_another():
    found = grader_estimate([fails(40, right=6, wrong=4), passes(60, right=10)])
    assert found.no_variation == (1,)
    assert found.pass_rate.interval is not None
    assert found.precision.interval is None


def test_who_cannot_say_is_counted_as_skipped_and_weighs_nothing():
    found = grader_estimate([fails(4, right=2, skipped=2), passes(3, right=2, wrong=1)])
    assert (found.reviewed, found.skipped, found.size) == (5, 2, 7)
    assert found.true_negative_rate.value == pytest.approx(4 / 5)
    assert found.no_variation == (0,)


def test_the_interval_repeats_with_its_seed():
    strata = [fails(40, right=6, wrong=4), passes(60, right=10, wrong=3)]
    assert grader_estimate(strata, seed=3) == grader_estimate(strata, seed=3) != grader_estimate(strata)


def test_the_variance_of_a_share_is_that_of_a_sample_without_replacement():
    # Precision: 10 of 40 reviewed, 6 right. With finite correction: (1 - 10/40)·p(1-p)/(10 - 1).
    labels = [Label(True, True)] * 6 + [Label(True, False)] * 4
    Random(1).shuffle(labels)
    low, high = grader_estimate([ReviewedStratum(40, "pass", labels)]).precision.interval
    assert (high - low) / (2 * Z_95) == pytest.approx(math.sqrt(0.75 * 0.24 / 9), rel=0.1)


def test_resamples_weigh_records_by_how_often_they_are_drawn():
    people, uniform = [True, False, True, True, False], Random(2).random
    spread = math.sqrt(1 - 5 / 20)
    precisions, true_negative_rates = [], []
    for _ in range(10_000):
        weights = [4 * (1 - spread)] * 5
        for _ in range(4):
            weights[math.floor(uniform() * 5)] += 4 * spread * 5 / 4
        wrong = sum(weight for weight, person in zip(weights, people, strict=True) if not person)
        precisions.append(1 - wrong / sum(weights))
        true_negative_rates.append(3 / (3 + wrong))
    found = grader_estimate(
        [fails(4, right=3, wrong=1), ReviewedStratum(20, "pass", [Label(True, person) for person in people])], 2
    )
    assert found.precision.interval == pytest.approx(percentile_interval(precisions))
    assert found.true_negative_rate.interval == pytest.approx(percentile_interval(true_negative_rates))
    assert found.true_negative_variance == pytest.approx(variance(true_negative_rates))


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


def limits(total, reviewed, wrong):
    """Return every number of wrong passes that the definition of the limits allows."""

    def chance(found, misses):
        return math.comb(misses, found) * math.comb(total - misses, reviewed - found) / math.comb(total, reviewed)

    return [
        misses
        for misses in range(total + 1)
        if sum(chance(found, misses) for found in range(wrong, reviewed + 1)) > 0.025
        and sum(chance(found, misses) for found in range(wrong + 1)) > 0.025
    ]


@pytest.mark.parametrize(
    ("total", "reviewed", "wrong"), [(30, 8, 0), (30, 8, 3), (30, 8, 8), (12, 11, 5), (1, 1, 1)]
)
def test_miss_limits_are_the_least_and_the_most_that_is_allowed(total, reviewed, wrong):
    allowed = limits(total, reviewed, wrong)
    assert miss_limits(total, reviewed, wrong, 9).wrong_passes == (allowed[0], allowed[-1])


def test_miss_limits_of_strata_hold_wherever_the_wrong_passes_are():
    # Of 12 passes 4 are reviewed, of 6 others 3: as if 6 or 9 of 18 were.
    found = [miss_limits(18, 6, wrong, 0, most=9).wrong_passes or (0, 0) for wrong in range(7)]
    for first, second in product(range(13), range(7)):
        missed = sum(
            math.comb(first, one)
            * math.comb(12 - first, 4 - one)
            * math.comb(second, two)
            * math.comb(6 - second, 3 - two)
            for one, two in product(range(5), range(4))
            if one + two < len(found) and not found[one + two][0] <= first + second <= found[one + two][1]
        )
        assert missed <= 0.05 * math.comb(12, 4) * math.comb(6, 3)


def test_a_chance_of_exactly_the_limit_is_outside():
    # One of 40 is drawn: it is the only wrong one, or the only right one, with a chance of 0.025.
    assert miss_limits(40, 1, 1, 0).wrong_passes == (2, 40)
    assert miss_limits(40, 1, 0, 0).wrong_passes == (0, 38)


def test_a_full_review_leaves_no_doubt_of_misses():
    assert miss_limits(10, 10, 3, 5) == ((3, 3), 0.625, 0.625)


def test_without_a_review_of_passes_misses_are_not_known():
    assert miss_limits(50, 0, 0, 9) == (None, None, None)


def test_where_nothing_may_have_failed_there_is_no_true_negative_rate():
    assert miss_limits(10, 10, 0, 0) == ((0, 0), None, None)
    assert miss_limits(10, 9, 0, 0) == ((0, 1), 0.0, None)


def test_counts_of_misses_that_cannot_be_are_refused():
    with pytest.raises(StatisticsError):
        miss_limits(10, 5, 6, 1)
