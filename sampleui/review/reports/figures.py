"""The figures of a run, as values that every face shows in its own way.

`Figures` has a part for each question that is asked of a run. `sql_figures.py` computes them, in one reading of
each file; `docs/statistics.md` defines them. These hold everywhere:

- What is not known is None, and never 0; whoever shows it says "not known".
- The unit is a sample answered by a target; its attempts are averaged first. An error is no outcome: such an
  attempt is missing, and counted in `errors`, unless errors are asked to count as failures.
- Rates, scores of bounded scale and their differences are from 0 to 1; faces may show them as percent or points.
- Intervals are at 95%.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, NamedTuple

from sampleui.review.results.scoring import ReportedMetrics
from sampleui.review.verdict import Verdict
from sampleui.statistics.attempts import AttemptsSummary
from sampleui.statistics.comparison import Comparison, is_shown
from sampleui.statistics.graders import Estimate
from sampleui.statistics.means import Measure


class Counts(NamedTuple):
    """How records came out.

    Attributes:
        records: all that count; one that a rerun replaced does not.
        failed: records that failed; an error is no failure.
        errors: records without an answer.
        ungraded: records of which nothing says whether they passed.
    """

    records: int = 0
    failed: int = 0
    errors: int = 0
    ungraded: int = 0

    @property
    def passed(self) -> int:
        """Records that passed."""
        return self.records - self.failed - self.errors - self.ungraded


class RunFigures(NamedTuple):
    """One run.

    Attributes:
        name: what people call it.
        file: the path of its results.
        counts: how its records came out.
        samples: how many samples it has records of.
        targets: who answered, in order of appearance.
        skipped: rows that could not be read.
        replaced: rows that a rerun replaced.
        fail_under: the threshold under which scores fail: that which was asked for, or this program's own where
            nothing but scores says what passed; else None.
        fail_under_is_default: whether that is this program's own.
        marks_by_default: whether evaluators without a verdict were held against this program's own threshold.
        scorer: who decides what passed; None if the runner says it.
        untold: why the scorer cannot say what passed; empty where it can.
        ended: how much was to run and how that ended, in words; empty if all was run.
        metrics: the metrics that the run itself has of its scores.
        clustered_by: the field that clusters samples; None if none was asked for, or no sample has it.
        pass_rate: of samples.
        least_pass_rate: the rate that it would be if nothing had passed of which that is not known: records
            without an outcome, and rows that could not be read. None without any.
        mean_score: of the scores of records; no value where records have none of their own.
        scored: whether `mean_score` is of scores from 0 to 1; else their scale is not known.
    """

    name: str
    file: str
    counts: Counts = Counts()
    samples: int = 0
    targets: tuple[str, ...] = ()
    skipped: int = 0
    replaced: int = 0
    fail_under: float | None = None
    fail_under_is_default: bool = False
    marks_by_default: bool = False
    scorer: str | None = None
    untold: str = ""
    ended: str = ""
    metrics: tuple[ReportedMetrics, ...] = ()
    clustered_by: str | None = None
    pass_rate: Measure = Measure()
    least_pass_rate: float | None = None
    mean_score: Measure = Measure()
    scored: bool = True


class EvaluatorFigures(NamedTuple):
    """One evaluator over a run.

    Attributes:
        records: those that it gave anything.
        failed: those of them that it was not content with.
        bounded: whether it gives scores from 0 to 1. A length, a latency or a perplexity is no score: its mean is
            in units of its own, and more of it need not be better.
        pass_rate: of samples that it was content with; no value where it does not say that.
        mean: of what it gave, 1 and 0 for a pass and a fail without a score.
    """

    name: str
    records: int
    failed: int
    bounded: bool
    pass_rate: Measure
    mean: Measure


SMALL_GROUP = 10
"""Samples below which a group is too small to say much."""


class Group(NamedTuple):
    """The records that have the same values of the fields that were asked for.

    Attributes:
        values: a value of each field, None for records that have none.
        counts: how they came out.
        pass_rate: of their samples.
    """

    values: tuple[str | None, ...]
    counts: Counts
    pass_rate: Measure

    @property
    def small(self) -> bool:
        """Whether so few samples count that the rate says little."""
        return self.pass_rate.n < SMALL_GROUP


class Coverage(NamedTuple):
    """How many samples of the decks have a value, and how many of these have a record in the run.

    Attributes:
        field: the field.
        value: a value that samples of the decks have.
        samples: how many of the decks have it.
        answered: of how many of these the run has records.
    """

    field: str
    value: str
    samples: int
    answered: int

    @property
    def is_thin(self) -> bool:
        """Whether the decks hardly cover the value, or the run does not cover what they have."""
        return self.samples < SMALL_GROUP or self.answered < self.samples


class CrossedGroups(NamedTuple):
    """Groups by two fields as a table.

    Attributes:
        rows: the values of the first field, None for records that have none, those of the largest groups first.
        columns: those of the second.
        cells: for each row, the place of each column's group among the groups; None for one without a record.
    """

    rows: tuple[str | None, ...]
    columns: tuple[str | None, ...]
    cells: tuple[tuple[int | None, ...], ...]


class Grouping(NamedTuple):
    """A run grouped by the values of fields.

    Attributes:
        fields: what it was grouped by; several are crossed.
        groups: those with most records first. A record with several tags is in several groups.
        coverage: the values that samples of the decks have, of each field, fewest samples first; empty if no deck
            is known.
        empty: of several fields, the combinations of their values, those in the decks too, that no record has, 100
            at most.
        n_empty: how many there are.
    """

    fields: tuple[str, ...]
    groups: tuple[Group, ...]
    coverage: tuple[Coverage, ...] = ()
    empty: tuple[tuple[str, ...], ...] = ()
    n_empty: int = 0

    @property
    def grid(self) -> CrossedGroups | None:
        """Groups by two fields as a table; None of another number, or where some are alike, as redacted ones."""
        places = {group.values: place for place, group in enumerate(self.groups)}
        if len(self.fields) != 2 or len(places) < len(self.groups):
            return None
        rows, columns = (tuple(dict.fromkeys(values)) for values in zip(*places, strict=True))
        return CrossedGroups(
            rows, columns, tuple(tuple(places.get((row, column)) for column in columns) for row in rows)
        )

    @property
    def without_values(self) -> tuple[str, ...]:
        """The fields that no record has."""
        columns = zip(*(group.values for group in self.groups), strict=True)
        return tuple(name for name, values in zip(self.fields, columns, strict=False) if set(values) == {None})


class ShownDifference(StrEnum):
    """What a comparison shows: in which direction a difference is more than chance, if it is."""

    BETTER = "better"
    WORSE = "worse"
    HIGHER = "higher"
    LOWER = "lower"
    NOT_SHOWN = "not shown"


def shown_difference(
    comparison: Comparison, p_value: float | None, *, bounded: bool = True
) -> ShownDifference | None:
    """Return what a comparison shows; None if that is not known.

    Args:
        comparison: the comparison.
        p_value: its own, or that which is corrected for there being several.
        bounded: whether more is better.
    """
    found = is_shown(comparison.interval, p_value)
    if found is None or comparison.mean_difference is None:
        return None
    if not found:
        return ShownDifference.NOT_SHOWN
    up, down = (
        (ShownDifference.BETTER, ShownDifference.WORSE)
        if bounded
        else (ShownDifference.HIGHER, ShownDifference.LOWER)
    )
    return up if comparison.mean_difference > 0 else down


class ComparedSeries(NamedTuple):
    """One of several things that are compared in the same way: an evaluator in two runs, or a target with another.

    Attributes:
        name: what it is called.
        bounded: whether more is better; if not, `better` and `worse` of the comparison are `more` and `less` alone.
        comparison: over samples; `n_dropped_baseline` are those that it lacks.
        adjusted_p_value: the p-value, corrected by Holm for there being several.
    """

    name: str
    bounded: bool
    comparison: Comparison
    adjusted_p_value: float | None

    @property
    def shown(self) -> ShownDifference | None:
        """What it shows, all in all."""
        return shown_difference(self.comparison, self.adjusted_p_value, bounded=self.bounded)


class TargetComparison(NamedTuple):
    """The targets of a run, each against one of them, paired by sample.

    Attributes:
        against: the name of that one: the one that was chosen, or that of the highest pass rate.
        chosen: whether it was.
        targets: the others, the worst first.
    """

    against: str
    chosen: bool
    targets: tuple[ComparedSeries, ...]


class MissingSamples(NamedTuple):
    """What an earlier run has and the run has not: samples, each with each of its targets.

    Attributes:
        samples: how many there are that the deck still has, as far as that is known.
        named: the ids of the first of them.
        gone: how many there are that the deck no longer has.
        named_gone: the ids of the first of these.
    """

    samples: int = 0
    named: tuple[str, ...] = ()
    gone: int = 0
    named_gone: tuple[str, ...] = ()


class ChangedRecords(NamedTuple):
    """Which samples are better and worse, and of how many of them the sample asks or expects something else now.

    Attributes:
        named_better, named_worse: the ids of the first of the better and of the worse ones.
        better_changed, worse_changed: how many of the better and of the worse ones changed.
        changed: the ids of the first of the worse ones among these.
        what_changed: what they do otherwise: `asks`, `expects` or `asks or expects`; empty without any.
    """

    named_better: tuple[str, ...] = ()
    named_worse: tuple[str, ...] = ()
    better_changed: int = 0
    worse_changed: int = 0
    changed: tuple[str, ...] = ()
    what_changed: str = ""


FOLDED = 2
"""Evaluators of one record each from which on they are told of together."""

FEW_TARGETS = 12
"""Targets up to which they are in their order; of more, the worst comes first."""

MANY_GROUPS = 10
"""Groups from which on it is said that many are looked at."""


class SingleEvaluators(NamedTuple):
    """Evaluators that gave something to one record each, such as the literals of assertions: all together.

    Attributes:
        evaluators: how many there are.
        failed: how many of them were not content.
    """

    evaluators: int = 0
    failed: int = 0


class BaselineFigures(NamedTuple):
    """A run against an earlier one.

    Attributes:
        baseline: the name of the earlier run.
        measure: what is compared: whether records `passed`, or their `score` where nobody says what passed.
        bounded: whether more is better; of scores of another scale than that from 0 to 1, nobody knows that.
        several_targets: whether pairs are of samples and targets, since a run has several of these.
        comparison: over samples, paired with their targets.
        at_worst: the same if no attempt of the run had passed of which that is not known, and no sample that is
            missing; None where all is known.
        missing: what only the earlier run has.
        evaluators: the same for each that both runs have.
        single_evaluators: evaluators of both runs that judged one sample each: they are not compared.
        unpaired: evaluators of both runs that have judged no sample in both.
        only_run: evaluators that only this run has; they are not compared.
        only_baseline: evaluators that only the earlier run has.
        records: the samples that are better and worse.
        unchanged: the comparison over the samples that ask and expect the same in both runs; None where that is all
            of them, or not known.
        unchanged_at_worst: of that, as `at_worst`.
        by_people: whether it is of what people found, and of nothing that a grader gave.
    """

    baseline: str
    measure: Literal["passed", "score"]
    bounded: bool
    several_targets: bool
    comparison: Comparison
    at_worst: Comparison | None = None
    missing: MissingSamples = MissingSamples()
    evaluators: tuple[ComparedSeries, ...] = ()
    single_evaluators: int = 0
    unpaired: tuple[str, ...] = ()
    only_run: tuple[str, ...] = ()
    only_baseline: tuple[str, ...] = ()
    records: ChangedRecords = ChangedRecords()
    unchanged: Comparison | None = None
    unchanged_at_worst: Comparison | None = None
    by_people: bool = False

    @property
    def shown(self) -> ShownDifference | None:
        """What it shows; None if that is not known."""
        return shown_difference(self.comparison, self.comparison.p_value, bounded=self.bounded)

    @property
    def is_graded(self) -> bool:
        """Whether any sample of either run has what is compared."""
        found = self.comparison
        return bool(found.n_paired or found.n_dropped_run or found.n_dropped_baseline)

    @property
    def title(self) -> str:
        """What it is called."""
        return f"Against {self.baseline}" + (", by people" if self.by_people else "")


class SampleTries(NamedTuple):
    """How many attempts of a target at a sample passed, how many have an outcome, and how many there are."""

    sample: str
    target: str
    passed: int
    tried: int
    attempts: int


class AttemptFigures(NamedTuple):
    """Samples that were tried several times.

    Attributes:
        by_k: pass@k and pass^k for each k from 1 to the most attempts at a sample.
        unstable: how many samples passed on some attempts and failed on others.
        samples: those tried several times, the least stable first; 1,000 at most.
    """

    by_k: tuple[AttemptsSummary, ...]
    unstable: int
    samples: tuple[SampleTries, ...]


class GradedCounts(NamedTuple):
    """Reviewed records by what a grader says of the answer and what people do: it passed a right one, and so on."""

    passed_right: int = 0
    passed_wrong: int = 0
    failed_right: int = 0
    failed_wrong: int = 0


class ScoreBin(NamedTuple):
    """The records to which an evaluator gave a score from one, included, to another; the last bin has its end too.

    Attributes:
        low: the least score, from 0 to 1.
        high: where the next bin begins.
        records: how many there are.
        reviewed: those of them whose verdict says whether the answer is right and whose chance to be reviewed is
            known.
        right: the share of the records whose answer is right, weighted as all figures of graders are.
    """

    low: float
    high: float
    records: int
    reviewed: int
    right: Estimate


class GraderFigures(NamedTuple):
    """An evaluator, or the whole run where `evaluator` is None, held against what reviewers decided.

    Attributes:
        records: those that the evaluator passed or failed.
        reviewed: those of them whose verdict says whether the answer is right and whose chance to be reviewed is
            known.
        by_hand: decided records that nobody can weigh, since they were picked by hand; they are left out.
        skipped: records that were reviewed without an answer to whether they are right.
        true_positive_rate: of right answers, the share that it passes.
        true_negative_rate: of wrong answers, the share that it fails.
        precision: of what it passes, the share that is right.
        negative_predictive_value: of what it fails, the share that is wrong.
        agreement: the share of records about which it is right.
        pass_rate: the share of records that is right.
        weighted: whether records had different chances to be reviewed, so that each stands for as many as it does.
        reason: why something is not known, in words; empty where all is.
        passes: records that it passed.
        counts: the reviewed records, each counted once.
        missing_right: how many more right answers are to be reviewed, to say that it passes 80% of them if it errs
            as rarely as now; 0 where enough are.
        missing_wrong: the same of wrong answers, that it fails 80% of them.
        bins: how often answers are right by the score that it gave, lowest first, bins without a record left out;
            empty where it gives no more than two different scores from 0 to 1.
    """

    evaluator: str | None
    records: int
    reviewed: int
    by_hand: int
    skipped: int
    true_positive_rate: Estimate
    true_negative_rate: Estimate
    precision: Estimate
    negative_predictive_value: Estimate
    agreement: Estimate
    pass_rate: Estimate
    weighted: bool
    reason: str
    passes: int
    counts: GradedCounts = GradedCounts()
    missing_right: int = 0
    missing_wrong: int = 0
    bins: tuple[ScoreBin, ...] = ()

    @property
    def false_positive_rate(self) -> Estimate:
        """Of wrong answers, the share that it passes."""
        return self.true_negative_rate.complement


class ReviewerPair(NamedTuple):
    """Two reviewers on the records that both decided; skipped ones were not decided.

    Attributes:
        records: these records.
        agreed: those of them that they decided alike.
        agreement: the share of these; None without records.
        kappa: Cohen's; None where it is not defined.
    """

    first: str
    second: str
    records: int
    agreed: int
    agreement: float | None
    kappa: float | None


class ReviewerFigures(NamedTuple):
    """Reviewers among each other, by the decisions that each made: none that was carried over or settled a dispute.

    Attributes:
        pairs: every two who decided some of the same records.
        records: those that two or more decided.
        agreement: the mean share of pairs of decisions on a record that are alike.
        alpha: Krippendorff's, of everyone together; None where it is not defined.
        labels: how often each verdict was given.
    """

    pairs: tuple[ReviewerPair, ...]
    records: int
    agreement: float | None
    alpha: float | None
    labels: Mapping[str, int]


class RunInSeries(NamedTuple):
    """A run among those of a folder.

    Attributes:
        time: when it was made, in ISO 8601, as its records or else its file say.
        flipped: how many samples came out otherwise than in the run before.
    """

    name: str
    path: str
    time: str
    counts: Counts
    pass_rate: Measure
    flipped: int = 0


class FlippedAt(NamedTuple):
    """The name of a run at which a sample flipped, and whether it passes since."""

    run: str
    passes: bool


class PassedOver(NamedTuple):
    """The name of a run that another cannot be compared with, and why not."""

    run: str
    reason: str


class Flip(NamedTuple):
    """A sample that came out otherwise than in the run before.

    Attributes:
        runs: where it flipped.
    """

    sample: str
    target: str
    runs: tuple[FlippedAt, ...]


class SeriesFigures(NamedTuple):
    """Several runs of a folder by their time.

    Attributes:
        runs: oldest first.
        flips: the samples that flipped, most often first; 1,000 at most.
        flipped: how many there are.
        baseline: the path of the newest earlier run of the same deck and targets that it can be compared with; None
            if there is none.
        passed_over: later ones that it cannot be compared with, newest first.
    """

    runs: tuple[RunInSeries, ...]
    flips: tuple[Flip, ...]
    flipped: int
    baseline: str | None
    passed_over: tuple[PassedOver, ...] = ()


class Confusion(NamedTuple):
    """Counts of pairs: `counts[row][column]`; rows are what should be, columns what was given."""

    labels: tuple[str, ...]
    counts: tuple[tuple[int, ...], ...]


class Agreement(NamedTuple):
    """Grader scores against truths.

    Attributes:
        records: records that have both.
        agreed: of these, with equal scores.
        average_distance: the mean of |score - truth|, on the scores' own scale.
    """

    records: int
    agreed: int
    average_distance: float
    confusion: Confusion

    @property
    def rate(self) -> float:
        """The part that agrees, 0 to 1."""
        return self.agreed / self.records


class VerdictTable(NamedTuple):
    """Outcomes against verdicts.

    Attributes:
        passed: how often each verdict was given to a record that passed.
        failed: the same of records that failed.
        judged: decided records whose verdict says whether the answer is right.
        agreed: of these, where the outcome says the same.
    """

    passed: Mapping[Verdict, int]
    failed: Mapping[Verdict, int]
    judged: int
    agreed: int


class Figures(NamedTuple):
    """Everything that is known of a run.

    Attributes:
        evaluators: in order of appearance, but for those of one record each.
        single_evaluators: these.
        targets: each by itself, if there are several; of many, the worst first.
        compared_targets: each against one of them; None without several.
        groups: as asked for; None if nothing was.
        comparison: with a baseline; None without one.
        attempts: None if nothing was tried twice.
        graders: the run as a whole and each evaluator; empty where nothing was decided.
        reviewers: None if no record was decided by two.
        series: None if it was not asked for.
        truth: scores against what people had scored before the run; None where nothing is known of that.
    """

    run: RunFigures
    evaluators: tuple[EvaluatorFigures, ...] = ()
    single_evaluators: SingleEvaluators = SingleEvaluators()
    targets: tuple[Group, ...] = ()
    compared_targets: TargetComparison | None = None
    groups: Grouping | None = None
    comparison: BaselineFigures | None = None
    attempts: AttemptFigures | None = None
    graders: tuple[GraderFigures, ...] = ()
    reviewers: ReviewerFigures | None = None
    series: SeriesFigures | None = None
    truth: Agreement | None = None
