"""What is expected where several choices are right."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sampleui import open_deck
from sampleui.formats.data import Plain, Table
from sampleui.review.results.file import open_results
from sampleui.review.samples.expectation import expectation


@pytest.mark.parametrize(
    ("scores", "choices", "expected", "any_of"),
    [
        ({"choice": {"value": "I", "answer": "A"}}, ["2", "3", "4"], "all of: A · C", ()),
        ({}, ["2", "3", "4"], "all of: A · C", ()),
        ({"includes": {"value": "I"}}, [], "A\nC", ("A", "C")),
    ],
)
def test_all_of_several_right_choices_are_expected_and_of_other_targets_any(
    tmp_path: Path, scores: Table, choices: list[Plain], expected: str, any_of: tuple[str, ...]
) -> None:
    """Inspect's `choice` of 0.3.285 gives I to a part of the letters of a target."""
    sample: Table = {
        "id": "a",
        "epoch": 1,
        "input": "Even?",
        "choices": choices,
        "target": ["A", "C"],
        "scores": scores,
    }
    log: Table = {
        "version": 2,
        "status": "success",
        "eval": {"task": "t", "model": "m", "dataset": {}},
        "samples": [sample],
    }
    (tmp_path / "log.json").write_text(json.dumps(log))
    record = open_results(tmp_path / "log.json").indexed().record(0)
    assert (record.expected, record.any_of) == (expected, any_of)


def test_a_sample_with_choices_expects_all_of_its_letters(tmp_path: Path) -> None:
    lines: list[Table] = [
        {"id": "a", "input": "Even?", "choices": ["2", "3", "4"], "target": ["A", "C"]},
        {"id": "b", "input": "Even?", "target": ["A", "C"]},
        {"id": "c", "input": "Even?", "choices": ["2", "3"], "target": ["2", "4"]},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    wanted = [expectation(sample) for sample in open_deck(tmp_path / "a.jsonl").samples]
    assert [item and item.text for item in wanted] == ["all of: A · C", "any of: A · C", "any of: 2 · 4"]
