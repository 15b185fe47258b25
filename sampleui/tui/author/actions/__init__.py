"""Every command of the author screen, by what it acts on: importing this fills the registry, as the help has it."""

from sampleui.tui.author.actions import turns  # isort: skip
from sampleui.tui.author.actions import calls  # isort: skip
from sampleui.tui.author.actions import fields  # isort: skip
from sampleui.tui.author.actions import samples  # isort: skip
from sampleui.tui.author.actions import clipboard  # isort: skip
from sampleui.tui.author.actions import finding  # isort: skip
from sampleui.tui.author.actions import view  # isort: skip
from sampleui.tui.author.actions import deck  # isort: skip
from sampleui.tui.author.actions.needs import AUTHOR

__all__ = [
    "AUTHOR",
    "calls",
    "clipboard",
    "deck",
    "fields",
    "finding",
    "samples",
    "turns",
    "view",
]
