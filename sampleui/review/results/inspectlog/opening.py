"""The records of a file that is a log."""

from __future__ import annotations

from pathlib import Path

from sampleui.review.results.inspect_signs import is_archive, may_be_json
from sampleui.review.results.sources import Source


def log_source(path: Path, head: bytes) -> Source | None:
    """Return the records of a log, None when the file is not one.

    Args:
        path: the file.
        head: its first 64 KiB.

    Raises:
        ResultsError: when it is one and cannot be read.
    """
    if is_archive(path, head):
        from sampleui.review.results.inspectlog.evallog import EvalLog

        return EvalLog(path)
    if not may_be_json(head):
        return None
    from sampleui.review.results.inspectlog.jsonlog import read_json_log

    return read_json_log(path)
