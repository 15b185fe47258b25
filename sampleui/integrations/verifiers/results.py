"""verifiers: the rows of its `results.jsonl`, and the traces and episodes of `traces.jsonl` read as such rows.

A trace (0.2) holds its conversation as a graph of messages. What counts is the path to the last of them: what
stands before the first message that a model made was asked, the rest is what was done. Of an episode (0.4) of
several agents the trace counts that is trained on; the scores of the others stand beside it under the names of
their agents.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_table, tables_in
from sampleui.integrations.integration import Hydrated, ReadingResults, RunFiles
from sampleui.review.results import fields
from sampleui.review.results.adapters import adapter_by
from sampleui.review.results.dialect import Graders, Outcomes, ResultDialect, Spent
from sampleui.sample.dialects.dialect import DialectMark, paths
from sampleui.sample.dialects.field import keys
from sampleui.sample.tokens import Tokens, added, tokens_of
from sampleui.text.confined import belongs, read_whole, time_of_change
from sampleui.text.limits import MAX_METADATA_BYTES
from sampleui.trace.summary import moment_at

_TOOL_KEYS = ("role", "content", "reasoning_content", "tool_calls", "tool_call_id", "name")


def flat(row: Table) -> Table:
    """Return a trace or an episode as a row with `prompt`, `completion`, `reward`, `metrics`, `answer`, `error`."""
    traces = tables_in(row["traces"]) if "traces" in row else [row]
    main = next((trace for trace in traces if as_table(trace.get("agent")).get("trainable") is not False), None)
    main = main or next(iter(traces), {})
    task = as_table(as_table(main.get("task") or row.get("task")).get("data"))
    asked, done = _conversation(main, task)
    rewards = {name: reward for name, reward in _rewards(main) if reward is not None}
    agent = as_table(main.get("agent"))
    return {
        "id": task.get("id") or task.get("name"),
        "example_id": task.get("idx"),
        "prompt": asked,
        "completion": done,
        "question": task.get("prompt"),
        "answer": task.get("answer"),
        "info": task.get("info"),
        "model": as_table(agent.get("config")).get("model") or agent.get("model"),
        "task": as_table(row.get("env")).get("id"),
        "reward": sum(score * weight for score, weight in rewards.values()) if rewards else None,
        "metrics": {**_scores(traces, main), **as_table(main.get("metrics"))},
        "error": _error(row, traces),
        "token_usage": _usage(tables_in(main.get("calls"))),
        "timing": {"total": _seconds(as_table(main.get("timing")))},
    }


def _conversation(trace: Table, task: Table) -> tuple[list[Plain], list[Plain]]:
    """Return what was asked and what was done; what the task asks if no call came back."""
    path = _path(tables_in(trace.get("nodes")))
    first = next((index for index, node in enumerate(path) if node.get("sampled") is True), len(path))
    if path:
        before: list[Plain] = [_message(node, with_time=False) for node in path[:first]]
        return before, [_message(node) for node in path[first:]]
    prompt = task.get("prompt")
    asked: list[Plain] = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else [*tables_in(prompt)]
    if isinstance(system := task.get("system_prompt"), str):
        asked = [{"role": "system", "content": system}, *asked]
    return asked, []


def _path(nodes: list[Table]) -> list[Table]:
    """Return the messages up to the last one, which no other can follow."""
    nodes_on_path: list[Table] = []
    position: Plain = len(nodes) - 1
    while isinstance(position, int) and 0 <= position < len(nodes):
        nodes_on_path.append(nodes[position])
        parent = nodes[position].get("parent")
        position = (
            parent if isinstance(parent, int) and parent < position else None
        )  # a parent stands before its children
    return nodes_on_path[::-1]


def _message(node: Table, *, with_time: bool = True) -> Table:
    message = as_table(node.get("message"))
    converted: Table = {key: message[key] for key in _TOOL_KEYS if message.get(key) is not None}
    when = fields.number(node.get("timestamp"))
    if with_time and when is not None:
        converted["timestamp"] = moment_at(when, "milliseconds")
    return {"content": "", **converted}


def _rewards(trace: Table) -> list[tuple[str, tuple[float, float] | None]]:
    """Return each reward with its weight, None for one that scoring did not come to."""
    rewards: list[tuple[str, tuple[float, float] | None]] = []
    for name, reward in as_table(trace.get("rewards")).items():
        score = fields.number(reward.get("score") if isinstance(reward, dict) else reward)
        weight = fields.number(as_table(reward).get("weight"))
        rewards.append((name, None if score is None else (score, 1.0 if weight is None else weight)))
    return rewards


def _scores(traces: list[Table], main: Table) -> Table:
    scores: Table = {}
    for trace in traces:
        agent = fields.text(as_table(trace.get("agent")).get("name")) or "agent"
        for name, reward in _rewards(trace):
            scores[name if trace is main else f"{agent}/{name}"] = None if reward is None else reward[0]
    return scores


def _error(row: Table, traces: list[Table]) -> Plain:
    """Return why there is no whole answer; an error does not count if another attempt made it good."""
    if row.get("ok") is True:
        return None
    last = next((errors[-1] for item in (row, *traces) if (errors := tables_in(item.get("errors")))), None)
    if last is not None:
        return f"{last.get('type')}: {last.get('message')}"
    return "the episode did not end well" if row.get("ok") is False else None


def _usage(calls: list[Table]) -> Plain:
    counted = added(filter(None, map(_tokens, calls)))
    return None if counted is None else {f"{name}_tokens": count for name, count in counted.to_data().items()}


def _tokens(call: Table) -> Tokens | None:
    """Return what a call used; the tokens that a cache gave were read too."""
    usage = as_table(call.get("usage"))
    cached = fields.whole(usage.get("cached_input_tokens"))
    counts = tokens_of(usage)
    if cached is None or counts is None:
        return counts
    return Tokens((counts.input or 0) + cached, counts.output)


def _seconds(timing: Table) -> float | None:
    """Return how long an agent was at work."""
    span = as_table(timing.get("agent") or timing.get("generation"))
    start, end = fields.number(span.get("start")), fields.number(span.get("end"))
    return end - start if start is not None and end and end >= start else None


_METADATA = "metadata.json"
_SHARED = ("model", "env_id")


def with_metadata(row: Table, folder: Path) -> Table:
    """Return a row with the model and the environment of its run, which a file beside it says for all."""
    path = folder / _METADATA
    changed = time_of_change(path) if belongs(path) else 0
    return {**_metadata(path, changed), **row} if changed else row


@lru_cache(maxsize=16)
def _metadata(path: Path, _changed: float) -> Table:
    try:
        document: Plain = json.loads(read_whole(path, MAX_METADATA_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    return {key: value for key in _SHARED if isinstance(value := as_table(document).get(key), str)}


METRICS = "\0metrics"
"""Where a prepared row has the names of its metrics, a key that no tool uses."""

LIMIT = "\0limit"
"""Where a prepared row says that a limit ended it, likewise."""

_ROLLOUT = keys(
    """
    id example_id prompt completion answer task info reward error timing is_completed is_truncated stop_condition
    metrics tool_defs token_usage generation_ms total_ms scoring_ms model question turn num_turns
    """
)


def prepare(row: Table) -> Table:
    """Take all other numbers of a rollout for metrics of its rubric."""
    if isinstance(row.get("traces"), list) or isinstance(row.get("nodes"), list):
        return flat(row)
    listed = fields.figures_beside(row, _ROLLOUT | as_table(row.get("metrics")).keys())
    limit = f"ended by a limit: {row.get('stop_condition') or 'not known which'}"
    return {**row, METRICS: [*listed], **({LIMIT: limit} if row.get("is_truncated") is True else {})}


VERIFIERS = ResultDialect(
    name="verifiers",
    title="verifiers",
    marks=(
        DialectMark(paths("example_id reward")),
        DialectMark(paths("prompt completion reward")),
        DialectMark(paths("traces env task.data ok"), lists=paths("traces")),
        DialectMark(paths("nodes task.data rewards"), lists=paths("nodes")),
    ),
    ids=paths("id info.id example_id"),
    labels=paths("prompt question"),
    positions=paths("example_id"),
    join_paths=((("prompt",), ("prompt",)), (("question",), ("question",))),
    outcomes=Outcomes(scores=paths("reward")),
    errors=paths("error.error_chain_str error"),
    actual=paths("completion"),
    expected=paths("answer"),
    suites=paths("env_id"),
    reasons=((LIMIT,),),
    prompts=paths("prompt"),
    done=paths("completion"),
    graders=(Graders(("metrics",)),),
    metrics=(METRICS,),
    targets=((("model",),),),
    tags=(("task",),),
    spent=Spent(
        milliseconds=paths("generation_ms timing.generation_ms timing.total_ms"),
        seconds=paths("timing.total"),
        tokens=paths("token_usage usage"),
    ),
    prepare=prepare,
)


RESULTS = ReadingResults((adapter_by(VERIFIERS),))
RUN_FILES = RunFiles(with_metadata, lambda row, folder, _: Hydrated(with_metadata(row, folder)))
