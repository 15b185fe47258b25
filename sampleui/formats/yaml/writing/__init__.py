"""Texts that may make an edit of a YAML deck. A module of these is imported when it is first used."""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.formats.yaml.writing import edits, habits, samples, sharing

__all__ = ["edits", "habits", "samples", "sharing"]


def __getattr__(name: str) -> ModuleType:
    """Return a module of the package, imported with the first edit: a start must not wait for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
