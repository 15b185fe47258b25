"""The vocabulary of `[dialects.NAME]` and `[results.NAME]` in the settings: how a user describes samples and rows.

Such a table names places and words, and nothing in it can run code or name a file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sampleui.formats.data import CONTAINERS, DataPath, is_number
from sampleui.integrations.index import SHIPPED

Words: TypeAlias = str | bool | tuple[str, ...] | tuple[float, float] | Mapping[str, str]
UserTable: TypeAlias = Mapping[str, Words]
"""A table that was found right: by its keys, texts, lists of texts, truths, types of fields, a scale."""

_Table = TypeVar("_Table")

SHIPPED_DIALECTS = frozenset(name for entry in SHIPPED for name in entry.dialects)
BY_NAME = "."
"""The container of a file that is itself a table of samples by name."""

TYPES = ("text", "number", "truth", "table", "texts", "tables", "messages", "list", "any")
_STRUCTURED = frozenset(TYPES) - {"text", "number", "truth", "any"}
PATHS = ("messages", "system", "prompt", "added", "response", "id", "tags")
"""Keys whose value is a path of keys with dots between, or a list of such, the first that a sample has."""

ROLES = {
    "user_tag": "user",
    "assistant_tag": "assistant",
    "system_tag": "system",
    "observation_tag": "tool",
    "function_tag": "assistant",
}
MEANT = ("user", "assistant", "system", "developer", "tool")
"""What a role may stand for."""

NAME = re.compile(r"[a-z][a-z0-9_-]{0,40}")
KEY = re.compile(r"[^.\s]+(?: [^.\s]+)*")
"""A key that a path can name; one of several words is common among the columns of a CSV file."""

_STEP = re.compile(rf"(?>'[^'\n]+'(?=\.|\Z)|{KEY.pattern})")
PATH = re.compile(rf"{_STEP.pattern}(?:\.{_STEP.pattern}|)*+")


def steps(path: str) -> tuple[str, ...]:
    """Return the keys of a path: those between its dots, and as a whole what is in quotes."""
    return tuple(
        item[1:-1] if item[0] == item[-1] == "'" and len(item) > 1 else item for item in _STEP.findall(path)
    )


def step(key: str) -> str:
    """Return a key as a path names it, in quotes where it holds dots; nothing for one that no path can name."""
    if KEY.fullmatch(key):
        return key
    quoted = f"'{key}'"
    return quoted if "." in key and steps(quoted) == (key,) else ""


class Fault(NamedTuple):
    """What is wrong in the settings: the path that leads to it, from the setting on, and the message."""

    path: DataPath
    message: str


CONVERSATION = "conversation"
"""What records are called that are lists of messages among records of another kind."""


def read_named(
    raw: object,
    setting: str,
    noun: str,
    shipped: frozenset[str],
    read: Callable[[str, dict[str, object]], _Table | Fault],
) -> Mapping[str, _Table] | Fault:
    """Return the tables of a setting with one for each name, or the first thing that is wrong with them.

    Args:
        raw: what the file says.
        setting: the setting.
        noun: what a name is the name of.
        shipped: the names that are taken.
        read: reads the table of a name; what is wrong has a path in that table.
    """
    if not isinstance(raw, dict):
        return Fault((setting,), f"{setting} must be a table of tables, [{setting}.NAME]")
    tables: dict[str, _Table] = {}
    for name, table in raw.items():
        why = ""
        if not NAME.fullmatch(name):
            why = f'"{name}" is not a name for a {noun}: a small letter, then letters, digits, - and _'
        elif name in shipped:
            why = f"{name} is the name of a {noun} that is shipped"
        elif not isinstance(table, dict):
            why = f"{setting}.{name} must be a table"
        table_or_fault = Fault((), why) if why else read(name, table)
        if isinstance(table_or_fault, Fault):
            return table_or_fault._replace(path=(setting, name, *table_or_fault.path))
        tables[name] = table_or_fault
    return MappingProxyType(tables)


Wanted: TypeAlias = Callable[[object], "str | Fault"]
"""Returns what the value of a key must be, nothing if it is that; or what is wrong with a part of it."""


def unless(wanted: str, test: Callable[[object], bool]) -> Wanted:
    """Return what asks for a value that passes a test; `wanted` says what it must be."""
    return lambda value: "" if test(value) else wanted


def _are(test: Callable[[str], object], *, listed: bool = False) -> Callable[[object], bool]:
    """Return what tells whether a value is a text that passes a test or a list of such; `listed`: only a list."""

    def holds(value: object) -> bool:
        texts = value if isinstance(value, list) else [value]
        return bool(texts and (not listed or texts is value) and all(isinstance(x, str) and test(x) for x in texts))

    return holds


def _roles(value: object) -> str | Fault:
    if not isinstance(value, dict):
        return "a table of what each role stands for"
    other = next((key for key, meant in value.items() if meant not in MEANT), None)
    return "" if other is None else Fault((other,), f"the role {other} must stand for one of {', '.join(MEANT)}")


def _fields(value: object) -> str | Fault:
    if not isinstance(value, dict):
        return "a table of keys with their types"
    for key, words in value.items():
        if not isinstance(words, str) or not {*words.split("|")} <= {*TYPES}:
            known = f"one of {', '.join(TYPES)}, or several with | between"
            return Fault((key,), f"the type of {key} must be {known}")
    return ""


def _is_scale(value: object) -> bool:
    ends = value if isinstance(value, list) else []
    numbers = [end for end in ends if is_number(end)]
    return len(ends) == len(numbers) == 2 and numbers[0] != numbers[1] and all(map(math.isfinite, numbers))


_TEXT = unless("a text", lambda value: isinstance(value, str) and bool(value))
TRUTH = unless("true or false", lambda value: isinstance(value, bool))
_PATH = unless("a path of keys, with dots between, or a list of such paths", _are(PATH.fullmatch))
_LISTED = unless("a list of keys, with dots between those on the way", _are(PATH.fullmatch, listed=True))
_UNDER = unless(
    "a path of keys, . for a table of samples by name, or an empty text for a list or lines",
    _are(lambda path: path in ("", BY_NAME) or PATH.fullmatch(path)),
)
_DIALECT: Mapping[str, Wanted] = {
    **dict.fromkeys(PATHS, _PATH),
    "container": _UNDER,
    **dict.fromkeys(("title", "metadata", "role_tag", "content_tag", *ROLES), _TEXT),
    "roles": _roles,
    **dict.fromkeys(("any_input", "plain_turns"), TRUTH),
    **dict.fromkeys(("marks", "required"), _LISTED),
    "fields": _fields,
}


def read_table(table: Mapping[str, object], noun: str, keys: Mapping[str, Wanted]) -> Mapping[str, Any] | Fault:
    """Return a table as it is kept, or the first thing that is wrong with it by what each key must be."""
    words: dict[str, object] = {}
    for key, value in table.items():
        if key not in keys:
            return Fault((key,), f"there is no {key} in a {noun}; {unknown_key_message(key, [*keys])}")
        wanted = keys[key](value)
        if isinstance(wanted, Fault):
            return wanted._replace(path=(key, *wanted.path))
        if wanted:
            return Fault((key,), f"{key} must be {wanted}")
        words[key] = tuple(value) if isinstance(value, list) else value
    return MappingProxyType(words)


def read_tables(raw: object) -> Mapping[str, UserTable] | Fault:
    """Return the tables of the dialects, or the first thing that is wrong with them."""
    return read_named(raw, "dialects", "dialect", SHIPPED_DIALECTS, _read_dialect)


def _read_dialect(name: str, table: dict[str, object]) -> UserTable | Fault:
    words = read_table(table, "dialect", _DIALECT)
    if isinstance(words, Fault):
        return words
    tagged = {words[tag]: role for tag, role in ROLES.items() if tag in words}
    for key, meant in words.get("roles", {}).items():
        if tagged.get(key, meant) != meant:
            message = f"the role {key} stands for {meant} here and for {tagged[key]} by its tag"
            return Fault(("roles", key), message)
    if not {"messages", "prompt"} & words.keys():
        return Fault((), f"dialects.{name} says neither where messages are nor where a prompt is")
    return words


def containers_of(table: UserTable) -> tuple[tuple[str, ...], ...]:
    """Return the paths of keys that samples may be under, the first for new decks; `()` for a list, lines or names.

    TOML has no list without a key, so that where a list has none, it may be under the first of the usual ones.
    """
    under = tuple(steps(container) if container.strip(".") else () for container in _containers(table))
    usual = CONTAINERS[:1]
    return (*under, usual) if () in under and usual not in under else under


def unusual_containers(table: UserTable) -> Iterator[tuple[str, ...]]:
    """Yield the paths of keys that only this table looks for samples under; `()` for samples by name."""
    yield from (steps(container) for container in _containers(table) if container not in ("", BY_NAME, *CONTAINERS))
    if BY_NAME in _containers(table):
        yield ()


class Columns(NamedTuple):
    """The columns of a CSV file in which cells may be JSON, and those in which they may be numbers."""

    structured: frozenset[str]
    numbers: frozenset[str]


def columns_of(table: UserTable, header: Collection[str]) -> Columns:
    """Return what a table says of the columns of a CSV file; none if the file lacks those that it is known by.

    Args:
        table: the table.
        header: the names of the columns.
    """
    asked = [*paths_at(table, "messages"), *paths_at(table, "prompt")]
    marks = {path[0] for path in paths_at(table, "marks")}
    if not (marks <= {*header} if marks else not asked or any(path[0] in header for path in asked)):
        return Columns(frozenset(), frozenset())
    fields = own_fields if isinstance(own_fields := table.get("fields"), Mapping) else {}
    inner = {path[0] for key in PATHS for path in paths_at(table, key) if len(path) > 1}
    json_columns = {path[0] for path in paths_at(table, "messages")} | {
        str(table[key]) for key in ("metadata",) if key in table
    }
    listed = {key for key, words in fields.items() if {*words.split("|")} & _STRUCTURED}
    numbers = {key for key, words in fields.items() if "number" in words.split("|")}
    return Columns(frozenset(json_columns | inner | listed), frozenset(numbers))


def texts_at(table: UserTable, key: str) -> tuple[str, ...]:
    """Return the text under a key of a table, or the list of them; none if there is neither."""
    value = table.get(key, ())
    listed = value if isinstance(value, tuple) else (value,)
    return tuple(text for text in listed if isinstance(text, str))


def paths_at(table: UserTable, key: str) -> tuple[tuple[str, ...], ...]:
    """Return the path under a key of a table, or the list of them; none if there is neither."""
    return tuple(steps(path) for path in texts_at(table, key) if path)


def _containers(table: UserTable) -> tuple[str, ...]:
    return texts_at(table, "container") or ("",)


def unknown_key_message(key: str, known: Sequence[str]) -> str:
    """Return the message about an unknown key, with the key that is probably meant, or else all known keys."""
    matches = get_close_matches(key, known, n=1)
    return f"did you mean {matches[0]}?" if matches else f"known are {', '.join(known)}"


SHIPPED_RESULTS = frozenset(entry.result_dialect for entry in SHIPPED if entry.result_dialect)
ROW_PATHS = (
    *("id", "outcome", "score", "threshold", "error", "actual", "expected", "reason", "prompt", "messages"),
    *("evaluators", "evaluator_name", "evaluator_score", "evaluator_outcome", "evaluator_reason"),
    *("label", "steps", "attempt", "suite", "deck", "tags", "cost", "milliseconds", "seconds", "tokens", "time"),
)
"""Keys whose value is a path of keys with dots between, or a list of such, the first that a row has."""

_ROWS: Mapping[str, Wanted] = {
    "title": _TEXT,
    "container": lambda value: "" if value == "" else _PATH(value),
    **dict.fromkeys((*ROW_PATHS, "target"), _PATH),
    "scale": unless("the worst and the best score, two different numbers", _is_scale),
    **dict.fromkeys(("passes", "fails"), unless("a list of words", _are(str.strip, listed=True))),
    "marks": _LISTED,
}
TELLING = ("outcome", "score", "evaluators", "error")
"""The keys that say how a row came out, all of them optional: a row without any is a record that nobody graded."""


def read_result_tables(raw: object) -> Mapping[str, UserTable] | Fault:
    """Return the tables of the result dialects, or the first thing that is wrong with them."""
    return read_named(raw, "results", "result dialect", SHIPPED_RESULTS, _read_rows)


def _read_rows(name: str, table: dict[str, object]) -> UserTable | Fault:
    words = read_table(table, "result dialect", _ROWS)
    if isinstance(words, Fault):
        return words
    if not {"id", "prompt", "messages", "actual"} & words.keys():
        return Fault((), f"results.{name} says neither where an id is nor where a prompt or an answer is")
    return words
