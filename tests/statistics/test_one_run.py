"""Rates and means of one run: small cases that a hand can check."""

from __future__ import annotations

import math
from random import Random

import pytest

from sampleui.errors import StatisticsError
from sampleui.statistics import Z_95, Interval
from sampleui.statistics.means import mean_interval, mean_summary, percentile, wilson
from sampleui.statistics.units import Units, labels_by_sample


def test_a_rate_of_nothing_is_not_zero():
    assert wilson(0, 0) == (0, 0, None, None)


def test_wilson_ends_are_exact_where_all_or_none_passed():
    ends = {(wilson(0, tried).interval.low, wilson(tried, tried).interval.high) for tried in range(1, 200)}
    assert ends == {(0.0, 1.0)}
    square = Z_95**2
    assert wilson(0, 10).interval == (0.0, pytest.approx(square / (10 + square)))
    assert wilson(10, 10).interval == (pytest.approx(10 / (10 + square)), 1.0)


def test_wilson_is_centred_between_the_rate_and_a_half():
    low, high = wilson(7, 10).interval
    square = Z_95**2
    assert (low + high) / 2 == pytest.approx((7 + square / 2) / (10 + square))


@pytest.mark.parametrize(("passed", "tried"), [(2, 1), (-1, 3), (0, -1)])
def test_counts_that_cannot_be_have_no_rate(passed, tried):
    with pytest.raises(StatisticsError):
        wilson(passed, tried)


def test_a_mean_of_nothing_and_of_one_value_claims_no_more_than_is_known():
    assert mean_summary([None, None]) == (0, 2, 0, None, None, None, None)
    assert mean_summary([0.7]) == (1, 0, 1, 0.7, None, None, None)


def test_missing_values_are_counted_and_not_averaged():
    found = mean_summary([1, None, 0, None])
    assert (found.n, found.missing, found.mean) == (2, 2, 0.5)
    assert found.standard_error == pytest.approx(0.5)


def test_equal_values_have_an_interval_without_width():
    found = mean_summary([0.1] * 7)
    assert (found.standard_error, found.interval) == (0.0, Interval(found.mean, found.mean))


def test_thirty_units_have_a_normal_interval_and_twenty_nine_a_bootstrapped_one():
    assert mean_summary([0, 1] * 15).interval_method == "normal"
    assert mean_summary([0, 1] * 14 + [0]).interval_method == "bootstrap"


def test_a_normal_interval_is_not_cut_to_what_a_score_can_be():
    found = mean_summary([1] * 29 + [0])
    assert found.interval.high == pytest.approx(29 / 30 + Z_95 / 30)
    assert found.interval.high > 1


def test_the_bootstrap_of_two_values_reaches_from_one_to_the_other():
    assert mean_summary([0.2, 0.9]).interval == (pytest.approx(0.2), pytest.approx(0.9))


def test_another_seed_draws_other_resamples():
    values = [0.193, 0.051, 0.188, 0.476, 0.606, 0.482]
    assert mean_summary(values) == mean_summary(values, seed=0)
    assert mean_summary(values).interval != mean_summary(values, seed=1).interval


@pytest.mark.parametrize(
    ("totals", "sizes"),
    [([0.137, 0.711, 0.402, 0.953, 0.288, 0.064, 0.519], [1] * 7), ([0.3, 2.5, 0.9, 0.2], [1, 3, 2, 1])],
)
def test_the_bootstrap_draws_units_from_the_generator_as_defined(totals, sizes):
    uniform, count, means = Random(5).random, len(totals), []
    for _ in range(10_000):
        drawn = [math.floor(uniform() * count) for _ in range(count)]
        means.append(sum(totals[index] for index in drawn) / sum(sizes[index] for index in drawn))
    low, high = sorted(means)[249:251], sorted(means)[9749:9751]
    wanted = low[0] + 0.975 * (low[1] - low[0]), high[0] + 0.025 * (high[1] - high[0])
    assert mean_interval(Units(totals, sizes), seed=5) == pytest.approx(wanted)


def test_a_percentile_lies_between_two_values_by_their_distance():
    assert percentile([1.0, 2.0, 4.0], 0.75) == 3.0
    assert (percentile([1.0, 2.0], 1.0), percentile([5.0], 0.5)) == (2.0, 5.0)


def test_values_of_a_cluster_vary_together():
    # Deviations from 0.5 are ±0.5; each cluster's sum of them is ±1, so the error is √(2/1·(1 + 1))/4.
    found = mean_summary([1, 1, 0, 0], ["a", "a", "b", "b"])
    assert (found.units, found.standard_error) == (2, pytest.approx(0.5))
    assert mean_summary([1, 1, 0, 0]).standard_error == pytest.approx(math.sqrt(1 / 12))


def test_one_cluster_has_no_standard_error_however_many_values():
    found = mean_summary([0, 1] * 50, ["only"] * 100)
    assert (found.units, found.mean, found.standard_error, found.interval) == (1, 0.5, None, None)


def test_clusters_of_one_value_each_are_no_clusters():
    assert mean_summary([0.1, 0.5, 0.6], ["a", "b", None]) == mean_summary([0.1, 0.5, 0.6])


def test_a_value_without_a_label_is_a_cluster_of_its_own_whatever_the_labels_are():
    assert mean_summary([0, 1, 0, 1], ["a", "a", None, None]).units == 3
    assert mean_summary([0, 1, 0, 1], [2, 2, None, None]).units == 3


def test_a_cluster_whose_other_values_are_missing_is_a_single_value():
    assert mean_summary([0, None, 1], ["a", "a", "b"]) == mean_summary([0, None, 1])


def test_labels_are_as_many_as_values():
    with pytest.raises(StatisticsError):
        mean_summary([1, 0], ["a"])


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 10**400])
def test_what_is_no_number_is_no_score(score):
    with pytest.raises(StatisticsError):
        mean_summary([1.0, score])


def test_a_sample_has_one_label_or_none():
    assert labels_by_sample([("a", "x"), ("b", None), ("a", "x"), ("a", None)]) == {"a": "x"}
    with pytest.raises(StatisticsError, match="two clusters: x and y"):
        labels_by_sample([("a", "x"), ("a", "y")])
