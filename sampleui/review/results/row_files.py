"""Files that a row of results names, read into the row by the integration that knows them.

What the row itself says is never replaced. A path may only lead to a file inside the run's folder. Two rows may
name the same file, which then holds what the last of them wrote and nothing of the others.
"""

from __future__ import annotations

from enum import Enum, auto
from functools import cache
from pathlib import Path

from sampleui.formats.data import Table
from sampleui.integrations.index import integration, keeper
from sampleui.integrations.integration import Integration, RunFiles
from sampleui.values import NamedTuple


class Sharing(Enum):
    """With whose records a record shares its files: none, those of other targets, or those of its own target."""

    NOBODY = auto()
    OTHERS = auto()
    TARGET = auto()


class Hydrated(NamedTuple):
    """A row with its files in it, and what could not be read.

    Attributes:
        lost: whether its files are those of another record, or that of its answer cannot be read, so that it is not
            kept.
        doubtful: whether its files may be those of another record, so that its answer may be the other's.
    """

    row: Table
    problems: tuple[str, ...] = ()
    lost: bool = False
    doubtful: bool = False


def with_grading(row: Table, folder: Path) -> Table:
    """Return a row with its grading alone, which decides whether the record failed."""
    return _files_of_run(row).add_grading(row, folder)


def hydrated(row: Table, folder: Path, *, sharing: Sharing = Sharing.NOBODY) -> Hydrated:
    """Read every file a row points to.

    Args:
        row: the row.
        folder: the folder of the run.
        sharing: whether another row names the same files, so that they may be about that one.
    """
    return _files_of_run(row).hydrate(row, folder, sharing) or Hydrated(row)


def tries_of(row: Table, folder: Path) -> tuple[Table, ...]:
    """Return a row for each of several samples that a row stands for; none if it stands for itself."""
    return _files_of_run(row).split_attempts(row, folder)


def artifact_of(row: Table) -> str | None:
    """Return the path that stands for the files of a row; rows with the same one share them."""
    return _files_of_run(row).artifact_path(row)


def _files_of_run(row: Table) -> RunFiles:
    return _run_files(integration(keeper(row)))


@cache
def _run_files(of: Integration) -> RunFiles:
    return of.run_files()
