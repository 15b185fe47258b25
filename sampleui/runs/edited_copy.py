"""A copy of a run with people's verdicts in its scores, written by the run's own program and read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Table
from sampleui.integrations.integration import EditedCopy
from sampleui.review.results.file import Results, open_results
from sampleui.runs.rerun.consent import ShownCall, agree, agreed, shown
from sampleui.runs.rerun.engine import called
from sampleui.runs.rerun.program import NotFound
from sampleui.settings.options import Settings
from sampleui.text.confined import is_file, is_there, project_root, read_whole
from sampleui.text.limits import MAX_LOG_BYTES
from sampleui.text.replacing import drafted, put_in_place
from sampleui.text.temporary import temporary_folder


def write_edited_copy(
    results: Results,
    edits: Sequence[Table],
    tool: EditedCopy,
    copy: Path,
    settings: Settings,
    *,
    is_agreed_to: Callable[[Sequence[ShownCall]], bool],
) -> bool:
    """Write a copy of a run with edits of its scores; tell whether that was agreed to and done.

    Args:
        results: the run, which is never written.
        edits: the edits.
        tool: how its program makes them.
        copy: where the copy goes; there is nothing yet.
        settings: those of the person.
        is_agreed_to: asks about calls that were not agreed to before.

    Raises:
        ResultsError: when the copy cannot be made, or does not have each of the edits.
    """
    if is_there(copy):
        raise ResultsError("there is something already; it stays as it is", copy)
    with temporary_folder("sampleui-verdicts-") as out:
        call, project = tool.call(results.path, edits, out), project_root(results.base_dir)
        asked = shown(call, project, settings.rerun_environment)
        if isinstance(asked, NotFound):
            raise ResultsError(asked.why, results.path)
        if asked.digest not in agreed(project):
            if not is_agreed_to([asked]):
                return False
            agree(project, [asked])
        ended, why = called(asked)
        new = tool.written(results.path, out)
        if why or not is_file(new):
            told = why or next((line for line in reversed(ended.lines) if line.strip()), "it wrote nothing")
            raise ResultsError(f"no copy was made: {told}", results.path)
        _check(new, results, edits, tool)
        try:
            with drafted(copy, read_whole(new, MAX_LOG_BYTES)) as draft:
                put_in_place(draft)
        except OSError as error:
            raise ResultsError(f"it cannot be written: {error.strerror or error}", copy) from error
    return True


def _check(new: Path, results: Results, edits: Sequence[Table], tool: EditedCopy) -> None:
    """Read a copy, and raise ResultsError where a record or an edit is missing."""
    read = open_results(new, scorer=results.scorer).indexed()
    if len(read.entries) != len(results.entries):
        raise ResultsError(f"the copy has {len(read.entries):,} records of {len(results.entries):,}", results.path)
    if lacking := tool.missing((read.record(entry.index) for entry in read.entries), edits):
        raise ResultsError(f"the copy lacks {lacking:,} of {len(edits):,} edits", results.path)
