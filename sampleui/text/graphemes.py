"""What one sees as one character: a letter with its marks, an emoji with what joins it, a flag (UAX 29)."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from sampleui.text.limits import MAX_GRAPHEME_LENGTH

if TYPE_CHECKING:
    import regex

JOINERS = ("\u200c", "\u200d")
"""Characters that are typed and not seen: what keeps two letters apart, and what makes one of two emoji."""


def start_before(text: str, index: int) -> int:
    """Return where the character begins that one sees before a place in a text; 0 at its beginning."""
    begin = max(index - MAX_GRAPHEME_LENGTH, 0)
    before = text[begin:index]
    if before[-1:].isascii() and before[-2:] != "\r\n":
        return max(index - 1, 0)
    return begin + [found.start() for found in _characters().finditer(before)][-1]


def end_after(text: str, index: int) -> int:
    """Return where the character ends that one sees behind a place in a text; its end at its end."""
    if text[index : index + 2].isascii() and text[index : index + 2] != "\r\n":
        return min(index + 1, len(text))
    found = _characters().match(text, index)
    return found.end() if found else len(text)


def as_letters(text: str) -> str:
    """Return a text as long as this, in which marks and joiners are of the kind of what they belong to.

    Patterns that look for words take them for parts of a word then.
    """
    if text.isascii():
        return text
    return "".join(seen[0] * len(seen) for seen in _characters().findall(text))


@cache
def _characters() -> regex.Pattern[str]:
    """Return the pattern of one; its library is slow to import, and text in ASCII needs none."""
    import regex

    return regex.compile(r"\X")
