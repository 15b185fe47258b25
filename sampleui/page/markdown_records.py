"""Records in full as Markdown: expected against actual, scores with reasons, verdicts and comments.

Texts of strangers stand in fences and code spans that are longer than any run of backticks in them: whatever they
hold, a reader shows it as it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from sampleui.page.records import RecordDetails
from sampleui.page.run_report import ReportContents
from sampleui.review.record import SIGNS, Assertion, Entry, EvaluatorScore, Outcome, Record, contentment, measures
from sampleui.review.results.requests import text_said
from sampleui.review.samples.comparing import (
    LOOK_ALIKE,
    Alike,
    ExpectedAnswer,
    InLines,
    InWords,
    Unlike,
    difference_of,
    line_blocks,
    unseen_differences,
)
from sampleui.review.samples.diffwords import DiffOp, DiffSegment
from sampleui.review.verdict import LogAction
from sampleui.sample.sections import Badge, text_of
from sampleui.settings.views import Shape
from sampleui.text.limits import MAX_MARKDOWN_RECORDS, MAX_MARKDOWN_TEXT
from sampleui.text.prose import Code, Grid, Spans, plain
from sampleui.text.visible import one_line, visible_lines
from sampleui.text.wording import ELLIPSIS, counted
from sampleui.trace.events import EventType
from sampleui.trace.reading.extract import RecordTrace
from sampleui.trace.report import summary_lines, tree_lines

_FENCE = re.compile(r"(`{3,})[a-z]+")
"""The line that a fence begins with."""

_SIGNS = {True: SIGNS[Outcome.PASSED], False: SIGNS[Outcome.FAILED], None: SIGNS[Outcome.UNGRADED]}


def record_lines(contents: ReportContents, entries: Iterable[Entry]) -> Iterator[str]:
    """Yield records as lines of Markdown, each below a heading of its own.

    Raises:
        ResultsError: when a record can no longer be read.
    """
    left, fence, entries = MAX_MARKDOWN_RECORDS, "", iter(entries)
    for entry in entries:
        for line in _record(contents.details(contents.run.results.record(entry.index))):
            yield line
            left -= len(line)
            if fence:
                fence = "" if line == fence else fence
            elif begun := _FENCE.fullmatch(line):
                fence = begun[1]
            elif left < 0:
                more = sum(1 for _ in entries)
                yield from _paragraph("There is no room for more of this record.")
                if more:
                    yield from _paragraph(
                        f"Nor for {counted(more, 'more record')}: `--filter` says which are shown."
                    )
                return


def _record(details: RecordDetails) -> Iterator[str]:
    record, fail_under = details.record, details.fail_under
    target = f" by {_code(record.target)}" if record.target else ""
    yield from ("", f"### {SIGNS[details.outcome]} {_code(record.id)}{target}", "")
    score = () if record.score is None else (f"score {record.score:g}",)
    yield " · ".join(filter(None, (str(details.outcome), *score, measures(record), *map(_code, record.tags))))
    for why in details.why:
        yield from _paragraph(f"Why: {_code(why)}")
    if details.is_read:
        yield from _read(details)
    else:
        for message in details.asked:
            yield from _block(f"Asked ({_code(str(message.get('role', '')))})", text_said(message.get("content")))
        yield from _answer(details)
    for evaluator in sorted(record.evaluators, key=lambda item: contentment(item, record, fail_under) is not False):
        yield from _score(evaluator, record, fail_under)
    inside = {item.text for evaluator in record.evaluators for item in evaluator.assertions}
    for item in record.assertions:
        if item.text not in inside:
            yield from _assertion(item)
    if record.reasoning and all(evaluator.reasoning != record.reasoning for evaluator in record.evaluators):
        yield from _block("Reasoning", record.reasoning)
    yield from _trace(details.trace)
    yield from _decided(details)


def _trace(trace: RecordTrace) -> Iterator[str]:
    """Yield what was done, as it is folded at first, where that is more than what was answered."""
    if any(event.type is not EventType.MESSAGE for event in trace.events):
        lines = tree_lines(trace.events, 100, folded=True)
        yield from _block(f"Trace ({next(summary_lines(trace))})", "\n".join(lines))


def _read(details: RecordDetails) -> Iterator[str]:
    """Yield the fields of a record as it is read, as they are spelled; JSON is laid out, a table a line a row."""
    record = details.record
    if record.doubtful:
        yield from _paragraph("It may be the answer of another record.")
    if record.unanswered:
        yield from _answer(details)
    for section, blocks in zip(details.sections, details.section_blocks, strict=True):
        match blocks:
            case (Badge(text),):
                yield from _paragraph(f"{_code(section.heading)}: {_code(text)}")
            case (Code(text, form),):
                yield from _paragraph(f"{_code(section.heading)}:")
                yield from _fenced(text, form if form in ("json", "diff", "sql") else "text")
            case (Grid(header, rows),) if section.kind is Shape.TABLE and not _is_cut(rows):
                yield from _paragraph(f"{_code(section.heading)}:")
                yield from _fenced("\n".join(" | ".join(map(plain, cells)) for cells in (header, *rows)))
            case _:
                yield from _paragraph(f"{_code(section.heading)}:")
                yield from _fenced(text_of(section.value, math.inf))
    if details.expected != ExpectedAnswer(None) and not record.unanswered:
        yield from _answer(details)


def _is_cut(rows: Iterable[Iterable[Spans]]) -> bool:
    return any(plain(cell).endswith(ELLIPSIS) for cells in rows for cell in cells)


def _answer(details: RecordDetails) -> Iterator[str]:
    """Yield what was expected against what came; each by itself where they cannot be compared."""
    record = details.record
    expected, criteria, any_of = details.expected
    if expected is not None and not record.unanswered and not any_of:
        yield from _compared(expected, record.actual)
        return
    if criteria is not None:
        yield from _block(f"Expected ({_code(criteria.name)})", criteria.text)
    elif expected is not None:
        yield from _block("Expected", expected)
    if record.doubtful:
        yield from _paragraph("It may be the answer of another record.")
    if record.unanswered:
        yield from _paragraph(f"No answer: {_code(record.unanswered)}")
        yield from _block("Error", record.whole_error) if record.whole_error else ()
    if record.actual or not record.unanswered:
        yield from _block("Actual", record.actual)


def _compared(expected: str, actual: str) -> Iterator[str]:
    if unseen := unseen_differences(expected, actual):
        yield from _paragraph(LOOK_ALIKE)
        yield from _fenced("\n".join(unseen))
    match difference_of(expected, actual):
        case Alike(how, text):
            yield from _block(f"Actual, {how.format('expected')}", text)
        case InWords(segments):
            yield from _diff(_side(segments, DiffOp.DELETE), _side(segments, DiffOp.INSERT))
        case InLines(text, other) | Unlike(text, other):
            yield from _diff(text, other)


def _side(segments: Iterable[DiffSegment], op: DiffOp) -> str:
    return "".join(segment.text for segment in segments if segment.op in (DiffOp.EQUAL, op))


def _diff(expected: str, actual: str) -> Iterator[str]:
    lines: list[str] = []
    for block in line_blocks(expected, actual):
        if block.equal:
            lines += ["  " + _text(pair.line) for pair in block.pairs]
            continue
        lines += ["- " + _text(pair.line) for pair in block.pairs if pair.line is not None]
        lines += ["+ " + _text(pair.other) for pair in block.pairs if pair.other is not None]
    yield from _paragraph("Expected (-) against actual (+):")
    yield from _fenced("\n".join(lines), "diff")


def _text(segments: Iterable[DiffSegment] | None) -> str:
    return "".join(segment.text for segment in segments or ())


def _score(evaluator: EvaluatorScore, record: Record, fail_under: float | None) -> Iterator[str]:
    words = [] if evaluator.score is None else [f"{evaluator.score:g}"]
    words += [_code(evaluator.verdict)] if evaluator.verdict else []
    words += ["by a person"] if evaluator.by_person else []
    said = " · ".join(words)
    yield from _paragraph(f"{_SIGNS[contentment(evaluator, record, fail_under)]} {_code(evaluator.name)} {said}")
    yield from _fenced(evaluator.reasoning) if evaluator.reasoning else ()
    for item in evaluator.assertions:
        yield from _assertion(item)


def _assertion(item: Assertion) -> Iterator[str]:
    yield from _paragraph(f"{_SIGNS[item.passed]} {_code(item.text)}")
    yield from _fenced(item.evidence) if item.evidence else ()


def _decided(details: RecordDetails) -> Iterator[str]:
    if details.disputed:
        yield from _paragraph("Reviewers disagree, and nobody has settled it.")
    for decision in details.decisions:
        when = decision.time[:16].replace("T", " ")
        tags = "".join(f" {_code(tag)}" for tag in decision.tags)
        carried = ", on an earlier run" if decision.carried else ""
        what = "Note" if decision.kind is LogAction.NOTE else "Verdict"
        by = f"by {_code(decision.reviewer)}, {when}{carried}{tags}"
        yield from _paragraph(f"{what}: **{decision.verdict_words}** {by}")
        yield from _fenced(decision.comment) if decision.comment else ()


def _block(title: str, text: str) -> Iterator[str]:
    yield from _paragraph(f"{title}:")
    yield from _fenced(text)


def _paragraph(line: str) -> Iterator[str]:
    yield from ("", line)


def _fenced(text: str, kind: str = "text") -> Iterator[str]:
    shown, more = text[:MAX_MARKDOWN_TEXT], len(text) - MAX_MARKDOWN_TEXT
    fence = "`" * max(3, _longest_ticks(shown) + 1)
    yield from ("", fence + kind, *visible_lines(shown).split("\n"), fence)
    if more > 0:
        yield from _paragraph(f"… {counted(more, 'more character')}")


def _code(text: str) -> str:
    """Return a text as a code span on one line."""
    shown = one_line(text, max(len(text), 1)) or " "
    ticks = "`" * (_longest_ticks(shown) + 1)
    padding = " " if "`" in (shown[0], shown[-1]) else ""
    return f"{ticks}{padding}{shown}{padding}{ticks}"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)
