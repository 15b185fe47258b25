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

from typing import Literal, NamedTuple

from sampleui.review.baseline import RecordChanges
from sampleui.review.results.scoring import ReportedMetrics
from sampleui.review.verdict import Verdict
from sampleui.statistics import Interval
from sampleui.statistics.agreement import Alpha, Kappa
from sampleui.statistics.attempts import AttemptsSummary
from sampleui.statistics.comparison import Comparison
from sampleui.statistics.graders import Estimate, FailureBounds, MissLimits
from sampleui.statistics.means import VERY_FEW_UNITS, IntervalMethod


class Measure(NamedTuple):
    """A rate or a mean over samples, and how sure it is.

    Attributes:
        n: samples that count, each with each of its targets.
        missing: those without a single attempt that counts.
        units: independent units: clusters where some have two samples or more, else samples.
        value: None if no sample counts.
        standard_error: None with fewer than two units; 0 says that no variation was seen.
        interval: None where nothing is known of the spread.
        method: how the interval came about: `ends` where every value is from 0 to 1, else `t`.
    """

    n: int = 0
    missing: int = 0
    units: int = 0
    value: float | None = None
    standard_error: float | None = None
    interval: Interval | None = None
    method: IntervalMethod | None = None

    @property
    def very_few(self) -> bool:
        """Whether there are so few units that the interval is wide."""
        return 0 < self.units < VERY_FEW_UNITS


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
    def without_values(self) -> tuple[str, ...]:
        """The fields that no record has."""
        columns = zip(*(group.values for group in self.groups), strict=True)
        return tuple(name for name, values in zip(self.fields, columns, strict=False) if set(values) == {None})


class EvaluatorComparison(NamedTuple):
    """How the scores of an evaluator differ between two runs.

    Attributes:
        bounded: whether more is better; if not, `better` and `worse` of the comparison are `more` and `less` alone.
        adjusted_p: the p-value, corrected by Holm for there being several evaluators.
    """

    name: str
    bounded: bool
    comparison: Comparison
    adjusted_p: float | None


class BaselineFigures(NamedTuple):
    """A run against an earlier one.

    Attributes:
        baseline: the name of the earlier run.
        measure: what is compared: whether records `passed`, or their `score` where nobody says what passed.
        bounded: whether more is better; of scores of another scale than that from 0 to 1, nobody knows that.
        several_targets: whether pairs are of samples and targets, since a run has several of these.
        comparison: over samples, paired with their targets.
        at_worst: the same if no attempt of the run had passed of which that is not known; None where all is known.
        evaluators: the same for each that both runs have.
        only_run: evaluators that only this run has; they are not compared.
        only_baseline: evaluators that only the earlier run has.
        records: how the records fare one by one, as the queue has it; None of files that are read only once.
        unchanged: the comparison over the records whose sample asks and expects the same in both runs; None where
            that is all of them, or not known.
        by_people: whether it is of what people found, and of nothing that a grader gave.
    """

    baseline: str
    measure: Literal["passed", "score"]
    bounded: bool
    several_targets: bool
    comparison: Comparison
    at_worst: Comparison | None
    evaluators: tuple[EvaluatorComparison, ...]
    only_run: tuple[str, ...]
    only_baseline: tuple[str, ...]
    records: RecordChanges | None = None
    unchanged: Comparison | None = None
    by_people: bool = False

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
        true_negative_rate: of wrong answers, the share that it fails; by exact limits where these are known.
        precision: of what it passes, the share that is right.
        agreement: the share of records about which it is right.
        weighted: whether records had different chances to be reviewed, so that each stands for as many as it does.
        no_variation: whether a part that was reviewed was all of one kind, so that some interval is not known.
        reason: why something is not known, in words; empty where all is.
        bounds: what holds where failures alone were reviewed; None otherwise.
        limits: exact limits of wrong passes where fewer than five were found; None otherwise.
        passes: records that it passed and of which none was reviewed at random: what is to be reviewed next.
        counts: the reviewed records, each counted once.
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
    agreement: Estimate
    weighted: bool
    no_variation: bool
    reason: str
    bounds: FailureBounds | None
    limits: MissLimits | None
    passes: int
    counts: GradedCounts = GradedCounts()
    bins: tuple[ScoreBin, ...] = ()

    @property
    def false_positive_rate(self) -> Estimate:
        """Of wrong answers, the share that it passes."""
        value, interval = self.true_negative_rate
        return Estimate(
            None if value is None else 1 - value,
            None if interval is None else Interval(1 - interval.high, 1 - interval.low),
        )


class ReviewerPair(NamedTuple):
    """Two reviewers on the records that both decided; skipped ones were not decided."""

    first: str
    second: str
    kappa: Kappa

    @property
    def agreed(self) -> int:
        """Records that they decided alike."""
        return 0 if self.kappa.agreement is None else round(self.kappa.agreement * self.kappa.n)


class ReviewerFigures(NamedTuple):
    """Reviewers among each other, by the decisions that each made: none that was carried over or settled a dispute.

    Attributes:
        pairs: every two who decided some of the same records.
        all: everyone together.
    """

    pairs: tuple[ReviewerPair, ...]
    all: Alpha


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


class Flip(NamedTuple):
    """A sample that came out otherwise than in the run before.

    Attributes:
        runs: the names of the runs at which it flipped, each with whether it passes since.
    """

    sample: str
    target: str
    runs: tuple[tuple[str, bool], ...]


class SeriesFigures(NamedTuple):
    """Several runs of a folder by their time.

    Attributes:
        runs: oldest first.
        flips: the samples that flipped, most often first; 1,000 at most.
        flipped: how many there are.
        baseline: the path of the newest earlier run of the same deck and targets that it can be compared with; None
            if there is none.
        passed_over: the names of later ones that it cannot be compared with, newest first, and why not.
    """

    runs: tuple[RunInSeries, ...]
    flips: tuple[Flip, ...]
    flipped: int
    baseline: str | None
    passed_over: tuple[tuple[str, str], ...] = ()


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

    passed: tuple[tuple[Verdict, int], ...]
    failed: tuple[tuple[Verdict, int], ...]
    judged: int
    agreed: int


class Figures(NamedTuple):
    """Everything that is known of a run.

    Attributes:
        evaluators: in order of appearance.
        targets: each by itself, if there are several.
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
    targets: tuple[Group, ...] = ()
    groups: Grouping | None = None
    comparison: BaselineFigures | None = None
    attempts: AttemptFigures | None = None
    graders: tuple[GraderFigures, ...] = ()
    reviewers: ReviewerFigures | None = None
    series: SeriesFigures | None = None
    truth: Agreement | None = None
