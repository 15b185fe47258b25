"""A trace as a tree: which rows of its timeline can stand as one, and which are shown."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, TypeAlias

from sampleui.text.visible import one_line
from sampleui.text.wording import counted
from sampleui.trace.events import THOUGHT, EventType, Maybe, TraceEvent
from sampleui.trace.nesting import span_of
from sampleui.trace.preview import full_text
from sampleui.trace.timeline import TimelineRow, role_of

_AGENT = "agent"


class PartKind(StrEnum):
    """What rows that can stand as one are: what an agent did, calls that went well, or what happened in a row."""

    AGENT = "agent"
    CALLS = "calls"
    INSIDE = "inside"


class Part(NamedTuple):
    """Rows that can stand as one.

    Attributes:
        start: the first of these rows.
        end: the row after the last of them.
        kind: what they are.
        depth: the depth of the outermost of them.
        level: how many parts are around it.
        name: of an agent its name.
        within: the row of the call or span that they happened in, -1 for none.
        is_headed: whether that row stands for them; others have a line of their own.
        is_open: whether they are shown at first.
    """

    start: int
    end: int
    kind: PartKind
    depth: int
    level: int
    name: str = ""
    within: int = -1
    is_headed: bool = False
    is_open: bool = False


PartKey: TypeAlias = tuple[PartKind, bool, int, str | int | None, str | None]
"""What a part is, whether an event stands for it, and that event or else its first: number, id and name."""


_WORTH = 3
"""How many calls in a row that went well are shown as one."""

_IN_PASSING = 80
"""Characters of a text that says nothing beside a call: `Let me look at the file.`"""


def parts_of(rows: Sequence[TimelineRow]) -> tuple[Part, ...]:
    """Return which rows of a timeline can stand as one, by where they begin, those around others before them.

    That is what an agent did, and what happened in a call or a span; these are shown at first if they are of the
    run's own agent, of another span, or all there is. And it is each stretch of three calls or more that went well,
    with what was thought and said in passing between them.
    """
    return tuple(sorted(_Parts(rows).found(), key=lambda part: (part.start, -part.end, part.level)))


@dataclass(slots=True)
class _Open:
    """A part that is not over yet, and the stretch of calls that is going on in it, if `first` is not negative."""

    start: int
    depth: int
    kind: PartKind
    name: str = ""
    within: int = -1
    is_headed: bool = False
    first: int = -1
    last: int = -1
    calls: int = 0


class _Parts:
    """The parts of a timeline, found as its rows are gone through once."""

    def __init__(self, rows: Sequence[TimelineRow]) -> None:
        self._rows = rows
        self._open = [_Open(0, 0, PartKind.INSIDE)]
        self._found: list[Part] = []

    def found(self) -> list[Part]:
        if any(row.agent or row.depth > row.answers for row in self._rows):
            self._find_nested()
        else:
            for index, row in enumerate(self._rows):
                self._go_on(index, row)
        self._end_stretch()
        return self._found

    def _find_nested(self) -> None:
        around: list[tuple[int, str]] = []  # at each depth the row that others happened in, and who does these
        for index, row in enumerate(self._rows):
            while len(self._open) > 1 and self._is_over(row):
                self._close(index)
            if row.answers:
                self._go_on(index, row)
            else:
                self._enter(index, row, self._first_inside(index), around)
        while len(self._open) > 1:
            self._close(len(self._rows))

    def _enter(
        self, index: int, row: TimelineRow, inner: TimelineRow | None, around: list[tuple[int, str]]
    ) -> None:
        """Begin the parts that a row begins: what another agent does, and what happened in the row."""
        del around[row.depth :]
        within, agent = around[-1] if around else (-1, "")
        if row.agent != agent and not self._is_its(row):
            self._begin(_Open(index, row.depth, PartKind.AGENT, row.agent, within))
        if inner is None:
            around.append((index, row.agent))
            self._go_on(index, row)
            return
        span = span_of(row.event)
        around.append((index, inner.agent if span == _AGENT else row.agent))
        if span == _AGENT:
            name = row.event.name or inner.agent
            self._begin(_Open(index + 1, row.depth + 1, PartKind.AGENT, name, index, is_headed=True))
        elif inner.agent == row.agent:
            self._begin(_Open(index + 1, row.depth + 1, PartKind.INSIDE, "", index, is_headed=True))
        else:
            self._end_stretch()

    def _first_inside(self, index: int) -> TimelineRow | None:
        """Return the first row that happened in another, None for none."""
        following = self._rows[index + 1] if index + 1 < len(self._rows) else None
        inside = following is not None and following.depth > self._rows[index].depth and not following.answers
        return following if inside else None

    def _is_its(self, row: TimelineRow) -> bool:
        """Tell whether a row goes on with what its agent does."""
        top = self._open[-1]
        return (top.depth, top.kind, top.name) == (row.depth, PartKind.AGENT, row.agent) and not top.is_headed

    def _is_over(self, row: TimelineRow) -> bool:
        top = self._open[-1]
        if row.depth != top.depth:
            return row.depth < top.depth
        return row.answers or not (top.is_headed or top.name == row.agent)

    def _begin(self, part: _Open) -> None:
        self._end_stretch()
        self._open.append(part)

    def _close(self, end: int) -> None:
        part, level = self._open[-1], len(self._open) - 2
        if (part.first, part.last) != (part.start, end - 1):  # else it is one with the stretch of calls in it
            self._end_stretch()
        self._open.pop()
        is_span = part.kind is PartKind.INSIDE and bool(span_of(self._rows[part.within].event))
        is_all = part.start - part.is_headed == 0 and end == len(self._rows)
        is_own = part.kind is PartKind.AGENT and not self._rows[part.start].agent
        opened = is_span or is_all or is_own
        self._found.append(
            Part(part.start, end, part.kind, part.depth, level, part.name, part.within, part.is_headed, opened)
        )

    def _go_on(self, index: int, row: TimelineRow) -> None:
        """Go on with a stretch of calls that went well, or end it."""
        top = self._open[-1]
        if row.answers:
            top.last = index if top.first >= 0 else top.last
        elif not _may_go_well(row.event) or row.failed:
            if top.first >= 0:
                self._end_stretch()
        else:
            if top.first < 0:
                top.first, top.calls = index, 0
            if row.event.type is EventType.TOOL_CALL:
                top.last, top.calls = index, top.calls + 1

    def _end_stretch(self) -> None:
        top = self._open[-1]
        is_all = top.first == 0 and top.last == len(self._rows) - 1
        if top.first >= 0 and top.calls >= _WORTH and not is_all:
            level = len(self._open) - 1
            self._found.append(Part(top.first, top.last + 1, PartKind.CALLS, top.depth, level, within=top.within))
        top.first = -1


def _may_go_well(event: TraceEvent) -> bool:
    """Tell whether an event that did not fail may be within a stretch of calls."""
    if event.type is EventType.TOOL_CALL:
        return True
    if event.type is not EventType.MESSAGE:
        return event.type is EventType.MODEL_STEP and not span_of(event)
    role = role_of(event)
    return role == THOUGHT or (role == "assistant" and len(event.text or "") <= _IN_PASSING)


class Outline:
    """Which rows of a timeline are shown, and which stand as one.

    A line is the index of a row; that of a part with a line of its own is `~index` of the part.

    Attributes:
        parts: the parts.
        folds: whether those that were folded or shown by hand are shown, by their keys.
        root: the part that is shown alone, None for all.
        lines: what is shown, from the top.
    """

    def __init__(self, rows: Sequence[TimelineRow], folds: dict[PartKey, bool] | None = None) -> None:
        """Take rows, and what was folded in them by hand, which it goes on with."""
        self._rows = rows
        self.parts = parts_of(rows)
        self._starts = [part.start for part in self.parts]
        self._around: list[int] = []
        self._headed: dict[int, int] = {}
        for index, part in enumerate(self.parts):
            self._around.append(self._innermost(part.start, index - 1))
            if part.is_headed:
                self._headed[part.within] = index
        self.root: int | None = None
        self.folds = {} if folds is None else folds
        self.lines = self._shown()

    @cached_property
    def keys(self) -> Sequence[PartKey]:
        """What identifies each part in a trace that has grown as well."""
        rows = (self._rows[part.within if part.is_headed else part.start] for part in self.parts)
        return [
            (part.kind, part.is_headed, row.number, row.event.id, row.event.name)
            for part, row in zip(self.parts, rows, strict=True)
        ]

    def part_of(self, line: int) -> int | None:
        """Return which part a line stands for, None for none."""
        return ~line if line < 0 else self._headed.get(line)

    def row_of(self, line: int) -> int:
        """Return the row that a line shows, of a part with a line of its own its first row."""
        return line if line >= 0 else self.parts[~line].start

    def holder(self, line: int) -> int | None:
        """Return the innermost part that a line is in, None for none."""
        index = self._around[~line] if line < 0 else self._innermost(line, bisect_right(self._starts, line) - 1)
        return None if index < 0 or index == self.root else index

    def parent(self, line: int) -> int | None:
        """Return the line of what a line stands below, None for none that is shown."""
        if line < 0 and self.parts[~line].kind is PartKind.AGENT and self.parts[~line].within >= 0:
            row = self.parts[~line].within
            return row if self.root is None or row >= self.parts[self.root].start else None
        holder = self.holder(line)
        return None if holder is None else self.line_of(holder)

    def line_of(self, part: int) -> int:
        """Return the line that stands for a part."""
        return self.parts[part].within if self.parts[part].is_headed else ~part

    def is_open(self, part: int) -> bool:
        """Tell whether the rows of a part are shown, where those around them are."""
        at_first = self.parts[part].is_open
        return self.folds.get(self.keys[part], at_first) if self.folds else at_first

    def turn(self, *parts: int) -> None:
        """Show the rows of parts that are folded, fold those that are shown."""
        self.folds.update([(self.keys[part], not self.is_open(part)) for part in parts])
        self.lines = self._shown()

    def zoom(self, root: int | None) -> None:
        """Show a part alone, or everything."""
        self.root = root
        self.lines = self._shown()

    def reveal(self, row: int) -> None:
        """Show a row: open all that it is in."""
        index, closed = self._innermost(row, bisect_right(self._starts, row) - 1), list[int]()
        while index >= 0 and index != self.root:
            if not self.is_open(index):
                closed.append(index)
            index = self._around[index]
        if closed:
            self.turn(*closed)

    def place(self, line: int) -> int:
        """Return where a line is among those shown, or else what stands for it."""
        return max(bisect_right(self.lines, self._order(line), key=self._order) - 1, 0)

    def fold_level(self) -> bool:
        """Fold the innermost parts that are shown; return whether there were any."""
        shown = [index for index in self._open_parts if index != self.root]
        deepest = max((self.parts[index].level for index in shown), default=-1)
        self.turn(*(index for index in shown if self.parts[index].level == deepest))
        return bool(shown)

    def _order(self, line: int) -> tuple[int, int]:
        return (line, 1) if line >= 0 else (self.parts[~line].start, ~line - len(self.parts))

    def _innermost(self, row: int, index: int) -> int:
        """Return the innermost part that holds a row, from one on that begins no later; -1 for none."""
        while index >= 0 and self.parts[index].end <= row:
            index = self._around[index]
        return index

    def _shown(self) -> list[int]:
        first, last = 0, len(self.parts)
        row, end = 0, len(self._rows)
        if self.root is not None:
            row, end = self.parts[self.root].start, self.parts[self.root].end
            first, last = self.root + 1, bisect_left(self._starts, end)
        lines: list[int] = []
        self._open_parts: list[int] = []
        for index in range(first, last):
            part = self.parts[index]
            if part.start < row:
                continue  # it is in one that is folded
            lines += range(row, part.start)
            row = part.start
            if not part.is_headed:
                lines.append(~index)
            if self.is_open(index):
                self._open_parts.append(index)
            else:
                row = part.end
        lines += range(row, end)
        return lines


MOST_GUIDES = 4
"""Levels that have a line each; what is deeper has the number of its level."""


def guides(depth: int, width: int = MOST_GUIDES) -> str:
    """Return thin lines, one for each level around a row, or else how many there are."""
    return ("│" * depth if depth <= width else f"{depth}│").ljust(width) if width else ""


class PartSummary(NamedTuple):
    """What a part amounts to.

    Attributes:
        name: of an agent its name, else that of the call or span.
        task: what was asked.
        calls: how many tools were called in it, at any depth.
        failures: how many of these calls failed, and errors.
        last: what was said last, or came back.
        took_ms: how long it took, None if that is not known.
        tools: how often each tool was called, by its name.
    """

    name: str
    task: str
    calls: int
    failures: int
    last: str
    took_ms: float | None
    tools: Counter[str]

    @property
    def tool_words(self) -> str:
        """The tools with how often each was called, the one called most first."""
        return ", ".join(f"{one_line(name, 30)} {count}" for name, count in self.tools.most_common())


def amount_words(part: Part, summary: PartSummary) -> str:
    """Return how much a part stands for: `5 calls`, `3 calls went well:`, or its events where none was called."""
    words = counted(summary.calls, "call") if summary.calls else counted(part.end - part.start, "event")
    return f"{words} went well:" if part.kind is PartKind.CALLS else words


def part_summary(rows: Sequence[TimelineRow], part: Part) -> PartSummary:
    """Return what a part of a timeline amounts to."""
    inside = rows[part.start : part.end]
    around = rows[part.within] if part.within >= 0 else None
    tools = Counter(row.event.name or "" for row in inside if row.event.type is EventType.TOOL_CALL)
    failures = sum(row.failed and not row.answers for row in inside)
    said = [row.event.text for row in inside if row.depth == part.depth and role_of(row.event) == "assistant"]
    asked = next((row.event.text for row in inside if role_of(row.event) == "user"), None)
    answer = full_text(around.output) if around is not None else ""
    return PartSummary(
        name=part.name or (around.event.name or "" if around is not None else ""),
        task=(_asked(around.event.input) if around is not None else "") or asked or "",
        calls=tools.total(),
        failures=failures,
        last=next((text for text in reversed(said) if text), "") or answer,
        took_ms=_took(inside, None if part.kind is PartKind.CALLS else around),
        tools=tools,
    )


def _asked(arguments: Maybe) -> str:
    """Return what arguments ask for: a text, the only one of a table, or what it calls its task."""
    if not isinstance(arguments, dict):
        return arguments if isinstance(arguments, str) else ""
    texts = {key: value for key, value in arguments.items() if isinstance(value, str)}
    named = next((texts[key] for key in _TASKS if texts.get(key)), "")
    return named or (next(iter(texts.values())) if len(texts) == 1 else "")


_TASKS = ("task", "prompt", "description", "input", "query", "request", "message")
"""Arguments that say what a sub-agent is asked for."""


def _took(rows: Sequence[TimelineRow], around: TimelineRow | None) -> float | None:
    """Return how long it took: what is around it, or its own events where these went on behind the call."""
    given = None if around is None else around.duration_ms
    if around is not None and given is not None and around.event.type is not EventType.TOOL_CALL:
        return given
    moments = [(offset, row.duration_ms or 0) for row in rows if (offset := row.offset_ms) is not None]
    if not moments:
        return given
    own = max(offset + took for offset, took in moments) - min(offset for offset, _ in moments)
    return max(own, given or 0)
