"""How events nest: by parents, by depth, and who did what."""

from __future__ import annotations

from itertools import count

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sampleui.trace.events import parse_event
from sampleui.trace.golden import align
from sampleui.trace.nesting import nesting
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.summary import summarize
from sampleui.trace.timeline import calls_of, timeline


def parsed(*entries):
    return tuple(parse_event(entry) for entry in entries)


def call(name="run", **more):
    return {"type": "tool_call", "name": name, **more}


def said(text="hi", **more):
    return {"type": "message", "text": text, **more}


def span(kind, name="", **more):
    return {"type": "model_step", "span": kind, "name": name, **more}


def placed(events):
    """Return the numbers of the rows of a timeline, indented by their depth, with who did it."""
    return [f"{' ' * row.depth}{row.number} {row.agent}".rstrip() for row in timeline(events)]


def test_what_happened_in_a_call_stands_below_it_and_its_result_after_that():
    events = parsed(
        call("research", id="1"),
        {"type": "tool_result", "id": "1", "output": "42"},
        said("go", parent="1", agent="researcher"),
        call("search", id="2", parent="1", agent="researcher"),
        {"type": "tool_result", "id": "2", "output": "3 hits"},
        said("done"),
    )
    assert placed(events) == ["1", " 3 researcher", " 4 researcher", "  5 researcher", " 2", "6"]


def test_parallel_sub_agents_stand_each_under_its_own_call():
    events = parsed(
        call(id="1"),
        call(id="2"),
        said(parent="2", agent="b"),
        said(parent="1", agent="a"),
        said(parent="2", agent="b"),
    )
    assert placed(events) == ["1", " 4 a", "2", " 3 b", " 5 b"]
    assert [row.number for row in calls_of(events)] == [1, 2]


def test_agents_that_name_their_calls_alike_are_told_apart_by_depth():
    inner = [call(id="c", depth=1, parent="c", agent="a"), said(depth=2, parent="c", agent="b")]
    events = parsed(call(id="c"), *inner, said(depth=1, parent="c", agent="a"))
    assert placed(events) == ["1", " 2 a", "  3 b", " 4 a"]


def test_depth_alone_stands_for_the_last_call_that_is_less_deep():
    events = parsed(said(), call(id="1"), said(depth=1, agent="a"), call(depth=1, agent="a"), said(depth=7), said())
    assert placed(events) == ["1", "2", " 3 a", " 4 a", "  5 a", "6"]


def test_of_several_agents_that_none_is_around_each_is_named():
    first, second = span("agent", "a", id="1"), span("agent", "b", id="2")
    assert placed(parsed(first, said(parent="1"), second, said(parent="2"))) == ["1", " 2 a", "3", " 4 b"]


def test_an_agent_that_begins_anew_with_each_turn_is_the_runs_own():
    turns = [span("agent", "boss", id="1"), said(parent="1"), span("agent", "boss", id="2"), said(parent="2")]
    helper = [span("agent", "helper", id="3", parent="2"), said(parent="3")]
    assert placed(parsed(*turns, *helper)) == ["1", " 2", "3", " 4", " 5", "  6 helper"]


def test_of_several_agents_side_by_side_each_row_bears_the_name_below_them_too():
    events = parsed(
        said("go"),
        span("agent", "a", id="1"),
        call(id="c", parent="1"),
        said(parent="c", agent="helper"),
        span("agent", "a", id="2"),
        said(parent="2"),
        span("agent", "b", id="3"),
        said(parent="3", agent="b"),
    )
    assert placed(events) == ["1", "2", " 3 a", "  4 helper", "5", " 6 a", "7", " 8 b"]


def test_agents_that_hand_over_to_each_other_are_named_but_the_first():
    events = parsed(said(agent="triage"), said(agent="billing"), said(agent="triage"), said())
    assert placed(events) == ["1", "2 billing", "3", "4"]


def test_a_sub_agent_of_the_name_of_the_runs_own_bears_it():
    events = parsed(
        span("agent", "boss", id="1"),
        said(parent="1"),
        span("agent", "boss", id="2", parent="1"),
        said(parent="2"),
        said(parent="2", agent="boss"),
    )
    assert placed(events) == ["1", " 2", " 3", "  4 boss", "  5 boss"]


def test_what_is_cut_out_of_the_depth_of_a_trace_is_flat():
    assert placed(parsed(*[call(depth=2, agent="a"), said(depth=2, agent="a")] * 2)) == ["1", "2", "3", "4"]


def test_a_span_of_an_agent_names_who_does_what_is_in_it_and_the_root_is_not_named():
    events = parsed(
        span("agent", "boss", id="s1"),
        said(parent="s1"),
        span("agent", "helper", id="s2", parent="s1"),
        said(parent="s2"),
        said(parent="s1", agent="boss"),
    )
    assert placed(events) == ["1", " 2", " 3", "  4 helper", " 5"]


@pytest.mark.parametrize("parent", ["later", "gone", "own", 7])
def test_a_parent_that_is_not_before_its_event_is_no_parent_and_a_note_says_so(parent):
    record = {"trace": [call(id="own", parent=parent), call(id="later", parent="own")]}
    trace = read_trace(record, ".")
    assert nesting(trace.events).parents == [-1, 0]
    assert [(note.rule, note.message.split(":")[0]) for note in trace.diagnostics] == [
        ("trace-parent-unknown", "1 event")
    ]


def test_a_trace_that_says_nothing_of_nesting_is_flat():
    events = parsed(call(id="1"), said(), {"type": "tool_result", "id": "1", "output": "x"})
    assert nesting(events) == nesting(()) and placed(events) == ["1", " 3", "2"]


@pytest.mark.parametrize(
    "told", [{"depth": True}, {"depth": -1}, {"depth": "1"}, {"parent": None}, {"parent": [1]}]
)
def test_what_is_no_parent_and_no_depth_is_none(told):
    assert nesting(parsed(call(id="1"), said(**told), said(agent=3))).parents in ((), [-1, -1, -1])


def test_totals_never_add_a_parent_to_its_children():
    usage = {"token_usage": {"input": 10, "output": 1}, "cost_usd": 0.5}
    events = parsed(
        span("agent", id="a", token_usage={"input": 30, "output": 3}, cost_usd=1.5),
        span("step", id="b", parent="a", token_usage={"input": 20, "output": 2}),
        {"type": "model_step", "parent": "b", **usage},
        {"type": "model_step", "parent": "b", **usage},
        {"type": "model_step", "parent": "a", **usage},
        call(id="c", **usage),
    )
    summary = summarize(events)
    assert summary.tokens is not None
    assert (summary.tokens.input, summary.tokens.output, summary.cost_usd) == (40, 4, 2.0)


def test_a_parent_counts_where_nothing_in_it_does():
    events = parsed(span("agent", id="a", token_usage={"input": 30}), said(parent="a"))
    assert summarize(events).tokens.input == 30


@st.composite
def trees(draw):
    """Yield a random tree as events in a random order in which parents come first, and the parents."""
    size = draw(st.integers(1, 25))
    parents = [draw(st.integers(-1, index - 1)) for index in range(size)]
    kinds = [draw(st.sampled_from([call, lambda **more: span("task", **more)])) for _ in range(size)]
    agents = [draw(st.sampled_from(["", "a", "b"])) for _ in range(size)]
    events = [
        kinds[index](
            id=f"n{index}",
            **({} if parent < 0 else {"parent": f"n{parent}"}),
            **({"agent": agents[index]} if agents[index] else {}),
        )
        for index, parent in enumerate(parents)
    ]
    return parsed(*events), parents


@given(trees())
def test_any_tree_is_shown_as_it_was_told(tree):
    events, parents = tree
    assert list(nesting(events).parents or [-1] * len(events)) == parents
    rows = timeline(events)
    assert sorted(row.number for row in rows) == [*range(1, len(events) + 1)]
    around: list[int] = []
    for row in rows:
        del around[row.depth :]
        assert (around[-1] if around else -1) == parents[row.number - 1]
        around.append(row.number - 1)
    assert align(calls_of(events), calls_of(events)).distance == 0


def test_a_trace_500_deep_and_one_of_10_000_sub_agents_are_read():
    deep = parsed(call(id="0"), *(call(id=str(at), parent=str(at - 1)) for at in range(1, 500)))
    assert [row.depth for row in timeline(deep)] == [*range(500)]
    ids = count()
    wide = parsed(
        *(
            event
            for at in range(10_000)
            for event in (call(id=f"c{at}"), said(parent=f"c{at}", agent=f"agent {next(ids)}"))
        )
    )
    assert [row.depth for row in timeline(wide)] == [0, 1] * 10_000
