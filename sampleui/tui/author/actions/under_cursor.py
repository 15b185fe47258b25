"""What is under the cursor of the author screen, for commands that need it: they do not run if it is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.formats.data import DataPath
    from sampleui.sample.model import Sample
    from sampleui.tui.author.screen import AuthorScreen
    from sampleui.tui.drawing.items import Item


def the_sample(screen: AuthorScreen) -> Sample:
    """Return the current sample."""
    assert screen.sample is not None
    return screen.sample


def the_item(screen: AuthorScreen) -> Item:
    """Return the turn or field."""
    item = screen.conversation.current
    assert item is not None
    return item


def the_turn(screen: AuthorScreen) -> tuple[DataPath, int]:
    """Return the path of the turn and its place in its list, from 0."""
    path = the_item(screen).path
    at = path[-1]
    assert isinstance(at, int)
    return path, at
