"""A trace as lines of text and as plain data, for scripts and for terminals without the app."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from sampleui.formats.data import Plain, Table
from sampleui.sample.tokens import Tokens
from sampleui.text.visible import one_line
from sampleui.text.wording import counted, dollars, shown_ms
from sampleui.trace.events import TraceEvent
from sampleui.trace.golden import Alignment, ComparedPair, PairKind
from sampleui.trace.nesting import span_of
from sampleui.trace.preview import preview, shown_size
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.summary import Summary
from sampleui.trace.timeline import TimelineRow, events_data, speaker, timeline
from sampleui.trace.trajectory_checks import TrajectoryResult
from sampleui.trace.tree import MOST_GUIDES, Outline, Part, PartKind, amount_words, guides, part_summary

_GAP, _KIND_WIDTH, _SIZE_WIDTH, _TIME_WIDTH = "  ", 13, 6, 7
_MARKS = {PairKind.SAME: " ", PairKind.CHANGED: "~", PairKind.MISSING: "-", PairKind.EXTRA: "+"}


class ReportLayout(NamedTuple):
    """The widths of a timeline's columns in characters. Narrow ones leave the offset out."""

    number: int
    name: int
    text_width: int
    offset: bool
    guides: int = 0
    agent: int = 0

    @classmethod
    def fitted(cls, rows: Sequence[TimelineRow], width: int) -> ReportLayout:
        """Return the layout of rows on lines of a width, of at least 64 characters."""
        number, name, offset = max(len(str(len(rows))), 2), 18 if width >= 100 else 12, width >= 100
        deep = min(max((row.depth - row.answers for row in rows), default=0), MOST_GUIDES)
        agent = min(max((cell_len(one_line(row.agent)) for row in rows), default=0), name - 2)
        used = number + _KIND_WIDTH + name + _SIZE_WIDTH + _TIME_WIDTH + 5 * len(_GAP)
        used += _TIME_WIDTH + len(_GAP) if offset else 0
        used += deep + bool(deep) + (agent + len(_GAP) if agent else 0)
        return cls(number, name, max(width - used, 10), offset, deep, agent)

    def lines(self, depth: int) -> str:
        """Return the thin lines before a row of a depth."""
        return f"{guides(depth, self.guides)} " if self.guides else ""

    def line(self, cells: tuple[str, str, str, str, str, str, str], depth: int = 0, agent: str = "") -> str:
        """Return the cells of a row on one line, wide characters aligned."""
        number, kind, name, text, size, took, offset = cells
        shown = [
            f"{number:>{self.number}}",
            f"{self.lines(depth)}{kind:<{_KIND_WIDTH}}",
            *([set_cell_size(agent, self.agent)] if self.agent else []),
            set_cell_size(name, self.name),
            set_cell_size(text, self.text_width),
            f"{size:>{_SIZE_WIDTH}}",
            f"{took:>{_TIME_WIDTH}}",
        ]
        return _GAP.join([*shown, f"{offset:>{_TIME_WIDTH}}"] if self.offset else shown).rstrip()


def text_lines(trace: RecordTrace, title: str, width: int = 120, about: str = "") -> Iterator[str]:
    """Yield a trace as text: the title, the summary, what is known of the record, what was skipped, the events.

    Every line is safe to print. A failure is marked by the word FAILED, never by colour.
    """
    yield one_line(title)
    yield from (f"  {line}" for line in summary_lines(trace))
    if about:
        yield f"  {one_line(about)}"
    for note in trace.diagnostics:
        yield f"  {note.severity}: {one_line(note.message, 300)} [{note.rule}]"
    if trace.events:
        yield ""
        yield from tree_lines(trace.events, width)


def tree_lines(events: Sequence[TraceEvent], width: int = 120, *, folded: bool = False) -> Iterator[str]:
    """Yield the events of a trace as lines of text below a heading, those of a sub-agent below a line of its own.

    Args:
        events: the events.
        width: the longest a line may be, in cells.
        folded: whether what a sub-agent did, and calls that went well, are one line.
    """
    rows = timeline(events)
    outline = Outline(rows)
    if not folded:
        outline.turn(*(index for index, part in enumerate(outline.parts) if not part.is_open))
    layout = ReportLayout.fitted(rows, width)
    yield layout.line(("#", "kind", "name", "input or text", "size", "took", "at"), agent="agent")
    for line in outline.lines:
        index = outline.part_of(line)
        part = None if index is None else outline.parts[index]
        if line >= 0:
            is_folded = part is not None and index is not None and not outline.is_open(index)
            yield row_line(rows[line], layout, part_words(rows, part) if part is not None and is_folded else "")
        elif part is not None and (folded or part.kind is PartKind.AGENT):
            start = f"{'':{layout.number}}{_GAP}{layout.lines(part.depth)}"
            yield start + one_line(part_words(rows, part), max(width - len(start), 10))


def part_words(rows: Sequence[TimelineRow], part: Part) -> str:
    """Return what stands as one in words: `researcher, 5 calls, 1 failed, 262ms: find the number → it is 42`."""
    summary = part_summary(rows, part)
    if part.kind is PartKind.CALLS:
        return f"{amount_words(part, summary)} {summary.tool_words}"
    facts = [one_line(summary.name, 60)] if part.kind is PartKind.AGENT else []
    facts.append(amount_words(part, summary))
    facts += [f"{summary.failures:,} failed"] if summary.failures else []
    facts += [] if summary.took_ms is None else [shown_ms(summary.took_ms)]
    said = " → ".join(filter(None, (one_line(summary.task), one_line(summary.last))))
    return ", ".join(facts) + (f": {said}" if said and part.kind is PartKind.AGENT else "")


def row_line(row: TimelineRow, layout: ReportLayout, words: str = "") -> str:
    """Return a row of the timeline as one line, with what happened in it in words where that is folded."""
    mark = "FAILED " if row.failed else ""
    words = f"({words}) " if words else ""
    return layout.line(
        (
            str(row.number),
            "  " * row.answers + (span_of(row.event) or row.event.type)[:_KIND_WIDTH],
            speaker(row, layout.name),
            one_line(mark + words + row.line(layout.text_width - len(mark)), layout.text_width),
            shown_size(row.size),
            shown_ms(row.duration_ms),
            "-" if row.offset_ms is None else f"+{shown_ms(row.offset_ms)}",
        ),
        row.depth - row.answers,
        one_line(row.agent, max(layout.agent, 1)),
    )


def summary_facts(trace: RecordTrace) -> list[str]:
    """Return the first line of the header of a trace by its facts: where it is from, its counts, what it cost."""
    counts = _counts(trace.summary) if trace.source and trace.summary.counted else []
    if not trace.summary.counted:
        counts.append("tool calls not known")
    return [f"from {trace.source}" if trace.source else "no trace", *counts, *_costs(trace.summary)]


def summary_lines(trace: RecordTrace) -> Iterator[str]:
    """Yield the header of a trace: its counts, the calls by tool, and what the run reports when that differs.

    The tools called most come first, so that they are seen if there is no room for all.
    """
    summary, reported = trace.summary, trace.reported
    yield ", ".join(summary_facts(trace))
    if summary.tool_calls_by_name:
        yield f"tools: {_tools(summary)}"
    if reported is not None and _counts(reported) != _counts(summary):
        yield f"the run reports {', '.join([*_counts(reported), *_costs(reported)])}"
        if reported.tool_calls_by_name:
            yield f"tools as reported: {_tools(reported)}"


def trajectory_lines(results: Sequence[TrajectoryResult]) -> Iterator[str]:
    """Yield trajectory checks as text: a line each, then what was found and what was missed."""
    for result in results:
        if result.passed is None:
            yield f"NOT RUN {one_line(result.name, 60)}: {one_line(', '.join(result.misses))}"
            continue
        word, negated = "PASSED" if result.passed else "FAILED", "not " if result.negated else ""
        yield f"{word} {one_line(result.name, 60)} ({negated}{result.mode}) {result.score:.2f}"
        yield from (f"  hit: {one_line(hit)}" for hit in result.hits)
        yield from (f"  miss: {one_line(miss)}" for miss in result.misses)


def alignment_lines(alignment: Alignment) -> Iterator[str]:
    """Yield an alignment as a diff: `-` a golden call that was not made, `+` an extra one, `~` one changed."""
    yield f"golden trajectory {alignment.golden_index + 1}: distance {alignment.distance:g}"
    for pair in alignment.rows:
        yield f"{_MARKS[pair.kind]} {_call_line(pair)}"
        yield from (f"    {one_line(str(difference))}" for difference in pair.differences)


def trace_data(trace: RecordTrace, title: str) -> Table:
    """Return a trace as plain JSON data.

    Shape: `{id, source, summary, reported, events, diagnostics: [{rule, severity, message, path}], text, reasoning,
    raw, usage}`; keys without a value are null. `events` are in array order and in wire form.
    """
    response = trace.response
    return {
        "id": title,
        "source": None if trace.source is None else str(trace.source),
        "summary": trace.summary.to_data(),
        "reported": None if trace.reported is None else trace.reported.to_data(),
        "events": [*events_data(trace.events)],
        "diagnostics": [
            {"rule": note.rule, "severity": str(note.severity), "message": note.message, "path": list(note.node)}
            for note in trace.diagnostics
        ],
        "text": response.text,
        "reasoning": response.reasoning,
        "raw": response.raw,
        "usage": response.usage,
    }


def trajectory_data(results: Sequence[TrajectoryResult]) -> list[Plain]:
    """Return trajectory checks as plain JSON data: `[{name, mode, score, passed, hits, misses}]`.

    `passed` and `score` are null where the runner leaves a check out.
    """
    return [
        {
            "name": result.name,
            "mode": str(result.mode),
            "score": None if result.passed is None else result.score,
            "passed": result.passed,
            "hits": list(result.hits),
            "misses": list(result.misses),
        }
        for result in results
    ]


def _counts(summary: Summary) -> list[str]:
    calls = sum(summary.tool_calls_by_name.values()) + summary.unnamed_calls
    counts = [(summary.event_count, "event"), (calls, "tool call")]
    # A run may have crashed without an event for it, so that there is none is not worth a word that reads so.
    failures = ((summary.error_count, "error"), (summary.failed_calls, "failed call"))
    counts += [(count, noun) for count, noun in failures if count]
    return [counted(count, noun) for count, noun in counts]


def _costs(summary: Summary) -> Iterator[str]:
    if summary.tokens is not None:
        yield _token_words(summary.tokens)
    if summary.cost_usd is not None:
        yield dollars(summary.cost_usd)
    if summary.duration_ms is not None:
        of_events = "" if summary.reported_ms is None else " between events"
        yield f"{shown_ms(summary.duration_ms)}{of_events}"
    if summary.reported_ms is not None:
        yield f"{shown_ms(summary.reported_ms)} as reported"


def _token_words(tokens: Tokens) -> str:
    if tokens.input is not None and tokens.output is not None:
        return f"{counted(tokens.input, 'token')} in, {tokens.output:,} out"
    if tokens.input is None and tokens.output is None:
        return f"{tokens.total:,} tokens"
    parts = ((tokens.input, "tokens in"), (tokens.output, "tokens out"), (tokens.total, "in all"))
    return ", ".join(f"{count:,} {words}" for count, words in parts if count is not None)


def _tools(summary: Summary) -> str:
    counts = sorted(summary.tool_calls_by_name.items(), key=lambda item: -item[1])
    return ", ".join(f"{one_line(name, 40)} {count}" for name, count in counts)


def _call_line(pair: ComparedPair) -> str:
    row = pair.actual if pair.actual is not None else pair.golden
    assert row is not None
    return f"{one_line(row.event.name or '?', 40)}({preview(row.event.input, 80)})"
