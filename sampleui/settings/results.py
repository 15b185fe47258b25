"""The vocabulary of `[results.NAME]` in the settings: how a user describes the rows of a tool.

It is the same kind of table as `[dialects.NAME]` is for decks: it names places and words, and nothing in it can run
code or name a file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from sampleui.integrations.index import SHIPPED
from sampleui.settings.dialects import PATH, Fault, near, read_named

RowWords: TypeAlias = str | tuple[str, ...] | tuple[float, float]
RowTable: TypeAlias = Mapping[str, RowWords]
"""A table that was found right: by its keys, texts, lists of texts, and the two ends of a scale."""

SHIPPED_RESULTS = frozenset(entry.result_dialect for entry in SHIPPED if entry.result_dialect)
PATHS = (
    *("id", "outcome", "score", "threshold", "error", "actual", "expected", "reason", "prompt", "messages"),
    *("evaluators", "evaluator_name", "evaluator_score", "evaluator_outcome", "evaluator_reason"),
    *("attempt", "suite", "deck", "tags", "cost", "milliseconds", "seconds", "tokens", "time"),
)
"""Keys whose value is a path of keys with dots between, or a list of such, the first that a row has."""

_PARTS = ("target",)
_LISTS = ("marks",)
_WORDS = ("passes", "fails")
KEYS = ("title", "container", *PATHS, *_PARTS, "scale", *_WORDS, *_LISTS)
TELLING = ("outcome", "score", "evaluators", "error")


def read_result_tables(raw: object) -> Mapping[str, RowTable] | Fault:
    """Return the tables of the result dialects, or the first thing that is wrong with them."""
    return read_named(raw, "results", "result dialect", SHIPPED_RESULTS, _read)


def _read(name: str, table: dict[str, object]) -> RowTable | Fault:
    words: dict[str, RowWords] = {}
    for key, value in table.items():
        if key not in KEYS:
            return Fault((name, key), f"there is no {key} in a result dialect; {near(key, KEYS)}")
        wanted = _wanted(key, value)
        if wanted:
            return Fault((name, key), f"{key} must be {wanted}")
        words[key] = tuple(value) if isinstance(value, list) else value  # type: ignore[assignment]
    if not {"id", "prompt", "messages"} & words.keys():
        return Fault((name,), f"results.{name} says neither where an id is nor where a prompt is")
    if not words.keys() & {*TELLING}:
        return Fault((name,), f"results.{name} says nothing of how a row came out: {', '.join(TELLING)}")
    return MappingProxyType(words)


def _wanted(key: str, value: object) -> str:
    """Return what the value of a key must be, nothing if it is that."""
    if key == "scale":
        ends = value if isinstance(value, list) else []
        numbers = [end for end in ends if isinstance(end, int | float) and not isinstance(end, bool)]
        right = len(ends) == len(numbers) == 2 and numbers[0] != numbers[1] and all(map(math.isfinite, numbers))
        return "" if right else "the worst and the best score, two different numbers"
    if key == "title":
        return "" if isinstance(value, str) and value else "a text"
    listed = value if isinstance(value, list) else [value]
    if key in _WORDS:
        words = bool(listed) and all(isinstance(item, str) and item.strip() for item in listed)
        return "" if words and isinstance(value, list) else "a list of words"
    paths = bool(listed) and all(isinstance(item, str) and PATH.fullmatch(item) for item in listed)
    if key in _LISTS:
        return "" if paths and isinstance(value, list) else "a list of keys, with dots between those on the way"
    if key == "container" and value == "":
        return ""
    return "" if paths else "a path of keys, with dots between, or a list of such paths"
