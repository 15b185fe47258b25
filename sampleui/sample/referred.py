"""Values that stand in the place of a `$ref`: `{$ref: '#/assertionTemplates/short'}` in promptfoo's configs."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table

_REF = "$ref"
_DEEPEST = 10


def referred(value: Plain, context: Table, depth: int = 0) -> Plain:
    """Return a value with what its references stand for; one that leads nowhere here stays as it is.

    Args:
        value: the value.
        context: the values of the file beside its samples, which references lead into.
        depth: how many references led here: they may lead in circles.
    """
    if isinstance(value, list):
        return [referred(item, context, depth) for item in value]
    if not isinstance(value, dict):
        return value
    named = value.get(_REF)
    found = _led_to(named, context) if isinstance(named, str) and depth < _DEEPEST else None
    if found is None:
        return {key: referred(item, context, depth) for key, item in value.items()}
    if not isinstance(found, dict):
        return found
    own = {key: item for key, item in value.items() if key != _REF}
    return referred({**found, **own}, context, depth + 1)


def _led_to(pointer: str, context: Table) -> Plain:
    if not pointer.startswith("#/"):
        return None
    held: Plain = context
    for step in pointer[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(held, list) and name.isdecimal() and int(name) < len(held):
            held = held[int(name)]
        elif isinstance(held, dict) and name in held:
            held = held[name]
        else:
            return None
    return held
