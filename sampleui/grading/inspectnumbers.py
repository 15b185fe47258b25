"""Numbers in answers as `match(numeric=True)` of Inspect 0.3.285 reads them (`scorer/_common.py`, `_unicode.py`).

A number may be written in any script there (`½`, `五`). Those are uncertain here, and so is what may be one.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator, Sequence

_ABOUT = "!?:;()[]{}'\"`"
_PRECISION = ".5g"
_ESCAPED = re.compile(r"\\([$,£€*_])")
_SIGNS = re.compile(r"[$,£€*_]")
_STOPS = re.compile(r"\.(?=\s|$|\D)")
_MINUS = str.maketrans("−﹣－", "---")
_LEADING = re.compile(r"(?:[-+]\s*)*")
_DIGITS = re.compile(r"[\d.\s']+(?:[eE][-+]?[\d.\s']*)?")
_GROUPED = re.compile(r"[\s']+")
_BESIDE_DIGITS = frozenset("eE.,+-'＋﹢٫．，﹐、٬’ʼ＇⁻⁺正负負○两点點")
"""What a number may have beside digits, and beside blanks."""


class UncertainError(Exception):
    """A text may be a number in a way that is not known here. The message names it."""


def bare(text: str) -> str:
    """Return a text without signs of currencies, commas, marks of emphasis, and stops behind which no digit is."""
    return _STOPS.sub("", _SIGNS.sub("", _ESCAPED.sub(r"\1", text)))


def normal(text: str, *, trimmed: bool = True) -> str | None:
    """Return a number in Inspect's form of it, with five digits; None for what is no number.

    Args:
        text: the text, without the signs that `bare` drops.
        trimmed: whether brackets, quotes and marks at its ends are not part of it.

    Raises:
        UncertainError: when it may be a number or not.
    """
    said = text.strip(_ABOUT) if trimmed else text
    found = finite(said)
    if found is None and not (said := said.translate(_MINUS)).isascii():
        _rule_out(said)
    elif found is None:
        found = _grouped(said)
    return None if found is None else format(found, _PRECISION)


def numbers(words: Sequence[str]) -> Iterator[str]:
    """Yield those of some words that are numbers, in Inspect's form.

    Raises:
        UncertainError: when it gets to a word that may be one.
    """
    return (found for word in words if (found := normal(word)) is not None)


def finite(text: str) -> float | None:
    """Return what Python's `float` reads in a text, None if that is no number or without end."""
    try:
        found = float(text)
    except ValueError:
        return None
    return found if math.isfinite(found) else None


def _grouped(text: str) -> float | None:
    """Return a number with several signs, or with blanks or apostrophes among its digits."""
    said = text.strip()
    lead = _LEADING.match(said)
    signs = lead[0] if lead else ""
    digits = said[len(signs) :]
    found = finite(_GROUPED.sub("", digits)) if _DIGITS.fullmatch(digits) else None
    return -found if found is not None and signs.count("-") % 2 else found


def _rule_out(text: str) -> None:
    """Make sure that a text with more than ASCII is no number: it has a sign that no number has."""
    if all(one in _BESIDE_DIGITS or one.isspace() or unicodedata.numeric(one, None) is not None for one in text):
        raise UncertainError(f"whether {text[:40]!r} is a number is not certain")
