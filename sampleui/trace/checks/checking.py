"""The trajectory checks of a sample, run on what a record did: both faces come through here.

AgentV's own runs are judged by AgentV's rules, so that checks and scores agree; others by the specification's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sampleui.formats.data import Plain, Table
from sampleui.sample.agentv_assertions import asserted, kind_of
from sampleui.trace.checks import promptfoo
from sampleui.trace.checks.compare import run_check
from sampleui.trace.checks.declared import NESTED, check_of, declared, with_nested
from sampleui.trace.checks.found import TrajectoryResult
from sampleui.trace.checks.trajectories import TRAJECTORY, judged
from sampleui.trace.events import Kind
from sampleui.trace.reading.extract import Source, Trace, untold
from sampleui.trace.timeline import Row, calls_of

_SIGNS = ("projection_identity", "execution_status", "executionStatus")
"""Keys of the rows that AgentV writes from version 4 on."""

_MODES = ("superset", "subset")
_MATCHES = ("superset", "subset")


def check_record(record: Table, trace: Trace, data: Table, context: Table) -> tuple[TrajectoryResult, ...]:
    """Return what the trajectory checks of a sample say of a record; where `unchecked` says why, they say nothing.

    Args:
        record: the row as the results file gives it.
        trace: what the record did.
        data: the sample as the deck gives it.
        context: the values of the deck beside its samples.
    """
    why = unchecked(record, trace)
    theirs = by_agentv(record, trace)
    entries = with_nested(_as_taken(asserted(data, context)) if theirs else declared(data, context))
    calls = _timed(trace) if theirs else calls_of(trace.events)
    found = (_checked(entry, calls, trace, theirs) for entry in entries)
    results = (result for result in found if result is not None)
    return tuple(TrajectoryResult.left_out(one.name, one.mode, why) if why else one for one in results)


def unchecked(record: Table, trace: Trace) -> str:
    """Return why there is no telling what a record called; empty if there is.

    That is a trace that is not there, or of which the record keeps the answer alone, and a run that AgentV did not
    grade since it failed.
    """
    ungraded = record.get("execution_status") == "execution_error" and not record.get("scores")
    return untold(trace) or "the run failed before it was graded" * ungraded


def by_agentv(record: Table, trace: Trace) -> bool:
    """Tell whether AgentV 4 or later wrote a record: its row says so, or its trace is a transcript of AgentV's."""
    told = any(record.get(key) is not None for key in _SIGNS)
    return told or trace.source is Source.TRANSCRIPT or str(record.get("schema_version")).startswith("agentv.")


def _timed(trace: Trace) -> tuple[Row, ...]:
    """Return the calls of a trace without times that are not theirs.

    A call of unknown duration has in AgentV's transcripts that of its message, or else that of the whole run.
    """
    wholes = {event.duration_ms for event in trace.events if event.type is Kind.MESSAGE}
    if trace.source is Source.TRANSCRIPT:
        wholes.add(trace.summary.duration_ms)
    calls = calls_of(trace.events)
    return tuple(call._replace(duration_ms=None) if call.duration_ms in wholes else call for call in calls)


def _as_taken(entries: Iterable[Table]) -> Iterator[Table]:
    """Yield assertions with the members that AgentV takes: named, of types with hyphens, and never negated."""
    for entry in entries:
        yield {key: _members(value) if key in NESTED else value for key, value in entry.items()}


def _members(listed: Plain) -> Plain:
    tables = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    taken = (one for one in tables if one.get("name") and "_" not in str(one.get("type")))
    return [*_as_taken({key: value for key, value in one.items() if key != "negate"} for one in taken)]


def _checked(entry: Table, calls: Sequence[Row], trace: Trace, theirs: bool) -> TrajectoryResult | None:
    if kind_of(entry) == TRAJECTORY and (theirs or _of_today(entry)):
        return judged(entry, calls)
    check = check_of(entry)
    return promptfoo.judged(entry, calls) if check is None else run_check(check, trace.events)


def _of_today(entry: Table) -> bool:
    """Tell whether a check is in words that the specification does not know and AgentV 4 does."""
    expected = entry.get("expected")
    calls = [entry, *(one for one in (expected if isinstance(expected, list) else []) if isinstance(one, dict))]
    return entry.get("mode") in _MODES or any(_is_of_today(one) for one in calls)


def _is_of_today(call: Table) -> bool:
    match: Plain = call.get("args_match", call.get("argsMatch"))
    return isinstance(match, list) or match in _MATCHES
