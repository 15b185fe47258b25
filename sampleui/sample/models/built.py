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
from sampleui.sample.models.base import AnyTable, AsDeclared, Id, MessageModel, NonEmpty, Open, Shapes, one_of, tag
from sampleui.sample.models.typed import ANY, purpose_of

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
"""The types of the words of `typed.py`, but for `messages`, which a dialect may spell in its own way."""


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
            [(part, "validation") for part in parts], schema_generator=AsDeclared, ref_template="#/$defs/{model}"
        )
        return {part: references[part, "validation"] for part in parts}, schemas["$defs"]


@cache
def built(dialect: Dialect) -> Models:
    """Return the models of a dialect; where its integration adds no shapes, of what its words say alone."""
    shapes = of_dialect(dialect).checks().shapes() or Shapes({}, f"{dialect.title} samples")
    name = "".join(filter(str.isalnum, dialect.title))
    types = {**_WORDS, "messages": list[_message(dialect)], **shapes.types}  # type: ignore[misc]
    sample = _model(f"{name}Sample", f"A sample of {dialect.title}.", dialect, dialect.fields, types)
    id_field = dialect.fields.get("id")
    keyed = sample
    if id_field is not None and id_field.required:
        named = id_field._replace(required=False, purpose=f"{id_field.purpose}, where it is not its key")
        about = f"A sample of {dialect.title} whose id is its key."
        keyed = _model(f"Keyed{name}Sample", about, dialect, {**dialect.fields, "id": named}, types)
    about = f"What stands beside the samples of a file of {dialect.title}."
    return Models(sample, keyed, _model(f"{name}Beside", about, dialect, dialect.beside, types), shapes)


def _message(dialect: Dialect) -> Any:
    """Return the model of a message as a dialect spells it, with one as the example of what a new one begins as."""
    spelling = dialect.turns.spelling
    example = spelling.written({"role": "user", "content": ""})
    typed: Any = {
        "role": (NonEmpty, Field(alias=spelling.role)),
        "content": (object, Field(None, alias=spelling.content)),
    }
    return create_model(
        "Message", __base__=Open, __cls_kwargs__={"json_schema_extra": {"examples": [example]}}, **typed
    )


def _model(
    name: str, about: str, dialect: Dialect, fields: Mapping[str, tables.Field], types: Mapping[str, Any]
) -> type[Open]:
    # By numbers, since a key may be no name of Python's, or one that pydantic keeps for itself.
    typed: Any = {
        f"field{number}": _typed(key, item, dialect, types)
        for number, (key, item) in enumerate(fields.items())
        if item.offered
    }
    model: type[Open] = create_model(name, __base__=Open, __doc__=about, **typed)
    return model


def _typed(key: str, field: tables.Field, dialect: Dialect, types: Mapping[str, Any]) -> tuple[Any, Any]:
    words, purpose = field.type.split("|"), field.purpose or purpose_of(dialect, key)
    if dialect.modelled and len(words) > 1:
        kind = _any_of(words, types)
    else:  # words alone may let the same value pass, and are no tags
        kind = object if ANY in words else reduce(operator.or_, [types[word] for word in words])
    if field.required:
        return kind, Field(alias=key, description=purpose)
    return kind if kind is object else kind | None, Field(None, alias=key, description=purpose)


def _any_of(words: list[str], types: Mapping[str, Any]) -> Any:
    tagged = (Annotated[types[word], Tag(tag(word))] for word in words)
    return Annotated[reduce(operator.or_, tagged), one_of(*words)]
