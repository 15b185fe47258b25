"""Cases of pydantic-evals run again, by a program of this package's own: pydantic-evals itself has none.

A report names the function that answered, and nothing of where it is. So the files of Python in the project are
read, not run, for those that define that function beside a data set. Where there is one such file, it is shown and,
once a person agrees, loaded; its data set then has the chosen cases alone. A file that evaluates as it is loaded is
refused.

Source: pydantic-evals 2.62.0, `Dataset.evaluate_sync` (`repeat`, `source_case_name`, how cases without a name are
called), `reporting/__init__.py` (`EvaluationReportAdapter`, by which reports are written).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import as_table, json_or_text
from sampleui.integrations.integration import Reruns
from sampleui.review.record import Record
from sampleui.review.results import fields
from sampleui.review.results.sources import whole_text
from sampleui.runs.rerun.calls import ProgramCall, Request
from sampleui.runs.rerun.program import python_in
from sampleui.text.confined import belongs, below, is_file, is_link, read_whole
from sampleui.text.limits import MAX_CONFIG_BYTES

ASKED, REPORT, PROGRAM = "asked.json", "report.json", "run_cases.py"

_PROGRAM = """\
import importlib.util
import json
import os
import sys

path, data_set, task, asked, report = sys.argv[1:]
with open(asked, encoding="utf-8") as file:
    asked = json.load(file)
sys.path[0] = os.path.dirname(os.path.abspath(path))
spec = importlib.util.spec_from_file_location(os.path.splitext(os.path.basename(path))[0], path)
module = importlib.util.module_from_spec(spec)
sys.modules[spec.name] = module
spec.loader.exec_module(module)

from pydantic_evals.reporting import EvaluationReportAdapter

whole = getattr(module, data_set)
for number, case in enumerate(whole.cases, 1):
    if case.name is None:
        case.name = f"Case {number}"
whole.cases = [case for case in whole.cases if case.name in asked["cases"]]
written = whole.evaluate_sync(
    getattr(module, task), name=task, repeat=asked["times"], progress=False, max_concurrency=1
)
with open(report, "xb") as file:
    file.write(EvaluationReportAdapter.dump_json(written, indent=2))
print(f"{len(written.cases)} answered, {len(written.failures)} failed")
"""

_OWN = "a command of your own in [runners.pydantic_evals] of your settings can say how it is run"
_RUNS = frozenset({"evaluate", "evaluate_sync"})
_MAX_FILES = 2_000
_LEFT_OUT = frozenset({"node_modules", "site-packages", "__pycache__", "venv"})


def key(record: Record) -> str:
    """Return the name of the case of a record, which each of its repetitions has as well."""
    return record.sample_id


def answers(out: Path) -> Sequence[Path]:
    """Return the report that a call wrote."""
    return (out / REPORT,) if belongs(out / REPORT) else ()


def plan(request: Request) -> Sequence[ProgramCall]:
    """Return one call for all cases of the report. Raises `ResultsError` where its task cannot be run."""
    task = fields.text(as_table(json_or_text(whole_text(request.results))).get("name"))
    task_files = [] if task is None else [*_task_files(task, request)]
    if task is None:
        why = "its report does not name the function that answered"
    elif len(task_files) != 1:
        found = "no file" if not task_files else "more than one file"
        why = f"{found} of the project has the function {task} beside a data set"
    elif task_files[0].evaluates:
        why = f"{task_files[0].file.name} evaluates all of its cases whenever it is loaded"
    else:
        return [_call(request, task_files[0], task)]
    raise ResultsError(f"{why}; {_OWN}", request.results)


class _TaskFile(NamedTuple):
    """A file that has a task beside a data set: which name that has, and whether loading it evaluates it."""

    file: Path
    data_set: str
    evaluates: bool


def _task_files(task: str, request: Request) -> Iterator[_TaskFile]:
    """Yield the files of a project that have a task beside one data set."""
    read = 0
    for base, folders, names in below(request.project):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT and not name.startswith("."))
        for name in sorted(names):
            file = base / name
            if name.endswith(".py") and read < _MAX_FILES and is_file(file) and not is_link(file):
                read += 1
                yield from _placed(file, task)


def _placed(file: Path, task: str) -> Iterator[_TaskFile]:
    try:
        text = read_whole(file, MAX_CONFIG_BYTES)
    except OSError:
        return
    if b"pydantic_evals" not in text or task.encode("utf-8", "replace") not in text:
        return
    statements = python_in(text)
    functions = (node.name for node in statements if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
    data_sets = [name for node in statements for name in _data_sets(node)]
    if task in functions and len(data_sets) == 1:
        yield _TaskFile(file, data_sets[0], any(_evaluates(node) for node in statements))


def _data_sets(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement gives to a data set: to `Dataset(…)`, `Dataset[…](…)` and the like."""
    if not isinstance(node, ast.Assign | ast.AnnAssign):
        return
    value = node.value
    if isinstance(value, ast.Call) and any(
        isinstance(part, ast.Name | ast.Attribute)
        and (part.id if isinstance(part, ast.Name) else part.attr) == "Dataset"
        for part in ast.walk(value.func)
    ):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        yield from (target.id for target in targets if isinstance(target, ast.Name))


def _evaluates(node: ast.stmt) -> bool:
    """Tell whether a statement evaluates a data set when its file is loaded, and not only when that is called."""
    is_of_main = isinstance(node, ast.If) and ast.unparse(node.test) == "__name__ == '__main__'"
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or is_of_main:
        return False
    return any(isinstance(part, ast.Attribute) and part.attr in _RUNS for part in ast.walk(node))


def _call(request: Request, task_file: _TaskFile, task: str) -> ProgramCall:
    cases = [item.record.sample_id for item in request.asked]
    asked = json.dumps({"cases": cases, "times": request.times}).encode()
    out = request.out
    return ProgramCall(
        program="python",
        arguments=(
            str(out / PROGRAM),
            task_file.file.name,
            task_file.data_set,
            task,
            str(out / ASKED),
            str(out / REPORT),
        ),
        folder=task_file.file.parent,
        out=out,
        keys=[item.key for item in request.asked],
        times=request.times,
        files={PROGRAM: _PROGRAM.encode(), ASKED: asked},
        named=(task_file.file,),
        notes=(
            f"{task_file.file.name} is loaded; the chosen cases of its {task_file.data_set} are evaluated with "
            f"its {task}",
        ),
    )


RERUNS = Reruns(plan, answers, key)
