"""A new text for a scalar in the style the old one had, with the lines that did not change as they were."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from os.path import commonprefix

from sampleui.formats.yaml.nodes import Node
from sampleui.formats.yaml.scalars import may_be_plain
from sampleui.formats.yaml.spelling import (
    Manner,
    block_lines,
    chomping,
    double_quoted,
    literal,
    may_be_block,
    single_quoted,
)

HEADER = re.compile(r"[|>](?P<signs>[-+0-9]*)(?P<rest>[^\r\n]*)(?:\r?\n)?")
NARROWEST = 40
"""The width that refolded text gets at least, however short the old lines were."""


def restyled(
    text: str, node: Node, value: str, parent: int, inner: int, flow: bool, manner: Manner
) -> Iterator[str]:
    """Return spellings of a string that may take a scalar's place, those nearest to its style first.

    `parent` is the column of the block around it, `inner` the column its lines get if it becomes a block.
    """
    if node.style in {"|", ">"} and not flow:
        yield from _reblocked(text, node, value, parent, inner, manner)
        yield double_quoted(value) + _header_comment(text, node)
        return
    yield from _refolded_inline(text, node, value, flow, manner)
    if node.style == "'" and (quoted := single_quoted(value)) is not None:
        yield quoted
    elif node.style == "" and may_be_plain(value, flow):
        yield value
    if node.style != '"' and "\n" in value and not flow and may_be_block(value):
        block = literal(value, parent, inner, manner.newline)
        yield block
        yield block + manner.newline
    yield double_quoted(value)


def _header_comment(text: str, node: Node) -> str:
    header = HEADER.match(text, node.start, node.end)
    return header["rest"].rstrip() if header else ""


@dataclass(frozen=True, slots=True)
class _Block:
    """A block scalar taken apart: its lines without indentation, and its explicit indentation, if any."""

    lines: list[str]
    digit: str
    sign: str
    rest: str
    inner: int


def _taken_apart(text: str, node: Node, parent: int, inner: int) -> _Block:
    header = HEADER.match(text, node.start, node.end)
    assert header is not None
    signs = header["signs"]
    digit, sign = signs.strip("+-"), signs.strip("0123456789")
    body = text[header.end() : node.end]
    lines = [line.removesuffix("\r") for line in body.split("\n")] if body else []
    if digit:
        inner = max(parent, 0) + int(digit)
    else:
        inner = next((len(line) - len(line.lstrip(" ")) for line in lines if line.strip(" ")), inner)
    return _Block(lines, digit, sign, header["rest"].rstrip(), inner)


def _reblocked(text: str, node: Node, value: str, parent: int, inner: int, manner: Manner) -> Iterator[str]:
    if value and not may_be_block(value):
        return
    old = _taken_apart(text, node, parent, inner)
    digits = [old.digit, str(old.inner - max(parent, 0))] if not old.digit else [old.digit]
    signs = dict.fromkeys(
        [old.sign, chomping(value)] if old.sign == "+" and value.endswith("\n") else [chomping(value)]
    )
    styles = [(">", _folded), ("|", _literal)] if node.style == ">" else [("|", _literal)]
    for style, spelled in styles:
        body = spelled(old, node.value, value)
        for sign in signs:
            for digit in digits:
                block = manner.newline.join([f"{style}{digit}{sign}{old.rest}", *body])
                yield block
                yield block + manner.newline


def _literal(old: _Block, before: str, value: str) -> list[str]:
    """Return the lines of a `|` block; those whose text did not change as they were written."""
    if not value:
        return []
    wanted, had = block_lines(value), block_lines(before)
    lines = [" " * old.inner + line if line else "" for line in wanted]
    if len(had) != len(old.lines):
        return lines
    same_head = _shared(wanted, had)
    same_tail = _shared(wanted[same_head:][::-1], had[same_head:][::-1])
    kept_tail = old.lines[len(had) - same_tail :] if same_tail else []
    return [*old.lines[:same_head], *lines[same_head : len(lines) - same_tail], *kept_tail]


def _shared(one: list[str], other: list[str]) -> int:
    return next(
        (at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )


def _folded(old: _Block, _before: str, value: str) -> list[str]:
    """Return the lines of a `>` block; paragraphs that did not change are folded where they were."""
    bodies = [line[old.inner :] for line in old.lines]
    paragraphs = _paragraphs(bodies)
    lines: list[str] = []
    last: str | None = None
    for line in block_lines(value) if value else []:
        if last and line and last[0] not in " \t" and line[0] not in " \t":
            lines.append("")
        if line:
            if last is not None and not last and lines and _before_blank_is_text(lines) and line[0] not in " \t":
                lines.append("")
            folded = [line] if line[0] in " \t" else _refolded(_nearest(paragraphs, line), line)
            lines += folded
        else:
            lines.append("")
        last = line
    return [" " * old.inner + line if line else "" for line in lines]


def _before_blank_is_text(lines: list[str]) -> bool:
    text = next((line for line in reversed(lines) if line), "")
    return bool(text) and text[0] not in " \t"


def _paragraphs(lines: list[str]) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for line in lines:
        if line.strip() and line[0] not in " \t":
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [lines for lines in found if lines]


def _nearest(paragraphs: list[list[str]], line: str) -> list[str]:
    """Return the folded paragraph that a new line was most likely made from."""

    def alike(paragraph: list[str]) -> int:
        joined = " ".join(paragraph)
        if joined == line:
            return len(line) * 2 + 1
        return len(commonprefix([joined, line])) + len(commonprefix([joined[::-1], line[::-1]]))

    return max(paragraphs, key=alike, default=[])


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


def _refolded_inline(text: str, node: Node, value: str, flow: bool, manner: Manner) -> Iterator[str]:
    """Return the text for a plain or quoted scalar of several lines, folded where the old one was."""
    written = text[node.start : node.end]
    if node.kind != "scalar" or "\n" not in written or not value.strip():
        return
    quote = node.style
    spelled: str | None = value if may_be_plain(value, flow) else None
    if quote:
        spelled = single_quoted(value) if quote == "'" else double_quoted(value)
        spelled = spelled[1:-1] if spelled else None
        written = written[1:-1]
    if spelled is None:
        return
    first, *others = written.split("\n")
    indent = next((re.match(r"\s*", line)[0] for line in others if line.strip()), "")  # type: ignore[index]
    lines = _refolded([line.strip() for line in (first, *others) if line.strip()], spelled)
    yield quote + (manner.newline + indent.replace("\r", "")).join(lines) + quote
