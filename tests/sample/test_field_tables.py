"""A field stands in one table of its dialect: all that is made of it follows."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Table
from sampleui.sample.convert import convert
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.field import Edited, Field, Tells
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.dialects.user import user_dialect
from sampleui.sample.fields import kinds_at, shape_at
from sampleui.sample.kinds import ValueKind
from sampleui.sample.model import Sample
from sampleui.sample.models.schema import sample_schema, schema
from sampleui.sample.parse import messages_path
from sampleui.sample.rules import check
from sampleui.sample.rules.models import model_errors_beside
from sampleui.settings.vocabulary import UserTable

OWN: UserTable = {"prompt": "asked", "response": "wanted", "metadata": "metadata", "fields": {"asked": "text"}}
"""A dialect of somebody's settings."""
TABLES = {**DIALECTS, "own": user_dialect("own", OWN)}
BESIDE = [name for name, dialect in DIALECTS.items() if dialect.beside]


def with_field(name: str, field: Field) -> Dialect:
    dialect = TABLES[name]
    return replace(dialect, fields={**dialect.fields, "flavour": field})


def said(dialect: Dialect, data: Table) -> set[tuple[str, str]]:
    """Return what is said of the field of a sample: the rule and the words."""
    path = messages_path(data, dialect)
    sample = Sample("a", 0, data, dialect.name, path, Path("deck.yaml"), 1, kind=dialect)
    return {(one.rule, one.message) for one in check(sample) if "flavo" in one.message}


@pytest.mark.parametrize("name", TABLES)
def test_a_field_that_is_added_is_followed_everywhere(name: str) -> None:
    dialect = with_field(name, Field("number", required=True, purpose="How it tastes"))
    definition: Any = sample_schema(dialect)
    shape = definition["properties"]["flavour"]
    assert (shape["type"], shape["description"]) == ("number", "How it tastes")
    assert "flavour" in definition["required"]
    assert '"flavour"' in json.dumps(schema(dialect))
    assert "flavour" in dialect.known & dialect.required
    assert said(dialect, {"flavour": 3}) == set()
    assert said(dialect, {"flavour": "x"}) == {("field-type", "flavour must be a number")}
    assert ("field-missing", "flavour is required") in said(dialect, {})
    assert ("unknown-key", 'Unknown key "flavor"; did you mean "flavour"?') in said(dialect, {"flavor": 3})
    assert kinds_at(dialect, ("flavour",), []) == (ValueKind.NUMBER,)
    offered = shape_at(dialect, ("flavour",))
    assert offered is not None
    assert (offered.words, offered.help) == ("number", "How it tastes")


@pytest.mark.parametrize("name", TABLES)
def test_a_field_of_another_type_that_nobody_needs_is_followed_too(name: str) -> None:
    dialect = with_field(name, Field("text|list"))
    assert "flavour" not in dialect.required
    assert said(dialect, {}) == said(dialect, {"flavour": None}) == said(dialect, {"flavour": ["x"]}) == set()
    assert said(dialect, {"flavour": 3}) == {("field-type", "flavour must be a string or a list")}
    assert kinds_at(dialect, ("flavour",), []) == (ValueKind.TEXT, ValueKind.LIST)


@pytest.mark.parametrize("name", TABLES)
def test_a_field_that_is_taken_away_is_gone_everywhere(name: str) -> None:
    dialect = TABLES[name]
    first = next(iter(dialect.fields))
    less = replace(dialect, fields={key: item for key, item in dialect.fields.items() if key != first})
    assert first not in less.known | less.required
    found: Any = sample_schema(less)
    assert first not in found["properties"]


@pytest.mark.parametrize("name", TABLES)
def test_a_field_that_is_not_offered_is_known_and_may_be_anything(name: str) -> None:
    dialect = with_field(name, Field("any", offered=False))
    found: Any = sample_schema(dialect)
    assert "flavour" not in found["properties"]
    assert shape_at(dialect, ("flavour",)) is None
    assert said(dialect, {"flavour": 3}) == said(dialect, {"flavour": ["x"]}) == set()
    assert ("unknown-key", 'Unknown key "flavor"; did you mean "flavour"?') in said(dialect, {"flavor": 3})


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize(("tells", "telling"), [(Tells.MUCH, False), (Tells.ALL, True)])
def test_a_field_says_what_it_tells_of_a_deck(name: str, tells: Tells, telling: bool) -> None:
    dialect = with_field(name, Field("text", tells=tells))
    assert "flavour" in dialect.signs
    assert ("flavour" in dialect.telling) is telling
    assert "flavour" not in with_field(name, Field("text")).signs


@pytest.mark.parametrize("name", TABLES)
def test_a_field_says_how_its_texts_are_edited(name: str) -> None:
    assert with_field(name, Field("text", edited=Edited.LINE)).is_one_line(("flavour",))
    assert not with_field(name, Field("text")).is_one_line(("flavour",))
    boxed = replace(TABLES[name], fields={**TABLES[name].fields, "id": Field("text", edited=Edited.BOX)})
    assert not boxed.is_one_line(("id",))
    assert boxed.is_one_line(("messages", 0, "id"))


@pytest.mark.parametrize("name", TABLES)
def test_a_field_says_whether_a_conversion_takes_it_out_of_metadata_again(name: str) -> None:
    for returns in (True, False):
        dialect = with_field(name, Field("number", returns=returns))
        source = replace(DIALECTS["braintrust"], metadata="metadata")
        data: Table = {"id": "a", "input": "x", "metadata": {"flavour": 3}}
        assert (convert(data, source, dialect).data.get("flavour") == 3) is returns


@pytest.mark.parametrize("name", BESIDE)
def test_a_field_beside_the_samples_is_followed_everywhere(name: str) -> None:
    known = DIALECTS[name]
    field = Field("number", purpose="How all of them taste", tells=Tells.MUCH)
    dialect = replace(known, beside={**known.beside, "flavour": field})
    assert "How all of them taste" in json.dumps(schema(dialect))
    assert "flavour" in dialect.signs_beside
    (error,) = (one for one in model_errors_beside(dialect, {"flavour": "x"}) if one.rule == "field-type")
    assert error.message == "flavour must be a number"
    assert [*model_errors_beside(dialect, {"flavour": 3})] == []


def test_a_field_of_a_table_in_the_settings_is_followed_everywhere() -> None:
    dialect = user_dialect(
        "own", {**OWN, "fields": {"asked": "text", "flavour": "number"}, "required": ("flavour",)}
    )
    shape = sample_schema(dialect)
    assert shape["required"] == ["flavour"]
    assert said(dialect, {"flavour": "x"}) == {("field-type", "flavour must be a number")}
    assert ("field-missing", "flavour is required") in said(dialect, {})
    assert ("unknown-key", 'Unknown key "flavor"; did you mean "flavour"?') in said(dialect, {"flavor": 3})
    assert kinds_at(dialect, ("flavour",), []) == (ValueKind.NUMBER,)


@pytest.mark.parametrize("name", TABLES)
def test_the_keys_inside_a_field_are_followed_in_it_and_in_its_items(name: str) -> None:
    dialect = with_field(name, Field("any", holds=frozenset({"flavour", "smell"})))
    slip = ("unknown-key", 'Unknown key "flavor"; did you mean "flavour"?')
    assert slip in said(dialect, {"flavour": {"flavor": 3}})
    assert slip in said(dialect, {"flavour": [{"smell": 1}, {"flavor": 3}]})
    assert slip not in said(with_field(name, Field("any")), {"flavour": {"flavor": 3}})


@pytest.mark.parametrize("name", [name for name, dialect in DIALECTS.items() if dialect.modelled])
def test_the_keys_inside_a_field_are_those_of_its_shape(name: str) -> None:
    dialect = DIALECTS[name]
    for key, inside in dialect.nested.items():
        shapes = [shape for path in ((key,), (key, 0)) if (shape := shape_at(dialect, path)) is not None]
        assert inside in [frozenset(shape.fields()) for shape in shapes], key
