"""Figures in words: rates in percent, differences in points, and what is not known sentences as such."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sampleui.review.record import line_words
from sampleui.review.reports.figures import (
    SMALL_GROUP,
    BaselineFigures,
    Coverage,
    GraderFigures,
    Measure,
    RunFigures,
    RunInSeries,
    ScoreBin,
    SeriesFigures,
)
from sampleui.statistics import Interval
from sampleui.statistics.comparison import Comparison
from sampleui.statistics.graders import Estimate
from sampleui.statistics.means import VERY_FEW_UNITS
from sampleui.text.wording import counted

NOT_KNOWN = "not known"
NO_VARIATION = "no variation seen"
"""Said of an interval without width: it is no certainty."""

_NARROW = 0.02
"""Of a rate's interval: below it, whole percents would hide what is known."""

_HUGE = 1e9

_LEVEL = 0.05
"""A difference is called one if a test at this level says so, and its interval too."""

_TESTS = {
    "mcnemar": "McNemar's exact test",
    "no-variation": "flipped signs",
    "normal": "the normal test",
    "sign-flip-exact": "flipped signs",
    "sign-flip-sampled": "sampled flips of signs",
}


def percent(value: float | None, interval: Interval | None = None) -> str:
    """Return a rate in percent: 0 and 100 for none and all alone, with more places in a narrow interval."""
    if value is None:
        return NOT_KNOWN
    share = 100 * value
    if interval is not None and 0 < share < 100 and 0 < (width := interval.high - interval.low) < _NARROW:
        return f"{share:.{1 if width >= _NARROW / 10 else 2}f}%"
    return f"{share:.1f}%" if 0 < share < 1 or 99 < share < 100 else f"{share:.0f}%"


def number(value: float | None) -> str:
    """Return a mean: two places below a hundred, none above, and a power of ten for the largest."""
    if value is None:
        return NOT_KNOWN
    if abs(value) >= _HUGE:
        return f"{value:.3g}"
    return f"{value:.2f}" if abs(value) < 100 else f"{value:,.0f}"


def rate_interval(interval: Interval | None) -> str:
    """Return an interval of a rate: `76 to 86%`."""
    if interval is None:
        return NOT_KNOWN
    if interval.low == interval.high:
        return NO_VARIATION
    return f"{percent(interval.low, interval)[:-1]} to {percent(interval.high, interval)}"


def mean_interval(interval: Interval | None) -> str:
    """Return an interval of a mean."""
    if interval is None:
        return NOT_KNOWN
    return NO_VARIATION if interval.low == interval.high else f"{number(interval.low)} to {number(interval.high)}"


def under_words(run: RunFigures) -> str:
    """Say under which score records of a run failed, and whose threshold that is; empty where no score decided."""
    if run.fail_under is None:
        return ""
    return f" under {line_words(None if run.fail_under_is_default else run.fail_under)}"


def run_words(run: RunFigures) -> Iterator[str]:
    """Say the pass rate and the mean score of a run, a sentence each, with their intervals."""
    if run.counts.records:
        yield _rate_words(run)
    if run.mean_score.value is not None:
        yield _mean_words(run) + ("" if run.scored else " Its scale is not known.")


def _rate_words(run: RunFigures) -> str:
    """Say the pass rate of a run, its interval and what it is of."""
    rate = run.pass_rate
    if rate.value is None:
        return f"Pass rate {NOT_KNOWN}: no sample has an outcome."
    value = percent(rate.value, rate.interval)
    return f"Pass rate {value} ({rate_interval(rate.interval)}) of {_of(rate, run, 'an outcome')}."


def _mean_words(run: RunFigures) -> str:
    """Say the mean score of a run, its interval and what it is of."""
    mean = run.mean_score
    return f"Mean score {number(mean.value)} ({mean_interval(mean.interval)}) of {_of(mean, run, 'a score')}."


def _of(measure: Measure, run: RunFigures, what: str) -> str:
    """Say what a measure is of. Pairs that nothing else clusters are clusters of the answers to a sample."""
    few = "; these are very few" if measure.very_few else ""
    missing = f"; {measure.missing:,} without {what} left out" if measure.missing else ""
    units = counted_units(measure.n, several_targets=len(run.targets) > 1)
    if measure.units < measure.n:
        alike = ("from", "sample") if run.clustered_by is None else ("in", "cluster")
        units += f" {alike[0]} {counted(measure.units, alike[1])}"
    return f"{units}{few}{missing}"


def counted_units(times: int, *, several_targets: bool) -> str:
    """Count what figures are of: samples, each with each of its targets where there are several."""
    return f"{counted(times, 'pair')} of sample and target" if several_targets else counted(times, "sample")


# Comparisons


def is_difference(comparison: Comparison) -> bool | None:
    """Tell whether a difference is more than chance; None if that is not known.

    Both have to say so, the interval and the test: with very few samples an interval may lie beside 0 by chance.
    """
    if comparison.interval is None or comparison.p_value is None:
        return None
    low, high = comparison.interval
    return not low <= 0 <= high and comparison.p_value < _LEVEL


def is_worse(comparison: Comparison) -> bool | None:
    """Tell whether a run is worse by more than chance; None if that is not known."""
    found = is_difference(comparison)
    return None if found is None or comparison.mean_difference is None else found and comparison.mean_difference < 0


def comparison_words(figures: BaselineFigures) -> str:
    """Say in a sentence how a run fares against its baseline."""
    comparison = figures.comparison
    points = figures.measure == "passed"
    if not comparison.n_paired:
        return f"nothing to compare: {_unpaired(figures)}"
    up, down = ("better", "worse") if figures.bounded else ("higher", "lower")
    counts = f"{comparison.better:,} of {comparison.n_paired:,} {up}, {comparison.worse:,} {down}"
    return f"{counts}: {_verdict(figures, points=points)}"


def _unpaired(figures: BaselineFigures) -> str:
    """Say why no sample of two runs is compared."""
    here, there = figures.comparison.n_dropped_run, figures.comparison.n_dropped_baseline
    by_target = " by the same target" if figures.several_targets else ""
    if bool(here) is bool(there):
        found = "was judged by people" if figures.by_people else "has an outcome"
        return f"no sample {found}{by_target} in both runs"
    where = figures.baseline if here else "this run"
    if figures.by_people:
        return f"people judged no record of {where}"
    return f"no sample of {where} has an outcome that a grader gave"


def _verdict(figures: BaselineFigures, *, points: bool) -> str:
    comparison = figures.comparison
    difference, found = comparison.mean_difference, is_difference(comparison)
    samples = counted_units(comparison.n_paired, several_targets=figures.several_targets)
    if difference is None or found is None:
        return f"{samples} cannot show whether that is more than chance"
    if not found:
        least = comparison.smallest_detectable
        under = f" (under {_amount(least, least, points=points)})" if least is not None else ""
        return f"no difference that {samples} could show{under}"
    assert comparison.interval is not None
    ends = sorted(abs(end) for end in comparison.interval)
    width = ends[1] - ends[0]
    up, down = ("better", "worse") if figures.bounded else ("higher", "lower")
    interval = " to ".join(_digits(end, width, points=points) for end in ends) if width else NO_VARIATION
    return f"{up if difference > 0 else down} by {_amount(abs(difference), width, points=points)} ({interval})"


def _amount(value: float, width: float, *, points: bool) -> str:
    digits = _digits(value, width, points=points) if width else f"{100 * value if points else value:.3g}"
    return digits if not points else f"{digits} point{'' if digits == '1' else 's'}"


def _digits(value: float, width: float, *, points: bool) -> str:
    """Return an amount with no more places than its interval's width makes sense of."""
    shown, wide = (100 * value, 100 * width) if points else (value, width)
    places = next((places for places, least in enumerate((2.0, 0.2, 0.02)) if wide >= least), 3)
    return f"{shown:.{places if points else max(places, 2)}f}"


def pairing_words(figures: BaselineFigures) -> str:
    """Say what was compared, how large the difference is, and what says so."""
    found = figures.comparison
    sentences = [
        counted(found.n_paired, "pair") + (f" in {counted(found.units, 'cluster')}" if found.clustered else "")
    ]
    for times, where in (
        (found.n_dropped_run, "judged only in this run" if figures.by_people else "only in this run"),
        (found.n_dropped_baseline, "judged only in the baseline" if figures.by_people else "only in the baseline"),
        (found.n_unscored, "judged in neither" if figures.by_people else "without an outcome in either"),
    ):
        sentences += [f"{times:,} {where}"] if times else []
    return "; ".join((", ".join(sentences), *difference_words(found))) + "."


def difference_words(found: Comparison) -> Sequence[str]:
    """Say the mean difference with its error and interval, the p-value, and what would have been found."""
    if found.mean_difference is None:
        return ()
    error = "" if found.standard_error is None else f" ± {found.standard_error:.3f}"
    interval = ""
    low, high = found.interval or (0.0, 0.0)
    if found.interval is not None:
        interval = f" ({NO_VARIATION})" if low == high else f" ({low:+.3f} to {high:+.3f})"
    sentences = [f"mean difference {found.mean_difference:+.3f}{error}{interval}"]
    if found.p_value is not None and found.p_method is not None:
        sentences.append(f"p {p_text(found.p_value, sign='= ')} by {_TESTS[found.p_method]}")
    if found.units < VERY_FEW_UNITS:
        sentences.append(f"these are very few {'clusters' if found.clustered else 'pairs'}")
    return sentences


def p_text(value: float | None, sign: str = "") -> str:
    """Return a p-value: three places with a sign before them, or that it is less."""
    if value is None:
        return NOT_KNOWN
    return "<0.001" if value < 0.001 else f"{sign}{value:.3f}"


def flipped_at_words(run: RunInSeries) -> str:
    """Say how many samples flipped at a run of a series; that is not known of one that nobody graded."""
    return NOT_KNOWN if run.pass_rate.value is None else f"{run.flipped:,}"


def flipped_words(series: SeriesFigures) -> str:
    """Say how many samples flipped, each with each of its targets where those of several did."""
    targets = {item.target for item in series.flips}
    return f"{counted_units(series.flipped, several_targets=len(targets) > 1)} flipped"


def passed_over_words(series: SeriesFigures) -> Sequence[str]:
    """Say which newer runs are not compared with, and why."""
    return [f"{run} is passed over: {reason}" for run, reason in series.passed_over]


# Graders


def estimate_text(estimate: Estimate) -> str:
    """Return a share and its interval: `90% (86 to 93%)`."""
    if estimate.value is None:
        return NOT_KNOWN
    return f"{percent(estimate.value)} ({rate_interval(estimate.interval)})"


def coverage_words(item: Coverage) -> str:
    """Say whether the decks have few samples of a value, and how many of these the run has no record of."""
    words = ["none in the deck"] if not item.samples else ["few"] if item.samples < SMALL_GROUP else []
    words += [f"{item.samples - item.answered:,} without a record"] if item.answered < item.samples else []
    return ", ".join(words) or "covered"


def score_bin_words(item: ScoreBin) -> str:
    """Return which scores a bin has: `0.8 to 0.9`."""
    return f"{item.low:g} to {item.high:g}"


def grader_words(grader: GraderFigures) -> Sequence[str]:
    """Say what there is to know of how a grader was reviewed, a sentence each."""
    sentences = []
    if grader.reason:
        sentences.append(f"{NOT_KNOWN.capitalize()}: {grader.reason}.")
    if grader.bounds is not None and grader.bounds.true_negative_rate is not None:
        sentences.append(f"The true negative rate is {percent(grader.bounds.true_negative_rate)} at least.")
    if grader.limits is not None and grader.limits.wrong_passes is not None:
        low, high = grader.limits.wrong_passes
        rates = (grader.limits.lowest_rate, grader.limits.highest_rate)
        known = (
            f", so that the true negative rate is {percent(rates[0])} to {percent(rates[1])}"
            if rates[0] is not None
            else ""
        )
        sentences.append(f"Wrong passes: {low:,} to {high:,} by exact limits{known}.")
    if grader.by_hand:
        sentences.append(f"{counted(grader.by_hand, 'record')} picked by hand left out.")
    return sentences
