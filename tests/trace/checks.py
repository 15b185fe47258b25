"""The trajectory checks that a sample declares, for tests."""

from sampleui.formats.data import Table
from sampleui.trace.trajectory_checks import TrajectoryCheck, check_of, declared, with_nested


def checks_of(data: Table, context: Table) -> tuple[TrajectoryCheck, ...]:
    """Return the checks of a sample, given the values of its file, in the order in which they are declared."""
    return tuple(check for entry in with_nested(declared(data, context)) if (check := check_of(entry)) is not None)
