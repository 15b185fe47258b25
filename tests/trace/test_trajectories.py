"""Whose rules a record is checked by, and that AgentV's are AgentV's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.trace.reading.extract import read_trace
from sampleui.trace.trajectory_checks import check_record

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parent / "vectors" / "agentv.jsonl").read_text(encoding="utf-8").splitlines()
]
"""What AgentV 4.42.4 scored: an assertion, the calls that a provider gave out; no score where it left it out."""


def ran(calls, **more):
    return {"id": "r", "output_messages": [{"role": "assistant", "content": "x", "tool_calls": calls}], **more}


def checked(record, *assertions, context=None):
    listed = [{"name": f"t{at}", "type": "tool-trajectory", **one} for at, one in enumerate(assertions)]
    return check_record(record, read_trace(record, Path()), {"assertions": listed}, context or {})


def test_agentv_s_runs_are_scored_as_agentv_scores_them():
    assert len(VECTORS) == 110
    for vector in VECTORS:
        (found,) = checked(ran(vector["calls"], execution_status="ok"), vector["entry"])
        assert found.passed is vector["passed"], vector
        assert vector["passed"] is None or found.score == pytest.approx(vector["score"], abs=1e-6), vector


def test_a_mode_that_is_no_text_is_none():
    (found,) = checked(ran([{"tool": "a"}]), {"mode": ["superset"], "expected": [{"tool": "a"}]})
    assert found.misses == ("mode ['superset'] is none of any_order, in_order, exact",)


EXTRA = {"mode": "exact", "expected": [{"tool": "a"}, {"tool": "b"}]}
CALLS = [{"tool": "a"}, {"tool": "b"}, {"tool": "c"}]


@pytest.mark.parametrize(
    "says",
    [
        {"execution_status": "quality_failure"},
        {"projection_identity": {"schema_version": "agentv.projection_identity.v1"}},
        {"schema_version": "agentv.transcript.v1"},
    ],
)
def test_a_record_says_that_agentv_wrote_it(says):
    (theirs,) = checked(ran(CALLS, **says), EXTRA)
    assert (theirs.passed, theirs.misses) == (True, ("call 3 is c, none expected (AgentV does not count it)",))


def test_any_other_record_is_checked_by_the_specification():
    (ours,) = checked(ran(CALLS), EXTRA)
    assert ours.score == pytest.approx(2 / 3) and not ours.passed
    (only_agentv_has_it,) = checked(ran(CALLS), {"mode": "superset", "expected": [{"tool": "c"}]})
    assert only_agentv_has_it.passed


def test_a_transcript_is_agentv_s_and_a_call_that_took_as_long_as_its_run_has_no_time_of_its_own():
    line = {"schema_version": "agentv.transcript.v1", "test_id": "r", "target": "m", "transcript_duration_ms": 90}
    calls = [{"tool": "a", "duration_ms": 90}, {"tool": "a", "duration_ms": 20}]
    rows = [{**line, "message_index": 0, "role": "assistant", "content": "x", "tool_calls": calls}]
    quick = {"mode": "exact", "expected": [{"tool": "a", "max_duration_ms": 10}] * 2}
    (found,) = checked({"id": "r", "transcript": rows}, quick)
    assert found.misses == ("a: took 20 ms, at most 10 allowed",)
    assert found.score == pytest.approx(2 / 3)


def test_members_of_a_composite_are_those_that_agentv_takes():
    member = {"type": "tool-trajectory", **EXTRA, "negate": True}
    members = [{"name": "in", **member}, member, {"name": "old", **member, "type": "tool_trajectory"}]
    entry = {"name": "all", "type": "composite", "assertions": members}
    record = ran(CALLS, execution_status="ok")
    found = check_record(record, read_trace(record, Path()), {"assertions": [entry]}, {})
    assert [(one.name, one.passed) for one in found] == [("in", True)]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        ({"id": "r", "output": "x"}, "the record has no trace"),
        ({"id": "r", "execution_status": "ok", "trace": {"event_count": 3}}, "the record has no trace"),
        (
            {"id": "r", "output": [{"role": "assistant", "content": "x"}]},
            "the record keeps its answer, and not what was called",
        ),
        (ran([], execution_status="execution_error"), "the run failed before it was graded"),
    ],
)
def test_a_check_that_cannot_be_made_says_why(record, why):
    (found,) = checked(record, EXTRA)
    assert (found.name, found.mode, found.passed, found.hits, found.misses) == ("t0", "exact", None, (), (why,))


def test_a_trace_without_events_is_a_trace():
    assert checked({"id": "r", "trace": []}, EXTRA)[0].score == 0


@pytest.mark.parametrize(
    ("match", "given", "passes"),
    [
        (["q"], {"q": 1, "r": 9}, True),
        (["q"], {"q": 2, "r": 2}, False),
        (["q", "s.t"], {"q": 1}, False),
        (["s.t"], {"s": {"t": 3, "u": 4}}, True),
        (["nowhere"], {"q": 5}, True),
        ([""], {"q": 1, "r": 2, "s": {"t": 3}}, True),
        ([""], {"q": 1, "r": 2}, False),
        ("superset", {"q": 1, "r": 2, "s": {"t": 3}, "more": 0}, True),
        ("superset", {"q": 1}, False),
        ("subset", {"q": 1}, True),
        ("subset", {"q": 1, "more": 0}, False),
        ("ignore", {}, True),
        ("odd", {"q": 1, "r": 2, "s": {"t": 3}}, True),
        ("odd", {"q": 1}, False),
        ("subset", "no table", False),
    ],
)
def test_arguments_match_as_agentv_matches_them(match, given, passes):
    wanted = {"tool": "a", "args": {"q": 1, "r": 2, "s": {"t": 3}}, "args_match": match}
    record = ran([{"tool": "a", "input": given}], execution_status="ok")
    (found,) = checked(record, {"mode": "exact", "expected": [wanted]})
    assert found.passed is passes
