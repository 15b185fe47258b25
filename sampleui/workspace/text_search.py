"""Text found in the turns and fields of samples, and what replaces it. Keys and comments are not looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sampleui.deck import edit
from sampleui.deck.model import Change, DeckFiles
from sampleui.errors import EditError, EditRefusedError, SampleUIError
from sampleui.formats.data import DataPath, Plain, leaves
from sampleui.formats.operations import Set
from sampleui.text.limits import MAX_REPLACED, limited
from sampleui.workspace.deck import Deck

SEARCH_TIMEOUT_S = 1.0
"""How long a pattern may take for one value, or for one sample."""

TYPING_TIMEOUT_S = 0.3
"""The same for one sample while keys are typed, which wait for it."""

TOO_LONG = "the pattern takes too long"

_RUN = re.compile(r"[0-9A-Za-z]+")
_ELSEWHERE = re.compile(
    r"\\(?:u00[2-7]|u0000|U0000|u017f|u013[01]|u212a|x[2-7]|[ \t]*\r?\n)|(?<![\w*])\*\w", re.IGNORECASE
)
"""What may stand for a letter that the text of a file does not show: an escape, a broken line, an alias of YAML."""


class SearchPatternError(SampleUIError):
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
            PatternError: if there is nothing to look for, or the regular expression is not valid.
        """
        if not self.text:
            raise SearchPatternError("there is nothing to look for: the text is empty")
        pattern = self.text if self.regex else re.escape(self.text)
        try:
            return re.compile(
                rf"(?<!\w)(?:{pattern})(?!\w)" if self.word else pattern, re.IGNORECASE * self.ignore_case
            )
        except (re.error, OverflowError, RecursionError) as error:
            raise SearchPatternError(f"the regular expression is not understood: {error}") from None

    @cached_property
    def _needle(self) -> re.Pattern[str] | None:
        runs = [] if self.regex else _RUN.findall(self.text)
        return re.compile(max(runs, key=len), re.IGNORECASE * self.ignore_case) if runs else None

    def may_be_in(self, text: str) -> bool:
        """Tell whether it may be found in a value of a sample whose own text in the file is this.

        The longest run of letters and digits in it must be there, except where these may be spelled otherwise.
        """
        if self._needle is None or self._needle.search(text):
            return True
        return ("\\" in text or "*" in text) and _ELSEWHERE.search(text) is not None

    def check(self, new: str) -> None:
        """Raise PatternError for a replacement that names a group that the regular expression does not have."""
        try:
            self.pattern.sub(new if self.regex else "", "")  # templates are read even if nothing matches
        except (re.error, IndexError) as error:
            raise SearchPatternError(f"the regular expression is not understood: {error}") from None

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


def may_hold(files: DeckFiles, index: int, query: Query) -> bool:
    """Tell whether a sample has to be read to know whether something is found in it."""
    if index < 0:
        return True
    number, inner = files.locate(index)
    return query.may_be_in(files.sources[number].document.chunk(inner))


def texts_of(value: Plain) -> Iterator[tuple[DataPath, str]]:
    """Return the texts in a value with their paths."""
    return ((inner, item) for inner, item in leaves(value) if isinstance(item, str))


def hits_in(index: int, data: Plain, query: Query, seconds: float = SEARCH_TIMEOUT_S) -> list[Hit]:
    """Return the matches in a sample, in order; empty matches do not count.

    Raises:
        TookTooLongError: when the pattern takes longer than that.
    """
    with _limited(query, seconds):
        return [
            Hit(index, path, match.start(), match.end(), match[0])
            for path, text in texts_of(data)
            for match in query.pattern.finditer(text)
            if match[0]
        ]


def found_in(deck: Deck, index: int, query: Query) -> list[Hit]:
    """Return the matches in a sample of a deck, which is read if it may hold some. Raises as `hits_in` does."""
    if not may_hold(deck.files, index, query):
        return []
    return hits_in(index, deck.sample_at(index).data, query, TYPING_TIMEOUT_S)


def replacements_in(index: int, data: Plain, query: Query, new: str) -> list[Replacement]:
    """Return the values of a sample that would change.

    Raises:
        TookTooLongError: as in `hits_in`.
        EditRefusedError: when they are so many, in so large a sample, that to prove each would take minutes.
    """
    with _limited(query, SEARCH_TIMEOUT_S):
        replacements = [Replacement(index, path, text, query.replaced(text, new)) for path, text in texts_of(data)]
    changed = [replacement for replacement in replacements if replacement.old != replacement.new]
    size = sum(len(item.old) + len(str(item.path[-1:])) for item in replacements)
    if len(changed) * size > MAX_REPLACED:
        most = f"their product is {len(changed) * size:,}, and no more than {MAX_REPLACED:,} is replaced at once"
        raise EditRefusedError(f"{len(changed):,} values in a sample of {size:,} characters: {most}")
    return changed


def replacing(files: DeckFiles, item: Replacement) -> Change:
    """Return the change that makes a replacement; of a value that samples share, for all of them."""
    try:
        return edit.apply(files, item.index, Set(item.path, item.new))
    except EditRefusedError:
        if item.index < 0:
            raise
        return edit.apply_to_all(files, item.index, Set(item.path, item.new))


class Proposed(NamedTuple):
    """A replacement that a person is asked about: in which deck, and what its sample is called."""

    deck: Deck
    name: str
    item: Replacement


class Hindrances(NamedTuple):
    """Why some replacements cannot be made, and for how many samples others change a value, by their indexes."""

    refused: Mapping[int, str]
    shared: Mapping[int, int]


def hindrances(replacements: Iterable[Proposed]) -> Hindrances:
    """Look at replacements."""
    refused: dict[int, str] = {}
    shared: dict[int, int] = {}
    for number, (deck, _, item) in enumerate(replacements):
        try:
            replacing(deck.files, item)
        except EditError as error:
            refused[number] = str(error)
        else:
            value = edit.shared_at(deck.files, item.index, item.path)
            if value is not None:
                shared[number] = len(value.users)
    return Hindrances(refused, shared)


def _limited(query: Query, seconds: float) -> AbstractContextManager[None]:
    """Return the time limit of a search: a plain text needs none."""
    return limited(seconds) if query.regex else nullcontext()
