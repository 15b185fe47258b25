"""How tests of AgentV are run again: what of a deck counts for what was agreed, and what its output tells."""

from __future__ import annotations

import pytest

from sampleui.integrations.agentv.rerun import _running, finished


@pytest.mark.parametrize(
    ("line", "done"),
    [
        ("0/3   🔄 sum | good", None),
        ("1/3   ✅ sum | good | 100% PASS | 246/254ms", 1),
        ("3/3   ❌ sum | good | 0% FAIL", 3),
        ("Using target: good", None),
    ],
)
def test_a_line_tells_how_many_tests_are_done(line, done):
    assert finished(line) == done


@pytest.mark.parametrize(
    "test",
    [
        {"id": "x", "assertions": [{"type": "code-grader", "command": "python3 x.py"}]},
        {"id": "x", "assertions": [{"type": "contains", "value": "{{ x }}"}]},
        {"id": "x", "input": "{{ x }}"},
        {"id": "x", "workspace": {"hooks": {"before_each": "x"}}},
        {"id": "x", "assertions": [{"type": "llm-grader", "prompt": "x.md"}]},
    ],
)
def test_what_of_a_test_may_run_something_counts_for_what_was_agreed(test):
    assert _running(test)


def test_what_a_test_merely_asks_and_compares_does_not_count():
    plain = [{"type": "contains", "value": "8"}, "says it"]
    assert _running({"id": "x", "criteria": "c", "input": "2+2?", "assertions": plain}) == {}
