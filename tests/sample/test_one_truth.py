"""What a schema rejects, the rules report as an error, and the other way round."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from sampleui.errors import DeckError
from sampleui.integrations.gage.older import updated
from sampleui.sample.models.schema import schema
from sampleui.sample.rules import check
from sampleui.sample.rules import models as shapes
from sampleui.text.diagnostic import Finding, Severity
from sampleui.workspace.deck import open_deck

from .build import EXAMPLES, sample_of
from .mutations import FULL, JUNK, spoilt


@cache
def validator(dialect: str) -> Draft202012Validator:
    return Draft202012Validator(schema(dialect))


def errors(dialect: str, data: Any) -> list[Finding]:
    return [one for one in check(sample_of(dialect, data)) if one.severity is Severity.ERROR]


@pytest.mark.parametrize("dialect", [*FULL])
def test_a_sample_with_every_field_is_right(dialect: str) -> None:
    assert validator(dialect).is_valid([FULL[dialect]])
    assert errors(dialect, FULL[dialect]) == []


@pytest.mark.parametrize("dialect", [*FULL])
@settings(deadline=None)
@given(data=st.data())
def test_a_sample_is_rejected_where_an_error_is_reported(dialect: str, data: st.DataObject) -> None:
    sample = data.draw(spoilt(dialect))
    older = dialect == "gage" and updated(sample) is not None  # judged as what it maps to: docs/formats.md
    assert older or validator(dialect).is_valid([sample]) is (errors(dialect, sample) == [])


@pytest.mark.parametrize("dialect", [*FULL])
@settings(deadline=None, max_examples=settings().max_examples // 2)
@given(data=st.data())
def test_what_needs_no_model_is_what_a_model_finds_right(dialect: str, data: st.DataObject) -> None:
    sample = data.draw(spoilt(dialect))
    with_model = check(sample_of(dialect, sample))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shapes, "is_ordinary", lambda *_: False)
        assert check(sample_of(dialect, sample)) == with_model


BESIDE = st.fixed_dictionaries(
    {},
    optional={
        key: st.sampled_from([*JUNK, "{{input}}"])
        for key in ("meta", "description", "target", "execution", "prompts", "input", "other")
    },
)


@st.composite
def files(draw: st.DrawFn, dialect: str) -> Any:
    """Draw what a deck file may hold: a list, a table of samples under a key or by name, with values beside."""
    samples = draw(st.lists(spoilt(dialect) | st.sampled_from(JUNK), max_size=2))
    for number, one in enumerate(samples):
        if isinstance(one, dict) and isinstance(one.get("id"), str) and one["id"].strip():
            one["id"] = f"{one['id']}-{number}"  # an id given twice is told by the rules alone
    held: Any = samples
    if draw(st.booleans()):
        held = {f"name-{number}": one for number, one in enumerate(samples)}
    key = draw(st.sampled_from(["samples", "evalcases", "tests", "cases"]))
    return draw(st.sampled_from([samples, {**draw(BESIDE), key: held}]))


@pytest.mark.parametrize("form", ["json", "yaml"])
@pytest.mark.parametrize("dialect", [*FULL])
@settings(deadline=None, max_examples=settings().max_examples // 4)
@given(data=st.data())
def test_a_file_is_rejected_where_an_error_is_reported(
    tmp_path_factory: pytest.TempPathFactory, dialect: str, form: str, data: st.DataObject
) -> None:
    held = data.draw(files(dialect))
    listed = (
        held if isinstance(held, list) else [one for value in held.values() if value for one in _samples(value)]
    )
    if dialect == "gage" and any(isinstance(one, dict) and updated(one) for one in listed):
        return
    path = tmp_path_factory.getbasetemp() / f"deck.{form}"
    text = json.dumps(held) if form == "json" else yaml.safe_dump(copy.deepcopy(held), sort_keys=False)
    path.write_text(text, "utf-8")
    assert validator(dialect).is_valid(held) is not has_errors(path, dialect), text


def _samples(value: Any) -> list[Any]:
    return [*value.values()] if isinstance(value, dict) else value if isinstance(value, list) else []


def has_errors(path: Path, dialect: str) -> bool:
    """Tell whether something is an error of shape, or of a wrong type that the deck's own program leaves out."""
    try:
        return any(
            one.rule == "field-type" or (one.severity is Severity.ERROR and one.rule != "file-refused")
            for one in open_deck(path, dialect).diagnostics
        )
    except DeckError:
        return True


@pytest.mark.parametrize(
    ("dialect", "fields", "message", "node"),
    [
        ("calibrate", {"tags": "s"}, "tags must be a list", ("tags",)),
        ("calibrate", {"tags": ["a", 3]}, "tags[1] must be a string", ("tags", 1)),
        ("calibrate", {"score": "high"}, "score must be a number", ("score",)),
        ("calibrate", {"score": True}, "score must be a number", ("score",)),
        ("calibrate", {"id": 3}, "id must be a string", ("id",)),
        ("calibrate", {"description": ["x"]}, "description must be a string", ("description",)),
        (
            "agentv",
            {"expected_messages": [{"content": "x"}]},
            "expected_messages[0].role is required",
            ("expected_messages", 0),
        ),
        ("agentv", {"expected_messages": "x"}, "expected_messages must be a list", ("expected_messages",)),
        ("agentv", {"id": 3}, "id must be a string", ("id",)),
        ("agentv", {"rubrics": [3]}, "rubrics[0] must be a string or a table", ("rubrics", 0)),
        ("agentv", {"criteria": {"a": 1}}, "criteria must be a string", ("criteria",)),
        ("agentv", {"metadata": "x"}, "metadata must be a table", ("metadata",)),
        ("agentv", {"assert": {"type": "x"}}, "assert must be a list", ("assert",)),
        ("gage", {"label": [0]}, "label must be a string", ("label",)),
    ],
)
def test_a_field_of_another_type_is_an_error_at_its_node(
    dialect: str, fields: dict[str, Any], message: str, node: tuple[str | int, ...]
) -> None:
    kept = ("id", "messages", "input_messages", "schema_version", "references")
    sample = {**{key: value for key, value in FULL[dialect].items() if key in kept}, **fields}
    assert [(one.message, one.node) for one in errors(dialect, sample)] == [(message, node)]
    assert not validator(dialect).is_valid([sample])


def test_what_stands_beside_the_samples_is_judged_too(tmp_path: Path) -> None:
    path = tmp_path / "deck.toml"
    path.write_text('# a deck\nmeta = 3\n\n[[samples]]\nmessages = [{ role = "user", content = "Hi" }]\n', "utf-8")
    assert [str(one).removeprefix(str(path)) for one in open_deck(path).diagnostics] == [
        ":2:1: error: meta must be a table [field-type]"
    ]


@pytest.mark.parametrize("vars", [3, "x", [], ["x"]])
def test_variables_of_a_prompt_stand_in_a_table(tmp_path: Path, vars: Any) -> None:
    held = {"prompts": ["Hi {{name}}"], "tests": [{"id": "a", "criteria": "c", "vars": vars}]}
    path = tmp_path / "deck.json"
    path.write_text(json.dumps(held), "utf-8")
    said = [one for one in open_deck(path, "agentv").diagnostics if one.rule == "field-type"]
    assert [(one.message.partition(";")[0], one.node) for one in said] == [("vars must be a table", ("vars",))]
    assert not validator("agentv").is_valid(held)


@pytest.mark.parametrize("text", ['[samples]\na = 1\n[samples.b]\nmessages = [{role = "u", content = "x"}]\n'])
def test_what_stands_among_the_samples_and_is_none_is_an_error(tmp_path: Path, text: str) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(text, "utf-8")
    assert [(one.rule, one.message, one.line) for one in open_deck(path).diagnostics] == [
        ("parse-error", "samples.a is not a sample: it is not a table", 2)
    ]


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.jsonl")), ids=lambda path: path.name)
def test_a_line_is_valid_by_itself(path: Path) -> None:
    deck = open_deck(path)
    for sample in deck.samples:
        if updated(sample.data) is None:
            said = [one for one in deck.check(sample.index) if one.severity is Severity.ERROR]
            assert validator(deck.dialect).is_valid(sample.data) is (said == [])
