from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from sampleui.formats.data import Plain
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.models.schema import schema
from sampleui.sample.rules import check

from .build import EXAMPLES, gage, sample_of, turn


def valid(dialect: str, value: Any) -> bool:
    return Draft202012Validator(schema(dialect)).is_valid(json.loads(json.dumps(value, default=str)))


@pytest.mark.parametrize("dialect", [*DIALECTS])
def test_the_schema_is_a_schema(dialect: str) -> None:
    found = schema(dialect)
    Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def fields_in(shape: Plain) -> Iterator[Plain]:
    if isinstance(shape, dict):
        properties = shape.get("properties")
        yield from properties.values() if isinstance(properties, dict) else ()
    if isinstance(shape, dict | list):
        for inner in shape.values() if isinstance(shape, dict) else shape:
            yield from fields_in(inner)


@pytest.mark.parametrize("dialect", [*DIALECTS])
def test_a_field_has_no_title_of_its_key_and_no_null_that_an_editor_would_write(dialect: str) -> None:
    fields = [*fields_in(schema(dialect))]
    assert fields
    assert not [field for field in fields if isinstance(field, dict) and field.keys() & {"title", "default"}]


def decks(*suffixes: str) -> list[Any]:
    paths = (path for path in sorted(EXAMPLES.iterdir()) if path.suffix in suffixes)
    return [pytest.param(path, id=path.name) for path in paths if not path.stem.startswith("problems")]


@pytest.mark.parametrize("path", decks(".toml"))
def test_toml_examples_are_valid(path: Any) -> None:
    assert valid("calibrate", tomllib.loads(path.read_text("utf-8")))


@pytest.mark.parametrize("path", decks(".yaml", ".yml"))
def test_yaml_examples_are_valid(path: Any) -> None:
    assert valid("agentv", yaml.safe_load(path.read_text("utf-8")))


def test_gage_examples_are_valid_by_line_and_as_a_list() -> None:
    rows = [json.loads(line) for line in (EXAMPLES / "gage.jsonl").read_text("utf-8").splitlines()]
    assert all(valid("gage", row) for row in rows)
    assert valid("gage", rows)


GOOD: dict[str, Plain] = {"messages": [turn()], "expected": {"score": 1}, "tags": ["a"], "own": 1}


@pytest.mark.parametrize(
    ("dialect", "value", "wanted"),
    [
        ("calibrate", {"samples": [GOOD]}, True),
        ("calibrate", {"samples": {"name": {**GOOD, "score": -3}}, "meta": {}}, True),
        ("calibrate", {"samples": [{}]}, False),
        ("calibrate", {"samples": [{"messages": []}]}, False),
        ("calibrate", {"samples": [{"messages": [{"role": "user"}]}]}, False),
        ("calibrate", {"samples": [{"messages": [{"role": 3, "content": "x"}]}]}, False),
        ("calibrate", {"samples": [{"messages": [{"role": "assistant", "tool_calls": [{}]}]}]}, True),
        ("agentv", {"evalcases": [{"id": "a", "input_messages": [turn("user", {"row": 1})]}]}, True),
        ("agentv", {"tests": [{"id": "a", "vars": {"input": "Hi"}, "assert": [{"type": "equals"}]}]}, True),
        ("agentv", {"tests": "cases.yaml"}, True),
        ("agentv", {"evalcases": [{"input": "Hi"}]}, False),
        ("agentv", {"description": "no cases"}, False),
        ("gage", gage(sandbox={"files": {"../x": "y"}}), False),
        ("gage", gage(few_shot_examples=[{"messages": [turn()], "references": [], "sandbox": {}}]), False),
        ("gage", gage(messages=[turn("user", [{"type": "image_url", "image_url": {"url": "a"}}])]), True),
        ("gage", gage(messages=[turn("user", [{"type": "text"}])]), False),
        ("gage", gage(references=...), False),
    ],
)
def test_what_the_schema_says(dialect: str, value: Plain, wanted: bool) -> None:
    assert valid(dialect, value) is wanted


@pytest.mark.parametrize(
    "fields",
    [
        {"label": 0},
        {"references": [{}]},
        {"options": [{"id": "A"}]},
        {"golden_trajectories": [[{"role": "tool"}]]},
        {"tool_choice": 3},
        {"tool_choice": "auto", "tools": []},
        {"unconditioned_input": []},
        {"sandbox": {"files": {"/a": "b"}}},
        {"sandbox": {"files": {"a/b": "b"}}},
    ],
)
def test_the_gage_schema_and_the_gage_rules_agree(fields: dict[str, Plain]) -> None:
    data = gage(**fields)
    assert valid("gage", data) is (check(sample_of("gage", data)) == ())


def test_an_unknown_dialect_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        schema("other")
