"""Choices as `choice` of Inspect 0.3.285 reads them (`scorer/_choice.py`, `_util/answer.py`).

What a score has as its `answer` are the letters of the choices that were taken, in the order of the sample even
where they were shuffled before they were asked.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence

from sampleui.formats.data import Plain
from sampleui.grading.inspectnumbers import UncertainError

_LETTERS = string.ascii_uppercase


def takes(said: Plain, targets: Sequence[str], choices: Plain, today: Plain) -> bool:
    """Tell whether the choices that were taken are those of a target.

    Args:
        said: the answer of a score.
        targets: the target: letters, and numbers from the 27th choice on.
        choices: the choices that the run had.
        today: the choices of the sample as it is now.

    Raises:
        UncertainError: when the choices are other ones, or it is not known which are meant.
    """
    had = _listed(choices)
    if not had or had != _listed(today):
        raise UncertainError("the choices are not those that the run had")
    if not isinstance(said, str):
        raise UncertainError("the score does not say which choices were taken")
    taken = [_place(one, len(had)) for one in said.split(", ") if said]
    return taken == sorted(_place(one, len(had)) for target in targets for one in _named(target))


def _listed(choices: Plain) -> list[str]:
    """Return choices as Inspect reads them: those that are not blank, of a text what stands between its commas."""
    if isinstance(choices, str):
        parted = choices.split(",")
        return [one.strip() for one in (parted if len(parted) > 1 else choices.split()) if one.strip()]
    return [str(one) for one in choices if str(one).strip()] if isinstance(choices, list) else []


def _named(target: str) -> Iterator[str]:
    for token in target.replace(",", " ").split():
        if token.isnumeric():
            yield token
        else:
            yield from token


def _place(name: str, count: int) -> int:
    """Return which choice a letter or a number names, from 0."""
    letter = _LETTERS.find(name.upper()) if name.isascii() and len(name) == 1 else -1
    number = int(name) if name.isascii() and name.isdecimal() and len(name) < len(_LETTERS) else 0
    found = letter if letter >= 0 else len(_LETTERS) - 1 + number if number else count
    if found >= count:
        raise UncertainError(f"{name[:40]!r} is none of the {count:,} choices")
    return found
