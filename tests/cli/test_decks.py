"""Which decks a run ran."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sampleui.errors import DeckError
from sampleui.review.results.file import open_results
from sampleui.runs.decks import decks_of_run
from sampleui.settings.options import Settings

DECK = "tests:\n  - id: {0}\n    input: Hi\n    expected_output: Hello\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "desk"
    (root / ".git").mkdir(parents=True)
    for name in ("support", "agent"):
        (root / "evals").mkdir(parents=True, exist_ok=True)
        (root / "evals" / f"{name}.eval.yaml").write_text(DECK.format(name))
    return root


def run(folder: Path, *sources: str) -> Path:
    """Write a run of the decks, with the copies that AgentV keeps."""
    rows = []
    for source in sources:
        name = Path(source).name.split(".")[0]
        task = folder / name / "task"
        task.mkdir(parents=True)
        (task / "EVAL.yaml").write_text(DECK.format(name))
        rows.append({
            "test_id": name, "target": "m", "score": 0, "execution_status": "quality_failure",
            "task_dir": f"{name}/task", "eval_path": f"{name}/task/EVAL.yaml",
            "projection_identity": {"dimensions": {"eval_path": source}},
        })  # fmt: skip
    (folder / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder


def names(results: Path, *given: Path) -> list[str]:
    return [deck.path.name for deck in decks_of_run(open_results(results), given, Settings()).decks]


def test_two_suites_of_one_run_join_with_two_decks(project: Path) -> None:
    folder = run(project / "runs" / "one", "evals/support.eval.yaml", "evals/agent.eval.yaml")
    found = decks_of_run(open_results(folder), (), Settings())
    assert [deck.path for deck in found.decks] == [
        project / "evals" / "support.eval.yaml", project / "evals" / "agent.eval.yaml",
    ]  # fmt: skip
    samples = [found.sample(entry) for entry in open_results(folder).indexed().entries]
    assert [one.path for one in samples if one is not None] == [deck.path for deck in found.decks]


@pytest.mark.parametrize(
    "written",
    ["evals/support.eval.yaml", "helpdesk/evals/support.eval.yaml", "/home/ann/helpdesk/evals/support.eval.yaml"],
)
def test_a_deck_is_found_upward_though_its_project_was_called_otherwise(project: Path, written: str) -> None:
    folder = run(project / ".agentv" / "results" / "runs" / "default" / "one", written)
    assert names(folder) == ["support.eval.yaml"]


def test_a_run_never_offers_its_own_copy(project: Path) -> None:
    folder = run(project / "runs" / "one", "evals/gone.eval.yaml")
    assert decks_of_run(open_results(folder), (), Settings()).hint.startswith("no deck is known")


@pytest.mark.parametrize("written", ["../../outside.yaml", "evals/support.eval.yaml\0", "evals/support.txt"])
def test_a_strangers_results_name_no_file_outside(project: Path, written: str) -> None:
    (project.parent / "outside.yaml").write_text(DECK.format("x"))
    folder = run(project / "runs" / "one", "evals/none.yaml")
    row = json.loads((folder / "index.jsonl").read_text())
    row["projection_identity"]["dimensions"]["eval_path"] = written
    (folder / "index.jsonl").write_text(json.dumps(row))
    assert names(folder) == []


@pytest.mark.parametrize("written", ["private/keys.yaml", "keys.yaml", "/home/ann/private/keys.yaml"])
def test_results_that_are_in_no_project_name_no_file_above_them(tmp_path: Path, monkeypatch, written: str) -> None:
    monkeypatch.chdir(tmp_path)
    for home in ("private", "decks"):
        (tmp_path / home).mkdir()
        (tmp_path / home / "keys.yaml").write_text(DECK.format("keys"))
    (tmp_path / "keys.yaml").write_text(DECK.format("keys"))
    folder = run(tmp_path / "downloads" / "keys", written)
    assert names(folder) == []
    shutil.copy(folder / "index.jsonl", tmp_path / "downloads" / "keys.results.jsonl")
    assert names(tmp_path / "downloads" / "keys.results.jsonl") == []


def test_results_from_elsewhere_name_a_deck_of_the_project_in_which_a_person_works(
    project: Path, tmp_path: Path, monkeypatch
) -> None:
    folder = run(tmp_path / "downloads" / "one", "evals/support.eval.yaml")
    monkeypatch.chdir(project)
    assert names(folder) == ["support.eval.yaml"]


def test_an_eval_is_found_beside_its_results_and_results_are_no_deck(tmp_path: Path) -> None:
    (tmp_path / "nightly.results.jsonl").write_text('{"test_id": "a", "score": 0}\n')
    (tmp_path / "nightly.jsonl").write_text('{"test_id": "a", "score": 1, "input": "x", "id": "a"}\n')
    assert names(tmp_path / "nightly.results.jsonl") == []
    (tmp_path / "nightly.eval.yaml").write_text(DECK.format("a"))
    assert names(tmp_path / "nightly.results.jsonl") == ["nightly.eval.yaml"]


def test_decks_are_given_by_file_and_by_folder(project: Path, tmp_path: Path) -> None:
    folder = run(project / "runs" / "one", "evals/support.eval.yaml")
    own = project / "evals" / "agent.eval.yaml"
    assert names(folder, own) == ["agent.eval.yaml"]
    assert names(folder, project) == ["agent.eval.yaml", "support.eval.yaml"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(DeckError, match="no decks"):
        names(folder, tmp_path / "empty")


def test_a_gage_run_names_its_dataset(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "mine.jsonl").write_text(
        '{"id": "a", "messages": [{"role": "user", "content": "Hi"}], "references": ["x"]}\n'
    )
    folder = tmp_path / "runs" / "first"
    folder.mkdir(parents=True)
    event = {"event": "dataset_registered", "payload": {"metadata": {"path": "gage/mine.jsonl"}}}
    (folder / "events.jsonl").write_text(json.dumps(event) + "\n")
    row = {"sample_id": "t:a", "sample": {"id": "a"}, "model_output": {"answer": "y"}, "metrics": {}}
    (folder / "samples.jsonl").write_text(json.dumps(row) + "\n")
    assert names(folder) == ["mine.jsonl"]


def test_a_suite_tells_decks_apart_where_the_source_does_not(project: Path) -> None:
    """AgentV 4.42 names the deck of the last suite for every test of an id that two suites have."""
    for name, suite in (("support", "Support desk"), ("agent", "")):
        named = f"name: {suite}\n" * bool(suite)
        (project / "evals" / f"{name}.eval.yaml").write_text(named + DECK.format("hello"))
    folder = project / "runs" / "one"
    folder.mkdir(parents=True)
    rows = [
        {
            "test_id": "hello", "suite": suite, "target": "m", "score": 1,
            "projection_identity": {"dimensions": {"eval_path": f"evals/{named}.eval.yaml"}},
        }
        for suite, named in (("Support desk", "agent"), ("agent", "agent"), ("gone", "support"))
    ]  # fmt: skip
    (folder / "index.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    results = open_results(folder).indexed()
    assert results.superseded == {}
    found = decks_of_run(results, (), Settings())
    samples = [found.sample(entry) for entry in results.entries]
    assert [one and one.path.name for one in samples] == [
        "support.eval.yaml",
        "agent.eval.yaml",
        "support.eval.yaml",
    ]
