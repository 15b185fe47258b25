"""The trajectory checks that a sample declares, for tests."""

from collections.abc import Sequence

from sampleui.formats.data import Table
from sampleui.trace.events import TraceEvent
from sampleui.trace.trajectory_checks import TrajectoryResult, declared, result_of, with_nested


def checks_of(data: Table, context: Table) -> tuple[Table, ...]:
    """Return the checks of a sample, given the values of its file, in the order in which they are declared."""
    return tuple(entry for entry in with_nested(declared(data, context)) if result_of(entry, ()) is not None)


def judged(entry: Table, events: Sequence[TraceEvent]) -> TrajectoryResult:
    """Return what a check says of a trace."""
    result = result_of(entry, events)
    assert result is not None
    return result
