"""Files without records that a tool writes beside its results: what each is, and what to open instead."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sampleui.formats.data import Plain
from sampleui.integrations.index import integration, summarizers
from sampleui.review.results.fields import table

_NAMED = 3


def summary_of(document: Plain, path: Path) -> str:
    """Return what a document is that sums up results whose records are in other files; nothing for any other."""
    data = table(document)
    summaries = (integration(name).results().summary(data, path) for name in summarizers(data))
    return next((summary for summary in summaries if summary), "")


def beside(path: Path, pattern: str) -> list[str]:
    """Return the names of the files beside another whose names match a pattern."""
    return sorted(file.name for file in path.parent.glob(pattern) if file.is_file())


def to_open(names: Sequence[str]) -> str:
    """Return which files to open, nothing if there are none."""
    if not names:
        return ""
    more = f" or {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return f"open {', '.join(names[:_NAMED])}{more}"
