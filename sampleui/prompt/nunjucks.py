"""Nunjucks templates as promptfoo fills them: plain variables and the filters that are certain.

Whatever else a template says is left as written and reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from sampleui.formats.data import Plain, Table
from sampleui.sample.javascript import stringify, trim

_TAG = re.compile(r"\{\{[^{}]{0,300}\}\}|\{%[^%]{0,300}%\}|\{#[^#]{0,300}#\}")
_FILLED = re.compile(r"\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)((?:\s*\|\s*(?:upper|lower|trim|safe))*)\s*\}\}")
_FILTERS: Mapping[str, Callable[[str], str]] = {
    "upper": str.upper,
    "lower": str.lower,
    "trim": trim,
    "safe": str,
}
_ENVIRONMENT = "env"
_OWN = frozenset(
    "true false none null not and or in is if else range cycler joiner caller super loop".split()  # noqa: SIM905
)
"""Words that mean something to Nunjucks if no variable has the name."""

_PARTIAL = re.compile(r"(?:\{%[^%]*|\{\{[^}]*|\{#[^#]*)$", re.MULTILINE)
_RAW = re.compile(r"\{%\s*raw\s*%\}(?s:.*)\{%\s*endraw\s*%\}")
_NAMED = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_MENTIONED = re.compile(r"\{\{\s*([A-Za-z_]\w*)[^{}]*\}\}")
_NOT_PLAIN = {
    "{%": "only plain variables and plain filters are filled in",
    "{{{": "Nunjucks takes it for the beginning of a table",
}
"""What a whole text depends on: what stands inside a block, and how often, is the block's to say."""

_TIMES = 5
_LONGEST = 100_000


@dataclass
class Filling:
    """The variables of a test, and what is to be told of the way they are filled in.

    Attributes:
        variables: their values by name.
        environment: what the config has for `env`.
        notes: what is told.
    """

    variables: Table
    environment: Table
    notes: list[str] = field(default_factory=list)

    def text(self, template: str) -> str:
        """Return a template with its variables filled in; one with a tag that is never closed stays, as a whole."""
        if "{" not in template or (_PARTIAL.search(template) and not _RAW.search(template)):
            return template
        for sign, why in _NOT_PLAIN.items():
            if sign in template:
                self.notes.append(f"a text with {sign} is left as written: {why}")
                return template
        return _TAG.sub(self._value, template)

    def value(self, data: Plain) -> Plain:
        """Return a value with every text in it filled."""
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, list):
            return [self.value(item) for item in data]
        return {key: self.value(item) for key, item in data.items()} if isinstance(data, dict) else data

    def with_filled(self) -> Filling:
        """Return the same with variables that are templates filled, where all that they name is there."""
        filled: Table = {}
        for name, value in self.variables.items():
            ready = isinstance(value, str) and all(
                one in self.variables or one == _ENVIRONMENT for one in _MENTIONED.findall(value)
            )
            filled[name] = self.text(value) if ready and isinstance(value, str) else value
        return Filling(filled, self.environment, self.notes)

    def _value(self, tag: re.Match[str]) -> str:
        if tag[0].startswith("{#") and "-" not in (tag[0][2], tag[0][-3]):
            return ""
        found = _FILLED.fullmatch(tag[0])
        root = found[1].partition(".")[0] if found else ""
        if found is None or (root in _OWN and root not in self.variables):
            self.notes.append(f"{tag[0]} is left as written: only plain variables and plain filters are filled in")
            return tag[0]
        filters = re.findall(r"\w+", found[2])
        text = self._said(found[1].split("."), tag[0], plain=bool({*filters} - {"safe"}))
        for name in filters if text != tag[0] else ():
            text = _FILTERS[name](text)
        return text

    def _said(self, path: list[str], tag: str, *, plain: bool) -> str:
        """Return what a value is as a text; `plain` where only a text may be one."""
        whole = path[0] == _ENVIRONMENT and _ENVIRONMENT not in self.variables
        value: Plain = {_ENVIRONMENT: self.environment} if whole else self.variables
        for step in path:
            if value is not None and not isinstance(value, dict):
                return self._left(tag, "what it asks of a value is JavaScript's to say")
            value = value.get(step) if value is not None else None
        if whole and value is None:
            return self._left(tag, "the environment is not looked at")
        if isinstance(value, str):
            return value
        if value is None:
            self.notes.append(f"{tag} has no value; promptfoo sends nothing in its place")
            return ""
        listed = value if isinstance(value, list) else [value]
        if plain or any(isinstance(one, list | dict) for one in listed):
            return self._left(tag, "its value is not text")
        return ",".join(one if isinstance(one, str) else "" if one is None else stringify(one) for one in listed)

    def _left(self, tag: str, why: str) -> str:
        self.notes.append(f"{tag} is left as written: {why}")
        return tag


def resolved(variables: Table, notes: list[str]) -> Table:
    """Return variables with those in their texts put in, one by one, for at most five rounds.

    promptfoo takes one line break off the end of a text before.
    """
    made: Table = {
        name: value.removesuffix("\n") if isinstance(value, str) else value for name, value in variables.items()
    }
    for _ in range(_TIMES):
        changed = False
        for name, value in made.items():
            found = _NAMED.search(value) if isinstance(value, str) else None
            if found is None or found[1] not in made or not isinstance(value, str) or len(value) > _LONGEST:
                continue
            held = made[found[1]]
            if isinstance(held, list | dict):
                notes.append(f"{found[0]} in {name} is left as written: its value is not text")
                continue
            put = _replacement(held, found[0]) if isinstance(held, str) else stringify(held)
            made[name] = value.replace(found[0], put, 1)
            changed = True
        if not changed:
            break
    return made


def _replacement(text: str, found: str) -> str:
    """Return what `String.prototype.replace` makes of a text that is put in place of what was found."""
    return re.sub(r"\$([$&])", lambda sign: "$" if sign[1] == "$" else found, text)
