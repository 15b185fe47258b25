"""Which files are logs of runs, by their names and their first bytes, and which rows were read from one."""

from __future__ import annotations

from pathlib import Path

from sampleui.formats.data import Table
from sampleui.integrations.index import LOGS, integration
from sampleui.review.results.sources import Source
from sampleui.text.confined import opened

LOG_SUFFIXES = tuple(log.suffix for log in LOGS)
_HEAD = 1 << 16


def is_log(path: Path) -> bool:
    """Tell whether a file is named or begins as a log does. Nothing is raised."""
    try:
        with opened(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return any(log.is_named_or_begins(path, head) or log.may_be_json(head) for log in LOGS)


def log_source(path: Path, head: bytes) -> Source | None:
    """Return the records of a log, None when the file is not one.

    Args:
        path: the file.
        head: its first 64 KiB.

    Raises:
        ResultsError: when it is one and cannot be read.
    """
    likely = [log for log in LOGS if log.is_named_or_begins(path, head)]
    likely += [log for log in LOGS if log not in likely and log.may_be_json(head)]
    sources = (integration(log.integration).log(path, head) for log in likely)
    return next((source for source in sources if source is not None), None)


def shared_in(row: Table) -> Table | None:
    """Return what a row of a log says of the whole run, None for a row of other results."""
    found = (row.get(log.key) for log in LOGS)
    return next((shared for shared in found if isinstance(shared, dict)), None)
