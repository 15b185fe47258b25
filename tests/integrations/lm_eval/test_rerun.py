"""How documents of lm-eval are run again: by what the scores beside them say, or not at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui.integrations.lm_eval.rerun import answers, plan, scores_of
from sampleui.review.results.file import open_results
from sampleui.runs.rerun.calls import ProgramCall, Request, RerunRefused, RerunRequest
from sampleui.runs.rerun.engine import planned_calls


def planned(root: Path, config: dict[str, object], options: dict[str, object]) -> list[ProgramCall | RerunRefused]:
    (root / ".git").mkdir(parents=True)
    (root / "tasks").mkdir()
    (root / "tasks" / "deck.yaml").write_text("include: base.yaml\nprocess_docs: !function own.docs\n")
    (root / "tasks" / "base.yaml").write_text("task: demo\n")
    (root / "tasks" / "own.py").write_text("")
    row = {"doc_id": 4, "doc": {"id": "a"}, "target": "x", "arguments": {}, "resps": [["y"]], "filter": "strict"}
    path = root / "samples_demo_2026.jsonl"
    path.write_text(json.dumps({**row, "filtered_resps": ["y"], "metrics": ["acc"], "acc": 0.0}) + "\n")
    config = {"metadata": {"config_source": "tasks/deck.yaml"}, **config}
    scores = {"configs": {"demo": config}, "config": {"model": "dummy", **options}, "n-shot": {"demo": 2}}
    (root / "results_2026.json").write_text(json.dumps(scores))
    record = open_results(path).indexed().record(0)
    return [*planned_calls(plan, Request([RerunRequest(record, "key")], path, 2, root / "out", root))]


def test_the_options_of_the_run_and_the_number_of_the_document_make_a_call_for_each_time(tmp_path):
    filters = {"filter_list": [{"name": "strict"}, {"name": "loose"}]}
    calls = planned(tmp_path, filters, {"model_args": {"a": 1}, "limit": 3, "system_instruction": "be brief"})
    assert [isinstance(call, ProgramCall) and call.out.name for call in calls] == ["1", "2"]
    call = calls[0]
    assert isinstance(call, ProgramCall)
    assert json.loads(call.files["run.json"]) == {
        "model": "dummy",
        "model_args": {"a": 1},
        "tasks": ["demo"],
        "num_fewshot": 2,
        "include_path": str(tmp_path / "tasks"),
        "system_instruction": "be brief",
        "samples": {"demo": [4]},
    }
    assert tmp_path / "tasks" / "deck.yaml" in call.named
    assert '[4, "a", "loose"]' in call.also


@pytest.mark.parametrize(
    ("config", "options", "why"),
    [
        ({"unsafe_code": True}, {}, "runs the code that a model answers with"),
        ({}, {"model_args": {"trust_remote_code": True}}, "code of a hub"),
        ({}, {"model_args": "pretrained=x,trust_remote_code=True"}, "code of a hub"),
        ({"dataset_kwargs": {"trust_remote_code": True}}, {}, "code of a hub"),
        ({"metadata": {"config_source": "../evil.yaml"}}, {}, "../evil.yaml, is not found in the project"),
        ({"metadata": {"config_source": "/elsewhere/evil.yaml"}}, {}, "/elsewhere/evil.yaml, is outside of"),
        ({"metadata": {}}, {}, "which file its task is in"),
        ({}, {"model": None}, "does not say how demo was run"),
    ],
)
def test_what_cannot_be_shown_or_is_not_known_is_refused(tmp_path, config, options, why):
    (refused,) = planned(tmp_path / "project", config, options)
    assert isinstance(refused, RerunRefused)
    assert why in refused.why


def test_the_scores_are_kept_along_without_which_an_answer_is_not_run_again(tmp_path):
    folder = tmp_path / "run" / "model"
    folder.mkdir(parents=True)
    for name in ("results_2026.json", "samples_deck_2026.jsonl", "other.json"):
        (folder / name).write_text("{}")
    assert [path.name for path in answers(tmp_path)] == ["samples_deck_2026.jsonl"]
    assert [path.name for path in scores_of(tmp_path)] == ["results_2026.json"]
