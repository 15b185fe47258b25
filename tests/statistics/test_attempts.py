"""Samples tried several times: small cases that a hand can check."""

from __future__ import annotations

from collections import Counter

import pytest

from sampleui.errors import StatisticsError
from sampleui.statistics.attempts import attempts_summary

from .lists import count_attempts


def summary(samples, k):
    return attempts_summary(Counter((count_attempts(sample),) for sample in samples), k)


def test_without_samples_nothing_is_known():
    assert summary([], 1) == (1, 0, 0, None, None, None, None)


def test_a_sample_with_fewer_attempts_than_k_is_left_out():
    found = summary([[1, 0], [None, 1, 1], []], 3)
    assert (found.n, found.left_out, found.pass_at_k, found.pass_hat_k) == (0, 3, None, None)


def test_some_and_all_of_two_attempts():
    # Of the 6 pairs of [1, 1, 0, 0] five have a pass, and one has two.
    found = summary([[1, 1, 0, 0], [1, 1], [0, 0, 0]], 2)
    assert found.pass_at_k == pytest.approx((5 / 6 + 1 + 0) / 3)
    assert found.pass_hat_k == pytest.approx((1 / 6 + 1 + 0) / 3)
    assert found.left_out == 0


def test_one_attempt_asked_about_is_the_rate_of_each_sample():
    found = summary([[1, 0, 1], [0, 0], [1]], 1)
    assert found.pass_at_k == found.pass_hat_k == pytest.approx((2 / 3 + 0 + 1) / 3)


def test_standard_errors_are_over_samples():
    found = summary([[1, 1, 1], [1, 0, 0], [0, 0, 0]], 3)
    assert (found.pass_at_k_error, found.pass_hat_k_error) == (pytest.approx(1 / 3), pytest.approx(1 / 3))
    assert summary([[1, 0]], 1).pass_at_k_error is None


def test_there_is_no_pass_at_zero_and_no_half_pass():
    with pytest.raises(StatisticsError):
        summary([[1]], 0)


def test_samples_of_a_cluster_count_each_and_vary_together():
    tried = [count_attempts(sample) for sample in ([1, 1], [1, 0], [0, 0], [0, 1])]
    apart = summary([[1, 1], [1, 0], [0, 0], [0, 1]], 2)
    together = attempts_summary(Counter([(tried[0], tried[1]), (tried[2], tried[3])]), 2)
    assert (together.n, together.pass_at_k, together.pass_hat_k) == (4, apart.pass_at_k, apart.pass_hat_k)
    assert apart.pass_at_k_error == pytest.approx(0.25)
    assert together.pass_at_k_error == pytest.approx((2 * (0.5**2 + 0.5**2)) ** 0.5 / 4)
