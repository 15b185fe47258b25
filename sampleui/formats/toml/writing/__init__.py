"""Where the values of a TOML deck are, and texts that may make an edit. A module is imported when first used."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.formats.toml.writing import edits, emit, habits, samples, tree

__all__ = ["edits", "emit", "habits", "samples", "tree"]


def __getattr__(name: str) -> ModuleType:
    """Return a module of the package, imported when it is first used: a start must not wait for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
