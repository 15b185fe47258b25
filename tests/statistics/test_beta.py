"""Quantiles of the beta distribution and of Student's t, beside values of SciPy 1.17."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.statistics.beta import beta_probability, beta_quantile, t_quantile

QUANTILES = [
    (0.025, 0.5, 10.5, 4.7890433157581876e-05),
    (0.975, 0.5, 10.5, 0.21719626750921053),
    (0.025, 7.5, 3.5, 0.3941816818513287),
    (0.975, 1.5, 0.5, 0.9996144190192441),
    (0.025, 0.2, 0.3, 8.728366438691588e-08),
    (0.975, 40.25, 2.125, 0.993105660987079),
    (0.025, 1234.5, 98765.5, 0.011669910498829565),
    (0.975, 99999.0, 100001.0, 0.5021862986155561),
    (0.025, 150000.0, 2000000.0, 0.06942729460817744),
    (0.975, 3.5, 10000000.0, 8.006377931411035e-07),
    (0.5, 1000000000.0, 300000000000.0, 0.003322259135112563),
    (0.025, 600000.5, 400000.5, 0.5990395293708133),
]


@pytest.mark.parametrize(("probability", "a", "b", "wanted"), QUANTILES)
def test_a_quantile_is_right_for_small_and_large_parameters(probability, a, b, wanted):
    assert beta_quantile(probability, a, b) == pytest.approx(wanted, rel=1e-9, abs=1e-12)
    assert beta_quantile(1 - probability, b, a) == pytest.approx(1 - wanted, abs=1e-10)


@given(st.floats(0.001, 0.999), st.floats(0.3, 1e5), st.floats(0.3, 1e5))
def test_a_probability_comes_back_from_its_quantile(probability, a, b):
    value = beta_quantile(probability, a, b)
    near = (beta_probability(value * (1 + 1e-9), a, b), beta_probability(value * (1 - 1e-9), a, b))
    assert min(near) - 1e-8 <= probability <= max(near) + 1e-8


@given(st.floats(0.025, 0.975), st.floats(8e4, 1.2e5), st.floats(8e4, 1.2e5))
def test_the_expansion_for_large_parameters_gives_what_the_fraction_does(probability, a, b):
    value = beta_quantile(probability, a, b)
    assert beta_probability(value, a, b) == pytest.approx(probability, abs=1e-7)


@pytest.mark.parametrize(
    ("degrees", "wanted"),
    [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (3, 3.1824463052837078),
        (4, 2.7764451051977934),
        (9, 2.262157162798205),
        (29, 2.045229642132703),
        (100, 1.9839715185235518),
        (999, 1.9623414611334493),
        (1000, 1.9623390808264083),
        (1000000, 1.959966356814107),
    ],
)
def test_students_quantile_is_right_for_few_and_many_degrees(degrees, wanted):
    assert t_quantile(0.975, degrees) == pytest.approx(wanted, rel=1e-11)
