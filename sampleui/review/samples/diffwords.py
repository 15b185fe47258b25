"""What differs between two texts, by words, in bounded time."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from sampleui.text.aligning import stretches
from sampleui.text.limits import MAX_WORD_LENGTH, MAX_WORD_PAIRS

# A run of letters and digits, a run of blanks, or one character; scripts that use no blanks go by the character.
UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
WORDS = re.compile(rf"[{UNSPACED}]|[^\W{UNSPACED}]+|[^\S\n]+|\n|[^\w\s]")
LINES = re.compile(r"[^\n]*\n|[^\n]+")


class DiffOp(StrEnum):
    """Where a segment is: in both texts, in the first alone, in the second alone."""

    EQUAL = "equal"
    DELETE = "delete"
    INSERT = "insert"


class DiffSegment(NamedTuple):
    """A piece of text. All but the inserted ones make the first text, all but the deleted ones the second."""

    op: DiffOp
    text: str


def diff_words(expected: str, actual: str) -> tuple[DiffSegment, ...]:
    """Return what leads from one text to the other.

    Words are compared where that is quick. Large texts are compared by lines first and by words inside the lines
    that differ; blocks that are still too large are deleted and inserted whole.
    """
    return tuple(_merged(_diff(expected, actual, (WORDS, LINES))))


def likeness(segments: Iterable[DiffSegment]) -> float:
    """Return how much of the longer text both share, 0 to 1, blanks not counted."""
    sizes = dict.fromkeys(DiffOp, 0)
    for segment in segments:
        sizes[segment.op] += len("".join(segment.text.split()))
    longer = sizes[DiffOp.EQUAL] + max(sizes[DiffOp.DELETE], sizes[DiffOp.INSERT])
    return sizes[DiffOp.EQUAL] / longer if longer else 1.0


def _diff(text: str, other: str, units: Sequence[re.Pattern[str]]) -> Iterator[DiffSegment]:
    head = _common(text, other)
    tail = _common(text[head:][::-1], other[head:][::-1])
    yield DiffSegment(DiffOp.EQUAL, text[:head])
    yield from _middle(text[head : len(text) - tail], other[head : len(other) - tail], units)
    yield DiffSegment(DiffOp.EQUAL, text[len(text) - tail :])


def _middle(text: str, other: str, units: Sequence[re.Pattern[str]]) -> Iterator[DiffSegment]:
    for level, unit in enumerate(units):
        parts, others = unit.findall(text), unit.findall(other)
        if _pairs(parts, others) <= MAX_WORD_PAIRS:
            yield from _matched(parts, others, units[:level])
            return
    yield DiffSegment(DiffOp.DELETE, text)
    yield DiffSegment(DiffOp.INSERT, other)


def _matched(parts: list[str], others: list[str], finer: Sequence[re.Pattern[str]]) -> Iterator[DiffSegment]:
    """Yield what leads from some parts to others. Blanks match nothing: they go with the parts beside them."""
    indexes, other_indexes = _seen(parts), _seen(others)
    words, other_words = [parts[index] for index in indexes], [others[index] for index in other_indexes]
    start = begin = 0
    for equal, before, after in stretches(words, other_words):
        if not equal:
            continue
        alike, other_alike = [indexes[number] for number in before], [other_indexes[number] for number in after]
        for index, other_index in _runs(parts, others, alike, other_alike):
            yield from _between(parts[start : index.start], others[begin : other_index.start], finer)
            yield DiffSegment(DiffOp.EQUAL, "".join(parts[index.start : index.stop]))
            start, begin = index.stop, other_index.stop
    yield from _between(parts[start:], others[begin:], finer)


def _seen(parts: list[str]) -> list[int]:
    return [index for index, part in enumerate(parts) if not part.isspace()]


def _runs(
    parts: list[str], others: list[str], indexes: list[int], other_indexes: list[int]
) -> Iterator[tuple[range, range]]:
    """Yield the stretches that are equal with the blanks in them: usually one, else each part by itself."""
    if not indexes:
        return
    whole, other = range(indexes[0], indexes[-1] + 1), range(other_indexes[0], other_indexes[-1] + 1)
    if parts[whole.start : whole.stop] == others[other.start : other.stop]:
        yield whole, other
        return
    for index, other_index in zip(indexes, other_indexes, strict=True):
        yield range(index, index + 1), range(other_index, other_index + 1)


def _between(gone: list[str], come: list[str], finer: Sequence[re.Pattern[str]]) -> Iterator[DiffSegment]:
    """Yield parts that match in nothing but blanks at their ends."""
    if not gone or not come:
        yield DiffSegment(DiffOp.DELETE, "".join(gone))
        yield DiffSegment(DiffOp.INSERT, "".join(come))
        return
    head = _blank(gone, come)
    tail = _blank(gone[head:][::-1], come[head:][::-1])
    text, other = "".join(gone[head : len(gone) - tail]), "".join(come[head : len(come) - tail])
    yield DiffSegment(DiffOp.EQUAL, "".join(gone[:head]))
    if finer and text and other:
        yield from _diff(text, other, finer)
    else:
        yield DiffSegment(DiffOp.DELETE, text)
        yield DiffSegment(DiffOp.INSERT, other)
    yield DiffSegment(DiffOp.EQUAL, "".join(gone[len(gone) - tail :]))


def _blank(parts: list[str], others: list[str]) -> int:
    """Return how many blanks both begin with."""
    size = 0
    for part, other in zip(parts, others, strict=False):
        if part != other or not part.isspace():
            break
        size += 1
    return size


def _pairs(parts: list[str], others: list[str]) -> int:
    """Return how many pairs of equal parts there are, which is what a comparison costs."""
    counts = Counter(others)
    return sum(times * counts[part] for part, times in Counter(parts).items() if not part.isspace())


def _common(text: str, other: str) -> int:
    """Return how many characters both begin with, cut back to where a word starts."""
    size = 0
    shortest = min(len(text), len(other))
    step = shortest
    while step:
        if text[size : size + step] == other[size : size + step]:
            size += step
            step = min(step, shortest - size)
        else:
            step //= 2
    for back in range(min(size, MAX_WORD_LENGTH)):
        if not _inside_word(text, other, size - back):
            return size - back
    return max(0, size - MAX_WORD_LENGTH)


def _inside_word(text: str, other: str, index: int) -> bool:
    after = text[index : index + 1] + other[index : index + 1]
    return text[index - 1].isalnum() and any(map(str.isalnum, after))


def _merged(segments: Iterator[DiffSegment]) -> Iterator[DiffSegment]:
    """Join neighbours of a kind; a deletion comes before the insertion beside it."""
    removed, added, unchanged = "", "", ""
    for segment in segments:
        if not segment.text:
            continue
        if segment.op is DiffOp.EQUAL:
            yield from _changed(removed, added)
            removed, added, unchanged = "", "", unchanged + segment.text
            continue
        if unchanged:
            yield DiffSegment(DiffOp.EQUAL, unchanged)
            unchanged = ""
        removed += segment.text if segment.op is DiffOp.DELETE else ""
        added += segment.text if segment.op is DiffOp.INSERT else ""
    yield from _changed(removed, added)
    if unchanged:
        yield DiffSegment(DiffOp.EQUAL, unchanged)


def _changed(gone: str, come: str) -> Iterator[DiffSegment]:
    if gone:
        yield DiffSegment(DiffOp.DELETE, gone)
    if come:
        yield DiffSegment(DiffOp.INSERT, come)
