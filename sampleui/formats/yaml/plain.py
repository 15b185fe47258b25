"""The value of a YAML text, whatever it is: for files that are no decks."""

from __future__ import annotations

from sampleui.errors import FormatError
from sampleui.formats.data import Plain
from sampleui.formats.yaml.nodes.compose import compose
from sampleui.formats.yaml.nodes.values import Reading
from sampleui.formats.yaml.splitting import BOM


def value_of(text: str) -> Plain:
    """Return the value of a text, of the first of several documents, None of an empty one.

    Raises:
        FormatError: when it is not YAML, an alias has no anchor, or its aliases stand for too much; with its place.
    """
    bare = text.removeprefix(BOM)

    def missing(name: str) -> Plain:
        raise FormatError(f"the alias *{name} has no anchor", line=1, column=1)

    root = compose(bare)
    return None if root is None else Reading(bare, missing).value(root)
