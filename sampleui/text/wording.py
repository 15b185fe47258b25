"""Words for people: numbers with what they count, ids of words, and names shortened so that no two look alike."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from sampleui.text.position import shared_start

_WORD = re.compile(r"[^\W_]+")
_MAX_WORDS = 6
_MAX_CHARACTERS = 32
_MIN_WORD = 3
"""Characters shared below which leaving them out saves nothing."""

ELLIPSIS = "…"
"""What a text ends with that was cut."""


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, which takes an `s` but for one: `1 sample`, `1,200 samples`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def sentence(text: str) -> str:
    """Return a text as a sentence, with a capital where it begins with a word and not with the name of a file."""
    capital = text.partition(" ")[0].isalpha()
    return f"{text[0].upper()}{text[1:]}." if capital else f"{text}."


def one_spaced(text: str) -> str:
    """Return a text with a single space for each stretch of white space, and none at its ends."""
    return " ".join(text.split())


def text_begun_by(line: str, texts: Iterable[str]) -> str:
    """Return the text whose beginning a line is, which may end in an ellipsis; empty if it is that of none."""
    beginning = line.removesuffix(ELLIPSIS)
    long = (text for text in texts if len(text) >= len(line))
    return next((text for text in long if one_spaced(text).startswith(beginning)), "")


def first_words(text: str) -> str:
    """Return the first words of a text as an id: in lower case, with hyphens between; empty if it has no letter."""
    words = list(islice((found[0].lower() for found in _WORD.finditer(text)), _MAX_WORDS))
    while len(words) > 1 and len("-".join(words)) > _MAX_CHARACTERS:
        words.pop()
    name = "-".join(words)[:_MAX_CHARACTERS]
    return name if any(map(str.isalpha, name)) else ""


def enumerated(names: Sequence[str], word: str) -> str:
    """Return names as a sentence has them, `and` or `or` before the last: `a, b and c`."""
    return f" {word} ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def apart(names: Iterable[str], width: int) -> dict[str, str]:
    """Return each name in at most `width` cells: whole if all fit, else without what all of them share.

    What is left out is an ellipsis. Names that would still look alike keep their ends, or both ends, or else are
    numbered.
    """
    listed = list(dict.fromkeys(names))
    for texts in _shortened(listed, width):
        if len(set(texts)) == len(listed) and all(_width(text) <= width for text in texts):
            return dict(zip(listed, texts, strict=True))
    numbered = enumerate(zip(listed, _without_shared(listed), strict=True), 1)
    return {name: _cut(rest, max(width - len(str(index)), 1)) + str(index) for index, (name, rest) in numbered}


def _shortened(names: list[str], width: int) -> Iterator[list[str]]:
    """Yield names as they are, and then shorter and shorter, each time when they are asked for."""
    yield names
    rests = _without_shared(names)
    yield rests
    yield [_cut(rest, width) for rest in rests]
    yield [_cut(rest[::-1], width)[::-1] for rest in rests]
    yield [without_middle(rest, width) for rest in rests]


def _without_shared(names: list[str]) -> list[str]:
    if len(names) < 2:
        return names
    start = _boundary(_shared(names))
    rests = [name[start:] for name in names]
    end = _boundary(_shared([rest[::-1] for rest in rests]))
    before, after = "…" if start else "", "…" if end else ""
    return [before + rest[: len(rest) - end] + after for rest in rests]


def _shared(names: list[str]) -> str:
    first, last = min(names), max(names)
    return first[: shared_start(first, last)]


def _boundary(shared: str) -> int:
    """Return how much of a shared beginning is left out: up to the end of its last whole word."""
    word = next((index for index in range(len(shared), 0, -1) if not shared[index - 1].isalnum()), 0)
    return word if word >= _MIN_WORD else 0


def without_middle(name: str, width: int) -> str:
    """Return a name in at most `width` cells, both of its ends if it has more: `custom…-30-days`."""
    if _width(name) <= width:
        return name
    tail = _cut(name[::-1], width // 2 + 1)[::-1]
    return _cut(name, width - _width(tail) + 1)[:-1] + tail


def _width(text: str) -> int:
    from rich.cells import cell_len  # a command that only counts must not wait for it

    return cell_len(text)


def _cut(name: str, width: int) -> str:
    from rich.cells import set_cell_size

    return name if _width(name) <= width else set_cell_size(name, max(width - 1, 0)).rstrip() + "…"


def shown_ms(duration: float | None) -> str:
    """Return milliseconds as people read them: `85ms`, `2.10s`, `3m05s`; a dash for none."""
    if duration is None:
        return "-"
    if abs(duration) < 999.5:
        return f"{duration:.0f}ms"
    if abs(duration) < 59_995:
        return f"{duration / 1000:.2f}s"
    minutes, seconds = divmod(round(abs(duration) / 1000), 60)
    return f"{'-' if duration < 0 else ''}{minutes}m{seconds:02d}s"


def dollars(amount: float) -> str:
    """Return dollars with two digits behind the point, or four figures of less: `$1.50`, `$0.00021`."""
    digits = max(2, 3 - math.floor(math.log10(amount))) if amount > 0 else 2
    whole, _, cents = f"{amount:,.{digits}f}".partition(".")
    return f"${whole}.{cents.rstrip('0'):0<2}"
