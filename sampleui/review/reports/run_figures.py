"""The figures of a run, from its results and the decisions about them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.garbage import collector_off
from sampleui.review.baseline import compare, what_changed
from sampleui.review.log.store import Log
from sampleui.review.record import FAIL_UNDER, Entry, by_default, passed, passed_by_score
from sampleui.review.reports.figures import Coverage, Figures, RunFigures
from sampleui.review.reports.graders import (
    FEW_SCORES,
    ROUNDING,
    SCORE_BINS,
    Tally,
    UnkeptRecords,
    draws_under,
    graders_of,
    reviewers_of,
)
from sampleui.review.reports.record_measures import Question, observer
from sampleui.review.reports.relations import BASELINE, RUN, Ending, Loaded, Observed, Relations
from sampleui.review.reports.sql_figures import (
    Against,
    attempt_figures,
    compared_targets_of,
    comparison_of,
    evaluators_in,
    evaluators_of,
    grouping_of,
    measures_of,
    targets_of,
    totals_of,
    truth_of,
)
from sampleui.review.results.file import Keeps, Results
from sampleui.review.results.record_names import digest_of_copy
from sampleui.review.sampling import Draw, Population, Values, population_digest_of_sorted, values_by

_STATES: Mapping[Population, Ending] = {
    Population.PASSED: Ending.PASSED,
    Population.FAILED: Ending.FAILED,
    Population.UNGRADED: Ending.UNGRADED,
}


class Strata:
    """The strata of draws, in which records are placed while they are read."""

    def __init__(self, draws: Sequence[Draw]) -> None:
        self.draws = draws
        self._numbers = [{item.values: number for number, item in enumerate(draw.strata)} for draw in draws]

    def of(self, entry: Entry, tables: Callable[[], Sequence[Table]]) -> Iterator[tuple[int, int]]:
        """Yield the number of each draw by fields that has a stratum for a record, and of that stratum."""
        for number, draw in enumerate(self.draws):
            if draw.design.by:
                values_of: Values = values_by(draw.design.by, lambda _: tables())
                stratum = self._numbers[number].get(values_of(entry))
                if stratum is not None:
                    yield number, stratum


class _GradeCount(NamedTuple):
    """How often a grader gave a grade and a score in a bin."""

    grader: str | None
    grade: int | None
    bin: int | None
    records: int


class CountedRecords:
    """The records of a run in relations, of which some are kept in memory: `Undecided` of `graders_of`."""

    def __init__(self, relations: Relations, draws: Sequence[Draw], kept: Iterable[int]) -> None:
        """Take the numbers of the records that are kept, and the draws in the order that `Strata` had them in."""
        self._relations, self._draws = relations, {draw.id: number for number, draw in enumerate(draws)}
        relations.make(f"CREATE TABLE {RUN}.kept(place INTEGER PRIMARY KEY)")
        relations.put(RUN, "kept", [(index,) for index in kept])

    @cached_property
    def evaluators(self) -> Sequence[str]:
        """The evaluators that gave anything, in order of appearance."""
        names = [*self._relations.evaluators]
        return [names[evaluator] for evaluator in evaluators_in(self._relations, RUN)]

    @cached_property
    def population_digest(self) -> str:
        """The digest of all records, whatever their order."""
        copies = f"SELECT digest, count(*) FROM {RUN}.digests GROUP BY digest HAVING count(*) > 1"
        self._relations.make(f"CREATE TABLE {RUN}.copies(digest TEXT)")
        digests = (
            (digest_of_copy(digest, times),)
            for digest, count in self._relations.ask(copies)
            for times in range(2, count + 1)
        )
        for row in digests:
            self._relations.put(RUN, "copies", [row])
        every = (
            f"SELECT DISTINCT digest FROM {RUN}.digests UNION ALL SELECT digest FROM {RUN}.copies ORDER BY digest"
        )
        return population_digest_of_sorted(digest for (digest,) in self._relations.ask(every))

    @cached_property
    def with_scores(self) -> frozenset[str | None]:
        """The graders that gave more different scores than rates could tell of."""
        graded = f"state <> {Ending.ERROR:d}"
        whole = f"SELECT NULL, count(DISTINCT {_SCORE}) FROM {RUN}.staged AS s WHERE {graded}"
        each = f"SELECT evaluator, count(DISTINCT score) FROM ({_marks(graded)}) AS m GROUP BY evaluator"
        return frozenset(
            self._name(grader)
            for query in (whole, each)
            for grader, scores in self._relations.ask(query)
            if scores > FEW_SCORES
        )

    def unkept(self, sources: Iterable[Population], stratum: tuple[Draw, int] | None = None) -> UnkeptRecords:
        """Return the records of some outcomes that are not kept, of a draw those in its stratum of a number."""
        states = ", ".join(f"{_STATES[source]:d}" for source in sources)
        where = f"s.state IN ({states}) AND s.place NOT IN (SELECT place FROM {RUN}.kept)"
        if stratum is not None and stratum[0].design.by:
            draw, number = stratum
            in_draw = f"SELECT place FROM {RUN}.strata WHERE draw = {self._draws[draw.id]}"
            in_none = number == len(draw.strata)
            where += (
                f" AND s.place NOT IN ({in_draw})"
                if in_none
                else f" AND s.place IN ({in_draw} AND stratum = {number})"
            )
        whole = (
            f"SELECT NULL AS evaluator, s.outcome AS grade, {_SCORE} AS score FROM {RUN}.staged AS s WHERE {where}"
        )
        size: int = self._relations.only(f"SELECT count(*) FROM {RUN}.staged AS s WHERE {where}")[0]
        grades = [
            _GradeCount(self._name(grader), *counts)
            for query in (whole, _marks(where))
            for grader, *counts in self._relations.ask(
                f"SELECT evaluator, grade, {_BIN}, count(*) FROM ({query}) AS m GROUP BY 1, 2, 3 ORDER BY 1"
            )
        ]
        return UnkeptRecords(
            size, {grader: _tally([*items]) for grader, items in groupby(grades, key=itemgetter(0))}
        )

    def _name(self, evaluator: int | None) -> str | None:
        return None if evaluator is None else [*self._relations.evaluators][evaluator]


_SCORE = "CASE WHEN s.bounded = 1 THEN s.score END"
_LAST_BIN = SCORE_BINS - 1
_CUT = f"CAST(score * {SCORE_BINS} + {ROUNDING!r} AS INTEGER)"
_BIN = f"CASE WHEN {_CUT} > {_LAST_BIN} THEN {_LAST_BIN} ELSE {_CUT} END"


def _marks(where: str) -> str:
    """Return the query of what each evaluator said of each record."""
    return (
        "SELECT m.evaluator AS evaluator, m.content AS grade, CASE WHEN m.scored = 1 THEN m.value END AS score"
        f" FROM {RUN}.marks AS m JOIN {RUN}.staged AS s ON s.place = m.place WHERE {where}"
    )


def _tally(counts: Sequence[_GradeCount]) -> Tally:
    bins: dict[int, int] = {}
    for item in counts:
        if item.bin is not None:
            bins[item.bin] = bins.get(item.bin, 0) + item.records
    passes, fails = (sum(item.records for item in counts if item.grade == grade) for grade in (1, 0))
    return Tally(passes, fails, bins)


def known_of(run: Results | None, baseline: Results, against: Against, fail_under: float | None) -> Against:
    """Return what is known of two runs, and where both are indexed, which samples ask or expect something else."""
    if run is None or not (run.complete and baseline.complete):
        return against
    compared = [item for item in compare(run.counted, baseline.counted, fail_under) if item.changed]
    return against._replace(
        changed=[item.new.index for item in compared if item.new is not None],
        what_changed=what_changed(compared),
    )


SampleOf = Callable[[Entry], Table | None]
"""Returns the values of a record's sample as a deck has them, None if no deck has it."""


class Reviews(NamedTuple):
    """What was decided about records of a run that is read once.

    Attributes:
        log: the decisions.
        keeps: tells of which records there may be any.
        carry: has decisions about earlier records count for those that are kept.
    """

    log: Log
    keeps: Keeps | None
    carry: Callable[[Results], object]


def no_deck(_: Entry) -> None:
    """Return nothing: no deck is known."""
    return


def figures_of(
    results: Results,
    question: Question,
    *,
    log: Log | None = None,
    reviews: Reviews | None = None,
    baseline: Results | None = None,
    sample_of: SampleOf = no_deck,
    coverage: Iterable[Coverage] = (),
    on_record: Callable[[Entry], None] = lambda _: None,
    is_gone: Callable[[Entry], bool] = lambda _: False,
) -> Figures:
    """Return the figures of a run.

    Results that are indexed are asked for what they hold. Others are read once, from the first record to the last,
    and nothing of them is kept but the records that somebody decided about: a file of any size takes little memory.

    Args:
        results: the run.
        question: what is asked of it.
        log: what was decided about it, where it is indexed.
        reviews: the same where it is not.
        baseline: an earlier run to compare it with.
        sample_of: where fields are looked for that records do not have.
        coverage: what samples of the decks there are of the fields that are grouped by; taken when all is read.
        on_record: is called with each record that is read.
        is_gone: tells whether the deck no longer has the sample of a record of the baseline.

    Raises:
        ResultsError: a file can no longer be read.
        StatisticsError: a score cannot be one, or a sample is in two clusters.
        PathError: what is asked for cannot be a field.
    """
    threshold = Threshold(question.fail_under)

    def seen(entry: Entry) -> None:
        threshold.see(entry)
        on_record(entry)

    strata = None
    if reviews is not None and reviews.keeps is not None and not results.complete:
        strata = Strata(draws_under(reviews.log, (question.fail_under, results.scorer)))

    def records() -> Iterator[Observed]:
        nonlocal threshold
        threshold = Threshold(question.fail_under)  # of a second reading alone
        keeps = None if reviews is None else reviews.keeps
        return facts_of(results, question, sample_of, on_record=seen, keeps=keeps, strata=strata)

    relations, comparison = Relations(), None
    run = load_run(relations, RUN, results, records)
    if baseline is not None:
        asked = question._replace(by=())
        before = load_run(relations, BASELINE, baseline, lambda: facts_of(baseline, asked, sample_of))
        against = Against(baseline.name, baseline.unbounded | results.unbounded, is_gone)
        against = known_of(results, baseline, against, question.fail_under)
        comparison = comparison_of(relations, run, before, against)
        relations.drop(BASELINE)
    about = RunFigures(
        name=results.name,
        file=str(results.path),
        skipped=results.skipped,
        replaced=run.replaced + len(results.superseded),
        fail_under=threshold.value,
        fail_under_is_default=threshold.is_default,
        marks_by_default=threshold.of_marks,
        scorer=results.decider,
        untold=results.untold,
        ended=results.ended,
        metrics=results.source.metrics,
        clustered_by=question.cluster if run.clustered else None,
    )
    measures, targets = measures_of(relations, run, results.unbounded), targets_of(relations, run)
    evaluators, single = evaluators_of(relations, run, measures, results.unbounded)
    figures = Figures(
        run=totals_of(relations, run, measures, about),
        evaluators=evaluators,
        single_evaluators=single,
        targets=targets,
        compared_targets=compared_targets_of(relations, run, targets, question.against),
        groups=grouping_of(relations, run, question.by, coverage) if question.by else None,
        comparison=comparison,
        attempts=attempt_figures(relations, run),
        truth=truth_of(relations, run),
    )
    decided = results
    undecided = None
    if reviews is not None and not results.complete and results.excerpt is not None:
        log, decided = reviews.log, results.excerpt.results
        reviews.carry(decided)  # before anyone asks what counts
        if strata is not None:
            undecided = CountedRecords(relations, strata.draws, results.excerpt.indexes)
    if log is None or not decided.complete:
        return figures
    tables = partial(tables_of, decided, sample_of=sample_of)
    return figures._replace(
        graders=graders_of(decided.counted, log, tables, question.fail_under, results.scorer, undecided=undecided),
        reviewers=reviewers_of(decided.counted, log),
    )


def members_of(
    results: Results, question: Question, sample_of: SampleOf = no_deck
) -> dict[tuple[str | None, ...], list[int]]:
    """Return the records of each group by index, grouped as `figures_of` does. Raises as it does."""
    members: dict[tuple[str | None, ...], list[int]] = {}
    for record in facts_of(results.indexed(), question, sample_of):
        for cell in record.cells:
            members.setdefault(cell, []).append(record.place)
    return members


class Threshold:
    """The threshold under which scores failed, as far as the records seen so far show it.

    Attributes:
        of_marks: whether the scores of evaluators were held against this program's own.
    """

    def __init__(self, asked: float | None) -> None:
        self._asked = asked
        self._by_score = set[bool]()
        self.of_marks = False

    def see(self, entry: Entry) -> None:
        """Note a record."""
        self.of_marks = self.of_marks or (self._asked is None and by_default(entry))
        if self._asked is not None or False in self._by_score or entry.error is not None:
            return
        if passed(entry) is not None:
            self._by_score.add(passed_by_score(entry))

    @property
    def is_default(self) -> bool:
        """Whether nobody asked for one, and nothing but scores says what passed."""
        return self._by_score == {True}

    @property
    def value(self) -> float | None:
        """The threshold; None if something else says what passed and none was asked for."""
        return FAIL_UNDER if self.is_default else self._asked


@collector_off()
def load_run(
    relations: Relations,
    schema: str,
    results: Results,
    records: Callable[[], Iterator[Observed]],
) -> Loaded:
    """Put a run into relations, its records as `facts_of` yields them.

    They are read once more where reading showed what their scores mean.
    """
    loaded = relations.load(schema, records())
    if not results.stream_was_final:
        relations.drop(schema)
        loaded = relations.load(schema, records())
    return loaded


def facts_of(
    results: Results,
    question: Question,
    sample_of: SampleOf,
    *,
    on_record: Callable[[Entry], None] = lambda _: None,
    keeps: Keeps | None = None,
    strata: Strata | None = None,
) -> Iterator[Observed]:
    """Yield the measures of the records of results: of those that are indexed, or else of each as it is read.

    Args:
        results: the run.
        question: what is asked of it.
        sample_of: where fields are looked for that records do not have.
        on_record: is called with each record.
        keeps: tells which of those that are read are kept in `Results.excerpt`.
        strata: the strata of draws in which those that are read are placed.
    """
    observe = observer(question)
    if results.complete or not results.streams:
        for entry in results.indexed().counted:
            on_record(entry)
            yield observe(entry, partial(tables_of, results, entry, sample_of), entry.index, False)
        return
    for index, entry, row, replaceable in results.stream(keeps):
        on_record(entry)
        tables = partial(_with_sample, entry, row.data, sample_of)
        record = observe(entry, tables, index, replaceable)
        if strata is not None and strata.draws:
            record = record._replace(digest=row.digest, strata=(*strata.of(entry, tables),))
        yield record


def tables_of(results: Results, entry: Entry, sample_of: SampleOf) -> Sequence[Table]:
    """Return where the fields of a record are looked for: its sample where a deck has it, then its row."""
    row = results.row(entry.index) if results.streams else results.record(entry.index).data
    return _with_sample(entry, row, sample_of)


def _with_sample(entry: Entry, row: Table, sample_of: SampleOf) -> Sequence[Table]:
    sample = sample_of(entry)
    return (row,) if sample is None else (sample, row)
