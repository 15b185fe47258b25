"""JSON Schemas of deck files, for editors such as taplo and yaml-language-server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from sampleui.formats.data import Table

if TYPE_CHECKING:
    from pydantic import TypeAdapter

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(dialect_name: str) -> Table:
    """Return the JSON Schema (draft 2020-12) of a deck file in a dialect, written from the dialect's models.

    For gage it describes one line of a JSONL deck, or a list of samples. Other keys are allowed everywhere.

    Raises:
        KeyError: when there is no such dialect.
    """
    title, adapter = _DECKS[dialect_name]
    return {"$schema": DRAFT, "title": title, **adapter().json_schema()}


def sample_schema(dialect_name: str) -> Table:
    """Return the JSON Schema of one sample of a dialect.

    Raises:
        KeyError: when there is no such dialect.
    """
    from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

    class AsDeclared(GenerateJsonSchema):
        """Keeps keys in the order of the models and of their examples, which is the order to write them in."""

        def sort(self, value: JsonSchemaValue, parent_key: str | None = None) -> JsonSchemaValue:
            return value

    module, model = _SAMPLES[dialect_name]
    found: Table = getattr(import_module(module), model).model_json_schema(schema_generator=AsDeclared)
    return found


def _calibrate() -> TypeAdapter[object]:
    from pydantic import TypeAdapter

    from sampleui.sample.models.calibrate import CalibrateDeck

    return TypeAdapter(CalibrateDeck)


def _agentv() -> TypeAdapter[object]:
    from pydantic import TypeAdapter

    from sampleui.sample.models.agentv import AgentvDeck

    return TypeAdapter(AgentvDeck)


def _gage() -> TypeAdapter[object]:
    from pydantic import TypeAdapter

    from sampleui.sample.models.gage import GageSample

    return TypeAdapter(GageSample | list[GageSample])


_DECKS: Mapping[str, tuple[str, Callable[[], TypeAdapter[object]]]] = {
    "calibrate": ("calibrate deck", _calibrate),
    "agentv": ("AgentV eval file", _agentv),
    "gage": ("gage-eval sample, or a list of samples", _gage),
}

_SAMPLES: Mapping[str, tuple[str, str]] = {
    "calibrate": ("sampleui.sample.models.calibrate", "CalibrateSample"),
    "agentv": ("sampleui.sample.models.agentv", "AgentvCase"),
    "gage": ("sampleui.sample.models.gage", "GageSample"),
}
