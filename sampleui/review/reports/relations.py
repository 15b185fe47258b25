"""The records of runs as relations of a query engine, from which figures are asked by SQL.

The engine is SQLite, which Python brings, with its tables on the disk where memory would not do: a file of a
million records costs little more memory than one of a thousand, whatever fields and texts they have. Each run is a
schema of its own, so that one query joins two.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import islice
from pathlib import PurePath
from typing import Any, NamedTuple, TypeAlias

from sampleui.errors import StatisticsError
from sampleui.review.record import MAX_SCORE

RUN, BASELINE = "run", "baseline"
"""The schemas."""

SqlRow: TypeAlias = tuple[Any, ...]

_BATCH = 5_000
_CACHE_KB = 32_768

OUTCOME, SCORE, VALUE, CONTENT = range(4)
"""What is scored: whether a record passed, its own score; by an evaluator: a value, and whether it was content."""

PARTS = 2
"""Parts of an evaluator: that of its values is the even one."""


class Ending(IntEnum):
    """How a record came out, as relations have it."""

    PASSED = 0
    FAILED = 1
    ERROR = 2
    UNGRADED = 3


Given: TypeAlias = tuple[str, float | None, int | None, int]
"""What an evaluator gave a record, all in all: its name, the mean of the values, whether it was content with all,
and whether the values are scores from 0 to 1 and nothing else."""


class Observed(NamedTuple):
    """The measures of a record, from which figures are made: texts and plain numbers, for of a truth or a state
    SQLite's driver would ask each time how to store it.

    Attributes:
        place: its number, unique in its run; later records have higher ones.
        origin: the deck and the suite of its sample, None where it names none.
        sample: the id of its sample.
        join_keys: the keys of values that it repeats of its sample, as one text; empty for none.
        target: who answered; empty if nobody says.
        attempt: which attempt it is, if it says so.
        identified: 1 if a later record of the same sample, target and attempt replaces it, else 0.
        outcome: 1 passed, 0 failed, None if that is not known.
        state: how it came out, the number of a `Ending`.
        score: its own score, None for none.
        bounded: 1 if that is from 0 to 1, else 0.
        cluster: the label of its cluster, None for none.
        tried: how many attempts it stands for.
        won: how many of them passed, None if that is not known.
        marks: what each evaluator gave.
        cells: the values of the fields that it is grouped by, as often as it has several.
        digest: of its content; empty where nobody asks.
        strata: where records were drawn by fields, the number of a draw and of the stratum that it is in.
        truth: what a person had scored before the run, and the record's own score, where both are known.
    """

    place: int
    origin: tuple[str | None, str | None]
    sample: str
    join_keys: str
    target: str
    attempt: str | None
    identified: int
    outcome: int | None
    state: int
    score: float | None
    bounded: int
    cluster: str | None
    tried: int
    won: int | None
    marks: tuple[Given, ...] = ()
    cells: tuple[tuple[str | None, ...], ...] = ()
    digest: str = ""
    strata: tuple[tuple[int, int], ...] = ()
    truth: tuple[float, float] | None = None


_STAGED = slice(Observed._fields.index("sample"), Observed._fields.index("marks"))


_TABLES = """
CREATE TABLE {run}.staged(place INTEGER PRIMARY KEY, origin INTEGER, named INTEGER, sample TEXT, join_keys TEXT,
    target TEXT, attempt TEXT, identified INTEGER, outcome INTEGER, state INTEGER, score DOUBLE, bounded INTEGER,
    cluster TEXT, tried INTEGER, won INTEGER);
CREATE TABLE {run}.marks(place INTEGER, evaluator INTEGER, value DOUBLE, content INTEGER,
    scored INTEGER, PRIMARY KEY (evaluator, place)) WITHOUT ROWID;
CREATE TABLE {run}.cells(place INTEGER, cell INTEGER, PRIMARY KEY (cell, place)) WITHOUT ROWID;
CREATE TABLE {run}.digests(place INTEGER PRIMARY KEY, digest TEXT);
CREATE TABLE {run}.truths(place INTEGER PRIMARY KEY, truth DOUBLE, score DOUBLE);
CREATE TABLE {run}.strata(draw INTEGER, stratum INTEGER, place INTEGER,
    PRIMARY KEY (draw, stratum, place)) WITHOUT ROWID;
"""
_KEY_TABLE = """
CREATE TABLE {run}.keys(key INTEGER PRIMARY KEY, unit INTEGER, independent INTEGER, origin INTEGER, named INTEGER,
    sample TEXT, join_keys TEXT, target TEXT, least TEXT, cluster TEXT, records INTEGER)
"""
_SCORES = (
    "CREATE TABLE {run}.scores(part INTEGER, key INTEGER, scored INTEGER, total DOUBLE,"
    " PRIMARY KEY (part, key)) WITHOUT ROWID"
)
_CASE = "origin, sample, join_keys"
_KEYS = f"""
SELECT min(place) AS key, {{unit}} AS unit, origin, min(named) AS named, sample, join_keys, target,
    min(cluster) AS least, max(cluster) AS cluster, count(*) AS records
FROM {{run}}.staged GROUP BY {_CASE}, target
"""
_UNIT = f"min(min(place)) OVER (PARTITION BY {_CASE})"
_LABELLED = "SELECT k.*, max(cluster) OVER (PARTITION BY unit) AS label FROM ({keys}) AS k"
_BY_LABEL = "CASE WHEN label IS NULL THEN unit ELSE min(unit) OVER (PARTITION BY label) END"
_INDEPENDENT = """
INSERT INTO {run}.keys SELECT key, unit, {independent}, origin, named, sample, join_keys, target, least, cluster,
    records FROM ({keys}) AS k
"""
_GONE = f"""
CREATE TABLE {{run}}.gone AS SELECT place FROM (
    SELECT place, max(place) OVER (PARTITION BY {_CASE}, target, attempt) AS latest
    FROM {{run}}.staged WHERE identified = 1) AS identified
WHERE place < latest
"""
_TWO_LABELS = """
SELECT min(sample), min(least), max(cluster) FROM ({keys}) AS k WHERE cluster IS NOT NULL
GROUP BY unit HAVING min(least) <> max(cluster) LIMIT 1
"""
_OF_PLACES = (
    "CREATE TABLE {run}.places(place INTEGER PRIMARY KEY, key INTEGER)",
    """
    INSERT INTO {run}.places SELECT s.place, k.key FROM {run}.staged AS s JOIN {run}.keys AS k
    ON k.origin = s.origin AND k.sample = s.sample AND k.join_keys = s.join_keys AND k.target = s.target
    """,
    "CREATE VIEW {run}.records AS SELECT p.key, s.* FROM {run}.staged AS s JOIN {run}.places AS p USING (place)",
    "CREATE TABLE {run}.outcomes AS SELECT key, avg(outcome) AS outcome, avg({score}) AS score FROM {run}.records"
    " GROUP BY key ORDER BY key",
    """
    CREATE TABLE {run}.evaluations AS SELECT evaluator, key, avg(value) AS value, avg(content) AS content
    FROM {run}.marks JOIN {run}.places USING (place) GROUP BY evaluator, key ORDER BY evaluator, key
    """,
)
_SINGLE = (
    "CREATE VIEW {run}.records AS SELECT place AS key, s.* FROM {run}.staged AS s",
    "CREATE VIEW {run}.outcomes AS SELECT place AS key, outcome, {score} AS score FROM {run}.staged",
    "CREATE VIEW {run}.evaluations AS SELECT evaluator, place AS key, value, content FROM {run}.marks",
)
_KEY_VIEW = """
CREATE VIEW {run}.keys AS SELECT place AS key, place AS unit, place AS independent, origin, named, sample,
    join_keys, target, cluster AS least, cluster, 1 AS records FROM {run}.staged
"""


class Loaded(NamedTuple):
    """A run that is in its relations.

    Attributes:
        schema: where its relations are.
        replaced: records that a rerun replaced.
        several_targets: whether there are two or more.
        several_tries: whether a target answered some sample twice.
        clustered: whether any record has the label of a cluster.
    """

    schema: str
    replaced: int
    several_targets: bool
    several_tries: bool
    clustered: bool

    @property
    def flat(self) -> bool:
        """Whether every key is an independent unit, whatever its scores are."""
        return not (self.several_targets or self.clustered)

    @property
    def single(self) -> bool:
        """Whether every key is a record, so that there is nothing to average."""
        return not (self.several_targets or self.several_tries)


class Relations:
    """A database with a schema for each run: `records`, and what of them is averaged by `keys`.

    A *key* is a sample answered by a target; its number is the place of its first record. A *unit* is a sample, by
    the place of its first record; *independent* are the clusters of samples, by their first unit, and the samples
    without one. `outcomes` has the mean outcome and score of each key, `evaluations` the mean value and content of
    each evaluator and key. Where runs are compared, `scores` has a row for each key and *part* of what was scored,
    with the number and the sum of the attempts that have a score: `OUTCOME`, `SCORE`, and for the N-th evaluator
    `PARTS * N + VALUE` and `PARTS * N + CONTENT`.

    Attributes:
        evaluators: their names; the number of one is its place here.
        cells: the values of groups, likewise.
    """

    def __init__(self) -> None:
        self._connection = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self.evaluators: dict[str, int] = {}
        self.cells: dict[tuple[str | None, ...], int] = {}
        self._origins: dict[tuple[str | None, str | None], int] = {}
        self._named_decks: dict[tuple[str | None, str | None], int] = {}
        self._scored = set[str]()

    def load(self, schema: str, records: Iterable[Observed]) -> Loaded:
        """Put the records of a run into relations of their own; `records` are read once.

        Args:
            schema: where to put them.
            records: the records.

        Raises:
            StatisticsError: a sample has the labels of two clusters.
        """
        pragmas = ("journal_mode=OFF", "synchronous=OFF", f"cache_size=-{_CACHE_KB}")
        self.make(f"ATTACH '' AS {schema}", *(f"PRAGMA {schema}.{pragma}" for pragma in pragmas))
        self.make(*_TABLES.format(run=schema).split(";")[:-1], "BEGIN")
        inside = iter(records)
        while some := [*islice(inside, _BATCH)]:
            self._put(schema, some)
        self.make("COMMIT")
        return self.arranged(schema)

    def drop(self, schema: str) -> None:
        """Forget a run."""
        self._scored.discard(schema)
        self.make(f"DETACH {schema}")

    @property
    def origins(self) -> Sequence[tuple[str | None, str | None]]:
        """Deck and suite of samples by their numbers."""
        return [*self._origins]

    def decks(self, schema: str) -> frozenset[str | None]:
        """Return the names of the decks of a run, None for samples of which no deck is named."""
        names = {number: key[0] for key, number in self._named_decks.items()}
        return frozenset(names[number] for (number,) in self.ask(f"SELECT DISTINCT named FROM {schema}.keys"))

    def ask(self, query: str, *parameters: object) -> Iterator[SqlRow]:
        """Yield the rows of an answer, few at a time."""
        cursor = self._connection.cursor().execute(query, parameters)
        while rows := cursor.fetchmany(_BATCH):
            yield from rows

    def only(self, query: str, *parameters: object) -> SqlRow:
        """Return the first row of an answer that has one."""
        return next(self.ask(query, *parameters))

    def make(self, *queries: str) -> None:
        """Make or fill relations."""
        for query in queries:
            self._connection.execute(query)

    def _put(self, schema: str, records: Sequence[Observed]) -> None:
        staged = [
            (record.place, self._origin(record.origin), self._named(record.origin), *tuple(record)[_STAGED])
            for record in records
        ]
        number = self.evaluators.setdefault
        marks = [
            (record.place, number(name, len(self.evaluators)), value, content, scored)
            for record in records
            for name, value, content, scored in record.marks
        ]
        cells = [
            (record.place, self.cells.setdefault(cell, len(self.cells)))
            for record in records
            for cell in dict.fromkeys(record.cells)
        ]
        digests = [(record.place, record.digest) for record in records if record.digest]
        strata = [(*stratum, record.place) for record in records for stratum in record.strata]
        truths = [(record.place, *record.truth) for record in records if record.truth is not None]
        tables: dict[str, Sequence[SqlRow]] = {
            "staged": staged,
            "marks": marks,
            "cells": cells,
            "digests": digests,
            "strata": strata,
            "truths": truths,
        }
        for table, rows in tables.items():
            self.put(schema, table, rows)

    def put(self, schema: str, table: str, rows: Sequence[SqlRow]) -> None:
        """Put rows into a relation."""
        if rows:
            placeholders = ", ".join("?" * len(rows[0]))
            self._connection.executemany(f"INSERT INTO {schema}.{table} VALUES ({placeholders})", rows)

    def _origin(self, origin: tuple[str | None, str | None]) -> int:
        return self._origins.setdefault(origin, len(self._origins))

    def _named(self, origin: tuple[str | None, str | None]) -> int:
        """Return the number of a deck by its name alone, as a run that was made elsewhere has it."""
        source, suite = origin
        name = None if source is None else PurePath(source).name
        return self._named_decks.setdefault((name, suite), len(self._named_decks))

    def arranged(self, schema: str) -> Loaded:
        """Leave out what reruns replaced, number keys and units, and average attempts."""
        several, labels = self.only(
            f"SELECT coalesce(min(target) <> max(target), 1 = 0), count(cluster) FROM {schema}.staged"
        )
        keys = _KEYS.format(run=schema, unit=_UNIT if several else "min(place)")
        if labels:
            keys = _LABELLED.format(keys=keys)
            for sample, first, last in self.ask(_TWO_LABELS.format(keys=keys)):
                raise StatisticsError(f"sample {sample} is in two clusters: {first} and {last}")
        several_tries, replaced = self._has_tries(schema), 0
        if several_tries and (replaced := self._replace(schema)):
            several_tries = self._has_tries(schema)
        loaded = Loaded(schema, replaced, bool(several), several_tries, labels > 0)
        if loaded.single and loaded.flat:
            self.make(_KEY_VIEW.format(run=schema))
        else:
            independent = _BY_LABEL if labels else "unit"
            self.make(
                _KEY_TABLE.format(run=schema), _INDEPENDENT.format(run=schema, keys=keys, independent=independent)
            )
        score = self._score(schema)
        self.make(*(query.format(run=schema, score=score) for query in (_SINGLE if loaded.single else _OF_PLACES)))
        return loaded

    def _has_tries(self, schema: str) -> bool:
        """Tell whether a target answered some sample twice."""
        each = f"SELECT count(*) AS records FROM {schema}.staged GROUP BY {_CASE}, target"
        return bool(self.only(f"SELECT coalesce(max(records), 0) > 1 FROM ({each}) AS k")[0])

    def _replace(self, schema: str) -> int:
        """Leave out the records that a later one of the same sample, target and attempt replaces; say how many."""
        self.make(_GONE.format(run=schema))
        replaced: int = self.only(f"SELECT count(*) FROM {schema}.gone")[0]
        for table in ("staged", "marks", "cells", "digests", "strata", "truths") if replaced else ():
            self.make(f"DELETE FROM {schema}.{table} WHERE place IN (SELECT place FROM {schema}.gone)")
        return replaced

    def on_scale(self, schema: str) -> int:
        """Tell whether any score is from 0 to 1; those on another scale are not averaged with it."""
        largest = self.only(f"SELECT max(bounded) FROM {schema}.staged WHERE score IS NOT NULL")[0]
        return 1 if largest is None else int(largest)

    def parts_beyond(self, schema: str) -> frozenset[int]:
        """Return the parts of values of which some are not from 0 to 1, so that their scale has no known ends."""
        beyond = f"NOT {{}} BETWEEN 0 AND {MAX_SCORE!r}"
        values = f"SELECT DISTINCT evaluator FROM {schema}.marks WHERE {beyond.format('value')}"
        parts = {PARTS * evaluator + VALUE for (evaluator,) in self.ask(values)}
        scores = f"SELECT count(*) FROM {schema}.staged WHERE score IS NOT NULL AND (bounded = 0 OR {{}})"
        if self.only(scores.format(beyond.format("score")))[0]:
            parts.add(SCORE)
        return frozenset(parts)

    def _score(self, schema: str) -> str:
        """Return the expression of a record's score, where that is on the scale of those that are averaged."""
        return f"CASE WHEN bounded = {self.on_scale(schema)} THEN score END"

    def fill_scores(self, run: Loaded) -> None:
        """Fill `scores`, by which runs are compared; once for each run."""
        schema = run.schema
        if schema in self._scored:
            return
        self._scored.add(schema)
        into, records, score = f"INSERT INTO {schema}.scores", f"{schema}.records", self._score(schema)
        marks = f"{schema}.marks AS m" + ("" if run.single else f" JOIN {schema}.places AS p ON p.place = m.place")
        key = "m.place" if run.single else "p.key"
        self.make(
            _SCORES.format(run=schema),
            f"{into} SELECT {OUTCOME}, key, count(outcome), sum(outcome) FROM {records} GROUP BY key",
            f"{into} SELECT {SCORE}, key, count({score}), sum({score}) FROM {records} GROUP BY key",
            *(
                f"{into} SELECT {PARTS} * evaluator + {part}, {key}, count({column}), sum({column}) FROM {marks}"
                f" GROUP BY evaluator, {key}"
                for column, part in (("value", VALUE), ("content", CONTENT))
            ),
        )
