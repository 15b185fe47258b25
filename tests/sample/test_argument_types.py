"""Arguments by the JSON Schema of their tool: what they start as, what they may be, what is wanted."""

from __future__ import annotations

import pytest

from sampleui.formats.data import DataPath, Plain, Table, shown
from sampleui.sample.argument_types import argument_values, missing, type_of

REFUSED: Plain = "refused"
ADDRESS: Table = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "zip": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
    "required": ["city"],
}
LINE: Table = {
    "type": "object",
    "properties": {"sku": {"type": "string"}, "qty": {"type": "integer", "minimum": 1, "maximum": 9}},
    "required": ["sku", "qty"],
}
ORDER: Table = {
    "type": "object",
    "$defs": {"address": ADDRESS, "line": {"allOf": [{"$ref": "#/$defs/sku"}, LINE]}, "sku": {"type": "object"}},
    "properties": {
        "to": {"$ref": "#/$defs/address"},
        "lines": {"type": "array", "items": {"$ref": "#/$defs/line"}},
        "unit": {"enum": ["C", "F"]},
        "mode": {"const": "fast"},
        "level": {"oneOf": [{"type": "integer"}, {"enum": ["high"]}]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "sure": {"type": ["boolean", "null"]},
        "days": {"type": "integer", "default": 3},
        "rate": {"type": "number", "nullable": True},
        "note": {"type": "string"},
    },
    "required": ["to", "lines", "unit", "mode", "tags", "sure", "days", "rate"],
}


def test_a_call_begins_with_what_its_schema_requires_at_any_depth() -> None:
    assert type_of(ORDER).start() == {
        "to": {"city": ""},
        "lines": [{"sku": "", "qty": 1}],
        "unit": "",
        "mode": "fast",
        "tags": [],
        "sure": False,
        "days": 3,
        "rate": 0,
    }


def test_what_is_not_required_is_offered_after() -> None:
    table: Table = {"to": {"city": "Oslo"}, "lines": [{"sku": "A"}], "mode": "fast"}
    found = [shown(path) for path in missing(type_of(ORDER), table)]
    assert found[:2] == ["unit", "level"]
    assert {"note", "to.zip", "lines[1]", "lines[0].qty"} <= {*found}


@pytest.mark.parametrize(
    ("path", "text", "value", "wanted"),
    [
        (("to", "city"), "5", "5", "a text"),
        (("to", "zip"), "0150", "0150", "a text or null"),
        (("to", "zip"), "null", None, "a text or null"),
        (("lines", 0, "qty"), "10", REFUSED, "a whole number from 1 to 9"),
        (("lines", 0, "qty"), "2.5", REFUSED, "a whole number from 1 to 9"),
        (("lines", 0, "qty"), "9", 9, "a whole number from 1 to 9"),
        (("lines",), '[{"sku": "A", "qty": 0}]', REFUSED, "a list of tables"),
        (("unit",), "K", REFUSED, 'one of "C", "F"'),
        (("mode",), "slow", REFUSED, '"fast"'),
        (("level",), "high", "high", 'a whole number or "high"'),
        (("level",), "low", REFUSED, 'a whole number or "high"'),
        (("tags",), "a\nb", ["a", "b"], "a list of texts"),
        (("tags",), "[1]", REFUSED, "a list of texts"),
        (("sure",), "1", REFUSED, "true or false or null"),
        (("rate",), "0.5", 0.5, "a number or null"),
        (("rate",), "true", REFUSED, "a number or null"),
        (("unheard",), "x", "x", ""),
    ],
)
def test_a_text_is_read_as_what_the_type_wants_or_refused_in_its_words(
    path: DataPath, text: str, value: Plain, wanted: str
) -> None:
    found = type_of(ORDER).type_at(path)
    assert found.read(text) == (None if value is REFUSED else (value,))
    assert found.wanted == wanted


def test_choices_are_all_that_may_be_written() -> None:
    order = type_of(ORDER)
    assert order.type_at(("unit",)).choices == ("C", "F")
    assert order.type_at(("sure",)).choices == (True, False, None)
    assert order.type_at(("level",)).choices == ()


def test_types_that_hold_themselves_and_references_without_end_end() -> None:
    tree: Table = {
        "$ref": "#/$defs/node",
        "$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#"}}}},
    }
    assert len(str(type_of(tree).start())) < 200
    many: list[Plain] = [{"$ref": "#/$defs/a"}] * 9
    assert type_of({"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": many}}}).shapes == ()
    assert type_of({"allOf": [{"$ref": "#"}], "anyOf": 3, "type": [], "properties": 1}).start() == ""


def test_leaves_are_what_is_edited() -> None:
    table: Table = {
        "to": {"city": "Oslo", "at": {}},
        "lines": [{"sku": "A"}, {"sku": "B"}],
        "tags": ["x"],
        "none": [],
    }
    assert [shown(path) for path, _ in argument_values(table)] == [
        *("to.city", "to.at", "lines[0].sku", "lines[1].sku", "tags", "none"),
    ]


def test_alternatives_that_only_require_keys_leave_the_table_what_it_is() -> None:
    table: Table = {
        "type": "object",
        "properties": {"city": {"type": "string"}, "zip": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["days"],
        "anyOf": [{"required": ["city"]}, {"required": ["zip"]}],
    }
    order = type_of(table)
    assert order.known == ["city", "zip", "days"]
    assert order.required == ["days"]
    assert order.start() == {"days": 0}
