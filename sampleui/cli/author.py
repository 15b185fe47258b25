"""`sampleui DECK`: open a deck in the author screen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from sampleui.cli import app, output
from sampleui.cli.commands import COMMANDS
from sampleui.cli.output import FAILED
from sampleui.errors import DeckError
from sampleui.settings.options import load_settings


def author(path: Path, dialect: str | None = None, **options: str | bool | None) -> int:
    """Open a deck in the terminal app and return the exit code of the session.

    `options` are settings given on the command line, by name.

    Nothing is opened without a terminal, nor for a mistyped command: one line says so, and the exit code is 2.
    """
    if not output.interactive():
        output.complain(
            f"sampleui: {path} cannot be shown without a terminal; "
            "`sampleui check` and `sampleui render` work without one"
        )
        return FAILED
    if path.is_dir() or is_glob(path):
        return workspace([path], **options)
    if (command := _near_command(path)) is not None:
        output.complain(f"sampleui: there is no file {path}; did you mean `sampleui {command}`?")
        return FAILED
    settings = load_settings(path.parent, options)
    if settings.provider != "openai":
        from sampleui.prompt.providers import known_provider  # the usual start must not wait for rendering

        known_provider(settings.provider)
    return app.edit_deck(path, settings, dialect)


def workspace(paths: Sequence[Path], **options: str | bool | None) -> int:
    """List the decks of folders, globs and files in the terminal app and return the exit code of the session.

    Raises:
        DeckError: when there is no such file or folder.
    """
    for path in paths:
        if (command := _near_command(path)) is not None:
            output.complain(f"sampleui: there is no file {path}. Did you mean `sampleui {command}`?")
            return FAILED
        if not path.exists() and not is_glob(path):
            raise DeckError("there is no such file or folder", path)
    if not output.interactive():
        output.complain("sampleui: decks cannot be listed without a terminal; `sampleui check` works without one")
        return FAILED
    first = paths[0] if paths[0].is_dir() else paths[0].parent
    return app.list_decks(paths, load_settings(first, options))


def is_glob(path: Path) -> bool:
    """Tell whether a path is a glob: it has wildcards, and nothing exists under that name."""
    return bool(set("*?[{") & set(str(path))) and not os.path.lexists(path)


def _near_command(path: Path) -> str | None:
    """Return the command that a path was probably meant as: a bare name close to one, of which there is no file."""
    if path.suffix or path.parent != Path() or path.name in COMMANDS or path.exists():
        return None
    from difflib import get_close_matches

    near = get_close_matches(path.name, COMMANDS, n=1)
    return near[0] if near else None
