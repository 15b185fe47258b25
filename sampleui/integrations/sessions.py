"""Sessions of coding agents: files in lines, of which each is one record that nobody graded.

What a file says is a list of events, which the integration of its program makes of its lines. What is the same for
all programs is here: which files of a folder are sessions, the facts that a queue shows, and the reading of one.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.garbage import collector_off
from sampleui.integrations.entry import LogSigns
from sampleui.integrations.integration import Hydrated, ReadingResults, RunFiles, Sharing
from sampleui.review.record import ParsedRow, hashed
from sampleui.review.results import fields
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import ResultDialect, Spent
from sampleui.review.results.sources import Lines, Malformed, ResultRow, ResultSource
from sampleui.sample.dialects.dialect import DialectMark, paths
from sampleui.text.confined import below, is_file, is_link, listed, read_whole, size_of, start_of
from sampleui.text.limits import MAX_AGENT_FILES, MAX_RUN_DEPTH, MAX_RUN_FOLDERS, MAX_SESSION_BYTES
from sampleui.text.wording import counted, first_words
from sampleui.trace.summary import instant, milliseconds

SUFFIXES = (".jsonl", ".ndjson")
NOTES = "session_notes"
"""The key of a row with what could not be read of its session, and what is left out of it, a line each."""

_SHORT = 8


class AgentSession(NamedTuple):
    """What a session says.

    Attributes:
        id: what its program calls it; empty if it does not say.
        events: its events in wire form, those of sub-agents behind the call that began them.
        facts: keys of its row: `asked` (what a person typed first), `cwd`, `model`, `title`, and what else its
            program says of it as a whole; null is left out.
        notes: what could not be read, and what is left out, a line each.
        files: the files that it was read from, its own first.
    """

    id: str
    events: Sequence[Table]
    facts: Table
    notes: Sequence[str] = ()
    files: Sequence[Path] = ()


class SessionReader(Protocol):
    """Reads the files of one run, and may know what it has read before."""

    def __call__(self, path: Path) -> Sequence[AgentSession]:
        """Return the session in a file, or one for each that was written into it. Raises as `lines_of` does."""

    def is_part(self, path: Path) -> bool:
        """Tell whether a file is read with the session that it belongs to, and is none of its own."""


def lines_of(path: Path, notes: list[str]) -> list[Table]:
    """Return the lines of a file, and note those that cannot be read.

    Raises:
        ResultsError: it is too large, or binary.
        OSError: it cannot be read.
    """
    if size_of(path) > MAX_SESSION_BYTES:
        raise ResultsError(f"larger than {MAX_SESSION_BYTES:,} bytes", path)
    lines: list[Table] = []
    broken: list[Malformed] = []
    for row in Lines(path).scan():
        if isinstance(row, Malformed):
            broken.append(row)
        else:
            lines.append(row.data)
    if broken:
        first = f"line {broken[0].line}: {broken[0].message}"
        more = f", and {counted(len(broken) - 1, 'more line')} that cannot be read" if len(broken) > 1 else ""
        notes.append(f"{path.name}: {first}{more}")
    return lines


def lines_of_agents(files: Iterable[Path], notes: list[str]) -> Iterator[tuple[Path, list[Table]]]:
    """Yield files of sub-agents with their lines, and note those that are too many, or cannot be read."""
    left = MAX_SESSION_BYTES
    for number, file in enumerate(files):
        if number >= MAX_AGENT_FILES or (left := left - size_of(file)) < 0:
            notes.append("there are more files of sub-agents, which are not read")
            return
        try:
            yield file, lines_of(file, notes)
        except (ResultsError, OSError) as error:
            notes.append(f"{file.name} is not read: {_reason(error)}")


def _reason(error: ResultsError | OSError) -> str:
    return error.message if isinstance(error, ResultsError) else error.strerror or str(error)


class Sessions(ResultSource):
    """The sessions in some files, read one at a time.

    Attributes:
        files: the files.
        notes: what is to be known of all of them.
    """

    known = True

    def __init__(self, files: Sequence[Path], mark: str, read: SessionReader, notes: tuple[str, ...] = ()) -> None:
        self.files, self.notes = tuple(files), notes
        self.size = sum(map(size_of, files))
        self._mark, self._read = mark, read
        self._places: list[tuple[int, int]] = []
        self._last: tuple[int, AgentSession, Table] | None = None

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return all sessions. Their line is the number of their file."""
        self._places, done = [], 0
        for number, path in enumerate(self.files):
            done += size_of(path)
            try:
                sessions = self._sessions(path)
            except (ResultsError, OSError) as error:
                yield Malformed(number + 1, 1, f"{path.name}: {_reason(error)}", done)
                continue
            if not any(session.events for session in sessions):
                yield Malformed(number + 1, 1, f"{path.name}: nothing was said in it", done)
            for part, session in enumerate(sessions):
                if session.events:
                    index = len(self._places)
                    self._places.append((number, part))
                    row = self._brief(number, session)
                    self._last = index, session, row
                    yield ResultRow(index, number + 1, _digest(session, path), row, done)

    def raw(self, position: int) -> bytes:
        """Return the text of a session and of its sub-agents."""
        try:
            return b"\n".join(read_whole(path, MAX_SESSION_BYTES) for path in self._session(position)[0].files)
        except OSError as error:
            raise ResultsError(_reason(error), self.files[self._places[position][0]]) from error

    def row(self, position: int, digest: str) -> Table:
        """Return a session with its events."""
        session, brief = self._session(position)
        answer = next((event["text"] for event in reversed(session.events) if _is_answer(event)), None)
        row: Table = {**brief, "text": answer, "trace": [*session.events]}
        return {**row, NOTES: [*session.notes]} if session.notes else row

    def _session(self, position: int) -> tuple[AgentSession, Table]:
        """Return a session and its row without its events; that of the last one is not made anew."""
        last = self._last
        if last is not None and last[0] == position:
            return last[1:]
        number, part = self._places[position]
        path = self.files[number]
        try:
            sessions = self._sessions(path)
        except OSError as error:
            raise ResultsError(_reason(error), path) from error
        if part >= len(sessions):
            raise ResultsError("the file changed since it was read; open it again", path)
        self._last = position, sessions[part], self._brief(number, sessions[part])
        return self._last[1:]

    @collector_off()
    def _sessions(self, path: Path) -> Sequence[AgentSession]:
        return self._read(path)

    def _brief(self, number: int, session: AgentSession) -> Table:
        counts = _counts(session.events)
        named = session.id or self.files[number].stem
        # The last characters, since ids that begin with the time have the same beginning for a minute or more.
        short = "".join(filter(str.isalnum, named))[-_SHORT:]
        words = first_words(str(session.facts.get("asked") or session.facts.get("title") or ""))
        row: Table = {
            self._mark: named,
            "id": f"{words}-{short}" if words else named,
            "file": self.files[number].name,
            "project": _project(session.facts.get("cwd")) or None,
            **counts,
            **session.facts,
        }
        return {key: value for key, value in row.items() if value is not None}


def _counts(events: Sequence[Table]) -> Table:
    """Return what lists tell of events: calls, failures, when they began, how long they took, and their tokens.

    The same as the summary of the trace says, at a fraction of its time: it is counted for every session of a run.
    """
    failed: set[Plain] = set()
    calls = errors = timed = 0
    began = ended = ""
    took: list[tuple[str, float]] = []
    tokens = Counter[str]()
    for event in events:  # a loop without calls, because it runs for all that happened
        kind = event["type"]
        if kind == "tool_call":
            calls += bool(event.get("name"))
        elif kind == "error":
            errors += 1
        if "is_error" in event or "error" in event:
            failed.add(str(event.get("id")))
        if isinstance(time := event.get("timestamp"), str):  # moments of one form, so they sort
            timed += 1
            began = began if began and began < time else time
            ended = ended if ended > time else time
            if duration := event.get("duration_ms"):
                took.append((time, fields.number(duration) or 0.0))
        if usage := event.get("token_usage"):
            for name, count in as_table(usage).items():
                tokens[name] += fields.whole(count) or 0
    return {
        "calls": calls,
        "failures": errors + len(failed),
        "timestamp": began or None,
        "duration_ms": _span(began, [(ended, 0.0), *took]) if timed > 1 else None,
        "token_usage": {**tokens} or None,
    }


def _span(began: str, ends: Sequence[tuple[str, float]]) -> float | None:
    """Return the milliseconds from a moment to the last end; None where they do not say it."""
    start = instant(began)
    if start is None:
        return None
    known = ((moment, took) for time, took in ends if (moment := instant(time)) is not None)
    return max((milliseconds(start, moment) + took for moment, took in known), default=None)


def _is_answer(event: Table) -> bool:
    role = as_table(event.get("metadata")).get("role")
    return role == "assistant" and bool(event.get("text")) and not event.keys() & {"parent", "agent"}


def _digest(session: AgentSession, path: Path) -> str:
    """Return a digest of which session it is, and not of what it says: what was said of it stays as it goes on."""
    first = next((event.get("timestamp") for event in session.events if event.get("timestamp")), "")
    return hashed(f"{session.id or path.name} {first}".encode("utf-8", "surrogatepass"))


def _with_told(parsed: ParsedRow, row: Table) -> ParsedRow:
    """Return what was read of the row of a session, with what the queue tells of it in few words."""
    if parsed.entry is None:
        return parsed
    calls, failures = (fields.whole(row.get(key)) or 0 for key in ("calls", "failures"))
    when = (fields.text(row.get("timestamp")) or "").replace("T", " ")[5:16]
    told = (f"{failures:,}✖" if failures else "", counted(calls, "call"), fields.text(row.get("project")), when)
    return parsed._replace(entry=replace(parsed.entry, told=tuple(filter(None, told))))


def _project(cwd: Plain) -> str:
    """Return the name of the folder that an agent worked in, of any system."""
    return cwd.rstrip("/\\").replace("\\", "/").rpartition("/")[2] if isinstance(cwd, str) else ""


class SessionFiles(NamedTuple):
    """How the sessions of a program are found and read.

    Attributes:
        name: the name of the integration, and of its rows.
        title: the name for people.
        mark: the key that all its rows have, and no others.
        signs: how its files begin.
        reader: returns a reader for a run.
    """

    name: str
    title: str
    mark: str
    signs: LogSigns
    reader: Callable[[], SessionReader]

    def results(self) -> ReadingResults:
        """Return the reader of its files and folders."""
        table = adapter_by(
            ResultDialect(
                name=self.name,
                title=self.title,
                marks=(DialectMark(paths(f"{self.mark} id")),),
                ids=paths("id"),
                actual=paths("text"),
                prompts=paths("asked"),
                targets=(paths("model"),),
                suites=paths("project"),
                spent=Spent(
                    cost=paths("cost_usd"),
                    milliseconds=paths("duration_ms"),
                    tokens=paths("token_usage"),
                    timestamps=paths("timestamp"),
                ),
            )
        )
        adapter = table._replace(parse=lambda row: _with_told(table.parse(row), row))
        return ReadingResults((adapter,), open_log=self.open_log, open_folder=self.open_folder)

    def run_files(self) -> RunFiles:
        """Return how what could not be read of a session is told beside its record."""
        return RunFiles(hydrate=_with_notes)

    def open_log(self, path: Path, head: bytes) -> Sessions | None:
        """Return the sessions in a file; None where it begins as none of them."""
        return Sessions((path,), self.mark, self.reader()) if self.signs.is_named_or_begins(path, head) else None

    def open_folder(self, folder: Path) -> Sessions | None:
        """Return the sessions in a folder and below it, in the order they began; None where most files are none.

        Links, and files that are no files, are left out.
        """
        reader = self.reader()
        left_out: Counter[str] = Counter()
        found: list[tuple[str, bool, Path]] = []
        for path in _lines_below(folder, left_out):
            if reader.is_part(path):
                continue
            head = start_of(path)
            if head is not None and self.signs.is_named_or_begins(path, head):
                found.append((_begun(head), b'"forkedFrom"' in head, path))
            else:
                left_out["no session"] += 1
        if not found or left_out["no session"] > len(found):
            return None
        notes = tuple(f"{counted(number, 'file')} left out: {reason}" for reason, number in left_out.items())
        return Sessions([path for *_, path in sorted(found)], self.mark, reader, notes)


def _with_notes(row: Table, _folder: Path, _sharing: Sharing = Sharing.NOBODY) -> Hydrated | None:
    rest = {key: value for key, value in row.items() if key != NOTES}
    return Hydrated(rest, tuple(map(str, as_list(row.get(NOTES)))))


def _lines_below(folder: Path, left_out: Counter[str]) -> Iterator[Path]:
    for looked, (here, folders, names) in enumerate(below(folder)):
        if looked > MAX_RUN_FOLDERS:
            left_out["in more folders than are looked into"] += 1
            return
        deep = len(here.relative_to(folder).parts) >= MAX_RUN_DEPTH
        own = {f"{name}.jsonl" for name in folders}.intersection(names)  # a session's folder has parts of it alone
        kept = (name for name in folders if f"{name}.jsonl" not in own and not is_link(here / name))
        folders[:] = [] if deep else sorted(kept)
        for name in sorted(names):
            if not name.endswith(SUFFIXES) or name.endswith((".reviews.jsonl", ".proposals.jsonl")):
                continue
            if is_link(here / name) or not is_file(here / name):
                left_out["a link, or no file of its own"] += 1
            else:
                yield here / name


def _begun(head: bytes) -> str:
    """Return the first time that the beginning of a file says, as it is written there; times of one form sort."""
    _, _, rest = head.partition(b'"timestamp"')
    return rest[:32].lstrip(b' :"')[:24].decode("ascii", "replace")


def sidecars(folder: Path, begins: str, ends: str, notes: list[str]) -> list[Path]:
    """Return the files in a folder by the ends of their names; that links are left out is noted."""
    paths = [path for path in listed(folder).paths if path.name.startswith(begins) and path.name.endswith(ends)]
    kept = [path for path in paths if is_file(path) and not is_link(path)]
    if len(kept) < len(paths):
        left_out = counted(len(paths) - len(kept), "file")
        notes.append(f"{left_out} in {folder.name}{os.sep} not read: a link, or no file of its own")
    return kept
