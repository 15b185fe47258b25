"""Random workspaces of skills in all layouts in use, each with what is true of it, counted as they are written."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, NamedTuple

CONFIGURATIONS = ("with_skill", "without_skill", "old_skill", "new_skill", "my config", "ünïcode")
NAMES = ("table", "total-and-date", "same or not", "日本", "x")


class Expected(NamedTuple):
    """What is true of an iteration.

    Attributes:
        outcomes: for each run by its path whether it passed; None for ungraded.
        expectations: for each run by its path how many passed, failed, and say neither.
        ungraded_above: how many gradings stand at the wrong level.
    """

    outcomes: dict[str, bool | None]
    expectations: dict[str, tuple[int, int, int]]
    misplaced: int


def write_json(path: Path, value: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")


def workspace(folder: Path, seed: int) -> dict[str, Expected]:
    """Write a workspace and return what is true of each of its iterations by name."""
    chance = random.Random(seed)
    numbers = chance.sample(range(1, 13), chance.randint(1, 3))
    return {f"iteration-{number}": iteration(folder / f"iteration-{number}", chance) for number in sorted(numbers)}


def iteration(folder: Path, chance: random.Random) -> Expected:
    """Write an iteration and return what is true of it."""
    home = folder / "runs" if chance.random() < 0.15 else folder
    outcomes: dict[str, bool | None] = {}
    expectations: dict[str, tuple[int, int, int]] = {}
    misplaced = 0
    configurations = chance.sample(CONFIGURATIONS, chance.randint(1, 3))
    for number, name in enumerate(chance.sample(NAMES, chance.randint(1, 4)), start=1):
        own = home / chance.choice((f"eval-{number}", f"eval-{number}-{name}", name))
        if chance.random() < 0.6:
            key = chance.choice(("assertions", "expectations"))
            about = {"eval_id": number, "eval_name": name, "prompt": f"do {name}", key: ["a", "b"]}
            write_json(own / "eval_metadata.json", about)
        if chance.random() < 0.1:
            write_json(own / "grading.json", {"expectations": [{"text": "x", "passed": True}]})
            misplaced += 1
        for configuration in configurations:
            single = chance.random() < 0.4
            for count in range(1, 1 if single else chance.randint(2, 4)) if not single else (0,):
                run = own / configuration / f"run-{count}" if count else own / configuration
                grading = one_run(run, chance)
                path = run.relative_to(folder).as_posix()
                passed = [item.get("passed") for item in (grading or {}).get("expectations", [])]
                counts = passed.count(True), passed.count(False)
                expectations[path] = (*counts, len(passed) - sum(counts))
                summary = (grading or {}).get("summary", {})
                if passed:
                    outcomes[path] = False if counts[1] else (True if counts[0] == len(passed) else None)
                elif summary.get("total"):
                    outcomes[path] = summary["passed"] == summary["total"]
                else:
                    outcomes[path] = None
    return Expected(outcomes, expectations, misplaced)


def one_run(folder: Path, chance: random.Random) -> dict[str, Any] | None:
    """Write a run and return its grading; None if nobody graded it."""
    (folder / "outputs").mkdir(parents=True)
    for name in chance.sample(
        ("answer.md", "rows.csv", "data.json", "chart.png", "transcript.md"), chance.randint(0, 3)
    ):
        (folder / "outputs" / name).write_text("a,b\n1,2\n")
    if chance.random() < 0.5:
        (folder / "transcript.md").write_text("## Eval Prompt\n\ndo it\n\n## Steps\n\n1. x\n")
    if chance.random() < 0.6:
        write_json(folder / "timing.json", {"total_tokens": chance.randint(1, 9999), "duration_ms": 1500})
    kind = chance.random()
    if kind < 0.15:
        return None
    if kind < 0.2:
        (folder / "grading.json").write_text("{not json")
        return None
    items: list[dict[str, Any]] = [
        {"text": f"statement {index}", "passed": chance.choice((True, True, False)), "evidence": "seen"}
        for index in range(chance.randint(0, 4))
    ]
    for item in items:
        if chance.random() < 0.05:
            item["passed"] = chance.choice((None, "yes-ish", 3))
    grading: dict[str, Any] = {"expectations": items} if items or chance.random() < 0.5 else {}
    if chance.random() < 0.7:
        passed = sum(item["passed"] is True for item in items)
        if chance.random() < 0.1:
            passed += 1  # a summary that says something else
        grading["summary"] = {"passed": passed, "failed": len(items) - passed, "total": len(items)}
    grading.setdefault("eval_feedback", {"overall": "fine"})
    write_json(folder / "grading.json", grading)
    return grading
