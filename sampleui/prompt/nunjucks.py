"""Nunjucks templates as promptfoo and AgentV 5 fill them: plain variables and the filters that are certain.

Whatever else a template says is left as written and reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from sampleui.formats.data import Plain, Table
from sampleui.prompt.filters import AFTER_SAFE, MISSING, Held, Missing, UncertainError, filtered, printed
from sampleui.sample.variables.javascript import stringify

_TAG = re.compile(r"\{\{[^{}]{0,300}\}\}|\{%[^%]{0,300}%\}|\{#[^#]{0,300}#\}")
_GIVEN = r"""(?:[^()'"]|'[^']*'|"[^"]*")*+"""
_FILLED = re.compile(rf"\{{\{{\s*([A-Za-z_]\w*(?:\.\w+)*)((?:\s*\|\s*\w+(?:\({_GIVEN}\))?)*+)\s*\}}\}}")
_FILTER = re.compile(rf"\|\s*(\w+)(?:\(({_GIVEN})\))?")
_ENVIRONMENT = "env"
_OWN = frozenset(
    "true false none null not and or in is if else range cycler joiner caller super loop".split()  # noqa: SIM905
)
"""Words that mean something to Nunjucks if no variable has the name."""

_PARTIAL = re.compile(r"(?:\{%[^%]*|\{\{[^}]*|\{#[^#]*)$", re.MULTILINE)
_RAW = re.compile(r"\{%\s*raw\s*%\}(?s:.*)\{%\s*endraw\s*%\}")
_NAMED = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_MENTIONED = re.compile(r"\{\{\s*([A-Za-z_]\w*)[^{}]*\}\}")
_PLAIN_ONLY = "only plain variables and plain filters are filled in"
_NO_TEXT = "its value is not text"
_NOT_CERTAIN = "what the filter makes of its value is not certain"
_NOT_PLAIN = {
    "{%": _PLAIN_ONLY,
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
        own_filters: the names of filters that the config has programs for.
        literal: the variable that is put in as it is, "" for none: promptfoo's attacks are not taken for templates.
    """

    variables: Table
    environment: Table
    notes: list[str] = field(default_factory=list)
    own_filters: frozenset[str] = frozenset()
    literal: str = ""

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
            asked = _MENTIONED.findall(value) if isinstance(value, str) and name != self.literal else [""]
            unknown = [one for one in asked if one not in self.variables and one != _ENVIRONMENT]
            filled[name] = self.text(value) if not unknown and isinstance(value, str) else value
            if unknown != [""]:
                self.notes += [f"{one} in {name} is no variable here, and is left as written" for one in unknown]
        return replace(self, variables=filled)

    def _value(self, tag: re.Match[str]) -> str:
        if tag[0].startswith("{#") and "-" not in (tag[0][2], tag[0][-3]):
            return ""
        found = _FILLED.fullmatch(tag[0])
        root = found[1].partition(".")[0] if found else ""
        filters = _FILTER.findall(found[2]) if found else []
        if found is None or (root in _OWN and root not in self.variables):
            return self._left(tag[0], _PLAIN_ONLY)
        try:
            value = self._held(found[1].split("."))
            if not filters and (value is None or isinstance(value, Missing)):
                self.notes.append(f"{tag[0]} has no value; nothing is sent in its place")
            return printed(self._through(value, filters))
        except UncertainError as why:
            return self._left(tag[0], str(why) or (_NO_TEXT if not filters else _NOT_CERTAIN))

    def _held(self, path: list[str]) -> Held:
        """Return the value at a path of the variables.

        Raises:
            UncertainError: when JavaScript would look at more than a table of the file.
        """
        whole = path[0] == _ENVIRONMENT and _ENVIRONMENT not in self.variables
        value: Held = {_ENVIRONMENT: self.environment} if whole else self.variables
        for step in path:
            if value is None or isinstance(value, Missing):
                value = MISSING
            elif isinstance(value, dict):
                value = value.get(step, MISSING)
            else:
                raise UncertainError("what it asks of a value is JavaScript's to say")
        if whole and (value is None or isinstance(value, Missing)):
            raise UncertainError("the environment is not looked at")
        return value

    def _through(self, value: Held, filters: list[tuple[str, str]]) -> Held:
        safe = False
        for name, written in filters:
            if name in self.own_filters:
                raise UncertainError(f"the filter {name} is a program of the config's own")
            if safe and name not in AFTER_SAFE:
                raise UncertainError
            value = filtered(value, name, written)
            safe = safe or name == "safe"
        return value

    def _left(self, tag: str, why: str) -> str:
        self.notes.append(f"{tag} is left as written: {why}")
        return tag


def resolved(variables: Table, notes: list[str], literal: str = "") -> Table:
    """Return variables with those in their texts put in, one by one, for at most five rounds.

    promptfoo takes one line break off the end of a text before. The variable `literal` stays as it is.
    """
    made: Table = {
        name: value.removesuffix("\n") if isinstance(value, str) and name != literal else value
        for name, value in variables.items()
    }
    for _ in range(_TIMES):
        changed = False
        for name, value in made.items():
            found = _NAMED.search(value) if isinstance(value, str) and name != literal else None
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
