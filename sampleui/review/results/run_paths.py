"""Where runs are: which file of a folder lists its records, which runs are below a folder, which files are logs.

The index of integrations says by which file the folder of a run is known, and how the runs are named that are a
file each, as logs are. Nothing is ever written into the folder of a run.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, as_table
from sampleui.integrations.entry import RunFolder
from sampleui.integrations.index import integration, logs, logs_like, openers, run_files, run_folders, run_number
from sampleui.review.results.adapters import adapter_of
from sampleui.review.results.rerun_files import SUFFIX as RERUNS
from sampleui.review.results.rerun_files import rerun_in
from sampleui.review.results.sources import ResultSource
from sampleui.text.confined import (
    belongs,
    below,
    is_file,
    is_folder,
    is_link,
    listed,
    real_path,
    start_of,
    time_of_change,
)
from sampleui.text.limits import MAX_RUN_DEPTH, MAX_RUN_FOLDERS

_PASSED_OVER = (".git", "node_modules", ".indexes", ".cache")
"""Folders below one of runs in which no run is looked for, beside those of reruns."""


def log_suffixes() -> tuple[str, ...]:
    """Return how the names of logs end."""
    return tuple(log.suffix for _, log in logs() if log.suffix)


def is_log(path: Path) -> bool:
    """Tell whether a file is named or begins as a log does. Nothing is raised."""
    return bool(logs_like(path, start_of(path)))


def evaluation_at(path: Path) -> str:
    """Return the tool's own id of the evaluation of a log or of lines; empty for none. Nothing is raised."""
    if (start := start_of(path)) is None:
        return ""
    likely = (integration(name).results().evaluation(path, start) for name in logs_like(path, start))
    if found := next(filter(None, likely), ""):
        return found
    with contextlib.suppress(ValueError, RecursionError):
        row: Plain = json.loads(start.removeprefix(b"\xef\xbb\xbf").partition(b"\n")[0])
        adapter = adapter_of(row) if isinstance(row, dict) else None
        return "" if adapter is None else adapter.evaluation(as_table(row))
    return ""


FLAT = ("results.jsonl", "traces.jsonl")
"""Records that lie in a folder among other files."""

LOGS = (".reviews.jsonl", ".proposals.jsonl")
"""How the names of files end that this program writes beside results and decks."""
_NAMED = re.compile(r"(\d{4})-?(\d\d)-?(\d\d)[T_]?(\d\d)-?(\d\d)-?(\d\d)(?:-(\d{3})Z)?", re.ASCII)
"""When a run began, as its folder is named."""


def index_of(folder: Path) -> Path:
    """Return the file that lists the records of a run folder; of a folder of runs, that of the latest run.

    A folder is returned itself if it lists its records nowhere.

    Raises:
        ResultsError: if there is none, or when several could be meant.
    """
    index = own_index(folder)
    if index is not None:
        return index
    runs = runs_in(folder)
    if runs:
        return runs[0]
    if folder_source(folder) is not None:
        return folder
    files = [
        path
        for path in listed(folder).paths
        if path.suffix == ".jsonl" and not path.name.endswith(LOGS) and belongs(path)
    ]
    if len(files) == 1:
        return files[0]
    words = described(folder)
    if not (files or words) and record_files(folder):
        return folder if folder.name not in ("", "..") else real_path(folder)  # its log is named after it
    message = words or "holds no results (no index.jsonl)"
    if files:
        message = f"holds {len(files)} results files; name one of them"
    left_out = "".join(f"; {reason}" for reason in not_looked_into(folder))
    raise ResultsError(f"the folder {message}{left_out}", folder)


def described(folder: Path) -> str:
    """Say of a folder without results what it is, behind "the folder "; empty if nobody knows it."""
    words = (integration(name).results().describe_folder(folder) for name in openers())
    return next(filter(None, words), "")


def record_files(folder: Path) -> tuple[Path, ...]:
    """Return the JSON files in a folder, or where it has none in those below, by their names: each is a record.

    Products sort them by day or by customer. Hidden ones and links that lead out are left out, and so are folders
    that are hidden, links or of packages.
    """
    return _json_files(listed(folder).paths) or tuple(_files_below(folder))


def _files_below(folder: Path) -> Iterator[Path]:
    for looked, (here, folders, names) in enumerate(below(folder)):
        if looked > MAX_RUN_FOLDERS:
            return
        if here != folder:
            yield from _json_files(here / name for name in sorted(names))
        is_deep = len(here.relative_to(folder).parts) >= MAX_RUN_DEPTH
        folders[:] = [] if is_deep else sorted(filter(_is_looked_into, folders))


def _is_looked_into(name: str) -> bool:
    return not (name.startswith(".") or name == "node_modules" or name.endswith(RERUNS))


def _json_files(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(
        path for path in paths if path.suffix.lower() == ".json" and not path.name.startswith(".") and belongs(path)
    )


def not_looked_into(folder: Path) -> tuple[str, ...]:
    """Return, in words, which folders below a folder of runs are left out: links, and what cannot be read."""
    notes: list[str] = []
    if is_folder(folder) and own_index(folder) is None:
        for _ in _indexes(folder, notes):
            pass
    return tuple(notes)


def own_index(folder: Path) -> Path | None:
    """Return the file that lists the records of a run folder, or a folder that needs none; None for others."""
    if run_number(folder.name) is not None and folder_source(folder) is not None:
        return folder
    if (rerun := rerun_in(folder)) is not None:
        return folder / rerun.answers[0]
    plain = [folder_form.records for folder_form in reversed(run_folders()) if not folder_form.needs]
    named = [
        folder_form.records
        for folder_form in run_folders()
        if folder_form.needs and _is_kept_so(folder, folder_form)
    ]
    return next((folder / name for name in (*plain, *FLAT, *named) if belongs(folder / name)), None)


def folder_source(folder: Path) -> ResultSource | None:
    """Return the records in the folder of a run that lists them nowhere; None when it is not one."""
    sources = (integration(name).results().open_folder(folder) for name in openers())
    return next((source for source in sources if source is not None), None)


def runs_in(folder: Path) -> tuple[Path, ...]:
    """Return the indexes of the runs below a folder, and the logs, the latest first (`time_written`).

    A copy of a run is never the first of them.
    """
    return _original_first(_latest_first(_indexes(folder)))


def latest_of(path: Path) -> tuple[Path, ...]:
    """Return the indexes of the runs in a folder that stands for its latest run, latest first; else none."""
    return runs_in(path) if is_folder(path) and own_index(path) is None else ()


def runs_from(path: Path, opened: Path) -> tuple[Path, ...]:
    """Return the indexes of the runs that can be gone to from a run: those beside a path, and the one at the path.

    The path counts where the run was opened from it and lies elsewhere, as answers of a rerun do.

    Args:
        path: what was opened first.
        opened: the index of the run that is open now.
    """
    runs = sibling_runs(path)
    first = own_index(path) if is_folder(path) else path
    known = {index.absolute() for index in (*runs, opened)}
    return runs if first is None or first.absolute() in known else (*runs, first)


def sibling_runs(path: Path) -> tuple[Path, ...]:
    """Return the indexes of the runs below a folder of runs, or in the folder of a run or of a log; else none."""
    if latest := latest_of(path):
        return latest
    if is_log(path) or run_files().fullmatch(path.name):
        return _latest_first(_logs_in(path.absolute().parent))
    run = path if is_folder(path) else run_of(path)
    if run is None:
        return ()
    siblings = listed(run.absolute().parent).paths
    folders = [entry for entry in siblings if is_folder(entry) and not is_link(entry)]
    return _latest_first(
        index for run_folder in folders[:MAX_RUN_FOLDERS] if (index := own_index(run_folder)) is not None
    )


def runs_around(path: Path) -> tuple[Path, ...]:
    """Return the indexes of the runs that a run lies among, oldest first: of folders, of logs, or results files.

    The files of a folder are results if they end as the given one does, logs of reviews left out.
    """
    if siblings := sibling_runs(path):
        return siblings[::-1]
    if is_folder(path):
        return ()
    files = (other for other in listed(path.absolute().parent).paths if other.suffix == path.suffix)
    return _latest_first(file for file in files if not file.name.endswith(LOGS) and belongs(file))[::-1]


def run_name(index: Path, among: Path) -> str:
    """Return what a run is called among those below a folder, or beside another run."""
    run = (run_of(index) or index).absolute()
    home = among.absolute()
    return str(run.relative_to(home)) if run != home and run.is_relative_to(home) else run.name


def _latest_first(indexes: Iterable[Path]) -> tuple[Path, ...]:
    by_time = [(run_number(index.name) or 0, time_written(index), str(index), index) for index in indexes]
    return tuple(index for *_, index in sorted(by_time, reverse=True))


def _original_first(runs: tuple[Path, ...]) -> tuple[Path, ...]:
    """Return runs, latest first, so that the first is no copy of another.

    Tools name their runs by time or number. Where the first has no such name, or shares its time with another, the
    ids of their evaluations are looked at.
    """
    for index, run in enumerate(runs):
        rest = runs[index + 1 :]
        time = time_named(run)
        named = run_number(run.name) is not None or (time is not None and time not in map(time_named, rest))
        evaluation = "" if named or not rest else evaluation_at(run)
        originals = (other for other in rest if originality(other) < originality(run))
        if not evaluation or all(evaluation_at(other) != evaluation for other in originals):
            return (run, *runs[:index], *rest)
    return runs


def originality(index: Path) -> tuple[bool, float, int, str]:
    """Return what sorts the original of an evaluation first: named by its tool, written first, named in short."""
    run = run_of(index) or index
    return time_named(index) is None, time_of_change(index), len(run.name), str(index)


def time_written(index: Path) -> float:
    """Return when a run was written, in seconds since 1970: as its name says, or else as its file does.

    The time of a file is that of a copy or of a checkout as well, so that it comes second.
    """
    time = time_named(index)
    return time_of_change(index) if time is None else time.timestamp()


def time_named(index: Path) -> dt.datetime | None:
    """Return when a run was made as its name says, in UTC; None where that says nothing."""
    named = _NAMED.search((run_of(index) or index).absolute().name)
    if named is None:
        return None
    year, month, day, hour, minute, second, thousandths = (int(part or 0) for part in named.groups())
    try:
        return dt.datetime(year, month, day, hour, minute, second, thousandths * 1000, dt.UTC)
    except (ValueError, OverflowError):
        return None


def run_of(index: Path) -> Path | None:
    """Return the folder of the run that a file lists the records of, None for a results file of its own."""
    if run_number(index.name) is not None and is_folder(index):
        return index
    for kind in run_folders():
        name = Path(kind.records)
        if index.parts[-len(name.parts) :] == name.parts:
            folder = index.parents[len(name.parts) - 1]
            if not kind.needs or _is_kept_so(folder, kind):
                return folder
    return None


def base_of(index: Path) -> Path:
    """Return the folder that the paths of an index are relative to."""
    inner = {Path(folder.records).parent.name for folder in run_folders()} - {""}
    return index.parent.parent if index.parent.name in inner else index.parent


def _is_kept_so(folder: Path, kind: RunFolder) -> bool:
    return belongs(folder / kind.records) and any(is_file(folder / name) for name in kind.needs)


def _logs_in(folder: Path) -> Iterator[Path]:
    """Yield the runs in a folder that are a file: archives, JSON logs named by their date, others by their name."""
    for path in filter(belongs, listed(folder).paths):
        dated = path.suffix == ".json" and _NAMED.match(path.name) and is_log(path)
        if path.suffix in log_suffixes() or run_files().fullmatch(path.name) or dated:
            yield path


def _indexes(folder: Path, left_out: list[str] | None = None) -> Iterator[Path]:
    """Yield the indexes of the runs below a folder, and the logs; `left_out` is filled with what is left out."""

    def note(path: Path, reason: str) -> None:
        if left_out is not None:
            left_out.append(f"{path} is not looked into: {reason}")

    def refused(error: OSError) -> None:
        note(Path(error.filename), error.strerror or str(error))

    for looked, (here, folders, _) in enumerate(below(folder, refused)):
        index = own_index(here) if here != folder else None
        if index is not None:
            yield index
        else:
            yield from _logs_in(here)
        deep = len(here.relative_to(folder).parts) >= MAX_RUN_DEPTH
        if index is not None or deep or looked > MAX_RUN_FOLDERS:
            folders.clear()
        folders[:] = sorted(name for name in folders if name not in _PASSED_OVER and not name.endswith(RERUNS))
        for path in (here / name for name in folders):
            if is_link(path):
                note(path, "a link to a folder")
