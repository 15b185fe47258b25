"""What one sees as one character: a letter with its marks, an emoji with what joins it, a flag (UAX 29, §3.1.1)."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from sampleui.text.visible import EMOJI

_JOINER = "\u200d"
JOINERS = ("\u200c", _JOINER)
"""Characters that are typed and not seen: what keeps two letters apart, and what makes one of two emoji."""

_TONES = ("\U0001f3fb", "\U0001f3ff")
_REGIONAL = ("\U0001f1e6", "\U0001f1ff")
_LEADING, _VOWELS, _TRAILING = ("\u1100", "\u115f"), ("\u1160", "\u11a7"), ("\u11a8", "\u11ff")
_SYLLABLES = ("\uac00", "\ud7a3")
_PER_VOWEL = 28
"""Hangul syllables from one that ends in its vowel to the next."""


def start_before(text: str, index: int) -> int:
    """Return where the character begins that one sees before a place in a text; 0 at its beginning."""
    index = max(index - 1, 0)
    while not _is_boundary(text, index):
        index -= 1
    return index


def end_after(text: str, index: int) -> int:
    """Return where the character ends that one sees behind a place in a text; its end at its end."""
    index = min(index + 1, len(text))
    while not _is_boundary(text, index):
        index += 1
    return index


def as_letters(text: str) -> str:
    """Return a text as long as this, in which marks and joiners are of the kind of what they belong to.

    Patterns that look for words take them for parts of a word then.
    """
    if text.isascii():
        return text
    letters = [*text]
    for index in range(1, len(letters)):
        if not _is_boundary(text, index):
            letters[index] = letters[index - 1]
    return "".join(letters)


def _is_boundary(text: str, index: int) -> bool:
    """Tell whether what one sees as one character ends at a place, and the next begins there."""
    if index <= 0 or index >= len(text):
        return True
    before, after = text[index - 1], text[index]
    if before.isascii() and after.isascii():
        return (before, after) != ("\r", "\n")
    if before in "\r\n":
        return True
    if _extends(after) or _is_one_syllable(before, after):
        return False
    if before == _JOINER:
        return not (_is_emoji(after) and _ends_in_emoji(text, index - 1))
    if _within(before, _REGIONAL) and _within(after, _REGIONAL):
        first = index
        while first and _within(text[first - 1], _REGIONAL):
            first -= 1
        return (index - first) % 2 == 0
    return True


def _extends(character: str) -> bool:
    return (
        unicodedata.category(character)[0] == "M"
        or character in JOINERS
        or _within(character, _TONES)
        or _within(character, ("\U000e0020", "\U000e007f"))
    )


def _is_one_syllable(before: str, after: str) -> bool:
    if _within(before, _LEADING):
        return _within(after, _LEADING) or _within(after, _VOWELS) or _within(after, _SYLLABLES)
    open_syllable = _within(before, _SYLLABLES) and not (ord(before) - ord(_SYLLABLES[0])) % _PER_VOWEL
    if _within(before, _VOWELS) or open_syllable:
        return _within(after, _VOWELS) or _within(after, _TRAILING)
    return (_within(before, _TRAILING) or _within(before, _SYLLABLES)) and _within(after, _TRAILING)


def _ends_in_emoji(text: str, end: int) -> bool:
    while end > 1 and _extends(text[end - 1]) and text[end - 1] != _JOINER:
        end -= 1
    return _is_emoji(text[end - 1 : end])


def _is_emoji(character: str) -> bool:
    return _emoji().match(character) is not None


@cache
def _emoji() -> re.Pattern[str]:
    return re.compile(EMOJI)


def _within(character: str, ends: tuple[str, str]) -> bool:
    return ends[0] <= character <= ends[1]
