"""Intervals hold the truth: in 90% of cases at least of each source, in 94% on average."""

from __future__ import annotations

from statistics import fmean

import pytest

from .coverage import SOURCES, coverage

FEW = (3, 5, 10, 20)
RUNS = 800


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
