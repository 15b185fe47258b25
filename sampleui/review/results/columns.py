"""Runs that lie in columns, as rows: Parquet, CSV or JSON, here or in an object store, read by DuckDB.

DuckDB writes each row as a line of JSON, and from there on it is read as a line of any file is: by who reads its
rows, for the same figures. It needs the extra `sampleui[duckdb]`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sampleui.errors import ResultsError
from sampleui.review.results.adapter_selection import adapters_of_file
from sampleui.review.results.file import Results
from sampleui.review.results.sources import Lines
from sampleui.text.confined import is_file, is_inside, project_root
from sampleui.text.patterns import PatternError, no_files
from sampleui.text.temporary import temporary_folder

SUFFIXES = (".parquet", ".parq")
"""Endings of files in columns that no other reader takes."""

_SAMPLES = ("test_id", "sample_id", "sample", "id")


def is_in_columns(source: str) -> bool:
    """Tell whether runs are meant that DuckDB reads: Parquet, a glob, or the address of an object."""
    return source.lower().endswith(SUFFIXES) or "://" in source or ("*" in source and not source.endswith("*"))


@contextmanager
def opened_columns(source: str) -> Iterator[Results]:
    """Give the records of a run in columns, which are written out as lines of JSON for as long.

    Args:
        source: a path, a glob or an address, as DuckDB takes it.

    Raises:
        ResultsError: DuckDB is not installed, or cannot read the run, or no column has the names of samples.
    """
    path = Path(source)
    with temporary_folder("sampleui-columns-") as folder:
        lines = folder / "rows.jsonl"
        _write_lines(source, lines)
        rows = Lines(lines)
        yield Results(path, rows, adapters_of_file(rows, (), path.stem))


def _write_lines(source: str, lines: Path) -> None:
    duckdb = _duckdb()
    connection = duckdb.connect()
    try:
        if "://" in source:
            _reach(source.partition("://")[0].lower(), duckdb, connection)
        files = [] if "://" in source else _files(connection, source)
        columns = f"{_reader(source)}({_texts(files) if files else _text(source)})"
        names = [name for name, *_ in connection.execute(f"DESCRIBE SELECT * FROM {columns}").fetchall()]
        if not any(name in _SAMPLES for name in names):
            raise ResultsError(f"{source}: no column has the samples' names ({', '.join(_SAMPLES)})")
        connection.execute("SET threads = 1")  # each keeps a group of rows in memory, to put them in order
        connection.execute(f"COPY (SELECT * FROM {columns}) TO {_text(str(lines))} (FORMAT json)")
    except duckdb.Error as error:
        raise ResultsError(_in_words(error)) from error
    finally:
        connection.close()


_MAGIC = frozenset("*?[{")
_NO_FILE = "not read: no regular file"


def _files(connection: Any, source: str) -> list[str]:
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
    globbed = connection.execute(f"SELECT file FROM glob({_text(source)})").fetchall()
    files = [str(name) for name, *_ in globbed]
    for name in files:
        leaves = name != source and not is_inside(name, root)
        if leaves or not is_file(name):
            raise ResultsError("not read: it leads out of the folder" if leaves else _NO_FILE, Path(name))
    return files


_S3 = frozenset({"s3", "s3a", "s3n"})
_EXTENSION = "httpfs"
_BY_PIP = "pip install duckdb-extension-httpfs"


def _reach(scheme: str, duckdb: Any, connection: Any) -> None:
    """Let DuckDB read addresses: by its extension, as installed by itself or by pip, and keys of the environment.

    Raises:
        ResultsError: the extension is neither installed nor can be.
    """
    try:
        connection.execute(f"LOAD {_EXTENSION}")
    except duckdb.Error as error:
        packed = _packed_extension()
        if packed is None:
            raise ResultsError(f"{scheme}:// is read by DuckDB's extension {_EXTENSION}: {_BY_PIP}") from error
        connection.execute(f"LOAD {_text(str(packed))}")
    key = os.environ.get("AWS_ACCESS_KEY_ID")
    if scheme in _S3 and key:
        connection.execute(f"CREATE OR REPLACE SECRET ({', '.join(_secret(key))})")


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


def _reader(source: str) -> str:
    bare = source.lower().removesuffix(".gz").removesuffix(".zst")
    if bare.endswith(SUFFIXES):
        return "read_parquet"
    return "read_csv_auto" if bare.endswith((".csv", ".tsv")) else "read_json_auto"


def _text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _texts(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_text, texts))}]"
