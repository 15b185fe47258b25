"""What the command line needs of the terminal app, passed in from above so that it need not import it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from sampleui.settings.options import Settings

if TYPE_CHECKING:  # the usual start must not wait for what it does not need
    from sampleui.review.session import ReviewOptions
    from sampleui.runs.records import Run


class AuthorFace(Protocol):
    """Opens a deck in the author screen and returns the exit code when the app is left."""

    def __call__(self, path: Path, settings: Settings, dialect: str | None) -> int:
        """Run the app."""


class WorkspaceFace(Protocol):
    """Lists the decks of folders, globs and files, and returns the exit code when the app is left."""

    def __call__(self, paths: Sequence[Path], settings: Settings) -> int:
        """Run the app."""


class ReviewFace(Protocol):
    """Opens results in the review screen and returns the exit code when the app is left."""

    def __call__(self, options: ReviewOptions, settings: Settings) -> int:
        """Run the app."""


class TraceFace(Protocol):
    """Opens records in the trace screen, from the one with an id on, and returns the exit code of the app."""

    def __call__(self, run: Run, settings: Settings, record_id: str | None) -> int:
        """Run the app."""


class Faces(NamedTuple):
    """The screens that commands may open."""

    author: AuthorFace
    workspace: WorkspaceFace
    review: ReviewFace
    trace: TraceFace
