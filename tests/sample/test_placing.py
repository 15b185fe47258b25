"""Where the fields of a sample go in another dialect: a key of the same name need not mean the same there."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table
from sampleui.sample.convert import convert
from sampleui.sample.dialects.shipped import DIALECTS

from .build import turn

ASSERTIONS: list[Plain] = [
    {"type": "contains", "value": "4", "weight": 2},
    {"type": "similar", "value": "four", "threshold": 0.9},
    {"type": "contains-any", "value": ["4", "four"]},
    {"type": "icontains", "value": "4", "metric": "sum"},
    {"type": "is-json", "value": {"required": ["a"]}},
    {"type": "is-json"},
    {"type": "equals", "value": 4},
]


def test_the_assertions_that_another_program_takes_go_along_and_each_other_one_is_told() -> None:
    test: Table = {"vars": {"question": "2 + 2?"}, "assert": ASSERTIONS}
    made = convert(test, DIALECTS["promptfoo"], DIALECTS["agentv"], ("input",))
    assert made.data["assert"] == [ASSERTIONS[0], ASSERTIONS[2], ASSERTIONS[5]]
    assert made.data["metadata"] == {"assert": [ASSERTIONS[1], ASSERTIONS[3], ASSERTIONS[4], ASSERTIONS[6]]}
    assert made.report[1:] == ("assert[1], assert[3], assert[4], assert[6]: kept as metadata.assert",)
    none = convert({**test, "assert": ASSERTIONS[3:5]}, DIALECTS["promptfoo"], DIALECTS["agentv"], ("input",))
    assert "assert: kept as metadata.assert" in none.report
    assert convert({"assert": ASSERTIONS[:1]}, DIALECTS["promptfoo"], DIALECTS["agentv"]).report == ()
    newest = convert(test, DIALECTS["promptfoo"], DIALECTS["agentv"], ("vars", "input"))
    assert newest.data["assert"] == ASSERTIONS  # AgentV 5 knows the types of promptfoo


def test_an_assertion_that_promptfoo_would_read_as_its_contrary_does_not_go_along() -> None:
    data: Table = {
        "id": "a",
        "vars": {"input": "2 + 2?", "tone": "dry"},
        "assert": [
            "is short",
            {"type": "contains", "value": "5", "negate": True},
            {"type": "equals", "value": "4"},
        ],
    }
    made = convert(data, DIALECTS["agentv"], DIALECTS["promptfoo"])
    assert made.data["assert"] == [{"type": "equals", "value": "4"}]
    assert made.report == ("assert[0], assert[1]: kept as metadata.assert", "vars.tone: kept as metadata.vars")


def test_where_assertions_have_no_place_each_of_them_has_a_line() -> None:
    made = convert(
        {"vars": {"question": "Hm"}, "assert": ASSERTIONS[:2]}, DIALECTS["promptfoo"], DIALECTS["openai"]
    )
    assert made.report[1:] == (
        "assert[0]: dropped, OpenAI has no place for it",
        "assert[1]: dropped, OpenAI has no place for it",
    )


@pytest.mark.parametrize(
    ("source", "target", "data"),
    [
        ("promptfoo", "gage", {"vars": {"question": "Hm"}, "options": {"prefix": "p"}}),
        ("inspect", "gage", {"input": "Hm", "sandbox": "docker"}),
        ("inspect", "gage", {"input": "Hm", "choices": ["a", "b"]}),
        ("pydantic-evals", "agentv", {"inputs": "Hm", "evaluators": ["EqualsExpected"]}),
        (
            "agentv",
            "pydantic-evals",
            {"id": "a", "input": "Hm", "evaluators": [{"name": "j", "type": "llm_judge"}]},
        ),
        ("agentv", "promptfoo", {"id": "a", "input": "Hm", "prompts": ["Say {{ input }}"]}),
    ],
)
def test_a_key_of_the_same_name_that_means_or_takes_something_else_is_not_shared(
    source: str, target: str, data: Table
) -> None:
    made = convert(data, DIALECTS[source], DIALECTS[target])
    key = [*data][-1]
    assert key not in made.data
    assert f"{key}: kept as metadata.{key}" in made.report
    assert made.data["metadata"] == {key: data[key]}


def test_a_key_that_takes_the_value_is_shared() -> None:
    tool: Table = {"type": "function", "function": {"name": "clock"}}
    made = convert({"messages": [turn()], "tools": [tool]}, DIALECTS["openai"], DIALECTS["gage"])
    assert made.data["tools"] == [tool] and not any("tools" in line for line in made.report)


def test_what_is_left_of_a_table_is_named_by_its_keys() -> None:
    data: Table = {"inputs": {"question": "Q", "context": "C", "more": 1}, "outputs": {"answer": "A", "why": "W"}}
    made = convert(data, DIALECTS["langsmith"], DIALECTS["openai"])
    assert [line.partition(":")[0] for line in made.report] == ["inputs.context", "inputs.more", "outputs.why"]
    kept = convert(data, DIALECTS["langsmith"], DIALECTS["inspect"])
    assert "inputs.context, inputs.more: kept as metadata.inputs" in kept.report
