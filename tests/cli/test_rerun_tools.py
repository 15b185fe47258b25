"""`sampleui rerun` with the real tools, where they are there: offline, with programs that answer from a file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from sampleui.runs.rerun import process

from .rerunning import mark_of_one_in, processes_with

ODD = ['it\'s "q"', "a,b", "new\nline", "-x", "{}", "q[a]*", "?!(x)"]
"""Ids that a command line, a list with commas or a pattern could take for something else."""

# The third answer differs: a counter beside the deck.
COUNTED = "2 of 3 pass now; before: failed"

PROVIDER = """\
const fs = require('fs');
module.exports = class {
  id() { return 'mine'; }
  async callApi(prompt, context) {
    const n = fs.existsSync('n') ? fs.readFileSync('n', 'utf8').length : 0;
    fs.appendFileSync('n', '.');
    if (fs.existsSync('slow')) { fs.writeFileSync('begun', ''); await new Promise(r => setTimeout(r, 60000)); }
    return {output: n === 0 || n % 3 === 2 ? 'nine' : 'eight'};
  }
};
"""

TASK = """\
import os, time
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, get_model
from inspect_ai.scorer import includes
from inspect_ai.solver import generate
import tiktoken
class Words:
    def encode(self, text, **_): return text.split()
tiktoken.get_encoding = lambda *_, **__: Words()  # the real one would be downloaded
def answer(*_):
    n = len(open("n").read()) if os.path.exists("n") else 0
    open("n", "a").write(".")
    if os.path.exists("slow"):
        open("begun", "w"); time.sleep(60)
    return ModelOutput.from_content("mockllm/model", "nine" if n == 0 or n % 3 == 2 else "eight")
@task
def deck(target: str = "none"):
    samples = [Sample(id=one, input=one, target=target) for one in IDS]
    return Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes(),
                model=get_model("mockllm/model", custom_outputs=answer))
"""

ANSWER = """\
import os, pathlib, sys, time
os.chdir(pathlib.Path(__file__).parent)
n = len(open("n").read()) if os.path.exists("n") else 0
open("n", "a").write(".")
if os.path.exists("slow"):
    open("begun", "w"); time.sleep(60)
open(sys.argv[2], "w").write("nine" if n == 0 or n % 3 == 2 else "eight")
"""


HOSTILE_VARIABLES = """\
PROMPTFOO_CONFIG_DIR=elsewhere
PROMPTFOO_FAILED_TEST_EXIT_CODE=0
PROMPTFOO_STRIP_METADATA=true
PROMPTFOO_STRIP_TEST_VARS=true
PROMPTFOO_CACHE_ENABLED=true
PROMPTFOO_CACHE_PATH=elsewhere
PROMPTFOO_LOG_DIR=elsewhere
PROMPTFOO_DISABLE_VAR_EXPANSION=true
INSPECT_EVAL_EPOCHS=4
INSPECT_EVAL_SAMPLE_ID=other
INSPECT_EVAL_LIMIT=1
INSPECT_EVAL_MODEL=mockllm/another
INSPECT_EVAL_NO_SCORE=true
INSPECT_EVAL_NO_LOG_SAMPLES=true
INSPECT_EVAL_TASK_ARGS=target=nothing
INSPECT_LOG_DIR=elsewhere
INSPECT_EVAL_LOG_DIR=elsewhere
INSPECT_LOG_FORMAT=eval
AGENTV_HOME=elsewhere
AGENTV_DATA_DIR=elsewhere
"""


def called(root: Path, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
    subprocess.run(arguments, cwd=root, check=False, capture_output=True, timeout=120, env=environment)


def promptfoo(root: Path, ids: list[str]) -> Path:
    tests = [
        {"description": one, "vars": {"q": one}, "assert": [{"type": "contains", "value": "eight"}]} for one in ids
    ]
    config = {
        "prompts": ["Q: {{q}}"],
        "providers": [{"id": "file://provider.js", "label": "a (b) [c]"}, "echo"],
        "tests": tests,
    }
    (root / "promptfooconfig.yaml").write_text(json.dumps(config))
    (root / "provider.js").write_text(PROVIDER)
    options = "--no-cache --no-write --no-table --no-progress-bar --no-share -j 1 -o run.json --filter-providers a"
    called(root, "promptfoo", "eval", "-c", "promptfooconfig.yaml", *options.split())
    return root / "run.json"


def inspect_ai(root: Path, ids: list[str]) -> Path:
    (root / "deck.py").write_text(f"IDS = {ids!r}\n{TASK}")
    options = "--json --log-format eval --log-dir logs -T target=eight"
    called(root, "inspect", "eval", "deck.py@deck", *options.split())
    (log,) = (root / "logs").iterdir()
    return log


def agentv(root: Path, ids: list[str]) -> Path:
    tests = [
        {"id": one, "criteria": "says it", "input": "x", "assertions": [{"type": "contains", "value": "eight"}]}
        for one in ids
    ]
    (root / "deck.eval.yaml").write_text(json.dumps({"name": "deck", "tests": tests}))
    (root / ".agentv").mkdir()
    command = "python3 answer.py {PROMPT_FILE} {OUTPUT_FILE}"
    target = {"name": "good", "provider": "cli", "command": command}
    (root / ".agentv" / "targets.yaml").write_text(json.dumps({"targets": [target]}))
    (root / "answer.py").write_text(ANSWER)
    options = "--target good --no-cache --workers 1 --max-retries 0 -o runs/one"
    called(root, "agentv", "eval", "run", "deck.eval.yaml", *options.split())
    return root / "runs" / "one"


COUNTING = """\
import os, time
def answer():
    n = len(open("n").read()) if os.path.exists("n") else 0
    open("n", "a").write(".")
    if os.path.exists("slow"):
        open("begun", "w"); time.sleep(60)
    return "nine" if n == 0 or n % 3 == 2 else "eight"
"""

TEST = """\
import pytest
from counting import answer
from deepeval import assert_test
from deepeval.metrics import BaseMetric
from deepeval.test_case import LLMTestCase
class Exact(BaseMetric):
    threshold, async_mode, evaluation_model, include_reason = 1.0, False, None, True
    score = reason = error = success = evaluation_cost = None
    strict_mode = verbose_mode = False
    def measure(self, case, *_, **__):
        self.score = float(case.actual_output == "eight"); self.success = self.score >= 1; return self.score
    async def a_measure(self, case, *_, **__): return self.measure(case)
    def is_successful(self): return bool(self.success)
    @property
    def __name__(self): return "Exact"
@pytest.mark.parametrize("one", IDS, ids=lambda one: one)
def test_deck(one):
    assert_test(LLMTestCase(name=one, input=one, actual_output=answer()), [Exact()], run_async=False)
"""

CASES = """\
from counting import answer
from pydantic_evals import Case, Dataset
from pydantic_evals.evaluators import EqualsExpected
def task(q: str) -> str:
    return answer()
dataset = Dataset(name="deck", evaluators=[EqualsExpected()],
                  cases=[Case(name=one, inputs=one, expected_output="eight") for one in IDS])
if __name__ == "__main__":
    from pydantic_evals.reporting import EvaluationReportAdapter
    report = dataset.evaluate_sync(task, progress=False, max_concurrency=1)
    open("report.json", "wb").write(EvaluationReportAdapter.dump_json(report))
"""

LM_TASK = """\
task: mydeck
dataset_path: json
dataset_kwargs: {data_files: {test: deck.jsonl}}
test_split: test
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: eight
generation_kwargs: {until: ["\\n"], max_gen_toks: 8}
process_results: !function graded.results
metric_list: [{metric: acc, aggregation: mean, higher_is_better: true}]
"""
LM_GRADED = "def results(doc, answers): return {'acc': float(answer() == 'eight')}\n"


def deepeval(root: Path, ids: list[str]) -> Path:
    (root / "counting.py").write_text(COUNTING)
    (root / "test_deck.py").write_text(f"IDS = {ids!r}\n{TEST}")
    environment = {**os.environ, "DEEPEVAL_RESULTS_FOLDER": "runs", "DEEPEVAL_TELEMETRY_OPT_OUT": "YES"}
    called(root, "deepeval", "test", "run", "test_deck.py", environment=environment)
    return next((root / "runs").glob("test_run_*.json"))


def pydantic_evals(root: Path, ids: list[str]) -> Path:
    (root / "counting.py").write_text(COUNTING)
    (root / "deck.py").write_text(f"IDS = {ids!r}\n{CASES}")
    called(root, python_with("pydantic_evals"), "deck.py")
    (root / ".venv" / "bin").mkdir(parents=True)
    program = root / ".venv" / "bin" / "python"
    program.write_text(f'#!/bin/sh\nexec {python_with("pydantic_evals")} "$@"\n')
    program.chmod(0o755)
    return root / "report.json"


def lm_eval(root: Path, ids: list[str]) -> Path:
    (root / "tasks").mkdir()
    (root / "tasks" / "graded.py").write_text(f"{COUNTING}\n{LM_GRADED}")
    (root / "tasks" / "deck.yaml").write_text(LM_TASK)
    (root / "deck.jsonl").write_text("".join(json.dumps({"id": one, "question": one}) + "\n" for one in ids))
    options = "run --model dummy --tasks mydeck --include_path tasks --log_samples --output_path out"
    called(root, "lm_eval", *options.split())
    return next((root / "out").glob("*/samples_*.jsonl"))


def python_with(package: str) -> str:
    """Return a Python that has a package: the first of that name on PATH, "" if it has it not."""
    return next((found for found in _pythons() if _has(found, package)), "")


def _pythons() -> Iterator[str]:
    for folder in os.environ.get("PATH", "").split(os.pathsep):
        if (found := shutil.which("python", path=folder)) is not None:
            yield found


@cache
def _has(python: str, package: str) -> bool:
    return subprocess.run([python, "-c", f"import {package}"], check=False, capture_output=True).returncode == 0


def tool(name: str, run: Callable[[Path, list[str]], Path], there: object) -> ParameterSet:
    return pytest.param(run, id=name, marks=pytest.mark.skipif(not there, reason=f"there is no {name}"))


TOOLS = [
    *(tool(run.__name__, run, shutil.which(run.__name__)) for run in (promptfoo, agentv, deepeval, lm_eval)),
    tool("inspect", inspect_ai, shutil.which("inspect")),
    tool("pydantic_evals", pydantic_evals, python_with("pydantic_evals")),
]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def process_of(home: Path) -> Callable[..., subprocess.Popen[bytes]]:
    """Start the command in a process of its own, to be ended by the test."""

    def started(*arguments: object) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "sampleui", *map(str, arguments)]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)

    return started


def hashes(path: Path) -> dict[Path, bytes]:
    files = [path] if path.is_file() else [file for file in path.rglob("*") if file.is_file()]
    return {file: file.read_bytes() for file in files}


@pytest.mark.parametrize("run", TOOLS)
class TestRealTools:
    def test_three_answers_of_which_one_differs_beside_the_recorded_one(
        self, sampleui, root, run: Callable[[Path, list[str]], Path]
    ):
        results = run(root, ["sum"])
        before = hashes(results)
        ran = sampleui("rerun", results, "--failed", "--n", "3", "--yes")
        assert COUNTED in ran.out, ran.err
        assert ran.code == 1
        assert hashes(results) == before
        reports = [line.removeprefix("kept in ") for line in ran.out.splitlines() if line.startswith("kept in ")]
        assert all("#sum" in sampleui("report", path).out for path in reports)

    def test_a_kept_rerun_is_run_again_as_any_run_is(self, sampleui, root, run: Callable[[Path, list[str]], Path]):
        results = run(root, ["sum"])
        ran = sampleui("rerun", results, "--id", "sum", "--yes", "--format", "json")
        (kept,) = json.loads(ran.out)["kept"]
        again = sampleui("rerun", root / kept, "--id", "sum", "--yes", "--format", "json")
        (record,) = json.loads(again.out)["records"]
        assert (record["problem"], len(record["answers"])) == ("", 1), again.err

    def test_odd_ids_are_run_as_data(self, sampleui, root, run: Callable[[Path, list[str]], Path]):
        results = run(root, ODD)
        for place, name in enumerate(ODD):
            ran = sampleui("rerun", results, "--id", f"#{place + 1}", "--yes", "--format", "json")
            (record,) = json.loads(ran.out)["records"]
            assert record["problem"] == "", (name, ran.err)
            assert record["id"] == name
            assert len(record["answers"]) == 1

    def test_the_variables_of_a_project_change_nothing_of_what_counts(
        self, sampleui, root, run: Callable[[Path, list[str]], Path]
    ):
        results = run(root, ["sum", "other"])
        (root / ".env").write_text(HOSTILE_VARIABLES)
        ran = sampleui("rerun", results, "--id", "sum", "--n", "3", "--yes", "--format", "json")
        (record,) = json.loads(ran.out)["records"]
        assert (record["problem"], len(record["answers"])) == ("", 3), ran.err
        assert not (root / "elsewhere").exists()

    def test_a_cancelled_call_leaves_nothing(self, root, run: Callable[[Path, list[str]], Path], process_of):
        results = run(root, ["sum"])
        (root / "slow").write_text("")
        running = process_of("rerun", results, "--failed", "--yes")
        until = time.monotonic() + 60
        while not (root / "begun").exists() and time.monotonic() < until:
            time.sleep(0.1)
        # Others may run such calls at the same time.
        mark = mark_of_one_in(root, process.MARK)
        assert processes_with(mark)
        running.terminate()
        running.communicate(timeout=30)
        assert running.returncode == 130
        assert processes_with(mark) == []
        assert not [*root.rglob("*.reruns")]


@pytest.mark.skipif(not shutil.which("promptfoo"), reason="there is no promptfoo")
def test_a_test_that_scenarios_make_is_run_alone(sampleui, root):
    promptfoo(root, ["sum"])
    config = json.loads((root / "promptfooconfig.yaml").read_text())
    asserts = [{"type": "contains", "value": "eight"}]
    tests = [{"description": name, "vars": {"q": name}, "assert": asserts} for name in ("one", "two")]
    config["prompts"] = ["Q: {{q}} {{l}}"]
    config["scenarios"] = [{"config": [{"vars": {"l": "en"}}, {"vars": {"l": "de"}}], "tests": tests}]
    (root / "promptfooconfig.yaml").write_text(json.dumps(config))
    (root / "n").unlink()
    options = "--no-cache --no-write --no-table --no-progress-bar --no-share -j 1 -o run.json --filter-providers a"
    called(root, "promptfoo", "eval", "-c", "promptfooconfig.yaml", *options.split())
    before = len((root / "n").read_text())
    assert before == 5
    ran = sampleui("rerun", root / "run.json", "--id", "#2", "--id", "#5", "--n", "3", "--yes", "--format", "json")
    records = json.loads(ran.out)["records"]
    assert [(item["problem"], len(item["answers"])) for item in records] == [("", 3), ("", 3)], ran.err
    assert len((root / "n").read_text()) == before + 6
