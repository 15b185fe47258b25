"""What no path leads to in the rows of promptfoo, function by function."""

from __future__ import annotations

import pytest

from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations.promptfoo import results as promptfoo
from tests.inside import inside

GRADED: Table = {"componentResults": [{"pass": False}]}


@pytest.mark.parametrize(
    ("row", "error"),
    [
        ({"error": "boom"}, "boom"),
        ({"error": "boom", "success": True}, None),
        ({"error": "not equal", "gradingResult": GRADED}, None),
        ({"error": "not equal", "failureReason": 1}, None),
        ({"error": "boom", "failureReason": 2, "gradingResult": GRADED}, "boom"),
        ({"response": {"error": "late"}}, "late"),
        ({"response": {"error": "late"}, "gradingResult": GRADED}, "late"),
        ({}, None),
    ],
)
def test_an_error_of_promptfoo_is_no_assertion_that_does_not_hold(row: Table, error: str | None) -> None:
    assert promptfoo.prepare(row)[promptfoo.ERROR] == error


def test_what_promptfoo_compares_with_is_equality_first() -> None:
    held: Plain = [
        {"type": "contains", "value": "b"},
        {"type": "llm-rubric", "value": "kind"},
        {"type": "equals", "value": None},
        {"type": "equals", "value": "a"},
    ]
    listed = promptfoo.parse_row({"assert": held}).details()
    assert (listed.expected, listed.wanted) == ("a", ("a", "b"))
    own = promptfoo.parse_row({"testCase": {"assert": held[:1]}, "assert": held}).details()  # type: ignore[index]
    assert (own.expected, own.wanted) == ("b", ("b",))


@pytest.mark.parametrize(
    ("component", "name", "kind"),
    [
        ({"assertion": {"type": "equals", "value": "a  b\nc"}}, "equals a b c", "equals"),
        ({"assertion": {"type": "equals", "value": "x" * 60}}, f"equals {'x' * 60}", "equals"),
        ({"assertion": {"type": "equals", "value": "x" * 61}}, f"equals {'x' * 59}…", "equals"),
        ({"assertion": {"type": "is-json", "value": {"a": 1}}}, 'is-json {"a": 1}', "is-json"),
        ({"assertion": {"type": "is-json"}}, "is-json", "is-json"),
        ({"assertion": {"type": "equals", "value": "a", "metric": "exact"}}, "exact", "equals"),
        ({"metadata": {"assertionSet": {"metric": "all", "type": "assert-set"}}}, "all", "assert-set"),
        ({}, "assertion", "assertion"),
    ],
)
def test_assertions_of_promptfoo_are_named_so_that_they_differ(component: Table, name: str, kind: str) -> None:
    row: Table = {"gradingResult": {"componentResults": [component]}}
    (grader,) = inside(promptfoo.prepare(row), promptfoo.GRADERS)
    assert (grader["name"], grader["type"]) == (name, kind)


def test_variables_of_the_run_are_left_out() -> None:
    given: Table = {"q": 1, "_conversation": [], "__evalId": "x", "sessionId": "s"}
    assert promptfoo.prepare({"vars": given})["vars"] == {"q": 1, "sessionId": "s"}
    assert promptfoo.prepare({"vars": given, "response": {"sessionId": "s"}})["vars"] == {"q": 1}
    assert promptfoo.prepare({"vars": given, "response": {"sessionId": "t"}})["vars"] == {"q": 1, "sessionId": "s"}
    assert promptfoo.prepare({"vars": {"sessionId": None}})["vars"] == {"sessionId": None}
    assert promptfoo.prepare({"vars": "x"})["vars"] == "x"


CALL: Table = {"id": "1", "function": {"name": "look", "arguments": "{}"}}


@pytest.mark.parametrize(
    ("response", "done"),
    [
        ({"output": "x"}, None),
        ({"output": [CALL, {"id": "2"}]}, [{"role": "assistant", "content": "", "tool_calls": [CALL]}]),
        ({"output": {"tool_calls": [CALL]}}, [{"role": "assistant", "content": "", "tool_calls": [CALL]}]),
        ({"output": {"content": "x"}}, None),
        (
            {"output": "x", "metadata": {"toolCalls": [{"name": "look", "input": 1, "odd": 2}, {"input": 3}]}},
            [
                {"role": "assistant", "content": "", "tool_calls": [{"tool": "look", "input": 1}]},
                {"role": "assistant", "content": "x"},
            ],
        ),
    ],
)
def test_calls_of_an_answer_of_promptfoo(response: Table, done: Plain) -> None:
    assert promptfoo.prepare({"response": response})[promptfoo.DONE] == done


def test_a_call_of_a_sub_agent_and_why_it_failed() -> None:
    why: Plain = [{"type": "text", "text": "no such file"}]
    calls: list[Plain] = [
        {"id": "a", "name": "Task", "input": {"subagent_type": "reader"}, "parentToolUseId": None},
        {"id": "b", "name": "Read", "is_error": True, "output": why, "parentToolUseId": "a"},
        {"id": "c", "name": "Loop", "parentToolUseId": "c"},
    ]
    done = as_list(promptfoo.prepare({"response": {"metadata": {"toolCalls": calls}}})[promptfoo.DONE])
    found = [as_table(call) for call in as_list(as_table(done[0])["tool_calls"])]
    assert [(call.get("depth"), call.get("agent"), call.get("error")) for call in found] == [
        (None, None, None),
        (1, "reader", "no such file"),
        (None, None, None),
    ]
