"""The dialects' samples as pydantic models: the full shape, for type findings and JSON Schemas.

pydantic is imported with the first model that is asked for, and not with this package: a start of the app does
without it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sampleui.sample.models.base import Models


def models_of(dialect_name: str) -> Models:
    """Return the models of a dialect.

    Raises:
        KeyError: when there is no such dialect.
    """
    if dialect_name not in _NAMES:
        raise KeyError(dialect_name)
    models: Models = import_module(f"{__name__}.{dialect_name}").MODELS
    return models


_NAMES = frozenset({"calibrate", "agentv", "gage"})
