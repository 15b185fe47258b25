"""Figures of a run out of its relations: what SQL counts and averages, given to the functions of `statistics`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import groupby, islice, product
from math import prod
from operator import itemgetter
from typing import Any, NamedTuple

from sampleui.errors import ResultsError
from sampleui.review.record import Entry
from sampleui.review.reports.figures import (
    FEW_TARGETS,
    FOLDED,
    Agreement,
    AttemptFigures,
    BaselineFigures,
    ChangedRecords,
    ComparedSeries,
    Confusion,
    Counts,
    Coverage,
    EvaluatorFigures,
    Group,
    Grouping,
    MissingSamples,
    RunFigures,
    SampleTries,
    SingleEvaluators,
    TargetComparison,
)
from sampleui.review.reports.relations import (
    BASELINE,
    CONTENT,
    OUTCOME,
    PARTS,
    RUN,
    SCORE,
    VALUE,
    Ending,
    Loaded,
    Relations,
    SqlRow,
)
from sampleui.statistics.attempts import SampleAttempts, attempts_summary
from sampleui.statistics.comparison import Comparison, ScorePair, compare_pairs, holm
from sampleui.statistics.means import Measure, summarize
from sampleui.statistics.units import Sums
from sampleui.text.limits import MAX_EMPTY_GROUPS, MAX_LISTED_TRIES

MAX_K = 10
"""The most attempts that pass@k and pass^k are asked of."""

_STATES = f"""count(*), sum(CASE WHEN state = {Ending.FAILED:d} THEN 1 ELSE 0 END),
    sum(CASE WHEN state = {Ending.ERROR:d} THEN 1 ELSE 0 END),
    sum(CASE WHEN state = {Ending.UNGRADED:d} THEN 1 ELSE 0 END)"""


def totals_of(relations: Relations, run: Loaded, measures: Mapping[int, Measure], about: RunFigures) -> RunFigures:
    """Return the figures of a run as a whole.

    Args:
        relations: where the run is.
        run: the run.
        measures: of its parts, as `measures_of` gives them.
        about: what is known of it beside its records.
    """
    (counts,) = _counts(relations, f"SELECT 0, {_STATES} FROM {run.schema}.records").values() or (Counts(),)
    units = "DISTINCT unit" if run.several_targets else "*"
    named = f"SELECT target FROM {run.schema}.keys WHERE target <> ''"
    named += " GROUP BY target ORDER BY min(key)" if run.several_targets else " LIMIT 1"
    share = f"SELECT avg(coalesce(outcome, 0)) AS share FROM {run.schema}.records GROUP BY key"
    passes, keys = relations.only(f"SELECT sum(share), count(*) FROM ({share}) AS k")
    bounded = relations.only(f"SELECT min(bounded) FROM {run.schema}.staged WHERE score IS NOT NULL")[0]
    rows = keys + about.skipped
    return about._replace(
        counts=counts,
        samples=relations.only(f"SELECT count({units}) FROM {run.schema}.keys")[0],
        targets=tuple(target for (target,) in relations.ask(named)),
        pass_rate=measures.get(OUTCOME, Measure()),
        least_pass_rate=(passes or 0.0) / rows if rows else None,
        mean_score=measures.get(SCORE, Measure()),
        scored=bounded != 0,
    )


def evaluators_of(
    relations: Relations, run: Loaded, measures: Mapping[int, Measure], unbounded: frozenset[str]
) -> tuple[tuple[EvaluatorFigures, ...], SingleEvaluators]:
    """Return the figures of the evaluators that gave anything in a run: each, and those of one record together.

    Args:
        relations: where the run is.
        run: the run.
        measures: of its parts.
        unbounded: evaluators whose values are no scores from 0 to 1.
    """
    failed = "sum(CASE WHEN content = 0 THEN 1 ELSE 0 END)"
    query = (
        f"SELECT evaluator, count(*), {failed} FROM {run.schema}.marks GROUP BY evaluator"
        " ORDER BY min(place), evaluator"
    )
    names = [*relations.evaluators]
    figures = tuple(
        EvaluatorFigures(
            names[evaluator],
            records,
            failures,
            names[evaluator] not in unbounded,
            measures.get(PARTS * evaluator + CONTENT, Measure()),
            measures.get(PARTS * evaluator + VALUE, Measure()),
        )
        for evaluator, records, failures in relations.ask(query)
    )
    if len(single := [item for item in figures if item.records == 1]) < FOLDED:
        return figures, SingleEvaluators()
    several = tuple(item for item in figures if item.records > 1)
    return several, SingleEvaluators(len(single), sum(item.failed for item in single))


# Measures


def measures_of(relations: Relations, run: Loaded, unbounded: frozenset[str] = frozenset()) -> dict[int, Measure]:
    """Return the mean of each part of a run: a rate where it says what passed.

    Args:
        relations: where the run is.
        run: the run.
        unbounded: evaluators whose values are no scores from 0 to 1.
    """
    without_ends = _without_ends(relations, run.schema, unbounded)
    columns = (
        ("outcomes", "outcome", "", OUTCOME),
        ("outcomes", "score", "", SCORE),
        ("evaluations", "value", "evaluator", VALUE),
        ("evaluations", "content", "evaluator", CONTENT),
    )
    summed = (
        (PARTS * (evaluator or 0) + part, sums, missing)
        for means, mean, by, part in columns
        for evaluator, sums, missing in _summed(relations, run, f"{run.schema}.{means}", mean, by)
    )
    return {part: summarize(sums, missing, bounded=part not in without_ends) for part, sums, missing in summed}


def _without_ends(relations: Relations, schema: str, unbounded: frozenset[str]) -> frozenset[int]:
    """Return the parts of values that need not be from 0 to 1."""
    numbers = (number for name, number in relations.evaluators.items() if name in unbounded)
    return relations.parts_beyond(schema).union(PARTS * number + VALUE for number in numbers)


def _summed(relations: Relations, run: Loaded, means: str, mean: str, part: str) -> Iterator[tuple[Any, Sums, int]]:
    """Yield the sums over the units of each part, and how many keys of it have no mean.

    A unit is a key, or the keys that are independent of others together; its total is the sum of the means of its
    keys, and its size how many have one. Distances are from a mean that is summed up before them.

    Args:
        relations: where the run is.
        run: the run.
        means: the name of a relation with a row for each key and part, or a query in brackets.
        mean: its column of means; NULL of a key that is not scored.
        part: its column of parts; empty where all is of one, which is None then.
    """
    this, by, same = (f"t.{part}", "GROUP BY part", "u.part = m.part") if part else ("NULL", "", "1 = 1")
    scored = f"FROM {means} AS t WHERE {mean} IS NOT NULL"
    units = f"SELECT {this} AS part, 1.0 * {mean} AS total, 1 AS size {scored}"
    if not run.flat:
        scored = f"FROM {means} AS t JOIN {run.schema}.keys AS k ON k.key = t.key WHERE {mean} IS NOT NULL"
        units = f"SELECT {this} AS part, sum({mean}) AS total, count(*) AS size {scored}"
        units += f" GROUP BY {this}, k.independent"
    off = "u.total - m.mean * u.size"
    query = (
        f"WITH m AS (SELECT {'part' if part else 'NULL AS part'}, sum(total) / sum(size) AS mean"
        f" FROM ({units}) AS u {by}) SELECT u.part, count(*), sum(u.size), sum(u.total), min(m.mean),"
        f" sum(({off}) * ({off})), sum(({off}) * u.size), sum(u.size * u.size), max(u.size)"
        f" FROM ({units}) AS u LEFT JOIN m ON {same} GROUP BY u.part"
    )
    sums_of = {part: _sums(sums) for part, *sums in relations.ask(query)}
    missing = f"SELECT {this} AS part, count(*) - count({mean}) FROM {means} AS t {by}"
    yield from ((part, sums_of.get(part, Sums()), int(n)) for part, n in relations.ask(missing))


def _sums(sums: Sequence[Any]) -> Sums:
    count, values, total, around, squares, products, square_sizes, largest = (number or 0 for number in sums)
    return Sums(int(count), int(values), float(total), around, squares, products, int(square_sizes), int(largest))


def groups_of(relations: Relations, run: Loaded) -> tuple[Group, ...]:
    """Return a run by the cells of its records, those with most records first."""
    inside = f"{run.schema}.cells AS c JOIN {run.schema}.records AS r ON r.place = c.place"
    cells: list[tuple[str | None, ...]] = [*relations.cells]
    groups = _groups(relations, run, inside, "c.cell")
    found = (Group(cells[cell], counts, rate) for cell, counts, rate in groups)
    return tuple(sorted(found, key=lambda group: (-group.counts.records, [value or "" for value in group.values])))


def grouping_of(
    relations: Relations, run: Loaded, fields: tuple[str, ...], coverage: Iterable[Coverage]
) -> Grouping:
    """Return a run grouped by fields, and which combinations of their values it has no records of."""
    groups, covered = groups_of(relations, run), tuple(coverage)
    values: list[dict[str, None]] = [{} for _ in fields]
    for group in groups:
        for value, known in zip(group.values, values, strict=True):
            known.update({} if value is None else {value: None})
    for item in covered:
        values[fields.index(item.field)][item.value] = None
    seen = {group.values for group in groups}
    empty = (cell for cell in product(*values) if cell not in seen)
    listed = tuple(islice(empty, MAX_EMPTY_GROUPS)) if len(fields) > 1 else ()
    whole = sum(None not in cell for cell in seen)
    n_empty = prod(map(len, values)) - whole if len(fields) > 1 else 0
    return Grouping(fields, groups, covered, listed, n_empty)


def targets_of(relations: Relations, run: Loaded) -> tuple[Group, ...]:
    """Return a run by who answered, in order of appearance, of many the worst first; nothing if not several did."""
    if not run.several_targets:
        return ()
    first: dict[str, int] = dict(relations.ask(f"SELECT target, min(key) FROM {run.schema}.keys GROUP BY target"))
    groups = _groups(relations, run, f"{run.schema}.records AS r", "r.target")
    ordered = sorted(groups, key=lambda group: first[group[0]])
    if len(ordered) > FEW_TARGETS:
        ordered.sort(key=lambda group: 2.0 if group[2].value is None else group[2].value)
    return tuple(Group((target or None,), counts, rate) for target, counts, rate in ordered)


def _groups(relations: Relations, run: Loaded, inside: str, part: str) -> list[tuple[Any, Counts, Measure]]:
    counts = _counts(relations, f"SELECT {part}, {_STATES} FROM {inside} GROUP BY {part}")
    means = f"(SELECT {part} AS part, r.key AS key, avg(r.outcome) AS mean FROM {inside} GROUP BY {part}, r.key)"
    summed = _summed(relations, run, means, "mean", "part")
    return [(part, counts[part], summarize(sums, missing, bounded=True)) for part, sums, missing in summed]


def _counts(relations: Relations, query: str) -> dict[object, Counts]:
    return {part: Counts(*(int(number or 0) for number in numbers)) for part, *numbers in relations.ask(query)}


# Attempts


def attempt_figures(relations: Relations, run: Loaded) -> AttemptFigures | None:
    """Return the figures of attempts; None if nothing was tried twice."""
    most = relations.only(f"SELECT max(tried) FROM {run.schema}.staged")[0] or 0
    if not run.several_tries and most < 2:
        return None
    known = "sum(CASE WHEN won IS NULL AND outcome IS NULL THEN 0 ELSE tried END)"
    won = "sum(coalesce(won, outcome, 0))"
    tries = (
        f"SELECT key, {known} AS known, {won} AS won, sum(tried) AS tried FROM {run.schema}.records GROUP BY key"
    )
    clusters = _clusters(relations, run, tries)
    most = max((sample.tried for cluster in clusters for sample in cluster), default=0)
    listed = (
        f"SELECT k.sample, k.target, t.won, t.known, t.tried FROM ({tries}) AS t JOIN {run.schema}.keys AS k"
        " ON k.key = t.key WHERE t.tried > 1"
        " ORDER BY CASE WHEN t.known = 0 THEN 1.0 ELSE abs(2.0 * t.won / t.known - 1) END, k.key"
        f" LIMIT {MAX_LISTED_TRIES}"
    )
    return AttemptFigures(
        tuple(attempts_summary(clusters, k) for k in range(1, min(most, MAX_K) + 1)),
        sum(times * sum(sample.unstable for sample in cluster) for cluster, times in clusters.items()),
        tuple(
            SampleTries(sample, target, int(won), int(known), int(tried))
            for sample, target, won, known, tried in relations.ask(listed)
        ),
    )


def _clusters(relations: Relations, run: Loaded, tries: str) -> Mapping[tuple[SampleAttempts, ...], int]:
    """Return the attempts at each independent unit, and how often there is one like it."""
    if run.flat:
        rows = relations.ask(f"SELECT known, won, count(*) FROM ({tries}) AS t GROUP BY known, won")
        return {(SampleAttempts(int(known), int(won)),): times for known, won, times in rows}
    rows = relations.ask(
        f"SELECT k.independent, t.known, t.won FROM ({tries}) AS t JOIN {run.schema}.keys AS k ON k.key = t.key"
        " ORDER BY k.independent, t.known, t.won"
    )
    return Counter(
        tuple(SampleAttempts(int(known), int(won)) for _, known, won in inside)
        for _, inside in groupby(rows, key=itemgetter(0))
    )


def truth_of(relations: Relations, run: Loaded) -> Agreement | None:
    """Return how the scores of a run agree with truths; None if no record has both."""
    return against_truth(relations.ask(f"SELECT truth, score FROM {run.schema}.truths ORDER BY place"))


MAX_LABELS = 11
"""Different values of scores and truths that a table has rows for."""


def against_truth(pairs: Iterable[tuple[float, float]]) -> Agreement | None:
    """Compare scores with truths, given as pairs of (truth, score); None when there are none.

    With more than eleven different values they are rounded to make a table.
    """
    tables = {places: Counter[tuple[float, float]]() for places in (None, 1, 0)}
    records, agreed, distance = 0, 0, 0.0
    for truth, score in pairs:
        records += 1
        distance += abs(truth - score)
        if truth == score:
            agreed += 1
        for places, table in [*tables.items()]:
            pair = _rounded(truth, places), _rounded(score, places)
            table[pair] += 1
            if places != 0 and table[pair] == 1 and len(_values(table)) > MAX_LABELS:
                del tables[places]
    table = next(iter(tables.values()))
    values = sorted(_values(table))
    counts = tuple(tuple(table[truth, score] for score in values) for truth in values)
    confusion = Confusion(tuple(f"{value:g}" for value in values), counts)
    return Agreement(records, agreed, distance / records, confusion) if records else None


def _values(table: Iterable[tuple[float, float]]) -> set[float]:
    return {value for pair in table for value in pair}


def _rounded(value: float, places: int | None) -> float:
    return value if places is None else round(value, places) + 0.0  # no minus before a zero


# Comparisons

MAX_NAMED = 20
"""Samples of a kind that are named."""


class Against(NamedTuple):
    """What is known of two runs beside their relations.

    Attributes:
        name: what people call the earlier run.
        unbounded: evaluators of which more need not be better.
        is_gone: tells whether the deck no longer has the sample of a record.
        changed: the records of the run by index whose sample asks or expects something else now.
        what_changed: what they do otherwise.
    """

    name: str
    unbounded: frozenset[str] = frozenset()
    is_gone: Callable[[Entry], bool] = lambda _: False
    changed: Sequence[int] = ()
    what_changed: str = ""


def comparison_of(relations: Relations, run: Loaded, baseline: Loaded, against: Against) -> BaselineFigures:
    """Return how a run compares with an earlier one, over the samples that both have.

    Samples pair by what a row repeats of them, and else by their ids; targets make no difference where each run has
    one.

    Args:
        relations: where both are.
        run: the run, in the schema `RUN`.
        baseline: the earlier one, in the schema `BASELINE`.
        against: what else is known of both.
    """
    for each in (run, baseline):
        relations.fill_scores(each)
    several_targets = run.several_targets or baseline.several_targets
    _match(relations, by_target=several_targets)
    scored, scored_before = (_keys_by_part(relations, schema) for schema in (RUN, BASELINE))
    in_both: dict[int, int] = dict(relations.ask(f"SELECT r.part, count(*) {_PAIRED} GROUP BY r.part"))

    def completed(part: int, found: Comparison) -> Comparison:
        (now, alone), (before, alone_before) = (of.get(part, (0, 0)) for of in (scored, scored_before))
        alone, alone_before = alone - found.n_paired, alone_before - found.n_paired
        unscored = now + before - in_both.get(part, 0) - alone - alone_before - found.n_paired
        return replace(found, n_dropped_run=alone, n_dropped_baseline=alone_before, n_unscored=unscored)

    missing = _missing(relations, against.is_gone, several_targets=several_targets)
    relations.make(f"CREATE TABLE {RUN}.changed(place INTEGER PRIMARY KEY)")
    relations.put(RUN, "changed", [(index,) for index in against.changed])
    without_ends = frozenset[int]().union(
        *(_without_ends(relations, schema, against.unbounded) for schema in (RUN, BASELINE))
    )
    names = [*relations.evaluators]
    records: dict[int, int] = dict(relations.ask(_MARKED.format(schema=RUN)))
    before: dict[int, int] = dict(relations.ask(_MARKED.format(schema=BASELINE)))
    both = [evaluator for evaluator in records if evaluator in before]
    single = {evaluator for evaluator in both if records[evaluator] == before[evaluator] == 1}
    single = single if len(single) >= FOLDED else set()
    untold = {PARTS * evaluator + part for evaluator in single for part in (VALUE, CONTENT)}
    in_runs = {part for part in in_both if scored[part][1] and scored_before[part][1]}
    parts = [part for part in _compared_parts(in_runs) if part not in untold]
    fared = _Fared(several_targets=several_targets)
    compared: dict[int, Comparison] = {}
    by_outcome = OUTCOME in parts or SCORE not in parts
    for part, pairs in _pairs(relations, parts, flat=run.flat):
        if part == (OUTCOME if by_outcome else SCORE):
            pairs = fared.noting(pairs)
        found = compare_pairs((pair for pair, _ in pairs), bounded=part not in without_ends)
        compared[part] = completed(part, found)
    alike = {item: series for item in both if (series := _of_evaluator(compared, item)) is not None}
    part = OUTCOME if by_outcome else SCORE
    bounded = by_outcome or all(map(relations.on_scale, (RUN, BASELINE)))
    at_worst, unchanged, unchanged_at_worst = (
        _compared_otherwise(relations, part, flat=run.flat, worst=worst, unchanged=kept) if wanted else None
        for worst, kept, wanted in (
            (True, False, bounded),
            (False, True, bool(fared.changed)),
            (True, True, bounded and bool(fared.changed)),
        )
    )
    return BaselineFigures(
        baseline=against.name,
        measure="passed" if by_outcome else "score",
        bounded=bounded,
        several_targets=several_targets,
        comparison=compared.get(part) or completed(part, compare_pairs(())),
        at_worst=at_worst,
        missing=missing,
        evaluators=_adjusted(
            (names[item], names[item] not in against.unbounded, series) for item, series in alike.items()
        ),
        single_evaluators=len(single),
        unpaired=tuple(names[item] for item in both if item not in single and item not in alike),
        only_run=tuple(names[item] for item in records if item not in before),
        only_baseline=tuple(names[item] for item in before if item not in records),
        records=fared.records(against.what_changed),
        unchanged=unchanged,
        unchanged_at_worst=unchanged_at_worst,
    )


_MARKED = "SELECT evaluator, count(*) FROM {schema}.marks GROUP BY evaluator ORDER BY min(place), evaluator"


def _adjusted(compared: Iterable[tuple[str, bool, Comparison]]) -> tuple[ComparedSeries, ...]:
    """Return comparisons that are made side by side, their p-values corrected for that."""
    several = [*compared]
    adjusted = holm([comparison.p_value for *_, comparison in several])
    return tuple(ComparedSeries(*each, p) for each, p in zip(several, adjusted, strict=True))


def _of_evaluator(compared: Mapping[int, Comparison], evaluator: int) -> Comparison | None:
    """Return the comparison of an evaluator's values, or of whether it was content if it gave no values."""
    values, content = (compared.get(PARTS * evaluator + part) for part in (VALUE, CONTENT))
    return content if values is None else values


class _Fared:
    """Which samples are better and worse, and which of them ask or expect something else now."""

    def __init__(self, *, several_targets: bool) -> None:
        self._several_targets = several_targets
        self._named: dict[str, list[str]] = {"better": [], "worse": []}
        self._changed: dict[str, list[str]] = {"better": [], "worse": []}
        self.changed = 0

    def noting(self, pairs: Iterable[tuple[ScorePair, bool]]) -> Iterator[tuple[ScorePair, bool]]:
        """Yield pairs as they come."""
        for pair, changed in pairs:
            self.changed += changed
            if (direction := pair.direction()) != "same":
                name = _sample_name(*pair.first, several_targets=self._several_targets)
                self._named[direction].append(name)
                self._changed[direction] += [name] if changed else []
            yield pair, changed

    def records(self, what_changed: str) -> ChangedRecords:
        """Return them."""
        better, worse = self._changed["better"], self._changed["worse"]
        return ChangedRecords(
            tuple(self._named["better"][:MAX_NAMED]),
            tuple(self._named["worse"][:MAX_NAMED]),
            len(better),
            len(worse),
            tuple(worse[:MAX_NAMED]),
            what_changed if better or worse else "",
        )


def _sample_name(sample: str, target: str, *, several_targets: bool) -> str:
    return f"{sample} · {target}" if several_targets and target else sample


def evaluators_in(relations: Relations, schema: str) -> dict[int, None]:
    """Return the numbers of the evaluators that gave anything in a run, in order of appearance."""
    return dict.fromkeys(evaluator for evaluator, _ in relations.ask(_MARKED.format(schema=schema)))


def _missing(relations: Relations, is_gone: Callable[[Entry], bool], *, several_targets: bool) -> MissingSamples:
    """Return what only the earlier run has, and note which of it the deck no longer has."""
    query = (
        f"SELECT key, origin, sample, join_keys, target FROM {BASELINE}.keys"
        f" WHERE key NOT IN (SELECT baseline FROM {RUN}.matched) ORDER BY key"
    )
    relations.make(f"CREATE TABLE {BASELINE}.gone_keys(key INTEGER PRIMARY KEY)")
    origins = relations.origins
    names: dict[bool, list[str]] = {False: [], True: []}
    gone_keys: list[tuple[int]] = []
    counts = Counter[bool]()
    for key, origin, sample, join_keys, target in [*relations.ask(query)]:
        source, suite = origins[origin]
        keys = tuple(join_keys.split("\n")) if join_keys else ()
        gone = is_gone(Entry(sample_id=sample, score=None, source=source, suite=suite, join_keys=keys))
        gone_keys += [(key,)] if gone else []
        counts[gone] += 1
        if counts[gone] <= MAX_NAMED:
            names[gone].append(_sample_name(sample, target, several_targets=several_targets))
    relations.put(BASELINE, "gone_keys", gone_keys)
    return MissingSamples(counts[False], tuple(names[False]), counts[True], tuple(names[True]))


_AMBIGUOUS = "sample NOT IN (SELECT sample FROM {0}.keys GROUP BY sample HAVING count(DISTINCT origin) > 1)"


def _match(relations: Relations, *, by_target: bool) -> None:
    """Pair the keys of two runs, by the strictest values first that find a partner."""
    target = ", target" if by_target else ""
    ambiguous = " AND ".join(_AMBIGUOUS.format(schema) for schema in (RUN, BASELINE))
    stages = (
        ("named, join_keys", "join_keys <> ''"),
        ("named, sample", ""),
        ("sample", ambiguous),
    )
    relations.make(f"CREATE TABLE {RUN}.matched(key INTEGER PRIMARY KEY, baseline INTEGER)")
    relations.make(  # the keys of a run differ in these columns, so there is nothing to number
        f"INSERT INTO {RUN}.matched SELECT r.key, b.key FROM {RUN}.keys AS r JOIN {BASELINE}.keys AS b"
        f" USING (origin, sample, join_keys{target})"
    )
    keys = min(relations.only(f"SELECT count(*) FROM {schema}.keys")[0] for schema in (RUN, BASELINE))
    for columns, among in stages:
        if relations.only(f"SELECT count(*) FROM {RUN}.matched")[0] == keys:
            return
        sides = (
            _waiting(schema, left, columns + target, among)
            for schema, left in ((RUN, "key"), (BASELINE, "baseline"))
        )
        relations.make(
            f"INSERT INTO {RUN}.matched SELECT r.key, b.key FROM ({next(sides)}) AS r JOIN ({next(sides)}) AS b"
            f" USING ({columns}{target}, nth)"
        )


def _waiting(schema: str, column: str, columns: str, among: str) -> str:
    """Return the query of keys without a partner, numbered where several have the same values."""
    nth = f"row_number() OVER (PARTITION BY {columns} ORDER BY key) AS nth"
    which = f"key NOT IN (SELECT {column} FROM {RUN}.matched)" + (f" AND {among}" if among else "")
    return f"SELECT key, {columns}, {nth} FROM {schema}.keys WHERE {which}"


def _keys_by_part(relations: Relations, schema: str) -> dict[int, tuple[int, int]]:
    """Return of how many keys of a run something is said, scored or not, and how many are scored, by part."""
    counted = f"SELECT part, count(*), count(NULLIF(scored, 0)) FROM {schema}.scores GROUP BY part"
    return {part: (keys, scored) for part, keys, scored in relations.ask(counted)}


def _compared_parts(both: Set[int]) -> list[int]:
    """Return what is compared of what both runs scored: outcomes before scores, values before contentment."""
    by_content = {part: part - 1 for part in both if part >= CONTENT and part % PARTS == CONTENT % PARTS}
    by_content[SCORE] = OUTCOME
    return sorted(part for part in both if by_content.get(part) not in both)


_PAIRED = (
    f"FROM {RUN}.scores AS r JOIN {RUN}.matched AS m ON m.key = r.key"
    f" JOIN {BASELINE}.scores AS b ON b.part = r.part AND b.key = m.baseline"
    f" JOIN {RUN}.keys AS k ON k.key = r.key"
)
_CHANGED_KEYS = f"(SELECT key FROM {RUN}.records WHERE place IN (SELECT place FROM {RUN}.changed))"


def _pairs(
    relations: Relations, parts: Sequence[int], *, flat: bool
) -> Iterator[tuple[int, Iterator[tuple[ScorePair, bool]]]]:
    """Yield each part that is scored in both runs, and its pairs, those of an independent unit together.

    With each pair comes whether the sample asks or expects something else than in the earlier run.
    """
    which = f"r.part IN ({', '.join(map(str, parts))}) AND r.scored > 0 AND b.scored > 0"
    order = "r.part, r.key" if flat else "r.part, k.independent, r.key"
    columns = "r.part, k.independent, k.sample, k.target, b.total, b.scored, r.total, r.scored"
    rows = relations.ask(f"SELECT {columns}, r.key IN {_CHANGED_KEYS} {_PAIRED} WHERE {which} ORDER BY {order}")
    for part, rows_of in groupby(rows, key=itemgetter(0)):
        yield int(part), ((_pair(row[1:-1]), bool(row[-1])) for row in rows_of)


def _compared_otherwise(
    relations: Relations, part: int, *, flat: bool, worst: bool, unchanged: bool
) -> Comparison | None:
    """Compare without the samples that changed, or as if nothing had passed of which that is not known; or both.

    At worst, attempts of the run count as 0 that have no score, and so do samples of the earlier run that the run
    lacks though the deck has them. None if all is known.
    """
    kept = f" AND r.key NOT IN {_CHANGED_KEYS}" if unchanged else ""
    unit = "r.key" if flat else "k.independent"
    pair = "k.sample, k.target, b.total, b.scored"
    which = f"r.part = {part} AND b.scored > 0{kept}"
    if not worst:
        query = f"SELECT {unit}, {pair}, r.total, r.scored {_PAIRED} WHERE {which} AND r.scored > 0 ORDER BY 1"
        return compare_pairs(map(_pair, relations.ask(query)))
    lacking = f"{_LACKING} AND b.part = {part} AND b.scored > 0"
    unknown = f"SELECT count(*) {_PAIRED} WHERE {which} AND r.scored < k.records"
    if not any(relations.only(query)[0] for query in (unknown, f"SELECT count(*) {lacking}")):
        return None
    both = f"SELECT {unit} AS unit, {pair}, coalesce(r.total, 0), k.records {_PAIRED} WHERE {which}"
    unit = "-1 - k.key" if flat else f"coalesce(({_SAME_UNIT}), -1 - k.independent)"
    rows = relations.ask(f"{both} UNION ALL SELECT {unit}, {pair}, 0, 1 {lacking} ORDER BY 1")
    return compare_pairs(map(_pair, rows))


_LACKING = (
    f"FROM {BASELINE}.scores AS b JOIN {BASELINE}.keys AS k ON k.key = b.key"
    f" WHERE b.key NOT IN (SELECT baseline FROM {RUN}.matched)"
    f" AND b.key NOT IN (SELECT key FROM {BASELINE}.gone_keys)"
)
_SAME_UNIT = (
    f"SELECT min(n.independent) FROM {RUN}.keys AS n JOIN {RUN}.matched AS m ON m.key = n.key"
    f" JOIN {BASELINE}.keys AS o ON o.key = m.baseline WHERE o.independent = k.independent"
)
"""The unit of the run that a sample belongs to which the run lacks: another target may have answered it."""


def _pair(row: SqlRow) -> ScorePair:
    unit, sample, target, before, before_scored, now, now_scored = row
    single = before_scored == 1 and now_scored == 1
    return ScorePair(unit, (sample, target), before / before_scored, now / now_scored, single)


# Targets of one run


def compared_targets_of(
    relations: Relations, run: Loaded, targets: Sequence[Group], chosen: str | None
) -> TargetComparison | None:
    """Return each target of a run against one of them, paired by sample; None without several of which any passed.

    Args:
        relations: where the run is.
        run: the run.
        targets: its targets.
        chosen: the name of the one that the others are held against; None for that of the highest pass rate.

    Raises:
        ResultsError: no record is of the one that is chosen.
    """
    rated = [group for group in targets if group.pass_rate.value is not None]
    best = max(rated, key=lambda group: group.pass_rate.value or 0.0, default=None)
    against = chosen if chosen is not None else None if best is None else best.values[0]
    if chosen is not None and all(group.values[0] != chosen for group in targets):
        raise ResultsError(f"no record is of the target {chosen}, or there is no other")
    if len(targets) < 2 or against is None:
        return None
    relations.fill_scores(run)
    schema = run.schema
    scores = (
        f"SELECT k.unit, k.independent, k.sample, k.target, s.total, s.scored FROM {schema}.scores AS s"
        f" JOIN {schema}.keys AS k ON k.key = s.key WHERE s.part = {OUTCOME} AND s.scored > 0"
    )
    relations.make(f"CREATE INDEX IF NOT EXISTS {schema}.keys_by_unit ON keys(unit, target)")
    pairs = (
        "SELECT n.target, n.independent, n.sample, n.target, b.total, b.scored, n.total, n.scored"
        f" FROM ({scores}) AS n CROSS JOIN {schema}.keys AS k ON k.unit = n.unit AND k.target = ?"
        f" CROSS JOIN {schema}.scores AS b ON b.key = k.key AND b.part = {OUTCOME} AND b.scored > 0"
        " WHERE n.target <> ?"
        " ORDER BY n.target, n.independent"
    )
    rows = relations.ask(pairs, against, against)
    compared = {
        target: compare_pairs(_pair(row[1:]) for row in inside)
        for target, inside in groupby(rows, key=itemgetter(0))
    }
    of_target: dict[str, int] = dict(relations.ask(f"SELECT target, count(*) FROM ({scores}) AS s GROUP BY target"))
    completed = []
    for name in (group.values[0] for group in targets):
        if name not in (None, against):
            found = compared.get(name) or compare_pairs(())
            alone, alone_before = (of_target.get(each, 0) - found.n_paired for each in (name, against))
            completed.append((name, True, replace(found, n_dropped_run=alone, n_dropped_baseline=alone_before)))
    ordered = sorted(_adjusted(completed), key=_difference)
    return TargetComparison(against, chosen is not None, tuple(ordered))


def _difference(item: ComparedSeries) -> float:
    difference = item.comparison.mean_difference
    return 2.0 if difference is None else difference
