"""Signs in a row that its record did not pass, in words and keys that no tool is known to use for that.

Rows of unknown tools are read by what they seem to say, and may say the contrary elsewhere: `passes: {Relevance:
false}` beside a grade, an error beside a score. Such a row never counts as passed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, is_number, items_of, tables_in
from sampleui.review.record import Entry
from sampleui.review.results import fields
from sampleui.review.results.dialect import FAILS
from sampleui.sample.dialects.field import keys
from sampleui.text.limits import MAX_SIGN_DEPTH

_TRUTHS = keys(
    """
    pass passed passes passing success successful succeeded correct right resolved accepted approved match matched
    ok hit solved
    """
)
"""Words in the names of values that are true, or 1, of what passed."""

_WORDS = _TRUTHS | keys(
    "verdict status outcome judgement judgment result results evaluation eval decision grade grading"
)
"""Words in the names of values that may say in words how something came out."""

_GRADES = keys("grade grades")
_AGAINST = keys("failed failure failures fail fails error errors exception exceptions crashed violation violations")
_ONLY_COUNTS = keys("failed failures fails errors violations")
_NEUTRAL = keys("rate ratio mean std handling code bar bars")
_ELSEWHERE = keys(
    """
    input inputs prompt prompts messages conversation question query instruction request vars variables context
    expected expected_output reference references gold target label labels ideal answer output outputs response
    completion prediction actual text content raw
    trace traces spans events trajectory transcript output_messages tool_calls
    steps history metadata config options settings tags sample doc row_data usage
    """
)
"""Keys whose values are what was asked, answered or done, and not how it came out."""

_NOTHING = keys("none null nil nan n/a no false 0 -")
_NO = re.compile(
    r"(?:not|non|un|never|no)\b.*|(?:fail|incorrect|wrong|error|reject|unresolved|time(?:d )?out|crash|abort|cancel"
    r"|unsuccessful|inaccurate|disapproved|denied|skipped).*",
    re.IGNORECASE | re.DOTALL,
)
_STATES = keys("status state run_status execution_status stop_reason stop_condition finish_reason outcome result")
_BROKEN_OFF = re.compile(
    r"(?:time[sd]?[ _-]?out|abort|cancel|interrupt|killed|skipped).*", re.IGNORECASE | re.DOTALL
)
"""What a row says under one of these keys of an answer that was broken off, or never begun."""

_SIGNS = frozenset("❌✗✘👎")
_PART = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")
_THRESHOLDS = ("threshold", "min_score", "minScore", "pass_threshold", "passing_score", "pass_score")
_IS_THRESHOLD = frozenset(_THRESHOLDS)
BESTS = ("max_score", "maxScore", "score_max", "best_score", "out_of", "max_points", "total_points")
"""Keys of the best score that there is on the scale of a score."""

_SHORT = 60


class _Name(NamedTuple):
    """What the words in the name of a value say of it.

    Attributes:
        against: whether it says that something went wrong, if it says anything; of a number, as a count.
        truths: whether it is true of what passed.
        grades: whether it may be a grade.
        telling: whether it may say in words how something came out.
    """

    against: bool
    counts_against: bool
    truths: bool
    grades: bool
    telling: bool


def _read_name(name: str) -> _Name | None:
    """Return what a name says of its value; None if the value says nothing about the outcome."""
    if name.lower() in _ELSEWHERE:
        return None
    words = {part.lower() for part in _PART.findall(name)}
    against = bool(words & _AGAINST)
    return _Name(
        against and not words & _NEUTRAL,
        against and name.lower() in _ONLY_COUNTS,
        not against and bool(words & _TRUTHS),
        not against and bool(words & _GRADES),
        not against and bool(words & _WORDS),
    )


def _says_no(row: Table, known: frozenset[str] = frozenset(), depth: int = 0) -> bool:
    """Tell whether a row says that it, or a part of it that is looked at, did not pass.

    Args:
        row: the row, or a table in it.
        known: keys of it that are not looked at.
        depth: how deep in the row the table is.
    """
    if _says_no_itself(row, known):
        return True
    inner = [value for name, _ in _looked_at(tuple(row), known) if isinstance(value := row[name], dict | list)]
    parts = (part for value in inner for part in ((value,) if isinstance(value, dict) else tables_in(value)))
    return depth < MAX_SIGN_DEPTH and any(_says_no(part, depth=depth + 1) for part in parts)


@lru_cache(maxsize=256)
def _looked_at(names: tuple[str, ...], known: frozenset[str]) -> tuple[tuple[str, _Name], ...]:
    """Return which of the keys of a table are looked at, and what they say."""
    return tuple((name, read) for name in names if name not in known and (read := _read_name(name)) is not None)


def _says_no_itself(row: Table, known: frozenset[str]) -> bool:
    """Tell whether one of the values that stand in a row itself says so, as `_says_no` does."""
    if not _IS_THRESHOLD.isdisjoint(row) and _under_threshold(row):
        return True
    return any(any(read) and _against(read, row[name]) for name, read in _looked_at(tuple(row), known))


def _against(name: _Name, value: Plain) -> bool:
    """Tell whether the value of a name says that something did not pass."""
    counted = is_number(value)
    if name.counts_against if counted else name.against:
        return _is_something(value)
    if name.truths and _is_false(value):
        return True
    if name.grades and isinstance(value, str) and value.strip().upper() == "F":
        return True
    return name.telling and _says_not(value, name.truths, 0)


def _says_not(value: Plain, truths: bool, depth: int) -> bool:
    if isinstance(value, str):
        word = value.strip()
        if truths and word.lower() in ("0", "false"):
            return True
        return len(word) <= _SHORT and (word.lower() in FAILS or word in _SIGNS or _NO.fullmatch(word) is not None)
    if depth > MAX_SIGN_DEPTH:
        return False
    return any((truths and _is_false(item)) or _says_not(item, truths, depth + 1) for item in items_of(value))


def _is_false(value: Plain) -> bool:
    return value is False or (isinstance(value, int | float) and value == 0)


def _is_something(value: Plain) -> bool:
    if isinstance(value, str):
        return value.strip().lower() not in _NOTHING and bool(value.strip())
    if isinstance(value, dict):
        return any(map(_is_something, value.values()))
    return bool(value)


def _under_threshold(table: Table) -> bool:
    least = fields.number(fields.first(table, _THRESHOLDS))
    score = None if least is None else fields.number(table.get("score"))
    return score is not None and least is not None and score < least


def _broken_off(row: Table, known: frozenset[str]) -> str:
    """Return the words in which a row says itself that it was broken off; "" if it does not."""
    for key, value in row.items():
        if key in known or key.lower() not in _STATES:
            continue
        word = value.strip() if isinstance(value, str) else ""
        if len(word) <= _SHORT and _BROKEN_OFF.match(word):
            return word
    return ""


def doubted(facts: Entry, row: Table, known: frozenset[str] = frozenset()) -> Entry:
    """Return the facts of a row as those of a failure, if the row says anywhere that it did not pass.

    If it says itself that it passed, and only a part of it says the contrary, it did neither. A row that was broken
    off has no answer, and failed as little: that is its error.

    Args:
        facts: what was read.
        row: the row.
        known: keys of it that are understood, and are not looked at.
    """
    ended = _broken_off(row, known)
    if ended and facts.error is None and not facts.outcome and not facts.score:
        return replace(facts, error=ended, outcome=None, verdict=None)
    if not _says_no(row, known):
        return facts
    if facts.outcome is True and not _says_no_itself(row, known):
        return replace(facts, outcome_unclear=True)
    return replace(facts, outcome=False, verdict="fail")
