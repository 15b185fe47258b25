"""Samples of every dialect with every field, and ways to spoil them."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

FULL: dict[str, dict[str, Any]] = {
    "calibrate": {
        "id": "a",
        "messages": [
            {"role": "user", "content": "hi", "name": "n", "tool_call_id": "t", "tool_calls": [{"id": "c"}]},
            {
                "role": "u",
                "content": [
                    {"type": "text", "text": "x", "value": "y"},
                    {"type": "file", "value": "p"},
                    {"type": "image_url", "image_url": {"url": "u"}},
                ],
            },
        ],
        "expected": {"score": 1},
        "score": 1.0,
        "description": "d",
        "tags": ["a"],
        "other": 1,
    },
    "agentv": {
        "id": "a",
        "input_messages": [
            {"role": "user", "content": {"a": 1}, "name": "n", "tool_calls": [{"id": "c"}]},
            {"role": "u", "content": [{"type": "text", "value": "x"}, {"type": "file", "value": "p"}]},
        ],
        "input": "hi",
        "vars": {"input": [{"role": "u", "content": "x"}], "x": 1},
        "input_files": ["f"],
        "expected_messages": [{"role": "assistant", "content": "x"}],
        "expected_output": "x",
        "expected_outcome": "x",
        "criteria": "x",
        "outcome": "o",
        "description": "d",
        "conversation_id": "c",
        "execution": {"target": "t"},
        "rubrics": ["a", {"id": "r"}],
        "evaluators": [{"name": "e"}],
        "assertions": ["a"],
        "assert": [{"type": "equals"}],
        "metadata": {"a": 1},
    },
    "gage": {
        "schema_version": "v1",
        "id": "a",
        "messages": [
            {
                "role": "user",
                "content": [{"type": "text", "text": "x"}, {"type": "file_url", "file_url": {"url": "u"}}],
                "tool_calls": [{"id": "c"}],
            }
        ],
        "references": ["a", {"answer": "b", "meta": {}}, {"answer": [{"type": "text", "text": "x"}]}],
        "task_type": "agent",
        "options": [{"id": "A", "content": "x"}],
        "label": "a",
        "few_shot_examples": [
            {
                "messages": [{"role": "user", "content": "x"}],
                "references": ["y"],
                "options": [{"id": "A", "content": "x"}],
                "label": "y",
                "tools": [{"type": "function", "function": {"name": "f"}}],
                "tool_choice": "auto",
            }
        ],
        "golden_trajectories": [[{"role": "assistant", "tool_calls": [{"id": "x"}]}]],
        "sandbox": {"image": "i", "files": {"a": "b"}, "setup": "s", "env": {}},
        "metadata": {},
        "data_tag": {},
        "raw_assets": {},
        "tools": [{"type": "function", "function": {"name": "f", "description": "d", "parameters": {}}}],
        "tool_choice": {"type": "function", "function": {"name": "f"}},
        "sampling_params": {},
        "generation_params": {},
        "eval_config": {},
        "unconditioned_input": "x",
        "predict_result": [],
        "eval_result": {},
    },
}

JUNK: list[Any] = [
    *(None, True, 3, -0.5, "", "x", " ", [], {}, [1], ["a"], {"a": 1}, [{}], [None], [""], "auto", "../x"),
    *({"role": "user"}, {"type": "text"}, {"url": "x"}, {"type": "function"}, [{"type": "zip"}]),
    *({"role": "user", "content": "hi"}, [{"role": "user", "content": "hi"}], {"role": "user", "content": ""}),
    *([{"type": "text", "text": "x"}], [{"type": "text", "value": "x"}], [{"type": "file", "value": "x"}]),
    *([{"type": "image_url", "image_url": "x"}], [{"type": "image_url", "image_url": {"url": "u"}}]),
    *({"input": "x"}, {"input": []}, {"input": 3}, {"input": [{"role": "u"}]}, {"input": None}),
]
KEYS = (
    *("type", "text", "value", "role", "content", "messages", "input", "sandbox", "few_shot_examples", "url"),
    *("image_url", "tool_calls", "predict_result", "answer", "files", "own"),
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every value inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in inside:
        yield (*path, step)
        yield from paths(item, (*path, step))


@st.composite
def spoilt(draw: st.DrawFn, dialect: str) -> dict[str, Any]:
    """Draw a sample with some of its fields, of which up to three values are gone, others, or have company."""
    whole = copy.deepcopy(FULL[dialect])
    kept = draw(st.sets(st.sampled_from(sorted(whole))))
    # Most samples are spoilt in one place; what a sample cannot do without is mostly there.
    needed = {"id", "messages", "input_messages", "schema_version", "references"} - draw(
        st.just(set()) | st.sets(st.sampled_from(["id", "messages", "input_messages", "references"]), max_size=1)
    )
    data = {key: value for key, value in whole.items() if key in kept | needed}
    for _ in range(draw(st.integers(0, 3))):
        if places := [*paths(data)]:
            _spoil(draw, data, draw(st.sampled_from(places)))
    return data


def _spoil(draw: st.DrawFn, data: Any, path: tuple[Any, ...]) -> None:
    holder = data
    for step in path[:-1]:
        holder = holder[step]
    way = draw(st.sampled_from(["other", "other", "gone", "company"]))
    junk = copy.deepcopy(draw(st.sampled_from(JUNK)))
    if way == "gone":
        del holder[path[-1]]
    elif way == "other":
        holder[path[-1]] = junk
    elif isinstance(holder, dict):
        holder[draw(st.sampled_from(KEYS))] = junk
    else:
        holder.insert(0, junk)
