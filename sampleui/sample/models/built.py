"""The pydantic models of a dialect, built from its table of fields and the shapes that its types name."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from functools import cache, reduce
from typing import Annotated, Any, NamedTuple

from pydantic import Field, Tag, create_model
from pydantic.json_schema import models_json_schema

from sampleui.integrations.index import of_dialect
from sampleui.sample.dialects import field as tables
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.models.base import AnyTable, Id, MessageModel, NonEmpty, Open, Shapes, one_of, tag

_WORDS: Mapping[str, Any] = {
    "any": object,
    "text": str,
    "filled": NonEmpty,
    "name": Id,
    "number": float,
    "truth": bool,
    "table": AnyTable,
    "list": list[object],
    "texts": list[str],
    "tables": list[AnyTable],
    "turns": Annotated[list[MessageModel], Field(min_length=1)],
}
"""The types of the words of `typed.py`."""


class Models(NamedTuple):
    """The models of a dialect.

    Attributes:
        sample: a sample.
        keyed: a sample of a keyed deck, whose key is its id.
        beside: what stands beside the samples of a deck file.
        shapes: what else is known of the shape of a deck.
    """

    sample: type[Open]
    keyed: type[Open]
    beside: type[Open]
    shapes: Shapes

    def references(self) -> tuple[dict[type[Open], dict[str, Any]], dict[str, Any]]:
        """Return a reference to the JSON Schema of each model, and the definitions that they refer to."""
        parts = dict.fromkeys((self.sample, self.keyed, self.beside))
        references, schemas = models_json_schema(
            [(part, "validation") for part in parts], ref_template="#/$defs/{model}"
        )
        return {part: references[part, "validation"] for part in parts}, schemas["$defs"]


@cache
def built(dialect: Dialect) -> Models:
    """Return the models of a dialect.

    Raises:
        ValueError: the dialect has none: words alone say the types of its fields.
    """
    shapes = of_dialect(dialect).checks().shapes()
    if shapes is None:
        raise ValueError(f"{dialect.name} has no models")
    name, types = dialect.integration.title(), {**_WORDS, **shapes.types}
    sample = _model(f"{name}Sample", f"A sample of {dialect.title}.", dialect.fields, types)
    id_field = dialect.fields.get("id")
    keyed = sample
    if id_field is not None and id_field.required:
        named = id_field._replace(required=False, purpose=f"{id_field.purpose}, where it is not its key")
        about = f"A sample of {dialect.title} whose id is its key."
        keyed = _model(f"Keyed{name}Sample", about, {**dialect.fields, "id": named}, types)
    about = f"What stands beside the samples of a file of {dialect.title}."
    return Models(sample, keyed, _model(f"{name}Beside", about, dialect.beside, types), shapes)


def _model(name: str, about: str, fields: Mapping[str, tables.Field], types: Mapping[str, Any]) -> type[Open]:
    typed: Any = {key: _typed(item, types) for key, item in fields.items() if item.offered}
    model: type[Open] = create_model(name, __base__=Open, __doc__=about, **typed)
    return model


def _typed(field: tables.Field, types: Mapping[str, Any]) -> tuple[Any, Any]:
    words = field.type.split("|")
    kind = types[words[0]] if len(words) == 1 else _any_of(words, types)
    if field.required:
        return kind, Field(description=field.purpose)
    return kind if kind is object else kind | None, Field(None, description=field.purpose)


def _any_of(words: list[str], types: Mapping[str, Any]) -> Any:
    tagged = (Annotated[types[word], Tag(tag(word))] for word in words)
    return Annotated[reduce(operator.or_, tagged), one_of(*words)]
