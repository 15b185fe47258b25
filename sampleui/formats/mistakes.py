"""The error of a file that cannot be read, with what cures it where that is known."""

from __future__ import annotations

from pathlib import Path

from sampleui.errors import FormatError

MAX_LENGTH = 2_000_000
"""Characters of a text whose mistakes are looked for: it is read again for each cure that is tried."""


def explained(error: FormatError, text: str, path: Path) -> FormatError:
    """Return the error of a file as an author may understand it, or as it is."""
    if len(text) > MAX_LENGTH:
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
