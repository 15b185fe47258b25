"""Graders held against people, by how records came to be reviewed; and reviewers against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import combinations
from typing import Literal, NamedTuple, Protocol

from sampleui.formats.data import Table
from sampleui.review.log.store import Log
from sampleui.review.record import Entry, Grade, content_of, deciding_grade, on_scale, passed
from sampleui.review.reports.figures import (
    FOLDED,
    GradedCounts,
    GraderFigures,
    ReviewerFigures,
    ReviewerPair,
    ScoreBin,
    VerdictTable,
)
from sampleui.review.reports.record_measures import score_of
from sampleui.review.sampling import Draw, Population, Values, population_digest, values_by
from sampleui.review.verdict import Verdict, answer_right
from sampleui.statistics.agreement import cohen_kappa, krippendorff_alpha
from sampleui.statistics.graders import (
    FALSE_FAIL,
    FALSE_PASS,
    TRUE_FAIL,
    TRUE_PASS,
    Estimate,
    GraderEstimate,
    Label,
    ReviewedStratum,
    grader_estimate,
    labels_missing,
)
from sampleui.statistics.means import weighted_share
from sampleui.text.wording import counted

Judge = Callable[[Entry], bool | None]
"""Returns whether a grader passed a record; None if it did not say."""

ENOUGH = 40
"""Records of which a random sample tells something."""

SCORE_BINS = 10
"""Parts of equal width into which scores from 0 to 1 are put."""

ROUNDING = 1e-9
"""How much under the beginning of a bin a score may be that is in it."""

FEW_SCORES = 2
"""Different scores up to which rates say all that bins could."""


class Grader(NamedTuple):
    """An evaluator, or the run as a whole where `name` is None: how it judges, and what it scores from 0 to 1."""

    name: str | None
    judge: Judge
    score: Callable[[Entry], float | None]


class Tally(NamedTuple):
    """How many records a grader passed and failed, and how many it gave a score, by the bin of that."""

    passes: int = 0
    fails: int = 0
    bins: Mapping[int, int] = {}


class UnkeptRecords(NamedTuple):
    """Records that are counted and not kept: how many there are, and what graders said of them by their names."""

    size: int = 0
    tallies: Mapping[str | None, Tally] = {}

    def of(self, grader: Grader) -> Tally:
        """Return what a grader said of them."""
        return self.tallies.get(grader.name, Tally())


class Undecided(Protocol):
    """The records of a run that is not in memory, where those that somebody decided about are."""

    @property
    def evaluators(self) -> Sequence[str]:
        """The evaluators that gave anything to any record of the run, in order of appearance."""

    @property
    def population_digest(self) -> str:
        """The digest of all records of the run, as of `Draw`."""

    @property
    def with_scores(self) -> Set[str | None]:
        """The graders that gave more different scores than `FEW_SCORES`."""

    def unkept(self, sources: Iterable[Population], stratum: tuple[Draw, int] | None = None) -> UnkeptRecords:
        """Return the records of some outcomes that are not kept, of a draw those in its stratum of a number.

        By the number after the last they are those that are in none.
        """


class ReviewedGrades(NamedTuple):
    """Records that came to be reviewed in one way: all of them, or a random sample; or none that can be counted.

    Attributes:
        source: how they came out.
        members: those in memory.
        labels: by the digests of those that were reviewed, whether the answer is right, None for *cannot say*.
        by_hand: how many more were decided, with a chance that nobody knows.
        unkept: those that are not in memory.
    """

    source: Population
    members: Sequence[Entry]
    labels: Mapping[str, bool | None]
    by_hand: int = 0
    unkept: UnkeptRecords = UnkeptRecords()


def graders_of(
    entries: Sequence[Entry],
    log: Log,
    tables: Callable[[Entry], Sequence[Table]],
    fail_under: float | None = None,
    scorer: str | None = None,
    *,
    undecided: Undecided | None = None,
) -> tuple[GraderFigures, ...]:
    """Return the run as a whole and each of its evaluators held against what reviewers decided; nothing of nothing.

    Of several evaluators of one record each it is none.

    Args:
        entries: the records that count.
        log: the decisions about them, and the random samples that were drawn to be reviewed.
        tables: returns the values of a record's sample and those of the record, for what samples are drawn by.
        fail_under: the threshold that was asked for.
        scorer: the scorer that was asked for.
        undecided: the other records that count, where not all are in memory.
    """
    labels = dict(_labels(entries, log, fail_under))
    if not labels:
        return ()
    parts = _parts(entries, log, labels, tables, (fail_under, scorer), undecided=undecided)
    graders = graders_in(entries, fail_under, None if undecided is None else undecided.evaluators)
    with_scores = (
        {grader.name for grader in graders if _has_scores(grader, parts)}
        if undecided is None
        else undecided.with_scores
    )
    figures_of_all = (grader_figures(grader, parts, scored=grader.name in with_scores) for grader in graders)
    known = [figures for figures in figures_of_all if figures.records]
    single = [item for item in known if item.evaluator is not None and item.records == 1]
    return tuple(item for item in known if len(single) < FOLDED or item not in single)


class GradedRecords(NamedTuple):
    """Records by index, by what a grader and people say of the answer, as `GradedCounts` counts them.

    Attributes:
        open_passes: those that it passed and nobody has decided.
        bins: the reviewed ones, by the least score of their bin.
    """

    passed_right: tuple[int, ...]
    passed_wrong: tuple[int, ...]
    failed_right: tuple[int, ...]
    failed_wrong: tuple[int, ...]
    open_passes: tuple[int, ...]
    bins: Mapping[float, tuple[int, ...]]


def graded_records(
    entries: Sequence[Entry],
    log: Log,
    tables: Callable[[Entry], Sequence[Table]],
    fail_under: float | None = None,
    scorer: str | None = None,
) -> dict[str | None, GradedRecords]:
    """Return the records that the figures of each grader are about, by its name; `graders_of` has the arguments."""
    labels = dict(_labels(entries, log, fail_under))
    parts = _parts(entries, log, labels, tables, (fail_under, scorer))
    return {grader.name: _records(grader, parts, labels) for grader in graders_in(entries, fail_under)}


def _records(grader: Grader, parts: Iterable[ReviewedGrades], decided: Mapping[str, bool | None]) -> GradedRecords:
    by_label: dict[Label, list[int]] = {}
    by_bin: dict[float, list[int]] = {}
    open_passes: list[int] = []
    for _, members, labels, *_ in parts:
        for entry in members:
            right = labels.get(entry.digest)
            grade = grader.judge(entry)
            if right is not None and grade is not None:
                by_label.setdefault(Label(grade, right), []).append(entry.index)
            if right is not None and (score := grader.score(entry)) is not None:
                by_bin.setdefault(_bin(score) / SCORE_BINS, []).append(entry.index)
            if grade and entry.digest not in decided:
                open_passes.append(entry.index)
    counted = (tuple(sorted(by_label.get(label, ()))) for label in _LABELS)
    return GradedRecords(
        **dict(zip(GradedCounts._fields, counted, strict=True)),
        open_passes=tuple(sorted(open_passes)),
        bins={low: tuple(sorted(indexes)) for low, indexes in by_bin.items()},
    )


_LABELS = (TRUE_PASS, FALSE_PASS, FALSE_FAIL, TRUE_FAIL)
"""What the fields of `GradedCounts` count, in their order."""


def graders_in(
    entries: Iterable[Entry], fail_under: float | None = None, names: Iterable[str] | None = None
) -> list[Grader]:
    """Return the run as a whole as a grader, and its evaluators, by `names` or in order of appearance."""
    names = names or dict.fromkeys(grade.name for entry in entries for grade in _of_graders(entry))
    whole = Grader(None, lambda entry: passed(entry, fail_under), _score)
    return [whole, *(Grader(name, _judge(name, fail_under), _score_of(name)) for name in names)]


def _score(entry: Entry) -> float | None:
    decider = deciding_grade(entry)
    is_bounded = entry.bounded and (decider is None or decider.bounded)
    return entry.score if is_bounded and entry.score is not None and on_scale(entry.score) else None


def _score_of(name: str) -> Callable[[Entry], float | None]:
    return lambda entry: score_of([grade for grade in _of_graders(entry) if grade.name == name])


def _of_graders(entry: Entry) -> Iterable[Grade]:
    """Return what evaluators gave a record, without what a person made of it."""
    return (grade for grade in entry.grades if not grade.by_person)


def reviewers_of(entries: Iterable[Entry], log: Log) -> ReviewerFigures | None:
    """Return how far reviewers agree on what each decided about this run; None if no record was decided by two.

    What was carried over from an earlier run and what settled a dispute is nobody's decision on this record, and to
    skip one is to decide nothing.
    """
    by_record = [
        {
            who: decision.verdict
            for who, decision in log.by_reviewer(digest).items()
            if not decision.carried and decision.decides
        }
        for digest in dict.fromkeys(entry.digest for entry in entries)
        if log.is_about(digest)
    ]
    several = [decided for decided in by_record if len(decided) > 1]
    if not several:
        return None
    who = sorted({name for decided in several for name in decided})
    pairs = (
        (first, other, cohen_kappa((of.get(first), of.get(other)) for of in several))
        for first, other in combinations(who, 2)
    )
    everyone = krippendorff_alpha([*decided.values()] for decided in several)
    return ReviewerFigures(
        tuple(
            ReviewerPair(first, other, both.n, round(both.agreement * both.n), both.agreement, both.kappa)
            for first, other, both in pairs
            if both.agreement is not None
        ),
        everyone.items,
        everyone.agreement,
        everyone.alpha,
        {str(label): times for label, times in everyone.labels},
    )


def outcomes_by_verdict(entries: Iterable[Entry], log: Log, fail_under: float | None = None) -> VerdictTable | None:
    """Compare outcomes with the verdicts that stand; None when nothing is decided of which the outcome is known."""
    pairs = [
        (outcome, decision.verdict)
        for entry in entries
        if (outcome := passed(entry, fail_under)) is not None
        and (decision := log.current(entry.digest)) is not None
        and decision.verdict is not None
    ]
    counted = Counter(pairs)
    agreements = [
        outcome is right for outcome, verdict in pairs if (right := answer_right(outcome, verdict)) is not None
    ]
    passes, failures = ({verdict: counted[outcome, verdict] for verdict in Verdict} for outcome in (True, False))
    return VerdictTable(passes, failures, len(agreements), agreements.count(True)) if pairs else None


def _labels(entries: Iterable[Entry], log: Log, fail_under: float | None) -> Iterator[tuple[str, bool | None]]:
    """Yield the digests of decided records and whether the answer is right: None if nobody can say, or not all."""
    for entry in entries:
        if not log.is_about(entry.digest):
            continue
        decision = log.current(entry.digest)
        if decision is not None and decision.verdict is not None:
            yield entry.digest, answer_right(passed(entry, fail_under), decision.verdict)
        elif log.disputed(entry.digest):
            yield entry.digest, None


def _judge(name: str, fail_under: float | None) -> Judge:
    def judge(entry: Entry) -> bool | None:
        contents = [content_of(entry, grade, fail_under) for grade in _of_graders(entry) if grade.name == name]
        known = [content for content in contents if content is not None]
        return all(known) if known else None

    return judge


_SOURCES: Mapping[bool | None, Population] = {
    True: Population.PASSED,
    False: Population.FAILED,
    None: Population.UNGRADED,
}


def _parts(
    entries: Sequence[Entry],
    log: Log,
    labels: Mapping[str, bool | None],
    tables: Callable[[Entry], Sequence[Table]],
    conditions: tuple[float | None, str | None],
    *,
    undecided: Undecided | None = None,
) -> list[ReviewedGrades]:
    """Return the records by how they came to be reviewed. An error was graded by nobody."""
    digest = ""
    if draws := draws_under(log, conditions):
        digest = population_digest(entries) if undecided is None else undecided.population_digest
    draws = [draw for draw in draws if draw.population_digest == digest]
    graded = [entry for entry in entries if entry.error is None]
    return reviewed_parts(graded, draws, labels, tables, conditions[0], undecided=undecided)


def reviewed_parts(
    entries: Iterable[Entry],
    draws: Iterable[Draw],
    labels: Mapping[str, bool | None],
    tables: Callable[[Entry], Sequence[Table]],
    fail_under: float | None,
    *,
    undecided: Undecided | None = None,
) -> list[ReviewedGrades]:
    """Return records by how they came to be reviewed: by a draw, as a whole, or by hand.

    Args:
        entries: the records.
        draws: those by which they may have been; the one with most labels counts first.
        labels: by the digests of those that were reviewed, what was found of them.
        tables: as of `graders_of`.
        fail_under: as of `graders_of`.
        undecided: as of `graders_of`.
    """
    by_outcome: dict[Population, list[Entry]] = {source: [] for source in _SOURCES.values()}
    for entry in entries:
        by_outcome[_SOURCES[passed(entry, fail_under)] if entry.error is None else Population.FAILED].append(entry)
    parts: list[ReviewedGrades] = []
    for draw in sorted(draws, key=lambda draw: -len(labels.keys() & draw.records.keys())):
        sources = [*by_outcome] if draw.design.source is Population.ALL else [draw.design.source]
        if all(source in by_outcome for source in sources):
            members = sorted((entry for source in sources for entry in by_outcome.pop(source)), key=_index)
            unkept = partial(_unkept_of, undecided, sources, draw)
            parts += _sampled_grades(draw, members, labels, values_by(draw.design.by, tables), unkept)
    for source, members in by_outcome.items():
        parts.append(
            _census(source, members, labels, UnkeptRecords() if undecided is None else undecided.unkept([source]))
        )
    return parts


def _index(entry: Entry) -> int:
    return entry.index


def draws_under(log: Log, conditions: tuple[float | None, str | None]) -> list[Draw]:
    """Return the draws that were made under the same conditions: a threshold and a scorer."""
    return [draw for draw in log.draws if (draw.fail_under, draw.scorer) == conditions]


def _unkept_of(
    undecided: Undecided | None, sources: Iterable[Population], draw: Draw, stratum: int
) -> UnkeptRecords:
    return UnkeptRecords() if undecided is None else undecided.unkept(sources, (draw, stratum))


def _sampled_grades(
    draw: Draw,
    members: Iterable[Entry],
    labels: Mapping[str, bool | None],
    values_of: Values,
    unkept_of: Callable[[int], UnkeptRecords],
) -> Iterator[ReviewedGrades]:
    """Yield the strata of a draw. Those reviewed before the first that was not are a random sample themselves.

    What was drawn is in the stratum that it was drawn from, whatever its sample says by now. Records that are in no
    stratum any more had chances that nobody knows.
    """
    source = draw.design.source
    stratum_of = {digest: stratum.values for stratum in draw.strata for digest in stratum.records}
    groups: dict[tuple[str, ...], list[Entry]] = {}
    for entry in members:
        groups.setdefault(stratum_of.get(entry.digest) or values_of(entry), []).append(entry)
    for number, stratum in enumerate(draw.strata):
        group, unkept = groups.pop(stratum.values, []), unkept_of(number)
        inside = {entry.digest for entry in group}
        decided = inside & labels.keys()
        if len(decided) == len(inside) + unkept.size:
            yield ReviewedGrades(source, group, labels, unkept=unkept)
            continue
        counted: dict[str, bool | None] = {}
        for digest in stratum.records:
            if digest not in labels:
                break
            counted[digest] = labels[digest]
        yield ReviewedGrades(source, group, counted, len(decided - counted.keys()), unkept)
    outside = [entry for group in groups.values() for entry in group]
    unkept = unkept_of(len(draw.strata)) if draw.design.by else UnkeptRecords()
    if outside or unkept.size:
        yield _census(source, outside, labels, unkept)


def _census(
    source: Population, members: Sequence[Entry], labels: Mapping[str, bool | None], unkept: UnkeptRecords
) -> ReviewedGrades:
    """Return records that were all reviewed; else those that were are picked by hand, and none counts."""
    decided = sum(entry.digest in labels for entry in members)
    is_whole = decided == len(members) + unkept.size
    if is_whole:
        return ReviewedGrades(source, members, labels, unkept=unkept)
    return ReviewedGrades(source, members, {}, decided, unkept)


class _LabelGroup(NamedTuple):
    """What a grader and people said of records that were picked for review in the same way."""

    source: Population
    size: int
    passes: int
    labels: tuple[Label, ...]

    @property
    def verdicts(self) -> Literal["pass", "fail", "mixed"]:
        if self.passes == self.size:
            return "pass"
        return "mixed" if self.passes else "fail"


def _label_groups(grader: Grader, reviewed: Iterable[ReviewedGrades]) -> list[_LabelGroup]:
    parts = []
    for source, members, labels, _, unkept in reviewed:
        graded = [(entry.digest, grade) for entry in members if (grade := grader.judge(entry)) is not None]
        labelled = tuple(Label(grade, labels[digest]) for digest, grade in graded if digest in labels)
        tally = unkept.of(grader)
        passes = sum(grade for _, grade in graded) + tally.passes
        if size := len(graded) + tally.passes + tally.fails:
            parts.append(_LabelGroup(source, size, passes, labelled))
    return parts


def strata_of(grader: Grader, reviewed: Iterable[ReviewedGrades]) -> list[ReviewedStratum]:
    """Return the records that a grader judged, by how they came to be reviewed."""
    groups = _label_groups(grader, reviewed)
    return [ReviewedStratum(part.size, part.verdicts, part.labels) for part in groups]


def _commands(parts: Iterable[_LabelGroup]) -> str:
    """Return the commands that draw some records of parts to be reviewed."""
    sizes = Counter[Population]()
    for part in parts:
        sizes[part.source] += part.size
    return " and ".join(f"review --sample {min(size, ENOUGH)} --from {source}" for source, size in sizes.items())


def grader_figures(
    grader: Grader, reviewed: Sequence[ReviewedGrades], *, scored: bool, drawing: str = ""
) -> GraderFigures:
    """Return how a grader does against people.

    Args:
        grader: the grader.
        reviewed: the records, by how they came to be reviewed.
        scored: whether the answers that are right are counted by score.
        drawing: how some records are drawn where none were; empty for the commands that draw them.
    """
    parts = _label_groups(grader, reviewed)
    estimate = grader_estimate(strata_of(grader, reviewed))
    counts = GradedCounts(*(_cells(parts)[label] for label in _LABELS))
    weights = {part.size / len(part.labels) for part in parts if part.labels}
    return GraderFigures(
        evaluator=grader.name,
        records=estimate.size,
        reviewed=estimate.reviewed,
        by_hand=sum(part.by_hand for part in reviewed),
        skipped=estimate.skipped,
        true_positive_rate=estimate.true_positive_rate,
        true_negative_rate=estimate.true_negative_rate,
        precision=estimate.precision,
        negative_predictive_value=estimate.negative_predictive_value,
        agreement=estimate.agreement,
        pass_rate=estimate.pass_rate,
        weighted=len(weights) > 1,
        reason=_reason(estimate, parts, drawing),
        passes=sum(part.passes for part in parts),
        counts=counts,
        missing_right=labels_missing(counts.passed_right + counts.failed_right, counts.failed_right),
        missing_wrong=labels_missing(counts.failed_wrong + counts.passed_wrong, counts.passed_wrong),
        bins=tuple(_bins(grader, reviewed)) if scored else (),
    )


def _bins(grader: Grader, reviewed: Sequence[ReviewedGrades]) -> Iterator[ScoreBin]:
    """Yield how often answers are right by score.

    Each reviewed record stands for as many as in `grader_estimate`. Nothing is known of a bin with records of which
    none had a chance to be reviewed.
    """
    records: Counter[int] = Counter()
    hidden: set[int] = set()
    by_bin: dict[int, list[tuple[float, bool]]] = {}
    for part in reviewed:
        scored = {entry.digest: _bin(score) for entry in part.members if (score := grader.score(entry)) is not None}
        others = part.unkept.of(grader).bins
        records.update(_bin(score) for entry in part.members if (score := grader.score(entry)) is not None)
        records.update(others)
        known = {digest: right for digest in scored if (right := part.labels.get(digest)) is not None}
        if not known:
            hidden.update(scored.values(), others)
        for digest, right in known.items():
            weight = (len(scored) + sum(others.values())) / len(known)
            by_bin.setdefault(scored[digest], []).append((weight, right))
    for number, count in sorted(records.items()):
        inside = by_bin.get(number, [])
        ends = (number / SCORE_BINS, (number + 1) / SCORE_BINS)
        share = Estimate(None, None) if number in hidden else Estimate(*weighted_share(inside))
        yield ScoreBin(*ends, count, len(inside), share)


def _has_scores(grader: Grader, reviewed: Iterable[ReviewedGrades]) -> bool:
    """Tell whether there are more different scores than rates could tell apart."""
    scores = {grader.score(entry) for part in reviewed for entry in part.members}
    return len(scores - {None}) > FEW_SCORES


def _bin(score: float) -> int:
    """Return the bin of a score, with a tolerance for scores that rounding put just below where it begins."""
    return min(int(score * SCORE_BINS + ROUNDING), SCORE_BINS - 1)


def _cells(parts: Iterable[_LabelGroup]) -> Counter[Label]:
    return Counter(label for part in parts for label in part.labels)


def _reason(estimate: GraderEstimate, parts: Sequence[_LabelGroup], drawing: str) -> str:
    """Say why some of the figures are not known; nothing if all are."""
    unreviewed = [parts[index] for index in estimate.unreviewed]
    passing = [part for part in unreviewed if part.passes]
    failing = [part for part in unreviewed if part.passes < part.size]
    passes, fails = sum(part.passes for part in passing), sum(part.size - part.passes for part in failing)
    why = []
    if passes:
        why.append(
            (
                f"none of {passes:,} passes was reviewed at random, so nobody knows how many are wrong"
                if passes > 1
                else "its only pass was not reviewed at random, so nobody knows whether it is wrong"
            )
            + f" ({drawing or _commands(passing)})"
        )
    if fails:
        failures = counted(fails, "failure")
        why.append(f"of {failures} neither all were reviewed nor a random sample ({drawing or _commands(failing)})")
    if not unreviewed:
        rates = {
            "right": estimate.true_positive_rate.value,
            "wrong": estimate.true_negative_rate.value,
        }
        why += [f"no answer was found {kind}" for kind, value in rates.items() if value is None]
    return "; ".join(why)
