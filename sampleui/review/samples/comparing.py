"""An answer beside what was expected: what it is compared with, and how the two differ, by what they are. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple, TypeAlias

from sampleui.formats.data import Plain, json_or_text
from sampleui.review.record import Record
from sampleui.review.samples.diffwords import DiffOp, DiffSegment, diff_words, likeness
from sampleui.review.samples.expectation import expectation, judged_by
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_followed, integration_of
from sampleui.text.aligning import stretches
from sampleui.text.limits import MAX_LINE_PAIRS
from sampleui.text.lookalikes import look_alike
from sampleui.text.visible import visible_lines


class Criteria(NamedTuple):
    """Words that an answer is judged by, and what a sample calls them."""

    name: str
    text: str


class ExpectedAnswer(NamedTuple):
    """What an answer is compared with, and what it is judged by instead where there is nothing of the kind.

    Attributes:
        any_of: the answers that are right, where there are several; `text` names them all then.
    """

    text: str | None
    criteria: Criteria | None = None
    any_of: tuple[str, ...] = ()


def expected_of(sample: Sample | None, record: Record | None) -> ExpectedAnswer:
    """Return what an answer is compared with, by its sample, or else by what its record says was expected.

    Of several things that is the one by which it failed.
    """
    of_record = ExpectedAnswer(None) if record is None else ExpectedAnswer(record.expects, any_of=record.any_of)
    if sample is None:
        return of_record
    failed_by = None if record is None else integration_of(sample).grading().failed_by(record, sample)
    expected = expectation(sample, failed_by)
    if expected is None:
        return of_record
    if name := judged_by(as_followed(sample), expected.path):
        return of_record if of_record.text else ExpectedAnswer(None, Criteria(name, expected.text))
    return ExpectedAnswer(expected.text, any_of=expected.any_of)


class Alike(NamedTuple):
    """Two texts that make no difference, and why, in words that follow `as expected`."""

    how: str
    text: str


class InWords(NamedTuple):
    """Two texts that are read as one, word by word."""

    segments: tuple[DiffSegment, ...]


class InLines(NamedTuple):
    """Two texts that are read line by line: code, JSON laid out, long texts."""

    text: str
    other: str


class Unlike(NamedTuple):
    """Two texts that have too little in common to be read as one."""

    text: str
    other: str


Difference: TypeAlias = Alike | InWords | InLines | Unlike

LOOK_ALIKE = "They look the same. Expected → actual:"
EXACT, BUT_LINE_BREAKS, SAME_JSON = "exactly as {}", "as {}, but for line breaks at the end", "the same JSON as {}"

ALIKE = 0.3
"""The part of the longer text that both must share for their differences to be worth reading word by word."""


def difference_of(text: str, other: str) -> Difference:
    """Return how two texts differ, by what they are: JSON, code or long texts, prose.

    Of JSON, the order of keys, spacing and a code fence around it make no difference.
    """
    if text == other:
        return Alike(EXACT, other)
    text, other = text.rstrip("\n"), other.rstrip("\n")
    if text == other:
        return Alike(BUT_LINE_BREAKS, other)
    value, other_value = structure_of(text), structure_of(other)
    if value is not None and other_value is not None:
        text, other = laid_out(value), laid_out(other_value)
        return Alike(SAME_JSON, other) if text == other else InLines(text, other)
    if is_of_lines(text, other):
        return InLines(text, other)
    segments = diff_words(text, other)
    return InWords(segments) if likeness(segments) >= ALIKE else Unlike(text, other)


def unseen_differences(text: str, other: str) -> tuple[str, ...]:
    """Return in lines how two texts differ that look the same; of JSON, where its values do."""
    value, other_value = structure_of(text), structure_of(other)
    if value is not None and other_value is not None:
        text, other = laid_out(value), laid_out(other_value)
    return look_alike(text, other)


class LinePair(NamedTuple):
    """A line of the first text and what stands for it in the second, None if nothing does.

    Each is in segments: what is equal in both lines, and where they are nearly the same, the words that differ.
    """

    line: tuple[DiffSegment, ...] | None
    other: tuple[DiffSegment, ...] | None


class LineBlock(NamedTuple):
    """Lines that follow each other: all equal in both texts, or all different."""

    equal: bool
    pairs: tuple[LinePair, ...]


def line_blocks(text: str, other: str) -> Iterator[LineBlock]:
    """Yield what leads from the lines of one text to those of the other, made visible, in order."""
    lines, others = visible_lines(text).split("\n"), visible_lines(other).split("\n")
    for equal, before, after in stretches(lines, others):
        if equal:
            whole = [(DiffSegment(DiffOp.EQUAL, lines[index]),) for index in before]
            yield LineBlock(True, tuple(LinePair(line, line) for line in whole))
        else:
            pairs = zip_longest([lines[index] for index in before], [others[index] for index in after])
            yield LineBlock(False, tuple(_line_pair(line, other_line) for line, other_line in pairs))


def _line_pair(line: str | None, other: str | None) -> LinePair:
    if line is not None and other is not None:
        segments = diff_words(line, other)
        if likeness(segments) >= ALIKE:
            return LinePair(
                tuple(segment for segment in segments if segment.op is not DiffOp.INSERT),
                tuple(segment for segment in segments if segment.op is not DiffOp.DELETE),
            )
    return LinePair(_whole(line), _whole(other))


def _whole(line: str | None) -> tuple[DiffSegment, ...] | None:
    return None if line is None else (DiffSegment(DiffOp.EQUAL, line),)


FENCED = re.compile(r"\A\s*```[\w-]*\n(.*?)\n?```\s*\Z", re.DOTALL)
MIN_LINES = 4
LONG = 40
"""Lines from which a text is compared by lines whatever it is."""


def structure_of(text: str) -> Plain:
    """Return the JSON object or list that a text is, in a code fence or without; None when it is not JSON."""
    fenced = FENCED.match(text)
    structure = json_or_text(fenced[1] if fenced else text)
    return structure if isinstance(structure, dict | list) else None


def laid_out(value: Plain) -> str:
    """Return JSON so that equal values are equal texts: keys in order, an item a line."""
    return json.dumps(value, indent=2, sort_keys=True, ensure_ascii=False)


def is_of_lines(text: str, other: str) -> bool:
    """Tell whether two texts are to be read line by line: code, or long texts. What would take too long is not."""
    lines, others = text.splitlines(), other.splitlines()
    if len(lines) * len(others) > MAX_LINE_PAIRS or min(len(lines), len(others)) < 2:
        return False
    if max(len(lines), len(others)) >= LONG:
        return True
    return any(_is_code(part) for part in (lines, others))


def _is_code(lines: Sequence[str]) -> bool:
    if any(line.startswith("```") for line in lines):
        return True
    return len(lines) >= MIN_LINES and sum(line.startswith(("  ", "\t")) for line in lines) * 3 >= len(lines)


def shown_text(segment: DiffSegment) -> str:
    """Return the text of a segment as it is shown: blanks that are a difference by themselves are to be seen."""
    if segment.op is DiffOp.EQUAL or segment.text.strip():
        return visible_lines(segment.text)
    return visible_lines(segment.text).replace(" ", "·").replace("\n", "⏎\n")
