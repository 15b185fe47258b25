"""The fields of a sample that are neither messages nor an answer, in another dialect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sampleui.formats.data import Plain, Table
from sampleui.sample.dialects.dialect import Asserted, Dialect, value_at
from sampleui.sample.models import models_of
from sampleui.sample.models.typed import ANY, fits, is_of
from sampleui.sample.rules.models import errors_of


class Field(NamedTuple):
    """A field that is to be placed: its key, its value, and what the sample calls it."""

    key: str
    value: Plain
    spelled: str


def with_fields(
    data: Table, fields: list[Field], source: Dialect, target: Dialect, *, newest: bool = False
) -> tuple[Table, list[str]]:
    """Return a sample with fields of another dialect, and a line for each that did not keep its place.

    A field goes to the key of the same name where that means the same and takes the value, or else under `metadata`
    if the target has that, or else into the lines.

    Args:
        data: what is said of the sample already.
        fields: the fields.
        source: the dialect that they are of.
        target: the dialect of the sample.
        newest: whether it is for the newest version of the dialect's program, which takes any assertion.
    """
    asserted = {} if newest else target.conversion.asserted
    kept = next((field for field in fields if field.key == "metadata" and isinstance(field.value, dict)), None)
    metadata: Table = dict(kept.value) if kept and isinstance(kept.value, dict) else {}
    back = target.conversion.taken_back
    own = target.known - {target.metadata, *data} if back is None else back
    taken = [key for key in metadata if key in own and _takes(target, key, metadata[key], asserted)]
    placed = {**data, **{key: metadata.pop(key) for key in taken}}
    notes: list[str] = []
    for field in (field for field in fields if field is not kept):
        placed, left = _beside(placed, field, source, target, asserted)
        if left is None:
            continue
        if target.metadata:
            name = next(name for name in _names(field.key, source) if name not in metadata)
            metadata[name] = left.value
            notes.append(f"{left.spelled}: kept as {target.metadata}.{name}")
        else:
            notes += (f"{part}: {_no_place(target)}" for part in _parts(left, source))
    if kept and not target.metadata:
        return placed, [*notes, *(f"{kept.spelled}.{key}: {_no_place(target)}" for key in metadata)]
    return {**placed, target.metadata: metadata} if metadata else placed, notes


def _beside(
    placed: Table, field: Field, source: Dialect, target: Dialect, asserted: Mapping[str, Asserted]
) -> tuple[Table, Field | None]:
    """Return a sample with what it takes of a field as it is, and what is left of the field."""
    key, value = field.key, field.value
    shared = key in target.known and key in source.known and key not in placed and key != target.metadata
    known = asserted.get(key)
    if not shared or key in source.conversion.own | target.conversion.own:
        return placed, field
    if known is None and _is_said(key, value, target):
        return placed, field
    if _takes(target, key, value, asserted):
        return {**placed, key: value}, None
    if known is None or not isinstance(value, list):
        return placed, field
    others = [index for index, item in enumerate(value) if not _is_known(item, known)]
    if len(others) == len(value):
        return placed, field
    left_items = ", ".join(f"{field.spelled}[{index}]" for index in others)
    mine: list[Plain] = [item for index, item in enumerate(value) if index not in others]
    return {**placed, key: mine}, Field(key, [value[index] for index in others], left_items)


def _takes(target: Dialect, key: str, value: Plain, asserted: Mapping[str, Asserted]) -> bool:
    """Tell whether a value may stand under a key as it is."""
    known = asserted.get(key)
    if known is not None and not (isinstance(value, list) and all(_is_known(item, known) for item in value)):
        return False
    if not target.modelled:
        return fits(target, key, value)
    return not any(path[:1] == (key,) for path, _ in errors_of(models_of(target).keyed, {key: value}))


def _is_known(item: Plain, known: Asserted) -> bool:
    """Tell whether a program takes an assertion: its type, its value, and all that it says besides."""
    if not isinstance(item, dict) or not item.keys() <= known.keys:
        return False
    words = known.types.get(str(item.get("type")))
    return words == ANY or (words is not None and is_of(words, item.get("value")))


def _is_said(key: str, value: Plain, target: Dialect) -> bool:
    """Tell whether a field of another dialect would be read as messages, or as what is expected."""
    paths = (*target.message_paths, *target.expected.paths)
    return any(value_at({key: value}, path) is not None for path in paths)


def _parts(field: Field, source: Dialect) -> list[str]:
    """Return the paths of the items of a list whose items the source has keys for; of anything else its own."""
    if field.key in source.nested and isinstance(field.value, list) and field.spelled == field.key and field.value:
        return [f"{field.spelled}[{index}]" for index in range(len(field.value))]
    return field.spelled.split(", ")


def _no_place(target: Dialect) -> str:
    return f"dropped, {target.title} has no place for it"


def _names(key: str, source: Dialect) -> Iterator[str]:
    """Return names to keep a field under, the plainest first, without end."""
    yield key
    name = f"{source.name}_{key}"
    while True:
        yield name
        name += "_"
