"""Values that stand in the place of a `$ref`: `{$ref: '#/assertionTemplates/short'}` in promptfoo's configs."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table, lookup
from sampleui.sample.model import Sample
from sampleui.sample.parse import dialect_of

_REF = "$ref"
_DEEPEST = 10
_MOST = 100_000
"""Values that are looked at, those among them that references stand for: these may lead to others many times."""


def referred(value: Plain, context: Table) -> Plain:
    """Return a value with what its references stand for; one that leads nowhere here stays as it is.

    Args:
        value: the value.
        context: the values of the file beside its samples, which references lead into.
    """
    return _Following(context).of(value)


def followed(table: Table, context: Table) -> Table:
    """Return a table with what its references stand for; itself if it stands for anything but a table."""
    found = referred(table, context)
    return found if isinstance(found, dict) else table


def is_reference(value: Plain) -> bool:
    """Tell whether another value stands in the place of this one."""
    return isinstance(value, dict) and isinstance(value.get(_REF), str)


def as_followed(sample: Sample) -> Sample:
    """Return a sample with what its references stand for, where its dialect has such."""
    if not dialect_of(sample).templates:
        return sample
    return replace(sample, data=followed(sample.data, sample.context))


class Place(NamedTuple):
    """Where a value stands: whether beside the samples of its file, and the path there or in its sample."""

    beside: bool
    path: DataPath


def written_at(sample: Sample, path: DataPath) -> Place | None:
    """Return where the text of a value stands that is at a path of what `as_followed` makes of a sample.

    None if that is not known. A path that is not there yet is one of the sample itself, if it has no references.
    """
    after = as_followed(sample)
    return Place(False, path) if after.data == sample.data else place_of(sample.data, path, sample.context)


def place_of(table: Table, path: DataPath, context: Table) -> Place | None:
    """Return where a value stands that is at a path once references are followed; None if that is not known.

    Args:
        table: a sample.
        path: where the value is in what `followed` makes of the sample.
        context: the values of the file beside its samples.
    """
    place, value = _led(Place(False, ()), table, path[:1], context)
    for at, step in enumerate(path, 1):
        try:
            inner = lookup(value, (step,))
        except PathError:
            return None
        place, value = _led(Place(place.beside, (*place.path, step)), inner, path[at : at + 1], context)
    return None if is_reference(value) else place


def _led(place: Place, value: Plain, wanted: DataPath, context: Table) -> tuple[Place, Plain]:
    """Return where references lead from a value, or from one that does not have the key that is wanted of it."""
    for _ in range(_DEEPEST):
        own = isinstance(value, dict) and any(step in value for step in wanted)
        steps = _steps(str(value[_REF]), context) if isinstance(value, dict) and is_reference(value) else None
        if own or steps is None:
            break
        place, value = Place(True, steps), lookup(context, steps)
    return place, value


class _Following:
    def __init__(self, context: Table) -> None:
        self.context = context
        self.left = _MOST

    def of(self, value: Plain, depth: int = 0) -> Plain:
        """Return a value with what its references stand for; `depth` is how many led here."""
        self.left -= 1
        if self.left < 0:
            return value
        if isinstance(value, list):
            return [self.of(item, depth) for item in value]
        if not isinstance(value, dict):
            return value
        named = value.get(_REF)
        found = _led_to(named, self.context) if isinstance(named, str) and depth < _DEEPEST else None
        if found is None:
            return {key: self.of(item, depth) for key, item in value.items()}
        if not isinstance(found, dict):
            return self.of(found, depth + 1)
        own = {key: item for key, item in value.items() if key != _REF}
        return self.of({**found, **own}, depth + 1)


def _led_to(pointer: str, context: Table) -> Plain:
    steps = _steps(pointer, context)
    return None if steps is None else lookup(context, steps)


def _steps(pointer: str, context: Table) -> DataPath | None:
    """Return the path that a pointer names, None if there is nothing in this file."""
    if not pointer.startswith("#/"):
        return None
    held: Plain = context
    path: list[str | int] = []
    for step in pointer[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(held, list) and name.isdecimal() and int(name) < len(held):
            held = held[int(name)]
            path.append(int(name))
        elif isinstance(held, dict) and name in held:
            held = held[name]
            path.append(name)
        else:
            return None
    return tuple(path)
