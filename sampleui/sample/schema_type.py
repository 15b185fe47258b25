"""What a value may be by a JSON Schema, whoever wrote that: the dialect's table of fields, or a tool's author."""

from __future__ import annotations

from typing import NamedTuple, Self

from sampleui.formats.data import DataPath, Plain, Table, as_list, as_table
from sampleui.text.limits import MAX_SCHEMA_STEPS

_CONDITIONS = frozenset({"required", "properties"})


class SchemaType(NamedTuple):
    """What a value may be.

    Attributes:
        schema: the JSON Schema as a whole, into which references lead.
        shapes: the alternatives, without references; none where nothing is known.
        help: one line on what the value is for; may be empty.
    """

    schema: Table
    shapes: tuple[Table, ...]
    help: str = ""

    @classmethod
    def of(cls, schema: Table) -> Self:
        """Return what a whole value may be."""
        return cls(schema, tuple(_plain(schema, schema)))

    def inside(self, step: str | int) -> Self:
        """Return the type of what is under a key or at a place in a list."""
        raw = [inner for shape in self.shapes if (inner := _inner(shape, step)) is not None]
        shapes = tuple(shape for inner in raw for shape in _plain(inner, self.schema))
        description = str(raw[0].get("description", "")).split("\n")[0] if raw else ""
        return self._replace(shapes=shapes, help=description)

    def type_at(self, path: DataPath) -> Self:
        """Return the type of what is at a path."""
        found = self
        for step in path:
            found = found.inside(step)
        return found

    def alone(self, shape: Table) -> Self:
        """Return the type of one of the alternatives."""
        return self._replace(shapes=(shape,))

    @property
    def known(self) -> list[str]:
        """The keys that a table may have."""
        properties = [shape.get("properties") for shape in self.shapes]
        return [*dict.fromkeys(name for table in properties if isinstance(table, dict) for name in table)]


def kind_in(shape: Table) -> str:
    """Return the type of an alternative as JSON Schema calls it; empty if it does not say."""
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
        if several and _are_conditions(first, several):
            several = ""
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


def _are_conditions(shape: Table, several: str) -> bool:
    """Tell whether alternatives only say which of the keys of a table it must have, and not what those are."""
    tables = [as_table(inner) for inner in as_list(shape[several])]
    return "properties" in shape and all(table and table.keys() <= _CONDITIONS for table in tables)
