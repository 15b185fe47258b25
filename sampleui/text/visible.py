"""Text from data made safe to show: one sanitizer for every face.

A terminal obeys control codes wherever they are, and nobody can judge what they cannot see. So a character of a
deck or a results file is drawn only if it is visible; any other is shown as a symbol, and never left out. Invisible
are the characters of Unicode's categories Cc, Cf, Cs, Zl and Zp, those that Unicode says to ignore where they are
not supported (Default_Ignorable_Code_Point), and noncharacters. The few of category Cf that are drawn, such as the
Arabic number sign, stay; so do the joiners and variation selectors of a visible emoji.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import chain

_PICTURES = 0x2400  # U+2400 to U+2421: a picture for each C0 control and, last, for DEL
_UNSEEN = (
    "\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U0001fffe\U0001ffff\U0002fffe\U0002ffff"
    "\U0003fffe-\U000effff\U000ffffe\U000fffff\U0010fffe\U0010ffff"  # planes 4 to 14 hold nothing seen
)
EMOJI = (
    "[\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff]"
)
"""A pattern of one character that may be an emoji."""

# Behind the character: a joiner between two emoji, a selector after one, the selector of a keycap.
_IN_EMOJI = (
    f"(?<!{EMOJI}\u200d(?={EMOJI}))(?<!{EMOJI}\ufe0f\u200d(?={EMOJI}))"
    f"(?<!{EMOJI}[\ufe0e\ufe0f])(?<![0-9#*]\ufe0f(?=\u20e3))"
)
_HIDDEN = f"[\x00-\x1f{_UNSEEN}]{_IN_EMOJI}"
_HIDDEN_BUT_LINES = f"[\x00-\x08\x0b-\x1f{_UNSEEN}]{_IN_EMOJI}"
"""Each is compiled with the first text that it is for: that takes two milliseconds."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0").union(
    map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""What Python calls printable though it is not seen."""


def _symbol(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_PICTURES + code)
    return "␡" if code == 0x7F else f"⟨{code:04X}⟩"


def _is_seen(text: str) -> bool:
    """Tell quickly, without a pattern, that every character of a text is seen; some such texts are missed."""
    return text.isprintable() and _BLANK.isdisjoint(text)


def visible(text: str, shown: Callable[[str], str] = _symbol) -> str:
    """Return one line of text with every character that is not seen as a symbol, or as `shown` says."""
    if _is_seen(text):
        return text
    return re.sub(_HIDDEN, lambda match: shown(match[0]), text)


def visible_lines(text: str) -> str:
    """Return text of many lines made visible, line feeds and tabs kept. A CR before an LF is no CR."""
    text = text.replace("\r\n", "\n")
    if _is_seen(_in_line(text)):
        return text
    return re.sub(_HIDDEN_BUT_LINES, lambda match: _symbol(match[0]), text)


def _in_line(text: str) -> str:
    return text.replace("\n", "").replace("\t", "")


def escaped(dumped: str) -> str:
    """Return JSON, line feeds and tabs between its values kept, with every character that is not seen escaped."""
    return re.sub(_HIDDEN_BUT_LINES, lambda match: _escape(match[0]), dumped)


def _escape(character: str) -> str:
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[index : index + 2].hex()}" for index in range(0, len(units), 2))


def unsafe_in(text: str) -> str:
    """Return the characters of a text that `visible_lines` would show as symbols, each once, in their order."""
    return "" if _is_seen(_in_line(text)) else "".join(dict.fromkeys(re.findall(_HIDDEN_BUT_LINES, text)))


def one_line(text: str, limit: int = 200) -> str:
    """Return the start of a text on one line: white space folded, the rest visible, at most `limit` characters."""
    folded = " ".join(text[: limit * 4].split())
    return visible(folded if len(folded) <= limit else folded[: limit - 1] + "…")


def stand_ins(text: str, unsafe: str) -> Mapping[str, str]:
    """Return a visible stand-in, absent from the text, for each of the unsafe characters that occur in it.

    Replacing by it and back gives the text again, whatever the text holds.
    """
    # Mathematical signs that are seen and seldom written; then what is private.
    free = map(chr, chain(range(0x2980, 0x2B00), range(0xE000, 0xF8FF)))
    used = set(text)
    chosen: dict[str, str] = {}
    for character in dict.fromkeys(unsafe):
        if character in used:
            symbol = _symbol(character)
            if len(symbol) != 1 or symbol in used:
                symbol = next(code for code in free if code not in used)
            used.add(symbol)
            chosen[character] = symbol
    return chosen
