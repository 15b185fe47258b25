"""What a review shows, as rows, pure: the queue, answers beside what was expected, scores, reports.

What few records need is asked of this package, which imports a module of it when it is first used.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.tui.review.rows import compared, files, read

__all__ = ["compared", "files", "read"]


def __getattr__(name: str) -> ModuleType:
    """Return a module of the package, imported when it is first used: a first frame must not wait for it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{name}")
