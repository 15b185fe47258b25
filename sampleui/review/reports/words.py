"""Figures in words: rates in percent, differences in points, and what is not known sentences as such."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sampleui.review.record import line_words
from sampleui.review.reports.figures import (
    SMALL_GROUP,
    BaselineFigures,
    ChangedRecords,
    Coverage,
    GraderFigures,
    Group,
    MissingSamples,
    RunFigures,
    RunInSeries,
    ScoreBin,
    SeriesFigures,
    ShownDifference,
)
from sampleui.statistics import LARGEST, Interval
from sampleui.statistics.comparison import LEVEL, Comparison
from sampleui.statistics.graders import TRUSTED, Estimate
from sampleui.statistics.means import VERY_FEW_UNITS, Measure
from sampleui.text.visible import one_line
from sampleui.text.wording import counted

NOT_KNOWN = "not known"
NO_VARIATION = "no variation seen"
"""Said of an interval without width: it is no certainty."""
LOPSIDED = "one cluster has over a third of them, which makes the interval too narrow"

MAX_LISTED_NAMES = 20
"""Evaluators that are named where there are many."""

_NARROW = 0.02
"""Of a rate's interval: below it, whole percents would hide what is known."""

_HUGE = 1e9
_TINY = 1e-9

_TESTS = {
    "mcnemar": "McNemar's exact test",
    "no-variation": "flipped signs",
    "normal": "the normal test",
    "sign-flip-exact": "flipped signs",
    "sign-flip-sampled": "sampled flips of signs",
}


_MOST_PLACES = 12


def _unlike(shown: Callable[[int], str], places: int, value: float, others: Sequence[float]) -> str:
    """Return a number with so many places, or as many more as it takes not to look like another that it is not.

    Args:
        shown: returns the number with some places.
        places: the least of them.
        value: the number.
        others: numbers that readers would take it for.
    """
    for count in range(places, _MOST_PLACES):
        text = shown(count)
        if value in others or float(text.replace(",", "")) not in others:
            return text
    return shown(_MOST_PLACES)


def _signless(text: str) -> str:
    """Return a number without a sign where it is written as zero."""
    return text if text.strip("+-0.,") else text.lstrip("+-")


def percent(value: float | None, interval: Interval | None = None) -> str:
    """Return a rate in percent: 0 and 100 for none and all alone, with more places in a narrow interval."""
    if value is None:
        return NOT_KNOWN
    share = 100 * value
    places = 0
    if interval is not None and 0 < share < 100 and 0 < (width := interval.high - interval.low) < _NARROW:
        places = 1 if width >= _NARROW / 10 else 2
    return f"{_unlike(lambda count: f'{share:.{count}f}', places, share, (0.0, 100.0))}%"


def percent_under(value: float, limit: float) -> tuple[str, str]:
    """Return a rate and a limit that it is under, with as many places as it takes to tell them apart."""
    for places in range(_MOST_PLACES):
        texts = f"{100 * value:.{places}f}%", f"{100 * limit:.{places}f}%"
        if texts[0] != texts[1]:
            break
    return texts[0], f"{100 * limit:g}%"


def number(value: float | None) -> str:
    """Return a mean: two places below a hundred, none above, and a power of ten for the largest.

    What is not 0 or 1 has as many places as it takes not to look so.
    """
    if value is None:
        return NOT_KNOWN
    if abs(value) >= _HUGE or 0 < abs(value) < _TINY:
        return f"{value:.3g}".replace("-", "−", 1)
    if abs(value) >= 100:
        return f"{value:,.0f}".replace("-", "−")
    shown = _unlike(lambda places: f"{value:.{places}f}", 2, value, (0.0, 1.0, -1.0))
    return _signless(shown).replace("-", "−")


def signed(value: float | None) -> str:
    """Return a difference with its sign."""
    if value is None:
        return NOT_KNOWN
    if abs(value) >= _HUGE or 0 < abs(value) < _TINY:
        return f"{value:+.3g}".replace("-", "−")
    shown = _unlike(lambda places: f"{value:+.{places}f}", 3, value, (0.0, 1.0, -1.0))
    return _signless(shown).replace("-", "−")


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
    rate, mean = run.pass_rate, run.mean_score
    if rate.value is not None:
        share = f"{percent(rate.value, rate.interval)} ({rate_interval(rate.interval)})"
        yield f"Pass rate {share} of {_of(rate, run, 'an outcome')}."
    elif run.counts.records:
        yield f"Pass rate {NOT_KNOWN}: no sample has an outcome."
    if mean.value is not None:
        what, scale = ("a score", "") if run.scored else (f"a score below {LARGEST:g}", " Its scale is not known.")
        yield f"Mean score {number(mean.value)} ({mean_interval(mean.interval)}) of {_of(mean, run, what)}.{scale}"


def _of(measure: Measure, run: RunFigures, what: str) -> str:
    """Say what a measure is of. Pairs that nothing else clusters are clusters of the answers to a sample."""
    few = "; these are very few" if measure.very_few else ""
    few += f"; {LOPSIDED}" if measure.lopsided else ""
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


def comparison_words(figures: BaselineFigures) -> str:
    """Say in a sentence how a run fares against its baseline."""
    comparison = figures.comparison
    if not comparison.n_paired:
        return f"nothing to compare: {_unpaired(figures)}"
    up, down = ("better", "worse") if figures.bounded else ("higher", "lower")
    counts = f"{comparison.better:,} of {comparison.n_paired:,} {up}, {comparison.worse:,} {down}"
    return f"{counts}: {_verdict(figures)}"


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


def _verdict(figures: BaselineFigures) -> str:
    found, shown, points = figures.comparison, figures.shown, figures.measure == "passed"
    if shown is None or found.interval is None or found.mean_difference is None:
        samples = counted_units(found.n_paired, several_targets=figures.several_targets)
        return f"{samples} cannot show whether that is more than chance"
    if found.interval.low == found.interval.high == 0:
        return "no difference seen"
    if shown is ShownDifference.NOT_SHOWN:
        return f"not shown, {_between(found, points=points)}"
    low, high = sorted(map(abs, found.interval))
    ends = _amounts((low, high), high - low, points=points)
    by = _amounts((abs(found.mean_difference),), high - low, points=points)[0]
    return f"{shown} by {_in_points(by) if points else by} ({ends[0]} to {ends[1]})"


def _between(found: Comparison, *, points: bool) -> str:
    """Say between what a difference is that is not shown; and its chance, where the interval would show it."""
    assert found.interval is not None
    low, high = found.interval
    shown = [
        _with_sign(text, end)
        for text, end in zip(_amounts((low, high), high - low, points=points), (low, high), strict=True)
    ]
    chance = "" if low <= 0 <= high else f", p {p_text(found.p_value, sign='= ')}"
    return f"between {shown[0]} and {_in_points(shown[1]) if points else shown[1]}{chance}"


def _with_sign(text: str, value: float) -> str:
    if not text.strip("-0.,"):
        return "0"
    return f"+{text}" if value > 0 else f"−{text.lstrip('-')}"


def _amounts(values: Sequence[float], width: float, *, points: bool) -> list[str]:
    """Return amounts with no more places than their interval makes sense of; what is not 0 does not look so."""
    shown, wide = ([100 * value for value in values], 100 * width) if points else ([*values], width)
    places = next((places for places, least in enumerate((2.0, 0.2, 0.02)) if wide >= least), 3)
    least = places if points else max(places, 2)
    return [
        _unlike(lambda count, value=value: f"{value:.{count}f}", least, value, (0.0,))  # type: ignore[misc]
        if abs(value) < _HUGE
        else f"{value:.3g}"
        for value in shown
    ]


def _in_points(amount: str) -> str:
    return f"{amount} point{'' if amount.lstrip('+−') == '1' else 's'}"


def missing_words(missing: MissingSamples, *, several_targets: bool) -> Iterator[str]:
    """Yield what the earlier run has and the run has not, a sentence each."""
    for times, names, what in (
        (missing.samples, missing.named, "of the baseline missing in this run"),
        (missing.gone, missing.named_gone, "of the baseline no longer in the deck"),
    ):
        if times:
            units = counted_units(times, several_targets=several_targets)
            yield f"{units} {what}: {_names(names, times)}."


def _names(names: Sequence[str], times: int) -> str:
    more = f" and {times - len(names):,} more" if times > len(names) else ""
    return f"{', '.join(one_line(name, 80) for name in names)}{more}"


def records_words(figures: BaselineFigures) -> Iterator[str]:
    """Yield which samples are worse and better, and how many of these changed, a sentence each."""
    records, found = figures.records, figures.comparison
    up, down = ("Better", "Worse") if figures.bounded else ("Higher", "Lower")
    for what, times, names in ((down, found.worse, records.named_worse), (up, found.better, records.named_better)):
        if names:
            yield f"{what}: {_names(names, times)}."
    for changed, times, name in (
        (records.worse_changed, found.worse, "worse"),
        (records.better_changed, found.better, "better"),
    ):
        if changed:
            yield f"{changed:,} of {times:,} {name} {changed_words(records, changed)}."


def changed_words(records: ChangedRecords, count: int) -> str:
    """Say what so many samples do: `expects something else now`."""
    verbs = [verb if count == 1 else verb.removesuffix("s") for verb in records.what_changed.split(" or ")]
    return f"{' or '.join(verbs)} something else now"


def apart_words(figures: BaselineFigures) -> Iterator[str]:
    """Yield which evaluators are not compared, and why, a sentence each."""
    for names, where in ((figures.only_run, "this run"), (figures.only_baseline, "the baseline")):
        if names:
            yield f"Only {where} has {_listed_names(names)}."
    if figures.unpaired:
        yield f"Both runs have {_listed_names(figures.unpaired)}, but on no common sample."
    if figures.single_evaluators:
        yield f"{counted(figures.single_evaluators, 'evaluator')} of one record each in both runs, not compared."


def _listed_names(names: Sequence[str]) -> str:
    shown = names[:MAX_LISTED_NAMES]
    more = f" and {len(names) - len(shown):,} more" if len(names) > len(shown) else ""
    return f"{', '.join(one_line(name, 80) for name in shown)}{more}"


def pairing_words(figures: BaselineFigures) -> str:
    """Say what was compared, how large the difference is, and what says so."""
    found = figures.comparison
    sentences = [
        counted(found.n_paired, "pair") + (f" in {counted(found.units, 'cluster')}" if found.clustered else "")
    ]
    for times, where in (
        (found.n_dropped_run, "judged only in this run" if figures.by_people else "scored only in this run"),
        (
            found.n_dropped_baseline,
            "judged only in the baseline" if figures.by_people else "scored only in the baseline",
        ),
        (found.n_unscored, "judged in neither" if figures.by_people else "without an outcome in either"),
    ):
        sentences += [f"{times:,} {where}"] if times else []
    return "; ".join((", ".join(sentences), *difference_words(found))) + "."


def difference_words(found: Comparison) -> Sequence[str]:
    """Say the mean difference with its error and interval, and the p-value."""
    if found.mean_difference is None:
        return ()
    error = "" if found.standard_error is None else f" ± {number(found.standard_error)}"
    interval = "" if found.interval is None else f" ({signed_interval(found.interval)})"
    sentences = [f"mean difference {signed(found.mean_difference)}{error}{interval}"]
    if found.p_value is not None and found.method is not None:
        sentences.append(f"p {p_text(found.p_value, sign='= ')} by {_TESTS[found.method]}")
    if 0 < found.units < VERY_FEW_UNITS:
        sentences.append(f"these are very few {'clusters' if found.clustered else 'pairs'}")
    return (*sentences, *([LOPSIDED] if found.lopsided else ()))


def signed_interval(interval: Interval | None) -> str:
    """Return an interval of a difference: `−0.250 to +0.120`."""
    if interval is None:
        return NOT_KNOWN
    if interval.low == interval.high:
        return NO_VARIATION if interval.low else "no difference seen"
    return f"{signed(interval.low)} to {signed(interval.high)}"


def p_text(value: float | None, sign: str = "") -> str:
    """Return a p-value: three places with a sign before them, or that it is less.

    What is not 0.05, at which a difference is shown, does not look so.
    """
    if value is None:
        return NOT_KNOWN
    return (
        "<0.001"
        if value < 0.001
        else f"{sign}{_unlike(lambda places: f'{value:.{places}f}', 3, value, (LEVEL, 1.0))}"
    )


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


def rate_of_text(group: Group) -> str:
    """Return the pass rate of a group and of how many samples it is: `83% (12)`."""
    return f"{percent(group.pass_rate.value, group.pass_rate.interval)} ({group.pass_rate.n:,})"


def coverage_words(item: Coverage) -> str:
    """Say whether the decks have few samples of a value, and how many of these the run has no record of."""
    words = ["none in the deck"] if not item.samples else ["few"] if item.samples < SMALL_GROUP else []
    words += [f"{item.samples - item.answered:,} without a record"] if item.answered < item.samples else []
    return ", ".join(words) or "covered"


def score_bin_words(item: ScoreBin) -> str:
    """Return which scores a bin has: `0.8 to 0.9`."""
    return f"{item.low:g} to {item.high:g}"


def reviewed_text(grader: GraderFigures) -> str:
    """Return how many of the records of a grader were reviewed: `all 60`, `15 of 60`."""
    if grader.reviewed == grader.records:
        return f"all {grader.records:,}"
    return f"{grader.reviewed:,} of {grader.records:,}"


def caught_text(grader: GraderFigures) -> str:
    """Return how many failures a grader catches, and the share: `13 of 15, 87% (62 to 96%)`."""
    counts = grader.counts
    return _counted_share(counts.failed_wrong, counts.passed_wrong, grader.true_negative_rate, grader)


def let_pass_text(grader: GraderFigures) -> str:
    """Return how many right answers a grader passes, and the share."""
    counts = grader.counts
    return _counted_share(counts.passed_right, counts.failed_right, grader.true_positive_rate, grader)


def _counted_share(right: int, wrong: int, share: Estimate, grader: GraderFigures) -> str:
    if share.value is None:
        return NOT_KNOWN
    weighted = "weighted " if grader.weighted else ""
    return f"{right:,} of {right + wrong:,}, {weighted}{estimate_text(share)}"


def grader_words(grader: GraderFigures) -> Iterator[str]:
    """Yield what there is to know of how a grader was reviewed, a sentence each."""
    if grader.reason:
        yield f"{NOT_KNOWN.capitalize()}: {grader.reason}."
    hints = [
        f"{counted(missing, 'more ' + kind)} reviewed would tell whether it {what} {TRUSTED:.0%}"
        for missing, kind, what in (
            (grader.missing_wrong, "failure", "catches"),
            (grader.missing_right, "right answer", "passes"),
        )
        if missing and grader.reviewed
    ]
    if hints:
        yield f"{'; '.join(hints)}."
    if grader.by_hand:
        yield f"{counted(grader.by_hand, 'record')} picked by hand left out."
