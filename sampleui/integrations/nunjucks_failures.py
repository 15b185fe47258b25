"""What ends a run of Nunjucks with an error though its grammar takes it: values that no filter or call can take.

Each was tried with the Nunjucks 3.2 of promptfoo 0.121. What is not here may fail all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from sampleui.integrations.nunjucks_syntax import Node
from sampleui.text.confined import SCHEME

_ALL_BUT_TEXTS = frozenset({"true", "a number", "a list", "a table"})
_NONE = frozenset({"missing", "null"})
_ALL_BUT_LISTS = _NONE | {"true", "false", "a number", "a text", "a table"}

_FAILS_FOR: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("capitalize", "indent", "lower", "striptags", "title", "upper"), _ALL_BUT_TEXTS),
    "truncate": _ALL_BUT_TEXTS - {"a list"},
    "wordcount": _ALL_BUT_TEXTS - {"a number"},
    "nl2br": _ALL_BUT_TEXTS | {"false"},
    **dict.fromkeys(("trim", "urlize"), _ALL_BUT_TEXTS | _NONE | {"false"}),
    **dict.fromkeys(("batch", "first", "groupby", "last", "random", "reject", "select", "slice", "string"), _NONE),
    **dict.fromkeys(("join", "rejectattr", "selectattr", "sum"), _ALL_BUT_LISTS),
    "dictsort": _ALL_BUT_LISTS - {"a table"} | {"a list"},
    "list": _NONE | {"true", "false", "a number"},
}
"""The kinds of values for which a filter fails."""

_MAX_ARGUMENTS: Mapping[str, int] = {"join": 1, "sum": 0}
"""With more arguments a filter takes other kinds too."""

_TESTS = frozenset(
    """
    callable defined divisibleby escaped equalto eq sameas even falsy ge greaterthan gt le lessthan lt lower ne null
    none number odd string truthy undefined upper iterable mapping
    """.split()  # noqa: SIM905
)
"""The tests behind `is`."""

METHODS = frozenset(
    """
    anchor at big blink bold charAt charCodeAt codePointAt concat constructor copyWithin endsWith entries every
    fill filter find findIndex findLast findLastIndex fixed flat flatMap fontcolor fontsize forEach includes
    indexOf isWellFormed italics join keys lastIndexOf length link localeCompare map match matchAll normalize
    padEnd padStart pop push reduce reduceRight repeat replace replaceAll reverse search shift slice small some
    sort splice split startsWith strike sub substr substring sup toLocaleLowerCase toLocaleUpperCase toLowerCase
    toReversed toSorted toSpliced toUpperCase toWellFormed trim trimEnd trimLeft trimRight trimStart unshift
    values with
    """.split()  # noqa: SIM905
)
"""What texts or lists of JavaScript have, besides what everything has."""


class ValueUse(NamedTuple):
    """What an expression asks of the value at a path: to be `called`, or to be `searched`."""

    how: str
    path: list[str]


def kind_of(value: object) -> str:
    """Return what kind of value one is, `missing` for one that is none; "" for a text that names a file."""
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    if isinstance(value, str):
        return "" if value.startswith(SCHEME) else "a text"
    kinds: tuple[tuple[type, str], ...] = (
        (dict, "a table"),
        (list, "a list"),
        (int, "a number"),
        (float, "a number"),
    )
    return next((kind for of, kind in kinds if isinstance(value, of)), "missing")


def filter_fault(name: str, kind: str, arguments: int) -> str:
    """Return why a filter with a number of arguments fails for a kind of value, in words; empty if it may not."""
    fails = kind in _FAILS_FOR.get(name, ()) and arguments <= _MAX_ARGUMENTS.get(name, arguments)
    return f"the filter {name} fails for what is {kind}" if fails else ""


def test_fault(node: Node) -> str:
    """Return the test that an expression asks for and that does not exist, in words; "" for none."""
    node = _positive(node)
    test = node.parts[1] if node.kind == "is" else node
    name = test.parts[0] if test.kind == "call" else test
    unknown = node.kind == "is" and name.kind == "word" and name.value not in _TESTS
    return f"there is no test {name.value}" if unknown else ""


def asked_of(node: Node) -> ValueUse | None:
    """Return the path that an expression calls first, or looks for something in; None for neither."""
    node = _positive(node)
    if node.kind == "in":
        return ValueUse("searched", path) if (path := node.parts[1].path) else None
    while node.parts and node.kind not in ("call", "table"):
        node = node.parts[0]
    target = node.parts[0] if node.kind == "call" else node
    path = [target.value] if target.kind == "constant" else target.path
    return ValueUse("called", path) if node.kind == "call" and path else None


def _positive(node: Node) -> Node:
    while node.kind == "not":
        node = node.parts[0]
    return node
