"""A copy of a run with people's verdicts in its scores, written by the run's own program and read back.

The copy is a file of its own, or takes the place of the run, which somebody has to say twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from sampleui.errors import ResultsError, results_errors
from sampleui.formats.data import Table
from sampleui.integrations.integration import EditedCopy
from sampleui.review.results.file import Results, open_results
from sampleui.runs.rerun.engine import called
from sampleui.runs.rerun.program import NotFound
from sampleui.runs.rerun.trust import ShownCall, project_of, shown
from sampleui.settings.options import Settings
from sampleui.text.confined import is_file, is_free, is_link, read_whole, status_of
from sampleui.text.limits import MAX_LOG_BYTES
from sampleui.text.replacing import drafted, folders_held, put_in_place
from sampleui.text.temporary import temporary_folder
from sampleui.text.wording import counted

_UNWRITTEN = "it cannot be written: "


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
        results: the run, which is not written.
        edits: the edits.
        tool: how its program makes them.
        copy: where the copy goes; there is nothing yet.
        settings: those of the person.
        is_agreed_to: asks about the call, where its folder is not trusted.

    Raises:
        ResultsError: when the copy cannot be made, or does not have each of the edits.
    """
    with results_errors(copy, _UNWRITTEN):
        if not is_free(copy):
            raise ResultsError("there is something already; it stays as it is", copy)
    with _made(results, edits, tool, settings, is_agreed_to) as new:
        if new is not None:
            with results_errors(copy, _UNWRITTEN), drafted(copy, read_whole(new, MAX_LOG_BYTES)) as draft:
                put_in_place(draft)
        return new is not None


def edit_in_place(
    results: Results,
    edits: Sequence[Table],
    tool: EditedCopy,
    settings: Settings,
    *,
    is_agreed_to: Callable[[Sequence[ShownCall]], bool],
    is_wanted: Callable[[str], bool],
) -> bool:
    """Put a copy with edits of its scores in the place of a run; tell whether that was agreed to and done.

    Args:
        results: the run.
        edits: the edits.
        tool: how its program makes them.
        settings: those of the person.
        is_agreed_to: asks about the call, where its folder is not trusted.
        is_wanted: asks whether a sentence is meant, before anything is done and again before the run is replaced.

    Raises:
        ResultsError: when the run is a link or has another name, changed meanwhile, or the copy cannot be made, or
            does not have each of the edits. The run is as it was then.
    """
    path = results.path
    if not is_file(path) or is_link(path):
        raise ResultsError("only a file is edited in place, and no link to one", path)
    status = status_of(path)
    if status is not None and status.st_nlink > 1:
        raise ResultsError("it has another name (a hard link), which would keep the old scores", path)
    before = sha256(read_whole(path, MAX_LOG_BYTES)).digest()
    changed = f"{counted(len(edits), 'edit')} of scores"
    if not is_wanted(f"{path} itself is to be written, with {changed}, and no copy is kept"):
        return False
    with _made(results, edits, tool, settings, is_agreed_to) as new:
        if new is None or not is_wanted(
            f"the new log has all {counted(len(results.entries), 'record')} and {changed}"
        ):
            return False
        data = read_whole(new, MAX_LOG_BYTES)
        with (
            results_errors(path, _UNWRITTEN),
            folders_held([path]),
            drafted(path, data, trusted=path.absolute().parent) as draft,
        ):
            if sha256(read_whole(path, MAX_LOG_BYTES)).digest() != before:
                raise ResultsError("it changed meanwhile; nothing was written", path)
            put_in_place(draft)
    return True


@contextmanager
def _made(
    results: Results,
    edits: Sequence[Table],
    tool: EditedCopy,
    settings: Settings,
    is_agreed_to: Callable[[Sequence[ShownCall]], bool],
) -> Iterator[Path | None]:
    """Have a copy made and read it back; yield it, None where that was not agreed to. It is removed in the end."""
    with temporary_folder("sampleui-verdicts-") as out:
        call, project = tool.call(results.path, edits, out), project_of(results.base_dir)
        asked = shown(call, project, settings.rerun_environment)
        if isinstance(asked, NotFound):
            raise ResultsError(asked.why, results.path)
        if not is_agreed_to([asked]):
            yield None
            return
        ended, why = called(asked)
        new = tool.written(results.path, out)
        if why or not is_file(new):
            reason = why or next((line for line in reversed(ended.lines) if line.strip()), "it wrote nothing")
            raise ResultsError(f"no copy was made: {reason}", results.path)
        _check(new, results, edits, tool)
        yield new


def _check(new: Path, results: Results, edits: Sequence[Table], tool: EditedCopy) -> None:
    """Read a copy, and raise ResultsError where a record or an edit is missing."""
    read = open_results(new, scorer=results.scorer).indexed()
    if len(read.entries) != len(results.entries):
        raise ResultsError(f"the copy has {len(read.entries):,} records of {len(results.entries):,}", results.path)
    if lacking := tool.missing((read.record(entry.index) for entry in read.entries), edits):
        raise ResultsError(f"the copy lacks {lacking:,} of {len(edits):,} edits", results.path)
