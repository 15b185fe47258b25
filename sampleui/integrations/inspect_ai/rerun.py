"""Samples of Inspect's tasks run again: the task of a log, with its arguments, models and limits, in a new log.

All that chooses samples stands in a file for `--run-config`, where an id may hold a comma; ids are patterns, and
their signs are put in brackets. What a `.env` of the project may set is given as an option or set to nothing.

Source: inspect-ai 0.3.285, `inspect eval --help`, `_cli/eval.py` (`RunConfigInput`), `log/_config.py` (which values
of a log are conditions of the run), `_eval/task/util.py` (how ids are matched).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table, as_list, as_table
from sampleui.integrations.inspect_ai.dialect import MARK
from sampleui.integrations.inspect_ai.grading import DIALECT, target_is_open
from sampleui.integrations.inspect_ai.log import log_at
from sampleui.integrations.integration import Reruns
from sampleui.review.record import Record
from sampleui.review.results import fields
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.program import found_upward
from sampleui.sample.parse import dialect_of
from sampleui.text.confined import is_file, listed

CONFIG, LOGS, LOG, SCORED = "run.json", "logs", "log.json", "scored"

_PATTERN = re.compile(r"[*?\[\]]")
"""Signs by which the name of a task stands for others."""

_CONDITIONS = frozenset(
    (
        *("message_limit", "token_limit", "time_limit", "working_limit", "cost_limit", "turn_limit"),
        *("approval", "review", "max_tool_output", "retry_on_error", "model_cost_config"),
    )
)
"""What of the `config` of a log is a condition of each sample, and does not choose samples."""

_UNSET = tuple(
    f"INSPECT_EVAL_{name}"
    for name in """
        SAMPLE_ID LIMIT MODEL MODEL_ARGS MODEL_CONFIG MODEL_SPEC MODEL_ROLE TASK_ARGS TASK_CONFIG SOLVER
        SOLVER_ARGS SOLVER_CONFIG GENERATE_CONFIG EPOCHS_REDUCER NO_SCORE SCORE NO_LOG_SAMPLES LOG_SAMPLES
        DETACH FAIL_ON_ERROR CONTINUE_ON_FAIL CACHE SCANNER NOTIFICATION
    """.split()  # noqa: SIM905
)
"""Variables that a `.env` must not set for the call; an empty one is none, and is not overridden."""


def key(record: Record) -> str:
    """Return the task, the model and the id of the sample of a record."""
    run = as_table(record.data.get(MARK))
    return json.dumps([run.get("task"), run.get("model"), record.sample_id])


def answers(out: Path) -> Sequence[Path]:
    """Return the logs that a call wrote."""
    scored = tuple(path for path in listed(out).paths if path.stem == SCORED and is_file(path))
    return scored or tuple(path for path in listed(out / LOGS).paths if path.suffix == ".json" and is_file(path))


def plan(request: Request) -> Iterator[ProgramCall | RerunRefused]:
    """Yield one call for all samples of the log. Raises `ResultsError` where its task cannot be run."""
    log = log_at(request.results).written
    run = as_table(log.get("eval"))
    task = _task(run, request)
    shuffled = as_table(run.get("dataset")).get("shuffled") is True
    numbered = [item for item in request.asked if shuffled and isinstance(item.record.data.get("id"), int)]
    if numbered:
        why = "its samples are shuffled and have no ids, so that its number is another sample's each time"
        yield RerunRefused([item.key for item in numbered], why)
    if going := [item for item in request.asked if item not in numbered]:
        yield _call(request, going, log, task)


def grade(request: Request) -> Iterator[ProgramCall | RerunRefused]:
    """Yield the call that scores a log of the chosen samples alone, with the targets that they have by now.

    Raises:
        ResultsError: its task cannot be run, or its samples cannot be read.
    """
    log = log_at(request.results)
    samples = {(str(item.get("id")), item.get("epoch")): item for item in log.samples()}
    task = _task(as_table(log.written.get("eval")), request)
    going: dict[str, Plain] = {}
    for item in request.asked:
        found = samples.get((item.record.sample_id, item.record.attempt))
        if (why := _why_not_graded(item, found)) or found is None:
            yield RerunRefused([item.key], why)
        elif item.sample is not None and dialect_of(item.sample).name == DIALECT:
            going[item.key] = {**found, "target": item.sample.data.get("target", found.get("target"))}
        else:
            going[item.key] = found
    out = request.out
    if going:
        yield ProgramCall(
            program="inspect",
            arguments=(
                *("score", str(out / LOG), "--output-file", str(out / f"{SCORED}.json")),
                *("--action", "overwrite", "--display", "none"),
            ),
            folder=task.folder,
            out=out,
            keys=[*going],
            environment=dict.fromkeys(_UNSET, ""),
            files={
                LOG: json.dumps({**log.written, "samples": [*going.values()]}).encode("utf-8", "backslashreplace")
            },
            named=[task.folder / (task.name.rpartition("@")[0] or task.name)],
            notes=("scorers that ask a model ask it",),
        )


def _why_not_graded(item: RerunRequest, found: Table | None) -> str:
    """Return why Inspect cannot score what was answered for a sample as it is now; empty if it can."""
    if found is None:
        return "its log has the sample in pieces, or not at all"
    if item.sample is None:
        return ""
    if target_is_open(item.record, item.sample):
        return "the task makes its target of the row in a way of its own"
    today = fields.texts(item.sample.data.get("choices"))
    same = dialect_of(item.sample).name != DIALECT or today == fields.texts(found.get("choices"))
    return "" if same else "the choices are not those that the run had"


class _Task(NamedTuple):
    """A task: the folder of the call, and how it is named there."""

    folder: Path
    name: str


def _task(run: Table, request: Request) -> _Task:
    """Return the task of a log. Raises `ResultsError` where that is not known."""
    name = fields.text(run.get("task_registry_name")) or fields.text(run.get("task"))
    written = fields.text(run.get("task_file"))
    if name is None:
        raise ResultsError("its log does not name its task", request.results)
    if written is None:
        if name.startswith("hf/"):
            why = f"its task, {name}, is one of a hub, which cannot be shown before it runs"
            raise ResultsError(why, request.results)
        if "@" not in name and _PATTERN.search(name):
            raise ResultsError(f"{name}, the name of its task, stands for others, too", request.results)
        return _Task(request.project, name)
    found = found_upward(written, request.results.absolute().parent, request.project)
    if found is None:
        raise ResultsError(f"the file of its task, {written}, is not found in the project", request.results)
    return _Task(found, f"{written}@{name.rpartition('/')[2]}")


def _call(request: Request, going: Sequence[RerunRequest], log: Table, task: _Task) -> ProgramCall:
    run = as_table(log.get("eval"))
    name = fields.text(run.get("task")) or ""
    conditions = _conditions(run, as_table(log.get("plan")), task.name)
    ids: list[Plain] = [_pattern(item.record.sample_id, name) for item in going]
    config = {**conditions, "eval_config": {**as_table(conditions["eval_config"]), "sample_id": ids}}
    return ProgramCall(
        program="inspect",
        arguments=(
            *("eval", "--run-config", str(request.out / CONFIG), "--log-dir", str(request.out / LOGS)),
            *("--epochs", str(request.times), "--no-epochs-reducer", "--no-fail-on-error"),
            *("--log-format", "json", "--json"),
        ),
        folder=task.folder,
        out=request.out,
        keys=[item.key for item in going],
        times=request.times,
        environment=dict.fromkeys(_UNSET, ""),
        files={CONFIG: json.dumps(config, default=str).encode("utf-8", "backslashreplace")},
        named=[
            task.folder / (spec.rpartition("@")[0] or spec)
            for spec in (task.name, fields.text(run.get("solver")))
            if spec
        ],
        notes=(f"run config: {json.dumps(conditions, ensure_ascii=False, sort_keys=True, default=str)}",),
    )


def _conditions(run: Table, planned: Table, task: str) -> Table:
    """Return the conditions of a run, as `--run-config` takes them."""
    config = as_table(run.get("config"))
    model = _model(run, "model_base_url", "model_args", "model_generate_config")
    solver = fields.text(run.get("solver"))
    args = as_table(run.get("solver_args_passed") or run.get("solver_args"))
    kept: Table = {
        "task": {"task": task, "args": as_table(run.get("task_args_passed"))},
        "model": model,
        "model_roles": {
            role: [_model(as_table(item), "base_url", "args", "config") for item in as_list(bound)]
            if isinstance(bound, list)
            else _model(as_table(bound), "base_url", "args", "config")
            for role, bound in as_table(run.get("model_roles")).items()
        },
        "generate_config": _without_none(as_table(planned.get("config"))),
        "solver": _without_none({"solver": solver, "args": args or None}) if solver else {},
        "eval_config": {name: value for name, value in _without_none(config).items() if name in _CONDITIONS},
    }
    return {name: value for name, value in kept.items() if value or name == "eval_config"}


def _model(table: Table, base_url: str, args: str, config: str) -> Table:
    named = {
        "model": table.get("model"),
        "base_url": table.get(base_url),
        "args": _without_none(as_table(table.get(args))),
        "config": _without_none(as_table(table.get(config))),
    }
    return {name: value for name, value in named.items() if value}


def _without_none(table: Table) -> Table:
    return {name: value for name, value in table.items() if value is not None}


def _pattern(sample_id: str, task: str) -> str:
    """Return a pattern that fits an id alone; one that begins as those do that name their task names it as well."""
    pattern = re.sub(r"[*?\[]", lambda sign: f"[{sign[0]}]", sample_id)
    return f"{task}:{pattern}" if sample_id.lower().startswith(f"{task}:".lower()) else pattern


RERUNS = Reruns(plan, answers, key, grade=grade)
