from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from sampleui.trace.events import parse_event
from tests.trace.checks import checks_of, judged
from tests.trace.strategies import plain

VECTORS = yaml.safe_load((Path(__file__).parent / "vectors" / "trajectories.yaml").read_text(encoding="utf-8"))


def made(*names, **more):
    return [parse_event({"type": "tool_call", "name": name, **more}) for name in names]


def check(data, context=None):
    (only,) = checks_of(data, context or {})
    return only


def evaluator(**entry):
    return {"execution": {"evaluators": [{"name": "t", "type": "tool_trajectory", **entry}]}}


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: f"{vector['mode']} {' '.join(vector['calls'])}")
def test_vector(vector):
    wanted = {key: vector[key] for key in ("minimums",) if key in vector}
    if "expected" in vector:
        wanted["expected"] = [{"tool": tool} for tool in vector["expected"]]
    outcome = judged(check(evaluator(mode=vector["mode"], **wanted)), made(*vector["calls"]))
    assert outcome.score == pytest.approx(vector["score"])
    assert outcome.passed is vector["passes"]


def test_hits_and_misses_are_told_in_words():
    outcome = judged(check(evaluator(mode="any_order", minimums={"a": 2, "b": 1})), made("a", "b"))
    assert outcome.hits == ("b: called once, at least 1 wanted",)
    assert outcome.misses == ("a: called once, at least 2 wanted",)

    wanted = [{"tool": "b"}, {"tool": "a"}, {"tool": "c"}]
    outcome = judged(check(evaluator(mode="in_order", expected=wanted)), made("a", "b"))
    assert outcome.hits == ("b: found as call 2",)
    assert outcome.misses == ("a: called only before call 2, out of order", "c: not called")

    outcome = judged(check(evaluator(mode="exact", expected=wanted)), made("b", "c"))
    assert outcome.misses == ("call 2: c called, a expected", "call 3 is missing, c expected")
    outcome = judged(check(evaluator(mode="exact", expected=[])), made("x"))
    assert outcome.misses == ("call 1 is x, none expected",)


def test_a_call_that_is_not_made_does_not_hide_those_after_it():
    wanted = [{"tool": tool} for tool in "abc"]
    assert judged(check(evaluator(mode="in_order", expected=wanted)), made("b", "c")).score == pytest.approx(2 / 3)


def test_arguments_and_outputs_are_held_in_part():
    wanted = [{"tool": "find", "input": {"q": "x", "in": {"a": [1]}}, "output": {"hits": [{"id": 1}]}}]
    chosen = check(evaluator(mode="in_order", expected=wanted))
    right = {
        "input": {"q": "x", "n": 5, "in": {"a": [1, 2], "b": 0}},
        "output": {"hits": [{"id": 1, "t": "z"}, {"id": 2}]},
    }
    assert judged(chosen, made("find", **right)).passed
    outcome = judged(chosen, made("find", **{**right, "input": {"q": "y", "in": {"a": []}}}))
    assert outcome.misses == ('find: q = "y", "x" expected; in.a[0] missing, 1 expected',)
    outcome = judged(chosen, made("find", **{**right, "output": None}))
    assert outcome.misses == ("find: in its output, value = null, hits: [{id: 1}] expected",)


def test_the_output_of_a_call_may_stand_in_its_result():
    events = [*made("a", id=1), parse_event({"type": "tool_result", "id": 1, "output": {"ok": True}})]
    assert judged(check(evaluator(mode="exact", expected=[{"tool": "a", "output": {"ok": True}}])), events).passed


def test_a_later_call_with_the_right_arguments_counts():
    chosen = check(evaluator(mode="in_order", expected=[{"tool": "a", "args": {"n": 2}}]))
    events = [*made("a", input={"n": 1}), *made("a", input={"n": 2})]
    assert judged(chosen, events).hits == ("a: found as call 2",)


@pytest.mark.parametrize(
    ("entry", "passes"),
    [
        ({"args": "any"}, True),
        ({"args": {"n": 1}, "args_match": "exact"}, False),
        ({"args": {"n": 1, "m": 2}, "args_match": "exact"}, True),
        ({"args": {"n": 7}, "argsMatch": "ignore"}, True),
        ({"max_duration_ms": 10}, False),
        ({"max_duration_ms": 11}, True),
        ({"args": {"n": True}}, False),
        ({"args": {"n": 1.0}}, True),
    ],
)
def test_what_else_may_be_asked_of_a_call(entry, passes):
    chosen = check(evaluator(mode="exact", expected=[{"tool": "a", **entry}]))
    assert judged(chosen, made("a", input={"n": 1, "m": 2}, duration_ms=11)).passed is passes


def test_more_than_once_is_twice():
    chosen = check(evaluator(mode="any_order", minimums={"a": 1.5}))
    assert not judged(chosen, made("a")).passed
    assert judged(chosen, made("a", "a")).passed


@pytest.mark.parametrize(
    "data",
    [
        evaluator(mode="sideways", expected=[]),
        evaluator(mode="exact", expected=[{"name": ""}]),
        evaluator(mode="any_order", minimums={"a": "two"}),
        evaluator(mode="any_order", minimums=[]),
    ],
)
def test_a_check_that_cannot_be_understood_fails_and_says_why(data):
    chosen = check(data)
    outcome = judged(chosen, made("a"))
    assert (outcome.passed, outcome.score, len(outcome.misses)) == (False, 0, 1)
    assert outcome.score == 0 and not outcome.passed


def test_where_checks_are_found():
    def entry(name):
        return {"name": name, "type": "tool-trajectory", "mode": "exact", "expected": []}

    context = {"execution": {"evaluators": [entry("file")]}, "assert": [entry("shared")]}
    names = lambda data: [judged(found, ()).name for found in checks_of(data, context)]  # noqa: E731
    assert names({}) == ["file", "shared"]
    assert names({"execution": {"evaluators": [entry("own")]}, "assertions": [entry("also")]}) == [
        "own",
        "also",
        "shared",
    ]
    assert names({"execution": {"skip_defaults": True}}) == ["file"]
    nested = {
        "assert": [{"type": "assert-set", "assert": [entry("inner")]}, {"type": "contains", "value": "x"}, "x"]
    }
    assert names(nested) == ["file", "inner", "shared"]


@given(plain)
def test_no_sample_is_too_strange(value):
    for data in (
        {"assert": value},
        {"execution": value},
        evaluator(expected=value, mode="exact"),
        evaluator(minimums=value),
    ):
        for chosen in checks_of(data, data):
            assert 0 <= judged(chosen, made("a")).score <= 1


@given(st.lists(st.sampled_from("abc"), max_size=6), st.lists(st.sampled_from("abc"), max_size=6))
def test_exact_implies_in_order_implies_any_order(calls, wanted):
    passes = [
        judged(check(evaluator(mode=mode, expected=[{"tool": tool} for tool in wanted])), made(*calls)).passed
        for mode in ("exact", "in_order", "any_order")
    ]
    assert passes == sorted(passes)
    assert passes[0] == (calls == wanted)
