"""A record on the page: how it came out, expected against actual, scores with reasons, its trace, its verdicts.

Nothing in it leads away, is fetched, or is HTML of a stranger's.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from sampleui.formats.data import Table
from sampleui.page.markup import Markup, escaped, joined, tag
from sampleui.review.log.store import Log
from sampleui.review.record import (
    SIGNS,
    Assertion,
    Entry,
    EvaluatorScore,
    Outcome,
    Record,
    contentment,
    measures,
    outcome_of,
    why_failed,
)
from sampleui.review.results.file import Results
from sampleui.review.results.requests import text_said
from sampleui.review.samples.comparing import (
    LOOK_ALIKE,
    Alike,
    ExpectedAnswer,
    InLines,
    InWords,
    Unlike,
    difference_of,
    expected_of,
    line_blocks,
    shown_text,
    unseen_differences,
)
from sampleui.review.samples.diffwords import DiffOp, DiffSegment
from sampleui.review.verdict import Decision
from sampleui.runs.records import file_record, trace_of
from sampleui.runs.requests import prompt_sent
from sampleui.sample.model import Sample
from sampleui.sample.sections import Badge, Block, MailHeader, More, Section, Speech, Verbatim
from sampleui.settings.views import Shape
from sampleui.text.limits import MAX_PAGE_TEXT
from sampleui.text.prose import Code, Grid, Heading, HorizontalRule, InlineSpan, ListItem, Paragraph, Quote
from sampleui.text.visible import one_line
from sampleui.text.wording import counted, sentence, shown_ms
from sampleui.trace.nesting import span_of
from sampleui.trace.preview import full_text
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.report import part_words, summary_lines
from sampleui.trace.timeline import TimelineRow, speaker, timeline
from sampleui.trace.tree import Part, parts_of
from sampleui.workspace.record_search import Decks

_SHOWN_EQUAL, _MIN_FOLDED = 2, 6
"""Lines kept around what differs, and lines in which nothing does from which on they are folded."""

KINDS = {Outcome.PASSED: "pass", Outcome.FAILED: "fail", Outcome.ERROR: "error", Outcome.UNGRADED: "open"}
"""A class of the style sheet for each outcome."""


class RecordDetails(NamedTuple):
    """All that the page tells of a record.

    Attributes:
        sample: its sample, where a deck has it.
        outcome: how it came out.
        why: why it failed, in words.
        expected: what its answer is compared with.
        asked: the messages that were sent.
        trace: what it did.
        decisions: what each reviewer decided, a ruling first; then what programs proposed.
        sections: what is shown of it as it is read.
        section_blocks: the blocks of each of those.
        viewed: whether a view of the settings says which those are.
        fail_under: the threshold that was asked for.
    """

    record: Record
    sample: Sample | None
    outcome: Outcome
    why: tuple[str, ...]
    expected: ExpectedAnswer
    asked: tuple[Table, ...]
    trace: RecordTrace
    decisions: tuple[Decision, ...]
    disputed: bool
    sections: tuple[Section, ...] = ()
    section_blocks: tuple[tuple[Block, ...], ...] = ()
    viewed: bool = False
    fail_under: float | None = None

    @property
    def is_read(self) -> bool:
        """Whether it is shown as it is read: by a view, or since its answer is compared with nothing."""
        return self.viewed or (self.expected == ExpectedAnswer(None) and not self.record.unanswered)


def details_of(results: Results, log: Log, decks: Decks, record: Record, fail_under: float | None) -> RecordDetails:
    """Return what the page tells of a record.

    Raises:
        ResultsError: when a file that it needs can no longer be read.
    """
    sample: Sample | None = decks.sample(record)
    row = file_record(record)
    return RecordDetails(
        record,
        sample,
        outcome_of(record, fail_under),
        why_failed(record, fail_under),
        expected_of(sample, record),
        prompt_sent(record, results.base_dir).sent,
        trace_of(row, results.base_dir),
        log.everything(record.digest),
        log.disputed(record.digest),
        fail_under=fail_under,
    )


def anchor_of(entry: Entry) -> str:
    """Return the name by which links lead to a record."""
    return f"r{entry.index + 1}"


def record_block(details: RecordDetails, trace: Markup) -> Markup:
    """Return a record as an element of the page, with what there is of its trace."""
    record = details.record
    why = "" if details.outcome is Outcome.ERROR else " · ".join(details.why)
    sign = tag("span", SIGNS[details.outcome], class_=f"sign {KINDS[details.outcome]}", title=str(details.outcome))
    target = tag("span", one_line(record.target), class_="target") if record.target else ""
    score = () if record.score is None else (f"score {record.score:g}",)
    about = " · ".join(filter(None, (*score, measures(record), ", ".join(map(one_line, record.tags)))))
    return tag(
        "article",
        tag("h3", sign, " ", tag("bdi", one_line(record.id, 300)), " ", target),
        tag("p", about, class_="muted") if about else "",
        tag("p", why, class_="why") if why else "",
        *_decided(details),
        *(_read(details) if details.is_read else (_asked(details.asked), *_answer(details))),
        *_scores(record, details.fail_under),
        trace,
        *(tag("p", f"▲ {note.message}", class_="warn") for note in record.notes),
        id=anchor_of(record),
        class_=f"record {KINDS[details.outcome]}",
        tabindex="-1",
    )


def _decided(details: RecordDetails) -> Iterator[Markup]:
    if details.disputed:
        yield tag("p", "≠ reviewers disagree, and nobody has settled it", class_="warn")
    for decision in details.decisions:
        earlier = ", on an earlier run" if decision.carried else ""
        yield tag(
            "div",
            tag("b", decision.verdict_words),
            f" by {one_line(decision.reviewer, 60)}, {decision.time[:16].replace('T', ' ')}{earlier}",
            tag("span", f": {decision.verdict.meaning}", class_="muted") if decision.verdict is not None else "",
            tag("p", "# " + ", ".join(decision.tags)) if decision.tags else "",
            _text(decision.comment) if decision.comment else "",
            class_="verdict",
        )


def _asked(messages: Sequence[Table]) -> Markup:
    if not messages:
        return Markup()
    shown = [
        joined((tag("h4", one_line(str(message.get("role", "")), 40)), _text(text_said(message.get("content")))))
        for message in messages
    ]
    return _folded(f"Asked: {counted(len(messages), 'message')}", *shown)


def _read(details: RecordDetails) -> Iterator[Markup]:
    if details.record.doubtful:
        yield tag("p", "▲ it may be the answer of another record", class_="warn")
    if details.record.unanswered:
        yield from _answer(details)
    yield from _section_elements(details.sections, details.section_blocks, MAX_PAGE_TEXT)
    if details.expected != ExpectedAnswer(None) and not details.record.unanswered:
        yield from _answer(details)


# Sections

_STYLES = {"strong": "strong", "emphasis": "em", "code": "code", "struck": "s"}


def _section_elements(
    sections: Sequence[Section], blocks_of: Sequence[Sequence[Block]], longest: int
) -> Iterator[Markup]:
    """Yield sections as elements, badges beside each other; what is folded or hidden is in an element to open.

    Args:
        sections: the sections.
        blocks_of: the blocks of each, without what is to be replaced.
        longest: characters of a text that are shown.
    """
    pairs = zip(sections, blocks_of, strict=True)
    for is_badge, together in groupby(pairs, key=lambda pair: pair[0].kind is Shape.BADGE and not pair[0].hidden):
        if is_badge:
            yield tag("p", *(_badge(section, blocks) for section, blocks in together), class_="badges")
            continue
        for section, blocks in together:
            heading, elements = one_line(section.heading, 100), [*block_elements(blocks, longest)]
            if section.hidden or section.folded:
                yield tag("details", tag("summary", f"{heading} · {section.size}"), *elements)
            else:
                yield joined((tag("h4", heading), *elements))


def _badge(section: Section, blocks: Iterable[Block]) -> Markup:
    value = next((block.text for block in blocks if isinstance(block, Badge)), "")
    return tag("span", tag("small", one_line(section.heading, 100)), " ", tag("bdi", one_line(value, 400)))


def block_elements(blocks: Iterable[Block], longest: int) -> Iterator[Markup]:
    """Yield blocks as elements, at most so many characters of each text."""
    for block in blocks:
        yield _element(block, longest)


def _element(block: Block, longest: int) -> Markup:
    match block:
        case Heading(spans):
            return tag("h5", *_spans(spans))
        case Paragraph(spans):
            return tag("p", *_spans(spans), class_="prose")
        case ListItem(spans, marker, depth):
            return tag("p", tag("span", marker, class_="muted"), " ", *_spans(spans), class_=f"prose item d{depth}")
        case Grid(header, rows):
            heads = tag("thead", tag("tr", *(tag("th", *_spans(cell), scope="col") for cell in header)))
            body = tag("tbody", *(tag("tr", *(tag("td", *_spans(cell)) for cell in row)) for row in rows))
            return tag("div", tag("table", heads, body), class_="wide")
        case Quote(inner):
            return tag("blockquote", *block_elements(inner, longest))
        case HorizontalRule():
            return tag("hr")
        case Code(text) | Verbatim(text) | Badge(text):
            return tag("div", clipped(text, longest), class_="text")
        case MailHeader(name, text):
            return tag("p", tag("small", f"{one_line(name)}: "), one_line(text, 1000), class_="prose")
        case More(text):
            return tag("p", f"⋯ {text}", class_="muted")
        case Speech(role, note, inner):
            name = " ".join(filter(None, (one_line(role, 40), one_line(note, 60))))
            return tag("div", tag("h5", name), *block_elements(inner, longest), class_="speech")


def _spans(spans: Iterable[InlineSpan]) -> Iterator[str]:
    for span in spans:
        yield tag(_STYLES[span.style], span.text) if span.style in _STYLES else span.text


def clipped(text: str, longest: int) -> Markup:
    """Return a text up to a length, with how much more there is."""
    if len(text) <= longest:
        return escaped(text)
    more = tag("span", f"… ({len(text) - longest:,} characters more)", class_="muted")
    return joined((text[:longest], more))


# Expected against actual


def _answer(details: RecordDetails) -> Iterator[Markup]:
    record = details.record
    expected, criteria, any_of = details.expected
    if expected is None or record.unanswered or any_of:
        if any_of and record.actual in any_of:
            yield tag("p", "✓ exactly one of those expected", class_="same")
        if criteria is not None:
            yield from _block(one_line(criteria.name, 40).capitalize(), criteria.text)
        elif expected is not None:
            yield from _block("Expected", expected)
        if record.doubtful:
            yield tag("p", "▲ it may be the answer of another record", class_="warn")
        if record.unanswered:
            yield tag("p", sentence(record.unanswered), class_="why")
            yield from _block("Error", record.whole_error) if record.whole_error else ()
            yield from _block("In the place of an answer", record.actual) if record.actual else ()
        else:
            yield from _block("Actual", record.actual)
        return
    yield from compared(expected, record.actual)


def compared(expected: str, actual: str) -> Iterator[Markup]:
    """Yield two texts with what differs marked, as the app marks it."""
    if unseen := unseen_differences(expected, actual):
        yield tag("p", LOOK_ALIKE, class_="warn")
        yield tag("ul", *(tag("li", line) for line in unseen))
    match difference_of(expected, actual):
        case Alike(how, text):
            yield tag("p", f"✓ {how.format('expected')}", class_="same")
            yield from _block("Actual", text)
        case InWords(segments):
            yield _LEGEND
            yield tag("div", *_cut(_words(segments)), class_="text")
        case InLines(text, other):
            yield _LEGEND
            yield tag("div", *_lines(text[:MAX_PAGE_TEXT], other[:MAX_PAGE_TEXT]), class_="lines")
            yield from _more(max(len(text), len(other)))
        case Unlike(text, other):
            sides = (("Expected", text, "gone"), ("Actual", other, "come"))
            blocks = [tag("div", *_block(name, side), class_=kind) for name, side, kind in sides]
            yield tag("div", *blocks, class_="sides")


_LEGEND = tag("p", tag("del", "expected alone"), " ", tag("ins", "in the answer instead"), class_="legend")
_TAGS = {DiffOp.DELETE: "del", DiffOp.INSERT: "ins"}


def _words(segments: Sequence[DiffSegment]) -> Iterator[Markup]:
    """Yield segments as elements; long stretches in which nothing differs are folded."""
    last = len(segments) - 1
    for index, segment in enumerate(segments):
        if segment.op is not DiffOp.EQUAL:
            yield tag(_TAGS[segment.op], shown_text(segment))
            continue
        lines = segment.text.split("\n")
        head, tail = _SHOWN_EQUAL if index else 0, _SHOWN_EQUAL if index < last else 0
        hidden = len(lines) - head - tail
        if hidden < _MIN_FOLDED:
            yield escaped(segment.text)
        else:
            end = len(lines) - tail
            yield escaped("\n".join(lines[:head]))
            yield _folded(f"⋯ {hidden:,} equal lines", tag("div", "\n".join(lines[head:end]), class_="text"))
            yield escaped("\n".join(lines[end:]))


def _cut(parts: Iterable[Markup]) -> Iterator[Markup]:
    """Yield parts of a text up to what the page has room for."""
    size = 0
    for part in parts:
        if size > 2 * MAX_PAGE_TEXT:
            yield tag("span", " … (the rest is left out)", class_="muted")
            return
        size += len(part)
        yield part


def _lines(text: str, other: str) -> Iterator[Markup]:
    blocks = [*line_blocks(text, other)]
    for index, block in enumerate(blocks):
        if not block.equal:
            yield joined(_line("- ", "gone", pair.line) for pair in block.pairs if pair.line is not None)
            yield joined(_line("+ ", "come", pair.other) for pair in block.pairs if pair.other is not None)
            continue
        rows = [_line("  ", "same", pair.line) for pair in block.pairs]
        head = _SHOWN_EQUAL if index else 0
        end = len(rows) - (_SHOWN_EQUAL if index < len(blocks) - 1 else 0)
        if end - head < _MIN_FOLDED:
            yield joined(rows)
        else:
            folded = _folded(f"⋯ {end - head:,} equal lines", joined(rows[head:end]))
            yield joined((*rows[:head], folded, *rows[end:]))


def _line(sign: str, kind: str, segments: Sequence[DiffSegment] | None) -> Markup:
    parts = [
        escaped(segment.text) if segment.op is DiffOp.EQUAL else tag(_TAGS[segment.op], segment.text)
        for segment in segments or ()
    ]
    return tag("div", tag("span", sign, class_="mark"), *parts, class_=kind)


# Scores


_SIGNS = {True: ("✓", "pass"), False: ("✖", "fail"), None: ("·", "open")}


def _scores(record: Record, fail_under: float | None) -> Iterator[Markup]:
    items = [_score(evaluator, record, fail_under) for evaluator in record.evaluators]
    inside = {item.text for evaluator in record.evaluators for item in evaluator.assertions}
    unlisted = [item for item in record.assertions if item.text not in inside]
    items += map(_assertion, unlisted)
    shown = inside | {item.text for item in record.assertions} | {item.name for item in record.evaluators}
    for passed, texts in ((False, record.misses), (True, record.hits)):
        items += (_assertion(Assertion(text, passed, None)) for text in texts if text not in shown)
    if items:
        yield tag("ul", *items, class_="scores")
    if record.reasoning and all(evaluator.reasoning != record.reasoning for evaluator in record.evaluators):
        yield from _block("Reasoning", record.reasoning)


def _score(evaluator: EvaluatorScore, record: Record, fail_under: float | None) -> Markup:
    sign, kind = _SIGNS[contentment(evaluator, record, fail_under)]
    words = [] if evaluator.score is None else [f"{evaluator.score:g}"]
    words += [evaluator.verdict] if evaluator.verdict else []
    words += ["decides"] if evaluator.name == record.decider else []
    words += ["by a person"] if evaluator.by_person else []
    return tag(
        "li",
        tag("span", sign, class_=f"sign {kind}"),
        " ",
        tag("b", one_line(evaluator.name)),
        " ",
        tag("span", " · ".join(words)),
        _text(evaluator.reasoning) if evaluator.reasoning else "",
        tag("ul", *map(_assertion, evaluator.assertions)) if evaluator.assertions else "",
    )


def _assertion(item: Assertion) -> Markup:
    sign, kind = _SIGNS[item.passed]
    evidence = _text(item.evidence) if item.evidence else ""
    return tag("li", tag("span", sign, class_=f"sign {kind}"), " ", clipped(item.text, MAX_PAGE_TEXT), evidence)


# Traces


NO_ROOM = tag("p", "Its trace is left out to keep the page small.", class_="muted")
"""What stands in the place of a trace that a page has no room for."""


def trace_block(trace: RecordTrace) -> Markup:
    """Return a trace as a folded element; nothing where there is none."""
    if trace.source is None or not trace.events:
        return Markup()
    summary, *rest = summary_lines(trace)
    notes = [*rest, *(f"{note.severity}: {note.message}" for note in trace.diagnostics)]
    return _folded(
        f"Trace: {summary}",
        *(tag("p", note, class_="muted") for note in notes),
        _tree(trace),
    )


def _tree(trace: RecordTrace) -> Markup:
    """Return the events as a list, in which what a sub-agent did and what happened in a call are folded lists."""
    rows = timeline(trace.events)
    parts = deque(parts_of(rows))
    lists: list[list[str]] = [[]]
    open_parts: list[Part] = []
    for index in range(len(rows) + 1):
        while open_parts and open_parts[-1].end <= index:
            lists[-2].append(_part(rows, open_parts.pop(), lists.pop()))
        while parts and parts[0].start == index:
            open_parts.append(parts.popleft())
            lists.append([])
        if index < len(rows):
            lists[-1].append(_event(rows[index]))
    return tag("ol", *lists[0], class_="trace")


def _part(rows: Sequence[TimelineRow], part: Part, items: Sequence[str]) -> Markup:
    failed = any(row.failed for row in rows[part.start : part.end])
    head = tag("summary", tag("span", "✖ " if failed else "", class_="sign fail"), part_words(rows, part))
    return tag("li", tag("details", head, tag("ol", *items, class_="trace"), open=part.is_open), class_="part")


def _event(row: TimelineRow) -> Markup:
    event = row.event
    part = partial(clipped, longest=MAX_PAGE_TEXT // 5)
    took = () if row.duration_ms is None else (shown_ms(row.duration_ms),)
    time = () if row.offset_ms is None else (f"+{shown_ms(row.offset_ms)}",)
    agent = (f"by {one_line(row.agent, 60)}",) if row.agent else ()
    values = [value for value in (event.input, event.text, event.output) if value not in (None, "")]
    texts = [
        text
        for value in values
        if isinstance(value, str | dict | list | int | float) and (text := full_text(value))
    ]
    return tag(
        "li",
        tag("span", "✖ " if row.failed else "", class_="sign fail"),
        tag("b", f"{span_of(event) or event.type} {speaker(row)}"),
        tag("span", " ".join(("", *agent, *took, *time)), class_="muted"),
        *(tag("div", part(text), class_="text") for text in texts),
        class_="result" if row.answers else None,
        value=row.number,
    )


# Texts


def _block(label: str, text: str) -> Iterator[Markup]:
    yield tag("h4", label)
    yield _text(text) if text else tag("p", "empty", class_="muted")


def _text(text: str) -> Markup:
    return tag("div", clipped(text, MAX_PAGE_TEXT), class_="text")


def _more(length: int) -> Iterator[Markup]:
    if length > MAX_PAGE_TEXT:
        yield tag("p", f"… ({length - MAX_PAGE_TEXT:,} characters more)", class_="muted")


def _folded(title: str, *children: str) -> Markup:
    return tag("details", tag("summary", title), *children)
