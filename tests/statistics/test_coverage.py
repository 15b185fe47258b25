"""Intervals hold the truth: in 90% of cases at least of each source, in 94% on average. Differences are found."""

from __future__ import annotations

from statistics import fmean

import pytest

from .coverage import PAIR_SOURCES, SOURCES, coverage, differences

FEW = (3, 5, 10, 20)
RUNS = 800


@pytest.mark.long
@pytest.mark.parametrize("kind", dict.fromkeys(source.kind for source in SOURCES))
def test_intervals_hold_the_truth_from_three_units_on(kind):
    held = {
        (source.name, units): coverage(source, units, RUNS)
        for source in SOURCES
        if source.kind == kind
        for units in FEW
    }
    assert {case: share for case, share in held.items() if share < 0.9} == {}
    assert fmean(held.values()) >= 0.94


@pytest.mark.long
def test_intervals_of_differences_hold_the_truth_and_find_what_students_t_finds():
    found = {(source.name, units): differences(source, units, 200) for source in PAIR_SOURCES for units in FEW}
    assert {case: held for case, (held, *_) in found.items() if held < 0.9} == {}
    assert fmean(held for held, *_ in found.values()) >= 0.94
    shifts = [source.name for source in PAIR_SOURCES if "within" in source.name]
    for name in shifts:
        _, power, by_t = found[name, 20]
        assert power >= by_t - 0.2, name
