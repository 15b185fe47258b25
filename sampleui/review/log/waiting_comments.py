"""Comments that wait for their verdict, kept beside the user's other state until they have one.

There is a file of JSON lines for each results file, shared by its reviewers: a line has what a reviewer says about
a record from now on, and is empty for nothing. The file is removed with the last comment that waits.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from sampleui.errors import ResultsError
from sampleui.text.appending import locked, read_from, write_line
from sampleui.text.confined import real_path
from sampleui.text.replacing import make_own_folder, own_path, remove


class Waiting:
    """The comments of a reviewer on records of a results file that have no verdict yet."""

    def __init__(self, results: Path, reviewer: str) -> None:
        self._results = results
        self._reviewer = reviewer

    @property
    def path(self) -> Path:
        """Where it is kept: named after the results file, and a hash of where that really lies."""
        return own_path("comments", real_path(self._results), self._results.stem, ".jsonl")

    def read(self) -> dict[str, str]:
        """Return the comments by the digest of their record.

        Raises:
            ResultsError: when the file cannot be read.
        """
        try:
            with locked(self.path, create=False) as descriptor:
                comments = _comments_in(_whole(descriptor))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            raise ResultsError(error.strerror or str(error), self.path) from error
        return {record: text for (reviewer, record), text in comments.items() if reviewer == self._reviewer}

    def keep(self, record: str, comment: str) -> None:
        """Write down the comment on a record, by its digest; an empty one removes it.

        Raises:
            ResultsError: when it cannot be written.
        """
        path = self.path
        line = json.dumps({"reviewer": self._reviewer, "record": record, "comment": comment}).encode() + b"\n"
        try:
            make_own_folder(path.parent)
            with locked(path, create=True) as descriptor:
                before = _whole(descriptor)
                torn = b"" if before.endswith(b"\n") or not before else b"\n"
                write_line(descriptor, torn + line)
                if not _comments_in(before + torn + line):
                    remove(path)
        except OSError as error:
            why = error.strerror or str(error)
            raise ResultsError(f"the comment would not outlive this session: {why}", path) from error


def _whole(descriptor: int) -> bytes:
    return read_from(descriptor, 0, os.fstat(descriptor).st_size)


def _comments_in(data: bytes) -> dict[tuple[str, str], str]:
    """Return what waits, by reviewer and record; the last line of each counts."""
    comments = {(reviewer, record): comment for reviewer, record, comment in _lines(data)}
    return {key: comment for key, comment in comments.items() if comment}


def _lines(data: bytes) -> Iterator[tuple[str, str, str]]:
    for line in data.split(b"\n"):
        try:
            read = json.loads(line)
            parts = read["reviewer"], read["record"], read["comment"]
        except (ValueError, TypeError, KeyError, RecursionError):  # one that its writer did not live to finish
            continue
        if all(isinstance(part, str) for part in parts):
            yield parts
