"""JSON Schemas of deck files, for editors such as taplo and yaml-language-server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
