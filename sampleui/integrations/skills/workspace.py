"""The runs of an iteration as rows: what `grading.json`, `timing.json` and their neighbours say of each."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table, as_table
from sampleui.integrations.skills.benchmark import RunKey, against, counts_of, differences, key_of_row, runs_said
from sampleui.integrations.skills.feedback import Said, said_in
from sampleui.integrations.skills.layout import (
    BENCHMARK,
    GRADING,
    ITERATION,
    METADATA,
    OUTPUTS,
    TIMING,
    TRANSCRIPT,
    SkillRun,
    eval_id_of,
    iteration_of,
    runs_of,
)
from sampleui.integrations.skills.outputs import outputs_of
from sampleui.review.results.fields import number
from sampleui.review.results.sources import Malformed, ResultRow, ResultSource, canonical, table_digest
from sampleui.text.confined import Confined, Refusal, RefusalKind, is_file, is_link, listed, read_confined
from sampleui.text.visible import one_line

RUN = "skill_run"
"""The key by which a row is known: the path of a run below its iteration."""

MAX_FILE = 8 << 20
"""Bytes of a file of JSON beside a run that are read."""

_PROMPT = "## Eval Prompt"
_MAX_NOTES = 20
_MAX_KEYS = 5
EVAL_PROMPT = "eval_prompt"
"""The key of a row that has the prompt of its eval, whichever run of that says it."""

_BESIDE = ("said", "said_before", EVAL_PROMPT)
"""What is said of a run elsewhere and is no part of it: a verdict on the run stays one when it is handed back."""


class JsonFile(NamedTuple):
    """What a file of JSON says, and why it could not be read; empty if it could, or is not there."""

    data: Table
    problem: str = ""


def read_json(folder: Path, name: str, root: Path) -> JsonFile:
    """Read a table from a file of JSON in a folder, which must lie in a root."""
    read = read_confined(name, (folder,), root, MAX_FILE)
    if isinstance(read, Refusal):
        return JsonFile({}, "" if read.kind is RefusalKind.NOT_FOUND else read.reason)
    try:
        data: Plain = json.loads(read.data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return JsonFile({}, f"{name} is not UTF-8")
    except (ValueError, RecursionError) as error:
        return JsonFile({}, f"{name} is not JSON: {error}")
    return JsonFile(data) if isinstance(data, dict) else JsonFile({}, f"{name} is not a table")


class Runs(ResultSource):
    """The runs below a folder, each read when it is come to."""

    whole = True
    known = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        found = runs_of(folder)
        self.runs = found.runs
        self.size = len(self.runs)
        self.rows: dict[int, ResultRow] = {}
        self.found_notes = found.notes
        self.benchmark = read_json(folder, BENCHMARK, folder)
        times = as_table(self.benchmark.data.get("metadata")).get("timestamp")
        self.time = times if isinstance(times, str) else ""
        if not self.runs:
            raise ResultsError("the folder holds no runs of evals", folder)

    @property
    def notes(self) -> tuple[str, ...]:  # type: ignore[override]
        """What is to be known of the whole iteration: known when it was scanned."""
        notes = [*self.found_notes, *([self.benchmark.problem] if self.benchmark.problem else [])]
        if self.said_of_runs or self.benchmark.data.get("run_summary"):
            notes += against(self.benchmark.data, [row.data for row in self.rows.values()])
        more = len(notes) - _MAX_NOTES
        return (*notes[:_MAX_NOTES], *([f"and {more:,} more"] if more > 0 else []))

    @cached_property
    def said_of_runs(self) -> Mapping[RunKey, Table]:
        """What `benchmark.json` says of each run."""
        return runs_said(self.benchmark.data)

    @cached_property
    def home(self) -> Path:
        """The iteration that the folder is or lies in."""
        return iteration_of(self.folder)

    @cached_property
    def deck(self) -> str:
        """Where the evals are that were run, from a folder above: those of the skill that the workspace names."""
        name = as_table(self.benchmark.data.get("metadata")).get("skill_name")
        workspace = self.home.absolute().parent.name.removesuffix("-workspace")
        return f"{name if isinstance(name, str) and name and '/' not in name else workspace}/evals/evals.json"

    @cached_property
    def said(self) -> tuple[Said, ...]:
        """What people said of this iteration."""
        return said_in(self.home)

    @cached_property
    def said_before(self) -> tuple[Said, ...]:
        """What people said of the iteration before."""
        number = ITERATION.fullmatch(self.home.name)
        before = [path for path in iterations(self.home.parent) if number and _number(path) < int(number[1])]
        return said_in(before[-1]) if before and not is_link(before[-1]) else ()

    @cached_property
    def named(self) -> Mapping[str, int]:
        """The ids of evals by the names that the metadata of any iteration has; none that is said of two."""
        ids: dict[str, set[int]] = {}
        for iteration in iterations(self.home.parent):
            for folder in listed(iteration).paths if not is_link(iteration) else ():
                data = read_json(folder, METADATA, iteration).data if is_file(folder / METADATA) else {}
                number, name = data.get("eval_id"), data.get("eval_name")
                if isinstance(number, int) and isinstance(name, str):
                    ids.setdefault(name, set()).add(number)
        return {name: next(iter(numbers)) for name, numbers in ids.items() if len(numbers) == 1}

    @cached_property
    def prompts(self) -> Mapping[Path, str]:
        """The prompts of evals by their folders, as the first transcript has it: one run may have none."""
        said = ((run.eval_folder, _prompt_of(run.folder, self.folder)) for run in reversed(self.runs))
        return {folder: prompt for folder, prompt in said if prompt}

    def scan(self) -> Iterator[ResultRow | Malformed]:
        """Return the runs in order, each read once."""
        return map(self._read, range(self.size))

    def raw(self, index: int) -> bytes:
        """Return a row as JSON."""
        return canonical(self._read(index).data)

    def row(self, index: int, digest: str) -> Table:
        """Return a row."""
        return self._read(index).data

    def _read(self, index: int) -> ResultRow:
        if index not in self.rows:
            data = self._row(self.runs[index])
            facts = {key: value for key, value in data.items() if key not in _BESIDE}
            self.rows[index] = ResultRow(index, index + 1, table_digest(facts), data, index + 1)
        return self.rows[index]

    def _row(self, run: SkillRun) -> Table:
        grading = read_json(run.folder, GRADING, self.folder)
        timing = read_json(run.folder, TIMING, self.folder)
        about = read_json(run.folder, METADATA, self.folder)
        about = about if about.data else read_json(run.eval_folder, METADATA, self.folder)
        outputs = outputs_of(run.folder / OUTPUTS)
        number, words = eval_id_of(run.eval_folder.name)
        eval_id = about.data.get("eval_id", number)
        name = about.data.get("eval_name", words)
        if eval_id is None and isinstance(name, str):
            eval_id = self.named.get(name)
        row: Table = {
            RUN: run.name(self.folder),
            "skill_folder": self.folder.name,
            "deck": self.deck,
            "eval": run.eval_folder.name if eval_id is None else eval_id,
            "eval_name": name,
            "configuration": run.configuration,
            "run_number": run.number,
            "prompt": about.data.get("prompt") or _prompt_of(run.folder, self.folder),
            **{key: value for key, value in grading.data.items() if key not in (RUN, "prompt", "outputs")},
            "graded": bool(grading.data),
            "timing": {**as_table(grading.data.get("timing")), **timing.data},
            "outputs": outputs.to_data(),
            "outputs_left_out": bool(outputs.notes) or None,
        }
        row[EVAL_PROMPT] = about.data.get("prompt") or self.prompts.get(run.eval_folder)
        path = run.folder.relative_to(self.home).as_posix()
        row["said"] = [item.text for item in self.said if item.is_of(path)]
        row["said_before"] = [item.text for item in self.said_before if item.is_of(path)]
        problems = [f"{run.name(self.folder)}: {item}" for item in outputs.notes]
        problems += [item.problem for item in (grading, timing, about) if item.problem]
        if is_link(run.folder / TRANSCRIPT):
            problems.append(f"{TRANSCRIPT} is a link, which is not followed")
        if doubt := _doubt(grading.data):
            problems.append(doubt)
        problems += [difference.words for difference in differences(self.said_of_runs.get(key_of_row(row)), row)]
        row["problems"] = [*problems]
        return {key: value for key, value in row.items() if value not in (None, [], {})}


def iterations(workspace: Path) -> list[Path]:
    """Return the iterations of a workspace, the first one first."""
    return sorted((path for path in listed(workspace).paths if ITERATION.fullmatch(path.name)), key=_number)


def _number(iteration: Path) -> int:
    return int(iteration.name.partition("-")[2])


def _doubt(grading: Table) -> str:
    """Say where the expectations of a grading cannot be read, or its summary is not what they are."""
    if not isinstance(grading.get("expectations", []), list):
        return f"the expectations of {GRADING} are no list, and are not read"
    summary, counts = as_table(grading.get("summary")), counts_of(grading)
    if grading and counts is None and not grading.keys() & {"expectations", "assertion_results"}:
        keys = ", ".join(one_line(key, 40) for key in [*grading][:_MAX_KEYS])
        return f"{GRADING} has {keys} and no expectations: it is another grading, which is not read"
    if not summary or counts is None or not grading.get("expectations"):
        return ""
    passed, total = summary.get("passed"), summary.get("total")
    if (passed is not None and passed != counts[0]) or (total is not None and total != counts[1]):
        return f"the summary says {passed} of {total}; its expectations are {counts[0]} of {counts[1]}, which count"
    rate = number(summary.get("pass_rate"))
    if rate is not None and abs(rate - counts[0] / counts[1]) > 0.01:
        return f"the summary says {rate:g}; its expectations are {counts[0]} of {counts[1]}, which count"
    return ""


def _prompt_of(folder: Path, root: Path) -> str | None:
    """Return the prompt of a run as its transcript has it."""
    text = transcript_of(folder, root)
    if _PROMPT not in text:
        return None
    after = text.partition(_PROMPT)[2].lstrip("\r\n ")
    return after.partition("\n## ")[0].strip() or None


def transcript_of(folder: Path, root: Path) -> str:
    """Return the transcript of a run, which may lie among its outputs; empty if there is none, or one too large."""
    for home in (folder, folder / OUTPUTS):
        read = read_confined(TRANSCRIPT, (home,), root, MAX_FILE)
        if isinstance(read, Confined):
            return read.data.decode("utf-8", "replace")
    return ""


def messages_of(transcript: str, prompt: str) -> list[Plain]:
    """Return a transcript as messages: what was asked, and each of its sections as something that was said."""
    sections: list[str] = []
    for line in transcript.splitlines():
        if line.startswith("## ") or not sections:
            sections.append(line)
        else:
            sections[-1] += f"\n{line}"
    said = [section.strip() for section in sections if section.strip() and not section.startswith(_PROMPT)]
    messages: list[Plain] = [{"role": "user", "content": prompt}]
    messages += [{"role": "assistant", "content": text} for text in said]
    return messages
