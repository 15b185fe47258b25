"""What is under the cursor of the author screen, for commands that act on it and refuse if it is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError

if TYPE_CHECKING:
    from sampleui.formats.data import DataPath
    from sampleui.sample.model import Sample
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.items import Item


def the_sample(screen: AuthorScreen) -> Sample:
    """Return the current sample. Raises EditRefusedError if there is none."""
    if screen.sample is None:
        raise EditRefusedError("there is no sample; n adds one")
    return screen.sample


def the_item(screen: AuthorScreen) -> Item:
    """Return the turn or field. Raises EditRefusedError if the file has none."""
    item = screen.conversation.current
    if item is None or not item.path:
        raise EditRefusedError("there is nothing here to act on")
    return item


def the_turn(screen: AuthorScreen) -> tuple[DataPath, int]:
    """Return the path of the turn and its place in its list, from 0. Raises EditRefusedError on a field."""
    item = the_item(screen)
    if item.turn is None or not isinstance(item.path[-1], int):
        raise EditRefusedError("this acts on turns; the cursor is on a field")
    return item.path, item.path[-1]
