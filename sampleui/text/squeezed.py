"""A text found again where its blanks, its marks and the ends of its lines are others: as drawn, and as written."""

from __future__ import annotations

from collections.abc import Iterator


def found_again(words: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield where a text has words, as (start, end), by their letters and digits alone; of signs alone by these.

    So a stretch of Markdown that is drawn, wrapped and without its marks, is found in what was written.
    """
    by_letters = any(map(str.isalnum, words))
    wanted, _ = _squeezed(words.strip(), by_letters)
    whole, places = _squeezed(text, by_letters)
    start = whole.find(wanted) if wanted else -1
    while start >= 0:
        yield places[start], places[start + len(wanted) - 1] + 1
        start = whole.find(wanted, start + len(wanted))


def _squeezed(text: str, by_letters: bool) -> tuple[str, list[int]]:
    places = [index for index, sign in enumerate(text) if (sign.isalnum() if by_letters else not sign.isspace())]
    return "".join(text[index].lower()[:1] for index in places), places
