"""Figures of a run that is too large to be kept in memory, beside one pass over its file."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from .decks import texts

RECORDS = 70_000
"""Records of about 1 KB, so many that a file of them is read as a stream."""

_PASS = """
import sys
from pathlib import Path
from sampleui.review.results.file import open_results
for _ in open_results(Path(sys.argv[1])).stream():
    pass
"""
_ONE_PASS = "one pass over a file"
_REPORT = "import sys\nfrom sampleui.__main__ import main\nsys.exit(main())\n"


class Cost(NamedTuple):
    """What a process took: seconds of wall and of processors, and MB of memory at the most."""

    wall: float
    cpu: float
    memory: float


def print_figures(folder: Path, checkouts: dict[str, Path], runs: int) -> None:
    """Measure a pass, a report, and one with groups, clusters and a baseline of the same size.

    `passes` is wall time beside a pass over one file, `files` processors' time beside passes over all files.
    """
    run, earlier = (_results(folder / f"{name}.results.jsonl", seed) for name, seed in (("run", 1), ("earlier", 2)))
    whole = ["--by", "metadata.topic", "--cluster", "metadata.document", "--baseline", str(earlier)]
    works = {
        _ONE_PASS: (1, ["-c", _PASS, str(run)]),
        "its report": (1, ["-c", _REPORT, "report", str(run)]),
        "with groups, clusters and a baseline": (2, ["-c", _REPORT, "report", str(run), *whole]),
    }
    costs: dict[tuple[str, str], list[Cost]] = {}
    for _ in range(max(1, runs // 5)):
        for work, (_, command) in works.items():
            for name, checkout in checkouts.items():
                costs.setdefault((work, name), []).append(cost_of_process(command, checkout))
    print(f"{f'{RECORDS:,} records of 1 KB, s':<52}{'wall':>8}{'cpu':>8}{'passes':>8}{'files':>8}{'MB':>8}")
    for (work, name), taken in costs.items():
        wall, cpu, memory = (median(values) for values in zip(*taken, strict=True))
        files, _ = works[work]
        base = median(cost.wall for cost in costs[_ONE_PASS, name])
        base_cpu = files * median(cost.cpu for cost in costs[_ONE_PASS, name])
        told = f"{wall:>8.1f}{cpu:>8.1f}{wall / base:>8.2f}{cpu / base_cpu:>8.2f}{memory:>8.0f}"
        print(f"{f'{work} ({name})':<52}{told}")
    print()


def cost_of_process(command: Sequence[str], checkout: Path) -> Cost:
    """Run Python with the code of a checkout; return what it took."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}
    begun = time.perf_counter()
    process = subprocess.Popen([sys.executable, *command], stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"a report ended with {process.returncode}")
    return Cost(time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def _results(path: Path, seed: int) -> Path:
    chance, words = random.Random(seed), texts(512)
    with path.open("w") as file:
        for number in range(RECORDS):
            scores = [round(chance.random(), 3) for _ in range(2)]
            row = {
                "test_id": f"sample-{number}",
                "target": "model",
                "score": sum(scores) / 2,
                "input": [{"role": "user", "content": words[number % 512]}],
                "output": words[(number * 7 + 1) % 512],
                "scores": [
                    {"name": name, "type": "llm-grader", "score": score, "reasoning": words[number * 3 % 512]}
                    for name, score in zip(("correct", "brief"), scores, strict=True)
                ],
                "tags": [f"tag-{number % 7}"],
                "metadata": {"topic": f"topic-{number % 23}", "document": f"document-{number // 10}"},
                "execution_status": "ok" if min(scores) >= 0.2 else "quality_failure",
            }
            file.write(json.dumps(row) + "\n")
    return path
