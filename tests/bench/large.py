"""One sample of 100,000 events, and 60,000 rows of a run, beside one pass of `json.loads` over the same text."""

from __future__ import annotations

import json
import random
import sys
import zipfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from .figures import cost_of_process
from .terminal import Terminal

EVENTS = 100_000
ROWS = 60_000
_KEYS = {"down": b"\x1b[B", "page down": b"\x1b[6~", "next error": b"!", "next call": b"t", "end": b"\x1b[F"}
_FOLDING = {"unfold": b"l", "next failure": b"!", "fold a level": b"-", "end": b"\x1b[F"}
AGENTS = 10_000
_WORDS = "the agent reads a file and finds the value then writes the answer to disk before it checks again"
_START = "import sys\nfrom sampleui.__main__ import main\nsys.exit(main())\n"
_PARSE = """
import json, sys, zipfile
if sys.argv[1].endswith(".eval"):
    json.loads(zipfile.ZipFile(sys.argv[1]).read("samples/large_epoch_1.json"))
elif sys.argv[1] != "nothing":
    with open(sys.argv[1], "rb") as file:
        for line in file:
            json.loads(line)
"""


class _Opened(NamedTuple):
    """Milliseconds of the processor to the first screen, MB at the most, and the milliseconds of each key."""

    cpu: float
    memory: float
    keys: dict[str, float]


def print_large(folder: Path, checkouts: dict[str, Path], runs: int) -> None:
    """Measure the first screen of a large trace, its keys, and the report of many rows; a start counts to each."""
    log, rows = _log(folder / "large.eval"), _rows(folder / "rows.results.jsonl")
    agents = _agents(folder / "agents.jsonl")
    start = folder / "large_start.py"
    start.write_text(_START)
    parsed: dict[str, list[float]] = {"nothing": [], str(log): [], str(rows): []}
    opened: dict[str, list[_Opened]] = {name: [] for name in checkouts}
    reported: dict[str, list[float]] = {name: [] for name in checkouts}
    for _ in range(runs):
        for path, times in parsed.items():
            times.append(cost_of_process(["-c", _PARSE, path], Path.cwd()).cpu * 1000)
        for name, checkout in checkouts.items():
            opened[name].append(_opened(start, log, checkout))
            reported[name].append(cost_of_process([str(start), "report", str(rows)], checkout).cpu * 1000)
    nothing, of_log, of_rows = (median(times) for times in parsed.values())
    size = zipfile.ZipFile(log).getinfo("samples/large_epoch_1.json").file_size / 1e6
    print(
        f"{f'{EVENTS:,} events, {size:.0f} MB; {ROWS:,} rows':<44}{'cpu ms':>9}{'parses':>8}{'MB':>7}{'texts':>7}"
    )
    print(f"{'json.loads of the events':<44}{of_log - nothing:>9.0f}{1:>8.2f}")
    for name, screens in opened.items():
        cpu, memory = median(one.cpu for one in screens), median(one.memory for one in screens)
        print(f"{f'trace, first screen ({name})':<44}{cpu:>9.0f}{cpu / (of_log - nothing):>8.2f}", end="")
        print(f"{memory:>7.0f}{memory / size:>7.2f}")
        for key in _KEYS:
            print(f"{f'  {key}, ms to the screen':<44}{median(one.keys[key] for one in screens):>9.1f}")
    print(f"one of {AGENTS:,} sub-agents did {AGENTS:,} things")
    folded = [_pressed(start, agents) for _ in range(runs)]
    for key in _FOLDING:
        print(f"{f'  {key}, ms to the screen':<44}{median(one[key] for one in folded):>9.1f}")
    print(f"{'json.loads of the rows':<44}{of_rows - nothing:>9.0f}{1:>8.2f}")
    for name, spent in reported.items():
        print(f"{f'report ({name})':<44}{median(spent):>9.0f}{median(spent) / (of_rows - nothing):>8.2f}")
    print()


def _opened(start: Path, log: Path, checkout: Path) -> _Opened:
    environment = {"PYTHONPATH": str(checkout), "PYTHONDONTWRITEBYTECODE": ""}
    terminal = Terminal([sys.executable, str(start), "trace", str(log)], environment)
    try:
        spent = terminal.wait_for("tool_call", 120)
        memory = _peak(terminal.pid)
        terminal.rest(1)
        keys = {name: terminal.key(key)[0] for name, key in _KEYS.items()}
        return _Opened(spent.cpu, memory, keys)
    finally:
        terminal.close()


def _pressed(start: Path, traces: Path) -> dict[str, float]:
    """Return the milliseconds from each key of folding to the first change of the screen."""
    environment = {"PYTHONDONTWRITEBYTECODE": ""}
    terminal = Terminal([sys.executable, str(start), "trace", str(traces)], environment)
    try:
        terminal.wait_for("scout", 120)
        terminal.rest(1)
        terminal.key(b"j")
        return {name: terminal.key(key)[0] for name, key in _FOLDING.items()}
    finally:
        terminal.close()


def _peak(pid: int) -> float:
    """Return the most MB that a process has had in memory."""
    status = Path(f"/proc/{pid}/status").read_text()
    line = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) * 1024 / 1e6


def _log(path: Path) -> Path:
    """Write a log of one sample: steps of a model, calls of a tool, and snapshots of what is between them."""
    chance = random.Random(5)
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    pool = [_message("system", 60, chance), _message("user", 40, chance)]
    events: list[dict[str, Any]] = []
    for number in range(EVENTS):
        at = begun + timedelta(milliseconds=120 * number)
        kind = ("model", "tool", "state", "info")[number % 4]
        event: dict[str, Any] = {
            "uuid": f"u{number}",
            "span_id": f"s{number // 50}",
            "timestamp": at.isoformat(),
            "event": kind,
        }
        done = (at + timedelta(milliseconds=90)).isoformat()
        if kind == "model":
            call = {"id": f"c{number}", "function": "bash", "arguments": {"cmd": _text(10, chance)}}
            said = {**_message("assistant", 12, chance), "id": f"a{number}", "tool_calls": [call]}
            usage = {"input_tokens": 900, "output_tokens": 40, "total_tokens": 940}
            output = {"model": "m", "choices": [{"message": said, "stop_reason": "tool_calls"}], "usage": usage}
            given = [[0, 2], [max(0, len(pool) - 12), len(pool)]]
            event |= {"model": "m", "input": [], "input_refs": given, "config": {"temperature": 0.1}}
            event |= {"output": output, "completed": done, "working_time": 0.09}
            pool.append(said)
        elif kind == "tool":
            result = _text(30, chance)
            error = None if number % 997 else {"type": "timeout", "message": "late"}
            event |= {"id": f"c{number - 1}", "function": "bash", "arguments": {"cmd": _text(10, chance)}}
            event |= {"result": result, "error": error, "completed": done, "working_time": 0.05}
            pool.append({"id": f"t{number}", "role": "tool", "content": result, "tool_call_id": f"c{number - 1}"})
        elif kind == "state":
            change = {"op": "add", "path": f"/messages/{number}", "value": _message("tool", 60, chance)}
            event |= {"changes": [change, {"op": "replace", "path": "/n", "value": number}]}
        else:
            event |= {"data": _text(8, chance)}
        events.append(event)
    sample: dict[str, Any] = {
        **{"id": "large", "epoch": 1, "input": pool[1:2], "target": "x", "messages": pool[:2] + pool[-6:]},
        **{"output": {"completion": "done"}, "scores": {"match": {"value": "C"}}, "metadata": {}, "store": {}},
        **{"events": events, "events_data": {"messages": pool}, "attachments": {}},
    }
    header: dict[str, Any] = {
        "version": 2,
        "status": "success",
        "eval": {"task": "large", "model": "m", "dataset": {"name": "d"}},
    }
    summary = {"id": "large", "epoch": 1, "input": "", "target": "x", "scores": sample["scores"]}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("samples/large_epoch_1.json", json.dumps(sample))
        archive.writestr("summaries.json", json.dumps([summary]))
    return path


def _agents(path: Path) -> Path:
    """Write a trace of a sub-agent whose every other call failed, and of many that made one call each."""
    events: list[dict[str, Any]] = []
    for number in range(AGENTS):
        about = {"parent": f"c{number}", "agent": "scout"}
        events.append(
            {"type": "tool_call", "id": f"c{number}", "name": "send", "input": {"task": f"look {number}"}}
        )
        done = range(1 if number else AGENTS)
        events += ({"type": "tool_call", "name": "look", **about, "is_error": at % 2 == 0} for at in done)
    path.write_text(json.dumps({"id": "agents", "trace": events}) + "\n")
    return path


def _rows(path: Path) -> Path:
    """Write rows of 1.6 KB as runners do: a conversation with its calls, several scores, what it took."""
    chance = random.Random(7)
    with path.open("w") as file:
        for number in range(ROWS):
            scores = [round(chance.random(), 3) for _ in range(2)]
            row = {
                "timestamp": "2026-01-01T00:00:00Z",
                "test_id": f"sample-{number}",
                "suite": "large",
                "target": "model",
                "score": sum(scores) / 2,
                "scores": [
                    {"name": name, "type": "llm-grader", "score": score, "reasoning": _text(12, chance)}
                    for name, score in zip(("correct", "brief"), scores, strict=True)
                ],
                "input": [_message("user", 40, chance)],
                "output": [_turn(part, chance) for part in range(5)],
                "execution_status": "ok" if min(scores) >= 0.2 else "quality_failure",
                "token_usage": {"input": chance.randrange(2000), "output": chance.randrange(300)},
                "cost_usd": round(chance.random() / 100, 6),
                "duration_ms": chance.randrange(9000),
                "tags": [f"tag-{number % 7}"],
                "metadata": {"topic": f"topic-{number % 23}", "document": f"document-{number // 10}"},
            }
            file.write(json.dumps(row) + "\n")
    return path


def _turn(part: int, chance: random.Random) -> dict[str, Any]:
    if part % 2 == 0:
        return _message("assistant", 14, chance)
    call = {"tool": "bash", "id": f"c{part}", "input": {"cmd": _text(4, chance)}, "output": _text(6, chance)}
    return {**_message("assistant", 3, chance), "tool_calls": [call], "duration_ms": chance.randrange(900)}


def _message(role: str, words: int, chance: random.Random) -> dict[str, Any]:
    return {"id": f"m{chance.getrandbits(48):x}", "role": role, "content": _text(words, chance)}


def _text(words: int, chance: random.Random) -> str:
    return " ".join(chance.choices(_WORDS.split(), k=words))
