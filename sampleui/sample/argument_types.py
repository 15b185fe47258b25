"""The types of the arguments of a tool, by its JSON Schema: what each starts as, may be, and is typed as."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from sampleui.formats.data import DataPath, Plain, Table, as_list, is_number, typed_json
from sampleui.formats.timestamps import read_typed
from sampleui.sample.schema_type import SchemaType, kind_in
from sampleui.text.limits import MAX_NEW_ARGUMENTS_DEPTH

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


class ArgumentType(SchemaType):
    """What an argument of a tool may be."""

    __slots__ = ()

    def start(self, depth: int = 0) -> Plain:
        """Return what a new value starts as: its default, or else all that it requires, empty."""
        shape = next((item for item in self.shapes if item.get("type") != "null"), {})
        for key in ("default", "const"):
            if key in shape:
                return shape[key]
        if "enum" in shape:
            return ""
        if kind_in(shape) == "object":
            names = self.names if depth < MAX_NEW_ARGUMENTS_DEPTH else ()
            return {name: self.inside(name).start(depth + 1) for name in names}
        if kind_in(shape) == "array":
            item = self.inside(0)
            holds_tables = any(kind_in(inner) == "object" for inner in item.shapes)
            return [item.start(depth + 1)] if holds_tables and depth < MAX_NEW_ARGUMENTS_DEPTH else []
        least = shape.get("minimum")
        return max(least, 0) if isinstance(least, int | float) else _BLANK.get(kind_in(shape), "")

    @property
    def names(self) -> list[str]:
        """The keys that a table requires, or all that are known of it if it requires none."""
        known = self.known
        required = [name for shape in self.shapes for name in as_list(shape.get("required"))]
        return [name for name in known if name in required] or known

    @property
    def required(self) -> list[str]:
        """The keys that a table must have, whichever alternative it is."""
        tables = [as_list(shape.get("required")) for shape in self.shapes if kind_in(shape) in ("object", "")]
        first, *others = tables or [[]]
        return [name for name in first if isinstance(name, str) and all(name in other for other in others)]

    @property
    def choices(self) -> tuple[Plain, ...]:
        """The values to choose from; none where others may be written."""
        listed: list[Plain] = []
        for shape in self.shapes:
            kind = kind_in(shape)
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
        return any(kind_in(shape) == "array" for shape in self.shapes) and [*map(kind_in, items)] == ["string"]

    @property
    def wanted(self) -> str:
        """What is wanted, in words: `a whole number from 1 to 7`, `one of "C", "F"`."""
        return " or ".join(dict.fromkeys(map(self._words, self.shapes)))

    def fits(self, value: Plain) -> bool:
        """Tell whether a value is of the type, and what is in it of theirs."""
        return not self.shapes or (any(_fits(shape, value) for shape in self.shapes) and self._holds(value))

    def read(self, text: str) -> tuple[Plain] | None:
        """Return the value that a text stands for, as written or as JSON; None if none fits."""
        texts_only = all(kind_in(shape) in ("string", "null") for shape in self.shapes)
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
        kind = kind_in(shape)
        if kind == "array" and len(items := self.inside(0).shapes) == 1:
            return f"a list of {_WORDS.get(kind_in(items[0]), ('', 'values'))[1]}"
        least, most = shape.get("minimum"), shape.get("maximum")
        limits = (f" from {least}" if least is not None else "") + (f" to {most}" if most is not None else "")
        return _WORDS.get(kind, ("a value", ""))[0] + limits


def type_of(schema: Table) -> ArgumentType:
    """Return what all arguments of a tool may be as one table, by its JSON Schema."""
    return ArgumentType.of(schema)


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


def argument_values(value: Plain, path: DataPath = ()) -> Iterator[tuple[DataPath, Plain]]:
    """Yield what is edited of arguments, with the path to each: all but tables and lists of tables."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from argument_values(inner, (*path, key))
    elif isinstance(value, list) and any(isinstance(item, dict) and item for item in value):
        for index, inner in enumerate(value):
            yield from argument_values(inner, (*path, index))
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
    if not matches.get(kind_in(shape), True):
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
