"""What a path may be, beside a deck and a file that no dialect knows (`unknown_files.py`): small values."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sampleui.errors import DeckError


class AbsentFile(NamedTuple):
    """Nothing is there: a deck may be begun."""

    path: Path


class RunFile(NamedTuple):
    """The results of a tool, or of a table of the user's."""

    path: Path


class Broken(NamedTuple):
    """A file that cannot be opened as a deck, and why. The error has no line where there is no text to show."""

    path: Path
    error: DeckError
