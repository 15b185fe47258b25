"""What the results of verifiers tell, on files that it wrote, and on rows made of them."""

from __future__ import annotations

import json
from pathlib import Path

from sampleui.review.record import failed
from sampleui.review.results.file import Results, open_results
from sampleui.trace.reading.extract import read_trace

WRITTEN = Path(__file__).parent / "written"


def opened(name: str) -> Results:
    found = sorted(WRITTEN.glob(name))
    return open_results(found[0]).indexed()


def test_a_repeated_trace_of_verifiers_has_what_was_asked_done_and_scored() -> None:
    results = opened("traces.jsonl")
    found = {one.id: results.record(one.index) for one in results.entries}
    capital = found["capital"]
    assert not failed(capital)
    assert (capital.score, capital.actual, capital.expected) == (1.0, "Paris, of course", "Paris")
    assert [(one["role"], one["content"]) for one in capital.asked] == [
        ("system", "Be brief"),
        ("user", "capital of France?"),
    ]
    assert [(one.name, one.score) for one in capital.grades] == [("exact", 1.0), ("words", 3.0)]
    assert (capital.tokens and capital.tokens.input, capital.target) == (9, "mock")
    assert found["down"].asked == (capital.asked[0], {"role": "user", "content": "provider 500"})
    assert (found["down"].error or "").startswith("ProviderError: upstream 400")
    assert (found["2"].score, found["2"].error) == (
        None,
        "TaskError: task DemoTask scoring: RuntimeError: the reward crashed",
    )


def test_an_older_trace_of_verifiers_is_a_record_with_its_calls(tmp_path: Path) -> None:
    lines = (WRITTEN / "traces.jsonl").read_text("utf-8").splitlines()
    trace = next(one for line in lines for one in json.loads(line)["traces"] if one["task"]["data"]["idx"] == 0)
    call = {"role": "assistant", "tool_calls": [{"id": "c", "name": "look", "arguments": '{"q": 1}'}]}
    trace["nodes"][2:] = [
        {"parent": 1, "sampled": True, "message": call, "timestamp": 1795377051.5},
        {"parent": 1, "sampled": True, "message": {"role": "assistant", "content": "left"}},
        {"parent": 2, "message": {"role": "tool", "tool_call_id": "c", "content": "seen"}},
        {"parent": 4, "sampled": True, "message": {"role": "assistant", "content": "Lyon"}},
    ]
    trace["rewards"] = {"exact": 0.0, "short": 0.5}
    del trace["ok"]
    (tmp_path / "traces.jsonl").write_text(json.dumps(trace), "utf-8")
    record = open_results(tmp_path).indexed().record(0)
    assert (record.actual, record.score, record.error) == ("Lyon", 0.5, None)
    events = read_trace(record.data, tmp_path).events
    assert [(str(one.type), one.name) for one in events][:1] == [("tool_call", "look")]
    assert "left" not in [one.text for one in events]


def test_a_rollout_that_a_limit_ended_says_which(tmp_path: Path) -> None:
    row = json.loads((WRITTEN / "results.jsonl").read_text("utf-8").splitlines()[0])
    row |= {"is_truncated": True, "stop_condition": "prompt_too_long"}
    (tmp_path / "results.jsonl").write_text(json.dumps(row) + "\n", "utf-8")
    assert (
        open_results(tmp_path / "results.jsonl").indexed().record(0).reasoning
        == "ended by a limit: prompt_too_long"
    )


def test_the_model_and_the_environment_of_a_run_are_those_of_the_metadata_beside_its_rows(tmp_path: Path) -> None:
    row = {"example_id": 0, "prompt": "1+1?", "completion": "2", "reward": 1.0, "task": "sums"}
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(row) + "\n" + json.dumps({**row, "example_id": 1, "model": "own"}) + "\n")
    (tmp_path / "metadata.json").write_text('{"env_id": "gsm8k", "model": "openai/gpt", "date": 3}')
    results = open_results(path).indexed()
    assert [(entry.target, entry.suite) for entry in results.entries] == [("openai/gpt", "gsm8k"), ("own", "gsm8k")]
    assert results.record(0).target == "openai/gpt"
    (tmp_path / "metadata.json").write_text("[")
    assert [entry.target for entry in open_results(path).indexed().entries] == [None, "own"]
