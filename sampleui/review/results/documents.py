"""Which reader opens a results file, by its name and its first bytes, and the readers of files read as a whole.

These are TOML, YAML, CSV, a JSON list or one JSON object; lines are read by `sources.py`, logs by an integration.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import fnmatch
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, cast

from sampleui.errors import FormatError, OtherFileError, ResultsError, results_errors
from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, deeper
from sampleui.formats.document import Document
from sampleui.formats.registry import BY_NAME, BY_SUFFIX, TABLES, parse_begun
from sampleui.integrations import index
from sampleui.review.results.adapters import adapter_of, claims, is_tabled, tables_for
from sampleui.review.results.dialect import ResultDialect
from sampleui.review.results.guessing import TEXTS, guessed_records, guessed_rows, is_of_a_run
from sampleui.review.results.run_paths import record_files
from sampleui.review.results.sources import (
    FILE,
    NO_FACTS,
    TOO_DEEP,
    Lines,
    Malformed,
    ResultRow,
    ResultSource,
    RunFacts,
    Whole,
    table_digest,
    text_of,
    whole_text,
)
from sampleui.sample.dialects.dialect import value_at
from sampleui.sample.dialects.table_paths import paths_ending_in
from sampleui.sample.message_shapes import as_row, is_chat, is_talk
from sampleui.sample.other_files import other_document, other_file
from sampleui.text.confined import START, belongs, listed, size_of
from sampleui.text.limits import MAX_GUESSED_DEPTH, MAX_JSON_DEPTH, MAX_RESULTS_BYTES

if TYPE_CHECKING:
    from sampleui.formats.yaml.nodes import YamlNode


_LINES = frozenset({".jsonl", ".ndjson"})
_NO_ROWS = frozenset({".csv", ".tsv", ".html", ".htm", ".xml", ".md", ".txt", ".log", ".js", ".ts", ".mjs", ".py"})
"""Endings of what tools write for people and for other programs beside their results, and of programs."""


def result_source(
    file: Path,
    dialects: Sequence[ResultDialect],
    start: bytes,
    *,
    anyones: bool = False,
    asked: bool = False,
) -> ResultSource:
    """Return the rows of a results file, by what its name and its first bytes say it is.

    Args:
        file: the file.
        dialects: the user's result dialects, which go before those that are shipped.
        start: its first bytes, all of them or `START`.
        anyones: whether rows are wanted of a file that is told for one of another tool without results, too.
        asked: whether somebody said that these are results, so that a table is read that nobody graded.

    Raises:
        OtherFileError: when it is told for a file of another tool, and no dialect of the user's reads its rows.
        ResultsError: when it is binary, not in its format, or holds no results.
        OSError: when it cannot be read.
    """
    if (log := _log_source(file, start)) is not None:
        return log
    sign = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if b"\0" in start and sign not in (b"{", b"["):  # a NUL inside a line of JSON costs that line and no other
        raise ResultsError("a binary file, not results", file)
    suffix = file.suffix.lower()
    if suffix == ".toml":
        return _results_of(file, read_toml(file))
    lines = suffix in _LINES or _of_lines(start)
    if (sign == b"[" and not _lists(start)) or (not lines and (suffix == ".json" or sign == b"{")):
        return read_json(file, dialects, anyones=anyones)
    if suffix in {".yaml", ".yml"}:
        return _results_of(file, read_yaml(file, dialects))
    if suffix in _LINES or sign in (b"{", b"[") or not sign:
        if not anyones:
            refuse_other(_begun(start), {}, file, dialects)
        return _conversation(file, start, dialects) or Lines(file)
    if suffix in TABLES:
        columns, rows = first_cells(file, start, dialects)
        if not anyones:
            refuse_other([dict.fromkeys(columns), *rows], {}, file, dialects)
        table = guessed_rows(rows) or guessed_records(rows)
        known = any(is_tabled(row, dialects) for row in rows)
        if known or (table is not None and (anyones or asked or is_of_a_run(table))):
            return read_cells(file, dialects)
        if table is None:
            raise ResultsError("nothing in its columns looks like something to read or to grade", file)
    if suffix in _NO_ROWS:
        forms = "results are JSON, JSON Lines, YAML, TOML or a log"
        raise ResultsError(f"{forms}; let the tool write one instead of {suffix}", file)
    return _results_of(file, read_toml(file))


def _log_source(path: Path, head: bytes) -> ResultSource | None:
    """Return the records of a log, given the first 64 KiB of a file; None when it is not one."""
    likely = [name for name, log in index.logs() if log.is_named_or_begins(path, head)]
    likely += [name for name, log in index.logs() if name not in likely and log.may_be_json(head)]
    sources = (index.integration(name).results().open_log(path, head) for name in likely)
    return next((source for source in sources if source is not None), None)


def _lists(head: bytes) -> bool:
    """Tell whether a file has a conversation on its first line, and something on the next."""
    first, _, rest = head.removeprefix(b"\xef\xbb\xbf").partition(b"\n")
    return bool(rest.strip()) and is_chat(_value(first))


def _begun(head: bytes) -> Iterator[Table]:
    """Yield the objects of the first lines that are whole."""
    for line in head.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            row: Plain = json.loads(line)
            if isinstance(row, dict):
                yield row


def _conversation(file: Path, head: bytes, dialects: Sequence[ResultDialect]) -> Whole | None:
    """Return a file of lines each of which is a message as the one conversation that it is; None for any other."""
    begun = [*_begun(head)]
    known = any(adapter_of(row) is not None or any(claims(dialect, row) for dialect in dialects) for row in begun)
    if known or not is_talk(begun):
        return None
    rows = [_value(line) for line in whole_text(file).split("\n") if line.strip()]
    return _whole([({"messages": rows}, 1)]) if is_chat(rows) else None


def _value(line: bytes | str) -> Plain:
    """Return what a line says; nothing where it is not whole."""
    try:
        value: Plain = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return value


def _of_lines(head: bytes) -> bool:
    """Tell whether a file named `.json` holds one object on each line."""
    first, _, rest = head.partition(b"\n")
    return first.rstrip().endswith(b"}") and rest.startswith(b"{")


def _results_of(file: Path, whole: Whole) -> Whole:
    if not whole.rows:
        raise ResultsError("no results in it: no list of them, and no graderResults with results", file)
    return whole


ROW_CONTAINERS = ("results", "records", "samples", "rows", "tests")
_LOOKED_AT = 20
_GAP = re.compile(r"[\s,:]*")
"""What stands between the keys and values of JSON."""


def read_toml(path: Path) -> Whole:
    """Read results in TOML: the rows that an integration finds in the document.

    Raises:
        ResultsError: when the file is not TOML.
    """
    import tomli

    text = whole_text(path)
    try:
        document = cast("Table", tomli.loads(text))
    except (ValueError, RecursionError) as error:  # TOMLDecodeError is a ValueError; so are numbers without end
        raise _unread(error, path) from error
    lines, seen = _header_lines(text), Counter[tuple[str, ...]]()
    rows: list[ResultRow | Malformed] = []
    holders = (index.integration(name).results() for name in index.holders(document))
    for keys, data in (row for holder in holders for row in holder.find_rows(document)):
        paths = lines.get(keys, [])
        rows.append(_row_or_malformed(len(rows), paths[seen[keys]] if seen[keys] < len(paths) else 1, data))
        seen[keys] += 1
    return Whole(rows)


def read_json(path: Path, dialects: Sequence[ResultDialect] = (), *, anyones: bool = False) -> Whole:
    """Read a JSON list of rows, an object that holds lists of them, or one row.

    Args:
        path: the file.
        dialects: as in `result_source`.
        anyones: as in `result_source`.

    Raises:
        OtherFileError: as in `result_source`.
        ResultsError: when the file is not JSON, or sums up records that are in other files.
    """
    text = whole_text(path)
    try:
        document: Plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _unread(error, path) from error
    if summed := summary_of(document, path):
        raise OtherFileError(f"these are {summed}", path)
    whole = _rows_of(document, dialects, text, lambda list_path: _item_starts(text, list_path))
    if not anyones:
        refuse_other(
            [row.data for row in whole.rows[:_LOOKED_AT] if isinstance(row, ResultRow)], document, path, dialects
        )
    return whole


def refuse_other(rows: Iterable[Table], document: Plain, path: Path, dialects: Sequence[ResultDialect]) -> None:
    """Refuse a file that is told for one of another tool without results, if no dialect of the user's reads it.

    Args:
        rows: its first rows.
        document: the value that it is as a whole; an empty table for lines.
        path: the file.
        dialects: as in `result_source`.

    Raises:
        OtherFileError: when it is that.
    """
    some = [*rows]
    if not any(claims(dialect, row) for dialect in dialects for row in some):
        kind = other_document(document) or other_file(some)
        if kind is not None:
            raise OtherFileError(kind.reason, path, traced=kind.traced)


def read_yaml(path: Path, dialects: Sequence[ResultDialect] = ()) -> Whole:
    """Read YAML as `read_json` reads JSON.

    Raises:
        ResultsError: when the file is not YAML.
    """
    from sampleui.formats.yaml.nodes import compose
    from sampleui.formats.yaml.values import Reading

    def missing(name: str) -> Plain:
        raise AssertionError(f"*{name} has no anchor, but was composed")

    text = whole_text(path)
    try:
        with results_errors(path):
            root = compose(text)
            document = None if root is None else Reading(text, missing).value(root)
    except RecursionError as error:
        raise ResultsError("nested too deeply", path) from error
    return _rows_of(document, dialects, text, lambda list_path: _node_starts(root, list_path))


def _rows_of(
    document: Plain, dialects: Sequence[ResultDialect], text: str, starts: Callable[[DataPath], Iterable[int]]
) -> Whole:
    """Return the rows of a document, given where in its text the items of the list or table at a place begin.

    A conversation is one row; a table may hold the rows by their ids, or their values by column.
    """
    if is_chat(document):
        return _whole([({"messages": document}, 1)])
    paths = lists_of(document, dialects)
    if not paths:
        data = {} if _is_row(document) else as_table(document)
        if rows := _rows_by_id(data):
            return _whole(zip(rows, _lines_at(text, starts(())), strict=False))
        return _whole([(row, 1) for row in _rows_by_column(data)] or [(document, 1)])
    with_lines = (
        placed
        for path in paths
        for placed in zip(as_list(value_at(document, path)), _lines_at(text, starts(path)), strict=False)
    )
    return _whole(with_lines, paths[0], _facts_of(document, dialects))


def _node_starts(root: YamlNode | None, path: DataPath) -> Iterable[int]:
    """Return where each item of the list at a place of a YAML text begins."""
    node = root
    for step in path:
        members = zip(node.keys, node.items, strict=True) if node and node.keys else ()
        node = next((item for key, item in members if key.value == step), None)
    return (item.start for item in node.items) if node else ()


def _lines_at(text: str, starts: Iterable[int]) -> Iterator[int]:
    """Yield the lines of places in a text, each of which is behind the one before."""
    line, counted = 1, 0
    for start in starts:
        line, counted = line + text.count("\n", counted, start), start
        yield line


def lists_of(document: Plain, dialects: Sequence[ResultDialect] = ()) -> tuple[DataPath, ...]:
    """Return where the lists of rows are in a document; nothing if it is one row itself.

    They stand where a dialect has them whose marks one of the rows bears, or else under one of the usual keys.
    """
    if isinstance(document, list):
        return ((),)
    keys = {key for row in _rows_below(document, 1) for key in row}
    for dialect in (*dialects, *tables_for(keys)):
        paths = tuple(
            container for container in dialect.containers if isinstance(value_at(document, container), list)
        )
        if any(
            isinstance(row, dict) and claims(dialect, row)
            for path in paths
            for row in as_list(value_at(document, path))
        ):
            return paths
    data = as_table(document)
    if _is_row(data):
        return ()
    usual: list[DataPath] = [(key,) for key in ROW_CONTAINERS if isinstance(data.get(key), list)]
    usual = usual or sorted(_tables_in(data, (), 1), key=lambda path: -len(as_list(value_at(document, path))))
    return tuple(usual[:1])


def _is_row(document: Plain) -> bool:
    """Tell whether a document is one row: it has an id, or a dialect knows it."""
    data = as_table(document)
    return "id" in data or adapter_of(data) is not None


def _rows_by_id(data: Table) -> list[Table]:
    """Return the rows of a table that has them by their ids, if each looks like a row; none of any other."""
    rows: list[Table] = [{"id": key, **value} for key, value in data.items() if isinstance(value, dict)]
    shared = frozenset.intersection(*map(frozenset, rows)) if rows else frozenset()
    if len(rows) < max(2, len(data)) or len(shared) < 2 or all(map(str.isdecimal, shared - {"id"})):
        return []
    keys_guessed = (guessed_records(rows) or {}).keys()
    return rows if guessed_rows(rows) or "messages" in keys_guessed or keys_guessed >= {"actual", "prompt"} else []


def _rows_by_column(data: Table) -> list[Table]:
    """Return the rows of a table that has columns, lists of one length or tables by number, as pandas has them."""
    if data.keys() >= {"columns", "data"} and all(isinstance(row, list) for row in as_list(data["data"])):
        names = [*map(str, as_list(data["columns"]))]
        return [dict(zip(names, as_list(row), strict=False)) for row in as_list(data["data"])]
    columns = [
        as_table(value) or {str(number): item for number, item in enumerate(as_list(value))}
        for value in data.values()
    ]
    numbers = [*{tuple(column) for column in columns}]
    if len(columns) < 2 or len(numbers) != 1 or len(numbers[0]) < 2 or not all(map(str.isdecimal, numbers[0])):
        return []
    return [
        dict(zip(data, values, strict=True))
        for values in zip(*(column.values() for column in columns), strict=True)
    ]


def _rows_below(value: Plain, depth: int) -> Iterator[Table]:
    """Yield the tables in lists below a document."""
    for item in value.values() if isinstance(value, dict) and depth <= MAX_GUESSED_DEPTH else ():
        if isinstance(item, list):
            yield from (row for row in item if isinstance(row, dict))
        else:
            yield from _rows_below(item, depth + 1)


def _tables_in(data: Table, above: DataPath, depth: int) -> Iterator[DataPath]:
    """Yield where lists stand whose items are tables."""
    for key, value in data.items():
        if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            if not is_chat(value):
                yield (*above, key)
        elif isinstance(value, dict) and depth < MAX_GUESSED_DEPTH:
            yield from _tables_in(value, (*above, key), depth + 1)


def _unread(error: Exception, path: Path) -> ResultsError:
    message = "nested too deeply" if isinstance(error, RecursionError) else str(error)
    return ResultsError(message, path, getattr(error, "lineno", None), getattr(error, "colno", None))


def _facts_of(document: Plain, dialects: Sequence[ResultDialect]) -> RunFacts:
    """Return what a document says of its run, where a dialect of its rows knows places for that."""
    keys = {key for row in _rows_below(document, 1) for key in row}
    known = (*dialects, *tables_for(keys))
    return RunFacts(
        _first_text(document, (path for dialect in known for path in dialect.times)),
        _first_text(document, (path for dialect in known for path in dialect.evaluations)),
    )


def _first_text(document: Plain, paths: Iterable[DataPath]) -> str:
    values = (value_at(document, path) for path in paths)
    return next((value for value in values if isinstance(value, str)), "")


def rows_whole(rows: Iterable[Table]) -> Whole:
    """Return rows that were collected from several files."""
    return _whole((row, 1) for row in rows)


def _whole(placed: Iterable[tuple[Plain, int]], container: DataPath = (), about: RunFacts = NO_FACTS) -> Whole:
    rows = [_row_or_malformed(index, line, data) for index, (data, line) in enumerate(placed)]
    return Whole(rows, container, about)


def _row_or_malformed(index: int, line: int, value: Plain) -> ResultRow | Malformed:
    if deeper(value, MAX_JSON_DEPTH):
        return Malformed(line, 1, TOO_DEEP, index + 1)
    data = as_row(value)
    if not isinstance(data, dict):
        return Malformed(line, 1, "not a JSON object", index + 1)
    return ResultRow(index, line, table_digest(data), data, index + 1)


def read_record_files(folder: Path) -> Whole:
    """Read the records of a folder of JSON files; the line of a record is the number of its file.

    Each file is a record or a list of them. Other files may lie among them, so the folder is a run only where most
    of its records can be read (`open_results` sees to that).

    Raises:
        ResultsError: when they are larger together than a file of results may be.
    """
    files = record_files(folder)
    if sum(map(size_of, files)) > MAX_RESULTS_BYTES:
        raise ResultsError(f"its files are larger than {MAX_RESULTS_BYTES:,} bytes", folder)
    rows: list[ResultRow | Malformed] = []
    for number, path in enumerate(files, 1):
        name = path.relative_to(folder).as_posix()
        for data in _records_in(path):
            index = len(rows)
            if isinstance(data, str):
                rows.append(Malformed(number, 1, f"{name}: {data}", index + 1))
            else:
                named = {**data, FILE: data.get(FILE, name)}
                rows.append(ResultRow(index, number, table_digest(named), named, index + 1))
    return Whole(rows)


def _records_in(path: Path) -> Iterator[Table | str]:
    """Yield the records of a file, or in words why it has none."""
    try:
        with results_errors(path):
            document: Plain = json.loads(whole_text(path))
    except ResultsError as error:
        yield error.message
        return
    except (ValueError, RecursionError) as error:
        yield "nested too deeply" if isinstance(error, RecursionError) else f"not JSON: {error}"
        return
    if deeper(document, MAX_JSON_DEPTH):
        yield TOO_DEEP
        return
    document = as_row(document)
    for item in map(as_row, document if isinstance(document, list) else [document]):
        yield item if isinstance(item, dict) else "not a JSON object"


def _header_lines(text: str) -> dict[tuple[str, ...], list[int]]:
    """Return the lines of the `[[…]]` headers by the keys they name."""
    from sampleui.formats.toml.scan import blocks, trivia_end

    headers = [(block.path, trivia_end(text, block.lead)) for block in blocks(text) if block.listed]
    lines: dict[tuple[str, ...], list[int]] = {}
    for (keys, _), line in zip(headers, _lines_at(text, (start for _, start in headers)), strict=True):
        lines.setdefault(keys, []).append(line)
    return lines


def _item_starts(text: str, path: DataPath) -> Iterator[int]:
    """Yield where each item of the list or table at a place of a valid JSON text begins, however deep it is."""
    decoder = json.JSONDecoder()
    position = _after_gap(text, 0)
    for step in path:
        position = _member(text, position, step, decoder)
    by_key, position = text[position] == "{", position + 1
    while text[position := _after_gap(text, position)] not in "]}":
        yield position
        for _ in range(2 if by_key else 1):
            position = decoder.raw_decode(text, _after_gap(text, position))[1]


def _member(text: str, position: int, key: str | int, decoder: json.JSONDecoder) -> int:
    """Return where the value of a key of an object begins; of several with one key the last, whose value counts."""
    value_start, position = position, position + 1
    while text[position := _after_gap(text, position)] != "}":
        name, position = decoder.raw_decode(text, position)
        position = _after_gap(text, position)
        value_start = position if name == key else value_start
        position = decoder.raw_decode(text, position)[1]
    return value_start


def _after_gap(text: str, position: int) -> int:
    gap = _GAP.match(text, position)
    assert gap is not None
    return gap.end()


_NUMBER = re.compile(r"-?(?:[0-9]{1,18}(?:\.[0-9]{0,18})?|\.[0-9]{1,18})(?:[eE][+-]?[0-9]{1,2})?")
_LINES_LOOKED_AT = 50
_TRUTHS = {"true": True, "false": False}


def read_cells(path: Path, dialects: Sequence[ResultDialect] = ()) -> Whole:
    """Read the rows of a table.

    A cell is a number, true or false, or a JSON list or table if it looks like one, but in columns of ids, prompts
    and answers, by their names or by a dialect of the user's: there `1e3` is what was answered.

    Args:
        path: the file.
        dialects: as in `result_source`.

    Raises:
        ResultsError: when it is no table, with line and column.
    """
    text = whole_text(path)
    with results_errors(path):
        document = BY_SUFFIX.get(path.suffix.lower(), BY_NAME["csv"]).parse(text)
        empty: Table = dict.fromkeys(document.columns or ())
        if not is_tabled(empty):
            empty = {}  # else a row without a cell is still told by the columns that it shares
        rows: list[ResultRow | Malformed] = []
        for number, data in enumerate(_cells(document, dialects)):
            line = document.position(number).line
            if isinstance(data, FormatError):
                rows.append(Malformed(line, data.column or 1, data.message, number + 1))
            else:
                rows.append(ResultRow(number, line, table_digest(data), {**empty, **data}, number + 1))
    return Whole(rows)


def first_cells(
    path: Path, head: bytes, dialects: Sequence[ResultDialect] = ()
) -> tuple[tuple[str, ...], list[Table]]:
    """Return the columns of a table, and its first rows as `read_cells` reads them, without keys for empty cells.

    Rows that cannot be read are left out.

    Args:
        path: the table.
        head: its first bytes, all of them or `START`; if no row is whole in them, the file is read.
        dialects: as in `result_source`.

    Raises:
        ResultsError: when it is no table, with line and column.
    """
    is_all = len(head) < START
    with results_errors(path):
        begun = () if is_all else parse_begun(head.decode("utf-8", "ignore"), path)
        document = begun or BY_SUFFIX[path.suffix.lower()].parse(
            text_of(head, path) if is_all else whole_text(path)
        )
    looked_at = islice(_cells(document, dialects), _LINES_LOOKED_AT)
    return document.columns or (), [row for row in looked_at if not isinstance(row, FormatError)]


def _cells(document: Document, dialects: Iterable[ResultDialect]) -> Iterator[Table | FormatError]:
    """Yield the values of the cells of each row of a table, or why it cannot be read."""
    texts = {*_texts_of(document.columns or (), dialects)}
    for number in range(len(document)):
        try:
            yield {key: _value_of(key, cell, texts) for key, cell in document.read(number).items()}
        except FormatError as error:
            yield error


def _texts_of(columns: Sequence[str], dialects: Iterable[ResultDialect]) -> Iterator[str]:
    yield from paths_ending_in(columns, TEXTS.split())
    for dialect in dialects:
        for path in (*dialect.ids, *dialect.actual, *dialect.expected, *dialect.prompts, *dialect.reasons):
            if len(path) == 1:
                yield str(path[0])


def _value_of(key: str, cell: Plain, texts: set[str]) -> Plain:
    if not isinstance(cell, str) or key in texts:
        return cell
    if _NUMBER.fullmatch(cell):
        return float(cell) if not cell.lstrip("-").isdigit() else int(cell)
    if cell.lower() in _TRUTHS:
        return _TRUTHS[cell.lower()]
    from sampleui.formats.json.spans import structure

    parsed = structure(cell)
    return cell if parsed is None else parsed


_NAMED = 3


def summary_of(document: Plain, path: Path) -> str:
    """Return what a document is if it only sums up results whose records are in other files; else nothing."""
    data = as_table(document)
    summaries = (index.integration(name).results().describe_summary(data, path) for name in index.summarizers(data))
    return next((summary for summary in summaries if summary), "")


def sibling_names(path: Path, pattern: str) -> list[str]:
    """Return the names of the files beside another whose names match a pattern."""
    return [file.name for file in listed(path.parent).paths if fnmatch(file.name, pattern) and belongs(file)]


def to_open(names: Sequence[str]) -> str:
    """Return which files to open, nothing if there are none."""
    if not names:
        return ""
    more = f" or {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"open {', '.join(names[:_NAMED])}{more}"
