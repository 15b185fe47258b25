"""The terminal app. The only package that imports Textual."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

_PALETTE = "textual.command"
_OF_PALETTE = ("CommandListItem", "CommandPalette", "DiscoveryHit", "Hit", "Hits", "Provider", "SimpleProvider")
"""What Textual's app and its themes import of the command palette, and use only while that is open."""


class _WithoutPalette(ModuleType):
    """Stands for the module of the palette; asked for anything that it does not know, it gives way to it."""

    def __getattr__(self, name: str) -> Any:
        if name in _OF_PALETTE:
            return type(name, (), {})
        if name.startswith("__"):
            raise AttributeError(name)
        sys.modules.pop(_PALETTE, None)
        return getattr(import_module(_PALETTE), name)


def import_textual() -> None:
    """Import Textual's app without its command palette, which is switched off in ours.

    The palette and the widgets that only it needs are a tenth of the import. Whoever imports the palette afterwards
    gets it whole.
    """
    if "textual.app" in sys.modules or _PALETTE in sys.modules:
        return
    sys.modules[_PALETTE] = _WithoutPalette(_PALETTE)
    try:
        import_module("textual.app")
    finally:
        if isinstance(sys.modules.get(_PALETTE), _WithoutPalette):
            del sys.modules[_PALETTE]
