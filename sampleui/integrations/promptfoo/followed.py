"""What stands in the place of a `$ref` in promptfoo's configs: `{$ref: '#/assertionTemplates/short'}`."""

from __future__ import annotations

from dataclasses import replace

from sampleui.errors import PathError
from sampleui.formats.data import DataPath, Plain, Table, lookup
from sampleui.sample.model import Sample
from sampleui.sample.parse import REF, ValuePlace, is_reference
from sampleui.text.limits import MAX_REFERENCE_DEPTH, MAX_REFERENCED_VALUES


def referred(value: Plain, context: Table) -> Plain:
    """Return a value with its references resolved; one that leads nowhere here stays as it is.

    Args:
        value: the value.
        context: the values of the file beside its samples, which references lead into.
    """
    left = MAX_REFERENCED_VALUES

    def resolved(value: Plain, depth: int = 0) -> Plain:
        """Return a value with its references resolved; `depth` is how many led here."""
        nonlocal left
        left -= 1
        if left < 0:
            return value
        if isinstance(value, list):
            return [resolved(item, depth) for item in value]
        if not isinstance(value, dict):
            return value
        named = value.get(REF)
        steps = _steps(named, context) if isinstance(named, str) and depth < MAX_REFERENCE_DEPTH else None
        target = None if steps is None else lookup(context, steps)
        if target is None:
            return {key: resolved(item, depth) for key, item in value.items()}
        if not isinstance(target, dict):
            return resolved(target, depth + 1)
        return resolved({**target, **{key: item for key, item in value.items() if key != REF}}, depth + 1)

    return resolved(value)


def followed(table: Table, context: Table) -> Table:
    """Return a table with its references resolved; itself if they lead to anything but a table."""
    value = referred(table, context)
    return value if isinstance(value, dict) else table


def with_references(sample: Sample) -> Sample:
    """Return a test with its references resolved."""
    return replace(sample, data=followed(sample.data, sample.context))


def place_in(sample: Sample, path: DataPath) -> ValuePlace | None:
    """Return where a value stands that is at a path once references are followed; None if that is not known."""
    context = sample.context
    found, value = _led(ValuePlace(False, ()), sample.data, path[:1], context)
    for index, step in enumerate(path, 1):
        try:
            inner = lookup(value, (step,))
        except PathError:
            return None
        found, value = _led(
            ValuePlace(found.file_level, (*found.path, step)), inner, path[index : index + 1], context
        )
    return None if is_reference(value) else found


def _led(found: ValuePlace, value: Plain, wanted: DataPath, context: Table) -> tuple[ValuePlace, Plain]:
    """Return where references lead from a value, or from one that does not have the key that is wanted of it."""
    for _ in range(MAX_REFERENCE_DEPTH):
        has_step = isinstance(value, dict) and any(step in value for step in wanted)
        steps = _steps(str(value[REF]), context) if isinstance(value, dict) and is_reference(value) else None
        if has_step or steps is None:
            break
        found, value = ValuePlace(True, steps), lookup(context, steps)
    return found, value


def _steps(pointer: str, context: Table) -> DataPath | None:
    """Return the path that a pointer names, None if there is nothing in this file."""
    if not pointer.startswith("#/"):
        return None
    value: Plain = context
    path: list[str | int] = []
    for step in pointer[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
            path.append(int(name))
        elif isinstance(value, dict) and name in value:
            value = value[name]
            path.append(name)
        else:
            return None
    return tuple(path)
