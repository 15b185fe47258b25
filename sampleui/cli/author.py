"""`sampleui DECK`: open a deck in the author screen."""

from __future__ import annotations

from pathlib import Path

from sampleui.cli import output
from sampleui.cli.faces import Faces
from sampleui.cli.guard import FAILED
from sampleui.settings import load_settings


def author(path: Path, faces: Faces, dialect: str | None = None, theme: str | None = None) -> int:
    """Open a deck in the terminal app and return the exit code of the session.

    Without a terminal nothing is opened: one line says so, and the exit code is 2.
    """
    if not output.interactive():
        output.complain(
            f"sampleui: {path} cannot be shown without a terminal; "
            "`sampleui check` and `sampleui render` work without one"
        )
        return FAILED
    settings = load_settings(path.parent, {"theme": theme})
    return faces.author(path, settings, dialect)
