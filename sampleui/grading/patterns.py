"""Patterns of decks and logs, which may be a stranger's: matched as JavaScript or Python does, in limited time."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable

from sampleui.grading.javascript import InvalidPatternError, OtherPatternError, check_flags, translated
from sampleui.text.limits import TookTooLongError, limited

SECONDS = 1.0
"""How long a pattern may be matched."""

_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE}
_FAULTS = re.compile("unterminated|nothing to repeat|multiple repeat|unbalanced|bad character range|missing")
"""What Python says of patterns that no language reads."""


class PatternError(Exception):
    """An assertion cannot be evaluated here. The message says why."""


def found_in(text: str, pattern: str, flags: str) -> bool:
    """Tell whether a JavaScript pattern is found in a text.

    Raises:
        InvalidPatternError: when JavaScript refuses it.
        PatternError: when it is not understood here, or takes too long.
    """
    check_flags(flags)
    options = re.NOFLAG
    for flag in flags:
        options |= _FLAGS.get(flag, re.NOFLAG)
    try:
        compiled = _compiled(translated(pattern, flags), options)
    except re.error as error:
        kind = InvalidPatternError if _FAULTS.match(error.msg) else PatternError
        raise kind(f"its pattern is not understood: {error}") from None
    except (OtherPatternError, OverflowError, RecursionError) as error:
        raise PatternError(f"its pattern is not understood: {error}") from None
    return _found(compiled.match if "y" in flags else compiled.search, text) is not None


def groups_in(text: str, pattern: str, ignore_case: bool) -> list[str]:
    """Return what the groups of a Python pattern find in a text; all of the match if the pattern has no groups.

    Raises:
        PatternError: when it is not a pattern, or takes too long.
    """
    try:
        compiled = _compiled(pattern, re.IGNORECASE if ignore_case else re.NOFLAG)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"its pattern is not understood: {error}") from None
    found = _found(compiled.search, text)
    groups = () if found is None else found.groups() or (found[0],)
    return [one for one in groups if isinstance(one, str)]


def _compiled(pattern: str, options: re.RegexFlag) -> re.Pattern[str]:
    """Return a pattern ready to be matched, whatever Python warns that a later version may read otherwise."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern, options)


def _found(looked: Callable[[str], re.Match[str] | None], text: str) -> re.Match[str] | None:
    try:
        with limited(SECONDS):
            return looked(text)
    except TookTooLongError:
        raise PatternError(f"its pattern takes longer than {SECONDS:g} s") from None
