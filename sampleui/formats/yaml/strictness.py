"""What libyaml reads and other readers refuse, or take for something else, with its place.

JavaScript's readers hold to YAML 1.2.2, sections 6.1, 6.6 and 7.4:

A comment needs a blank before its `#`; lines of a text in quotes, or of what is in brackets, have to be deeper than
what these belong to (js-yaml 5 asks that of the line of a closing bracket too, yaml 2 does not); a `-` alone in
brackets is no text; of a block of blank lines alone, none is deeper than a comment below that is deep enough to be
its first line (section 8.1.1.1).

PyYAML without libyaml, which is what `yaml.safe_load` uses, takes no tab outside of texts in quotes, blocks and
comments, and ends a plain text in brackets at a `?`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from sampleui.formats.yaml import layout
from sampleui.formats.yaml.nodes import HEADER, YamlNode

_QUOTED = ('"', "'")
_BLOCK = ("|", ">")
_BLANKS = re.compile(r" *")
_WORD = re.compile(r"[&!][^\s\[\]{},]*|#[^\r\n]*|[\t?]")
_PYTHON = "python-refuses"
EMPTY_BLOCK = re.compile(r"[|>][-+]?+[ \t]*+\r?\n(?P<blank>(?:[ ]*+\r?\n)+)(?P<deep>[ ]*+)#")
"""A block of blank lines alone that says nothing of its depth, and a comment below."""


class Refused(NamedTuple):
    """Something that is refused: where it is, why, and the rule that says by whom."""

    offset: int
    message: str
    rule: str = "reader-refuses"


def refused(root: YamlNode, text: str, least: int = 0) -> Iterator[Refused]:
    """Yield what stricter readers refuse of a text.

    Args:
        root: its nodes.
        text: the text.
        least: how far lines in brackets are indented at least that begin before the text.
    """
    yield from _glued(root, text)
    yield from _by_python(root, text)
    yield from _taken_otherwise(root, text)
    for node, need in _deep(root, text, least):
        yield from _block_in_doubt(node, text, need) if node.style in _BLOCK else _shallow(node, text, need)


def _glued(root: YamlNode, text: str) -> Iterator[Refused]:
    """Yield the comments that begin right after something else."""
    for word in _words_between(root, text):
        start = word.start()
        if word[0][0] == "#" and start and text[start - 1] not in " \t\r\n\ufeff":
            yield Refused(start, "a comment needs a blank before its #; JavaScript's readers refuse this line")


def _words_between(root: YamlNode, text: str) -> Iterator[re.Match[str]]:
    """Yield the anchors, tags, comments, tabs and questions between the scalars of a text."""
    leaves = (node for node in root.walk() if node.kind in ("scalar", "alias") and node.start >= 0)
    scalars = sorted((_rest_of(node, text), node.end) for node in leaves)
    begin = 0
    for start, end in (*scalars, (len(text), len(text))):
        yield from _WORD.finditer(text, begin, max(begin, start))
        begin = max(begin, end)


def _by_python(root: YamlNode, text: str) -> Iterator[Refused]:
    """Yield the first tab, and the first `?` in brackets, that PyYAML without libyaml refuses."""
    if "\t" in text:
        plain = (node for node in root.walk() if node.kind == "scalar" and not node.style and node.start >= 0)
        tabs = [offset for node in plain if (offset := text.find("\t", node.start, node.end)) >= 0]
        tabs += [word.start() for word in _words_between(root, text) if word[0] == "\t"]
        if tabs:
            yield Refused(min(tabs), "a tab outside of quotes; PyYAML without libyaml refuses this line", _PYTHON)
    if "?" in text:
        asking = [offset for node in _in_brackets(root) if (offset := text.find("?", node.start, node.end)) >= 0]
        if asking:
            yield Refused(min(asking), "a ? in brackets; PyYAML without libyaml refuses it, but in quotes", _PYTHON)


def _taken_otherwise(root: YamlNode, text: str) -> Iterator[Refused]:
    """Yield dashes alone in brackets, and a `?` and a colon that libyaml alone reads as signs."""
    for node in _in_brackets(root):
        if text[node.start : node.end] == "-":
            yield Refused(node.start, "a - alone in brackets; JavaScript's readers refuse it, but in quotes")
    for word in _words_between(root, text) if "?" in text or "&" in text else ():
        if word[0] == "?" and text[word.end() : word.end() + 1].strip(" \t\r\n,[]{}"):
            yield Refused(word.start(), "others take this ? for a part of the text behind it", "reader-differs")
        elif word[0][0] == "&" and ":" in word[0]:
            message = "others take this colon for a part of the anchor before it"
            yield Refused(word.start() + word[0].index(":"), message, "reader-differs")


def _in_brackets(root: YamlNode) -> Iterator[YamlNode]:
    """Yield the plain scalars in brackets."""
    tables = (node for node in root.walk() if node.flow)
    for inner in (part for table in tables for part in (*table.keys, *table.items)):
        if inner.kind == "scalar" and not inner.style and inner.start >= 0:
            yield inner


def unknown_tags(root: YamlNode) -> Iterator[YamlNode]:
    """Yield the nodes with a tag that YAML does not define."""
    return (node for node in root.walk() if node.tag not in (None, "!") and not is_defined(str(node.tag)))


def is_defined(tag: str) -> bool:
    """Tell whether YAML defines a tag."""
    return tag.startswith("tag:yaml.org,2002:")


def _rest_of(node: YamlNode, text: str) -> int:
    """Return where a scalar begins; of a block, where the line of its header ends, which may have a comment."""
    header = HEADER.match(text, node.start, node.end) if node.style in _BLOCK else None
    return node.start if header is None else header.end("rest")


def _deep(node: YamlNode, text: str, least: int) -> Iterator[tuple[YamlNode, int]]:
    """Yield the outermost brackets, texts in quotes and blocks, with how deep their further lines must be."""
    if node.flow or node.style in (*_QUOTED, *_BLOCK):
        yield node, least
        return
    inner = layout.column(text, node.start) + 1 if node.start >= 0 and node.items else least
    for index, item in enumerate(node.items):
        for part in (node.keys[index], item) if node.keys else (item,):
            yield from _deep(part, text, inner)


def _block_in_doubt(node: YamlNode, text: str, need: int) -> Iterator[Refused]:
    """Yield a comment that may be the first line of the block above it, of which a blank line is deeper."""
    empty = EMPTY_BLOCK.match(text, node.start)
    if empty is not None:
        deep = len(empty["deep"])
        if need <= deep < max(len(line.rstrip("\r")) for line in empty["blank"].split("\n")):
            message = "a blank line above is deeper than this comment, which may belong to the text above"
            yield Refused(empty.end() - 1, f"{message}; JavaScript's readers refuse it")


def _shallow(node: YamlNode, text: str, need: int) -> Iterator[Refused]:
    """Yield the first line of brackets or of a text in quotes that is too shallow, and the first such bracket."""
    quoted = [(item.start, item.end) for item in node.walk() if item.style in _QUOTED]
    found: set[bool] = set()
    start = text.find("\n", max(node.start, 0), node.end) + 1
    while 0 < start < node.end:
        first = _BLANKS.match(text, start).end()  # type: ignore[union-attr]
        inside = any(begin < start < end for begin, end in quoted)
        silent = text[first : first + 1] in ("\r", "\n", "") or (text[first] == "#" and not inside)
        if not silent and first < node.end and first - start < need:
            closing = text[first] in "]}" and not inside
            by_all = not (closing and first - start == need - 1)
            if by_all not in found:
                found.add(by_all)
                deep = "must be deeper than what it belongs to"
                if by_all:
                    line = "a line in brackets" if node.flow else "a line in quotes"
                    yield Refused(first, f"{line} {deep}; JavaScript's readers refuse it")
                else:
                    yield Refused(first, f"a closing bracket {deep}; js-yaml 5 refuses it", "bracket-shallow")
        start = text.find("\n", start, node.end) + 1
