"""No row, however deep, ends a command in an error of Python's: it is left out and named, or read."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest

from sampleui.formats.data import Plain
from tests.torture.hostile_folder import written_by_tools

COMMANDS = (
    ("regrade",),
    ("report", "--format", "json", "--records", "all"),
    ("next",),
    ("trace",),
    ("check",),
    ("guess",),
    ("rerun", "--failed"),
)
MARK = "in the place of this stands something deep"
FILES = [(files, file) for files in written_by_tools() for file in files if file.suffix in (".json", ".jsonl")]


def places(value: Plain) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [(), *((key, *path) for key, item in inner for path in places(item))]


def put(value: Plain, path: tuple[str | int, ...], new: str) -> Plain:
    if not path:
        return new
    key, *rest = path
    if isinstance(value, list):
        return [put(item, tuple(rest), new) if index == key else item for index, item in enumerate(value)]
    assert isinstance(value, dict)
    return {name: put(item, tuple(rest), new) if name == key else item for name, item in value.items()}


def mutated(file: Path, chance: Random, depth: int) -> str:
    """Return the text of a file with something deep in the place of a random value of a random row."""
    lines = file.read_text().splitlines() if file.suffix == ".jsonl" else [file.read_text()]
    index = chance.choice([index for index, line in enumerate(lines) if line.strip()])
    value = json.loads(lines[index])
    lines[index] = json.dumps(put(value, chance.choice(places(value)), MARK))
    opening = [chance.choice(["[", '{"output": ', '{"content": ']) for _ in range(depth)]
    deep = "".join(opening) + '"x"' + "".join("]" if sign == "[" else "}" for sign in reversed(opening))
    return "\n".join(lines).replace(json.dumps(MARK), deep)


@pytest.mark.parametrize("depth", [190, 201, 500, 980, 5000])
@pytest.mark.parametrize("number", range(6))
def test_no_row_ends_a_command_in_a_recursion_error(sampleui, tmp_path, number, depth):
    chance = Random(f"{number}/{depth}")
    files, file = chance.choice(FILES)
    for other in files:
        shutil.copy(other, tmp_path)
    text = mutated(file, chance, depth)
    (tmp_path / file.name).write_text(text)
    for command, *options in COMMANDS:
        assert sampleui(command, tmp_path / file.name, *options).code in (0, 1, 2), command


def test_a_row_that_is_too_deep_is_left_out_and_named(sampleui, tmp_path):
    row = {"id": "a", "passed": False, "output": "x"}
    deep = json.dumps({**row, "id": "b", "output": "@"}).replace('"@"', "[" * 300 + "]" * 300)
    (tmp_path / "run.jsonl").write_text(f"{json.dumps(row)}\n{deep}\n")
    ran = sampleui("report", tmp_path / "run.jsonl")
    assert "1 record" in ran.out
    assert "run.jsonl:2:1" in ran.err and "nested more than 200 levels deep" in ran.err
