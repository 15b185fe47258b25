"""promptfoo's assertions about trajectories: what its own code said of random calls, and what is left open."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sampleui.formats.data import Plain
from sampleui.integrations.promptfoo.trajectories import judged
from sampleui.trace.events import parse_event
from sampleui.trace.timeline import calls_of
from sampleui.trace.trajectory_checks import TrajectoryResult

VECTORS = [
    json.loads(line) for line in (Path(__file__).parent / "vectors" / "trajectories.jsonl").read_text().splitlines()
]
"""What the assertions of promptfoo 0.123.1 said: type, value, calls, whether it holds, null where it refuses it."""


def said(kind: str, value: Plain, *calls: list[Any], **more: Plain) -> TrajectoryResult:
    events = [
        parse_event({"type": "tool_call", "name": name, **({"input": given[0]} if given else {})})
        for name, *given in calls
    ]
    found = judged({"type": kind, "value": value, **more}, calls_of([event for event in events if event]))
    assert found is not None
    return found


def test_what_is_told_is_what_promptfoo_says() -> None:
    assert len(VECTORS) > 200
    told = [[kind, value, calls, said(kind, value, *calls).passed] for kind, value, calls, _ in VECTORS]
    assert told == [[kind, value, calls, bool(holds)] for kind, value, calls, holds in VECTORS]


@pytest.mark.parametrize(
    ("value", "given", "holds"),
    [
        ({"name": "a", "args": {"q": [1]}}, {"q": [1, 2]}, False),
        ({"name": "a", "args": {"q": [1, {"b": 2}]}}, {"q": [1, {"b": 2, "c": 3}], "n": 1}, True),
        ({"name": "a", "args": {"q": 1}, "mode": "exact"}, {"q": 1, "n": 1}, False),
        ({"name": "a", "args": {"q": 1}, "mode": "exact", "ignore": "n"}, {"q": 1, "n": 1}, True),
        ({"name": "a", "args": {"q": 1}, "mode": "exact", "ignore": ["N?*"]}, {"q": 1, "name": 1}, True),
        ({"name": "a", "args": {"q": 1}, "mode": "exact", "defaults": {"n": 1}}, {"q": 1, "n": 1}, True),
        ({"name": "a", "args": {"q": 1}, "mode": "exact", "defaults": {"n": 1}}, {"q": 1, "n": 2}, False),
        ({"name": "a", "args": {"n": 1}, "defaults": {"n": 1}}, {"n": 1}, False),
        ({"name": "a", "args": {"q": 1}}, '{"q": 1}', True),
    ],
)
def test_arguments_are_as_long_and_some_are_passed_over(value: Plain, given: Plain, holds: bool) -> None:
    assert said("trajectory:tool-args-match", value, ["a", given]).passed is holds


@pytest.mark.parametrize(
    ("kind", "value", "why"),
    [
        ("tool-used", "{{tool}}", "its value is a template"),
        ("tool-args-match", {"name": "a", "args": {"q": "{{q}}"}}, "its value is a template"),
        ("tool-used", "file://tools.json", "its value is another file"),
        ("step-count", {"type": "search", "min": 1}, "it counts more than calls of tools"),
        ("step-count", {"max": 3}, "it counts more than calls of tools"),
    ],
)
def test_what_the_calls_do_not_tell_is_open(kind: str, value: Plain, why: str) -> None:
    found = said(f"trajectory:{kind}", value, ["a"])
    assert (found.passed, found.misses) == (None, (why,))


@pytest.mark.parametrize(
    ("kind", "value", "calls", "hits", "misses"),
    [
        ("trajectory:tool-used", ["a", "b"], ["a"], ["a: called once, at least 1 wanted"],
            ["b: not called, at least 1 wanted"]),
        ("not-trajectory:tool-used", ["a", "b"], ["a"], ["b: not called, none wanted"],
            ["a: called once, none wanted"]),
        ("trajectory:tool-used", {"pattern": "file_*", "max": 1}, ["file_read", "File_Write"], [],
            ["file_*: called twice, at least 1 and at most 1 wanted"]),
        ("trajectory:tool-sequence", ["a", "b", "c"], ["a", "c", "b"], ["a: found as call 1", "b: found as call 3"],
            ["c: not called in order"]),
        ("trajectory:tool-sequence", {"mode": "exact", "steps": ["a", {"name": "b"}]}, ["a"], ["call 1 is a"],
            ["call 2 is missing, b expected"]),
        ("trajectory:tool-sequence", {"steps": [{"tool": "a"}]}, ["a"], [],
            ["a tool must have a name or a pattern"]),
        ("trajectory:tool-args-match", {"name": "a", "args": {"q": 1}}, ["a"], [],
            ["a: called once, q: 1 expected"]),
    ],
)  # fmt: skip
def test_it_is_said_in_words(kind: str, value: Plain, calls: list[str], hits: list[str], misses: list[str]) -> None:
    found = said(kind, value, *[[name] for name in calls], metric="m")
    assert (found.name, [*found.hits], [*found.misses]) == ("m", hits, misses)


def test_what_is_no_such_assertion_or_asks_a_model_is_not_judged() -> None:
    assert judged({"type": "contains", "value": "a"}, ()) is None
    assert judged({"type": "trajectory:goal-success", "value": "a"}, ()) is None
