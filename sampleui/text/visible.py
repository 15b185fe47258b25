"""Text from data made safe to show: one sanitizer for every face.

A terminal obeys control codes wherever they stand, so no character of a deck or a results file reaches it unless it
is a printable one. What cannot be printed is shown as a symbol and never left out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_PICTURES = 0x2400  # U+2400 to U+2421: a picture for each C0 control and, last, for DEL
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_HIDDEN_BUT_LINES = re.compile(_HIDDEN.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))


def _symbol(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(_PICTURES + code)
    return "␡" if code == 0x7F else f"⟨{code:04X}⟩"


def visible(text: str) -> str:
    """Return one line of text with every control, direction and zero-width character as a visible symbol."""
    if text.isascii() and text.isprintable():
        return text
    return _HIDDEN.sub(lambda found: _symbol(found[0]), text)


def visible_lines(text: str) -> str:
    """Return text of many lines made visible, line feeds and tabs kept. A CR before an LF is no CR."""
    return _HIDDEN_BUT_LINES.sub(lambda found: _symbol(found[0]), text.replace("\r\n", "\n"))


def unsafe_in(text: str) -> str:
    """Return the characters of a text that `visible_lines` would show as symbols, each once, in their order."""
    return "".join(dict.fromkeys(_HIDDEN_BUT_LINES.findall(text)))


def one_line(text: str, limit: int = 200) -> str:
    """Return the start of a text on one line: white space folded, the rest visible, at most `limit` characters."""
    folded = " ".join(text[: limit * 4].split())
    return visible(folded if len(folded) <= limit else folded[: limit - 1] + "…")


def stand_ins(text: str, unsafe: str) -> Mapping[str, str]:
    """Return a visible stand-in, absent from the text, for each of the unsafe characters that occur in it.

    Replacing by it and back gives the text again, whatever the text holds.
    """
    free = (chr(code) for code in range(0xE000, 0xF8FF))
    taken = set(text)
    chosen: dict[str, str] = {}
    for character in dict.fromkeys(unsafe):
        if character in taken:
            symbol = _symbol(character)
            if len(symbol) != 1 or symbol in taken:
                symbol = next(code for code in free if code not in taken)
            taken.add(symbol)
            chosen[character] = symbol
    return chosen
