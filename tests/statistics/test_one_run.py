"""Rates and means of one run: small cases that a hand can check."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.errors import StatisticsError
from sampleui.statistics.means import Measure, share_interval

from .lists import mean_summary


def test_a_share_of_all_or_none_has_an_end_of_the_scale():
    ends = {(share_interval(0, tried).low, share_interval(1, tried).high) for tried in range(1, 50)}
    assert ends == {(0.0, 1.0)}


@pytest.mark.parametrize(("passed", "tried"), [(0, 1), (1, 1), (0, 7), (3, 7), (7, 7), (81, 263), (1, 1000)])
def test_the_interval_of_single_passes_and_failures_is_jeffreys(passed, tried):
    found = mean_summary([1] * passed + [0] * (tried - passed))
    assert found.interval == pytest.approx(share_interval(passed / tried, tried), abs=1e-11)
    assert found.method == "ends"


def test_nothing_is_known_of_no_value():
    assert mean_summary([None, None]) == Measure(missing=2)


def test_one_value_has_an_interval_where_its_scale_has_ends_and_none_where_it_has_not():
    bounded, rating = mean_summary([0.7]), mean_summary([7])
    assert bounded.standard_error is None
    assert bounded.interval.high - bounded.interval.low > 0.7
    assert rating == Measure(n=1, units=1, value=7.0)


def test_missing_values_are_counted_and_not_averaged():
    found = mean_summary([1, None, 0, None])
    assert (found.n, found.missing, found.value) == (2, 2, 0.5)
    assert found.standard_error == pytest.approx(0.5)


def test_equal_values_between_the_ends_have_an_interval_of_some_width():
    found = mean_summary([0.1] * 7)
    assert found.standard_error == 0
    assert 0 < found.interval.low < 0.1 < found.interval.high < 1


def test_equal_values_without_ends_have_an_interval_without_width():
    found = mean_summary([4] * 7)
    assert (found.standard_error, found.interval, found.method) == (0.0, (4, 4), "t")


def test_values_beyond_the_scale_have_students_interval():
    found = mean_summary([1, 2, 4, 5])
    reach = 3.182446305283708 * found.standard_error
    assert found.interval == pytest.approx((3 - reach, 3 + reach))


def test_no_interval_is_beyond_the_ends_of_the_scale():
    found = mean_summary([1] * 29 + [0])
    assert found.interval.high < 1
    assert mean_summary([1] * 29).interval.high == 1


def test_a_mean_beside_its_interval_moves_the_end_out():
    # A large cluster that failed beside small ones that passed: the prior pulls the interval to the middle.
    low, high = mean_summary([0.999] * 2).interval
    assert low < 0.999 <= high


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(0, 1)), min_size=1, max_size=30))
def test_an_interval_holds_its_mean_and_turns_with_the_scale(labelled):
    clusters, values = zip(*labelled, strict=True)
    found, turned = (mean_summary(some, clusters) for some in (values, [1 - value for value in values]))
    assert 0 <= found.interval.low <= found.value + 1e-12
    assert found.value - 1e-12 <= found.interval.high <= 1
    assert found.interval.low == pytest.approx(1 - turned.interval.high, abs=1e-7)


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=30))
def test_sums_give_the_error_that_a_list_gives(values):
    mean = math.fsum(values) / len(values)
    spread = math.fsum((value - mean) ** 2 for value in values)
    wanted = math.sqrt(spread / len(values) / (len(values) - 1))
    assert mean_summary(values).standard_error == pytest.approx(wanted, rel=1e-9, abs=1e-9 * max(1, abs(mean)))


def test_values_of_a_cluster_vary_together():
    # Deviations from 0.5 are ±0.5; each cluster's sum of them is ±1, so the error is √(2/1·(1 + 1))/4.
    found = mean_summary([1, 1, 0, 0], ["a", "a", "b", "b"])
    assert (found.units, found.standard_error) == (2, pytest.approx(0.5))
    assert mean_summary([1, 1, 0, 0]).standard_error == pytest.approx(math.sqrt(1 / 12))


def test_one_cluster_has_no_standard_error_however_many_values():
    found = mean_summary([0, 1] * 50, ["only"] * 100)
    assert (found.units, found.value, found.standard_error) == (1, 0.5, None)
    assert found.interval.high - found.interval.low > 0.7


def test_clusters_of_one_value_each_are_no_clusters():
    assert mean_summary([0.1, 0.5, 0.6], ["a", "b", None]) == mean_summary([0.1, 0.5, 0.6])


def test_a_value_without_a_label_is_a_cluster_of_its_own_whatever_the_labels_are():
    assert mean_summary([0, 1, 0, 1], ["a", "a", None, None]).units == 3
    assert mean_summary([0, 1, 0, 1], [2, 2, None, None]).units == 3


def test_a_cluster_whose_other_values_are_missing_is_a_single_value():
    assert mean_summary([0, None, 1], ["a", "a", "b"]) == mean_summary([0, None, 1])


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf, 10**400])
def test_what_is_no_number_is_no_score(score):
    with pytest.raises(StatisticsError):
        mean_summary([1.0, score])
