"""What pydantic-evals refuses of evaluators when it loads a data set is an error at its place."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from sampleui import open_deck
from sampleui.formats.data import Plain, Table
from sampleui.integrations.pydantic_evals.grading import graded
from sampleui.integrations.pydantic_evals.rules import EVALUATORS

REFUSED: list[tuple[Plain, str]] = [
    ("Equals", "Equals lacks value"),
    ({"Equals": {"a": 1}}, 'Equals has no argument "a"'),
    ({"Contains": {"value": "h", "case": True}}, 'Contains has no argument "case"'),
    ({"HasMatchingSpan": {"some_descendant_has": {}}}, 'HasMatchingSpan has no argument "some_descendant_has"'),
    ({"name": "Equals", "arguments": None}, "Equals lacks value"),
    ({"name": "Equals", "arguments": "hi"}, "arguments are a table, or a list of one"),
    ({"name": "Equals", "arguments": [1, 2]}, "arguments are a table, or a list of one"),
    ({"ArgumentCorrectness": {"tool_name": "a"}}, "ArgumentCorrectness lacks expected_arguments"),
    ({"ArgumentCorrectness": "a"}, "ArgumentCorrectness lacks expected_arguments"),
    ({"GEval": {"criteria": "x", "evaluation_steps": []}}, "evaluation_steps of GEval must have a step"),
    ({"GEval": {"criteria": "x", "evaluation_steps": ["a"], "score_range": [5, 1]}}, "score_range of GEval"),
    ({"Equals": 1, "Contains": 2}, "one evaluator is one key with its arguments"),
    (5, "an evaluator is a name, or a table"),
    (None, "an evaluator is a name, or a table"),
    ({}, "an evaluator is a name, or a table"),
]
LOADED: list[Plain] = [
    "EqualsExpected",
    {"Equals": ["hi"]},
    {"Equals": None},
    {"name": "Equals", "arguments": ["hi"]},
    {"name": "Equals", "arguments": {"value": {}}},
    {"MaxDuration": 3},
    {"IsInstance": "str"},
    {"Contains": {"value": "h", "case_sensitive": False, "as_strings": True, "evaluation_name": None}},
    {"LLMJudge": {"rubric": "r", "score": False, "assertion": {"include_reason": True}, "model": None}},
    {"HasMatchingSpan": {"query": {"and_": [{"not_": {"has_attributes": {"any": {"thing": 1}}}}]}}},
    {"ToolCorrectness": ["a", "b"]},
    {"ArgumentCorrectness": {"tool_name": "a", "expected_arguments": {"q": 1}, "occurrence": 2}},
    {"Custom": {"a": 1}},
]
UNFIT: list[tuple[Plain, str]] = [
    ({"MaxDuration": "PT3S"}, "seconds of MaxDuration must be a number"),
    ({"MaxToolCalls": {"max_calls": "x"}}, "max_calls of MaxToolCalls must be a number"),
    ({"IsInstance": 3}, "type_name of IsInstance must be a string"),
    ({"ToolCorrectness": "a"}, "expected_tools of ToolCorrectness must be a list of strings"),
    (
        {"TrajectoryMatch": {"expected_trajectory": ["a"], "order": "nope"}},
        "must be exact or in_order or any_order",
    ),
    ({"HasMatchingSpan": {"query": {"name_contain": "x"}}}, 'did you mean "name_contains"'),
    ({"HasMatchingSpan": {"query": {"or_": [{"some_child_has": {"name": "x"}}]}}}, 'no condition "name"'),
    ({"HasMatchingSpan": "x"}, "query of HasMatchingSpan must be a table"),
    ({"EqualExpected": {}}, 'did you mean "EqualsExpected"'),
]


def said(folder: Path, evaluator: Plain, of_all: bool) -> list[tuple[str, str]]:
    """Return the severity and the words of what is said of a data set with an evaluator."""
    case: Table = {"name": "c", "inputs": "hi", "expected_output": "ho"}
    data: Table = {"name": "n", "cases": [case]}
    (data if of_all else case)["evaluators"] = [evaluator]
    (folder / "d.json").write_text(json.dumps(data), "utf-8")
    return [(one.severity.value, one.message) for one in open_deck(folder / "d.json").diagnostics]


@pytest.mark.parametrize("of_all", [False, True])
@pytest.mark.parametrize(("evaluator", "words"), REFUSED, ids=lambda one: json.dumps(one)[:40])
def test_what_loading_refuses_is_an_error(tmp_path: Path, evaluator: Plain, words: str, of_all: bool) -> None:
    found = said(tmp_path, evaluator, of_all)
    assert all(severity == "error" for severity, _ in found)
    assert any(words in message for _, message in found), found


@pytest.mark.parametrize("of_all", [False, True])
@pytest.mark.parametrize("evaluator", LOADED, ids=lambda one: json.dumps(one)[:40])
def test_nothing_is_said_of_what_is_loaded_and_of_the_right_types(
    tmp_path: Path, evaluator: Plain, of_all: bool
) -> None:
    assert said(tmp_path, evaluator, of_all) == []


@pytest.mark.parametrize(("evaluator", "words"), UNFIT, ids=lambda one: json.dumps(one)[:40])
def test_what_is_loaded_and_cannot_be_used_is_a_warning(tmp_path: Path, evaluator: Plain, words: str) -> None:
    [(severity, message)] = said(tmp_path, evaluator, False)
    assert severity == "warning"
    assert words in message


def test_the_places_are_those_of_the_values(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text(
        "name: n\ncases:\n- name: c\n  inputs: hi\n  evaluators:\n  - Contains:\n      value: h\n      vale: x\n"
        "evaluators:\n- Equals:\n    value: 1\n    other: 2\nother: 3\n",
        "utf-8",
    )
    found = [(one.line, one.column, one.rule) for one in open_deck(tmp_path / "d.yaml").diagnostics]
    assert sorted(found) == [(8, 13, "evaluator-refused"), (12, 12, "evaluator-refused"), (13, 1, "key-refused")]


def test_keys_of_cases_that_loading_refuses_are_errors(tmp_path: Path) -> None:
    (tmp_path / "d.yaml").write_text("name: n\ncases:\n- inputs: hi\n  expected: x\n", "utf-8")
    [one] = open_deck(tmp_path / "d.yaml").diagnostics
    assert (one.rule, one.line) == ("key-refused", 4)


def test_a_list_is_the_value_that_it_is_compared_with() -> None:
    data: Table = {"evaluators": [{"Equals": ["hi"]}, {"name": "Equals", "arguments": ["hi"]}]}
    assert [one.passed for one in graded(data, {}, "hi", answered=True)] == [False, True]
    assert [one.passed for one in graded(data, {}, ["hi"], answered=True)] == [True, False]


@pytest.mark.parametrize(
    ("output", "ran", "passed"),
    [([1, 2], False, None), ([1, 2], True, True), ([1, 2], None, None), ("a", False, None), ("a", None, True)],
)
def test_an_output_that_was_of_another_type_in_the_run_is_not_compared(
    output: Plain, ran: Plain, passed: Plain
) -> None:
    source: Table = {"name": "EqualsExpected", "arguments": None}
    result: Table = {"name": "EqualsExpected", "value": ran, "source": source}
    row: Table = {"expected_output": output, "output": output, "assertions": {"EqualsExpected": result}}
    case: Table = {"expected_output": output, "evaluators": ["EqualsExpected"]}
    [outcome] = graded(case, {}, output, answered=True, row=row)
    assert outcome.passed is passed


def test_the_arguments_are_those_of_the_package() -> None:
    common = pytest.importorskip("pydantic_evals.evaluators.common")
    dataset = pytest.importorskip("pydantic_evals").Dataset[Any, Any, Any]
    own = {item.__name__: dataclasses.fields(item) for item in common.DEFAULT_EVALUATORS}
    assert {name: {*item.names} for name, item in EVALUATORS.items()} == {
        name: {field.name for field in fields} for name, fields in own.items()
    }
    missing = dataclasses.MISSING
    for name, fields in own.items():
        needed = [one.name for one in fields if one.default is missing and one.default_factory is missing]
        assert [*EVALUATORS[name].required] == needed
        assert not fields or EVALUATORS[name].names[0] == fields[0].name
    loads = [item for item in LOADED if item != {"Custom": {"a": 1}}]
    for evaluator, refused in [*((one, True) for one, _ in REFUSED), *((one, False) for one in loads)]:
        data = {"name": "n", "cases": [{"inputs": "hi", "evaluators": [evaluator]}]}
        try:
            dataset.from_dict(data)
        except (ValueError, ExceptionGroup):
            assert refused, evaluator
        else:
            assert not refused, evaluator


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("cases:\n- inputs: hi\nevaluators: EqualsExpected\n", "evaluators must be a list"),
        ("cases:\n- inputs: hi\nevaluators: {Contains: x}\n", "evaluators must be a list"),
        ("cases:\n- {inputs: hi, evaluators: EqualsExpected}\n", "evaluators must be a list"),
        ("name: 5\ncases:\n- inputs: hi\n", "the name of a data set must be a text"),
    ],
)
def test_a_data_set_whose_parts_are_of_other_types_is_an_error(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "d.yaml").write_text(text, "utf-8")
    told = [one for one in open_deck(tmp_path / "d.yaml", "pydantic-evals").diagnostics if words in one.message]
    assert [one.severity.value for one in told] == ["error"]
