"""What was agreed to once is not asked again for an edit of what a sample asks and expects, and is for all else."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from sampleui.review.results.file import open_results
from sampleui.runs.decks import decks_of_run
from sampleui.runs.rerun.consent import agree
from sampleui.runs.rerun.engine import Prepared, prepared
from sampleui.settings.options import Settings

CONFIG = "prompts: ['Q {{question}}']\nproviders: [{id: file://provider.js, label: good}]\n"


class Shape(NamedTuple):
    """A form of a deck: its file, its run, and what writes it with other texts of its first sample.

    Attributes:
        deck: the name of its file.
        run: the name of the file of its run.
        write: is given the project's folder, what the first sample asks, and what it expects.
        row: returns the record of a sample, given what is asked and the id or the description.
    """

    deck: str
    run: str
    write: Callable[[Path, str, str], None]
    row: Callable[[str, str], dict]


def promptfoo_row(question: str, name: str) -> dict:
    case = {"vars": {"question": question}, "assert": [{"type": "equals", "value": "8"}]}
    return {
        "id": name,
        "vars": case["vars"],
        "testCase": {**case, "description": name},
        "provider": {"id": "file://provider.js", "label": "good"},
        "prompt": {"raw": "Q", "label": "Q {{question}}"},
        "success": False,
        "score": 0,
        "failureReason": 1,
        "response": {"output": "9"},
    }


def scenario_row(question: str, name: str) -> dict:
    row = promptfoo_row(question, name)
    row["vars"]["language"] = "en"
    return row


def agentv_row(question: str, name: str) -> dict:
    return {"test_id": name, "suite": "deck", "target": "good", "score": 0.0, "output": "x", "timestamp": "2026"}


def inline(root: Path, asks: str, expects: str) -> None:
    tests = [
        {"description": name, "vars": {"question": text}, "assert": [{"type": "contains", "value": value}]}
        for name, text, value in (("a", asks, expects), ("b", "b", "8"))
    ]
    (root / "promptfooconfig.yaml").write_text(f"{CONFIG}tests: {json.dumps(tests)}\n")


def in_a_table(root: Path, asks: str, expects: str) -> None:
    (root / "promptfooconfig.yaml").write_text(f"{CONFIG}tests: file://tests.csv\n")
    rows = [f'"{asks}","{expects}",a', "b,8,b"]
    (root / "tests.csv").write_text("\n".join(["question,__expected,__description", *rows, ""]))


def in_a_file(root: Path, asks: str, expects: str) -> None:
    tests = [
        {"description": name, "vars": {"question": text}, "assert": [{"type": "equals", "value": value}]}
        for name, text, value in (("a", asks, expects), ("b", "b", "8"))
    ]
    (root / "promptfooconfig.yaml").write_text(f"{CONFIG}tests: file://tests.yaml\n")
    (root / "tests.yaml").write_text(json.dumps(tests))


def in_scenarios(root: Path, asks: str, expects: str) -> None:
    tests = [
        {"description": name, "vars": {"question": text}, "assert": [{"type": "equals", "value": value}]}
        for name, text, value in (("a", asks, expects), ("b", "b", "8"))
    ]
    scenarios = json.dumps([{"config": [{"vars": {"language": "en"}}], "tests": tests}])
    (root / "promptfooconfig.yaml").write_text(f"{CONFIG}scenarios: {scenarios}\n")


def in_a_file_of_scenarios(root: Path, asks: str, expects: str) -> None:
    in_scenarios(root, asks, expects)
    text = (root / "promptfooconfig.yaml").read_text()
    (root / "scenarios.yaml").write_text(text.partition("scenarios: ")[2])
    (root / "promptfooconfig.yaml").write_text(f"{CONFIG}scenarios: file://scenarios.yaml\n")


def agentv(root: Path, asks: str, expects: str) -> None:
    tests = [
        {"id": name, "criteria": "c", "input": text, "assertions": [{"type": "contains", "value": value}]}
        for name, text, value in (("a", asks, expects), ("b", "b", "8"))
    ]
    (root / "deck.eval.yaml").write_text(
        json.dumps({"name": "deck", "execution": {"target": "good"}, "tests": tests})
    )


def agentv_in_a_file(root: Path, asks: str, expects: str) -> None:
    tests = [
        {"id": name, "criteria": "c", "input": text, "expected_output": value}
        for name, text, value in (("a", asks, expects), ("b", "b", "8"))
    ]
    (root / "deck.eval.yaml").write_text("name: deck\nexecution: {target: good}\ntests: ./cases.jsonl\n")
    (root / "cases.jsonl").write_text("".join(json.dumps(test) + "\n" for test in tests))


SHAPES = {
    "promptfoo": Shape("promptfooconfig.yaml", "run.json", inline, promptfoo_row),
    "promptfoo, tests in a table": Shape("promptfooconfig.yaml", "run.json", in_a_table, promptfoo_row),
    "promptfoo, tests in a file": Shape("promptfooconfig.yaml", "run.json", in_a_file, promptfoo_row),
    "promptfoo, scenarios": Shape("promptfooconfig.yaml", "run.json", in_scenarios, scenario_row),
    "promptfoo, scenarios in a file": Shape(
        "promptfooconfig.yaml", "run.json", in_a_file_of_scenarios, scenario_row
    ),
    "AgentV": Shape("deck.eval.yaml", "run.jsonl", agentv, agentv_row),
    "AgentV, tests in a file": Shape("deck.eval.yaml", "run.jsonl", agentv_in_a_file, agentv_row),
}
IN_TABLES = "promptfoo, tests in a table"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "project"
    for folder in (".git", "node_modules/.bin", ".agentv"):
        (root / folder).mkdir(parents=True)
    for program in ("promptfoo", "agentv"):
        (root / "node_modules" / ".bin" / program).write_text("#!/bin/sh\n")
        (root / "node_modules" / ".bin" / program).chmod(0o755)
    (root / "provider.js").write_text("one")
    (root / ".agentv" / "targets.yaml").write_text("targets: [{name: good, provider: cli, command: ./model}]\n")
    return root


def planned(root: Path, shape: Shape, asks: str, names: Sequence[str] = ("a", "b"), times: int = 1) -> Prepared:
    """Return what would be run for records of the samples of these names, in this order."""
    rows = [shape.row(asks, "a"), shape.row("b", "b")]
    whole = json.dumps({"results": {"results": rows}})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (root / shape.run).write_text(whole if shape.run.endswith(".json") else lines)
    results = open_results(root / shape.run).indexed()
    by_name = dict(zip("ab", results.entries, strict=True))
    decks = decks_of_run(results, [root / shape.deck], Settings())
    out = root.parent / "out"
    plan = prepared(results, [by_name[name] for name in names], decks, out, Settings(), times=times)
    assert plan.calls and not plan.refused
    return plan


@pytest.mark.parametrize("name", SHAPES)
def test_twenty_edits_of_what_a_sample_asks_and_expects_ask_nobody_again(root, name):
    shape = SHAPES[name]
    shape.write(root, "first", "8")
    first = planned(root, shape, "first")
    agree(first.project, first.calls)
    for number in range(20):
        asks, expects = f"is it {number}, provider.js or promptfoo?", f"{number} of 20"
        shape.write(root, asks, expects)
        names = (("a", "b"), ("b", "a"), ("a",), ("b",))[number % 4]
        assert planned(root, shape, asks, names, times=1 + number % 3).is_agreed, number


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("changed", ["template", "target", "program"])
def test_what_may_run_otherwise_asks_again(root, name, changed):
    shape = SHAPES[name]
    shape.write(root, "first", "8")
    first = planned(root, shape, "first")
    agree(first.project, first.calls)
    asks = "{{ question | mine }}" if changed == "template" else "first"
    shape.write(root, asks, "8")
    if changed == "target":
        (root / "provider.js").write_text("two")
        (root / ".agentv" / "targets.yaml").write_text("targets: [{name: good, provider: cli, command: ./other}]\n")
    if changed == "program":
        program = root / "node_modules" / ".bin" / first.calls[0].call.program
        program.write_text("#!/bin/sh\nexit 1\n")
    assert not planned(root, shape, asks).is_agreed


@pytest.mark.parametrize(
    "expects", ["javascript: run()", "fn:run()", "python: run()", "file://grade.py", "{{ x }}"]
)
def test_a_cell_of_a_table_that_runs_something_asks_again_and_names_its_file(root, expects):
    shape = SHAPES[IN_TABLES]
    (root / "grade.py").write_text("")
    shape.write(root, "first", "8")
    first = planned(root, shape, "first")
    agree(first.project, first.calls)
    shape.write(root, "first", expects)
    plan = planned(root, shape, "first")
    assert not plan.is_agreed
    loaded = [file.path.name for file in plan.calls[0].loaded]
    assert ("grade.py" in loaded) is (expects == "file://grade.py")


def test_a_file_of_tests_that_something_else_calls_too_is_shown_and_counts(root):
    shape = SHAPES[IN_TABLES]
    shape.write(root, "first", "8")
    config = root / "promptfooconfig.yaml"
    text = config.read_text().replace("file://provider.js", "exec:model tests.csv")
    config.write_text(text)
    plan = planned(root, shape, "first")
    assert "tests.csv" in [file.path.name for file in plan.calls[0].loaded]
    agree(plan.project, plan.calls)
    shape.write(root, "first", "9")
    config.write_text(text)
    assert not planned(root, shape, "first").is_agreed
