"""Where rows come from: a file of lines that is read bit by bit, or a file that has to be read as a whole."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import NamedTuple, Protocol

from sampleui.errors import ResultsError, results_errors
from sampleui.formats.data import DataPath, Plain, Table, deeper
from sampleui.review.record import hashed
from sampleui.review.results.scoring import ReportedMetrics, Scoring
from sampleui.sample.message_shapes import as_row
from sampleui.text.confined import opened, read_whole, size_of
from sampleui.text.limits import MAX_JSON_DEPTH, MAX_RESULTS_BYTES, MAX_RESULTS_LINE

BOM = b"\xef\xbb\xbf"
FILE = "file"
"""The key that a record of a folder has the name of its file under, unless it has one of this name itself."""

NOTES = "\0notes"
"""A key, which no tool uses, of rows of a `ResultSource` with what could not be read of them, a line each."""

QUICK_FROM = 8 << 20
"""Bytes of a file of lines from which on its lines are read by msgspec, which takes 20 ms to import."""

_PIECE = 1 << 16
"""Bytes in which the end of a line is looked for."""

_SPACE = b" \t\r\n"
_ODD = _SPACE + BOM[:1]
"""What a line begins or ends with of which something does not count."""


TOO_DEEP = f"nested more than {MAX_JSON_DEPTH} levels deep"
"""Why a row is not read whose values functions that call themselves could not go through."""


class ResultRow(NamedTuple):
    """One row.

    Attributes:
        position: where to find it again.
        line: its 1-based line.
        identity: what tells it from others: the bytes of a line, or the digest of a row that is no line.
        data: what it says.
        end: where the next one starts.
    """

    position: int
    line: int
    identity: bytes | str
    data: Table
    end: int

    @property
    def digest(self) -> str:
        """Its digest: 16 hex digits. A line is hashed each time, for a report of a large run asks for few."""
        return _line_digest(self.identity) if isinstance(self.identity, bytes) else self.identity


class Malformed(NamedTuple):
    """A row that cannot be read, and why."""

    line: int
    column: int
    message: str
    end: int


class RunFacts(NamedTuple):
    """What a document says of its run: when it was made, and the tool's own id of the evaluation; empty if not."""

    time: str = ""
    evaluation: str = ""


NO_FACTS = RunFacts()


class ResultSource(Protocol):
    """A file of rows.

    Attributes:
        size: in the unit of `Row.end`, for progress.
        whole: whether all of it is in memory, and `Row.end` counts rows and not bytes.
        container: the keys that its rows are under; empty for a list and for lines.
        known: whether its rows are made from what one tool writes, so that nobody need be asked whose they are.
        notes: what is to be known of the whole run, a line each.
        chosen: the ids of the samples that were to run, numbers for those without an id; None if it does not say.
        planned: how many records the run was to have; None if it does not say.
        metrics: the metrics that the run has of its scores.
        time: when the run was made, as it says itself; empty if it does not.
        evaluation: the tool's own id of the evaluation; empty where only rows may say it.
        files: the files that its rows are read from, where its path is a folder of them.
    """

    size: int
    whole: bool = False
    container: DataPath = ()
    known: bool = False
    notes: tuple[str, ...] = ()
    chosen: frozenset[str] | None = None
    planned: int | None = None
    metrics: tuple[ReportedMetrics, ...] = ()
    time: str = ""
    evaluation: str = ""
    files: tuple[Path, ...] = ()

    @property
    def scoring(self) -> Scoring:
        """What its scorers gave so far, where the runner does not say itself what passed."""
        return Scoring()

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return all rows in file order, those that cannot be read among them."""

    def raw(self, position: int) -> bytes:
        """Return the row at a place as bytes.

        Raises:
            ResultsError: when the file can no longer be read.
        """

    def row(self, position: int, digest: str) -> Table:
        """Return the row at a place.

        Raises:
            ResultsError: when it is no longer the row that the digest stands for.
        """


class Lines(ResultSource):
    """JSONL: nothing but the line at hand is held in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.size = size_of(path)
        self._decode = quick_decoder() if self.size >= QUICK_FROM else _decoded

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return all rows, blank lines left out. A line longer than 64 MiB is malformed."""
        position, line = 0, 0
        with opened(self.path) as file:
            while raw := file.readline(MAX_RESULTS_LINE):
                line, start = line + 1, position
                position += len(raw)
                if len(raw) == MAX_RESULTS_LINE and not raw.endswith(b"\n"):
                    if b"\0" in raw:
                        raise ResultsError("a binary file, not results", self.path, line)
                    while (rest := file.readline(MAX_RESULTS_LINE)) and not rest.endswith(b"\n"):
                        position += len(rest)
                    position += len(rest)
                    yield Malformed(line, 1, f"the line is longer than {MAX_RESULTS_LINE:,} bytes", position)
                elif raw[:1] == b"{" or raw.strip(_SPACE).removeprefix(BOM):  # to strip it copies it
                    row = _parsed(raw, start, line, position, self._decode)
                    if isinstance(row, Malformed) and not raw.endswith(b"\n"):
                        row = row._replace(message=f"{row.message}; the last line may still be written")
                    yield row

    def raw(self, position: int) -> bytes:
        """Return a line."""
        return next(self._raw_at([position]))

    def row(self, position: int, digest: str) -> Table:
        """Return the row of a line, proved to be the one that was indexed."""
        row = next(self.rows_at([position]))
        if row is None or row.digest != digest:
            raise ResultsError("the file changed since it was read; open it again", self.path)
        return row.data

    def rows_at(self, positions: Iterable[int]) -> Iterator[ResultRow | None]:
        """Yield the rows of lines, whatever they are now; None for none. Raises as `raw`."""
        for position, raw in zip(positions, self._raw_at(positions), strict=True):
            row = _parsed(raw, position, 0, position, self._decode)
            yield row if isinstance(row, ResultRow) else None

    def _raw_at(self, positions: Iterable[int]) -> Iterator[bytes]:
        with results_errors(self.path), opened(self.path) as file:
            for position in positions:
                file.seek(position)
                yield _line(file)


def _line(file: BufferedReader) -> bytes:
    """Read a line; of a long one its end is found first, for `readline` needs many times as long."""
    start = file.tell()
    piece = file.read(_PIECE)
    size = piece.find(b"\n") + 1
    if size or len(piece) < _PIECE:
        return piece[: size or None]
    size, buffer = _PIECE, bytearray(_PIECE)
    while size < MAX_RESULTS_LINE and (read := file.readinto(buffer)):
        end = buffer.find(b"\n", 0, read) + 1
        size += end or read
        if end:
            break
    file.seek(start)
    return file.read(min(size, MAX_RESULTS_LINE))


class Whole(ResultSource):
    """TOML, a JSON list or one JSON object: read at once and kept."""

    whole = True

    def __init__(
        self, rows: list[ResultRow | Malformed], container: DataPath = (), about: RunFacts = NO_FACTS
    ) -> None:
        self.rows = rows
        self.container = container
        self.time, self.evaluation = about
        self.size = len(rows)

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return all rows."""
        return iter(self.rows)

    def raw(self, position: int) -> bytes:
        """Return a row as JSON."""
        return canonical(self.row(position, ""))

    def row(self, position: int, digest: str) -> Table:
        """Return a row."""
        row = self.rows[position]
        assert isinstance(row, ResultRow)
        return row.data


def canonical(data: object) -> bytes:
    """Return data as canonical JSON, which depends on its values alone: keys sorted, dates in ISO form."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), default=str).encode()


def table_digest(data: Table) -> str:
    """Return a digest of a row that is no line: 16 hex digits."""
    return hashed(canonical(data))


def _line_digest(raw: bytes) -> str:
    """Return a digest of a line: 16 hex digits. White space around it, line ends included, does not count."""
    end = len(raw) - raw.endswith(b"\n") - raw.endswith(b"\r\n")
    if end and raw[0] not in _ODD and raw[end - 1] not in _ODD:
        return hashed(memoryview(raw)[:end])  # as most lines are: a copy of 15 MB takes as long as to read them
    return hashed(raw.strip(_SPACE).removeprefix(BOM))


def _decoded(raw: bytes) -> Plain:
    value: Plain = json.loads(raw.decode("utf-8"))
    return value


def quick_decoder() -> Callable[[bytes], Plain]:
    """Return a decoder that gives what the standard library gives, in a third of its time.

    What msgspec refuses (NaN, halves of surrogate pairs, whatever is broken) is read, or refused, as in any file.
    """
    import msgspec

    quick = msgspec.json.Decoder().decode

    def decoded(raw: bytes) -> Plain:
        try:
            value: Plain = quick(raw)
        except (ValueError, RecursionError):
            return _decoded(raw)
        return value

    return decoded


def _parsed(
    raw: bytes, position: int, line: int, end: int, decode: Callable[[bytes], Plain]
) -> ResultRow | Malformed:
    try:
        data = as_row(decode(raw.removeprefix(BOM)))
    except json.JSONDecodeError as error:
        return Malformed(line, error.colno, f"not JSON: {error.msg}", end)
    except UnicodeDecodeError as error:
        return Malformed(line, error.start + 1, "not UTF-8", end)
    except (ValueError, RecursionError) as error:
        return Malformed(line, 1, f"cannot be read: {error}", end)
    if raw.count(b"[") + raw.count(b"{") > MAX_JSON_DEPTH and deeper(data, MAX_JSON_DEPTH):
        return Malformed(line, 1, TOO_DEEP, end)
    if not isinstance(data, dict):
        return Malformed(line, 1, "not a JSON object", end)
    return ResultRow(position, line, raw, data, end)


def whole_text(path: Path) -> str:
    """Return the text of a file of at most 256 MiB.

    Raises:
        ResultsError: when it is larger, or not UTF-8.
    """
    if size_of(path) > MAX_RESULTS_BYTES:
        raise ResultsError(f"larger than {MAX_RESULTS_BYTES:,} bytes; only JSONL can be read in pieces", path)
    return text_of(read_whole(path, MAX_RESULTS_BYTES), path)


def text_of(data: bytes, path: Path) -> str:
    """Return the text of a file that has been read whole. Raises `ResultsError` when it is not UTF-8."""
    try:
        return data.removeprefix(BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise ResultsError("not UTF-8 text", path, line) from error
