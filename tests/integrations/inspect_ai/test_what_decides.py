"""A verdict on a log of Inspect is about the scorer that decides; the others gave numbers."""

from __future__ import annotations

import json
from pathlib import Path

from tests.command import ran


def log(path: Path) -> Path:
    samples = [
        {
            "id": f"s{number}",
            "epoch": 1,
            "input": "q",
            "target": "a",
            "output": {"completion": "x"},
            "scores": {"includes": {"value": "I"}, "brevity": {"value": 0.6}},
        }
        for number in range(2)
    ]
    scorers = [{"name": "includes"}, {"name": "brevity"}]
    path.write_text(
        json.dumps(
            {
                "version": 2,
                "status": "success",
                "eval": {"task": "t", "model": "m", "dataset": {"name": "d"}, "scorers": scorers},
                "samples": samples,
            }
        )
    )
    return path


def test_grader_wrong_turns_the_score_that_decides_whatever_another_scorer_gave(tmp_path):
    run = log(tmp_path / "log.json")
    assert ran("verdict", run, "s0", "grader-wrong", "--reviewer", "ann").code == 0
    (edit,) = map(json.loads, ran("report", run, "--format", "score-edits").out.splitlines())
    assert (edit["score_name"], edit["edit"]["value"]) == ("includes", "C")


def test_a_number_beside_the_scorer_that_decides_neither_passes_nor_fails(tmp_path):
    told = json.loads(ran("report", log(tmp_path / "log.json"), "--format", "json").out)
    rates = {item["name"]: (item["failed"], item["pass_rate"]["value"]) for item in told["evaluators"]}
    assert rates == {"includes": (2, 0.0), "brevity": (0, None)}
    assert told["run"]["marks_by_default"] is False
