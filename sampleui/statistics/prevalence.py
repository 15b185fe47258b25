"""The true pass rate of a run that no person has labelled, from what its grader passed and how often that errs."""

from __future__ import annotations

import math
from typing import NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics.values import TOLERANCE, Z_95, Interval

WEAK_YOUDEN = 0.2
"""A grader with less than this tells right from wrong so little that a reader must be told."""


class GraderErrors(NamedTuple):
    """What is known of a grader: its true positive and true negative rate, and their variances and covariance."""

    tpr: float | None
    tnr: float | None
    tpr_variance: float | None = None
    tnr_variance: float | None = None
    covariance: float | None = 0.0


class Prevalence(NamedTuple):
    """A pass rate corrected for the grader's errors.

    Attributes:
        observed: the share that the grader passed.
        youden: TPR + TNR - 1: 1 for a perfect grader, 0 for a coin.
        raw: the corrected rate as it comes out.
        rate: the same cut to 0 and 1.
        clipped: whether it was outside of 0 and 1, which says that these error rates do not fit this run.
        standard_error: of the rate.
        interval: at 95%, cut to 0 and 1.
    """

    observed: float | None
    youden: float | None
    raw: float | None
    rate: float | None
    clipped: bool | None
    standard_error: float | None
    interval: Interval | None


def rogan_gladen(passed: int, n: int, errors: GraderErrors) -> Prevalence:
    """Return the pass rate of n records of which the grader passed some: (observed + TNR - 1) / (TPR + TNR - 1).

    Rogan & Gladen 1978; the standard error by the delta method, as in Lang & Reiczigel 2014, with the covariance
    that estimates from one review have (Lee et al. 2025, arXiv 2511.21140). It is for one attempt a sample and no
    clusters, and it takes for granted that the error rates of the same evaluator carry over to this run. A run with
    a review of its own does not need it.

    Raises:
        StatisticsError: the counts are not 0 ≤ passed ≤ n.
    """
    if not 0 <= passed <= n:
        raise StatisticsError(f"{passed} of {n} is no rate")
    observed = passed / n if n else None
    youden = None if errors.tpr is None or errors.tnr is None else errors.tpr + errors.tnr - 1
    if observed is None or errors.tnr is None or youden is None or youden <= TOLERANCE:
        return Prevalence(observed, youden, None, None, None, None, None)
    raw = (observed + errors.tnr - 1) / youden
    rate = min(1.0, max(0.0, raw))
    clipped = abs(raw - rate) > TOLERANCE
    variance = _variance(observed, n, rate, errors)
    if variance is None:
        return Prevalence(observed, youden, raw, rate, clipped, None, None)
    error = math.sqrt(variance) / youden
    interval = Interval(max(0.0, rate - Z_95 * error), min(1.0, rate + Z_95 * error))
    return Prevalence(observed, youden, raw, rate, clipped, error, interval)


def _variance(observed: float, n: int, rate: float, errors: GraderErrors) -> float | None:
    """Return the variance of observed - what the errors make of the rate; None where it is not known."""
    if n < 2 or errors.tpr_variance is None or errors.tnr_variance is None or errors.covariance is None:
        return None
    sampling = observed * (1 - observed) / (n - 1)
    of_errors = rate**2 * errors.tpr_variance + (1 - rate) ** 2 * errors.tnr_variance
    variance = sampling + of_errors - 2 * rate * (1 - rate) * errors.covariance
    return variance if variance >= 0 else None
