"""Patterns of a deck, matched as JavaScript does, and for a moment at most: a deck may be a stranger's."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 1.0
"""How long a pattern may be matched."""

_FLAGS = {"i": re.IGNORECASE, "s": re.DOTALL, "m": re.MULTILINE}
_IGNORED = frozenset("guyd")
_NAMED = re.compile(r"\(\?<(?![=!])")
_NAMED_AGAIN = re.compile(r"\\k<(\w+)>")
_TOKEN = re.compile(r"\\.|\[(?:\\.|[^\]\\])*\]|\$", re.DOTALL)


class PatternError(Exception):
    """An assertion cannot be evaluated here. The message says why."""


class _TimeOutError(Exception):
    pass


def found_in(text: str, pattern: str, flags: str) -> bool:
    """Tell whether a JavaScript pattern is found in a text.

    Raises:
        PatternError: when it is not understood, or takes too long.
    """
    unknown = set(flags) - _FLAGS.keys() - _IGNORED
    if unknown:
        raise PatternError(f"its flags {flags!r} are not known")
    options = re.NOFLAG
    for flag in flags:
        options |= _FLAGS.get(flag, re.NOFLAG)
    try:
        compiled = re.compile(_translated(pattern, multiline="m" in flags), options)
    except (re.error, OverflowError, RecursionError) as error:
        raise PatternError(f"its pattern is not understood: {error}") from None
    try:
        with _limited():
            return compiled.search(text) is not None
    except _TimeOutError:
        raise PatternError(f"its pattern takes longer than {SECONDS:g} s") from None


def _translated(pattern: str, *, multiline: bool) -> str:
    named = _NAMED_AGAIN.sub(r"(?P=\1)", _NAMED.sub("(?P<", pattern)).replace("[^]", r"[\s\S]")
    # A `$` of JavaScript is the very end; Python's is before a last line feed too.
    if multiline:
        return named
    return _TOKEN.sub(lambda token: r"\Z" if token[0] == "$" else token[0], named)


@contextmanager
def _limited() -> Iterator[None]:
    """Stop what is done inside after a moment. Matching looks for signals, which only the main thread gets."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise _TimeOutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
