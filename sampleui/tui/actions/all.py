"""Every command of the author screen: importing this fills the registry, in the order of the help."""

from sampleui.tui.actions import turns  # isort: skip
from sampleui.tui.actions import samples  # isort: skip
from sampleui.tui.actions import view  # isort: skip
from sampleui.tui.actions import deck  # isort: skip
from sampleui.tui.actions.registry import AUTHOR

__all__ = ["AUTHOR", "deck", "samples", "turns", "view"]
