"""Text found in the turns and fields of samples, and what replaces it. Keys and comments are not looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from sampleui.errors import SampleUIError
from sampleui.formats.data import DataPath, Plain
from sampleui.text.limits import limited

SECONDS = 1.0
"""How long a pattern may take for one value, or for one sample."""


class PatternError(SampleUIError):
    """What is looked for is empty or no pattern, what replaces it names no group, or there is no such sample."""


@dataclass(frozen=True)
class Query:
    """What is looked for.

    Attributes:
        text: a text, or with `regex` a regular expression.
        ignore_case: whether upper and lower case are alike.
        word: whether whole words alone are found.
    """

    text: str
    regex: bool = False
    ignore_case: bool = False
    word: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What matches it.

        Raises:
            PatternError: when there is nothing to look for, or the regular expression is none.
        """
        if not self.text:
            raise PatternError("there is nothing to look for: the text is empty")
        pattern = self.text if self.regex else re.escape(self.text)
        try:
            return re.compile(
                rf"(?<!\w)(?:{pattern})(?!\w)" if self.word else pattern, re.IGNORECASE * self.ignore_case
            )
        except (re.error, OverflowError, RecursionError) as error:
            raise PatternError(f"the regular expression is not understood: {error}") from None

    @property
    def plain(self) -> str:
        """A text that a sample's own text must hold where this is found in it, in lower case; empty for none."""
        simple = not self.regex and self.text.isascii() and self.text.isalnum()
        return self.text.casefold() if simple else ""

    def check(self, new: str) -> None:
        """Raise PatternError for a replacement that names a group which the regular expression has not."""
        try:
            self.pattern.sub(new if self.regex else "", "")  # templates are read where nothing matches, too
        except (re.error, IndexError) as error:
            raise PatternError(f"the regular expression is not understood: {error}") from None

    def replaced(self, text: str, new: str) -> str:
        """Return a text with every match replaced; in a regular expression the new text may name groups."""
        return self.pattern.sub(new if self.regex else lambda _match: new, text)


@dataclass(frozen=True, slots=True)
class Hit:
    """A match: in which sample, the path of the value, where in its text, and the text itself."""

    index: int
    path: DataPath
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Replacement:
    """A value that would change, from `old` to `new`."""

    index: int
    path: DataPath
    old: str
    new: str


def texts_of(value: Plain, path: DataPath = ()) -> Iterator[tuple[DataPath, str]]:
    """Yield the texts in a value with their paths."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict | list):
        for step, item in value.items() if isinstance(value, dict) else enumerate(value):
            yield from texts_of(item, (*path, step))


def hits_in(index: int, data: Plain, query: Query) -> list[Hit]:
    """Return the matches in a sample, in order; empty ones are none.

    Raises:
        TookTooLongError: when the pattern takes longer than `SECONDS`.
    """
    with limited(SECONDS):
        return [
            Hit(index, path, found.start(), found.end(), found[0])
            for path, text in texts_of(data)
            for found in query.pattern.finditer(text)
            if found[0]
        ]


def replacements_in(index: int, data: Plain, query: Query, new: str) -> list[Replacement]:
    """Return the values of a sample that would change. Raises as `hits_in` does."""
    with limited(SECONDS):
        made = [Replacement(index, path, text, query.replaced(text, new)) for path, text in texts_of(data)]
    return [one for one in made if one.old != one.new]
