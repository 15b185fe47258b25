"""Markdown decks: prose with references to the files that hold the samples: `![any text](./samples.toml)`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self
from urllib.parse import unquote

from sampleui.errors import EditRefusedError, FormatError, PathError
from sampleui.formats.data import DataPath, Table
from sampleui.formats.document import Document, Splice
from sampleui.text.limits import MAX_MARKDOWN_LENGTH
from sampleui.text.position import Position, Span, position_at

# What starts first wins, as in Markdown itself: a fence or comment hides what is in it, code hides a reference.
# A fence in a quote ends with the quote at the latest. Plain text is taken in runs, for speed.
_TOKEN = re.compile(
    r"""
    ^[ \t]*>[ \t>]*(?P<quoted>`{3,}|~{3,})[^\n]*+
        (?:\n(?![ \t>]*(?P=quoted))[ \t]*>[^\n]*+|)*+ (?:\n[ \t]*>[ \t>]*(?P=quoted)[^\n]*+)?
    | ^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+|)*+(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})[^\n]*+
        (?:\n(?![ \t]*(?P=fence)[`~]*[ \t\r]*$)[^\n]*+|)*+ (?:\n[^\n]*+)?
    | [^\n`<!\\]++
    | \\.
    | <!--(?:(?!-->).|)*+(?:-->)?
    | (?P<ticks>`++)(?:(?!\n[ \t\r]*\n).){1,2000}?(?<!`)(?P=ticks)(?!`)
    | `++
    | !\[(?P<title>(?:[^\[\]\\]|\\.|\[[^\[\]]*\]|)*+)\]
        \([ \t]*+(?:<(?P<angled>[^<>\n]*+)>|(?P<plain>(?:[^()<>"\n\\]|\\.|\([^()\n]*\)){1,2000}?))
        (?:[ \t\r\n]+(?:"[^"]*"|'[^']*'))?[ \t]*\)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_LINK = re.compile(r"(?<!!)\[(?P<title>[^\[\]\n]*)\]\([ \t]*<?(?P<target>[^()<>\s\"]++)>?[^()\n]*+\)")
_HIDDEN = re.compile(r"[^\n]")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_REMOTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:|//|#")


@dataclass(frozen=True, slots=True)
class LocalReference:
    """A reference to a local file.

    Attributes:
        target: the path as the file system has it: unescaped, relative to the deck.
        title: the text in the square brackets.
        span: the whole reference in the text.
        position: where it starts.
    """

    target: str
    title: str
    span: Span
    position: Position


def references(text: str) -> tuple[LocalReference, ...]:
    """Return the references of a Markdown text to local files, in order.

    Code, fenced or inline, and HTML comments hold none. Remote addresses are left out.
    """
    return tuple(_references(text))


def _references(text: str) -> Iterator[LocalReference]:
    seen, line, line_start = 0, 1, 0
    for token in _TOKEN.finditer(text):
        written = token["angled"] or token["plain"]
        if not written or not written.strip() or _REMOTE.match(written):
            continue
        start = token.start()
        line += text.count("\n", seen, start)
        line_start = max(line_start, text.rfind("\n", seen, start) + 1)
        seen = start
        target = unquote(_ESCAPE.sub(r"\1", written.strip()))
        yield LocalReference(target, token["title"], Span(*token.span()), Position(line, start - line_start + 1))


def links(text: str) -> Iterator[LocalReference]:
    """Yield the plain links of a Markdown text to local files, in order. Code and comments hold none."""
    shown, seen = "", 0
    for token in _TOKEN.finditer(text):
        if token["quoted"] or token["fence"] or token["ticks"] or token[0].startswith("<!--"):
            shown += text[seen : token.start()] + _HIDDEN.sub(" ", token[0])
            seen = token.end()
    shown += text[seen:]
    for token in _LINK.finditer(shown):
        if not _REMOTE.match(token["target"]):
            target = unquote(_ESCAPE.sub(r"\1", token["target"]))
            yield LocalReference(target, token["title"], Span(*token.span()), position_at(text, token.start()))


@dataclass(frozen=True, repr=False)
class MarkdownDocument(Document):
    """A Markdown deck. It holds no samples itself; those of the files it refers to belong to those files."""

    format: ClassVar[str] = "markdown"

    @classmethod
    def parse(cls, text: str) -> Self:
        """Take the whole text as the head. Raises FormatError when it is longer than MAX_MARKDOWN_LENGTH."""
        if len(text) > MAX_MARKDOWN_LENGTH:
            raise FormatError(f"a Markdown deck has at most {MAX_MARKDOWN_LENGTH:,} characters", line=1, column=1)
        return cls((text, ""))

    @cached_property
    def references(self) -> tuple[LocalReference, ...]:
        """The references to local files, in order."""
        return references(self.text)

    def read(self, index: int) -> Table:
        """Raise PathError: there are no samples."""
        raise _no_samples(index)

    def span(self, index: int, path: DataPath) -> Span:
        """Raise PathError: there are no samples."""
        raise _no_samples(index)

    def _refusal(self, index: int) -> PathError:
        return _no_samples(index)

    def _insert_sample(self, index: int, data: Table) -> Iterator[Splice]:
        raise EditRefusedError("a Markdown deck holds no samples itself: add the sample to a file it refers to")


def _no_samples(index: int) -> PathError:
    return PathError(f"there is no sample {index}: a Markdown deck only refers to files with samples")
