"""Samples tried several times: the chance that some of k attempts passes, and that all do."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from sampleui.errors import StatisticsError
from sampleui.statistics.means import standard_error
from sampleui.statistics.units import Summing


class SampleAttempts(NamedTuple):
    """How many attempts of a sample have a verdict, and how many of these passed."""

    tried: int
    passed: int

    @property
    def unstable(self) -> bool:
        """Whether some attempts passed and others failed. Those without a verdict count as neither."""
        return 0 < self.passed < self.tried


class AttemptsSummary(NamedTuple):
    """pass@k and pass^k, averaged over the samples that have k attempts or more; None if there are none.

    Attributes:
        k: the attempts that are asked about.
        n: samples that count.
        left_out: samples with fewer than k attempts that have a verdict.
        pass_at_k: the chance that at least one of k attempts passes.
        pass_at_k_error: its standard error over samples, or clusters of them.
        pass_hat_k: the chance that all of k attempts pass.
        pass_hat_k_error: its standard error, likewise.
    """

    k: int
    n: int
    left_out: int
    pass_at_k: float | None
    pass_at_k_error: float | None
    pass_hat_k: float | None
    pass_hat_k_error: float | None


def pass_at_k(attempts: SampleAttempts, k: int) -> float:
    """Return the chance that some of k attempts passes: 1 - C(n-c, k)/C(n, k).

    Chen et al. 2021, arXiv 2107.03374.
    """
    combinations = math.comb(attempts.tried, k)
    return (combinations - math.comb(attempts.tried - attempts.passed, k)) / combinations


def pass_hat_k(attempts: SampleAttempts, k: int) -> float:
    """Return the chance that all of k attempts pass: C(c, k)/C(n, k).

    Yao et al. 2024, arXiv 2406.12045.
    """
    return math.comb(attempts.passed, k) / math.comb(attempts.tried, k)


def attempts_summary(clusters: Mapping[tuple[SampleAttempts, ...], int], k: int) -> AttemptsSummary:
    """Return pass@k and pass^k over samples, each drawn without replacement from the sample's own attempts.

    Args:
        clusters: the samples that go right and wrong together, those that are alone too, and how often there is a
            cluster like each of them.
        k: the attempts that are asked about.

    Raises:
        StatisticsError: k is below 1.
    """
    if k < 1:
        raise StatisticsError(f"pass@k is of at least one attempt, not of {k}")
    some, every, left_out = Summing(), Summing(), 0
    for cluster, times in clusters.items():
        inside = [sample for sample in cluster if sample.tried >= k]
        left_out += (len(cluster) - len(inside)) * times
        if inside:
            some.add(math.fsum(pass_at_k(sample, k) for sample in inside), len(inside), times)
            every.add(math.fsum(pass_hat_k(sample, k) for sample in inside), len(inside), times)
    at_k, hat = some.sums(), every.sums()
    return AttemptsSummary(k, at_k.values, left_out, at_k.mean, standard_error(at_k), hat.mean, standard_error(hat))
