"""Sessions of coding agents: files in lines, of which each is one record that nobody graded.

What a file says is a list of events, which the integration of its program makes of its lines. What is the same for
all programs is here: which files of a folder are sessions, the facts that a queue shows, the reading of one, and
the events of its sub-agents, each behind the call that began them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, Protocol

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table, as_table
from sampleui.garbage import collector_off
from sampleui.integrations.entry import LogSigns
from sampleui.integrations.integration import ReadingResults
from sampleui.review.record import ParsedRow, hashed
from sampleui.review.results import fields
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import ResultDialect, Spent
from sampleui.review.results.sources import NOTES, Lines, Malformed, ResultRow, ResultSource
from sampleui.sample.dialects.dialect import DialectMark, paths
from sampleui.text.confined import below, is_file, is_link, listed, read_whole, size_of, start_of
from sampleui.text.limits import MAX_AGENT_FILES, MAX_RUN_DEPTH, MAX_RUN_FOLDERS, MAX_SESSION_BYTES
from sampleui.text.wording import counted, first_words
from sampleui.trace.events import parse_event
from sampleui.trace.reading.messages import is_text, text_of
from sampleui.trace.summary import span_ms, summarize

SUFFIXES = (".jsonl", ".ndjson")
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


class SubAgent(NamedTuple):
    """A sub-agent.

    Attributes:
        id: what its program calls it.
        name: what people call it, or what kind of agent it is.
        events: what it did, without what its own sub-agents did.
        asked: what it was asked first.
        call: the id of the call that began it, which is among the events of the session or of another sub-agent;
            empty where none is known.
    """

    id: str
    name: str
    events: Sequence[Table]
    asked: str = ""
    call: str = ""


def with_sub_agents(events: Sequence[Table], agents: Sequence[SubAgent], notes: list[str]) -> Iterator[Table]:
    """Yield all events, those of a sub-agent behind the call that began it, and last what no call began.

    Args:
        events: what the session's own agent did.
        agents: its sub-agents and theirs, of any depth.
        notes: takes a line about those that no call began.
    """
    if not agents:
        yield from events
        return
    begun: dict[str, list[SubAgent]] = {}
    for agent in agents:
        if agent.call:
            begun.setdefault(agent.call, []).append(agent)
    left = {agent.id: agent for agent in agents}
    yield from _below(events, {}, begun, left)
    apart = 0
    holder: Table = {"type": "model_step", "span": "agents", "id": "agents", "name": "begun by no call here"}
    for agent in sorted(left.values(), key=lambda agent: bool(agent.call)):  # last those that began each other
        if left.pop(agent.id, None) is None:
            continue
        if not apart:
            yield holder
        apart += 1
        span: Table = {"type": "model_step", "span": "agent", "id": f"agent-{agent.id}", "name": agent.name}
        first = next((event["timestamp"] for event in agent.events if "timestamp" in event), None)
        when: Table = {"timestamp": first} if first else {}
        yield {**span, "parent": holder["id"], "input": agent.asked, **when}
        yield from _below(agent.events, {"parent": span["id"], "agent": agent.name}, begun, left)
    if apart:
        began = f"{counted(apart, 'sub-agent')} {'was' if apart == 1 else 'were'} begun by no call that is here"
        notes.append(f"{began}; what {'it' if apart == 1 else 'they'} did stands at the end")


def _below(
    events: Sequence[Table], whose: Table, begun: dict[str, list[SubAgent]], left: dict[str, SubAgent]
) -> Iterator[Table]:
    """Yield events and those of the sub-agents that they began, of any depth; without calling itself."""
    stack: list[tuple[Iterator[Table], Table]] = [(iter(events), whose)]
    while stack:
        rest, about = stack[-1]
        event = next(rest, None)
        if event is None:
            stack.pop()
            continue
        agents = begun.get(str(event.get("id")), ()) if event["type"] == "tool_call" else ()
        if agents and "token_usage" in event:  # tokens of an event in which others spent some do not count
            step: Table = {key: event[key] for key in ("timestamp", "token_usage") if key in event}
            yield {"type": "model_step", **step, **about}
            event = {key: value for key, value in event.items() if key != "token_usage"}
        yield {**event, **about} if about else event
        inside = [agent for agent in reversed(agents) if left.pop(agent.id, None) is not None]
        stack += ((iter(agent.events), {"parent": event["id"], "agent": agent.name}) for agent in inside)


def said(role: str, content: Plain, **about: Plain) -> Table:
    """Return the event of a message: what of it is text as that, all else as its output.

    Args:
        role: who said it.
        content: what was said.
        about: what else is known of it.
    """
    event: Table = {"type": "message", "metadata": {"role": role, **about}}
    if (text := text_of(content)) is not None:
        event["text"] = text
    return event if is_text(content) else {**event, "output": content}


def returned_text(content: Plain) -> Plain:
    """Return what a call returned: the text of parts that are all texts, any other value as it is."""
    return text_of(content) or "" if isinstance(content, list) and is_text(content) else content


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
        events = [event for event in map(parse_event, session.events) if event is not None]
        timed, told = [event for event in events if event.timestamp], summarize(events)
        named = session.id or self.files[number].stem
        # The last characters, since ids that begin with the time have the same beginning for a minute or more.
        short = "".join(filter(str.isalnum, named))[-_SHORT:]
        words = first_words(str(session.facts.get("asked") or session.facts.get("title") or ""))
        row: Table = {
            self._mark: named,
            "id": f"{words}-{short}" if words else named,
            "file": self.files[number].name,
            "project": _project(session.facts.get("cwd")) or None,
            "calls": sum(told.tool_calls_by_name.values()),
            "failures": told.error_count + told.failed_calls,
            "timestamp": min((event.timestamp or "" for event in timed), default=None),  # of one form, so they sort
            "duration_ms": span_ms(timed),
            "token_usage": None if told.tokens is None else told.tokens.to_data(),
            **session.facts,
        }
        return {key: value for key, value in row.items() if value is not None}


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
