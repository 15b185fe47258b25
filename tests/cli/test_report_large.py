"""`report` of a file that is read once says what it says of one that is in memory."""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sampleui.review.log.store import log_path, open_log
from sampleui.review.results.file import open_results
from sampleui.review.sampling import Design, Population, Values, draw_records, values_by
from sampleui.review.session import decision_about
from sampleui.review.verdict import LogAction, Verdict

from .test_report_figures import lines_of

ASKED = ("--by", "tag", "--by", "metadata.topic", "--by", "kind", "--cluster", "metadata.document")


def rows_of(chance: random.Random) -> Iterator[dict[str, Any]]:
    """Yield rows with reruns, attempts, copies, errors, rows without an outcome, and names with numbers."""
    for number in range(60):
        for target in chance.choice([("a", "b"), ("a",), (None,)]):
            scores = [chance.choice([0, 0.25, 0.5, 0.81, 1]), chance.choice([0, 1]), chance.choice([0.3, 1])]
            name = chance.choice([f"s{number}", f"s{number}", f"s{number // 2}#2"])
            row: dict[str, Any] = {
                "test_id": name,
                "output": f"answer {chance.randrange(4)}",
                "score": min(scores),
                "scores": [{"name": name, "score": score} for name, score in zip("xyx", scores, strict=True)],
                "tags": [f"tag {number % 3}"],
                "metadata": {"topic": f"topic {number % 4}", "document": f"document {sum(map(ord, name)) % 20}"},
            }
            if target is not None:
                row |= {"target": target}
            if chance.random() < 0.1:
                row |= {"error": "late"}
            elif chance.random() < 0.1:
                row = {**row, "score": None, "scores": []}
            yield row
            if chance.random() < 0.2:  # a copy, a rerun, or one more try
                yield row
            if chance.random() < 0.2:
                yield {**row, "output": "another answer", "score": 1 - min(scores)}


def renamed(values: Values) -> Values:
    """Return values of a time when a topic was called otherwise, so that its records are in no stratum now."""
    return lambda entry: tuple(value.replace("topic 3", "topic III") for value in values(entry))


def decide(path: Path, chance: random.Random, some: float) -> None:
    """Decide some records as several people, draw random ones, and decide those."""
    results, log = open_results(path).indexed(), open_log(log_path(path))
    entries = [entry for entry in results.counted if chance.random() < some]
    for by in ((), ("metadata.topic",), ("outcome",)):
        values = values_by(by, lambda entry: [results.row(entry.index)])
        if by == ("metadata.topic",):
            values = renamed(values)
        source = chance.choice([Population.PASSED, Population.FAILED, Population.ALL])
        draw = log.keep_draw(draw_records(results.counted, Design(9, source, by), values, "ann"))
        drawn = [entry for entry in results.counted if entry.digest in [*draw.records][: chance.randrange(9)]]
        entries += drawn
    for entry in entries:
        record = results.record(entry.index)
        for reviewer in chance.sample(["ann", "bob", "cy"], chance.choice([1, 1, 2])):
            log.append(
                dataclasses.replace(
                    decision_about(record, chance.choice([*Verdict]), reviewer),
                    tags=tuple(chance.sample(["tone", "facts"], chance.randrange(3))),
                    kind=chance.choice([LogAction.DECIDE] * 5 + [LogAction.ADJUDICATE]),
                )
            )
    if chance.random() < 0.5:
        log.undo("ann")


@pytest.mark.parametrize("seed", range(4))
def test_a_file_that_is_read_once_has_the_figures_of_one_in_memory(sampleui, tmp_path, monkeypatch, seed):
    chance = random.Random(seed)
    rows = [*rows_of(chance)]
    if seed % 2:  # what a value is out of is known at the end
        rows.append({"test_id": "last", "scores": [{"name": "y", "score": 7}], "score": 1, "output": "z"})
    chance.shuffle(rows)
    run, old = lines_of(tmp_path / "run.jsonl", rows), lines_of(tmp_path / "old.jsonl", chance.sample(rows, 40))
    if seed % 3:
        samples = [{"id": f"s{number}", "input": "?", "kind": f"kind {number % 2}"} for number in range(70)]
        (tmp_path / "run.deck.yaml").write_text(json.dumps({"tests": samples}))
    decide(run, chance, 0.1)
    if seed % 4:
        decide(old, chance, 0.3)
    if seed % 2:  # so that no chance is known
        lines_of(run, [*rows[1:], {**rows[0], "output": "changed since it was decided"}])
    asked = [[], ["--deck", tmp_path / "run.deck.yaml"], ["--fail-under", "0.5"], ["--errors-fail"]][seed % 4]
    if not (tmp_path / "run.deck.yaml").exists() and "--deck" in asked:
        asked = []
    for more in ([], [*ASKED, "--baseline", old]):
        command = ("report", run, *asked, *more, "--format", "json")
        monkeypatch.setattr("sampleui.page.run_report.MIN_STREAMED_BYTES", 1 << 30)
        ran = sampleui(*command)
        assert not ran.code, ran.err
        in_memory = json.loads(ran.out)
        monkeypatch.setattr("sampleui.page.run_report.MIN_STREAMED_BYTES", 1)
        read_once = json.loads(sampleui(*command).out)
        if more:  # what samples ask is compared only where they are held
            for found in (read_once, in_memory):
                for compared in (found["comparison"], found["review"]["by_people"]["comparison"]):
                    if compared is not None:
                        names = ("named_better", "named_worse")
                        records = {name: compared["records"][name] for name in names}
                        compared.update(records=records, unchanged=None, unchanged_at_worst=None)
        assert read_once == in_memory
        assert in_memory["graders"] and in_memory["review"]["verdicts"]


def test_a_file_that_is_read_once_has_its_scores_held_against_truths(sampleui, tmp_path, monkeypatch):
    rows = [
        {"id": f"s{number}", "truth_score": number % 3, "grader_score": number % 2, "model": "m"}
        for number in range(30)
    ]
    rows += [{**row, "grader_score": None} for row in rows[:3]]  # reruns of the first three
    run = lines_of(tmp_path / "run.jsonl", rows)
    in_memory = json.loads(sampleui("report", run, "--format", "json").out)["truth"]
    monkeypatch.setattr("sampleui.page.run_report.MIN_STREAMED_BYTES", 1)
    assert json.loads(sampleui("report", run, "--format", "json").out)["truth"] == in_memory
    assert (in_memory["records"], in_memory["agreed"], in_memory["labels"]) == (27, 8, ["0", "1", "2"])


def test_runs_that_are_read_once_are_compared_whatever_evaluators_and_decks_come_first_in_each(
    sampleui, tmp_path, monkeypatch
):
    def rows(names: str, decks: str, **scores: int) -> Iterator[dict[str, Any]]:
        for number in range(40):
            marks = [{"name": name, "score": scores[name]} for name in names]
            dataset = f"{decks[number % 2]}.yaml"
            yield {"test_id": f"s{number}", "score": 1, "dataset": dataset, "output": "x", "scores": marks}

    run = lines_of(tmp_path / "run.jsonl", rows("xyw", "ab", x=1, y=0, w=1))
    old = lines_of(tmp_path / "old.jsonl", rows("yzx", "ba", x=1, y=1, z=0))
    monkeypatch.setattr("sampleui.page.run_report.MIN_STREAMED_BYTES", 1)
    ran = sampleui("report", run, "--baseline", old, "--format", "json")
    found = json.loads(ran.out)["comparison"]
    told = {item["name"]: (item["n_paired"], item["same"], item["worse"]) for item in found["evaluators"]}
    assert told == {"x": (40, 40, 0), "y": (40, 0, 40)}
    assert (found["only_run"], found["only_baseline"]) == (["w"], ["z"])
    again = lines_of(tmp_path / "old.jsonl", [{**row, "tags": "not"} for row in rows("yzx", "ba", x=1, y=1, z=0)])
    again.write_text(again.read_text() + "not JSON\n")
    assert json.loads(sampleui("report", run, "--baseline", again, "--format", "json").out)["comparison"] == found
