"""TOML decks, edited as text."""

from sampleui.formats.toml.document import TomlDocument

__all__ = ["TomlDocument"]
