"""The value of a YAML text, whatever it is: for files that are no decks."""

from __future__ import annotations

from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.yaml.compose import compose_piece
from sampleui.formats.yaml.pieces import BOM
from sampleui.formats.yaml.values import Reading


def value_of(text: str) -> Plain:
    """Return the value of a text, None of an empty one.

    Raises:
        FormatError: when it is not YAML, holds several documents, or an alias has no anchor; with its place.
    """
    bare = text.removeprefix(BOM)

    def missing(name: str) -> Plain:
        raise FormatError(f"the alias *{name} has no anchor", line=1, column=1)

    root = compose_piece(bare)
    return None if root is None else Reading(bare, missing).value(root)
