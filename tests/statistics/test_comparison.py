"""Two runs, paired: small cases that a hand can check."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sampleui.errors import StatisticsError
from sampleui.statistics.comparison import Comparison, holm, is_shown, mcnemar_exact, sign_flip

from .lists import Score, compare


def scores(values, target=""):
    return [Score(sample, target, value) for sample, value in values.items()]


def compared(baseline, run, **options) -> Comparison:
    return compare(scores(baseline), scores(run), **options)


def numbered(values):
    return {f"s{index}": value for index, value in enumerate(values)}


def test_two_runs_without_a_pair_say_nothing_of_a_difference():
    found = compared({"a": 1, "b": 0}, {"c": 1})
    assert (found.n_paired, found.n_dropped_baseline, found.n_dropped_run) == (0, 2, 1)
    assert (found.mean_difference, found.standard_error, found.interval) == (None, None, None)
    assert (found.p_value, found.discordant, found.units) == (None, None, 0)


def test_each_key_is_paired_dropped_or_unscored():
    found = compared({"a": 1, "b": 1, "c": None, "d": None}, {"a": 0, "b": None, "c": 1, "e": None})
    assert (found.n_paired, found.n_dropped_baseline, found.n_dropped_run, found.n_unscored) == (1, 1, 1, 2)


def test_an_attempt_without_a_score_is_missing_and_not_failed():
    baseline = [Score("a", "", 1), Score("a", "", None), Score("b", "", 0)]
    found = compare(baseline, scores({"a": 1, "b": 1}))
    assert (found.baseline_mean, found.run_mean, found.mean_difference) == (0.5, 1.0, 0.5)
    assert found.method == "mcnemar"


def test_the_same_sample_by_another_target_is_no_pair():
    found = compare(scores({"a": 1}, "x"), scores({"a": 1}, "y"))
    assert (found.n_paired, found.n_dropped_baseline, found.n_dropped_run) == (0, 1, 1)


def test_rounding_is_no_difference_but_stays_in_the_mean():
    found = compared({"a": 0.1 + 0.2, "b": 0.5, "c": 1e6}, {"a": 0.3, "b": 0.6, "c": 1e6 + 1e-4})
    assert (found.better, found.worse, found.same) == (1, 0, 2)
    assert found.mean_difference == pytest.approx((0.1 + 1e-4) / 3)


def test_lower_is_better_turns_the_counts_and_not_the_difference():
    found = compared({"a": 3.0, "b": 2.0, "c": 5.0}, {"a": 1.0, "b": 1.0, "c": 6.0}, higher_is_better=False)
    assert (found.better, found.worse, found.mean_difference) == (2, 1, pytest.approx(-2 / 3))


def test_single_passes_and_fails_are_tested_by_mcnemar():
    baseline, run = numbered([1, 0, 0, 0, 0, 0, 0, 0, 0, 1]), numbered([0, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    found = compared(baseline, run)
    assert (found.discordant, found.method) == ((1, 8), "mcnemar")
    assert found.p_value == pytest.approx(2 * (1 + 9) / 2**9)


@pytest.mark.parametrize(
    ("baseline", "run"),
    [
        ([0.5, 0, 1], [1, 0, 1]),
        ([1, 0, 1], [1, 0, 2]),
    ],
)
def test_mcnemar_is_for_passes_and_fails_alone(baseline, run):
    found = compared(numbered(baseline), numbered(run))
    assert (found.discordant, found.method) == (None, "sign-flip-exact")


def test_mcnemar_is_not_for_several_attempts_nor_for_clusters():
    twice = [*scores({"a": 1, "b": 0}), Score("a", "", 1)]
    assert compare(twice, scores({"a": 0, "b": 0})).discordant is None
    labels = {"s0": "doc", "s1": "doc"}
    assert compared(numbered([1, 0, 1]), numbered([0, 1, 1]), labels=labels).discordant is None


def test_a_single_pair_has_an_interval_and_a_test_where_it_passed_or_failed():
    found = compared({"a": 1}, {"a": 0})
    assert (found.p_value, found.method, found.standard_error) == (1.0, "mcnemar", None)
    assert found.interval == (-1, 1)
    assert compared({"a": 0.5}, {"a": 0.1}).p_value is None
    assert compared({"a": 5}, {"a": 1}).interval.low < -4 < 0 < compared({"a": 5}, {"a": 1}).interval.high


def test_no_pair_has_no_interval():
    assert compared({"a": None}, {"a": 1}).interval is None


def test_two_equal_differences_are_never_called_significant():
    found = compared({"a": 0.1, "b": 0.2}, {"a": 0.6, "b": 0.7})
    assert (found.p_value, found.method) == (0.5, "no-variation")
    assert found.interval.low < 0 < 0.5 < found.interval.high


def test_no_difference_at_all_has_p_one():
    found = compared(numbered([0.1, 0.2]), numbered([0.1, 0.2]))
    assert (found.p_value, found.method, found.same) == (1.0, "no-variation", 2)


def test_from_thirty_pairs_on_the_test_is_the_normal_one():
    found = compared(numbered([0.5] * 40), numbered([0.6, 0.5] * 20))
    assert found.method == "normal"
    standard_error = 0.05 / math.sqrt(39)
    assert found.standard_error == pytest.approx(standard_error)
    assert found.p_value == pytest.approx(math.erfc(0.05 / standard_error / math.sqrt(2)))


def test_a_sample_with_several_targets_is_a_cluster_with_labels_or_without():
    baseline = [*scores({"a": 0.1, "b": 0.3}, "x"), *scores({"a": 0.2, "b": 0.9}, "y")]
    run = [*scores({"a": 0.4, "b": 0.1}, "x"), *scores({"a": 0.7, "b": 0.8}, "y")]
    found = compare(baseline, run)
    assert (found.units, found.clustered, found.n_paired) == (2, True, 4)
    assert compare(baseline, run, labels={"a": "doc", "b": None}) == found
    assert compare(baseline, run, labels={"a": "doc", "b": "doc"}).units == 1


def test_a_label_that_no_other_pair_shares_makes_no_clusters():
    baseline, run = {"a": 0.1, "b": 0.4, "c": None}, {"a": 0.3, "b": 0.2, "c": 1.0}
    assert not compared(baseline, run, labels={"a": "doc", "c": "doc"}).clustered


def test_signs_are_drawn_in_the_order_of_code_points():
    # By UTF-16 units, the rocket (a pair of surrogates) would come before the ligature.
    names = [*"0123456789", "Z", "a", "b", "c", "é", "ﬁ", "🚀"]
    differences = [0.137, -0.311, 0.523, 0.402, -0.694, 0.219, 0.451, 0.608] * 2 + [0.313]
    baseline = dict.fromkeys(reversed(names), 0.0)
    named = compared(baseline, dict(zip(names, differences, strict=True)))
    letters = "abcdefghijklmnopq"
    none = dict.fromkeys(letters, 0.0)
    in_order = compared(none, dict(zip(letters, differences, strict=True)))
    swapped = compared(none, dict(zip(letters, [*differences[:15], 0.313, 0.608], strict=True)))
    assert named.method == "sign-flip-sampled"
    assert named.p_value == in_order.p_value != swapped.p_value


def test_what_was_seen_gives_the_interval_its_ends_and_not_the_scale():
    fell = compared(numbered([0.8] * 40), numbered([0.75] * 40))
    assert fell.interval.low < -0.05 < fell.interval.high < 0
    assert is_shown(fell.interval, fell.p_value)
    assert compared(numbered([0.5] * 40), numbered([0.5] * 40)).interval == pytest.approx((-0.07, 0.07), abs=0.02)


def test_a_score_beyond_the_scale_in_either_run_takes_its_ends_away():
    for before, now in ((2.5, 2.5), (-0.5, -0.5)):
        assert compared({"a": before, "b": 1}, {"a": now, "b": 1}).interval == (0, 0)
    assert compared({"a": 0.5, "b": 1}, {"a": 0.5, "b": 1}).interval == (-1, 1)
    assert compared({"a": 9.0, "b": 1}, {"a": 3.0, "b": 1}).interval.low < -1


@pytest.mark.parametrize(("units", "too_few"), [(0, True), (1, True), (5, True), (6, False)])
def test_of_five_pairs_none_could_show_a_difference(units, too_few):
    found = compared(numbered([1] * units), numbered([0] * units))
    assert (found.too_few, bool(is_shown(found.interval, found.p_value))) == (too_few, not too_few)


def test_a_cluster_of_over_a_third_is_told_where_it_is_larger_than_others():
    labels = {f"s{index}": "large" for index in range(5)} | {"s5": "small", "s6": "small"}
    found = compared(numbered([1] * 12), numbered([0, 1] * 6), labels=labels)
    assert found.lopsided
    halves = {"s0": "first", "s1": "first", "s2": "second", "s3": "second"}
    assert not compared(numbered([1] * 4), numbered([0, 1] * 2), labels=halves).lopsided


def test_a_score_that_is_no_number_is_refused():
    with pytest.raises(StatisticsError):
        compared({"a": math.nan}, {"a": 1.0})


@pytest.mark.parametrize(
    ("worse", "better", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (0, 6, 2 / 64), (6, 0, 2 / 64), (2, 3, 1.0), (0, 2_000, 0.0)],
)
def test_mcnemar_is_exact(worse, better, p):
    assert mcnemar_exact(worse, better) == pytest.approx(p)


def test_mcnemar_of_many_pairs_is_the_sum_of_its_binomial():
    ways = sum(math.comb(1_001, count) for count in range(470 + 1))
    assert mcnemar_exact(531, 470) == pytest.approx(2 * ways / 2**1_001, rel=1e-12)


def test_flips_of_signs_are_all_tried_up_to_sixteen_units_and_sampled_beyond():
    assert sign_flip([1.0, 2.0, -0.5]) == (4 / 8, "sign-flip-exact")
    assert sign_flip([1.0] * 16) == (2 / 2**16, "sign-flip-exact")
    assert sign_flip([1.0] * 29) == (pytest.approx(1 / 10_001), "sign-flip-sampled")


def test_rounding_does_not_hide_a_tie_of_flipped_signs():
    assert sign_flip([0.1, 0.2, -0.3]).value == 1.0
    assert sign_flip([0.1, 0.2, 0.3]).value == 2 / 8


@pytest.mark.parametrize(
    ("given", "adjusted"),
    [
        ([], []),
        ([None], [None]),
        ([0.04], [0.04]),
        ([0.02, 0.02, 0.5], [0.06, 0.06, 0.5]),
        ([0.01, None, 0.04, 0.03], [0.03, None, 0.06, 0.06]),
        ([0.6, 0.5], [1.0, 1.0]),
    ],
)
def test_holm_corrects_for_the_tests_that_have_a_p_value(given, adjusted):
    assert holm(given) == pytest.approx(adjusted)


SCORES = st.dictionaries(st.sampled_from("abcdefgh"), st.none() | st.sampled_from([0, 1]) | st.floats(-5, 5))


@given(SCORES, SCORES)
@settings(max_examples=settings().max_examples // 2)
def test_two_runs_compared_the_other_way_about_differ_by_the_sign_alone(first, second):
    found, turned = compared(first, second), compared(second, first)
    assert (found.better, found.worse, found.same) == (turned.worse, turned.better, turned.same)
    assert (found.n_dropped_run, found.n_unscored) == (turned.n_dropped_baseline, turned.n_unscored)
    assert (found.p_value, found.method) == (turned.p_value, turned.method)
    assert found.standard_error == pytest.approx(turned.standard_error)
    if found.interval is not None:
        assert found.mean_difference == pytest.approx(-turned.mean_difference)
        assert found.interval.low == pytest.approx(-turned.interval.high)
