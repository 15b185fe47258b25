"""Markdown as blocks, in time that grows with the text: what answers of models and mails are written in.

Nothing of it leads anywhere: a link is its text and its target, a picture its name, and HTML is text. Line breaks
stay, since whoever wrote an answer saw them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from sampleui.text.limits import MAX_PROSE_COLUMNS, MAX_QUOTED


class InlineSpan(NamedTuple):
    """A stretch of text.

    Attributes:
        style: empty, `strong`, `emphasis`, `code`, `struck`, `link` or `target`, which is where a link leads.
    """

    text: str
    style: str = ""


Spans: TypeAlias = tuple[InlineSpan, ...]


class Heading(NamedTuple):
    """A heading; the highest has the level 1."""

    spans: Spans
    level: int


class Paragraph(NamedTuple):
    """Text, with its line breaks."""

    spans: Spans


class ListItem(NamedTuple):
    """An item of a list, as deep as its indent says; `marker` is a bullet, a number or a box."""

    spans: Spans
    marker: str
    depth: int


class Code(NamedTuple):
    """Text that stays as it is; `form` is the language, where it is known."""

    text: str
    form: str = ""


class Grid(NamedTuple):
    """A table: a header and rows of the same number of cells."""

    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]


class Quote(NamedTuple):
    """What is quoted."""

    blocks: tuple[Prose, ...]


class HorizontalRule(NamedTuple):
    """A line across."""


Prose: TypeAlias = Heading | Paragraph | ListItem | Code | Grid | Quote | HorizontalRule

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})[ \t]*+([^\s`]*+)[^`]*+$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]++(.*+))?$")
_ITEM = re.compile(r"([ \t]*+)([-*+•]|\d{1,9}[.)])[ \t]++(?:\[([ xX])\][ \t]++)?(?=\S)(.*+)$")
_RULE = re.compile(r" {0,3}(?:(?:-[ \t]*+){3,}|(?:\*[ \t]*+){3,}|(?:_[ \t]*+){3,})$")
_QUOTE = re.compile(r" {0,3}> ?(.*+)$")
_UNDER = re.compile(r"[ \t|:-]++$")
_CLOSING = re.compile(r"(?:^|[ \t])#++[ \t]*+$")


def is_markdown(text: str) -> bool:
    """Tell whether a text has signs of Markdown that plain texts, code and logs hardly have."""
    lines = text.split("\n")
    if any(_FENCE.match(line) for line in lines):
        return True
    items = sum(_ITEM.match(line) is not None for line in lines)
    titles = sum(bool((found := _HEADING.match(line)) and found[2]) for line in lines)
    tables = any(_is_under(line) and "|" in above for above, line in pairwise(lines))
    if titles or items > 1 or tables:
        return True
    return any(span.style in ("strong", "code", "link") for span in spans_of(text))


def prose_of(text: str) -> tuple[Prose, ...]:
    """Return a text of Markdown as blocks."""
    return tuple(_blocks(text.replace("\r\n", "\n").split("\n"), 0))


def _blocks(lines: Sequence[str], quoted: int) -> Iterator[Prose]:
    index, paragraph = 0, list[str]()
    while index < len(lines):
        blocks, after = _begun(lines, index, quoted)
        if not blocks and lines[index].strip():
            paragraph.append(lines[index].strip())
        elif paragraph:
            yield Paragraph(spans_of("\n".join(paragraph)))
            paragraph.clear()
        yield from blocks
        index = after
    if paragraph:
        yield Paragraph(spans_of("\n".join(paragraph)))


def _begun(lines: Sequence[str], index: int, quoted: int) -> tuple[tuple[Prose, ...], int]:
    """Return the block that begins at a line, and the line after it; no block where a paragraph or nothing does."""
    line, end = lines[index], index + 1
    if (fence := _FENCE.match(line)) is not None:
        end = next((below for below in range(end, len(lines)) if _closes(lines[below], fence[2])), len(lines))
        body = [_dedented(item, len(fence[1])) for item in lines[index + 1 : end]]
        return (Code("\n".join(body), fence[3]),), end + 1
    if "|" in line and end < len(lines) and _is_under(lines[end]) and len(_cells(line)) <= MAX_PROSE_COLUMNS:
        end += 1
        while end < len(lines) and "|" in lines[end]:
            end += 1
        return (_grid(line, lines[index + 2 : end]),), end
    if quoted < MAX_QUOTED and _QUOTE.match(line):
        while end < len(lines) and _QUOTE.match(lines[end]):
            end += 1
        inner = [_QUOTE.sub(r"\1", item) for item in lines[index:end]]
        return (Quote(tuple(_blocks(inner, quoted + 1))),), end
    if _RULE.match(line):
        return (HorizontalRule(),), end
    if (title := _HEADING.match(line)) and title[2]:
        return (Heading(spans_of(_CLOSING.sub("", title[2]).strip()), len(title[1])),), end
    if (item := _ITEM.match(line)) is not None:
        while end < len(lines) and _goes_on(lines[end]):
            end += 1
        depth = min(len(item[1].expandtabs(4)) // 2, 8)
        said = "\n".join((item[4], *(more.strip() for more in lines[index + 1 : end])))
        return (ListItem(spans_of(said), _marker(item[2], item[3]), depth),), end
    return (), end


def _closes(line: str, fence: str) -> bool:
    """Tell whether a line ends what a fence has begun; a shorter one inside does not."""
    signs = line.strip()
    return len(signs) >= len(fence) and not signs.strip(fence[0])


def _goes_on(line: str) -> bool:
    """Tell whether a line goes on with the item above it: it is indented, and begins nothing of its own."""
    begins = _ITEM.match(line) or _FENCE.match(line.lstrip())
    return line[:2].isspace() and bool(line.strip()) and not begins


def _marker(marker: str, box: str | None) -> str:
    if box is not None:
        return "☐" if box == " " else "☑"
    return marker if marker[0].isdigit() else "•"


def _dedented(line: str, indent: int) -> str:
    blank = len(line) - len(line.lstrip(" "))
    return line[min(blank, indent) :]


def _is_under(line: str) -> bool:
    """Tell whether a line divides the header of a table from its rows."""
    return "-" in line and "|" in line and _UNDER.match(line) is not None


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|")
    inner = inner if inner.endswith("\\|") else inner.removesuffix("|")
    return [cell.replace("\0", "|").strip() for cell in inner.replace("\0", "").replace("\\|", "\0").split("|")]


def _grid(header: str, lines: Sequence[str]) -> Grid:
    head = [*map(spans_of, _cells(header))]
    rows = ([*map(spans_of, _cells(line)[: len(head)])] for line in lines)
    return Grid(tuple(head), tuple((*row, *[()] * (len(head) - len(row))) for row in rows))


# Spans

_TOKEN = re.compile(
    r"""
    \\(?P<escaped>[!-/:-@\[-`{-~])
    | (?P<ticks>`++)
    | (?P<image>!)?\[(?P<title>[^\[\]\n]*+)\]
        \([ \t]*+<?(?P<target>[^()<>\s"]*+)>?[ \t]*+(?:"[^"\n]*+"[ \t]*+)?\)
    | (?P<marks>\*\*\*|\*\*|\*|___|__|_|~~)
    """,
    re.VERBOSE,
)
_STYLES = {"***": "strong", "___": "strong", "**": "strong", "__": "strong", "*": "emphasis", "_": "emphasis"}
_STYLES["~~"] = "struck"


class _Mark(NamedTuple):
    """Signs that may begin or end a stretch."""

    text: str
    opens: bool
    closes: bool


def spans_of(text: str) -> Spans:
    """Return a text of Markdown as stretches; signs that have no partner stay text."""
    pieces = [*_pieces(text)]
    pairs = _paired(pieces)
    spans, styles = list[InlineSpan](), list[str]()
    for index, piece in enumerate(pieces):
        if isinstance(piece, InlineSpan):
            spans.append(piece if piece.style or not styles else InlineSpan(piece.text, styles[-1]))
        elif (partner := pairs.get(index)) is None:
            spans.append(InlineSpan(piece.text, styles[-1] if styles else ""))
        elif partner > index:
            style = _STYLES[piece.text]
            styles.append("strong" if "strong" in styles[-1:] and style == "emphasis" else style)
        else:
            styles.pop()
    return tuple(_joined(spans))


def _pieces(text: str) -> Iterator[InlineSpan | _Mark]:
    ticks = defaultdict[int, list[int]](list)
    for run in re.finditer("`++", text):
        ticks[len(run[0])].append(run.start())
    done, offset = 0, 0
    while (found := _TOKEN.search(text, offset)) is not None:
        start, offset = found.span()
        piece: InlineSpan | _Mark | None = None
        more: tuple[InlineSpan, ...] = ()
        match found.lastgroup:
            case "escaped":
                piece = InlineSpan(found["escaped"])
            case "ticks":
                offsets = ticks[len(found["ticks"])]
                after = bisect_right(offsets, start)
                if after < len(offsets):
                    inner = text[offset : offsets[after]]
                    piece, offset = InlineSpan(_code(inner), "code"), offsets[after] + len(found["ticks"])
            case "marks":
                piece = _mark(text, found)
            case _:
                piece, more = _link(found)
        if piece is None:
            continue
        if done < start:
            yield InlineSpan(text[done:start])
        yield piece
        yield from more
        done = offset
    if done < len(text):
        yield InlineSpan(text[done:])


def _code(inner: str) -> str:
    padded = len(inner) > 2 and inner[0] == inner[-1] == " " and bool(inner.strip())
    return inner[1:-1] if padded else inner


def _link(found: re.Match[str]) -> tuple[InlineSpan, tuple[InlineSpan, ...]]:
    title, target = found["title"], found["target"]
    if found["image"]:
        return InlineSpan(f"▣ {title or target}", "link"), (
            (InlineSpan(f" ({target})", "target"),) if title and target else ()
        )
    shown = title or target
    return InlineSpan(shown, "link"), (
        (InlineSpan(f" ({target})", "target"),) if target and target != shown else ()
    )


def _mark(text: str, found: re.Match[str]) -> _Mark | None:
    start, end = found.span()
    before, after = text[start - 1 : start] or " ", text[end : end + 1] or " "
    opens, closes = not after.isspace(), not before.isspace()
    if found[0][0] == "_":  # in the middle of a name it is part of it
        opens, closes = opens and not before.isalnum(), closes and not after.isalnum()
    return _Mark(found[0], opens, closes) if opens or closes else None


def _paired(pieces: Sequence[InlineSpan | _Mark]) -> dict[int, int]:
    """Return the partners of marks by their places; those of two pairs never cross."""
    pairs = dict[int, int]()
    opened = list[int]()
    waiting = defaultdict[str, int](int)
    for index, piece in enumerate(pieces):
        if isinstance(piece, InlineSpan):
            continue
        if piece.closes and waiting[piece.text]:
            while opened:
                start = opened.pop()
                mark = pieces[start]
                assert isinstance(mark, _Mark)
                waiting[mark.text] -= 1
                if mark.text == piece.text:
                    pairs |= {start: index, index: start}
                    break
        elif piece.opens:
            opened.append(index)
            waiting[piece.text] += 1
    return pairs


def _joined(spans: Sequence[InlineSpan]) -> Iterator[InlineSpan]:
    """Yield stretches, those of one style in a row as one."""
    texts, style = list[str](), ""
    for span in spans:
        if span.style != style and texts:
            yield InlineSpan("".join(texts), style)
            texts.clear()
        style = span.style
        texts.append(span.text)
    if texts:
        yield InlineSpan("".join(texts), style)


def plain(spans: Sequence[InlineSpan]) -> str:
    """Return what stretches say, without their styles."""
    return "".join(span.text for span in spans)
