"""The dialects' samples as pydantic models: the full shape, for type findings and JSON Schemas.

pydantic is imported with the first model that is asked for, and not with this package, so that the app can start
without it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sampleui.sample.dialects.dialect import Dialect

if TYPE_CHECKING:
    from sampleui.sample.models.built import Models


def models_of(dialect: Dialect) -> Models:
    """Return the models of a dialect that has some."""
    from sampleui.sample.models.built import built

    return built(dialect)
