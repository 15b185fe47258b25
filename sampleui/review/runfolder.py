"""The files that a row of a run's `index.jsonl` points to, read into the row.

AgentV's runs keep gradings, answers and timings in files of their own and name them by path. What a row says itself
is never replaced. A path may only lead to a file inside the run's folder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, Table
from sampleui.review.adapters import agentv, fields
from sampleui.text.confined import Confined, read_confined

INDEX_NAMES = ("index.jsonl", ".internal/index.jsonl", "results.jsonl")
MAX_FILE = 64 << 20
ROLE_LINE = re.compile(r"^@\[(.+?)\]:\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Pointer:
    """Keys of which the first one set names a file, the keys that make the file needless, and how it is read."""

    keys: tuple[str, ...]
    unless: tuple[str, ...]
    read: Callable[[str], Table]


@dataclass(frozen=True, slots=True)
class Hydrated:
    """A row with its files in it, and what could not be read."""

    row: Table
    problems: tuple[str, ...] = ()


def index_of(folder: Path) -> Path:
    """Return the file of a run folder that lists its records.

    Raises:
        ResultsError: when there is none, or when several could be meant.
    """
    for name in INDEX_NAMES:
        if (folder / name).is_file():
            return folder / name
    found = [path for path in sorted(folder.glob("*.jsonl")) if not path.name.endswith(".reviews.jsonl")]
    if len(found) == 1:
        return found[0]
    said = f"holds {len(found)} results files; name one of them" if found else "holds no results (no index.jsonl)"
    raise ResultsError(f"the folder {said}", folder)


def base_of(index: Path) -> Path:
    """Return the folder that the paths of an index are relative to."""
    return index.parent.parent if index.parent.name == ".internal" else index.parent


def with_grading(row: Table, folder: Path) -> Hydrated:
    """Read the grading alone, which decides whether the record failed."""
    return _read(row, folder, POINTERS[:1])


def hydrated(row: Table, folder: Path) -> Hydrated:
    """Read every file a row points to."""
    return _read(row, folder, POINTERS)


def _read(row: Table, folder: Path, pointers: tuple[Pointer, ...]) -> Hydrated:
    problems: list[str] = []
    for pointer in pointers:
        written = fields.text(fields.first(row, pointer.keys))
        if written is None or fields.first(row, pointer.unless) is not None:
            continue
        found = read_confined(written, [folder], folder, MAX_FILE)
        if not isinstance(found, Confined):
            problems.append(found.reason)
            continue
        try:
            read = pointer.read(found.data.decode("utf-8-sig"))
        except (ValueError, RecursionError):
            problems.append(f"{written} cannot be read as {pointer.keys[0].removesuffix('_path')}")
            continue
        row = read | row
    return Hydrated(row, tuple(problems))


def _grading(text: str) -> Table:
    found = fields.table(json.loads(text))
    listed = fields.first(found, agentv.SCORE_LISTS)
    return _present(scores=listed, assertions=found.get("assertions"))


def _answer(text: str) -> Table:
    return {"output": text.rstrip()}


def _timing(text: str) -> Table:
    found = fields.table(json.loads(text))
    return _present(
        duration_ms=fields.first(found, ("duration_ms",)) or fields.table(found.get("duration")).get("total_ms"),
        token_usage=fields.first(found, ("token_usage", "tokens")),
        cost_usd=fields.first(found, ("cost_usd",)) or fields.table(found.get("cost")).get("usd"),
    )


def _transcript(text: str) -> Table:
    found: Plain = json.loads(text)
    messages = found.get("messages") if isinstance(found, dict) else found
    return {"output_messages": list(fields.tables(messages))} if fields.tables(messages) else {}


def _asked(text: str) -> Table:
    parts = ROLE_LINE.split(text)
    if len(parts) == 1:
        return {"input": text.rstrip()}
    return {"input": list(_messages(parts[1:]))}


def _messages(parts: list[str]) -> Iterator[Plain]:
    for role, content in zip(parts[::2], parts[1::2], strict=True):
        yield {"role": role, "content": content.rstrip()}


def _present(**values: Plain) -> Table:
    return {key: value for key, value in values.items() if value is not None}


POINTERS = (
    Pointer(("grading_path",), agentv.SCORE_LISTS, _grading),
    Pointer(("output_path", "answer_path", "response_path"), agentv.ANSWERS, _answer),
    Pointer(("metrics_path", "timing_path"), ("duration_ms", "token_usage"), _timing),
    Pointer(("transcript_path",), ("output_messages", "trace", "trace_ref"), _transcript),
    Pointer(("input_path",), ("input", "input_messages"), _asked),
)
