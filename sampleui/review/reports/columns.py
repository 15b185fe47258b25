"""Figures of runs that lie in columns: Parquet, CSV or JSON, here or in an object store, asked by DuckDB.

DuckDB reads what of the files is needed and answers the same questions (`sql_figures.py`) that are asked of files
that are read record by record; only how a record came out is said in its words here. That is possible for columns
with the plain names below. It needs the extra `sampleui[duckdb]`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any

from sampleui.errors import ResultsError
from sampleui.review.grouping import MAX_WHOLE
from sampleui.review.record import FAIL_UNDER, MAX_SCORE
from sampleui.review.reports.figures import Figures, RunFigures
from sampleui.review.reports.record_measures import Question
from sampleui.review.reports.relations import BASELINE, RUN, Ending, Loaded, Relations
from sampleui.review.reports.run_figures import figures_in
from sampleui.review.reports.sql_figures import Against, comparison_of
from sampleui.review.results.dialect import FAILS, PASSES
from sampleui.review.results.scoring import is_measured_in_units
from sampleui.sample.value_names import path_of
from sampleui.text.confined import is_file, is_inside, project_root
from sampleui.text.patterns import PatternError, no_files

SUFFIXES = (".parquet", ".parq")
"""Endings of files in columns that no other reader takes."""

_SAMPLES = ("test_id", "sample_id", "sample", "id")
TARGET_COLUMNS = ("target", "model", "provider")
"""Columns that may name who answered; in each row the first of them with a value does."""

_ATTEMPTS = ("attempt", "epoch", "trial")
_PASSED = ("passed", "success", "pass")
_STATUSES = ("execution_status", "status", "outcome")
_MARKS = ("scores", "evaluators", "graders")
_ON_SCALE = f"BETWEEN 0 AND {MAX_SCORE!r}"


def is_in_columns(source: str) -> bool:
    """Tell whether runs are meant that DuckDB reads: Parquet, a glob, or the address of an object."""
    return source.lower().endswith(SUFFIXES) or "://" in source or ("*" in source and not source.endswith("*"))


def figures_of_columns(source: str, question: Question, baseline: str | None = None) -> Figures:
    """Return the figures of a run in columns.

    Args:
        source: a path, a glob or an address, as DuckDB takes it.
        question: what is asked of it.
        baseline: an earlier run to compare it with.

    Raises:
        ResultsError: DuckDB is not installed, or cannot read the run, or no column has the names of samples.
        PathError: what is asked for cannot be a field.
        StatisticsError: a sample is in two clusters.
    """
    duckdb = _duckdb()
    relations = Relations(_DuckDB(duckdb))
    try:
        for address in {_scheme(source), _scheme(baseline or "")} - {""}:
            _reach(address, relations)
        run = _Columns(relations, RUN, source, question)
        loaded, comparison = run.load(), None
        if baseline is not None:
            earlier = _Columns(relations, BASELINE, baseline, question._replace(by=()))
            before = earlier.load()
            unbounded = run.unbounded | earlier.unbounded
            comparison = comparison_of(relations, loaded, before, Against(PurePath(baseline).name, unbounded))
        about = RunFigures(
            PurePath(source).name,
            source,
            replaced=loaded.replaced,
            fail_under=FAIL_UNDER if run.by_score else question.fail_under,
            fail_under_is_default=run.by_score,
            marks_by_default=run.marks_by_default,
        )
        return figures_in(relations, loaded, about, question, run.unbounded, comparison=comparison)
    except duckdb.Error as error:
        raise ResultsError(_in_words(error)) from error


def _scheme(source: str) -> str:
    return source.partition("://")[0].lower() if "://" in source else ""


_S3 = frozenset({"s3", "s3a", "s3n"})
_EXTENSION = "httpfs"
_BY_PIP = "pip install duckdb-extension-httpfs"


def _reach(scheme: str, relations: Relations) -> None:
    """Let DuckDB read addresses: by its extension, as installed by itself or by pip, and keys of the environment.

    Raises:
        ResultsError: the extension is neither installed nor can be.
    """
    duckdb = _duckdb()
    try:
        relations.make(f"LOAD {_EXTENSION}")
    except duckdb.Error as error:
        packed = _packed_extension()
        if packed is None:
            raise ResultsError(f"{scheme}:// is read by DuckDB's extension {_EXTENSION}: {_BY_PIP}") from error
        relations.make(f"LOAD {_text(str(packed))}")
    key = os.environ.get("AWS_ACCESS_KEY_ID")
    if scheme in _S3 and key:
        relations.make(f"CREATE OR REPLACE SECRET ({', '.join(_secret(key))})")


def _packed_extension() -> Path | None:
    """Return the extension that a package of pip brings; None if that is not installed."""
    found = find_spec("duckdb_extension_httpfs")
    folders = () if found is None else found.submodule_search_locations or ()
    return next((path for folder in folders for path in Path(folder).rglob("*.duckdb_extension")), None)


def _secret(key: str) -> Iterator[str]:
    """Yield what DuckDB is told of an object store, from the variables that the tools of such stores read."""
    environment = os.environ
    yield from ("TYPE s3", f"KEY_ID {_text(key)}", f"SECRET {_text(environment.get('AWS_SECRET_ACCESS_KEY', ''))}")
    if token := environment.get("AWS_SESSION_TOKEN"):
        yield f"SESSION_TOKEN {_text(token)}"
    if region := environment.get("AWS_REGION") or environment.get("AWS_DEFAULT_REGION"):
        yield f"REGION {_text(region)}"
    if endpoint := environment.get("AWS_ENDPOINT_URL_S3") or environment.get("AWS_ENDPOINT_URL"):
        scheme, _, host = endpoint.rpartition("://")
        yield from (f"ENDPOINT {_text(host.rstrip('/'))}", f"USE_SSL {scheme != 'http'}", "URL_STYLE 'path'")


def _in_words(error: Exception) -> str:
    """Return the first line of an error, with a hint if it is about access keys."""
    first = str(error).split("\n", maxsplit=1)[0]
    if "403" not in first and "401" not in first and "Forbidden" not in first:
        return first
    return f"{first}; keys are those of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or of DuckDB's own secrets"


def _duckdb() -> Any:
    try:
        import duckdb
    except ImportError as error:
        raise ResultsError("runs in columns are read by DuckDB: install sampleui[duckdb]") from error
    return duckdb


class _DuckDB:
    """DuckDB as an engine: it spills to the disk by itself, and needs no order."""

    sorting = ")"

    def __init__(self, duckdb: Any) -> None:
        self.connection = duckdb.connect()

    def opening(self, schema: str, file: str) -> Sequence[str]:
        return (f"ATTACH {_text(file or ':memory:')} AS {schema}",)


class _Columns:
    """The columns of a run, on the way into its relations.

    Attributes:
        unbounded: the evaluators whose values are no scores from 0 to 1; known when it is loaded.
        by_score: whether nobody asked for a threshold, and nothing but scores says what passed; likewise.
        marks_by_default: whether evaluators were held against this program's own; likewise.
    """

    def __init__(self, relations: Relations, schema: str, source: str, question: Question) -> None:
        self.unbounded: frozenset[str] = frozenset()
        self.by_score = self.marks_by_default = False
        self._relations, self._schema, self._question = relations, schema, question
        files = () if _scheme(source) else _files(relations, source)
        self._from = f"{_reader(source)}({_texts(files) if files else _text(source)})"
        described = relations.ask(f"DESCRIBE SELECT * FROM {self._from}")
        self._types: Mapping[str, str] = {str(name): str(kind) for name, kind, *_ in described}
        if not any(name in self._types for name in _SAMPLES):
            raise ResultsError(f"{source}: no column has the samples' names ({', '.join(_SAMPLES)})")

    def load(self) -> Loaded:
        """Fill the tables of records, marks and cells from the columns."""
        fields = {name: self._field(name) for name in self._question.fields}
        marks = next((name for name in _MARKS if self._types.get(name, "").startswith("STRUCT")), None)
        rows = {
            "sample": self._first(_SAMPLES, "VARCHAR"),
            "target": f"coalesce({self._first(TARGET_COLUMNS, 'VARCHAR')}, '')",
            "attempt": self._first(_ATTEMPTS, "VARCHAR"),
            "passed": f"coalesce({self._first(_PASSED, 'BOOLEAN')}, {self._status()})",
            "score": self._first(("score",), "DOUBLE"),
            "error": f"coalesce(nullif({self._first(('error',), 'VARCHAR')}, ''), {self._crash()})",
            "marks": "NULL" if marks is None else _quoted(marks),
            **{f"field{index}": field for index, field in enumerate(fields.values())},
        }
        listed = ", ".join(f"{expression} AS {name}" for name, expression in rows.items())
        self._relations.open(self._schema)
        place = "row_number() OVER () - 1 AS place"
        self._make(f"CREATE TABLE {self._schema}.raw AS SELECT {place}, {listed} FROM {self._from}")
        self._put_marks(marks)
        self._put_records([*fields])
        self._put_cells()
        self._make(f"DROP TABLE {self._schema}.raw")
        return self._relations.arranged(self._schema)

    def _make(self, *queries: str) -> None:
        self._relations.make(*queries)

    def _first(self, names: Iterable[str], kind: str) -> str:
        """Return the expression of the first of some columns that has a value."""
        found = [f"TRY_CAST({_quoted(name)} AS {kind})" for name in names if name in self._types]
        return f"coalesce({', '.join(found)})" if found else f"CAST(NULL AS {kind})"

    def _status(self) -> str:
        """Return the expression of whether a record passed, by a word."""
        word = f"lower({self._first(_STATUSES, 'VARCHAR')})"
        passes, fails = (", ".join(map(_text, sorted(words))) for words in (PASSES | {"ok"}, FAILS))
        return f"CASE WHEN {word} IN ({passes}) THEN true WHEN {word} IN ({fails}) THEN false END"

    def _crash(self) -> str:
        """Return the expression of an error that a word alone tells of."""
        return (
            f"CASE WHEN lower({self._first(_STATUSES, 'VARCHAR')}) = 'execution_error' THEN 'execution_error' END"
        )

    def _field(self, name: str) -> str:
        """Return the expression of a field's values, a list of texts."""
        path = {"tag": ("tags",), "deck": ("source",)}.get(name) or path_of(name)
        if path[0] not in self._types:
            return "CAST([] AS VARCHAR[])"
        value = f"to_json({_quoted(str(path[0]))})"
        inner = "$" + "".join(map(_step, path[1:]))
        found = f"json_extract({value}, {_text(inner)})"
        several = f"list_distinct(list_transform(CAST({found} AS JSON[]), lambda x: {_label('x')}))"
        single = _label(found)
        return (
            f"CASE json_type({found}) WHEN 'ARRAY' THEN {several} WHEN 'NULL' THEN [] ELSE"
            f" list_filter([{single}], lambda x: x IS NOT NULL) END"
        )

    def _put_marks(self, marks: str | None) -> None:
        schema, under = self._schema, self._question.fail_under
        members = "" if marks is None else self._types[marks]
        verdict = "lower(CAST(u.verdict AS VARCHAR))" if "verdict" in members else "CAST(NULL AS VARCHAR)"
        unnested = (
            f"SELECT place, error, unnest(marks) AS u, generate_subscripts(marks, 1) AS nth FROM {schema}.raw"
            " WHERE sample IS NOT NULL"
        )
        grades_sql = (
            f"SELECT place, nth, error, u.name AS name, TRY_CAST(u.score AS DOUBLE) AS score, {verdict} AS verdict"
        )
        empty = "SELECT 0 AS place, 1 AS nth, '' AS error, '' AS name, 0.0 AS score, '' AS verdict WHERE false"
        self._make(
            f"CREATE TABLE {schema}.given AS {empty if marks is None else f'{grades_sql} FROM ({unnested}) AS m'}"
        )
        scaled = f"bool_and(score IS NULL OR score {_ON_SCALE})"
        query = f"SELECT name, {scaled}, bool_and(verdict IS NULL) FROM {schema}.given GROUP BY name"
        known = [*self._relations.ask(f"{query} ORDER BY min((place, nth))")]
        self.unbounded = frozenset(
            name for name, on_scale, bare in known if not on_scale or (bare and is_measured_in_units(name))
        )
        self._make(f"CREATE TABLE {schema}.names(name VARCHAR, number INTEGER, bounded BOOLEAN)")
        for name, *_ in known:
            number = self._relations.evaluators.setdefault(name, len(self._relations.evaluators))
            bounded = name not in self.unbounded
            self._make(f"INSERT INTO {schema}.names VALUES ({_text(name)}, {number}, {bounded})")
        graded = "n.bounded AND g.score IS NOT NULL"
        asked = "" if under is None else f"WHEN {graded} THEN g.score >= {under!r}"
        content = (
            f"CASE {asked} WHEN g.verdict IN ('pass', 'fail') THEN g.verdict = 'pass'"
            f" WHEN {graded} THEN g.score >= {FAIL_UNDER} END"
        )
        silent = f"coalesce(g.verdict, '') NOT IN ('pass', 'fail') AND g.error IS NULL AND {graded}"
        by_default = f"SELECT coalesce(bool_or({silent}), false) FROM {schema}.given AS g"
        joined = f"{by_default} JOIN {schema}.names AS n ON n.name = g.name"
        self.marks_by_default = under is None and self._relations.only(joined)[0]
        value = "coalesce(g.score, CASE g.verdict WHEN 'pass' THEN 1.0 WHEN 'fail' THEN 0.0 END)"
        self._make(
            f"INSERT INTO {schema}.marks SELECT g.place, n.number,"
            f" avg({value}), min(CAST({content} AS INTEGER)), NULL"
            f" FROM {schema}.given AS g JOIN {schema}.names AS n ON n.name = g.name"
            " WHERE g.error IS NULL GROUP BY g.place, n.number"
        )

    def _put_records(self, fields: Sequence[str]) -> None:
        """Say how each record came out, in the order of `passed` (`record.py`)."""
        schema, under = self._schema, self._question.fail_under
        scale = self._relations.only(f"SELECT coalesce(bool_and(score {_ON_SCALE}), true) FROM {schema}.raw")[0]
        verdicts = (
            f"SELECT g.place, bool_or(g.verdict = 'fail') AS failing, bool_and(m.content = 1) AS content"
            f" FROM {schema}.given AS g LEFT JOIN {schema}.names AS n ON n.name = g.name"
            f" LEFT JOIN {schema}.marks AS m ON m.place = g.place AND m.evaluator = n.number GROUP BY g.place"
        )
        scored = f"r.score >= {FAIL_UNDER if under is None else under!r}"
        by_score = f"WHEN r.score IS NOT NULL THEN {scored}" if under is not None or scale else ""
        runner = "r.passed IS NOT NULL" + ("" if under is None else " AND r.score IS NULL")
        passed = (
            f"CASE WHEN {runner} THEN r.passed WHEN r.passed IS NULL AND v.failing THEN false"
            f" {by_score} ELSE v.content END"
        )
        cluster = self._question.cluster
        column = None if cluster is None else f"field{fields.index(cluster)}"
        label = "NULL" if column is None else f"nullif(list_aggregate({column}, 'string_agg', ' · '), '')"
        missing = "0" if self._question.errors_fail else "NULL"
        self._make(
            f"INSERT INTO {schema}.staged SELECT place, 0, 0, sample, '', target, attempt,"
            " CASE WHEN target <> '' OR attempt IS NOT NULL THEN 1 ELSE 0 END,"
            f" CASE WHEN error IS NOT NULL THEN {missing} ELSE CAST(passed AS INTEGER) END,"
            f" CASE WHEN error IS NOT NULL THEN {Ending.ERROR:d} WHEN passed IS NULL THEN {Ending.UNGRADED:d}"
            f" WHEN passed THEN {Ending.PASSED:d} ELSE {Ending.FAILED:d} END,"
            f" CASE WHEN error IS NULL THEN score END, {int(scale)}, label, 1, NULL"
            f" FROM (SELECT r.* EXCLUDE (passed), {passed} AS passed, {label} AS label FROM {schema}.raw AS r"
            f" LEFT JOIN ({verdicts}) AS v ON v.place = r.place) AS s WHERE sample IS NOT NULL"
        )
        if under is None and scale:
            silent = "r.passed IS NULL AND r.score IS NOT NULL"
            silent += f" AND r.place NOT IN (SELECT place FROM {schema}.given WHERE verdict = 'fail')"
            query = f"SELECT coalesce(bool_and({silent}), false) FROM {schema}.raw AS r JOIN {schema}.staged AS s"
            query += f" ON s.place = r.place WHERE s.state IN ({Ending.PASSED:d}, {Ending.FAILED:d})"
            self.by_score = self._relations.only(query)[0]

    def _put_cells(self) -> None:
        """Number the values of fields, crossed; a record has a cell for each of several values."""
        schema, by = self._schema, self._question.by
        if not by:
            return
        names = [f"value{index}" for index in range(len(by))]
        fields = ", ".join(f"field{index} AS {name}" for index, name in enumerate(names))
        query = f"SELECT place, {fields} FROM {schema}.raw"
        for name in names:
            values = f"unnest(CASE WHEN len({name}) = 0 THEN [NULL] ELSE {name} END) AS {name}"
            query = f"SELECT * EXCLUDE ({name}), {values} FROM ({query}) AS f"
        listed = ", ".join(names)
        self._make(
            f"CREATE TABLE {schema}.members AS SELECT place, {listed} FROM ({query}) AS f",
            f"CREATE TABLE {schema}.numbered AS SELECT row_number() OVER (ORDER BY min(place)) - 1 AS number,"
            f" {listed} FROM {schema}.members GROUP BY {listed}",
        )
        for number, *cell in self._relations.ask(f"SELECT number, {listed} FROM {schema}.numbered ORDER BY number"):
            self._relations.cells[tuple(cell)] = number
        same = " AND ".join(f"n.{name} IS NOT DISTINCT FROM m.{name}" for name in names)
        self._make(
            f"INSERT INTO {schema}.cells SELECT m.place, n.number FROM {schema}.members AS m"
            f" JOIN {schema}.numbered AS n ON {same}"
        )


_MAGIC = frozenset("*?[{")
_NO_FILE = "not read: no regular file"


def _files(relations: Relations, source: str) -> list[str]:
    """Return the files that DuckDB is to read.

    Raises:
        ResultsError: when one cannot be read, such as a pipe, or must not be followed, a link out of a folder: of
            a run without some of its parts no figures are told.
    """
    try:
        for path in no_files(source):
            raise ResultsError(_NO_FILE, path)
    except PatternError as error:
        raise ResultsError(str(error), Path(source)) from None
    named = source[: min(source.find(mark) for mark in _MAGIC if mark in source)] if _MAGIC & {*source} else source
    root = project_root(Path(named[: named.rfind("/") + 1]))
    files = [str(name) for name, *_ in relations.ask(f"SELECT file FROM glob({_text(source)})")]
    for name in files:
        leaves = name != source and not is_inside(name, root)
        if leaves or not is_file(name):
            raise ResultsError("not read: it leads out of the folder" if leaves else _NO_FILE, Path(name))
    return files


def _reader(source: str) -> str:
    bare = source.lower().removesuffix(".gz").removesuffix(".zst")
    if bare.endswith(SUFFIXES):
        return "read_parquet"
    return "read_csv_auto" if bare.endswith((".csv", ".tsv")) else "read_json_auto"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _texts(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"


def _label(value: str) -> str:
    """Return the expression of a JSON value as a text to group by; whole numbers are written as integers."""
    text, number = f"({value} ->> '$')", f"CAST({value} AS DOUBLE)"
    whole = f"{number} = trunc({number}) AND abs({number}) < {MAX_WHOLE}"
    return (
        f"CASE WHEN json_type({value}) <> 'DOUBLE' THEN {text}"
        f" WHEN {whole} THEN CAST(CAST({number} AS BIGINT) AS VARCHAR) ELSE {text} END"
    )


def _step(step: str | int) -> str:
    return f"[{step}]" if isinstance(step, int) else f'."{step}"'
