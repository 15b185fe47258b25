"""Which rows of a trace stand as one, and which are shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from sampleui.trace.events import parse_event
from sampleui.trace.timeline import timeline
from sampleui.trace.tree import Outline, PartKind, part_summary
from tests.quick import within
from tests.trace.test_nesting import call, said, span, trees


def rows_of(*entries):
    return timeline([event for entry in entries if (event := parse_event(entry)) is not None])


def by(role, text, **more):
    return {"type": "message", "text": text, "metadata": {"role": role}, **more}


def research(number, **more):
    """A call of a sub-agent that answers after a question, three calls and one that failed."""
    name = f"r{number}"
    inner = {"parent": name, "agent": "researcher"}
    return [
        call("research", id=name, input={"input": f"find {number}"}, duration_ms=250, **more),
        by("user", f"find {number}", **inner),
        *(call("search", id=f"{name}-{at}", output="3 hits", **inner) for at in range(3)),
        call("search", id=f"{name}-bad", error="index is down", **inner),
        by("assistant", f"it is {number}", **inner),
        {"type": "tool_result", "id": name, "output": f"it is {number}"},
    ]


def drawn(outline, rows):
    """Return the lines as text: numbers, and of a part its kind and name."""
    parts = outline.parts
    return [
        str(rows[line].number)
        if line >= 0
        else f"{parts[~line].kind}{parts[~line].name and ' ' + parts[~line].name}"
        for line in outline.lines
    ]


def test_a_sub_agent_stands_folded_under_the_call_that_began_it_and_its_result_below():
    rows = rows_of(said(), *research(1), said())
    outline = Outline(rows)
    assert drawn(outline, rows) == ["1", "2", "agent researcher", "9", "10"]
    outline.turn(0)
    assert drawn(outline, rows) == ["1", "2", "agent researcher", "3", "calls", "7", "8", "9", "10"]
    summary = part_summary(rows, outline.parts[0])
    assert (summary.name, summary.task, summary.calls, summary.failures, summary.last, summary.took_ms) == (
        "researcher", "find 1", 4, 1, "it is 1", 250,
    )  # fmt: skip


def test_an_agent_that_goes_on_behind_its_call_took_as_long_as_its_own_events():
    at = "2026-01-01T00:00:0{}Z".format
    inside = [said(parent="1", agent="a", timestamp=at(1)), said(parent="1", agent="a", timestamp=at(3))]
    rows = rows_of(said(), call("task", id="1", timestamp=at(1), duration_ms=20), *inside)
    assert part_summary(rows, Outline(rows).parts[0]).took_ms == 2000
    rows = rows_of(said(), call("task", id="1", timestamp=at(1), duration_ms=9000), *inside)
    assert part_summary(rows, Outline(rows).parts[0]).took_ms == 9000


def test_a_stretch_of_calls_that_went_well_is_one_row_and_a_failure_ends_it():
    calls = [call("a", output=1), call("b", output=2), by("assistant", "Now c."), call("c", output=3)]
    rows = rows_of(by("user", "go"), *calls, call("d", error="no"), *calls[:2], by("user", "so?"))
    outline = Outline(rows)
    assert drawn(outline, rows) == ["1", "calls", "6", "7", "8", "9"]
    assert part_summary(rows, outline.parts[0]).tools == {"a": 1, "b": 1, "c": 1}


def test_what_is_said_at_length_is_not_within_a_stretch():
    rows = rows_of(*[call(output=1)] * 3, by("assistant", "x" * 200), *[call(output=1)] * 3)
    assert drawn(Outline(rows), rows) == ["calls", "4", "calls"]


def test_a_trace_of_calls_alone_is_shown():
    rows = rows_of(*[call(output=1)] * 9)
    assert Outline(rows).lines == [*range(9)]


def test_what_is_all_there_is_is_shown_and_so_are_steps_but_no_agents():
    rows = rows_of(
        span("agent", "boss", id="root"),
        span("task", "plan", id="t", parent="root"),
        said("x", parent="t"),
        span("agent", "helper", id="h", parent="root"),
        said("y", parent="h"),
    )
    assert drawn(Outline(rows), rows) == ["1", "2", "3", "4"]


def test_turns_of_the_runs_own_agent_are_shown_and_agents_side_by_side_are_folded():
    turns = [span("agent", "boss", id="1"), said(parent="1"), span("agent", "boss", id="2"), said(parent="2")]
    assert Outline(rows_of(*turns)).lines == [0, 1, 2, 3]
    others = [span("agent", "a", id="1"), said(parent="1"), span("agent", "b", id="2"), said(parent="2")]
    assert Outline(rows_of(*others)).lines == [0, 2]


def test_a_handoff_that_no_call_began_stands_as_an_agent_of_its_own():
    rows = rows_of(said("x", agent="triage"), said("y", agent="billing"), said("z", agent="billing"), said("w"))
    assert [row.agent for row in rows] == ["", "billing", "billing", ""]
    assert drawn(Outline(rows), rows) == ["1", "agent billing", "4"]


def test_what_happened_in_a_call_itself_is_folded_into_its_row():
    rows = rows_of(call("fetch", id="1"), call("http", parent="1"), call("http", parent="1", error="503"), said())
    outline = Outline(rows)
    assert outline.lines == [0, 3] and outline.parts[0].kind is PartKind.INSIDE
    outline.reveal(2)
    assert outline.lines == [0, 1, 2, 3]


def test_levels_fold_from_the_innermost_out_and_parents_are_gone_to():
    rows = rows_of(*research(1), said())
    outline = Outline(rows)
    outline.reveal(3)
    assert "5" in drawn(outline, rows)
    agent, calls = ~0, ~1
    assert [outline.parent(line) for line in (3, calls, agent, 0)] == [calls, agent, 0, None]
    assert outline.fold_level() and "calls" in drawn(outline, rows) and "5" not in drawn(outline, rows)
    assert outline.fold_level() and drawn(outline, rows) == ["1", "agent researcher", "8", "9"]
    assert not outline.fold_level()


def test_a_part_alone_is_a_trace_of_its_own():
    rows = rows_of(said(), *research(1), said())
    outline = Outline(rows)
    outline.zoom(0)
    assert drawn(outline, rows) == ["3", "calls", "7", "8"]
    assert outline.parent(2) is None and not outline.fold_level()


@given(trees(), st.data())
def test_any_row_of_any_tree_is_shown_once_it_is_revealed_and_lines_stay_in_order(tree, data):
    events, _ = tree
    rows = timeline(events)
    outline = Outline(rows)
    for part in outline.parts:
        assert 0 <= part.start < part.end <= len(rows)
        assert all(row.depth >= part.depth for row in rows[part.start : part.end])
        for other in outline.parts:  # they nest, and never cross
            inner = range(max(part.start, other.start), min(part.end, other.end))
            assert not inner or inner in (range(*part[:2]), range(*other[:2]))
    for _ in range(3):
        row = data.draw(st.integers(0, len(rows) - 1))
        outline.reveal(row)
        assert outline.lines[outline.place(row)] == row
        shown = [line for line in outline.lines if line >= 0]
        assert shown == sorted(set(shown))
        outline.turn(*(index for index in range(len(outline.parts)) if data.draw(st.booleans())))
    while outline.fold_level():
        pass
    assert all(not outline.is_open(part) for part in map(outline.part_of, outline.lines) if part is not None)


def test_a_fold_stays_on_its_event_in_a_trace_that_has_grown_and_on_none_of_another_trace():
    folds = {}
    before = Outline(rows_of(said(), *research(1), *research(2), said()), folds)
    before.turn(next(index for index, part in enumerate(before.parts) if part.within == 10 - 1))
    late = [call("search", parent="r1", agent="helper"), *research(3)]
    grown = rows_of(said(), *research(1), *research(2), said(), *late)
    outline = Outline(grown, folds)
    opened = [part for index, part in enumerate(outline.parts) if outline.is_open(index)]
    assert [grown[part.within].event.id for part in opened] == ["r2"]
    assert len(outline.parts) > len(before.parts) and outline.parts.index(opened[0]) != 2
    other = rows_of(*research(7), *research(8), *research(9))
    assert not any(map(Outline(other, folds).is_open, range(len(Outline(other).parts))))


def test_what_was_folded_by_hand_stays_folded_when_it_is_no_longer_all_there_is():
    folds = {}
    inside = [span("task", "plan", id="t"), said(parent="t"), call("a", parent="t")]
    before = Outline(rows_of(*inside), folds)
    before.turn(0)
    grown = Outline(rows_of(*inside, call("b", parent="t"), said()), folds)
    assert before.lines == [0] and grown.lines == [0, 4]


def test_10_000_sub_agents_fold_and_unfold_at_once():
    entries = [
        event
        for at in range(10_000)
        for event in (call(id=f"c{at}"), *(said(parent=f"c{at}", agent=f"a{at}") for _ in range(3)))
    ]
    rows = rows_of(*entries)
    outline = Outline(rows)
    with within(1):
        outline.turn(*range(10_000))
        assert len(outline.lines) == 50_000
        assert outline.fold_level()
    assert len(outline.lines) == 20_000


def test_a_chain_of_500_agents_unfolds_down_to_the_last():
    entries = [call(id="0")]
    entries += [call(id=str(at), parent=str(at - 1), agent=f"a{at}") for at in range(1, 500)]
    rows = rows_of(*entries)
    outline = Outline(rows)
    assert len(outline.lines) == 2
    outline.reveal(499)
    assert rows[outline.lines[-1]].agent == "a499"
    levels = 0
    while outline.fold_level():
        levels += 1
    assert levels == 499
