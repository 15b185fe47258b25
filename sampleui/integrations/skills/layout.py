"""What runs of a skill leave in a folder: which folders are evals, configurations and runs, in all layouts in use.

A workspace has iterations; an iteration has a folder for each eval, sometimes below `runs/`; an eval has one for
each configuration, which is the only run or has `run-1`, `run-2`, … below it. Folders are called anything: what
makes a folder a run is what it holds. No link is followed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from sampleui.integrations.skills.skill import SKILL
from sampleui.text.confined import exists, is_file, is_folder, is_link, listed

ITERATION = re.compile(r"iteration-(\d{1,9})", re.ASCII)
_RUN = re.compile(r"run-(\d{1,9})", re.ASCII)
_EVAL = re.compile(r"eval-(\d{1,9})(?:-(.+))?", re.ASCII)
_OLDER = "runs"
OUTPUTS, GRADING, TRANSCRIPT, TIMING = "outputs", "grading.json", "transcript.md", "timing.json"
METADATA, BENCHMARK, FEEDBACK = "eval_metadata.json", "benchmark.json", "feedback.json"
_CONFIGURATIONS = frozenset({"with_skill", "without_skill", "old_skill", "new_skill", "baseline"})
MAX_RUNS = 20_000
"""Runs of one iteration that are read."""


class SkillRun(NamedTuple):
    """One run.

    Attributes:
        folder: its folder.
        eval_folder: that of its eval.
        configuration: what its configuration is called.
        number: which run of that it is, from 1; None where the configuration is the only run.
    """

    folder: Path
    eval_folder: Path
    configuration: str
    number: int | None

    def name(self, iteration: Path) -> str:
        """Return its path below an iteration."""
        return self.folder.relative_to(iteration).as_posix()


class FoundRuns(NamedTuple):
    """The runs below a folder, in the order of their names, and what is to be told of the others, a line each."""

    runs: tuple[SkillRun, ...]
    notes: tuple[str, ...] = ()


def iteration_of(folder: Path) -> Path:
    """Return the iteration that a folder is or lies in: its parent, where it is the folder of one eval."""
    around = folder.absolute().parent
    is_below = ITERATION.fullmatch(folder.name) is None and ITERATION.fullmatch(around.name)
    return folder.parent if is_below else folder


def is_run_folder(folder: Path) -> bool:
    """Tell whether a folder is an iteration, or holds runs that say so themselves, whatever it is called."""
    if ITERATION.fullmatch(folder.name) and (exists(folder / BENCHMARK) or any(_runs_below(folder))):
        return True
    some = islice(_runs_below(folder), 20)
    return any(
        run.configuration in _CONFIGURATIONS or exists(run.eval_folder / METADATA) or exists(run.folder / METADATA)
        for run in some
    )


def runs_of(folder: Path) -> FoundRuns:
    """Return the runs below an iteration, or below the folder of one eval."""
    notes: list[str] = []
    runs: list[SkillRun] = []
    for run in _runs_below(folder, notes):
        if len(runs) == MAX_RUNS:
            notes.append(f"more than {MAX_RUNS:,} runs; the others are left out")
            break
        runs.append(run)
    notes += [
        f"{own.name}/{GRADING} stands beside the configurations: it says of no run that it graded it, "
        "and counts for none"
        for own in dict.fromkeys(run.eval_folder for run in runs)
        if is_file(own / GRADING)
    ]
    return FoundRuns(tuple(runs), tuple(notes))


def eval_id_of(name: str) -> tuple[int | None, str]:
    """Return the number and the words in the name of an eval's folder."""
    named = _EVAL.fullmatch(name)
    return (None, name) if named is None else (int(named[1]), named[2] or "")


def _runs_below(folder: Path, notes: list[str] | None = None) -> Iterator[SkillRun]:
    """Yield the runs of the evals in a folder; if there are none, those of the folder as an eval."""
    some = False
    for home in (folder, folder / _OLDER):
        if home != folder and (is_link(home) or not is_folder(home)):
            continue
        for own in _folders(home, notes):
            if own == folder / _OLDER:
                continue
            for run in _of_eval(own, notes):
                some = True
                yield run
    if not some:
        yield from _of_eval(folder, notes)


def _of_eval(folder: Path, notes: list[str] | None) -> Iterator[SkillRun]:
    for configuration in _folders(folder, notes):
        numbered = [
            (int(match[1]), path)
            for path in _folders(configuration, notes)
            if (match := _RUN.fullmatch(path.name)) is not None
        ]
        for number, path in sorted(numbered):
            yield SkillRun(path, folder, configuration.name, number)
        is_named = _RUN.fullmatch(configuration.name) or configuration.name == OUTPUTS
        if not (numbered or is_named) and _holds_run(configuration):
            yield SkillRun(configuration, folder, configuration.name, None)


def described(folder: Path) -> str:
    """Say of a folder that is no run folder what it is, if it is a skill or a single run of an eval."""
    if is_file(folder / SKILL):
        name = f"{folder.absolute().name}-workspace"
        where = "beside it" if is_folder(folder.absolute().parent / name) else "where its evals were run"
        return f"is a skill; its runs are in {name}, {where}"
    if _holds_run(folder):
        return "is one run of an eval; name the folder of the eval, or that of its iteration"
    return ""


def _holds_run(folder: Path) -> bool:
    return is_folder(folder / OUTPUTS) or any(is_file(folder / name) for name in (GRADING, TRANSCRIPT, TIMING))


def _folders(folder: Path, notes: list[str] | None) -> Iterator[Path]:
    """Yield the folders in one, no links, and no folders that hold what a run has left."""
    found = listed(folder)
    if found.refusal is not None and notes is not None:
        notes.append(f"{folder.name}: {found.refusal.reason}")
    for path in sorted(found.paths, key=_in_order):
        if not is_folder(path) or path.name.startswith("."):
            continue
        if is_link(path):
            if notes is not None:
                line = f"{folder.name}/{path.name} is not looked into: a link to a folder"
                if line not in notes:
                    notes.append(line)
        elif path.name not in (OUTPUTS, "benchmarks"):
            yield path


_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


def _in_order(path: Path) -> tuple[str, int, str]:
    """Return what sorts names as people count: `eval-2` before `eval-10`."""
    number = _NUMBER.search(path.name)
    return path.name[: number.start()] if number else path.name, int(number[0]) if number else -1, path.name
