"""What every box over a screen shares."""

from __future__ import annotations

from textual.screen import ModalScreen

from sampleui.tui.screens.closing import Answer, Closing


class Overlay(Closing[Answer], ModalScreen[Answer]):
    """A box over the screen."""
