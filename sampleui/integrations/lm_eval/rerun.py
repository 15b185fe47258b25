"""Documents of lm-eval's tasks run again: the task of a file of samples, with the model and the options of its run.

The scores that lm-eval writes beside the samples say how it was called. All of it stands in a file for `--config`;
documents are chosen by their numbers. It answers each once in a call, so there are as many calls as answers are
asked for. Where a task has several filters it gives a row for each, whichever was asked for.

Source: lm-eval 0.4.13, `lm_eval run --help`, `config/evaluate_config.py` (what a config holds),
`loggers/evaluation_tracker.py` (what is written, and where), `tasks/_factory.py` (`config_source`).
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.integration import Reruns
from sampleui.review.record import Record
from sampleui.review.results import fields
from sampleui.review.results.documents import sibling_names
from sampleui.runs.rerun.calls import ProgramCall, Request
from sampleui.runs.rerun.program import found_upward
from sampleui.text.confined import below, is_file, is_inside, read_whole
from sampleui.text.limits import MAX_OWNER_BYTES

CONFIG, RUN = "run.json", "run"

_SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")
_ITS_OWN = "/lm_eval/tasks/"
_KEPT = ("model", "model_args", "batch_size", "device", "gen_kwargs")
_PATTERN = re.compile(r"[*?\[\]!,]")
"""Signs by which a name of a task stands for others."""


def key(record: Record) -> str:
    """Return the number and the id of the document of a record, and the filter that its answer went through."""
    return _key(record, record.target)


def _key(record: Record, through: str | None) -> str:
    return json.dumps([record.data.get("doc_id"), record.sample_id, through])


def answers(out: Path) -> Sequence[Path]:
    """Return the files of samples that a call wrote, which stand in a folder named after the model."""
    return _written(out, "samples_*.jsonl")


def scores_of(out: Path) -> Sequence[Path]:
    """Return the files of scores that a call wrote, which say how it was run."""
    return _written(out, "results_*.json")


def _written(out: Path, pattern: str) -> Sequence[Path]:
    return tuple(
        base / name for base, _, names in below(out / RUN) for name in sorted(fnmatch.filter(names, pattern))
    )


def plan(request: Request) -> Sequence[ProgramCall]:
    """Return a call for each time, for all documents of the run. Raises `ResultsError` where it cannot be run."""
    run = _run(request.results)
    location = _task_location(run, request)
    return [_call(request, run, location, request.out / str(time)) for time in range(1, request.times + 1)]


class _Run(NamedTuple):
    """What the scores beside a file of samples say: the task, its config, the options of the run, and its shots."""

    task: str
    config: Table
    options: Table
    shots: Plain
    chat_template: Plain


def _run(samples: Path) -> _Run:
    """Return how the run of a file of samples was called. Raises `ResultsError` where that is not known."""
    for name in sibling_names(samples, "results_*.json"):
        stamp = name.removeprefix("results_").removesuffix(".json")
        task = samples.name.removeprefix("samples_").removesuffix(f"_{stamp}.jsonl")
        if samples.name != f"samples_{task}_{stamp}.jsonl":
            continue
        try:
            scores = as_table(json.loads(read_whole(samples.with_name(name), MAX_OWNER_BYTES)))
        except (OSError, ValueError, RecursionError) as error:
            raise ResultsError(f"{name}, which says how it was run, cannot be read", samples) from error
        config = as_table(as_table(scores.get("configs")).get(task))
        options = as_table(scores.get("config"))
        if not config or fields.text(options.get("model")) is None:
            raise ResultsError(f"{name} does not say how {task} was run", samples)
        shots = as_table(scores.get("n-shot")).get(task)
        return _Run(task, config, options, shots, scores.get("chat_template"))
    why = "the file of its scores, results_….json, which says how it was run, is not beside it"
    raise ResultsError(why, samples)


class _TaskLocation(NamedTuple):
    """Where a task is run: the folder of the call, and the file of the task, None if lm-eval itself has it."""

    folder: Path
    file: Path | None = None


def _task_location(run: _Run, request: Request) -> _TaskLocation:
    """Return where the task of a run is. Raises `ResultsError` where it is not run again."""
    source = fields.text(as_table(run.config.get("metadata")).get("config_source"))
    if run.config.get("unsafe_code"):
        why = "its task runs the code that a model answers with, which lm-eval does only if told so"
    elif _trusts_others(run.options, run.config):
        why = "it was run with code of a hub (trust_remote_code), which cannot be shown before it runs"
    elif source is None:
        why = "its scores do not say which file its task is in"
    elif _PATTERN.search(run.task):
        why = f"{run.task}, the name of its task, stands for others, too"
    elif not Path(source).is_absolute():
        folder = found_upward(source, request.results.absolute().parent, request.project)
        if folder is not None:
            return _TaskLocation(folder, folder / source)
        why = f"the file of its task, {source}, is not found in the project"
    elif _ITS_OWN in Path(source).as_posix():
        return _TaskLocation(request.project)
    elif not is_inside(source, request.project):
        why = f"the file of its task, {source}, is outside of {request.project}"
    elif is_file(source):
        return _TaskLocation(request.project, Path(source))
    else:
        why = f"the file of its task, {source}, is gone"
    raise ResultsError(why, request.results)


def _trusts_others(*tables: Table) -> bool:
    names = ("trust_remote_code", "confirm_run_unsafe_code")
    return any(
        name in names and value not in (None, False)
        for table in tables
        for part in (table, as_table(table.get("model_args")), as_table(table.get("dataset_kwargs")))
        for name, value in part.items()
    ) or any(isinstance(args := table.get("model_args"), str) and "trust_remote_code" in args for table in tables)


def _call(request: Request, run: _Run, location: _TaskLocation, out: Path) -> ProgramCall:
    conditions = _conditions(run, location)
    numbers = sorted(
        {number for item in request.asked if isinstance(number := item.record.data.get("doc_id"), int)}
    )
    documents: list[Plain] = [*numbers]
    config = {**conditions, "samples": {run.task: documents}}
    keys = [item.key for item in request.asked]
    return ProgramCall(
        program="lm_eval",
        arguments=("run", "--config", str(out / CONFIG), "--log_samples", "--output_path", str(out / RUN)),
        folder=location.folder,
        out=out,
        keys=keys,
        also=tuple({_key(item.record, name) for item in request.asked for name in _filters(run)} - {*keys}),
        files={CONFIG: json.dumps(config).encode("utf-8", "backslashreplace")},
        named=(location.folder / run.task, *(() if location.file is None else (location.file,))),
        notes=(
            f"config: {json.dumps(conditions, ensure_ascii=False, sort_keys=True)}",
            *(() if location.file is not None else ("the task is one that lm-eval has itself",)),
        ),
    )


def _conditions(run: _Run, location: _TaskLocation) -> Table:
    """Return the conditions of a run as `--config` takes them; nothing that chooses documents."""
    seeds = [run.options.get(name) for name in _SEEDS]
    kept: Table = {name: value for name in _KEPT if (value := run.options.get(name)) not in (None, "", {})}
    kept |= {"tasks": [run.task], "num_fewshot": run.shots}
    if all(isinstance(seed, int) for seed in seeds):
        kept["seed"] = seeds
    if isinstance(run.chat_template, str):
        kept["apply_chat_template"] = True
    if location.file is not None:
        kept["include_path"] = str(location.file.parent)
    for name in ("system_instruction", "fewshot_as_multiturn"):
        if (value := run.options.get(name)) is not None:
            kept[name] = value
    return {name: value for name, value in kept.items() if value is not None}


def _filters(run: _Run) -> Sequence[str]:
    named = [fields.text(item.get("name")) for item in tables_in(run.config.get("filter_list"))]
    return [name for name in named if name is not None] or ["none"]


RERUNS = Reruns(plan, answers, key, along=scores_of)
