"""JSON Schemas of deck files, for editors such as taplo and yaml-language-server."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sampleui.formats.data import CONTAINERS, Plain, Table
from sampleui.sample.dialects.dialect import Dialect
from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.sample.models import models_of

if TYPE_CHECKING:
    from sampleui.sample.models.built import Models

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def schema(dialect: Dialect | str) -> Table:
    """Return the JSON Schema (draft 2020-12) of a deck file in a dialect, written from the dialect's models.

    A deck is a table with samples under a key, as a list or by name; a list of samples; or a single one, as is each
    line of a JSON Lines deck. Other keys are allowed everywhere. What it rejects, the rules report as an error.

    Raises:
        KeyError: if there is no such dialect.
    """
    dialect = DIALECTS[dialect] if isinstance(dialect, str) else dialect
    models = models_of(dialect)
    references, defs = models.references()
    if not dialect.modelled:
        return {
            "$schema": DRAFT,
            "title": models.shapes.title,
            "anyOf": [*_places(dialect, references[models.beside])],
            "$defs": {**defs, "Sample": references[models.sample]},
        }
    shapes: Table = {
        "Sample": _whole(references[models.sample], models),
        "Named": _whole(references[models.keyed], models),
        "Samples": _collection("Sample", "Named"),
    }
    if dialect.context_messages:
        shapes["SuppliedSample"] = _relaxed(defs[models.sample.__name__])
        shapes["SuppliedNamed"] = _relaxed(defs[models.keyed.__name__])
        shapes["SuppliedSamples"] = _collection("SuppliedSample", "SuppliedNamed")
    return {
        "$schema": DRAFT,
        "title": models.shapes.title,
        "anyOf": [
            _deck(dialect, models, references[models.beside]),
            {"type": "array", "items": {"$ref": "#/$defs/Sample"}},
            {"$ref": "#/$defs/Sample"},
            {"type": "object", "maxProperties": 0, "description": "A new deck"},
        ],
        "$defs": {**defs, **shapes},
    }


def sample_schema(dialect: Dialect) -> Table:
    """Return the JSON Schema of one sample of a dialect."""
    return models_of(dialect).sample.as_declared()


def message_schema() -> Table:
    """Return the JSON Schema of a message as most dialects spell it."""
    from sampleui.sample.models.base import MessageModel

    return MessageModel.as_declared()


def _places(dialect: Dialect, beside: Table) -> Iterator[Plain]:
    """Yield the shapes of a deck by where its samples are: under keys, as a list, or one alone."""
    sample: Table = {"$ref": "#/$defs/Sample"}
    listed: Table = {"type": "array", "items": sample}
    for keys in filter(None, dialect.containers):
        inner: Table = {"anyOf": [listed, {"type": "object", "additionalProperties": sample}]}
        for key in reversed(keys):
            inner = {"type": "object", "required": [key], "properties": {key: inner}}
        yield {"allOf": [beside, inner]}
    if () in dialect.containers:
        yield from (listed, sample)


def _whole(sample: Table, models: Models) -> Table:
    conditions: list[Plain] = [*models.shapes.conditions]
    return {"allOf": [sample, *conditions]} if conditions else sample


def _relaxed(sample: Plain) -> Table:
    """Return the shape of a sample whose messages are made of prompts beside it: its variables may be anything."""
    assert isinstance(sample, dict)
    properties = sample["properties"]
    assert isinstance(properties, dict)
    return {**sample, "properties": {**properties, "vars": {"type": ["object", "null"]}}}


def _collection(sample: str, named: str) -> Table:
    listed: Table = {"type": "array", "items": {"$ref": f"#/$defs/{sample}"}}
    keyed: Table = {"type": "object", "additionalProperties": {"$ref": f"#/$defs/{named}"}}
    return {"anyOf": [listed, keyed, {"type": "null"}]}


def _deck(dialect: Dialect, models: Models, beside: Plain) -> Table:
    """Return the shape of a table with samples under a key. What is beside them may supply their messages."""
    supply = dialect.context_messages
    holders = dict.fromkeys((*CONTAINERS, *(keys[0] for keys in dialect.containers if len(keys) == 1)))
    deck: Table = {"type": "object", "allOf": [beside], "anyOf": [{"required": [key]} for key in holders]}
    own = _under_containers("Samples", holders, models)
    if not supply:
        return {**deck, **own}
    has_messages: Table = {"anyOf": [{"required": [key]} for key in supply]}
    return {**deck, "if": has_messages, "then": _under_containers("SuppliedSamples", holders, models), "else": own}


def _under_containers(shape: str, holders: Iterable[str], models: Models) -> Table:
    samples: Table = {"$ref": f"#/$defs/{shape}"}
    elsewhere = models.shapes.elsewhere
    return {
        "properties": {
            key: {"anyOf": [samples, elsewhere[key]]} if key in elsewhere else samples for key in holders
        }
    }
