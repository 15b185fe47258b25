"""Every regular expression reads what others wrote in time that grows with its size and not with the square of it.

The patterns are found in the source; those that are put together when they are used are not among them. The texts
that could be slow are made from the parts of each pattern: what may be repeated, over and over, behind what comes
before it, alone and with an end that cannot match.
"""

from __future__ import annotations

import ast
import re
import time
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, NamedTuple

import sampleui

SIZE, TIMES, MOST, QUICK = 1_000, 4, 8, 0.01
"""Characters of the smaller text; how many times as long the other is; how much longer that may take; seconds of no
account."""

ENDS = ("", "\x00", "!\n")
ROOT = Path(sampleui.__file__).parent
FROM_A_PLACE = frozenset({"match", "fullmatch"})
FROM_ANYWHERE = frozenset({"search", "sub", "subn", "split", "findall", "finditer"})
CHARACTERS = ["a", "1", " ", "\n", *map(chr, range(32, 127)), *"\t\r\x1b\u200d\u0301é"]

_QUOTED = "given texts whose quotes are closed, or a line of one"
BOUNDED = {
    "formats/json/spans.py:_CONSTANT": _QUOTED,
    "formats/json/spans.py:_STRING_OR_BRACKET": _QUOTED,
    "formats/markdown.py:_TOKEN": "looks two thousand characters ahead at the most",
    "formats/toml/mistakes.py:_ENDS": "matched behind the quotes that a text begins with",
    "formats/toml/scan.py:PARTS": _QUOTED,
    "formats/toml/scan.py:bare": _QUOTED,
    "formats/toml/scan.py:too_deep": _QUOTED,
    "formats/toml/scan.py:since_1_1": _QUOTED,
    "formats/toml/scan.py:comments": _QUOTED,
    "formats/toml/writing/tree.py:EQUALS": "matched where a key ends",
    "formats/toml/writing/tree.py:_KEY": "matched where a key begins",
    "formats/toml/writing/tree.py:_TO_HEADER_END": "matched where a key ends",
    "formats/yaml/mistakes.py:_PAIR": "matched where a line begins that is short enough to be explained",
    "formats/yaml/mistakes.py:_VALUE": "matched where a line begins that is short enough to be explained",
    "runs/requests.py:_EMBEDDED": "given no text behind the last end",
    "sample/sections.py:_JSON_PART": _QUOTED,
    "sample/variables.py:_LINE": "given no carriage returns",
}
"""Patterns that are slow on some text, and why they are never given it."""


class Pattern(NamedTuple):
    """A regular expression of the source.

    Attributes:
        name: its module, and the name that it has there; that of its function for one that has none.
        text: what is compiled.
        flags: how.
        methods: by which methods it is used; none if it is handed on.
    """

    name: str
    text: str | bytes
    flags: int
    methods: frozenset[str]

    @property
    def ways(self) -> Sequence[str]:
        """How it reads a text: from a place alone, or from anywhere."""
        placed = sorted(FROM_A_PLACE & self.methods)
        return placed if placed and not self.methods & FROM_ANYWHERE else [*placed, "finditer"]


@cache
def patterns() -> Sequence[Pattern]:
    """Return the patterns of the package, each once."""
    return tuple(_patterns())


def _patterns() -> Iterator[Pattern]:
    trees = {path: ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}
    used = defaultdict(set)
    for path, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name | ast.Attribute):
                name = node.value.id if isinstance(node.value, ast.Name) else node.value.attr
                used[path if name.startswith("_") else ROOT, name].add(node.attr)
    seen = set()
    for path, tree in trees.items():
        names = {call: name for name, value in _assigned(tree) for call in ast.walk(value)}
        for call in ast.walk(tree):
            if not isinstance(call, ast.Call) or not (method := _method_of_re(call)):
                continue
            source, flags = _evaluated(path, call)
            if source is None or (source, flags, method) in seen:
                continue
            seen.add((source, flags, method))
            name = names.get(call, "")
            methods = (
                used[path if name.startswith("_") else ROOT, name] & (FROM_A_PLACE | FROM_ANYWHERE)
                if method == "compile"
                else {method}
            )
            yield Pattern(f"{path.relative_to(ROOT)}:{name}", source, flags, frozenset(methods))


def _assigned(tree: ast.Module) -> Iterator[tuple[str, ast.AST]]:
    """Yield names, each with what stands under it; a name of its own comes after that of the function around it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield from ((node.name, statement) for statement in node.body)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.value is not None:
            yield node.target.id, node.value


def _method_of_re(node: ast.Call) -> str:
    if not node.args or not isinstance(node.func, ast.Attribute):
        return ""
    of_re = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
    return node.func.attr if of_re and node.func.attr in {"compile"} | FROM_A_PLACE | FROM_ANYWHERE else ""


def _evaluated(path: Path, call: ast.Call) -> tuple[str | bytes | None, int]:
    """Return the pattern and the flags of a call; None for a pattern of what is only known when it is called."""
    module = ".".join(("sampleui", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
    words = [*call.args[1:], *(keyword.value for keyword in call.keywords)]
    named = {word.attr for value in words for word in ast.walk(value) if isinstance(word, ast.Attribute)}
    flags = sum(flag for name, flag in re.RegexFlag.__members__.items() if name in named)
    try:
        known: Mapping[str, Any] = {} if isinstance(call.args[0], ast.Constant) else vars(import_module(module))
        source = eval(compile(ast.Expression(call.args[0]), module, "eval"), dict(known))
    except (NameError, AttributeError):
        return None, 0
    return (source if isinstance(source, str | bytes) else None), flags


def attacks(source: str | bytes, flags: int) -> set[tuple[str, str]]:
    """Return what might be slow for a pattern: beginnings, each with what comes behind it over and over."""
    found = set()

    def collect(items: Sequence[tuple[Any, Any]], before: str) -> None:
        for item in items:
            name, value = str(item[0]), item[1]
            if name.endswith("_REPEAT"):
                if value[1] > SIZE // 50:
                    for unit in _units(value[2]):
                        found.update(
                            {(before, unit), ("", before + unit), ("", before), ("", before[:1]), ("", before[-1:])}
                        )
                collect(value[2], before)
            for part in _parts(name, value):
                collect(part, before)
            before += _example([item])

    collect(parser.parse(source, flags), "")
    return {(before, unit) for before, unit in found if unit}


def _parts(name: str, value: Any) -> Sequence[Any]:
    if name == "SUBPATTERN":
        return (value[3],)
    if name == "ATOMIC_GROUP":
        return (value,)
    if name.startswith("ASSERT"):
        return (value[1],)
    return value[1] if name == "BRANCH" else ()


def _units(items: Sequence[tuple[Any, Any]]) -> set[str]:
    """Return texts that a repeated part matches once."""
    found = {_example(items)}
    for name, value in ((str(name), value) for name, value in items):
        if name == "IN":
            found.update(_members(value)[:6])
        if name in ("ANY", "NOT_LITERAL"):
            found.update("a \\\"'")
        for part in (value[2],) if name.endswith("_REPEAT") else _parts(name, value):
            found |= _units(part)
    return found


def _example(items: Sequence[tuple[Any, Any]]) -> str:
    """Return a short text that a part matches."""
    text = ""
    for name, value in ((str(name), value) for name, value in items):
        if name == "LITERAL":
            text += chr(value)
        elif name in ("ANY", "NOT_LITERAL"):
            text += "b" if value == ord("a") else "a"
        elif name == "IN":
            text += "".join(_members(value)[:1])
        elif name.endswith("_REPEAT"):
            text += _example(value[2]) * value[0]
        elif not name.startswith("ASSERT"):
            text += "".join(map(_example, _parts(name, value)[:1]))
    return text


def _members(value: Any) -> list[str]:
    """Return characters of a class."""
    return [character for character in CHARACTERS if _is_member(value, character)]


def _is_member(value: Any, character: str) -> bool:
    classes = {"DIGIT": str.isdigit, "SPACE": str.isspace, "WORD": lambda text: text.isalnum() or text == "_"}
    inside = negated = False
    for name, what in ((str(name), what) for name, what in value):
        if name == "NEGATE":
            negated = True
        elif name == "LITERAL":
            inside |= what == ord(character)
        elif name == "RANGE":
            inside |= what[0] <= ord(character) <= what[1]
        else:
            word = str(what).removeprefix("CATEGORY_")
            inside |= classes[word.removeprefix("NOT_")](character) != word.startswith("NOT_")
    return inside != negated


def _seconds(pattern: re.Pattern[Any], way: str, text: str) -> float:
    """Return how long a pattern takes for a text."""
    given = text.encode() if isinstance(pattern.pattern, bytes) else text
    begun = time.process_time()
    found = getattr(pattern, way)(given)
    if way == "finditer":
        deque(found, maxlen=0)
    return time.process_time() - begun


def _is_slow(pattern: re.Pattern[Any], way: str, before: str, unit: str, end: str) -> bool:
    # A pattern that takes twice as long for each more would not return.
    tiny, small, large = (before + unit * (size // len(unit)) + end for size in (30, SIZE, SIZE * TIMES))
    if _seconds(pattern, way, tiny) > QUICK:
        return True
    if _seconds(pattern, way, large) < QUICK:
        return False
    shortest = [min(_seconds(pattern, way, text) for _ in range(3)) for text in (small, large)]
    return shortest[1] > MOST * shortest[0]


def test_a_pattern_reads_a_text_made_against_it_in_proportion():
    slow = {
        pattern.name: (before, unit, end)
        for pattern in patterns()
        if pattern.name not in BOUNDED
        for before, unit in attacks(pattern.text, pattern.flags)
        for end in ENDS
        if any(_is_slow(re.compile(pattern.text, pattern.flags), way, before, unit, end) for way in pattern.ways)
    }
    assert slow == {}


def test_a_pattern_that_is_left_out_still_exists():
    assert set(BOUNDED) <= {pattern.name for pattern in patterns()}
