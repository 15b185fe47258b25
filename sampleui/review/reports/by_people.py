"""What people say of records that nobody graded: how many passed, and how they fare against an earlier run.

Figures and pairs are those of graded records: only the outcome is another, and what graders gave is in none of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property, partial
from itertools import islice
from typing import NamedTuple

from sampleui.review.log.store import Log
from sampleui.review.people import by_people_alone, found_by_all
from sampleui.review.record import Entry, ungraded
from sampleui.review.reports.figures import BaselineFigures, MissingSamples
from sampleui.review.reports.record_measures import Question, observer
from sampleui.review.reports.relations import BASELINE, OUTCOME, RUN, Loaded, Relations
from sampleui.review.reports.run_figures import SampleOf, known_of, tables_of
from sampleui.review.reports.sql_figures import Against, comparison_of, measures_of
from sampleui.review.results.file import Results
from sampleui.review.sampling import Draw
from sampleui.statistics.means import Measure


class ByPeople(NamedTuple):
    """What people say of records of which the run does not say how they came out.

    Attributes:
        records: how many those are.
        decided: how many of them somebody decided about; a skip or a dispute is no decision.
        passed, failed: those found `ok`, and `model-wrong`; the other verdicts say neither.
        rate: of the samples that passed; without an interval where people picked what they judged.
        comparison: the same records against those of an earlier run that nobody graded; None without any, or where
            people judged none of either. It does not say what is more than chance where people picked what they
            judged, in either run.
    """

    records: int
    decided: int
    passed: int
    failed: int
    rate: Measure = Measure()
    comparison: BaselineFigures | None = None

    @property
    def is_fair(self) -> bool:
        """Whether people did not pick what they judged, so that an interval says something."""
        return self.rate.interval is not None


class JudgedRun(NamedTuple):
    """Results that are indexed, as far as anything was decided about them, and the decisions."""

    results: Results
    log: Log


def by_people_of(
    run: JudgedRun,
    records: int,
    question: Question,
    sample_of: SampleOf,
    baseline: JudgedRun | None,
    *,
    missing: MissingSamples = MissingSamples(),  # noqa: B008 (it is a value)
) -> ByPeople | None:
    """Return what people say of a run's records that nobody graded; None if there are none.

    Args:
        run: the run.
        records: how many there are of these.
        question: what is asked of it.
        sample_of: where fields are looked for that records do not have.
        baseline: an earlier run.
        missing: what only that one has, judged or not.

    Raises:
        ResultsError: a file can no longer be read.
    """
    if not records:
        return None
    now = _Side(run, records, question.fail_under)
    before = None if baseline is None else _Side(baseline, None, question.fail_under)
    if not (now.judged or (before is not None and before.judged)):
        return ByPeople(records, now.decided, passed=0, failed=0)
    relations = Relations()
    loaded = now.load(relations, RUN, question, sample_of)
    rate = measures_of(relations, loaded).get(OUTCOME, Measure())
    comparison = None
    if before is not None and before.ungraded:
        earlier = before.load(relations, BASELINE, question._replace(by=()), sample_of)
        against = Against(before.results.name)
        if now.is_whole:
            against = known_of(now.results, before.results, against, question.fail_under)
        found = comparison_of(relations, loaded, earlier, against)
        if not (now.is_fair and before.is_fair):
            found = found._replace(
                comparison=found.comparison.without_chance,
                unchanged=None if found.unchanged is None else found.unchanged.without_chance,
            )
        comparison = found._replace(by_people=True, missing=missing, at_worst=None, unchanged_at_worst=None)
    return ByPeople(
        records=records,
        decided=now.decided,
        passed=sum(now.judged),
        failed=len(now.judged) - sum(now.judged),
        rate=rate if now.is_fair else rate._replace(standard_error=None, interval=None, method=None),
        comparison=comparison,
    )


class _Side:
    """A run as people alone say how its records came out."""

    def __init__(self, run: JudgedRun, records: int | None, fail_under: float | None) -> None:
        """Take the run, and how many of its records nobody graded, if it does not have all of them."""
        self.results, self._log = run
        self._fail_under, self._passes_of = fail_under, found_by_all(run.log)
        counted = self.results.counted
        self.ungraded = [entry for entry in counted if ungraded(entry, fail_under)]
        self._records = len(self.ungraded) if records is None else records
        self._graded = {entry.digest for entry in counted}.difference(entry.digest for entry in self.ungraded)

    @property
    def is_whole(self) -> bool:
        """Whether all records are at hand that nobody graded, and not only those that were decided."""
        return len(self.ungraded) == self._records

    @cached_property
    def judged(self) -> list[bool]:
        """Whether records passed, of those that nobody graded and of which people say it."""
        found = (self._passes_of(entry.digest) for entry in self.ungraded)
        return [passes for passes in found if passes is not None]

    @cached_property
    def entries(self) -> list[Entry]:
        """Its records as people alone say that they came out."""
        return [*by_people_alone(self.results.counted, self._passes_of, self._fail_under)]

    @property
    def decided(self) -> int:
        """How many of the records that nobody graded somebody decided about."""
        decisions = [
            self._log.current(entry.digest)
            for entry in self.ungraded
            if self._log.is_about(entry.digest) and not self._log.disputed(entry.digest)
        ]
        return sum(decision is not None and decision.decides for decision in decisions)

    def load(self, relations: Relations, schema: str, question: Question, sample_of: SampleOf) -> Loaded:
        """Put the records that people judged into relations."""
        observe = observer(question)
        records = (
            observe(entry, partial(tables_of, self.results, entry, sample_of), entry.index, False)
            for entry in self.entries
            if entry.judged
        )
        return relations.load(schema, records)

    @cached_property
    def is_fair(self) -> bool:
        """Whether the records were not picked by hand: all were looked at, or the first ones of a plain draw.

        Those of which a verdict says neither, or that are disputed or skipped, are taken to resemble the rest.
        """
        looked_at = {entry.digest for entry in self.ungraded if self._log.by_reviewer(entry.digest)}
        if len(looked_at) == self._records:
            return True
        return bool(looked_at) and any(
            looked_at == {*islice(self._drawn(draw), len(looked_at))} for draw in self._log.draws
        )

    def _drawn(self, draw: Draw) -> Iterator[str]:
        """Yield the digests of the drawn records that nobody graded, of a draw without strata from all of these."""
        of_these = len(draw.strata) == 1 and (draw.population == self._records or draw.is_of(self.results.counted))
        yield from (digest for digest in draw.records if of_these and digest not in self._graded)
