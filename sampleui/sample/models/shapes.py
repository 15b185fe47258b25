"""What an integration says of the types of its fields beyond the words that every dialect has."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from sampleui.formats.data import Plain

Schema: TypeAlias = dict[str, Plain]


class Shapes(NamedTuple):
    """The shapes of a dialect, of which pydantic checks values.

    Attributes:
        types: for each word in the dialect's tables of fields that is its own, or that it means in its own way, the
            type as pydantic takes it.
        title: what a deck file is called.
        elsewhere: for a key that samples stand under, the JSON Schema of what may stand there in their place.
        conditions: the JSON Schemas of what else must hold of a sample, which no type can say.
    """

    types: Mapping[str, Any]
    title: str
    elsewhere: Mapping[str, Schema] = MappingProxyType({})
    conditions: tuple[Schema, ...] = ()
