"""A screen that is one list."""

from __future__ import annotations

from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.widgets.virtual_list import VirtualList


class ListScreen(CommandScreen):
    """A screen with a title line and a list below it, which takes the keys for moving."""

    list: VirtualList
