"""Files of other tools that are no decks and no results: told for what they are wherever they are opened."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.cli.check import look
from sampleui.errors import DeckError, OtherFileError, ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.integrations.other_files import KINDS
from sampleui.review.record import failed, ungraded
from sampleui.review.results.file import open_results
from sampleui.runs.records import open_run
from sampleui.sample.other_files import other_document, other_file
from sampleui.workspace.folders import deck_check

TRACES = Path(os.environ.get("SAMPLEUI_CORPUS", Path(__file__).parents[3] / "shared" / "corpus")) / "traces"

# a word of what it is, its name, what it holds: a list is written as lines
FILES: list[tuple[str, str, Plain]] = [
    ("OpenTelemetry", "spans.jsonl", [{"resourceSpans": []}]),
    ("Phoenix", "spans.jsonl", [{"id": "a", "name": "x", "context": {"trace_id": "t", "span_id": "s"}}]),
    ("experiment of Phoenix", "x.json", [{"example_id": "a", "repetition_number": 1, "output": {}, "error": None}]),
    ("annotations", "a.jsonl", [{"id": "a", "annotator_kind": "LLM", "span_id": "s", "result": {"score": 1}}]),
    ("Claude Code", "s.jsonl", [{"type": "file-history-snapshot", "messageId": "m", "snapshot": {}}]),
    ("Gemini", "s.json", {"sessionId": "a", "projectHash": "h", "messages": [{"id": "m", "type": "user"}]}),
    ("Copilot", "e.jsonl", [{"type": "tool.execution_complete", "data": {"success": True}, "id": "a",
                             "parentId": None, "timestamp": "t"}]),
    ("mini-swe-agent", "a.traj.json", {"trajectory_format": "mini-swe-agent-1.1", "info": {},
                                       "messages": [{"role": "user", "content": "Fix it"}]}),
    ("SWE-agent", "a.traj", {"trajectory": [], "history": [], "info": {}}),
    ("SWE-bench", "preds.jsonl", [{"instance_id": "a", "model_patch": "diff", "model_name_or_path": "m"}]),
    ("SWE-bench", "preds.json", {"a": {"instance_id": "a", "model_patch": "", "model_name_or_path": "m"}}),
    ("OpenHands", "output.jsonl", [{"instance_id": "a", "test_result": {}, "history": [], "instruction": "Do"}]),
    ("OpenHands", "e.json", {"id": "e", "timestamp": "t", "source": "user", "kind": "MessageEvent"}),
    ("tau-bench", "t.json", [{"task_id": 0, "reward": 1.0, "info": {}, "traj": [], "trial": 0}]),
    ("tau2-bench", "t.json", {"info": {}, "tasks": [{"id": "0"}], "simulations": [{"id": "s", "task_id": "0"}]}),
    ("BFCL", "r.json", [{"id": "a", "result": "f()", "input_token_count": 1, "latency": 1.0},
                        {"id": "b", "result": "g()", "input_token_count": 1, "latency": 1.0}]),
    ("BFCL", "s.json", [{"accuracy": 0.5, "correct_count": 1, "total_count": 2},
                        {"id": "a", "valid": False, "error": [], "error_type": "x"}]),
    ("terminal-bench", "r.json", {"id": "a", "results": [{"task_id": "t", "is_resolved": None, "failure_mode": ""}],
                                  "accuracy": 0.3, "n_resolved": 0, "n_unresolved": 1}),
    ("ADK", "s.evalset.json", {"eval_set_id": "s", "eval_cases": [{"eval_id": "a"}]}),
    ("ADK", "r.json", {"eval_set_result_id": "s", "eval_case_results": [{"eval_id": "a", "final_eval_status": 1}]}),
    ("LangSmith", "runs.jsonl", [{"id": "a", "run_type": "llm", "dotted_order": "x", "status": "success",
                                  "inputs": {"q": 1}, "outputs": {}}]),
    ("observations", "o.jsonl", [{"id": "o", "trace_id": "t", "parent_observation_id": "", "input": "Hi"}]),
    ("traces, which", "t.json", [{"id": "t", "timestamp": "x", "sessionId": None, "userId": None, "input": "Hi",
                                  "output": "Yo", "metadata": {}}]),
    ("traces, which", "t.csv", "id,timestamp,name,sessionId,userId,input,output\nt,x,n,,,Hi,Yo\n"),
    ("promptfoo's", "o.csv", "Description,id,[a] x,Status,Score,Named Scores,Grader Reason,Comment,[b] y,Status,"
                             "Score,Named Scores,Grader Reason,Comment\n,1,x,FAIL,0.00,,No,,y,PASS,1.00,,,\n"),
    ("scores about", "s.jsonl", [{"id": "s", "trace_id": "t", "observation_id": None, "data_type": "NUMERIC",
                                  "name": "n", "value": 1}]),
    ("Weave", "c.jsonl", [{"id": "a", "op_name": "weave:///x", "project_id": "p", "started_at": "t"}]),
    ("MLflow", "t.jsonl", [{"info": {"trace_id": "tr-1", "state": "OK"}, "data": {"spans": []}}]),
    ("Braintrust", "e.jsonl", [{"id": "a", "span_id": "s", "root_span_id": "s", "_xact_id": "1", "input": "Hi",
                                "output": "Yo", "scores": {"x": 1}}]),
    ("OpenAI's evals API", "o.json", {"object": "list", "data": [
        {"object": "eval.run.output_item", "id": "a", "run_id": "r", "status": "pass", "datasource_item": {}}]}),
    ("OpenAI's evals: events", "l.jsonl", [{"spec": {"eval_name": "x"}}]),
    ("batch API", "b.jsonl", [{"id": "b", "custom_id": "c", "response": {"status_code": 200, "body": {}},
                               "error": None}]),
    ("garak", "g.jsonl", [{"entry_type": "attempt", "uuid": "u", "status": 2, "prompt": "x", "passed": 1}]),
    ("evalite", "r.json", {"run": {"id": 1, "runType": "full"}, "evals": [{"id": 1, "status": "success",
                                                                          "results": [{"id": 1}]}]}),
    ("TruLens", "r.jsonl", [{"record_id": "r", "app_id": "a", "record_json": "{}", "input": "Hi", "output": "Yo"}]),
    ("HELM", "per_instance_stats.json", [{"instance_id": "id1", "train_trial_index": 0, "stats": [{"mean": 1.0}]}]),
    ("votes", "v.jsonl", [{"question_id": "q", "model_a": "x", "model_b": "y", "winner": "model_a"}]),
    ("MT-bench", "a.jsonl", [{"question_id": 1, "answer_id": "a", "model_id": "m", "choices": [], "tstamp": 1.0}]),
]  # fmt: skip


@pytest.fixture(params=FILES, ids=[f"{what}-{name}" for what, name, _ in FILES])
def other(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    what, name, holds = request.param
    path = tmp_path / name
    if isinstance(holds, str):
        path.write_text(holds)
    elif isinstance(holds, list) and (name.endswith(".jsonl") or "BFCL" in what):
        path.write_text("".join(f"{json.dumps(line)}\n" for line in holds))
    else:
        path.write_text(json.dumps(holds, indent=1))
    return path, what


def test_a_file_of_another_tool_is_named_for_what_it_is_and_never_counted(other: tuple[Path, str]) -> None:
    path, what = other
    with pytest.raises(DeckError, match=what):
        open_deck(path)
    with pytest.raises(OtherFileError, match=what):
        open_results(path)
    assert what in deck_check(path).reason
    if what != "mini-swe-agent":  # whose messages are a trace
        with pytest.raises(OtherFileError, match=what):
            open_run(path)


INSPECT: Table = {"version": 2, "status": "success", "eval": {"task": "t", "dataset": {}, "model": "m"}, "plan": {}}
LOGS: dict[str, Plain] = {
    "log": {**INSPECT, "samples": [{"id": 1, "epoch": 1, "input": "Hi", "messages": [], "scores": {}}]},
    "error": {**INSPECT, "status": "error", "error": {"message": "boom"}},
    "started": {**INSPECT, "status": "started", "samples": []},
    "reductions": {**INSPECT, "reductions": [{"scorer": "s", "samples": [{"sample_id": 1, "value": 1.0}]}]},
    "listed": [{"name": "a.eval", "type": "file", "size": 1, "mtime": 1.0, "task": "t", "task_id": "i"}],
    "headers": [INSPECT, INSPECT],
    "logs": {"a.eval": INSPECT},
    "eval-set": {"eval_set_id": "x", "tasks": [{"name": "t", "task_id": "i"}]},
    "samples": [{"id": 1, "epoch": 1, "target": "x", "messages": [], "scores": {}, "model_usage": {}}],
}


@pytest.mark.parametrize("name", LOGS)
def test_check_of_what_inspect_writes_points_to_the_logs_and_to_the_review(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.json"
    path.write_text(json.dumps(LOGS[name]))
    error = look(path).error
    assert error is not None
    assert "Inspect" in str(error)
    assert "sampleui review opens" in str(error) or "logs, *.eval" in str(error)


SESSIONS: dict[str, Plain] = {
    "Claude Code": {"type": "user", "sessionId": "a", "uuid": "b", "parentUuid": None},
    "Claude Code's print": {"type": "system", "subtype": "init", "session_id": "a"},
    "Codex": {"timestamp": "t", "type": "session_meta", "payload": {"id": "a"}},
    "Codex' print": {"type": "thread.started", "thread_id": "a"},
}


@pytest.mark.parametrize("name", SESSIONS)
def test_check_of_a_session_points_to_the_review(tmp_path: Path, name: str) -> None:
    path = tmp_path / "s.jsonl"
    path.write_text(json.dumps(SESSIONS[name]) + "\n")
    assert f"a session of {name.partition(chr(39))[0]}" in deck_check(path).reason
    assert "sampleui review opens it" in str(look(path).error)
    diagnostics = open_results(path).indexed().diagnostics
    assert [note.message for note in diagnostics] == ["s.jsonl: nothing was said in it"]


def test_check_of_an_archive_points_to_the_review(tmp_path: Path) -> None:
    path = tmp_path / "a.eval"
    path.write_bytes(b"PK\3\4\0\0")
    assert "sampleui review opens it" in str(look(path).error)


def test_a_table_of_the_users_reads_a_file_of_another_tool(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".sampleui.toml").write_text('[results.tau]\nid = "task_id"\nscore = "reward"\n')
    rows: list[Table] = [{"task_id": at, "reward": at, "info": {}, "traj": [], "trial": 0} for at in (0, 1)]
    (tmp_path / "run.json").write_text(json.dumps(rows))
    found = open_results(tmp_path / "run.json").indexed()
    assert [failed(one) for one in found.entries] == [True, False]


def test_no_sign_is_borne_by_an_ordinary_sample_or_row() -> None:
    keys = "id input output messages expected score status model metadata tags question answer prompt latency"
    row: dict[str, Plain] = dict.fromkeys(keys.split(), "x")
    assert other_file([row], {"results": [row], "info": {}, "timestamp": "t"}) is None
    assert other_document('"{') is None


def test_each_kind_of_file_has_signs_and_words() -> None:
    assert all(kind.signs and kind.what and kind.reason.startswith("another tool's file") for kind in KINDS)


@pytest.mark.skipif(not TRACES.is_dir(), reason="the corpus is not part of the project")
def test_nothing_of_other_tools_traces_is_a_deck_or_a_record_that_passed() -> None:
    read = ("ragas", "harbor", "otel-events-2024")
    for path in sorted(one for one in TRACES.rglob("*") if one.is_file() and one.parent.name not in read):
        with pytest.raises(DeckError, match="another tool's file"):
            open_deck(path)
        try:
            found = open_results(path).indexed()
        except ResultsError as error:
            assert "another tool's file" in str(error), path
        else:
            assert all(failed(one) or ungraded(one) for one in found.entries), path
