"""What a trajectory says of sub-agents, copies and images, and what a job's folder may not lead to."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from sampleui.integrations.harbor.results import record_of
from sampleui.review.results.file import open_results
from sampleui.trace.public import extract_trace as extracted
from sampleui.trace.reading.extract import read_trace
from sampleui.trace.reading.files import records_of

WRITTEN = Path(__file__).parent / "written"


def test_steps_copied_from_an_earlier_context_are_not_counted_again() -> None:
    assert trajectory().summary.tool_calls_by_name == {"bash": 1, "grep": 1, "task": 1}


def test_what_a_sub_agent_did_stands_below_its_call_with_its_depth_and_its_name() -> None:
    events = trajectory().events
    inner = [event for event in events if event.extra.get("depth") == 1]
    assert {event.extra["agent"] for event in inner} == {"searcher"}
    assert [event.name for event in events if event.name][:3] == ["bash", "task", "grep"]


def test_an_image_is_named() -> None:
    assert "[image shot.png]" in "\n".join(event.text or "" for event in trajectory().events)


def test_a_trial_of_a_job_has_the_trajectory_in_its_folder() -> None:
    results = open_results(WRITTEN / "job").indexed()
    first = next(entry for entry in results.entries if entry.score == 1.0)
    trace = read_trace(results.record(first.index).data, results.base_dir)
    assert trace.summary.tool_calls_by_name["bash"] == 1
    assert results.ended == "6 of 7 trials have a result"


def test_an_exception_in_a_step_is_an_error_and_tokens_of_steps_are_added() -> None:
    results = open_results(WRITTEN / "job").indexed()
    steps = results.record(next(entry.index for entry in results.entries if entry.sample_id == "two-steps"))
    assert (steps.error, steps.score, steps.cost_usd) == ("RuntimeError: lost", None, 0.5)
    assert steps.tokens is not None and steps.tokens.input == 7


def test_a_trial_or_a_trajectory_that_is_a_link_out_of_the_job_is_not_read(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    shutil.copytree(WRITTEN / "job" / "fix-bug__001", outside)
    job = tmp_path / "work" / "job"
    shutil.copytree(WRITTEN / "job", job)
    for name in ("fix-bug__001", "slow__004"):
        shutil.rmtree(job / name)
    (job / "fix-bug__001").symlink_to(outside)
    (job / "fix-bug__002" / "agent").symlink_to(outside / "agent")
    results = open_results(job).indexed()
    assert sorted(entry.sample_id for entry in results.entries) == ["broken", "fix-bug", "two-steps", "write-docs"]
    record = results.record(next(entry.index for entry in results.entries if entry.sample_id == "fix-bug"))
    assert "transcript" not in record.data


def test_rewards_of_any_scale_decide_nothing(tmp_path: Path) -> None:
    trial = json.loads((WRITTEN / "job" / "fix-bug__001" / "result.json").read_text())
    trial["verifier_result"] = {"rewards": {"speed": 12, "size": 3}}
    (tmp_path / "result.json").write_text(json.dumps(trial))
    (entry,) = open_results(tmp_path / "result.json").indexed().entries
    assert (entry.score, [mark.score for mark in entry.grades]) == (None, [12.0, 3.0])


def trajectory():
    (record,) = records_of(WRITTEN / "trajectory.json")
    return read_trace(record.data, WRITTEN)


def with_result(result: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a trajectory with a call and what that returned."""
    call = {"tool_call_id": "c", "function_name": "ask", "arguments": {}}
    step = {
        "step_id": 1,
        "source": "agent",
        "message": "",
        "tool_calls": [call],
        "observation": {"results": [{"source_call_id": "c", **result}]},
    }
    agent = {"name": "main", "version": "1"}
    return {"schema_version": "ATIF-v1.7", "session_id": "s", "agent": agent, "steps": [step], **more}


@pytest.mark.parametrize(
    ("extra", "error"),
    [
        ({"tool_result_is_error": True}, "refused"),
        ({"is_error": True}, "refused"),
        ({"error": "gone"}, "gone"),
        ({"tool_result_is_error": False}, None),
        ({}, None),
    ],
)
def test_a_call_failed_where_the_extras_of_its_result_say_so(extra: dict[str, Any], error: str | None) -> None:
    row = record_of(with_result({"content": "refused", "extra": extra}))
    assert row is not None
    events = extracted(row, ".").events
    assert [event.get("error") for event in events if event["type"] == "tool_call"] == [error]


def test_a_sub_agent_is_found_by_its_own_id_where_several_are_of_one_session() -> None:
    said: list[Any] = [[{"step_id": 1, "source": "agent", "message": text}] for text in ("first", "second")]
    agents: list[Any] = [
        {"trajectory_id": f"t{n}", "session_id": "s", "agent": {"name": f"a{n}"}, "steps": said[n]}
        for n in range(2)
    ]
    refers = {"content": "", "subagent_trajectory_ref": [{"trajectory_id": "t1", "session_id": "s"}]}
    row = record_of(with_result(refers, subagent_trajectories=agents))
    assert row is not None
    told = [event["text"] for event in extracted(row, ".").events if "text" in event]
    assert told == ["second", "first"]


@pytest.fixture
def trial(tmp_path: Path) -> Path:
    """Return the folder of a trial whose agent refers to a sub-agent in a file of its own."""
    (tmp_path / ".git").mkdir()
    agent = tmp_path / "trial" / "agent"
    agent.mkdir(parents=True)
    result = {"task_name": "t", "trial_name": "trial", "agent_info": {"name": "main"}, "verifier_result": None}
    (agent.parent / "result.json").write_text(json.dumps(result))
    refers = {"content": "", "subagent_trajectory_ref": [{"trajectory_path": "sub.json"}]}
    (agent / "trajectory.json").write_text(json.dumps(with_result(refers)))
    return agent.parent


def told_of(trial: Path) -> tuple[list[str], list[str]]:
    """Return what was called in a trial, with its depth, and what is noted of its files."""
    return calls_in(trial / "result.json")


def calls_in(file: Path) -> tuple[list[str], list[str]]:
    """Return what was called in the record of a file, with its depth, and what is noted of it."""
    record = open_results(file, ()).indexed().record(0)
    events = extracted(record.data, file.parent).events
    calls = [f"{event['name']} {event.get('depth', 0)}" for event in events if event["type"] == "tool_call"]
    return calls, [note.message for note in record.notes]


def written(folder: Path, trajectory: dict[str, Any]) -> Path:
    """Write a trajectory by itself."""
    (folder / "t.json").write_text(json.dumps(trajectory))
    return folder / "t.json"


def test_the_trajectory_of_a_sub_agent_in_a_file_of_its_own_is_part_of_it(trial: Path) -> None:
    (trial / "agent" / "sub.json").write_text(json.dumps(with_result({"content": "x"})))
    assert told_of(trial) == (["ask 0", "ask 1"], [])


def test_a_sub_agent_that_refers_to_itself_is_read_once(trial: Path) -> None:
    (trial / "agent" / "sub.json").write_bytes((trial / "agent" / "trajectory.json").read_bytes())
    assert told_of(trial) == (["ask 0", "ask 1"], [])


def test_a_file_of_a_sub_agent_that_is_missing_or_leads_out_is_told_and_not_read(
    trial: Path, tmp_path: Path
) -> None:
    missing = ["the trajectory of a sub-agent is not here: sub.json"]
    assert told_of(trial) == (["ask 0"], missing)
    (tmp_path / "secret.json").write_text(json.dumps(with_result({"content": "secret"})))
    (trial / "agent" / "sub.json").symlink_to(tmp_path / "secret.json")
    assert told_of(trial) == (["ask 0"], missing)


def test_what_a_sub_agent_began_stands_below_it_also_where_its_trajectory_is_beside_it(tmp_path: Path) -> None:
    inner = {**with_result({"content": "x"}), "trajectory_id": "inner"}
    refers = {"content": "", "subagent_trajectory_ref": [{"trajectory_id": "inner"}]}
    outer = {**with_result(refers), "trajectory_id": "outer"}
    calls_outer = {"content": "", "subagent_trajectory_ref": [{"trajectory_id": "outer"}]}
    file = written(tmp_path, with_result(calls_outer, subagent_trajectories=[outer, inner]))
    assert calls_in(file) == (["ask 0", "ask 1", "ask 2"], [])


def test_what_a_trajectory_refers_to_and_does_not_have_is_told(tmp_path: Path) -> None:
    refers = {
        "content": "",
        "subagent_trajectory_ref": [{"trajectory_path": "sub.json"}, {"trajectory_id": "gone"}],
    }
    file = written(tmp_path, with_result(refers, continued_trajectory_ref="next.json"))
    assert calls_in(file) == (
        ["ask 0"],
        [
            "the trajectory of a sub-agent is not here: sub.json",
            "the trajectory of a sub-agent is not here: gone",
            "the trajectory goes on in a file that is not read: next.json",
        ],
    )


def test_a_recording_is_named_as_an_image_is() -> None:
    part = {"type": "audio", "source": {"media_type": "audio/wav", "path": "said.wav"}}
    assert "[audio said.wav]" in json.dumps(record_of(with_result({"content": [part]})))
