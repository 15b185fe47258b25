"""The box that lists changes, one of which can be taken back."""

from __future__ import annotations

from sampleui.tui.screens.dialogs import Pick


class HunkPick(Pick):
    """Changes by their file, line and text."""

    DEFAULT_CSS = """
    HunkPick > .box { width: 110; max-width: 96%; }
    """
