"""Files that a tool writes beside its results and that have no records: what they are, and what to open instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sampleui.formats.data import Plain
from sampleui.review.results.adapters.fields import table

_NAMED = 3
_TASKS = frozenset({"results", "configs", "versions", "n-shot"})
_SET = frozenset({"eval_set_id", "tasks"})
_HEADER = frozenset({"version", "status", "eval"})


def summary_of(document: Plain, path: Path) -> str:
    """Return what a document is that sums up results whose records are in other files; nothing for any other."""
    held = table(document)
    if held.keys() >= _TASKS:
        stamp = path.stem.removeprefix("results_")
        found = _beside(path, f"samples_*_{stamp}.jsonl") or _beside(path, "samples_*.jsonl")
        none = "lm-eval writes records into samples_*.jsonl if it is run with --log_samples"
        return f"the scores of lm-eval's tasks, without records; {_open(found) or none}"
    if held.keys() == _SET:
        return f"the tasks of an eval set of Inspect's, without records; {_logs(path)}"
    if held and all(_is_header(name, one) for name, one in held.items()):
        named = [name for name in held if (path.parent / name).is_file()]
        return f"the headers of Inspect's logs, without records; {_open(named) or _logs(path)}"
    return ""


def _is_header(name: str, value: Plain) -> bool:
    header = table(value)
    return name.endswith((".eval", ".json")) and header.keys() >= _HEADER and bool(table(header["eval"]))


def _logs(path: Path) -> str:
    return _open(_beside(path, "*.eval")) or "its records are in the logs, *.eval"


def _beside(path: Path, pattern: str) -> list[str]:
    return sorted(one.name for one in path.parent.glob(pattern) if one.is_file())


def _open(names: Sequence[str]) -> str:
    """Return which files to open, nothing if there are none."""
    if not names:
        return ""
    more = f" or {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"open {', '.join(names[:_NAMED])}{more}"
