"""A run beside the deck that it ran, neither changed since: nothing is changed, stale or graded otherwise."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from sampleui.errors import SampleUIError
from sampleui.formats.data import Plain
from sampleui.review.record import passed
from sampleui.review.results.file import open_results
from sampleui.review.samples.expectation import expectation, expects
from sampleui.runs.decks import decks_of_run
from sampleui.runs.regrading import judge_of, regraded
from sampleui.runs.sample_as_run import expects_otherwise, same_value
from sampleui.settings.options import Settings
from sampleui.workspace.deck import Deck, open_deck

TESTS = Path(__file__).parents[1]
TOOLS = TESTS / "integrations"
INSPECT = TOOLS / "inspect_ai"
EXAMPLES = TESTS.parent / "examples" / "results"
SUFFIXES = frozenset({".json", ".jsonl", ".yaml", ".csv", ".toml", ".eval"})


def looked_at() -> Iterator[Path]:
    yield from (path for path in sorted(TOOLS.glob("*/written/**/*")) if path.suffix in SUFFIXES)
    yield from sorted(EXAMPLES.glob("*.jsonl"))
    if (corpus := os.environ.get("SAMPLEUI_CORPUS")) is not None:
        yield from (path for path in sorted((Path(corpus) / "field").rglob("*.json*")) if path.suffix in SUFFIXES)


def told(path: Path) -> tuple[int, list[str]]:
    """Return how many records of a file have a sample, and what is said of them that is not so."""
    try:
        results = open_results(path).indexed()
        decks = decks_of_run(results, (), Settings())
    except SampleUIError:
        return 0, []
    joined, wrong = 0, []
    for entry in results.counted:
        sample = decks.sample(entry)
        if sample is None:
            continue
        joined += 1
        record = results.record(entry.index)
        if expects_otherwise(record, results.base_dir, sample):
            wrong.append(f"{path}: {entry.id} is said to be changed")
        if regraded(results, record, sample).passes not in (None, passed(entry)) and passed(entry) is not None:
            wrong.append(f"{path}: {entry.id} is graded otherwise")
    return joined, wrong


@pytest.mark.long
def test_of_a_run_beside_its_own_deck_nothing_is_said_to_be_otherwise() -> None:
    found = [told(path) for path in looked_at()]
    assert [one for _, wrong in found for one in wrong] == []
    assert sum(joined for joined, _ in found) > 150


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    shutil.copytree(INSPECT / "data", tmp_path / "data")
    return Path(shutil.copytree(INSPECT / "logs", tmp_path / "logs"))


def test_of_inspects_logs_too(logs: Path) -> None:
    found = [told(path) for path in sorted(logs.iterdir())]
    assert [one for _, wrong in found for one in wrong] == []
    assert sum(joined for joined, _ in found) > 50


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ('{"a": 1, "b": [1.0]}', '{"b":[1],"a":1.0}', True),
        ("1", "1.0", True),
        ("1000.0", "1e3", True),
        ("12345678901234567890", "12345678901234567000", True),
        ("True", "true", True),
        ("true", "1", False),
        ("None", "null", True),
        ("line\n", "line", True),
        ("café", "cafe", False),
        ('"a"', "a", False),
        ('{"a": 1}', '{"a": 2}', False),
        ("01", "1", False),
    ],
)
def test_what_is_expected_is_compared_as_a_value(one: str, other: str, same: bool) -> None:
    assert same_value(one, other) is same
    assert same_value(other, one) is same


def test_all_of_several_answers_are_shown_and_another_one_is_a_change(logs: Path) -> None:
    results = open_results(logs / "two-scorers.eval").indexed()
    deck = decks_of_run(results, (), Settings()).decks[0]
    wanted = expectation(deck.samples[0])
    assert wanted is not None
    assert wanted.text == "any of: red · blue · yellow"
    assert expects(deck.samples[0], "blue", ())
    entry = results.find("colour")
    assert entry is not None
    record = results.record(entry.index)
    assert record.expects == wanted.text
    todays: list[tuple[Plain, bool]] = [
        (["red", "blue", "green"], True), (["red", "blue"], True), (["yellow", "blue", "red"], False),
    ]  # fmt: skip
    for listed, changed in todays:
        today = deck.set(0, ("target",), listed).samples[0]
        assert expects_otherwise(record, results.base_dir, today) is changed


def mapped(logs: Path, target: Plain, choices: list[Plain]) -> Deck:
    row = {"id": "c2", "input": "?", "choices": choices, "target": target}
    path = logs.parent / "data" / "choices.jsonl"
    path.write_text(json.dumps(row) + "\n")
    return open_deck(path)


@pytest.mark.parametrize(
    ("target", "open_"), [(1, True), ("ab", True), (["ab"], True), ("A", False), (["B"], False), ("AB", False)]
)
def test_a_target_that_the_task_must_have_made_of_the_row_tells_nothing(
    logs: Path, target: Plain, open_: bool
) -> None:
    results = open_results(logs / "choices.eval").indexed()
    entry = results.find("c2")
    assert entry is not None
    record = results.record(entry.index)
    sample = mapped(logs, target, ["ab", "cd"]).samples[0]
    is_open = open_ and [target] != record.data["target"]
    assert judge_of(record, sample).expects_otherwise(record, sample) is (False if is_open else None)
    if open_:
        assert regraded(results, record, sample).passes is None
        assert not expects_otherwise(record, results.base_dir, sample)
