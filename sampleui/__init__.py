"""Write and review the samples of LLM evals, with the files left as their authors formatted them.

The names below are the public API. Each is imported when it is first used, so importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.errors import ArgumentError as ArgumentError
    from sampleui.errors import DeckError as DeckError
    from sampleui.errors import EditError as EditError
    from sampleui.errors import EditRefusedError as EditRefusedError
    from sampleui.errors import PathError as PathError
    from sampleui.errors import SampleUIError as SampleUIError
    from sampleui.errors import SaveError as SaveError
    from sampleui.errors import SaveRefusedError as SaveRefusedError
    from sampleui.errors import StaleFileError as StaleFileError
    from sampleui.prompt.providers import provider_messages as provider_messages
    from sampleui.prompt.render import Rendered as Rendered
    from sampleui.prompt.render import render as render
    from sampleui.sample.model import Sample as Sample
    from sampleui.text.diagnostic import Diagnostic as Diagnostic
    from sampleui.text.diagnostic import Severity as Severity
    from sampleui.trace.public import Trace as Trace
    from sampleui.trace.public import extract_trace as extract_trace
    from sampleui.workspace.deck import Deck as Deck
    from sampleui.workspace.deck import new_deck as new_deck
    from sampleui.workspace.deck import open_deck as open_deck

__version__ = "0.1.0"

_ERRORS = (
    "ArgumentError",
    "DeckError",
    "EditError",
    "EditRefusedError",
    "PathError",
    "SampleUIError",
    "SaveError",
    "SaveRefusedError",
    "StaleFileError",
)

_HOMES = {
    "Deck": "sampleui.workspace.deck",
    "Diagnostic": "sampleui.text.diagnostic",
    "Rendered": "sampleui.prompt.render",
    "Sample": "sampleui.sample.model",
    "Severity": "sampleui.text.diagnostic",
    "Trace": "sampleui.trace.public",
    "extract_trace": "sampleui.trace.public",
    "new_deck": "sampleui.workspace.deck",
    "open_deck": "sampleui.workspace.deck",
    "provider_messages": "sampleui.prompt.providers",
    "render": "sampleui.prompt.render",
    **dict.fromkeys(_ERRORS, "sampleui.errors"),
}

__all__ = tuple(_HOMES)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
