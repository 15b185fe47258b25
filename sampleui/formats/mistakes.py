"""The error of a file that cannot be read, with what cures it where that is known."""

from __future__ import annotations

from pathlib import Path

from sampleui.errors import FormatError
from sampleui.text.limits import MAX_EXPLAINED_LENGTH


def explained(error: FormatError, text: str, path: Path) -> FormatError:
    """Return the error of a file as an author may understand it, or as it is."""
    if len(text) > MAX_EXPLAINED_LENGTH:
        return error
    match path.suffix.lower():
        case ".yaml" | ".yml":
            from sampleui.formats.yaml import mistakes as yaml

            return yaml.explained(text, error)
        case ".toml":
            from sampleui.formats.toml import mistakes as toml

            return toml.explained(text, error)
        case _:
            return error
