"""A scalar rewritten in its own style, with the lines that did not change left as they were."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from sampleui.formats.yaml.nodes import HEADER, Node
from sampleui.formats.yaml.values import may_be_plain
from sampleui.formats.yaml.writing.spelling import (
    Manner,
    block_lines,
    chomping,
    double_quoted,
    ends_blank,
    literal,
    may_be_block,
    single_quoted,
)
from sampleui.text.position import shared_end, shared_start

_COMMENT_BEHIND = re.compile(r"(?:[ \t]*\r?\n)*+[ \t]+#|\s*?[ \t]\s*\Z")
"""A comment that is indented, or blanks at the end of a piece, behind which one may come."""

_NEAR = 8
"""How many paragraphs to each side of its own place a changed one is looked for among."""

NARROWEST = 40
"""The width that refolded text gets at least, however short the old lines were."""


@dataclass(frozen=True, slots=True)
class Room:
    """Where a scalar is: the column of the block around it, the column its lines get if it becomes a block."""

    parent: int
    inner: int
    flow: bool
    manner: Manner


def in_same_style(text: str, node: Node, value: str, room: Room) -> Iterator[str]:
    """Return spellings of a string that may take a scalar's place, those nearest to its style first."""
    newline = room.manner.newline
    if node.style in {"|", ">"} and not room.flow:
        yield from _reblocked(text, node, value, room)
        yield double_quoted(value) + header_comment(text, node)
        return
    yield from _refolded_inline(text, node, value, room)
    if node.style == "'" and (quoted := single_quoted(value)) is not None:
        yield quoted
    elif node.style == "" and may_be_plain(value, room.flow):
        yield value
    if node.style != '"' and "\n" in value and not room.flow and may_be_block(value):
        block = literal(value, room.parent, room.inner, newline)
        yield block
        if node.end == len(text):
            yield block + newline
    yield double_quoted(value)


def header_comment(text: str, node: Node) -> str:
    """Return the comment on the first line of a block scalar with the space before it; empty for other nodes."""
    header = HEADER.match(text, node.start, node.end) if node.style in {"|", ">"} else None
    return header["rest"].rstrip() if header else ""


@dataclass(frozen=True, slots=True)
class _Block:
    """A block scalar taken apart: its lines without indentation, and its explicit indentation, if any."""

    lines: list[str]
    digit: str
    sign: str
    rest: str
    inner: int


def _taken_apart(text: str, node: Node, room: Room) -> _Block:
    header = HEADER.match(text, node.start, node.end)
    assert header is not None
    signs = header["signs"]
    digit, sign = signs.strip("+-"), signs.strip("0123456789")
    body = text[header.end() : node.end]
    lines = [line.removesuffix("\r") for line in body.split("\n")] if body else []
    inner = room.parent + int(digit) if digit else room.inner
    if not digit:
        inner = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")), inner)
    return _Block(lines, digit, sign, header["rest"].rstrip(), inner)


def _reblocked(text: str, node: Node, value: str, room: Room) -> Iterator[str]:
    if value and not may_be_block(value):
        return
    if not value.strip("\n") and _COMMENT_BEHIND.match(text, node.end):
        return  # strict readers take the comment for text of the block, and for too little indented
    newline = room.manner.newline
    old = _taken_apart(text, node, room)
    digits = [old.digit] if old.digit else ["", str(old.inner - room.parent)]
    digits = [digit for digit in digits if not (digit and ends_blank(value))]
    kept = ["+"] if old.sign == "+" and value.endswith("\n") else []
    styles = [(">", _folded), ("|", _literal)] if node.style == ">" else [("|", _literal)]
    for style, spelled in styles:
        body = spelled(old, node.value, value)
        for sign in dict.fromkeys([*kept, chomping(value)]):
            for digit in digits:
                block = newline.join([f"{style}{digit}{sign}{old.rest}", *body])
                yield block
                if node.end == len(text):
                    yield block + newline


def _literal(old: _Block, before: str, value: str) -> list[str]:
    """Return the lines of a `|` block; those whose text did not change as they were written."""
    if not value:
        return []
    wanted, had = block_lines(value), block_lines(before)
    lines = [" " * old.inner + line if line else "" for line in wanted]
    if len(had) != len(old.lines):
        return lines
    same_head = shared_start(wanted, had)
    same_tail = shared_end(wanted[same_head:], had[same_head:])
    kept_tail = old.lines[len(had) - same_tail :] if same_tail else []
    return [*old.lines[:same_head], *lines[same_head : len(lines) - same_tail], *kept_tail]


def _folded(old: _Block, _before: str, value: str) -> list[str]:
    """Return the lines of a `>` block; paragraphs that did not change are folded where they were."""
    wanted = block_lines(value) if value else []
    had = _paragraphs([line[old.inner :] for line in old.lines])
    models = _models(had, [line for line in wanted if line and line[0] not in " \t"])
    lines: list[str] = []
    before, blanks = "", 0
    for line in wanted:
        if not line:
            blanks += 1
            continue
        # Between two lines that fold, a break more is written than is meant; around indented ones it is not.
        folds = bool(before) and before[0] not in " \t" and line[0] not in " \t"
        lines += [""] * (blanks + folds)
        lines += [line] if line[0] in " \t" else _refolded(next(models), line)
        before, blanks = line, 0
    lines += [""] * blanks
    return [" " * old.inner + line if line else "" for line in lines]


def _models(had: list[list[str]], wanted: list[str]) -> Iterator[list[str]]:
    """Yield for each new line the folded paragraph that it was most likely made from.

    Those before the first change and after the last one are known; among the others the nearest few are looked at.
    """
    joined = [" ".join(paragraph) for paragraph in had]
    head = shared_start(joined, wanted)
    tail = shared_end(joined[head:], wanted[head:])
    end = len(had) - tail
    for number, line in enumerate(wanted):
        if number < head:
            yield had[number]
        elif number >= len(wanted) - tail:
            yield had[number - len(wanted) + len(had)]
        else:
            near = range(min(max(head, number - _NEAR), end), min(end, number + _NEAR + 1))
            best = max(near, key=lambda place: _alike(joined[place], line), default=None)
            yield had[best] if best is not None else []


def _alike(text: str, other: str) -> int:
    return shared_start(text, other) + shared_end(text, other)


def _paragraphs(lines: list[str]) -> list[list[str]]:
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.strip() and line[0] not in " \t":
            paragraphs[-1].append(line)
        elif paragraphs[-1]:
            paragraphs.append([])
    return [lines for lines in paragraphs if lines]


def _refolded(old: list[str], text: str) -> list[str]:
    """Return a text folded where an old one was, as far as they agree from both ends."""
    head = 0
    while head < len(old) and text.startswith(old[head] + " "):
        text = text[len(old[head]) + 1 :]
        head += 1
    tail = len(old)
    while tail > head and text.endswith(" " + old[tail - 1]):
        tail -= 1
        text = text[: -len(old[tail]) - 1]
    if head < tail and text == old[head] and tail == head + 1:
        return old
    width = max(NARROWEST, *(len(line) for line in old)) if len(old) > 1 else len(text) + 1
    middle = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
    return [*old[:head], *(middle or [text]), *old[tail:]]


def _refolded_inline(text: str, node: Node, value: str, room: Room) -> Iterator[str]:
    """Return the text for a plain or quoted scalar of several lines, folded where the old one was."""
    written = text[node.start : node.end]
    if "\n" not in written or not value.strip():
        return
    spelled: str | None = value if may_be_plain(value, room.flow) else None
    if node.style:
        quoted = single_quoted(value) if node.style == "'" else double_quoted(value)
        spelled = quoted and quoted[1:-1]
        written = written[1:-1]
    if spelled is None:
        return
    lines = written.split("\n")
    indent = next((len(line) - len(line.lstrip()) for line in lines[1:] if line.strip()), room.inner)
    folded = _refolded([line.strip() for line in lines if line.strip()], spelled)
    yield node.style + (room.manner.newline + " " * indent).join(folded) + node.style
