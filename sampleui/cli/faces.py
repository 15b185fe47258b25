"""What the command line needs of the terminal app, given from above so that it imports none of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from sampleui.settings import Settings


class AuthorFace(Protocol):
    """Opens a deck in the author screen and returns the exit code when the app is left."""

    def __call__(self, path: Path, settings: Settings, dialect: str | None) -> int:
        """Run the app."""


@dataclass(frozen=True, slots=True)
class Faces:
    """The screens that commands may open."""

    author: AuthorFace
