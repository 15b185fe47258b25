"""Events as rows: of a timeline, and beside the calls of a golden trajectory. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from rich.cells import cell_len

from sampleui.formats.data import Table, shown
from sampleui.review.record import SIGNS, Outcome, outcome_of
from sampleui.runs.records import TracedRecord, is_no_result
from sampleui.text.visible import one_line
from sampleui.text.wording import shown_ms
from sampleui.trace.argument_comparison import ArgumentDiff
from sampleui.trace.events import ABSENT, EventType, Maybe, TraceEvent
from sampleui.trace.golden import Alignment, ComparedPair, PairKind, golden_trajectories
from sampleui.trace.nesting import span_of
from sampleui.trace.preview import preview
from sampleui.trace.timeline import TimelineRow, role_of, speaker, timeline
from sampleui.trace.tree import MOST_GUIDES, Part, PartKind, PartSummary, amount_words, guides
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.cards import glyph, role_style
from sampleui.tui.drawing.rows import OUTCOME_STYLES, Room, Row, filled, fitted, indented, text_rows
from sampleui.tui.drawing.two_texts import columns as beside
from sampleui.tui.trace.values import size_words

WORDS: Mapping[EventType, tuple[str, str]] = {
    EventType.MODEL_STEP: ("◇", "step"),
    EventType.TOOL_CALL: ("→", "call"),
    EventType.TOOL_RESULT: ("←", "result"),
    EventType.MESSAGE: ("●", "message"),
    EventType.ERROR: ("✖", "error"),
}
"""A shape and a word for each kind."""

_WORD, _SIZE, _TIME = 8, 7, 7
_WIDE, _MIDDLE, _NARROW = 84, 54, 40
_AGENT = ((_WIDE, 16), (_MIDDLE, 10), (_NARROW, 6), (0, 0))
"""Cells of the agent in the widths from which it has them."""
_FOLDS = {True: "▾ ", False: "▸ "}


class ShownPart(NamedTuple):
    """What a line stands for beside its own row.

    Attributes:
        place: which part of the trace it is, from 0.
        part: the part.
        summary: what it amounts to.
        is_open: whether its rows are shown below the line.
    """

    place: int
    part: Part
    summary: PartSummary
    is_open: bool


class TraceColumns(NamedTuple):
    """The widths of the columns in cells; 0 for one left out, for lack of room or of anything to show."""

    number: int
    name: int
    size: int
    took: int
    offset: int
    guides: int = 0
    agent: int = 0

    @classmethod
    def of(cls, rows: Sequence[TimelineRow], width: int, agents: Iterable[str] = (), deep: int = 0) -> TraceColumns:
        """Return the columns for the rows of a trace in a width, given whose and how deep those shown are."""
        timed = width >= _MIDDLE and any(row.duration_ms is not None for row in rows)
        placed = width >= _WIDE and any(row.offset_ms is not None for row in rows)
        longest = max((cell_len(one_line(agent)) for agent in agents), default=0)
        return cls(
            number=len(str(len(rows))),
            name=min(max((cell_len(speaker(row)) for row in rows[:200]), default=0), max(width // 5, 10)),
            size=_SIZE if width >= _MIDDLE else 0,
            took=_TIME if timed else 0,
            offset=_TIME + 1 if placed else 0,
            guides=min(deep, MOST_GUIDES),
            agent=min(longest, next(cells for least, cells in _AGENT if width >= least)),
        )


def line_row(row: TimelineRow, shown: ShownPart | None, columns: TraceColumns, width: int) -> Row:
    """Return a line of a timeline: an event, or what stands for several, of which the event is the first."""
    if shown is None or (shown.part.is_headed and shown.part.kind is not PartKind.AGENT):
        return event_row(row, columns, width, shown)
    return _part_row(row, shown, columns, width)


def event_row(row: TimelineRow, columns: TraceColumns, width: int, shown: ShownPart | None = None) -> Row:
    """Return an event on one line: number, kind, name, what was asked or said, how much came back, and when."""
    style = event_style(row.event)
    shape, word = shape_of(row.event)
    nest = "└ " if row.answers else _FOLDS[shown.is_open] if shown is not None else ""
    agent = one_line(row.agent, columns.agent) if columns.agent and not row.answers else ""
    left = [
        ("error-bold", "✖ ") if row.failed else ("text", "  "),
        ("faint", f"{row.number:>{columns.number}} "),
        ("edge", guides(row.depth - row.answers, columns.guides)),
        ("accent" if shown is not None else "edge", nest),
        (style, f"{shape} {word:<{_WORD - len(nest)}}"),
        ("muted", _cell(agent, columns.agent) if columns.agent else ""),
        (f"{style}-bold", _cell("" if row.answers else speaker(row), columns.name)),
    ]
    right = _counts(row, columns)
    failure = "FAILED " if row.failed and row.event.type is not EventType.ERROR else ""
    inside = ""
    if shown is not None and not shown.is_open:
        inside = f"({amount_words(shown.part, shown.summary)}) "
    room = width - sum(cell_len(text) for _, text in (*left, *right)) - len(failure) - cell_len(inside) - 1
    line = fitted(row.line(max(room, 8)), max(room, 0))
    blank = " " * max(room - cell_len(line) + 1, 0)
    return (*left, ("error-bold", failure), ("muted", inside), ("text", line + blank), *right)


def _part_row(row: TimelineRow, shown: ShownPart, columns: TraceColumns, width: int) -> Row:
    """Return a part on one line: of an agent its name, task, calls, failures, last words, and how long it took."""
    part, summary = shown.part, shown.summary
    number = f"{row.number:>{columns.number}} " if part.is_headed else " " * (columns.number + 1)
    is_agent = part.kind is PartKind.AGENT
    style = "role-other" if is_agent else "role-tool"
    took = "" if summary.took_ms is None else shown_ms(summary.took_ms)
    right = [
        ("text", f"{took:>{columns.size + columns.took}}"),
        ("faint", f"{offset_words(row):>{columns.offset}}" if columns.offset else ""),
    ]
    left = [
        ("error-bold", "✖ ") if summary.failures else ("text", "  "),
        ("faint", number),
        ("edge", guides(row.depth, columns.guides)),
        ("accent", _FOLDS[shown.is_open]),
        (style, "◆ " if is_agent else "→ "),
        (f"{style}-bold", f"{one_line(summary.name, 30) or '?'} " if is_agent else ""),
        ("muted", f"{amount_words(part, summary)} "),
        ("error-bold", f"✖{summary.failures:,} " if summary.failures else ""),
    ]
    room = max(width - sum(cell_len(text) for _, text in (*left, *right)) - 1, 0)
    left += _words(summary, room) if is_agent else [("text", fitted(summary.tool_words, room))]
    used = sum(cell_len(text) for _, text in (*left, *right))
    return (*left, ("text", " " * max(width - used, 0)), *right)


def _words(summary: PartSummary, room: int) -> list[tuple[str, str]]:
    """Return what an agent was asked and what it said last, each in half of the room that the other leaves it."""
    task, last = one_line(summary.task, 400), one_line(summary.last, 400)
    arrow = "→ " if last else ""
    half = max((room - len(arrow) - 1) // 2, 0)
    spare = max(half - cell_len(last), 0)
    task = fitted(task, half + spare)
    last = fitted(last, max(room - cell_len(task) - 1 - len(arrow), 0))
    return [("text", task + " " * bool(task)), ("edge", arrow), ("muted", last)]


def outcome_words(subject: TracedRecord) -> tuple[str, str]:
    """Return how a record came out and what failed on the way, with the style of it.

    That nothing failed is said of a record that passed alone: of any other the trace may not show what went wrong.
    """
    outcome, summary = outcome_of(subject.entry), subject.trace.summary
    failures = summary.error_count + summary.failed_calls
    style, glyph = OUTCOME_STYLES[outcome], SIGNS[outcome]
    if is_no_result(subject.entry, subject.trace):
        return style, f"{glyph} not a result"
    if failures:
        return "error-bold", f"{glyph} {outcome}, ✖ {failures:,} failed"
    if subject.trace.source is None:
        return style, f"{glyph} {outcome}, no trace"
    return style, f"{glyph} nothing failed" if outcome is Outcome.PASSED else f"{glyph} {outcome}"


def event_style(event: TraceEvent) -> str:
    """Return the name of the style of an event: the role's for a message, the tool's for calls and results."""
    if event.type is EventType.ERROR:
        return "error"
    if event.type in (EventType.TOOL_CALL, EventType.TOOL_RESULT):
        return "role-tool"
    return role_style(role_of(event)) if role_of(event) else "role-other"


def shape_of(event: TraceEvent) -> tuple[str, str]:
    """Return the shape and the word that stand for an event; a message has the shape of its role."""
    shape, word = WORDS[event.type]
    if span := span_of(event):
        return "◆", one_line(span, _WORD - 3)
    return (glyph(role_of(event)) if event.type is EventType.MESSAGE and role_of(event) else shape), word


def offset_words(row: TimelineRow) -> str:
    """Return when an event was, counted from the first one; empty if that is not known."""
    return "" if row.offset_ms is None else f"+{shown_ms(row.offset_ms)}"


def _counts(row: TimelineRow, columns: TraceColumns) -> list[tuple[str, str]]:
    shown = row.event.text if row.output is ABSENT and row.event.text is not None else row.output
    size = "" if shown is ABSENT else size_words(shown)
    took = "" if row.duration_ms is None else shown_ms(row.duration_ms)
    counts = [("muted", size, columns.size), ("text", took, columns.took)]
    counts.append(("faint", offset_words(row), columns.offset))
    return [(style, f"{text:>{width}}") for style, text, width in counts if width]


def _cell(text: str, width: int) -> str:
    return filled(text, width) + " "


_MARKS: Mapping[PairKind, tuple[str, str]] = {
    PairKind.SAME: ("=", "muted"),
    PairKind.CHANGED: ("~", "warning"),
    PairKind.MISSING: ("-", "removed"),
    PairKind.EXTRA: ("+", "added"),
}


def golden_rows(alignment: Alignment, index: int, count: int, width: int) -> list[Row]:
    """Return an alignment as rows: the golden calls at the left, those of the run at the right."""
    room = Room(width - 2)
    counts = ", ".join(f"{of_kind} {kind}" for kind in PairKind if (of_kind := alignment.count(kind)))
    which, more = f"golden {alignment.golden_index + 1} of {count}", ""
    if count > 1:
        which, more = (
            which + (", the closest" if index == 0 else ""),
            f" · {key_named('trace.golden', 'g')} shows the next",
        )
    words = f"{which} · distance {alignment.distance:g} · {counts or 'no calls'}{more}"
    rows = [*text_rows(words, "muted", width), (("text", ""),)]
    rows += indented(beside([(("muted-bold", "golden"),)], [(("muted-bold", "this run"),)], room))
    for pair in alignment.rows:
        rows += _pair_rows(pair, room)
    return rows


def trajectories(data: Table, width: int) -> list[Row]:
    """Return the golden trajectories of a sample, each as a timeline."""
    rows: list[Row] = []
    goldens = golden_trajectories(data)
    for number, events in enumerate(goldens, 1):
        listed = timeline(events)
        columns = TraceColumns.of(listed, width)
        if number > 1:
            rows.append((("text", ""),))
        rows.append((("accent-bold", f"trajectory {number} of {len(goldens)}"),))
        rows += [event_row(event, columns, width) for event in listed]
    return rows


def _pair_rows(pair: ComparedPair, room: Room) -> list[Row]:
    mark, style = _MARKS[pair.kind]
    left = _call(pair.golden, room.column) if pair.golden is not None else [(("faint", "not in the golden"),)]
    right = _call(pair.actual, room.column) if pair.actual is not None else [(("removed", "not called"),)]
    (_, *first), *rows = indented(beside(left, right, room))
    return [((style, f"{mark} "), *first), *rows, *chain(*(_difference(item, room) for item in pair.differences))]


def _call(row: TimelineRow, width: int) -> list[Row]:
    arguments = preview(row.event.input, 400)
    return text_rows(f"{one_line(row.event.name or 'a call without a name', 60)}({arguments})", "text", width)


def _difference(argument_diff: ArgumentDiff, room: Room) -> list[Row]:
    where = shown(argument_diff.path) if argument_diff.path else "arguments"
    left = _side(where, argument_diff.expected, room.column, "removed")
    return indented(beside(left, _side(where, argument_diff.actual, room.column, "added"), room))


def _side(where: str, value: Maybe, half: int, style: str) -> list[Row]:
    if value is ABSENT:
        return [(("faint", f"  {one_line(where, half - 10)}: none"),)]
    words = f'"{preview(value, 400)}"' if isinstance(value, str) else preview(value, 400) or "{}"
    return text_rows(f"{where}: {words}", style, half, "  ")
