"""Values that stand in the place of a `$ref`: `{$ref: '#/assertionTemplates/short'}` in promptfoo's configs."""

from __future__ import annotations

from sampleui.formats.data import Plain, Table

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
            return found
        own = {key: item for key, item in value.items() if key != _REF}
        return self.of({**found, **own}, depth + 1)


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
