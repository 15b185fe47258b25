"""YAML decks: libyaml finds the places, edits are spliced into the text."""

from sampleui.formats.yaml.document import YamlDocument

__all__ = ["YamlDocument"]
