"""A screen that consists of one list."""

from __future__ import annotations

from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.widgets.virtual_list import VirtualList


class ListScreen(CommandScreen):
    """A screen with a title line and a list in a frame below it, which takes the keys for moving."""

    DEFAULT_CSS = """
    ListScreen {
        layout: vertical;
        TitleBar { background: $surface; }
        KeyBar { background: $surface; }
        #list-pane {
            height: 1fr; border: round $text-edge; border-title-color: $text-muted;
            border-subtitle-color: $text-faint;
            &:focus-within { border: round $accent; border-title-color: $accent; border-title-style: bold; }
        }
        VirtualList { height: 1fr; scrollbar-background: $background; scrollbar-color: $text-edge; }
    }
    """
    list: VirtualList

    def on_descendant_focus(self) -> None:
        """Show the keys of what has the focus: the list, or the field that narrows it."""
        self.show_keys()
