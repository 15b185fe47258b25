"""Agreement between people: small cases that a hand can check."""

from __future__ import annotations

import pytest

from sampleui.statistics.agreement import cohen_kappa, krippendorff_alpha


def kappa(first, second):
    return cohen_kappa(zip(first, second, strict=True))


def test_without_items_there_is_no_agreement_and_no_disagreement():
    assert kappa([], []) == (0, None, None, (), ())
    assert kappa(["y", None], [None, "n"]) == (0, None, None, (), ())
    assert krippendorff_alpha([]) == krippendorff_alpha([["a"], [None, "b"]]) == (0, 0, None, None, ())


def test_one_and_the_same_label_says_nothing_about_skill():
    found = kappa("yyy", "yyy")
    assert (found.n, found.agreement, found.kappa) == (3, 1.0, None)
    assert krippendorff_alpha([["a", "a"], ["a", "a", "a"]])[:4] == (2, 5, 1.0, None)


def test_a_rater_who_never_varies_agrees_by_chance():
    found = kappa("yyn", "yyy")
    assert (found.agreement, found.kappa) == (pytest.approx(2 / 3), 0.0)
    assert (found.first, found.second) == ((("y", 2), ("n", 1)), (("y", 3),))


def test_kappa_reaches_from_one_to_minus_one():
    assert kappa("yny", "yny").kappa == 1.0
    assert kappa("yn", "ny").kappa == -1.0


def test_two_raters_with_two_constant_labels_disagree_beyond_doubt_but_not_beyond_chance():
    assert kappa("yyy", "nnn")[:3] == (3, 0.0, 0.0)


def test_alpha_of_two_raters():
    # Of the labels y y y n there are 6 ordered unequal pairs of 12; one item of two disagrees: 1 - (2/4)/(6/12).
    found = krippendorff_alpha([["y", "y"], ["y", "n"]])
    assert found == (2, 4, 0.5, 0.0, (("y", 3), ("n", 1)))


def test_items_with_one_label_are_left_out_of_alpha():
    assert krippendorff_alpha([["y", "y"], ["n"], ["y", "n"], [None, "n"]]).labels == (("y", 3), ("n", 1))


def test_an_item_counts_by_its_labels_and_agreement_by_items():
    # Three labels, two equal: a third of the pairs. D_o = (4/2)/5, D_e = 12/20.
    found = krippendorff_alpha([["a", "a", "b"], ["b", "b"]])
    assert found.agreement == pytest.approx((1 / 3 + 1) / 2)
    assert found.alpha == pytest.approx(1 - (2 / 5) / (12 / 20))
