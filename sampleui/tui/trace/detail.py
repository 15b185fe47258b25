"""What the detail pane shows of a record and of the event under the cursor: pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sampleui.formats.data import Plain, shown
from sampleui.runs.records import TracedRecord
from sampleui.sample.media import Places
from sampleui.sample.message import size_within
from sampleui.text.limits import MAX_UNFOLDED_JSON
from sampleui.text.visible import one_line
from sampleui.text.wording import counted, shown_ms
from sampleui.trace.events import ABSENT, THOUGHT, EventType, TraceEvent
from sampleui.trace.nesting import NESTING
from sampleui.trace.preview import preview, to_json
from sampleui.trace.timeline import TimelineRow, role_of, speaker
from sampleui.trace.trajectory_checks import TrajectoryResult
from sampleui.trace.tree import PartKind
from sampleui.tui.commands import key_named
from sampleui.tui.drawing.cards import severity_mark
from sampleui.tui.drawing.pictures import picture_rows
from sampleui.tui.drawing.rows import Row, text_rows
from sampleui.tui.trace.rows import ShownPart, event_style, golden_rows, offset_words, shape_of
from sampleui.tui.trace.values import (
    StackedRows,
    ValueMode,
    cut,
    is_long,
    pattern,
    size_words,
    value_rows,
)

EVENT, GOLDEN = "Event", "Golden"


class Look(NamedTuple):
    """How the detail is shown.

    Attributes:
        mode: how values are shown.
        folded: whether values are folded; None folds those that are long.
        words: the text that is searched for, to be marked.
        golden: which of the golden trajectories is shown, 0 for the closest.
    """

    mode: ValueMode = ValueMode.PRETTY
    folded: bool | None = None
    words: str = ""
    golden: int = 0

    def folds(self, value: Plain) -> bool:
        """Tell whether a value is folded: at first one that is long, unless it has what is searched for."""
        if self.folded is not None:
            return self.folded
        return is_long(value) and not (self.words and self.words.casefold() in _text(value))


def _text(value: Plain) -> str:
    return (value if isinstance(value, str) else to_json(value)).casefold()


class Detail(NamedTuple):
    """What is looked at: a record, and an event of it or what stands for several.

    Attributes:
        event_count: how many events the record has.
        part: what stands for several, beside the event or, if it is `alone`, in its place.
        notes: what was noted about the event.
        places: where the files of pictures may be.
    """

    subject: TracedRecord
    event: TimelineRow | None
    look: Look = Look()
    event_count: int = 0
    part: ShownPart | None = None
    alone: bool = False
    notes: tuple[str, ...] = ()
    places: Places = ()

    def same(self, other: Detail) -> bool:
        """Tell whether another detail shows the same event in the same way, without comparing its values."""
        return self.subject is other.subject and self.event is other.event and self[2:] == other[2:]


def tab_rows(tab: str, detail: Detail, width: int) -> StackedRows:
    """Return a tab as rows."""
    return StackedRows(list(_TABS[tab].rows(detail, width)), pattern(detail.look.words))


def event(detail: Detail, width: int) -> Iterator[Sequence[Row]]:
    """Yield an event: what it is, its values, and those of the result that answers it."""
    row = detail.event
    if row is None:
        yield [(("muted", f"No event is shown; {key_named('trace.filter', 'f')} chooses others."),)]
        return
    if detail.part is not None:
        yield from _part(detail.part, detail, width)
        if detail.alone:
            return
    yield _heading(row, detail.event_count, width)
    yield [line for note in detail.notes for line in text_rows(note, "accent", width)]
    for title, value in values_of(row):
        yield from _section(title, value, detail, width, whole=is_said(row, title))


def response(detail: Detail, width: int) -> Iterator[Sequence[Row]]:
    """Yield what the provider answered: every field of its response that the record has."""
    trace = detail.subject.trace
    response = trace.response
    source = f"trace from {trace.source}" if trace.source else "the record has no trace"
    if response.trace_ref is not None:
        source += f", trace_ref {one_line(response.trace_ref)}"
    yield [(("muted", source),)]
    fields: tuple[tuple[str, Plain], ...] = (
        ("text", response.text),
        ("reasoning", response.reasoning),
        ("usage", response.usage),
        ("trace summary", response.trace_summary),
        ("raw", response.raw),
    )
    for title, value in fields:
        if value is not None:
            yield from _section(title, value, detail, width)


def checks(detail: Detail, width: int) -> Iterator[Sequence[Row]]:
    """Yield the trajectory checks with what was found and what was missed."""
    yield from (_check(result, width) for result in detail.subject.checks)


def golden(detail: Detail, width: int) -> Iterator[Sequence[Row]]:
    """Yield the calls beside those of a golden trajectory."""
    alignments = detail.subject.alignments or ()
    index = detail.look.golden % len(alignments)
    yield golden_rows(alignments[index], index, len(alignments), width)


def notes(detail: Detail, width: int) -> Iterator[Sequence[Row]]:
    """Yield what was skipped or could not be read, and where in the record."""
    for note in detail.subject.trace.diagnostics:
        style = str(note.severity)
        where = f" at {shown(note.node)}" if note.node else ""
        yield [((f"{style}-bold", f"{severity_mark(style)} {note.rule}"), ("muted", where))]
        yield text_rows(note.message, "text", width, "  ")


class DetailTab(NamedTuple):
    """A tab of the detail: all that is to be said of one.

    Attributes:
        title: its name.
        rows: what it shows in a width.
        needs: whether a record has something to show in it.
    """

    title: str
    rows: Callable[[Detail, int], Iterator[Sequence[Row]]]
    needs: Callable[[TracedRecord], bool]


_IN_ORDER = (
    DetailTab(EVENT, event, lambda subject: bool(subject.trace.events)),
    DetailTab("Response", response, lambda _: True),
    DetailTab("Checks", checks, lambda subject: bool(subject.checks)),
    DetailTab(GOLDEN, golden, lambda subject: bool(subject.alignments)),
    DetailTab("Notes", notes, lambda subject: bool(subject.trace.diagnostics)),
)
_TABS: Mapping[str, DetailTab] = {tab.title: tab for tab in _IN_ORDER}


def tabs_of(subject: TracedRecord) -> tuple[str, ...]:
    """Return the names of the tabs that have something to show."""
    return tuple(title for title, tab in _TABS.items() if tab.needs(subject))


def _heading(row: TimelineRow, count: int, width: int) -> list[Row]:
    style = event_style(row.event)
    shape, word = shape_of(row.event)
    failed = [("error-bold", "  ✖ FAILED")] if row.failed else []
    facts = [f"{row.number:,} of {count:,}", one_line(row.agent, 60), offset_words(row)]
    if row.duration_ms is not None:
        facts.append(f"took {shown_ms(row.duration_ms)}")
    facts.append("" if row.event.id is None else f"id {one_line(str(row.event.id), 60)}")
    facts.append(one_line(row.event.timestamp or "", 40))
    title: Row = ((f"{style}-bold", f"{shape} {word} {speaker(row)}"), *failed)
    return [title, *text_rows(" · ".join(filter(None, facts)), "muted", width)]


def _part(shown: ShownPart, detail: Detail, width: int) -> Iterator[Sequence[Row]]:
    """Yield what stands for several: what it is, what was asked in it, and what was said last."""
    summary, is_agent = shown.summary, shown.part.kind is PartKind.AGENT
    title = f"◆ agent {one_line(summary.name, 60)}" if is_agent else "→ calls that went well"
    if shown.part.kind is PartKind.INSIDE:
        title = "what happened in it"
    failed = [("error-bold", f"  ✖ {summary.failures:,} failed")] if summary.failures else []
    facts = [counted(shown.part.end - shown.part.start, "event"), counted(summary.calls, "call")]
    facts += [] if summary.took_ms is None else [f"took {shown_ms(summary.took_ms)}"]
    facts += [f"{one_line(name, 40) or '?'} {count:,}" for name, count in summary.tools.most_common()]
    keys = f"{key_named('trace.unfold', 'l')} unfolds"
    if shown.part.kind is not PartKind.CALLS:
        keys += f", {key_named('trace.open', 'enter')} shows it alone"
    head: Row = (("role-other-bold", title), *failed)
    yield [head, *text_rows(" · ".join(facts), "muted", width), *text_rows(keys, "faint", width)]
    for name, text in (("task", summary.task), ("last words", summary.last)) if is_agent else ():
        if text:
            yield from _section(name, text, detail, width)
    if not shown.part.is_headed:
        return
    yield [(("text", ""),)]


def is_said(row: TimelineRow, title: str) -> bool:
    """Tell whether a value of an event is what was said, which is shown in full."""
    return title == "text" and row.event.type is EventType.MESSAGE and role_of(row.event) != THOUGHT


def values_of(row: TimelineRow) -> Iterator[tuple[str, Plain]]:
    """Yield the values of an event by their titles, then those of the result that answers it."""
    yield from _own_values(row.event, "")
    if row.result is not None:
        yield from _own_values(row.result, "result ")


def _own_values(event: TraceEvent, prefix: str) -> Iterator[tuple[str, Plain]]:
    extra = {key: value for key, value in event.extra.items() if key not in NESTING}
    if (error := extra.pop("error", None)) is not None:
        yield f"{prefix}error", error
    if event.input is not ABSENT:
        yield "input", event.input
    if event.text is not None:
        yield f"{prefix}text", event.text
    if event.output is not ABSENT:
        yield f"{prefix}output", event.output
    if event.metadata:
        yield f"{prefix}metadata", event.metadata
    if extra:
        yield f"{prefix}other", extra


def _section(
    title: str, value: Plain, detail: Detail, width: int, *, whole: bool = False
) -> Iterator[Sequence[Row]]:
    """Yield a value below its title; `whole` for one that is never folded."""
    look = detail.look
    folded = not whole and look.folds(value)
    large = folded and not isinstance(value, str) and size_within(value, MAX_UNFOLDED_JSON) is None
    hint = f"{key_named('trace.fold', 'Z')} shows all"
    notes = [size_words(value)] if isinstance(value, str | dict | list) else []
    notes += [f"folded, {hint}"] * large
    style = "error-bold" if title.endswith("error") else "muted-bold"
    head = f"── {title} "
    tail = f" {' · '.join(notes)}" if notes else ""
    rule = "─" * max(width - len(head) - len(tail), 2)
    yield [(("text", ""),), (("edge", "── "), (style, f"{title} "), ("edge", rule), ("faint", tail))]
    if look.mode is not ValueMode.RAW:
        yield picture_rows(value, width, asked=look.folded is False, places=detail.places)
    rows = value_rows(value, width, look.mode, large)
    yield cut(rows, hint) if folded and not large else rows


_OUTCOMES = {True: ("✓ PASSED", "added-bold"), False: ("✖ FAILED", "error-bold"), None: ("· NOT RUN", "muted-bold")}


def _check(result: TrajectoryResult, width: int) -> list[Row]:
    word, style = _OUTCOMES[result.passed]
    name = one_line(result.name, 60)
    left_out = result.passed is None
    score_words = "" if left_out else f"  {'not ' * result.negated}{result.mode} {result.score:.2f}"
    rows: list[Row] = [((style, word), ("text-bold", f" {name}"), ("muted", score_words))]
    missed = ("· reason", "muted") if left_out else ("✖ missed", "error")
    for calls, mark, paint in ((result.hits, "✓ hit   ", "added"), (result.misses, *missed)):
        for words in calls:
            lines = text_rows(preview(words, 400), "text", max(width - 12, 16))
            rows.append(((paint, f"  {mark}  "), *lines[0]))
            rows += [(("text", " " * 12), *line) for line in lines[1:]]
    return [*rows, (("text", ""),)]
