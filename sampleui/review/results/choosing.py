"""Which reader opens a results file, by its suffix and its content."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.formats.registry import TABLES
from sampleui.review.results.adapters import is_tabled
from sampleui.review.results.dialect import ResultDialect
from sampleui.review.results.documents import (
    HEAD,
    first_cells,
    read_cells,
    read_json,
    read_toml,
    read_yaml,
    refuse_other,
)
from sampleui.review.results.guessing import guessed_rows, is_of_a_run
from sampleui.review.results.logs import log_source
from sampleui.review.results.sources import Lines, Source, Whole
from sampleui.text.confined import opened

_LINES = frozenset({".jsonl", ".ndjson"})
_NO_ROWS = frozenset({".csv", ".tsv", ".html", ".htm", ".xml", ".md", ".txt", ".log", ".js", ".ts", ".mjs", ".py"})
"""Endings of what tools write for people and for other programs beside their results, and of programs."""


def source_of(file: Path, own: Sequence[ResultDialect], *, anyones: bool = False) -> Source:
    """Return the rows of a results file, by what its name and its first bytes say it is.

    Args:
        file: the file.
        own: the result dialects that go before those that are shipped.
        anyones: whether rows are wanted of a file that is told for one of another tool without results, too.

    Raises:
        OtherFileError: when it is told for a file of another tool, and no dialect of `own` reads its rows.
        ResultsError: when it is binary, not in its format, or holds no results.
        OSError: when it cannot be read.
    """
    with opened(file) as begun:
        head = begun.read(HEAD)
    if (log := log_source(file, head)) is not None:
        return log
    start = head.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if b"\0" in head and start not in (b"{", b"["):  # a NUL inside a line of JSON costs that line and no other
        raise ResultsError("a binary file, not results", file)
    suffix = file.suffix.lower()
    if suffix == ".toml":
        return _results_of(file, read_toml(file))
    lines = suffix in _LINES or _of_lines(head)
    if start == b"[" or (not lines and (suffix == ".json" or start == b"{")):
        return read_json(file, own, anyones=anyones)
    if suffix in {".yaml", ".yml"}:
        return _results_of(file, read_yaml(file, own))
    if suffix in _LINES or start == b"{" or not start:
        if not anyones:
            refuse_other(_begun(head), {}, file, own)
        return Lines(file)
    if suffix in TABLES:
        columns, rows = first_cells(file, head, own)
        if not anyones:
            refuse_other([dict.fromkeys(columns), *rows], {}, file, own)
        table = guessed_rows(rows)
        known = any(is_tabled(row, own) for row in rows)
        if known or (table is not None and is_of_a_run(table)):
            return read_cells(file, own)
    if suffix in _NO_ROWS:
        forms = "results are JSON, JSON Lines, YAML, TOML or a log of Inspect"
        raise ResultsError(f"{forms}; let the tool write one instead of {suffix}", file)
    return _results_of(file, read_toml(file))


def _begun(head: bytes) -> Iterator[Table]:
    """Yield the objects of the first lines that are whole."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            row: Plain = json.loads(line)
            if isinstance(row, dict):
                yield row


def _of_lines(head: bytes) -> bool:
    """Tell whether a file named `.json` holds an object a line."""
    first, _, rest = head.partition(b"\n")
    return first.rstrip().endswith(b"}") and rest.startswith(b"{")


def _results_of(file: Path, whole: Whole) -> Whole:
    if not whole.rows:
        raise ResultsError("no results in it: no list of them, and no graderResults with results", file)
    return whole
