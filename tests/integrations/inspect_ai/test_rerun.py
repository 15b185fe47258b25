"""How samples of Inspect are run again: by the task of the log, with its conditions, and by patterns of ids."""

from __future__ import annotations

import json
from fnmatch import fnmatch
from pathlib import Path

import pytest

from sampleui.integrations.inspect_ai.rerun import _pattern, plan
from sampleui.review.record import Record
from sampleui.review.results.file import open_results
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.engine import planned_calls
from sampleui.runs.rerun.program import NotFound
from sampleui.runs.rerun.trust import shown

IDS = ["qa-1", "a,b", "a b*[c]", "?", "[!x]", "]", "-x", "new\nline", "{}"]


@pytest.mark.parametrize("name", IDS)
def test_a_pattern_fits_its_id_alone(name):
    assert [other for other in [*IDS, "a bxc", "x"] if fnmatch(other, _pattern(name, "deck"))] == [name]


def test_an_id_that_begins_as_those_do_that_name_their_task_names_it():
    assert _pattern("Deck:1", "deck") == "deck:Deck:1"
    assert _pattern("decks:1", "deck") == "decks:1"


def log(root: Path, **changed) -> Path:
    run = {
        "task": "deck",
        "task_file": "tasks/deck.py",
        "task_args": {"all": 1, "few": 2},
        "task_args_passed": {"few": 2},
        "model": "mockllm/model",
        "model_args": {"a": 1, "b": None},
        "model_generate_config": {"temperature": 0.5},
        "model_roles": {"grader": {"model": "mockllm/grader", "config": {}, "args": {}}},
        "dataset": {"samples": 2, "sample_ids": ["one", 2]},
        "config": {"limit": 1, "sample_id": ["one"], "epochs": 4, "message_limit": 7, "max_samples": 3},
        **changed,
    }
    scores: dict[str, object] = {}
    samples = [{"id": name, "epoch": 1, "input": "x", "target": "y", "scores": scores} for name in ("one", 2)]
    (root / ".git").mkdir(parents=True)
    (root / "tasks").mkdir()
    (root / "tasks" / "deck.py").write_text("import helper\nfrom parts import made, other\nimport os\n")
    (root / "tasks" / "helper.py").write_text("")
    (root / "tasks" / "parts").mkdir()
    (root / "tasks" / "parts" / "__init__.py").write_text("")
    path = root / "logs" / "x.json"
    path.parent.mkdir()
    path.write_text(json.dumps({"version": 2, "status": "success", "eval": run, "samples": samples}))
    return path


def planned(path: Path, out: Path) -> list[ProgramCall | RerunRefused]:
    results = open_results(path).indexed()
    records: list[Record] = [results.record(index) for index in range(len(results.entries))]
    asked = [RerunRequest(record, record.sample_id) for record in records]
    return [*planned_calls(plan, Request(asked, path, 3, out, path.parents[1]))]


def test_the_conditions_of_the_run_are_kept_and_what_chose_its_samples_is_not(tmp_path):
    (call,) = planned(log(tmp_path / "project"), tmp_path / "out")
    assert isinstance(call, ProgramCall)
    assert json.loads(call.files["run.json"]) == {
        "task": {"task": "tasks/deck.py@deck", "args": {"few": 2}},
        "model": {"model": "mockllm/model", "args": {"a": 1}, "config": {"temperature": 0.5}},
        "model_roles": {"grader": {"model": "mockllm/grader"}},
        "eval_config": {"message_limit": 7, "sample_id": ["one", "2"]},
    }
    assert call.folder == tmp_path / "project"
    assert call.named == [tmp_path / "project" / "tasks" / "deck.py"]
    assert call.environment["INSPECT_EVAL_SAMPLE_ID"] == ""


def test_a_task_file_outside_of_the_project_is_not_run(tmp_path):
    (tmp_path / "evil.py").write_text("")
    for written in ("../evil.py", str(tmp_path / "evil.py"), "gone.py"):
        root = tmp_path / written.replace("/", "_").replace(".", "_")
        (refused,) = planned(log(root, task_file=written), tmp_path / "out")
        assert isinstance(refused, RerunRefused)
        assert "is not found in the project" in refused.why


@pytest.mark.parametrize("outside", ["absolute", "upward", "by a link", "by a link with a sign"])
@pytest.mark.parametrize("what", ["task", "solver"])
def test_a_task_or_a_solver_that_a_log_names_outside_is_refused_with_its_path(tmp_path, what, outside):
    (tmp_path / "h.py").write_text("")
    root = tmp_path / "project"
    spec = {
        "absolute": f"{tmp_path}/h.py@deck",
        "upward": "../h.py@deck",
        "by a link": "tasks/x.py@deck",
        "by a link with a sign": "tasks/x@y.py@deck",
    }[outside]
    changed = {"task_file": None, "task_registry_name": spec} if what == "task" else {"solver": spec}
    path = log(root, **changed)
    for name in ("x.py", "x@y.py"):
        (root / "tasks" / name).symlink_to(tmp_path / "h.py")
    (call,) = planned(path, tmp_path / "out")
    assert isinstance(call, ProgramCall)
    refused = shown(call, root)
    assert isinstance(refused, NotFound)
    assert f"leads out of {root}" in refused.why and str(tmp_path / "h.py") in refused.why


@pytest.mark.parametrize(("name", "why"), [("tas*", "stands for others"), ("hf/owner/task", "one of a hub")])
def test_a_name_of_a_task_that_is_a_pattern_or_of_a_hub_is_refused(tmp_path, name, why):
    (refused,) = planned(log(tmp_path / "project", task_file=None, task_registry_name=name), tmp_path / "out")
    assert isinstance(refused, RerunRefused)
    assert why in refused.why


def test_samples_that_have_only_a_number_of_a_shuffled_dataset_are_refused(tmp_path):
    shuffled = {"samples": 2, "sample_ids": ["one", 2], "shuffled": True}
    refused, call = planned(log(tmp_path / "project", dataset=shuffled), tmp_path / "out")
    assert isinstance(refused, RerunRefused) and isinstance(call, ProgramCall)
    assert (refused.keys, call.keys) == (["2"], ["one"])
