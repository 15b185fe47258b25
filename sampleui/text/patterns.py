"""Regular expressions that may be a stranger's: compiled without warnings, matched in limited time."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable

from sampleui.text.limits import TookTooLongError, limited

SECONDS = 1.0
"""How long a pattern may be matched."""


class PatternError(Exception):
    """A pattern, or an assertion that has one, cannot be evaluated here. The message says why."""


def groups_in(text: str, pattern: str, ignore_case: bool) -> list[str]:
    """Return what the groups of a Python pattern find in a text; all of the match if the pattern has no groups.

    Raises:
        PatternError: when it is not a pattern, or takes too long.
    """
    try:
        ready = compiled(pattern, re.IGNORECASE if ignore_case else re.NOFLAG)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"its pattern is not understood: {error}") from None
    match = limited_match(ready.search, text)
    groups = () if match is None else match.groups() or (match[0],)
    return [group for group in groups if isinstance(group, str)]


def compiled(pattern: str, options: re.RegexFlag) -> re.Pattern[str]:
    """Return a pattern ready to be matched, whatever Python warns that a later version may read otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern, options)


def limited_match(looked: Callable[[str], re.Match[str] | None], text: str) -> re.Match[str] | None:
    """Return what a pattern's `match` or `search` finds in a text.

    Raises:
        PatternError: when it takes too long.
    """
    try:
        with limited(SECONDS):
            return looked(text)
    except TookTooLongError:
        raise PatternError(f"its pattern takes longer than {SECONDS:g} s") from None
