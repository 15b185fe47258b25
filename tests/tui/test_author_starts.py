"""Tables that are begun by their kind and filled in like a form: assertions, options, and their keys."""

from __future__ import annotations

import json

import pytest
import yaml

from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.value_lines import line_of, statement_of
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.opening import first_screen

from .driver import drawn_lines, opened
from .pressing import press, rested

AGENTV = """\
tests:
  - id: a
    input: What is 2+2?
    criteria: Says 4
"""


@pytest.fixture
def agentv(tmp_path):
    path = tmp_path / "deck.yaml"
    path.write_text(AGENTV)
    return path


def first_test(app):
    return yaml.safe_load(app.text)["tests"][0]


async def test_an_assertion_is_begun_by_its_kind_and_filled_in(agentv):
    async with opened(agentv) as app:
        await app.press("+")
        await app.answer("assertions")
        await app.answer("contains")
        await app.press("4", "escape", "o")
        await app.answer("tool-traj")
        await app.press(*"search", "escape")
        assert first_test(app)["assertions"] == [
            {"type": "contains", "value": "4"},
            {"type": "tool-trajectory", "mode": "in_order", "expected": [{"tool": "search"}]},
        ]
        assert app.steps == 2
        await app.press("u", "u")
        assert app.text == AGENTV


async def test_texts_of_an_assertion_are_written_a_line_each_and_the_next_one_follows(agentv):
    async with opened(agentv) as app:
        await app.press("+")
        await app.answer("assertions")
        await app.answer("contains-all")
        await app.press("a", "enter", "b", "ctrl+t")
        await app.answer("rubrics")
        await app.press("c", "escape")
        assert first_test(app)["assertions"] == [
            {"type": "contains-all", "value": ["a", "b"]},
            {"type": "rubrics", "criteria": ["c"]},
        ]


async def test_an_evaluator_is_begun_by_its_name_and_gets_further_arguments(tmp_path):
    path = tmp_path / "cases.yaml"
    path.write_text("cases:\n- name: a\n  inputs: What is 2+2?\n  expected_output: '4'\n")
    async with opened(path) as app:
        await app.press("+")
        await app.answer("evaluators")
        await app.answer("Contains")
        await app.press("4", "escape", "+")
        await app.answer("case_sensitive")
        await app.press("t", "o")
        await app.answer("Polite")
        await app.press("escape")
        evaluators = yaml.safe_load(app.text)["cases"][0]["evaluators"]
        assert evaluators == [{"Contains": {"value": "4", "case_sensitive": True}}, {"Polite": {}}]


async def test_an_own_kind_of_assertion_can_be_named(agentv):
    async with opened(agentv) as app:
        await app.press("+")
        await app.answer("assertions")
        await app.answer("word-count")
        assert first_test(app)["assertions"] == [{"type": "word-count"}]


async def test_further_keys_of_an_assertion_are_offered_and_start_as_what_they_are(agentv):
    agentv.write_text(f"{AGENTV}    assertions:\n      - type: contains\n        value: '4'\n")
    async with opened(agentv) as app:
        await app.press("G", "+")
        assert "assertions[0].weight" in app.dialog_text
        await app.answer("weight")
        await app.press("2", "enter")
        assert first_test(app)["assertions"] == [{"type": "contains", "value": "4", "weight": 2}]


async def test_what_a_key_may_be_is_chosen_from_a_list(agentv):
    agentv.write_text(
        f"{AGENTV}    assertions:\n      - type: tool-trajectory\n        mode: exact\n        expected: []\n"
    )
    async with opened(agentv) as app:
        await app.press("G", "Z", "j", "j", "enter")
        assert "superset" in app.dialog_text
        await app.answer("any_order")
        assert first_test(app)["assertions"][0]["mode"] == "any_order"


async def test_superseded_keys_are_renamed_and_not_offered(agentv):
    old = AGENTV.replace("criteria: Says 4", "expected_outcome: Says 4  # so far\n    assert: []")
    agentv.write_text(old)
    async with opened(agentv) as app:
        await app.press("+")
        assert "criteria" in app.dialog_text and "outcome" not in app.dialog_text
        assert "expected_messages" not in app.dialog_text  # beside input AgentV ignores it
        await app.press("escape", "M")
        assert app.text == old.replace("expected_outcome", "criteria").replace("assert:", "assertions:")
        await app.press("u")
        assert app.text == old


async def test_five_options_are_typed_without_brackets(tmp_path):
    path = tmp_path / "deck.json"
    sample = {
        "schema_version": "v1",
        "id": "a",
        "messages": [{"role": "user", "content": "x"}],
        "references": ["B"],
    }
    path.write_text(json.dumps([sample], indent=2))
    async with opened(path) as app:
        await app.press("+")
        await app.answer("options")
        await app.press("A", "tab", *"Shark", "escape")
        for name in ("Whale", "Cod", "Ray", "Eel"):
            await app.press("o", *name, "escape")
        options = json.loads(app.text)[0]["options"]
        assert [option["id"] for option in options] == [*"ABCDE"]
        assert [option["content"] for option in options] == ["Shark", "Whale", "Cod", "Ray", "Eel"]


SHAPE = {"type": "object", "properties": {"x": {}}}


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ({"type": "contains", "value": "15%"}, 'contains "15%"'),
        ({"type": "contains-all", "value": ["a", "b"], "negate": True}, 'not contains-all "a", "b"'),
        (
            {
                "name": "n",
                "type": "tool_trajectory",
                "mode": "in_order",
                "expected": [{"tool": "a"}, {"tool": "b"}],
            },
            "tool_trajectory in_order · a → b",
        ),
        ({"type": "tool_trajectory", "mode": "any_order", "minimums": {"a": 2}}, "tool_trajectory any_order a ≥ 2"),
        ({"type": "latency", "threshold": 5, "max_total": 9}, "latency threshold 5, max_total 9"),
        ({"type": "field-accuracy", "fields": [{"path": "a.b", "match": "exact"}]}, "field-accuracy a.b exact"),
        (
            {"type": "composite", "assertions": [{"type": "contains", "value": "x"}, {"type": "is-json"}]},
            'composite contains "x", is-json',
        ),
        ({"id": "A", "content": "Whale"}, "A  Whale"),
        ({"id": "B", "content": "Shark"}, "B  Shark  ✓ label"),
        (
            {
                "type": "function",
                "function": {"name": "f", "description": "Does", "parameters": {"properties": {"x": {}}}},
            },
            "f(x)  Does",
        ),
        ({"function": {"name": "f", "arguments": '{"x": 1}'}}, "f(x=1)"),
        ({"tool": "f", "input": {"x": "y"}}, 'f(x="y")'),
        ({"answer": [{"type": "text", "text": "B"}]}, "B"),
        ({"answer": "B"}, "B"),
        ({"type": "text", "text": "hi"}, ""),
        ({"role": "user", "content": "hi"}, ""),
        ({"colour": "red"}, ""),
        ({}, ""),
    ],
)
def test_tables_are_told_on_a_line_in_words_of_their_own(table, line):
    assert line_of(table, {"B"}) == line


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ({"text": "It is short"}, "It is short"),
        ({"name": "short", "description": "It is short"}, "short: It is short"),
        ({"id": "a1", "text": "It is short", "type": "semantic"}, "a1: It is short"),
        ({"type": "contains", "value": "x", "description": "has x"}, ""),
        ({"name": "short"}, ""),
    ],
)
def test_a_table_that_states_something_is_told_by_its_words(table, line):
    assert statement_of(table) == line


async def test_an_assertion_is_one_line_and_enter_opens_its_keys(agentv):
    agentv.write_text(f"{AGENTV}    assertions:\n      - type: contains\n        value: '4'\n")
    async with opened(agentv, size=(120, 40)) as app:
        assert 'contains "4"' in "".join(app.cards)
        await app.press("G", "enter", "2", "shift+tab")
        await app.answer("equals")
        assert first_test(app)["assertions"] == [{"type": "equals", "value": "42"}]


async def test_superseded_names_are_labelled_older_where_they_stand_until_they_are_renamed(tmp_path):
    path = tmp_path / "older.eval.yaml"
    path.write_text(
        "tests:\n  - id: a\n    input: Hi\n    expected_outcome: greets\n    assert:\n"
        "      - type: contains\n        value: hi\n"
        "  - id: b\n    input: Ho\n    outcome: greets\n    criteria: both\n"
    )
    async with opened(path) as app:
        assert any("expected_outcome" in line and line.endswith("greets  older") for line in app.cards)
        assert any("assert  [] 1 item  older" in line for line in app.cards)
        app.screen.go_to(("expected_outcome",))
        assert app.screen.status()[0] == "expected_outcome is an older name of criteria; M renames it"
        await app.press("M")
        assert "older" not in "".join(app.cards)
        assert "criteria: greets" in app.text
        await app.press("u", "]")
        app.screen.go_to(("outcome",))
        assert app.screen.status()[0] == "outcome is an older name of criteria", "which the sample has as well"


def test_each_dialect_and_each_kind_of_assertion_says_what_it_is_for():
    for dialect in DIALECTS.values():
        assert dialect.purpose, dialect.name
        kinds = [item for starts in of_dialect(dialect).checks().skeletons().values() for item in starts.items()]
        assert [name for name, start in kinds if not start.purpose] == []


async def test_what_a_kind_of_assertion_is_for_stands_where_it_is_chosen(agentv):
    async with opened(agentv) as app:
        await app.press("+")
        await app.answer("assertions")
        assert "the answer has a text in it" in app.dialog_text
        await app.press(*"json")
        assert "is-json the answer is JSON" in " ".join(app.dialog_text.split())


async def test_what_a_dialect_is_for_stands_where_a_new_deck_chooses_one(tmp_path):
    app = SampleUI(first_screen(tmp_path / "new.yaml", Settings(), None), Settings())
    async with app.run_test(size=(120, 40)) as pilot:
        await rested(app)
        shown = "\n".join(drawn_lines(app.screen))
        assert "tests of agents: criteria, tool calls, assertions" in shown
        await press(pilot.app, "m")
        assert "conversations, and what a grader should find" in "\n".join(drawn_lines(app.screen))
