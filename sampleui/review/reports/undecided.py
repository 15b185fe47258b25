"""Graders against people in a run that is read once: records that were decided are kept, others are counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.review.record import Entry
from sampleui.review.reports.graders import FEW_SCORES, ROUNDING, SCORE_BINS, Rest, Tally
from sampleui.review.reports.relations import RUN, Relations, State
from sampleui.review.results.record_names import digest_of_copy
from sampleui.review.sampling import Draw, Source, Values, frame_of_sorted, values_by

_STATES: Mapping[Source, State] = {
    Source.PASSED: State.PASSED,
    Source.FAILED: State.FAILED,
    Source.UNGRADED: State.UNGRADED,
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


class _Given(NamedTuple):
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
        relations.put(RUN, "kept", [(place,) for place in kept])

    @cached_property
    def evaluators(self) -> Sequence[str]:
        """The evaluators that gave anything, in order of appearance."""
        names = [*self._relations.evaluators]
        query = f"SELECT evaluator FROM {RUN}.marks GROUP BY evaluator ORDER BY min(place), evaluator"
        return [names[evaluator] for (evaluator,) in self._relations.ask(query)]

    @cached_property
    def frame(self) -> str:
        """What stands for all records."""
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
        return frame_of_sorted(digest for (digest,) in self._relations.ask(every))

    @cached_property
    def with_scores(self) -> frozenset[str | None]:
        """The graders that gave more different scores than rates could tell of."""
        graded = f"state <> {State.ERROR:d}"
        whole = f"SELECT NULL, count(DISTINCT {_SCORE}) FROM {RUN}.staged AS s WHERE {graded}"
        each = f"SELECT evaluator, count(DISTINCT score) FROM ({_marks(graded)}) AS m GROUP BY evaluator"
        return frozenset(
            self._name(grader)
            for query in (whole, each)
            for grader, scores in self._relations.ask(query)
            if scores > FEW_SCORES
        )

    def rest(self, sources: Iterable[Source], stratum: tuple[Draw, int] | None = None) -> Rest:
        """Return the records of some outcomes that are not kept, of a draw those in its stratum of a number."""
        states = ", ".join(f"{_STATES[source]:d}" for source in sources)
        where = f"s.state IN ({states}) AND s.place NOT IN (SELECT place FROM {RUN}.kept)"
        if stratum is not None and stratum[0].design.by:
            inside = f"draw = {self._draws[stratum[0].id]} AND stratum = {stratum[1]}"
            where += f" AND s.place IN (SELECT place FROM {RUN}.strata WHERE {inside})"
        whole = (
            f"SELECT NULL AS evaluator, s.outcome AS grade, {_SCORE} AS score FROM {RUN}.staged AS s WHERE {where}"
        )
        size: int = self._relations.only(f"SELECT count(*) FROM {RUN}.staged AS s WHERE {where}")[0]
        given = [
            _Given(self._name(grader), *rest)
            for query in (whole, _marks(where))
            for grader, *rest in self._relations.ask(
                f"SELECT evaluator, grade, {_BIN}, count(*) FROM ({query}) AS m GROUP BY 1, 2, 3 ORDER BY 1"
            )
        ]
        return Rest(size, {grader: _tally([*items]) for grader, items in groupby(given, key=itemgetter(0))})

    def _name(self, evaluator: int | None) -> str | None:
        return None if evaluator is None else [*self._relations.evaluators][evaluator]


_SCORE = "CASE WHEN s.bounded = 1 THEN s.score END"
_LAST_BIN = SCORE_BINS - 1
_CUT = f"CAST(score * {SCORE_BINS} + {ROUNDING!r} AS INTEGER)"
_BIN = f"CASE WHEN {_CUT} > {_LAST_BIN} THEN {_LAST_BIN} ELSE {_CUT} END"


def _marks(where: str) -> str:
    """Return the query of what each evaluator said of each record, content if all of several parts are."""
    return (
        "SELECT m.evaluator AS evaluator, min(m.content) AS grade,"
        " max(CASE WHEN m.scored = 1 THEN m.value END) AS score"
        f" FROM {RUN}.marks AS m JOIN {RUN}.staged AS s ON s.place = m.place WHERE {where}"
        " GROUP BY m.evaluator, m.place"
    )


def _tally(given: Sequence[_Given]) -> Tally:
    bins: dict[int, int] = {}
    for item in given:
        if item.bin is not None:
            bins[item.bin] = bins.get(item.bin, 0) + item.records
    passes, fails = (sum(item.records for item in given if item.grade == grade) for grade in (1, 0))
    return Tally(passes, fails, bins)
