"""The types of the arguments of a tool, by its JSON Schema: what each starts as, may be, and is typed as."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table, is_number, typed_json
from sampleui.formats.timestamps import read_typed
from sampleui.text.limits import MAX_NEW_ARGUMENTS_DEPTH, MAX_SCHEMA_STEPS

_BLANK: Mapping[str, Plain] = {"number": 0, "integer": 0, "boolean": False, "null": None}
_ALL: Mapping[str, list[Plain]] = {"boolean": [True, False], "null": [None]}
_WORDS = {
    "string": ("a text", "texts"),
    "integer": ("a whole number", "whole numbers"),
    "number": ("a number", "numbers"),
    "boolean": ("true or false", "of true or false"),
    "null": ("null", "nulls"),
    "object": ("a table", "tables"),
    "array": ("a list", "lists"),
}


class ArgumentType(NamedTuple):
    """What an argument may be.

    Attributes:
        schema: the JSON Schema of all arguments, into which references lead.
        shapes: the alternatives, without references; none where nothing is known.
    """

    schema: Table
    shapes: tuple[Table, ...]

    def inside(self, step: str | int) -> ArgumentType:
        """Return the type of what is under a key or at a place in a list."""
        raw = [inner for shape in self.shapes if (inner := _inner(shape, step)) is not None]
        return self._replace(shapes=tuple(shape for inner in raw for shape in _plain(inner, self.schema)))

    def type_at(self, path: DataPath) -> ArgumentType:
        """Return the type of what is at a path."""
        found = self
        for step in path:
            found = found.inside(step)
        return found

    def start(self, depth: int = 0) -> Plain:
        """Return what a new value starts as: its default, or else all that it requires, empty."""
        shape = next((item for item in self.shapes if item.get("type") != "null"), {})
        for key in ("default", "const"):
            if key in shape:
                return shape[key]
        if "enum" in shape:
            return ""
        if _kind(shape) == "object":
            names = self.names if depth < MAX_NEW_ARGUMENTS_DEPTH else ()
            return {name: self.inside(name).start(depth + 1) for name in names}
        if _kind(shape) == "array":
            item = self.inside(0)
            holds_tables = any(_kind(inner) == "object" for inner in item.shapes)
            return [item.start(depth + 1)] if holds_tables and depth < MAX_NEW_ARGUMENTS_DEPTH else []
        least = shape.get("minimum")
        return max(least, 0) if isinstance(least, int | float) else _BLANK.get(_kind(shape), "")

    @property
    def names(self) -> list[str]:
        """The keys that a table requires, or all that are known of it if it requires none."""
        known = self.known
        required = [name for shape in self.shapes for name in as_list(shape.get("required"))]
        return [name for name in known if name in required] or known

    @property
    def required(self) -> list[str]:
        """The keys that a table must have, whichever alternative it is."""
        tables = [as_list(shape.get("required")) for shape in self.shapes if _kind(shape) in ("object", "")]
        first, *others = tables or [[]]
        return [name for name in first if isinstance(name, str) and all(name in other for other in others)]

    @property
    def known(self) -> list[str]:
        """The keys that a table may have."""
        properties = [shape.get("properties") for shape in self.shapes]
        return [*dict.fromkeys(name for table in properties if isinstance(table, dict) for name in table)]

    @property
    def choices(self) -> tuple[Plain, ...]:
        """The values to choose from; none where others may be written."""
        listed: list[Plain] = []
        for shape in self.shapes:
            kind = _kind(shape)
            own: list[Plain] = [shape["const"]] if "const" in shape else as_list(shape.get("enum"))
            own = own or _ALL.get(kind, [])
            if not own:
                return ()
            listed += [value for value in own if value not in listed]
        return tuple(listed) if listed != [None] else ()

    @property
    def is_of_texts(self) -> bool:
        """Whether it is a list of texts."""
        items = self.inside(0).shapes
        return any(_kind(shape) == "array" for shape in self.shapes) and [*map(_kind, items)] == ["string"]

    @property
    def wanted(self) -> str:
        """What is wanted, in words: `a whole number from 1 to 7`, `one of "C", "F"`."""
        return " or ".join(dict.fromkeys(map(self._words, self.shapes)))

    def fits(self, value: Plain) -> bool:
        """Tell whether a value is of the type, and what is in it of theirs."""
        return not self.shapes or (any(_fits(shape, value) for shape in self.shapes) and self._holds(value))

    def read(self, text: str) -> tuple[Plain] | None:
        """Return the value that a text stands for, as written or as JSON; None if none fits."""
        texts_only = all(_kind(shape) in ("string", "null") for shape in self.shapes)
        value, is_json = _parsed(text)
        if is_json and (value is None or not texts_only) and self.fits(value):
            return (value,)
        if self.is_of_texts and not text.lstrip().startswith("["):
            lines: list[Plain] = [line for line in text.split("\n") if line.strip()]
            return (lines,) if self.fits(lines) else None
        return (text,) if self.fits(text) else None

    def _holds(self, value: Plain) -> bool:
        if isinstance(value, dict):
            return all(self.inside(key).fits(inner) for key, inner in value.items())
        return not isinstance(value, list) or all(self.inside(index).fits(item) for index, item in enumerate(value))

    def _words(self, shape: Table) -> str:
        if named := [shape["const"]] if "const" in shape else as_list(shape.get("enum")):
            values = ", ".join(json.dumps(value, ensure_ascii=False) for value in named)
            return f"one of {values}" if len(named) > 1 else values
        kind = _kind(shape)
        if kind == "array" and len(items := self.inside(0).shapes) == 1:
            return f"a list of {_WORDS.get(_kind(items[0]), ('', 'values'))[1]}"
        least, most = shape.get("minimum"), shape.get("maximum")
        limits = (f" from {least}" if least is not None else "") + (f" to {most}" if most is not None else "")
        return _WORDS.get(kind, ("a value", ""))[0] + limits


def type_of(schema: Table) -> ArgumentType:
    """Return what all arguments of a tool may be as one table, by its JSON Schema."""
    return ArgumentType(schema, tuple(_plain(schema, schema)))


def missing(wanted: ArgumentType, table: Plain, path: DataPath = ()) -> Iterator[DataPath]:
    """Yield where arguments may be added to those of a call: keys of its tables, and items of lists of tables."""
    if isinstance(table, dict):
        yield from ((*path, name) for name in wanted.known if name not in table)
        for name, inner in table.items():
            yield from missing(wanted.inside(name), inner, (*path, name))
    elif isinstance(table, list) and table and all(isinstance(item, dict) for item in table):
        yield (*path, len(table))
        for index, inner in enumerate(table):
            yield from missing(wanted.inside(index), inner, (*path, index))


def leaves(value: Plain, path: DataPath = ()) -> Iterator[tuple[DataPath, Plain]]:
    """Yield what is edited of arguments, with the path to each: all but tables and lists of tables."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, dict) and item for item in value):
        for index, inner in enumerate(value):
            yield from leaves(inner, (*path, index))
    else:
        yield path, value


def misfits(wanted: ArgumentType, value: Plain, path: DataPath = ()) -> Iterator[tuple[DataPath, str]]:
    """Yield where arguments are not of their types or lack what is required, and what is wanted there, in words."""
    if not wanted.shapes:
        return
    if not any(_fits(shape, value) for shape in wanted.shapes):
        yield path, wanted.wanted
    elif isinstance(value, dict):
        for name in wanted.required:
            if name not in value:
                yield (*path, name), wanted.inside(name).wanted
        for key, inner in value.items():
            yield from misfits(wanted.inside(key), inner, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from misfits(wanted.inside(index), item, (*path, index))


def _kind(shape: Table) -> str:
    kind = shape.get("type")
    if isinstance(kind, str):
        return kind
    if "properties" in shape:
        return "object"
    return "array" if "items" in shape else ""


def _inner(shape: Table, step: str | int) -> Table | None:
    if isinstance(step, str):
        properties = shape.get("properties")
        inner = properties.get(step) if isinstance(properties, dict) else None
        others = None if "patternProperties" in shape else shape.get("additionalProperties")
        found = others if inner is None else inner
    else:
        first = shape.get("prefixItems", shape.get("items"))
        found = first[step] if isinstance(first, list) and step < len(first) else shape.get("items")
    return found if isinstance(found, dict) else None


def _plain(shape: Table, schema: Table) -> list[Table]:
    """Return a shape as its alternatives, which have neither references nor alternatives at their own top."""
    waiting, found = [shape], list[Table]()
    for _ in range(MAX_SCHEMA_STEPS):
        if not waiting:
            break
        first = waiting.pop(0)
        several = next((key for key in ("anyOf", "oneOf") if isinstance(first.get(key), list)), "")
        kinds = first.get("type")
        if isinstance(reference := first.get("$ref"), str):
            waiting.insert(0, {**_led(reference, schema), **_without(first, "$ref")})
        elif isinstance(parts := first.get("allOf"), list):
            waiting.insert(0, _joined([*parts, _without(first, "allOf")], schema))
        elif several:
            rest = _without(first, several)
            waiting[:0] = [{**rest, **inner} for inner in as_list(first[several]) if isinstance(inner, dict)]
        elif isinstance(kinds, list):
            waiting[:0] = [{**first, "type": kind} for kind in kinds]
        elif first.get("nullable") is True:
            waiting[:0] = [_without(first, "nullable"), {"type": "null"}]
        else:
            found.append(first)
    return found


def _joined(parts: list[Plain], schema: Table) -> Table:
    """Return the type of a value that must fit all of some shapes."""
    whole: Table = {}
    for part in parts:
        shape = as_table(part)
        reference = shape.get("$ref")
        shape = {**(_led(reference, schema) if isinstance(reference, str) else {}), **_without(shape, "$ref")}
        properties = [item.get("properties") for item in (whole, shape)]
        known = {name: inner for table in properties if isinstance(table, dict) for name, inner in table.items()}
        required = [name for item in (whole, shape) for name in as_list(item.get("required"))]
        whole = {**whole, **shape}
        whole |= {"properties": known} if known else {}
        whole |= {"required": required} if required else {}
    return whole


def _without(shape: Table, key: str) -> Table:
    return {name: value for name, value in shape.items() if name != key}


def _led(reference: str, schema: Table) -> Table:
    found: Plain = schema
    for step in reference.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found if isinstance(found, dict) and reference.startswith("#") else {}


def _fits(shape: Table, value: Plain) -> bool:
    if "const" in shape:
        return _is(value, shape["const"])
    if isinstance(named := shape.get("enum"), list):
        return any(_is(value, item) for item in named)
    matches = {
        "string": isinstance(value, str),
        "integer": is_number(value) and value == value // 1,
        "number": is_number(value),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "object": isinstance(value, dict),
        "array": isinstance(value, list),
    }
    if not matches.get(_kind(shape), True):
        return False
    least, most = shape.get("minimum"), shape.get("maximum")
    if not isinstance(value, int | float):
        return True
    return not (isinstance(least, int | float) and value < least) and not (
        isinstance(most, int | float) and value > most
    )


def _is(value: Plain, other: Plain) -> bool:
    """Tell whether two values are the same in JSON, where true is not 1."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _parsed(text: str) -> tuple[Plain, bool]:
    try:
        return typed_json(text), True
    except (ValueError, RecursionError):
        value = read_typed(text, has_dates=False)
        return value, isinstance(value, list)
