"""Where the values of a JSON text are, found level by level with the standard library's decoder."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from sampleui.errors import FormatError, PathError
from sampleui.formats.data import DataPath, Plain, shown
from sampleui.text.limits import MAX_JSON_DEPTH, MAX_JSON_VALUES, MAX_SAMPLES
from sampleui.text.position import Span, error_at

SPACE = " \t\r\n"


_BEGINS = frozenset("[{" + SPACE)
_BLANK = re.compile(r"[ \t\r\n]*+")
_DEPTH = {"[": 1, "{": 1, "]": -1, "}": -1}
"""How many levels deeper a bracket leads."""

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+|)*+"|[\[\]{}]', re.DOTALL)
_UNCLOSED = "the quote that begins here is never closed"
_STRING = re.compile(r'"(?:[^"\\\n]|\\.|)*+"')
_DECODER = json.JSONDecoder()


class Member(NamedTuple):
    """One item of a list, or one member of an object, which has a key and a place for it."""

    key: str | None
    key_span: Span
    span: Span
    inner: Container | None = None

    @property
    def start(self) -> int:
        """Where the member begins: at its key, or at its value in a list."""
        return self.key_span.start

    @property
    def end(self) -> int:
        """Where the member ends: at the end of its value."""
        return self.span.end


@dataclass(frozen=True)
class Container:
    """A list or an object, brackets included, and what is directly inside it."""

    span: Span
    members: tuple[Member, ...]

    @cached_property
    def keyed(self) -> dict[str | None, Member]:
        """The members by their keys, the last of those with one key."""
        return {member.key: member for member in self.members}

    def member(self, step: str | int) -> Member | None:
        """Return the member that a step of a path names; of several with one key the last, whose value counts."""
        if isinstance(step, str):
            return self.keyed.get(step)
        listed = 0 <= step < len(self.members) and self.members[step].key is None
        return self.members[step] if listed else None

    def doubled(self, step: str | int) -> bool:
        """Tell whether several members have this key."""
        return isinstance(step, str) and sum(member.key == step for member in self.members) > 1


def skip_blank(text: str, start: int) -> int:
    """Return the offset of the first character that is no JSON whitespace."""
    blanks = _BLANK.match(text, start)
    assert blanks is not None
    return blanks.end()


def guard_size(text: str) -> None:
    """Refuse a text with so many values that reading it could fill the memory.

    Raises:
        FormatError: when there are more than MAX_JSON_VALUES brackets and commas.
    """
    if len(text) > MAX_JSON_VALUES and sum(map(text.count, "[{,")) > MAX_JSON_VALUES:
        raise FormatError(f"more than {MAX_JSON_VALUES:,} brackets and commas in one JSON value", line=1, column=1)


def decode(text: str, start: int) -> tuple[Plain, int]:
    """Return the value that begins at an offset, and where it ends. NaN and the infinities are read as Python does.

    Raises:
        FormatError: if there is no JSON value, or it is nested more than MAX_JSON_DEPTH levels deep.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        # What is missing at the end is missing where the text ends, and not after the blank lines that follow.
        offset, message = _explained(text, start, error)
        raise error_at(text, min(offset, len(text.rstrip(SPACE))), message) from None
    except RecursionError:
        raise error_at(text, start, f"nested more than {MAX_JSON_DEPTH} levels deep") from None
    except ValueError:  # Python's limit on the digits of an integer
        raise error_at(text, start, "an integer with too many digits") from None
    if text.count("[", start, end) + text.count("{", start, end) > MAX_JSON_DEPTH:
        _guard_depth(text, start, end)
    return value, end


def _explained(text: str, start: int, error: json.JSONDecodeError) -> tuple[int, str]:
    """Return where a value stops being JSON, and why; for a quote that is never closed, where it opens."""
    offset, sign = error.pos, text[error.pos : error.pos + 1]
    opened = _last_quote(text, start, offset)
    if error.msg.startswith("Unterminated string"):
        return offset, _UNCLOSED
    if error.msg.startswith("Invalid control") and sign in "\r\n":
        return (offset if opened is None else opened), _UNCLOSED
    if error.msg.startswith("Invalid control"):
        return offset, f"a control character in a text must be written as {json.dumps(sign)[1:-1]}"
    behind = text[start:offset].rstrip(SPACE).endswith('"') and sign not in ("", ":", '"', *"{}[]")
    if opened is not None and behind and "delimiter" in error.msg:
        return opened, 'text follows the closing quote: one is missing, or a " inside is not written as \\"'
    if sign == "}" and text[start:offset].rstrip(SPACE).endswith(","):
        return offset, "a comma stands before this closing bracket"
    if error.msg.startswith("Expecting property name") and sign == "'":
        return offset, "JSON has double quotes alone"
    if error.msg.startswith("Expecting property name") and (sign.isalpha() or sign == "_"):
        return offset, "a key needs double quotes"
    return offset, error.msg


def _last_quote(text: str, start: int, most: int) -> int | None:
    """Return where the last text in quotes begins before a place."""
    last, position = None, start
    while (quote := text.find('"', position)) >= 0 and quote < most:
        last = quote
        closed = _STRING.match(text, quote)
        if closed is None:
            return last
        position = closed.end()
    return last


def structure(text: str) -> list[Plain] | dict[str, Plain] | None:
    """Return the JSON list or table that a text is as a whole, None for any other."""
    if text[:1] not in _BEGINS:
        return None
    try:
        guard_size(text)
        value, end = decode(text, skip_blank(text, 0))
    except FormatError:
        return None
    return value if skip_blank(text, end) == len(text) and isinstance(value, list | dict) else None


def _guard_depth(text: str, start: int, end: int) -> None:
    depth = 0
    for token in _STRING_OR_BRACKET.finditer(text, start, end):
        mark = token.group()[0]
        depth += _DEPTH.get(mark, 0)
        if depth > MAX_JSON_DEPTH:
            raise error_at(text, token.start(), f"nested more than {MAX_JSON_DEPTH} levels deep")


def container_at(text: str, start: int, follow: frozenset[str] = frozenset()) -> Container:
    """Return the list or object that begins at an offset.

    The values of the keys in `follow` are themselves read as containers (`Member.inner`) if they are any.

    Raises:
        FormatError: when what begins there is not a well-formed list or object.
    """
    closer = "]" if text[start] == "[" else "}"
    members: list[Member] = []
    position = skip_blank(text, start + 1)
    if text.startswith(closer, position):
        return Container(Span(start, position + 1), ())
    while True:
        member = _item(text, position) if closer == "]" else _pair(text, position, follow)
        members.append(member)
        if len(members) > MAX_SAMPLES:
            raise error_at(text, position, f"more than {MAX_SAMPLES:,} values in one list")
        position = skip_blank(text, member.end)
        if text.startswith(closer, position):
            return Container(Span(start, position + 1), tuple(members))
        if not text.startswith(",", position):
            raise error_at(text, position, f"Expecting ',' or '{closer}'")
        position = skip_blank(text, position + 1)


def _item(text: str, start: int) -> Member:
    span = Span(start, decode(text, start)[1])
    return Member(None, span, span)


def _pair(text: str, position: int, follow: frozenset[str]) -> Member:
    if not text.startswith('"', position):
        raise error_at(text, position, "Expecting property name enclosed in double quotes")
    key, key_end = decode(text, position)
    assert isinstance(key, str)
    colon = skip_blank(text, key_end)
    if not text.startswith(":", colon):
        raise error_at(text, colon, "Expecting ':' delimiter")
    start = skip_blank(text, colon + 1)
    if key in follow and text[start : start + 1] in {"[", "{"}:
        inner = container_at(text, start)
        return Member(key, Span(position, key_end), inner.span, inner)
    return Member(key, Span(position, key_end), Span(start, decode(text, start)[1]))


def walk(text: str, start: int, path: DataPath) -> Iterator[tuple[Container, Member]]:
    """Yield, for each step of a path into the value at an offset, the container and the member it leads to.

    Raises:
        PathError: when the path does not exist.
    """
    for depth, step in enumerate(path):
        container = _known_container(text, start) if text[start] in "[{" else None
        member = container.member(step) if container else None
        if container is None or member is None:
            raise PathError(f"there is no {shown(path[: depth + 1])}")
        yield container, member
        start = member.span.start


@lru_cache(maxsize=32)
def _known_container(text: str, start: int) -> Container:
    return container_at(text, start)


_CONSTANT = re.compile(r'"(?:[^"\\]|\\.|)*+"|(-?Infinity|NaN)')


def constants(text: str) -> Iterator[tuple[int, str]]:
    """Yield where a text has the words that Python's reader takes for numbers, and no reader of JSON alone."""
    found = _CONSTANT.finditer(text) if "NaN" in text or "Infinity" in text else ()
    yield from ((word.start(), word[1]) for word in found if word[1])


def doubled_keys(text: str, start: int) -> tuple[tuple[DataPath, Span], ...]:
    """Return the path and the place of every repeated key in an object of the value at an offset."""
    doubled = False

    def note(pairs: list[tuple[str, Plain]]) -> dict[str, Plain]:
        nonlocal doubled
        table = dict(pairs)
        doubled = doubled or len(table) < len(pairs)
        return table

    # A look at the keys alone is many times as fast as the walk that finds their places.
    json.JSONDecoder(object_pairs_hook=note).raw_decode(text, start)
    return tuple(_doubled(text, start, ())) if doubled else ()


def _doubled(text: str, start: int, path: DataPath) -> Iterator[tuple[DataPath, Span]]:
    if text[start] not in "[{":
        return
    container = container_at(text, start)
    left = Counter(member.key for member in container.members if member.key is not None)
    for index, member in enumerate(container.members):
        step: str | int = index if member.key is None else member.key
        if member.key is not None:
            left[member.key] -= 1
            if left[member.key]:
                yield (*path, step), member.key_span
                continue
        yield from _doubled(text, member.span.start, (*path, step))


def comma_end(text: str, member: Member) -> int:
    """Return where the comma after a member that is not the last one ends."""
    return skip_blank(text, member.end) + 1
