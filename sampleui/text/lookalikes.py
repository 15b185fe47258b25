"""Two texts that look the same and are not: which characters differ, by their code points. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from sampleui.text.limits import MAX_LOOKALIKE_LENGTH

_DRAWN_ALIKE = (
    "aаɑα bЬ cсϲⅽ dԁ eе gɡց hһհ iіι jјϳ kκ lӏ nո oоοօ pрρ qԛզ sѕ uυս vνѵ wԝ xхχ yуγ "
    "AАΑᎪ BВΒᏴ CСϹᏟ DᎠ EЕΕᎬ GԌᏀ HНΗᎻ IІΙӀ JЈͿᎫ KКΚᏦ LᏞ MМΜᎷ NΝ OОΟՕ PРΡᏢ QԚ RᎡ SЅՏᏚ TТΤᎢ UՍ VѴᏙ WԜᎳ XХΧ YУΥҮ ZΖᏃ "
    "3ЗƷ -‐‑‒–—―−﹘－ '‘’‛ʼʹ′´`＇ \"“”‟″＂ ,‚， .․ /∕⁄ :∶ː꞉ *∗ |∣ǀ ·•∙⋅・ ~∼ <‹ >› +＋ "
    "口ロ 二ニ 力カ 工エ 夕タ 卜ト 八ハ 一ー へヘ りリ يیى كک هہ"
)
"""Characters that most fonts draw alike, each group behind what stands for it: of Unicode's confusables (UTS 39)
the letters and signs that people type."""

_STANDS_FOR = {ord(other): group[0] for group in _DRAWN_ALIKE.split() for other in group[1:]}
_BLANKS = "\t \xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\u115f\u1160"
_BREAKS = "\r\n|[\r\n\x0b\x0c\x85\u2028\u2029]"
_COMPOSED = {"<wide>", "<narrow>", "<compat>", "<font>", "<noBreak>"}
"""Of the tags of a decomposition those whose two forms look the same."""

_UNIT = re.compile(
    rf"(?P<edge>[{_BLANKS}]*(?:(?:{_BREAKS})[{_BLANKS}]*)+)|(?P<blank>[{_BLANKS}]+)"
    r"|[\u1100-\u115e][\u1161-\u11a7]?[\u11a8-\u11ff]?[^\W\w]*|.",
    re.DOTALL,
)
_NAMES = {
    9: "TAB",
    10: "LINE FEED",
    13: "CARRIAGE RETURN",
    0: "NULL",
    27: "ESCAPE",
    127: "DELETE",
    133: "NEXT LINE",
}
_MAX_TOLD = 5
_MAX_NAMED = 8


_ASCII = {
    code: _STANDS_FOR.get(code, chr(code)) if chr(code).isprintable() and code != ord(" ") else None
    for code in range(128)
}


class LookalikeStretch(NamedTuple):
    """A stretch that looks the same in two texts and is another one in each, by its place in the first text."""

    offset: int
    text: str
    other: str


def differences(text: str, other: str) -> tuple[LookalikeStretch, ...]:
    """Return where two texts differ that look the same; nothing if they are equal or look different.

    White space of any kind and length, and what is not seen at all, look like one blank between words and like
    nothing at the ends of lines. Letters look like those that fonts draw alike, whatever their script.
    """
    if text == other or max(len(text), len(other)) > MAX_LOOKALIKE_LENGTH:
        return ()
    if text.isascii() and other.isascii() and _bare(text) != _bare(other):
        return ()
    seen, ends = _seen(text)
    other_seen, other_ends = _seen(other)
    if seen != other_seen:
        return ()
    bounds = [(ends[size], other_ends[size]) for size in sorted(ends.keys() & other_ends.keys())]
    return tuple(
        _trimmed(start, text[start:end], other[begin:until])
        for (start, begin), (end, until) in pairwise([(0, 0), *bounds])
        if text[start:end] != other[begin:until]
    )


def _bare(text: str) -> str:
    """Return what one sees of a text in ASCII without its blanks: if that differs, so does the whole."""
    return text.translate(_ASCII)


def look_alike(text: str, other: str) -> tuple[str, ...]:
    """Return a line for each way in which two texts differ that look the same: code points, how often, where."""
    indexes: dict[tuple[str, str], list[int]] = {}
    for found in differences(text, other):
        indexes.setdefault((found.text, found.other), []).append(found.offset)
    lines = [f"{_named(one)} → {_named(two)}, {_where(text, offsets)}" for (one, two), offsets in indexes.items()]
    more = len(lines) - _MAX_TOLD
    return (*lines[:_MAX_TOLD], *([f"and {more:,} more"] if more > 0 else ()))


def _seen(text: str) -> tuple[str, dict[int, int]]:
    """Return what one sees of a text, and by how much of that was seen the place behind it in the text."""
    looks: list[str] = []
    ends = {0: 0}
    size = 0
    last = "\n"
    for end, look in _units(text):
        shown = "" if (look.isspace() and not size) or (look == " " and last.isspace()) else look
        last = shown or last
        looks.append(shown)
        size += len(shown)
        ends[size] = end
    seen = "".join(looks).rstrip()
    return seen, {min(size, len(seen)): end for size, end in ends.items()}


def _units(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each stretch of a text ends and what one sees of it: a letter with marks, blanks, line breaks."""
    units = [*_UNIT.finditer(text)]
    index = 0
    while index < len(units):
        unit = units[index]
        index += 1
        if unit["edge"] is not None:
            yield unit.end(), "\n" * len(re.findall(_BREAKS, unit["edge"]))
            continue
        if unit["blank"] is not None:
            yield unit.end(), " "
            continue
        end = unit.end()
        while index < len(units) and unicodedata.combining(units[index].group()[0]):
            end = units[index].end()
            index += 1
        yield end, _look(text[unit.start() : end])


def _look(letter: str) -> str:
    return unicodedata.normalize("NFC", "".join(map(_without_marks, unicodedata.normalize("NFD", letter))))


def _without_marks(character: str) -> str:
    if character.isascii() and character.isprintable():
        return _STANDS_FOR.get(ord(character), character)
    if (
        unicodedata.category(character) in ("Cf", "Cc")
        or "\ufe00" <= character <= "\ufe0f"
        or character == "\u034f"
    ):
        return ""
    tag, _, rest = unicodedata.decomposition(character).partition(" ")
    if tag in _COMPOSED:
        return "".join(_without_marks(chr(int(code, 16))) for code in rest.split())
    return _STANDS_FOR.get(ord(character), character)


def _trimmed(offset: int, text: str, other: str) -> LookalikeStretch:
    """Return a stretch without what both begin and end with."""
    head = next((size for size in range(min(len(text), len(other)), 0, -1) if text[:size] == other[:size]), 0)
    if text[head:] and other[head:] and unicodedata.combining((text[head:] or " ")[0]):
        head = 0  # a mark is named with its letter
    text, other = text[head:], other[head:]
    tail = next((size for size in range(min(len(text), len(other)), 0, -1) if text[-size:] == other[-size:]), 0)
    return LookalikeStretch(offset + head, text[: len(text) - tail], other[: len(other) - tail])


def _named(characters: str) -> str:
    if not characters:
        return "nothing"
    names = [_name(character) for character in characters[:_MAX_NAMED]]
    return " ".join(names) + (f" and {len(characters) - _MAX_NAMED:,} more" if len(characters) > _MAX_NAMED else "")


def _name(character: str) -> str:
    code = ord(character)
    name = unicodedata.name(character, _NAMES.get(code, ""))
    return f"U+{code:04X} {name}".rstrip()


def _where(text: str, offsets: list[int]) -> str:
    first = offsets[0]
    line, column = text.count("\n", 0, first) + 1, first - (text.rfind("\n", 0, first) + 1) + 1
    times = f"{len(offsets):,} times, first in" if len(offsets) > 1 else "in"
    return f"{times} line {line:,}, character {column:,}"
