"""Recorded cases: what was given to a room, and what it gave, one case a line of the room's `recorded.jsonl`.

    python -m tests.recorded [ROOM …]

plays every case of `tests/ROOM` again and writes down what it gives now, so that the diff of the file shows what a
change of the code changes. `play` in `tests/ROOM/recorded.py` says what the cases of a room are. They are small
inputs on which a single mutation of the room tells (`tests/mutants.py`), and make that quick to notice; the tests
beside them say what is right.
"""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

from sampleui.formats.data import Plain, Table

HERE = Path(__file__).parent


def cases(room: str) -> list[Table]:
    """Return the cases of a room, each with what is `given` and what it `gives`."""
    return [json.loads(line) for line in _file(room).read_text(encoding="utf-8").splitlines()]


def as_json(value: object) -> Plain:
    """Return a value as it is recorded: dates, times and what is no number in JSON as texts."""
    read: Plain = json.loads(json.dumps(value, default=str), parse_constant=str)
    return read


def main(*rooms: str) -> None:
    """Play the cases of some rooms, of all if none is named, and write down what they give."""
    for room in rooms or sorted(file.parent.name for file in HERE.glob("*/recorded.jsonl")):
        play = import_module(f"tests.{room}.recorded").play
        played = ({"given": case["given"], "gives": as_json(play(case["given"]))} for case in cases(room))
        _file(room).write_text("".join(f"{json.dumps(one)}\n" for one in played), encoding="utf-8")


def _file(room: str) -> Path:
    return HERE / room / "recorded.jsonl"


if __name__ == "__main__":
    main(*sys.argv[1:])
