"""A field stands in one table of its dialect: schema, types, what is required and known, and completions follow."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sampleui.formats.data import Table
from sampleui.sample.dialects.dialect import Dialect, Field
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.fields import kinds_at, shape_at
from sampleui.sample.kinds import Kind
from sampleui.sample.model import Sample
from sampleui.sample.models.typed import schema
from sampleui.sample.parse import messages_path
from sampleui.sample.rules import check

TABLES = [name for name, dialect in DIALECTS.items() if dialect.fields]


def with_field(name: str, field: Field) -> Dialect:
    dialect = DIALECTS[name]
    return replace(dialect, fields={**dialect.fields, "flavour": field})


def said(dialect: Dialect, data: Table) -> set[tuple[str, str]]:
    """Return what is said of the field of a sample: the rule and the words."""
    path = messages_path(data, dialect)
    sample = Sample("a", 0, data, dialect.name, path, Path("deck.yaml"), 1, kind=dialect)
    return {(one.rule, one.message) for one in check(sample) if "flavo" in one.message}


@pytest.mark.parametrize("name", TABLES)
def test_a_field_that_is_added_is_followed_everywhere(name: str) -> None:
    dialect = with_field(name, Field("number", required=True, purpose="How it tastes"))
    definition = schema(dialect, "")["$defs"]["Sample"]  # type: ignore[index,call-overload]
    assert definition["properties"]["flavour"] == {"type": "number", "description": "How it tastes"}  # type: ignore[index,call-overload]
    assert "flavour" in definition["required"]  # type: ignore[index,call-overload,operator]
    assert "flavour" in dialect.known & dialect.required
    assert said(dialect, {"flavour": 3}) == set()
    assert said(dialect, {"flavour": "x"}) == {("field-type", "flavour must be a number")}
    assert ("field-missing", "flavour is required") in said(dialect, {})
    assert ("unknown-key", 'Unknown key "flavor"; did you mean "flavour"?') in said(dialect, {"flavor": 3})
    assert kinds_at(dialect, ("flavour",), []) == (Kind.NUMBER,)
    shape = shape_at(dialect, ("flavour",))
    assert shape is not None
    assert (shape.words, shape.help) == ("number", "How it tastes")


@pytest.mark.parametrize("name", TABLES)
def test_a_field_of_another_type_that_nobody_needs_is_followed_too(name: str) -> None:
    dialect = with_field(name, Field("text|list"))
    assert "flavour" not in dialect.required
    assert said(dialect, {}) == said(dialect, {"flavour": None}) == said(dialect, {"flavour": ["x"]}) == set()
    assert said(dialect, {"flavour": 3}) == {("field-type", "flavour must be a string or a list")}
    assert kinds_at(dialect, ("flavour",), []) == (Kind.TEXT, Kind.LIST)


@pytest.mark.parametrize("name", TABLES)
def test_a_field_that_is_taken_away_is_gone_everywhere(name: str) -> None:
    dialect = DIALECTS[name]
    first = next(iter(dialect.fields))
    less = replace(dialect, fields={key: item for key, item in dialect.fields.items() if key != first})
    assert first not in less.known | less.required
    assert first not in schema(less, "")["$defs"]["Sample"]["properties"]  # type: ignore[index,call-overload,operator]
