"""Which JSON schemas promptfoo refuses: it compiles them by Ajv in its strict mode (Ajv 8.20, draft 7)."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import DataPath, Plain
from sampleui.formats.yaml.pieces import value_of
from sampleui.integrations.javascript import pattern_fault
from sampleui.sample.dialects.field import keys

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

_FORMATS = keys(
    """
    date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6
    regex uuid json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double password
    binary
    """
)
"""Those of ajv-formats 3."""

_MORE = {
    "deprecated": {"type": "boolean"},
    "writeOnly": {"type": "boolean"},
    "nullable": {"type": "boolean"},
    **dict.fromkeys(("$async", "$vocabulary", "contentSchema"), True),
    "$defs": {"type": "object", "additionalProperties": {"$ref": "#"}},
    "$schema": {"enum": ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-07/schema"]},
    "enum": {"type": "array", "minItems": 1, "uniqueItems": True},
    "format": {"enum": [*_FORMATS]},
}
_ALONE = {
    "then": ["if"],
    "else": ["if"],
    "if": {"anyOf": [{"required": ["then"]}, {"required": ["else"]}]},
    "nullable": ["type"],
    "additionalItems": {"required": ["items"], "properties": {"items": {"type": "array"}}},
}
"""Keywords that are refused without others beside them."""


class SchemaFault(NamedTuple):
    """What is wrong with a schema: why, in words, and where in it."""

    why: str
    path: DataPath


def schema_fault(schema: Plain) -> SchemaFault | None:
    """Return why a schema is refused, given as a value or as YAML; None if it is not, or is too deep to tell."""
    from jsonschema import Draft7Validator, FormatChecker
    from jsonschema.exceptions import best_match

    if isinstance(schema, str):
        try:
            schema, inside = value_of(schema), False
        except FormatError as error:
            return SchemaFault(f"its schema is no YAML: {error.message}", ())
    else:
        inside = True
    checker = FormatChecker(formats=())
    checker.checks("regex")(lambda value: not (isinstance(value, str) and pattern_fault(value, "u")))
    of_schemas = Draft7Validator.META_SCHEMA
    strict = {
        **of_schemas,
        "properties": {**of_schemas["properties"], **_MORE},
        "additionalProperties": False,
        "dependencies": _ALONE,
    }
    try:
        found = best_match(Draft7Validator(strict, format_checker=checker).iter_errors(schema))
    except RecursionError:
        return None
    if found is None:
        return None
    return SchemaFault(f"its schema is invalid: {_words(found)}", tuple(found.absolute_path) if inside else ())


def _words(error: ValidationError) -> str:
    known = error.schema.get("properties", {}) if isinstance(error.schema, dict) else {}
    key = str(error.absolute_path[-1]) if error.absolute_path else ""
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        others = [name for name in error.instance if name not in known]
        return f"{', '.join(others)} is no keyword of draft 7"
    steps = [*error.absolute_schema_path]
    if any(step == "dependencies" and before != "properties" for before, step in pairwise(["", *steps])):
        return "a keyword stands without the one it belongs to (then and if, nullable and type, …)"
    if error.validator == "anyOf" and key == "type":
        return f"{error.instance!r} is no type"
    if error.validator == "format":
        return f"{error.instance}: {pattern_fault(str(error.instance), 'u')}"
    if error.validator == "enum" and key == "format":
        return f"{error.instance!r} is no format that it knows"
    return f"{key}: {error.message}" if key else error.message
