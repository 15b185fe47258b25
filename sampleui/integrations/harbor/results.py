"""Harbor: trajectories of agents (ATIF 1.0 to 1.8), and the results of its trials and jobs.

A trajectory has steps. A call stands in the same step as what it returned; a step that was copied from an earlier
context is no step of this one; the trajectories of sub-agents stand beside the steps, and a result refers to one. A
trial has rewards by name, which may be any numbers, and an exception if it could not be run to its end. A job is a
folder of trials.
"""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterator, Sequence
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_list, as_table, tables_in
from sampleui.integrations.integration import Hydrated, ReadingResults, RunFiles, Sharing, Transcripts
from sampleui.integrations.named_files import table_in
from sampleui.review.results import fields
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.review.results.documents import rows_whole
from sampleui.review.results.sources import ResultSource
from sampleui.sample.dialects.dialect import DialectMark, paths
from sampleui.text.confined import is_folder, is_link, listed
from sampleui.text.limits import MAX_RESULTS_LINE, MAX_TRACE_BYTES
from sampleui.trace.summary import instant

VERSION = "ATIF-"
_DEEPEST = 8
"""How deep sub-agents are followed."""

_FAILED = ("is_error", "tool_result_is_error")
"""Under which of its own keys a result says that its call failed; the second is written of Claude Code's runs."""

_MAX_FILES = 200
"""How many files of sub-agents are read for a trial."""

_COUNTS = {"input": "n_input_tokens", "output": "n_output_tokens", "cached": "n_cache_tokens"}
_ROLES = {"user": "user", "system": "system", "agent": "assistant"}
_NONE: ChainMap[str, Table] = ChainMap()


def is_trajectory(data: Plain) -> bool:
    """Tell whether a document is a trajectory."""
    return isinstance(data, dict) and str(data.get("schema_version")).startswith(VERSION) and "steps" in data


def record_of(data: Plain) -> Table | None:
    """Return the record that a trajectory stands for, None where a document is none."""
    if not is_trajectory(data):
        return None
    table = as_table(data)
    agent, final = as_table(table.get("agent")), as_table(table.get("final_metrics"))
    record: Table = {
        "id": table.get("trajectory_id", table.get("session_id")),
        "target": " · ".join(str(part) for key in ("name", "model_name") if (part := agent.get(key))) or None,
        "schema_version": table.get("schema_version"),
        "token_usage": _tokens(final, "total_"),
        "cost_usd": final.get("total_cost_usd"),
        "output_messages": [*_Reading().messages(table)],
    }
    return {key: value for key, value in record.items() if value is not None}


class _Reading:
    """The reading of one trajectory with those of its sub-agents.

    Attributes:
        absent: what is referred to and not there, in words.
    """

    def __init__(self) -> None:
        self.absent: list[str] = []
        self._begun: set[str] = set()

    def messages(
        self, trajectory: Table, depth: int = 0, around: ChainMap[str, Table] = _NONE, call: Plain = ""
    ) -> Iterator[Table]:
        """Yield the messages of a trajectory and of those of its sub-agents, each of these where it was called.

        Args:
            trajectory: the trajectory.
            depth: how many agents are above the one whose trajectory it is.
            around: the trajectories beside it and beside those around it that nobody referred to yet.
            call: the id of the call that began it, empty where none is known.
        """
        agents = tables_in(trajectory.get("subagent_trajectories")) if depth < _DEEPEST else ()
        own = {_name(agent) or str(number): agent for number, agent in enumerate(agents)}
        left = around.new_child(own)
        name = as_table(trajectory.get("agent")).get("name")
        whose: Table = {"depth": depth, "agent": name, "parent": call} if depth else {}
        for step in tables_in(trajectory.get("steps")):
            if step.get("is_copied_context") is True:
                continue
            returned = tables_in(as_table(step.get("observation")).get("results"))
            yield _message(step, returned, whose)
            answered = {call.get("tool_call_id") for call in tables_in(step.get("tool_calls"))}
            for result in returned:
                if result.get("source_call_id") not in answered:
                    yield {**whose, "role": "tool", "content": _text(result.get("content"))}
                for reference in tables_in(result.get("subagent_trajectory_ref")):
                    if (agent := self._referred(reference, left)) is not None:
                        yield from self.messages(agent, depth + 1, left, result.get("source_call_id") or "")
        while own:
            yield from self.messages(own.pop(next(iter(own))), depth + 1, left)

    def _referred(self, reference: Table, left: ChainMap[str, Table]) -> Table | None:
        """Take the trajectory that a result refers to out of those that are left; None where it is not there."""
        names = [name for name in (_path(reference), _name(reference)) if name is not None]
        for name, layer in ((name, layer) for name in names for layer in left.maps):
            if name in layer:
                self._begun.add(name)
                return layer.pop(name)
        if names and self._begun.isdisjoint(names):
            self.absent.append(f"the trajectory of a sub-agent is not here: {names[0]}")
        return None


def _absent(trajectory: Table) -> tuple[str, ...]:
    """Return, in words, what a trajectory refers to that is not in it."""
    reading = _Reading()
    for _ in reading.messages(trajectory):
        pass
    rest = fields.text(trajectory.get("continued_trajectory_ref"))
    goes_on = () if rest is None else (f"the trajectory goes on in a file that is not read: {rest}",)
    return (*reading.absent, *goes_on)


def _message(step: Table, returned: Sequence[Table], whose: Table) -> Table:
    calls: list[Plain] = [_call(call, returned, whose) for call in tables_in(step.get("tool_calls"))]
    message: Table = {
        **(whose if step.get("message") or step.get("metrics") else {}),
        "role": _ROLES.get(str(step.get("source")), "assistant"),
        "content": _text(step.get("message")),
        "reasoning_content": step.get("reasoning_content"),
        "tool_calls": calls or None,
        "timestamp": step.get("timestamp"),
        "token_usage": _tokens(as_table(step.get("metrics")), ""),
        "cost_usd": as_table(step.get("metrics")).get("cost_usd"),
    }
    return {key: value for key, value in message.items() if value is not None}


def _text(content: Plain) -> Plain:
    """Return a content with its images and recordings named."""
    return [*map(_named, content)] if isinstance(content, list) else content


def _named(part: Plain) -> Plain:
    kind, source = as_table(part).get("type"), as_table(as_table(part).get("source"))
    if kind not in ("image", "audio"):
        return part
    return {
        "type": "text",
        "text": f"[{kind} {source.get('path') or source.get('media_type') or 'without a name'}]",
    }


def _call(call: Table, returned: Sequence[Table], whose: Table) -> Table:
    results = [result for result in returned if result.get("source_call_id") == call.get("tool_call_id")]
    made: Table = {
        **whose,
        "id": call.get("tool_call_id"),
        "tool": call.get("function_name"),
        "input": call.get("arguments"),
    }
    if results:
        contents = [_text(result.get("content")) for result in results]
        made["output"] = contents[0] if len(contents) == 1 else contents
        extras = [as_table(result.get("extra")) for result in results]
        made["error"] = next(filter(None, (extra.get("error") for extra in extras)), None)
        if any(extra.get(key) is True for extra in extras for key in _FAILED):
            made["is_error"] = True
    return {key: value for key, value in made.items() if value is not None}


def _path(reference: Table) -> str | None:
    """Return the file that a sub-agent's trajectory is in, if it is in one of its own."""
    return fields.text(reference.get("trajectory_path"))


def _name(agent: Table) -> str | None:
    """Return what a trajectory is referred to by: its id; before 1.7, which has none, its session.

    A session is that of a run, and several trajectories may be of one.
    """
    return fields.text(agent.get("trajectory_id")) or fields.text(agent.get("session_id"))


def _tokens(metrics: Table, before: str) -> Table | None:
    kinds = {"input": "prompt_tokens", "output": "completion_tokens", "cached": "cached_tokens"}
    counts = {
        kind: metrics[key] for kind, name in kinds.items() if metrics.get(key := f"{before}{name}") is not None
    }
    return counts or None


def _prepared(row: Table) -> Table:
    """Return a trial with what no path leads to: its error in words, its main reward, what it took.

    A trial of several steps has exceptions, tokens and costs in these. A trajectory by itself is a record that
    nobody graded.
    """
    if is_trajectory(row):
        return {**row, **(record_of(row) or {})}
    parts = (row, *tables_in(row.get("step_results")))
    failed = next((table for part in parts if (table := as_table(part.get("exception_info")))), {})
    spent = [table for part in parts if (table := as_table(part.get("agent_result")))]
    rewards = as_table(as_table(row.get("verifier_result")).get("rewards"))
    main = rewards.get("reward", next(iter(rewards.values())) if len(rewards) == 1 else None)
    words = ": ".join(str(part) for key in ("exception_type", "exception_message") if (part := failed.get(key)))
    began, ended = (instant(fields.text(row.get(key))) for key in ("started_at", "finished_at"))
    took = (ended - began).total_seconds() if began and ended else None
    counts = {kind: _sum(spent, key) for kind, key in _COUNTS.items()}
    tokens: Table = {kind: count for kind, count in counts.items() if count is not None}
    cost = _sum(spent, "cost_usd")
    return {**row, "error": words or None, "score": main, "seconds": took, "tokens": tokens or None, "cost": cost}


def _sum(tables: Sequence[Table], key: str) -> float | None:
    numbers = [number for table in tables if (number := fields.number(table.get(key))) is not None]
    return sum(numbers) if numbers else None


TRIALS = ResultDialect(
    name="harbor",
    title="Harbor",
    marks=(
        DialectMark(paths("trial_name agent_info")),
        DialectMark(paths("trial_name verifier_result")),
        DialectMark(paths("schema_version agent steps")),
    ),
    times=paths("started_at"),
    ids=paths("task_name trajectory_id session_id"),
    labels=paths("output_messages"),
    outcomes=Outcomes(scores=paths("score")),
    errors=paths("error"),
    messages=paths("output_messages"),
    done=paths("output_messages"),
    graders=(Graders(paths("verifier_result.rewards")[0]),),
    targets=(paths("agent_info.name agent.name"), paths("agent_info.model_info.name agent.model_name")),
    suites=paths("source"),
    spent=Spent(
        cost=paths("cost"),
        seconds=paths("seconds"),
        tokens=paths("tokens"),
        timestamps=paths("started_at finished_at"),
    ),
    prepare=_prepared,
)
_RESULT, _TRAJECTORY = "result.json", "agent/trajectory.json"


def open_job(path: Path, head: bytes) -> ResultSource | None:
    """Return the trials in the folder of a job, in the order of their names; None where a file is no job's.

    Raises:
        ResultsError: the trials cannot be read.
    """
    if path.name != _RESULT:
        return None
    folder = path.parent
    trials = sorted(entry for entry in listed(folder).paths if is_folder(entry) and not is_link(entry))
    rows = (table_in(f"{trial.name}/{_RESULT}", folder, MAX_RESULTS_LINE) for trial in trials)
    found = [row for row in rows if row is not None and "trial_name" in row]
    if not found:
        return None
    source = rows_whole(found)
    planned = re.search(rb'"n_total_trials"\s*:\s*(\d{1,9})', head)
    if planned is not None and (total := int(planned[1])) != len(found):
        source.notes = (f"{len(found):,} of {total:,} trials have a result",)
    return source


def with_trajectory(row: Table, folder: Path, _sharing: Sharing = Sharing.NOBODY) -> Hydrated | None:
    """Return a trial with the trajectory of its agent, from its own folder or from that of its job.

    What the trajectory of a trial or one by itself refers to and does not have is told.
    """
    if is_trajectory(row):
        return Hydrated(row, _absent(row))
    name = fields.text(row.get("trial_name"))
    if name is None or "agent_info" not in row:
        return None
    for file in (f"{name}/{_TRAJECTORY}", _TRAJECTORY):
        data = table_in(file, folder, MAX_TRACE_BYTES)
        if data is not None and is_trajectory(data):
            whole = _with_files(data, (folder / file).parent, set())
            return Hydrated({**row, "transcript": whole}, _absent(whole))
    return Hydrated(row)


def _with_files(trajectory: Table, folder: Path, read: set[str]) -> Table:
    """Return a trajectory with those of its sub-agents that are in files of their own, each read once.

    One that cannot be read is missing in it, as its trace then says.

    Args:
        trajectory: the trajectory.
        folder: the folder that it is in, outside of which nothing is read.
        read: the paths that were read, to which those are added that are read now.
    """
    agents: list[Plain] = []
    for step in tables_in(trajectory.get("steps")):
        for result in tables_in(as_table(step.get("observation")).get("results")):
            for reference in tables_in(result.get("subagent_trajectory_ref")):
                path = _path(reference)
                if path is None or path in read or len(read) >= _MAX_FILES:
                    continue
                read.add(path)
                data = table_in(path, folder, MAX_TRACE_BYTES)
                if data is not None and is_trajectory(data):
                    agents.append({**_with_files(data, folder, read), "trajectory_id": path})
    if not agents:
        return trajectory
    return {**trajectory, "subagent_trajectories": [*as_list(trajectory.get("subagent_trajectories")), *agents]}


RESULTS = ReadingResults((adapter_by(TRIALS),), open_log=open_job)
RUN_FILES = RunFiles(hydrate=with_trajectory)
TRANSCRIPTS = Transcripts(record_of)
