"""Answers that are no texts are compared as promptfoo writes them: without blanks, keys in their order."""

from __future__ import annotations

import json

import pytest

from tests.command import ran


@pytest.mark.parametrize(
    ("output", "assertion", "passed"),
    [
        ({"a": 1, "b": [2]}, {"type": "contains", "value": '"a":1'}, True),
        ([1, 2], {"type": "equals", "value": "[1,2]"}, True),
        ({"a": 1}, {"type": "not-contains", "value": '": '}, True),
        ({"a": 1}, {"type": "equals", "value": {"a": 1.0}}, True),
        ({"a": 1}, {"type": "equals", "value": '{"a": 1}'}, False),
        ({"a": {}}, {"type": "regex", "value": r"^\{\S+\}$"}, True),
        (5, {"type": "equals", "value": "5"}, True),
        ('{"a": 1}', {"type": "contains", "value": '"a":1'}, False),
    ],
)
def test_an_answer_that_is_no_text_is_compared_as_promptfoo_writes_it(tmp_path, output, assertion, passed):
    test = {"description": "one", "vars": {"q": "x"}, "assert": [assertion]}
    config = {"prompts": ["{{q}}"], "providers": ["echo"], "tests": [test]}
    (tmp_path / "promptfooconfig.yaml").write_text(json.dumps(config))
    row = {
        **{
            "vars": {"q": "x"},
            "testCase": test,
            "provider": {"id": "echo"},
            "prompt": {"raw": "x", "label": "{{q}}"},
        },
        **{"success": passed, "score": int(passed), "failureReason": int(not passed), "testIdx": 0, "promptIdx": 0},
        "response": {"output": output},
    }
    (tmp_path / "out.json").write_text(json.dumps({"results": {"results": [row]}}))
    told = ran("regrade", tmp_path / "out.json", "--deck", tmp_path)
    assert told.code == (0 if passed else 1)
    assert ("passes still" if passed else "still fails") in told.out
