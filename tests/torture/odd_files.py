"""Decks and results of values that no author means to write, in every format that can write them."""

from __future__ import annotations

import json
from collections.abc import Mapping

_TOML = """\
version = 1979-05-27
limits = { at = 07:32:00, when = 1979-05-27T07:32:00Z, rate = nan }

[[samples]]
id = "dates"
score = nan
when = 1979-05-27T07:32:00.999999
clock = 07:32:00
day = 1979-05-27
far = [inf, -inf, nan, 1979-05-27, [07:32:00]]
huge = 9223372036854775807
float = 1e308
deep = { day = 1979-05-27, list = [{ at = 07:32:00 }], empty = {}, none = [] }
messages = [{ role = "user", content = "a" }, { role = "assistant", content = "b" }]

[[samples]]
id = 1979-05-27
tags = [1, 2.5, 1979-05-27]
expected = 1979-05-27
[[samples.messages]]
role = "user"
content = 1979-05-27
[[samples.messages]]
role = 7
content = [{ type = "text", text = nan }, { type = "file", path = 07:32:00 }, 3]
[[samples.messages]]
role = "assistant"
tool_calls = [{ id = 1, function = { name = nan, arguments = 1979-05-27 } }, 7, []]
content = "a"

[[samples]]
messages = [{ role = "user", content = ["a", 1] }, { content = {} }]
metadata = 3
"""

_YAML = """\
defaults: &base {when: 2001-12-14, n: .nan, list: &list [1, ~, .inf]}
1: number key
~: null key
evalcases:
  - &first
    id: one
    criteria: ~
    input_messages: &turns
      - {role: user, content: a}
      - role: assistant
        content: [a, 1, ~, {type: text, value: ~}, {type: file, value: 3}]
    expected_messages: *turns
    2: two
    ? [a, b]
    : complex
  - id: 2001-12-14
    <<: *base
    when: 2001-12-14t21:59:43.10-05:00
    tag: !thing {x: !!binary aGVsbG8=}
    set: !!set {a, b}
    input: ~
    input_messages: *list
    assertions: [~, 3, {type: ~}, {type: contains, value: [~]}]
  - *first
  - id: [a, b]
    input_messages: {role: user, content: x}
    criteria: {a: 0x7fffffffffffffff, b: 1e400, c: .nan, d: 0o17}
    evaluators: 3
  - id: a
    input_messages:
      - {role: ~, content: ~}
      - {role: user, content: .nan, tool_calls: {a: ~}}
"""

_ODD: tuple[dict[str, object], ...] = (
    {"id": None, "messages": None, "score": None},
    {"id": ["a"], "messages": [None, 3, "a", ["b"]], "expected": [None]},
    {"id": 10**30, "messages": [{"role": None, "content": None}, {"role": "user", "content": [None, 3, {}, []]}]},
    {"id": "nan", "messages": [{"role": "user", "content": float("nan")}], "expected": float("inf"), "tags": {}},
    {"id": {"a": 1}, "messages": {"role": "user", "content": "a"}, "metadata": [[[[[None]]]]], "tags": "a"},
    {
        "id": "calls",
        "messages": [
            {"role": "assistant", "tool_calls": [None, 3, {"function": 3}, {"function": {"arguments": "{"}}]},
            {"role": "tool", "content": {"a": float("-inf")}, "tool_call_id": 10**25},
            {"role": ["user"], "content": "a", "name": [1]},
        ],
        "tools": [None, {"type": 3}],
        "": "",
    },
    {"id": True, "messages": [{"role": True, "content": False}], "expected": {"": None}},
)

_GAGE: tuple[dict[str, object], ...] = (
    {
        "id": 1,
        "schema_version": 2,
        "messages": [{"role": "user", "content": [{"type": "image", "id": 3}]}],
        "media": 3,
    },
    {"id": "c", "task_type": "multiple-choice", "options": {"A": None, "B": [1]}, "label": ["A"], "option_map": []},
    {
        "id": "d",
        "question": [{"type": "text", "value": None}, 3],
        "answer": {"a": 1},
        "references": 3,
        "tools": "a",
    },
    {"id": None, "task": 3, "question_type": None, "media": [None, {"path": 3}, "a"], "options": [None, 3]},
)

_CSV = "\ufeffid,messages,expected,when,,id\r\n" + "\r\n".join(
    (
        '1,"[{""role"": ""user"", ""content"": NaN}]",,1979-05-27,,2',
        ',"[{""role"": null, ""content"": 1e999}, 3]","[",,x',
        '"a\nb",nothing,"{}","",,,,more',
        ",,,,,",
    )
)

_MARKDOWN = """\
# Deck of decks

- ![odd](deck.toml) and [not a reference](odd.jsonl)
- ![](deck.yaml)
- ![again](deck.toml)
- ![missing](missing.toml)
- ![this](index.md)
- ![](table.csv)
"""


def _lines(rows: tuple[dict[str, object], ...]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


DECKS: Mapping[str, Mapping[str, str]] = {
    "toml": {"deck.toml": _TOML},
    "yaml": {"deck.yaml": _YAML},
    "jsonl": {"odd.jsonl": _lines(_ODD) + "{broken\n3\nnull\n"},
    "gage": {"gage.jsonl": _lines(_GAGE)},
    "json": {"odd.json": json.dumps({"samples": _ODD, "n": float("nan"), "": {"": []}}, indent=1)},
    "csv": {"table.csv": _CSV},
    "markdown": {
        "index.md": _MARKDOWN,
        "deck.toml": _TOML,
        "deck.yaml": _YAML,
        "odd.jsonl": _lines(_ODD),
        "table.csv": _CSV,
    },
}

_ODDITIES: tuple[object, ...] = (
    None,
    [],
    {},
    [None, 3],
    10**30,
    float("nan"),
    float("inf"),
    "",
    True,
    {"a": [{}]},
    -1,
)


def _run(**usual: object) -> str:
    """Return rows of results, each with one value in an odd place."""
    rows: list[object] = [usual]
    for key in usual:
        rows += [{**usual, "id": f"{key} {number}", key: odd} for number, odd in enumerate(_ODDITIES)]
    return "".join(json.dumps(row) + "\n" for row in rows)


_EVENT = {"type": "tool_call", "name": "a", "arguments": {"a": None}, "timestamp": 3}

RESULTS: Mapping[str, Mapping[str, str]] = {
    "agentv": {
        "agentv.jsonl": _run(
            timestamp="2026-01-01T00:00:00Z",
            test_id="a",
            score=0.5,
            output="a",
            target="x",
            input="q",
            scores=[{"name": "s", "score": 0.2, "verdict": "fail", "assertions": [{"text": "t", "passed": False}]}],
            trace=[_EVENT],
            output_messages=[{"role": "assistant", "content": "a", "tool_calls": [{"tool": "a"}]}],
            token_usage={"input": 1},
            cost_usd=0.1,
            duration_ms=3,
            error="e",
            execution_status="ok",
        )
    },
    "calibrate": {
        "calibrate.jsonl": _run(
            id="a",
            messages=[{"role": "user", "content": "a"}],
            expected="a",
            actual="b",
            score=1,
            truth=0,
            trace=[_EVENT, None, 3],
            tags=["a"],
        )
    },
    "rows": {
        "rows.jsonl": _run(
            id="a",
            input="q",
            output="a",
            expected="b",
            passed=False,
            score=0.5,
            reason="r",
            output_messages=[{"role": "assistant", "tool_calls": [{"function": {"name": 3}}]}],
        )
    },
    "promptfoo": {
        "promptfoo.json": json.dumps(
            {
                "evalId": "e",
                "config": None,
                "results": {
                    "version": 3,
                    "results": [
                        json.loads(line)
                        for line in _run(
                            success=False,
                            score=0.0,
                            vars={"a": 1},
                            response={"output": "a"},
                            prompt={"raw": "p"},
                            gradingResult={"pass": False, "componentResults": [{"pass": False, "assertion": None}]},
                            provider={"id": "echo"},
                            testIdx=0,
                            promptIdx=0,
                            latencyMs=3,
                            error="e",
                            testCase={"vars": {"a": 1}, "assert": [{"type": "equals", "value": 3}]},
                            namedScores={},
                        ).splitlines()
                    ],
                },
            }
        )
    },
    "inspect": {
        "inspect.json": json.dumps(
            {
                "version": 2,
                "status": "success",
                "eval": {"task": "t", "model": "m", "dataset": {}, "config": {}},
                "plan": {},
                "results": None,
                "samples": [
                    json.loads(line)
                    for line in _run(
                        id="a",
                        epoch=1,
                        input="q",
                        target="a",
                        output={"choices": [{"message": {"content": "a"}}]},
                        messages=[{"role": "user", "content": "q"}],
                        scores={"s": {"value": "I", "answer": "a"}},
                        events=[{"event": "tool", "function": "a", "arguments": None}],
                        error={"message": "e"},
                        metadata={"a": 1},
                        choices=["a"],
                        model_usage={"m": {"input_tokens": 3}},
                    ).splitlines()
                ],
            }
        )
    },
}
