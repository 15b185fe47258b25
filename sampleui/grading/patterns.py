"""Patterns of a deck, matched as JavaScript does it, and within a time limit: a deck may be a stranger's."""

from __future__ import annotations

import re

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
        compiled = re.compile(translated(pattern, flags), options)
    except re.error as error:
        kind = InvalidPatternError if _FAULTS.match(error.msg) else PatternError
        raise kind(f"its pattern is not understood: {error}") from None
    except (OtherPatternError, OverflowError, RecursionError) as error:
        raise PatternError(f"its pattern is not understood: {error}") from None
    try:
        with limited(SECONDS):
            return (compiled.match(text) if "y" in flags else compiled.search(text)) is not None
    except TookTooLongError:
        raise PatternError(f"its pattern takes longer than {SECONDS:g} s") from None
