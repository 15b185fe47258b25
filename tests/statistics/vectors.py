"""The project's functions by the names and shapes of language-neutral test vectors.

A case is {"fn": name of a function, ...its arguments}; `evaluate` returns what the project makes of it, as JSON
would have it. Vectors are not part of the project.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sampleui.statistics import Interval
from sampleui.statistics.agreement import cohen_kappa, krippendorff_alpha
from sampleui.statistics.attempts import attempts_summary
from sampleui.statistics.comparison import holm, mcnemar_exact
from sampleui.statistics.graders import (
    Estimate,
    Label,
    ReviewedStratum,
    corrected_rate,
    grader_estimate,
)
from sampleui.statistics.means import share_interval

from .lists import Score, compare, count_attempts, labels_by_sample, mean_summary


def evaluate(given: Mapping[str, Any]) -> Any:
    """Return the result of a case: a number, a list, a table, or None where it is not defined."""
    arguments = dict(given)
    return FUNCTIONS[arguments.pop("fn")](**arguments)


def _rate(k: int, n: int) -> dict[str, Any]:
    low, high = share_interval(k / n, n) if n else (None, None)
    return {"rate": k / n if n else None, "lo": low, "hi": high}


def _mean_summary(values: Sequence[float | None], clusters: Any = None) -> dict[str, Any]:
    found = mean_summary(values, clusters)
    return {
        "n": found.n,
        "missing": found.missing,
        "units": found.units,
        "mean": found.value,
        "se": found.standard_error,
        "ci": _ends(found.interval),
        "ci_method": found.method,
    }


def _standard_error(values: Sequence[float | None], clusters: Any = None) -> float | None:
    return mean_summary(values, clusters).standard_error


def _mcnemar_exact(b: int, c: int) -> float:
    return mcnemar_exact(b, c)


def _holm(ps: Sequence[float | None]) -> list[float | None]:
    return holm(ps)


def _compare(
    a: Sequence[Mapping[str, Any]],
    b: Sequence[Mapping[str, Any]],
    clusters: Any = None,
    higher_is_better: bool = True,
    seed: int = 0,
) -> dict[str, Any]:
    pairs = clusters.items() if isinstance(clusters, Mapping) else clusters or ()
    found = compare(
        _scores(a), _scores(b), labels=labels_by_sample(pairs), higher_is_better=higher_is_better, seed=seed
    )
    return {
        "paired": found.n_paired,
        "dropped_a": found.n_dropped_baseline,
        "dropped_b": found.n_dropped_run,
        "unscored": found.n_unscored,
        "better": found.better,
        "worse": found.worse,
        "same": found.same,
        "mean_a": found.baseline_mean,
        "mean_b": found.run_mean,
        "mean_diff": found.mean_difference,
        "se": found.standard_error,
        "ci": _ends(found.interval),
        "units": found.units,
        "clustered": found.clustered,
        "b": found.discordant and found.discordant.baseline_passed,
        "c": found.discordant and found.discordant.run_passed,
        "p": found.p_value,
        "p_method": found.method,
    }


def _attempts(k: int, samples: Sequence[Sequence[float | None]]) -> dict[str, Any]:
    found = attempts_summary(Counter((count_attempts(sample),) for sample in samples), k)
    return {
        "k": found.k,
        "n": found.n,
        "left_out": found.left_out,
        "pass_at_k": found.pass_at_k,
        "se_at": found.pass_at_k_error,
        "pass_hat_k": found.pass_hat_k,
        "se_hat": found.pass_hat_k_error,
    }


def _cohen_kappa(r1: Sequence[Any], r2: Sequence[Any]) -> dict[str, Any]:
    found = cohen_kappa(zip(r1, r2, strict=True))
    return {"n": found.n, "agreement": found.agreement, "kappa": found.kappa}


def _krippendorff_nominal(items: Sequence[Sequence[Any]]) -> dict[str, Any]:
    found = krippendorff_alpha(items)
    return {"items": found.items, "values": found.values, "agreement": found.agreement, "alpha": found.alpha}


def _grader(strata: Sequence[Mapping[str, Any]], seed: int = 0) -> dict[str, Any]:
    found = grader_estimate([_stratum(stratum) for stratum in strata], seed)
    return {
        "size": found.size,
        "reviewed": found.reviewed,
        "skipped": found.skipped,
        **_estimate("theta", found.pass_rate),
        **_estimate("tpr", found.true_positive_rate),
        **_estimate("tnr", found.true_negative_rate),
        **_estimate("precision", found.precision),
        **_estimate("npv", found.negative_predictive_value),
    }


def _corrected_rate(k: int, n: int, strata: Sequence[Mapping[str, Any]], seed: int = 0) -> dict[str, Any]:
    found = corrected_rate([_stratum(stratum) for stratum in strata], k, n, seed)
    return {
        "observed": found.observed,
        "theta": found.rate.value,
        "ci": _ends(found.rate.interval),
        "clipped": found.clipped,
    }


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "rate": _rate,
    "mean_summary": _mean_summary,
    "standard_error": _standard_error,
    "mcnemar_exact": _mcnemar_exact,
    "holm": _holm,
    "compare": _compare,
    "attempts": _attempts,
    "cohen_kappa": _cohen_kappa,
    "krippendorff_nominal": _krippendorff_nominal,
    "grader": _grader,
    "corrected_rate": _corrected_rate,
}


def _ends(interval: Interval | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _estimate(name: str, estimate: Estimate) -> dict[str, Any]:
    return {name: estimate.value, f"{name}_ci": _ends(estimate.interval)}


def _scores(rows: Sequence[Mapping[str, Any]]) -> list[Score]:
    return [Score(row["sample"], row.get("target") or "", row.get("score")) for row in rows]


def _stratum(stratum: Mapping[str, Any]) -> ReviewedStratum:
    labels = [Label(bool(judge), None if person is None else bool(person)) for judge, person in stratum["labels"]]
    return ReviewedStratum(stratum["size"], stratum.get("judge") or "mixed", labels)
