"""How it is told what a path is: by one table, from parts that are read once."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from sampleui.settings.options import load_settings
from sampleui.workspace.opening import open_path, rules

ROOT = Path(__file__).parents[2]
OPENED: Counter[str] = Counter()


def _count(event: str, arguments: tuple[object, ...]) -> None:
    if event == "open":
        OPENED[Path(str(arguments[0])).name] += 1


sys.addaudithook(_count)

GRADED = {"id": "a", "input": "2?", "expected": "two", "actual": "two", "score": 1.0, "passed": True}
LOGGED = {"trace": "a1", "request": {"body": "a question?"}, "response": {"body": "an answer"}, "ms": 3}


@pytest.mark.parametrize(
    ("name", "text", "most"),
    [
        ("hello.toml", (ROOT / "examples/decks/hello.toml").read_text("utf-8"), 1),
        ("run.jsonl", json.dumps(GRADED) + "\n", 3),
        ("unknown.jsonl", (json.dumps(LOGGED) + "\n") * 3, 3),
        ("unknown.json", json.dumps([LOGGED] * 3), 3),
        ("run.csv", "id,question,answer,expected,passed\na,2?,two,two,true\nb,3?,two,three,false\n", 3),
        ("broken.toml", "[[samples]\n", 2),
    ],
)
def test_a_path_is_read_once_as_a_deck_once_by_its_start_and_once_as_rows(
    tmp_path: Path, name: str, text: str, most: int
) -> None:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    settings = load_settings(tmp_path)
    OPENED.clear()
    open_path(path, settings)
    assert 1 <= OPENED[name] <= most


def test_architecture_prints_the_rules_by_which_paths_are_told() -> None:
    lines = [f"| {rule.signs} | {rule.reads} |" for rule in rules()]
    assert "\n".join(lines) in (ROOT / "ARCHITECTURE.md").read_text("utf-8")
