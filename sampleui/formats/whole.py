"""Files treated as one sample, whatever they hold: this is how values beside the samples are edited."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

from sampleui.formats.document import Document, Splice
from sampleui.formats.json.document import JsonDocument
from sampleui.formats.json.spans import skip_blank
from sampleui.formats.toml.bare import TomlSample
from sampleui.formats.yaml.bare import YamlSample
from sampleui.formats.yaml.document import YamlDocument


class _Whole:
    """Takes any edit: what must hold of the file as a deck is looked at by whoever makes the edit."""

    def _fits(self, splice: Splice, after: Self) -> bool:
        return True


class _Toml(_Whole, TomlSample):
    pass


class _Yaml(YamlSample):
    def _fits(self, splice: Splice, after: Self) -> bool:
        return YamlDocument._fits(self, splice, after)  # whatever it is a sample of, strict readers must read it


class _Json(_Whole, JsonDocument):
    @classmethod
    def parse(cls, text: str) -> Self:
        start, end = skip_blank(text, int(text.startswith("\ufeff"))), len(text.rstrip())
        return cls((text[:start], text[start:end], text[end:]), JsonDocument.parse(text).style, closed=True)


AS_ONE: Mapping[str, type[Document]] = {"toml": _Toml, "yaml": _Yaml, "json": _Json}
"""Readers that take a whole file for one sample, whatever it holds."""
