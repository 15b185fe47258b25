"""Every command of the author screen: importing this fills the registry, in the order of the help."""

from sampleui.tui.actions.author import texts  # isort: skip
from sampleui.tui.actions.author import turns  # isort: skip
from sampleui.tui.actions.author import parts  # isort: skip
from sampleui.tui.actions.author import fields  # isort: skip
from sampleui.tui.actions.author import samples  # isort: skip
from sampleui.tui.actions.author import marking  # isort: skip
from sampleui.tui.actions.author import many  # isort: skip
from sampleui.tui.actions.author import exporting  # isort: skip
from sampleui.tui.actions.author import clipboard  # isort: skip
from sampleui.tui.actions.author import finding  # isort: skip
from sampleui.tui.actions.author import view  # isort: skip
from sampleui.tui.actions.author import going  # isort: skip
from sampleui.tui.actions.author import conflicts  # isort: skip
from sampleui.tui.actions.author import comparing  # isort: skip
from sampleui.tui.actions.author import deck  # isort: skip
from sampleui.tui.actions.author.registry import AUTHOR

__all__ = ["AUTHOR"]

_ = (
    clipboard,
    comparing,
    conflicts,
    deck,
    exporting,
    fields,
    finding,
    going,
    many,
    marking,
    parts,
    samples,
    texts,
    turns,
    view,
)
