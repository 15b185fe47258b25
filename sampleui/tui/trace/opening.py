"""From a results file to the trace screen."""

from __future__ import annotations

from sampleui.errors import ResultsError
from sampleui.runs import Run
from sampleui.settings import Settings


def run_trace(run: Run, settings: Settings, record_id: str | None = None) -> int:
    """Show the records of a run, from the one with an id on, and return the exit code.

    Raises:
        ResultsError: when there is no such record.
        SettingsError: when keys are bound to a command that no screen has.
    """
    from sampleui.tui.app import SampleUI
    from sampleui.tui.opening import check_bound_keys
    from sampleui.tui.screens.trace import TraceScreen
    from sampleui.tui.terminal.ending import run_app

    check_bound_keys(settings)
    index = 0 if record_id is None else run.find(record_id)
    if index is None:
        raise ResultsError(f"there is no record {record_id}", run.path)
    return run_app(SampleUI(lambda: TraceScreen(run, settings, index), settings))
