"""Which files are logs of runs, by their names and their first bytes, and which rows were read from one."""

from __future__ import annotations

from pathlib import Path

from sampleui.formats.data import Table
from sampleui.integrations.index import integration, logs
from sampleui.review.results.sources import Source
from sampleui.text.confined import opened

_HEAD = 1 << 16


def log_suffixes() -> tuple[str, ...]:
    """Return how the names of logs end."""
    return tuple(log.suffix for _, log in logs())


def is_log(path: Path) -> bool:
    """Tell whether a file is named or begins as a log does. Nothing is raised."""
    try:
        with opened(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return any(log.is_named_or_begins(path, head) or log.may_be_json(head) for _, log in logs())


def log_source(path: Path, head: bytes) -> Source | None:
    """Return the records of a log, None when the file is not one.

    Args:
        path: the file.
        head: its first 64 KiB.

    Raises:
        ResultsError: when it is one and cannot be read.
    """
    likely = [name for name, log in logs() if log.is_named_or_begins(path, head)]
    likely += [name for name, log in logs() if name not in likely and log.may_be_json(head)]
    sources = (integration(name).results().log(path, head) for name in likely)
    return next((source for source in sources if source is not None), None)


def shared_in(row: Table) -> Table | None:
    """Return what a row of a log says of the whole run, None for a row of other results."""
    values = (row.get(log.key) for _, log in logs())
    return next((shared for shared in values if isinstance(shared, dict)), None)
