"""The trajectory checks of a sample, run on what a record did: both faces come through here.

Runs of a program that judges trajectories itself are judged by its rules, so that checks and scores agree; others
by the specification's. Types of assertions that only one program has are judged by its rules in any case.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sampleui.formats.data import Table
from sampleui.integrations import index
from sampleui.trace.checks.compare import run_check
from sampleui.trace.checks.declared import check_of, declared, kind_of, with_nested
from sampleui.trace.checks.found import TrajectoryResult
from sampleui.trace.reading.extract import Trace, untold
from sampleui.trace.timeline import Row, calls_of

if TYPE_CHECKING:
    from sampleui.integrations.integration import Trajectories


def check_record(record: Table, trace: Trace, data: Table, context: Table) -> tuple[TrajectoryResult, ...]:
    """Return what the trajectory checks of a sample say of a record; where `unchecked` says why, they say nothing.

    Args:
        record: the row as the results file gives it.
        trace: what the record did.
        data: the sample as the deck gives it.
        context: the values of the deck beside its samples.
    """
    why = unchecked(record, trace)
    runner = _runner(record, trace)
    taken = None if runner is None else runner.declared
    entries = with_nested((taken or declared)(data, context))
    calls = calls_of(trace.events) if runner is None else runner.calls(trace)
    found = (_checked(entry, calls, record, trace) for entry in entries)
    results = (result for result in found if result is not None)
    return tuple(TrajectoryResult.left_out(one.name, one.mode, why) if why else one for one in results)


def unchecked(record: Table, trace: Trace) -> str:
    """Return why there is no telling what a record called; empty if there is.

    That is a trace that is not there, or of which the record keeps the answer alone, and a run that its program did
    not grade.
    """
    runner = _runner(record, trace)
    return untold(trace) or ("" if runner is None else runner.ungraded(record))


def _runner(record: Table, trace: Trace) -> Trajectories | None:
    """Return the integration that judges trajectories and ran a record."""
    judges = (judge.trajectories() for judge in index.checkers())
    return next((one for one in judges if one.ran(record, trace)), None)


def _checked(entry: Table, calls: Sequence[Row], record: Table, trace: Trace) -> TrajectoryResult | None:
    checker = index.checker(kind_of(entry)).trajectories()
    found = checker.checked(entry, calls, checker.ran(record, trace))
    check = check_of(entry) if found is None else None
    return found if check is None else run_check(check, trace.events)
