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
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from sampleui.formats.data import Plain, Table

HERE = Path(__file__).parent
FASTEST = Path("/dev/shm")
"""A file system in memory, where there is one."""


def cases(room: str) -> list[Table]:
    """Return the cases of a room, each with what is `given` and what it `gives`."""
    return [json.loads(line) for line in _file(room).read_text(encoding="utf-8").splitlines()]


@contextmanager
def folder_of_a_case() -> Iterator[Path]:
    """Make a folder, with a name by chance, for as long as a case is played."""
    with tempfile.TemporaryDirectory(dir=FASTEST if FASTEST.is_dir() else None) as name:
        yield Path(name)


def fields_of(value: object) -> dict[str, Any] | None:
    """Return the fields of a named tuple or a dataclass by their names, None of anything else."""
    named = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    return {name: getattr(value, name) for name in named} if named else None


def write(folder: Path, texts: Mapping[str, str]) -> None:
    """Write the files of a case; bytes that are no UTF-8 stand in their texts as Python escapes them."""
    for name, text in texts.items():
        at = folder / name
        at.parent.mkdir(parents=True, exist_ok=True)
        at.write_bytes(text.encode("utf-8", "surrogateescape"))


def as_json(value: object, folder: Path | None = None) -> Plain:
    """Return a value as it is recorded: dates, times and what is no number in JSON as texts, without its folder."""
    text = json.dumps(value, default=str)
    read: Plain = json.loads(text.replace(str(folder), "") if folder else text, parse_constant=str)
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
