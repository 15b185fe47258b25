"""Nunjucks templates as promptfoo and AgentV 5 fill them: plain variables and the filters that are certain.

Whatever else a template says is left as written and reported.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias
from urllib.parse import quote

from sampleui.formats.data import Plain, Table
from sampleui.integrations.javascript import SPACE, stringify, trim
from sampleui.integrations.nunjucks_failures import METHODS, asked_of, filter_fault, kind_of, test_fault
from sampleui.integrations.nunjucks_syntax import (
    FILTERS,
    Node,
    RefusedTemplateError,
    block_fault,
    expression_of,
    tags_in,
)
from sampleui.text.limits import MAX_FILLED, MAX_VARIABLE_TEXT

_CONSTANTS: Mapping[str, Plain] = {"true": True, "false": False, "none": None, "null": None}
"""Words that are values to Nunjucks, also where a variable has the name."""

_OF_EVERY_OBJECT = frozenset(
    """
    constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf
    __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__
    """.split()  # noqa: SIM905
)
"""Names that every table of JavaScript has something for."""

_ENVIRONMENT = "env"
_OWN = frozenset("not and or in is if else range cycler joiner caller super loop".split())  # noqa: SIM905
"""Words that mean something to Nunjucks if no variable has the name."""

_GLOBAL = frozenset({"range", "cycler", "joiner"})
_HOLDS_NOTHING = frozenset({"missing", "null", "true", "false", "a number"})

# Each alternative stops where the next of its kind begins, so that a text of openings alone is read once.
_PARTIAL = re.compile(r"(?:\{%[^%\n]*+|\{\{(?:(?!\{\{)[^}\n]|)*+|\{#[^#\n]*+)$", re.MULTILINE)
_RAW_BEGINS = re.compile(r"\{%\s*+raw\s*+%\}")
_RAW_ENDS = re.compile(r"\{%\s*+endraw\s*+%\}")
_NAMED = re.compile(r"\{\{\s*(\w+)\s*\}\}")
_MENTIONED = re.compile(r"\{\{\s*([A-Za-z_]\w*+)[^{}]*+\}\}")
_PLAIN_ONLY = "only plain variables and plain filters are filled in"
REFUSED = "which Nunjucks refuses (Template render error)"
"""What a note ends with of a template for which there is no prompt at all."""

_DIGITS = 16
"""Whole numbers of fewer digits are the same in JavaScript."""

_NOT_CERTAIN = "what the filter makes of its value is not certain"
_TIMES = 5


@dataclass
class Filling:
    """The variables of a test, and what is to be told of the way they are filled in.

    Attributes:
        variables: their values by name.
        environment: what the config has for `env`.
        notes: what is told.
        own_filters: the names of filters that the config has programs for.
        literal: the variable that is put in as it is, "" for none: promptfoo's attacks are not taken for templates.
        elsewhere: where further variables may be that are not known here, in words; "" if these are all.
        keeps_partial: whether a text with a line that ends inside a tag is no template at all, as promptfoo has it
            for prompts that are not JSON (`autoWrapRawIfPartialNunjucks`).
        changed: whether programs may change the variables before they are filled in.
        writes_tables: whether a table is what JavaScript makes of it as text; else that is not certain.
    """

    variables: Table
    environment: Table
    notes: list[str] = field(default_factory=list)
    own_filters: frozenset[str] = frozenset()
    literal: str = ""
    elsewhere: str = ""
    keeps_partial: bool = False
    changed: bool = False
    writes_tables: bool = False

    def text(self, template: str) -> str:
        """Return a template with its variables filled in; one that Nunjucks refuses or that has blocks as it is."""
        if self.keeps_partial and _PARTIAL.search(template):
            raw = _RAW_BEGINS.search(template)
            if raw is None or _RAW_ENDS.search(template, raw.end()) is None:  # nothing is a tag in a raw block
                return template
        filled: list[str] = []
        position, trims, size = 0, False, 0
        try:
            for tag in tags_in(template):
                if tag[0].startswith("{%"):
                    fault = block_fault(template, FILTERS | self.own_filters)
                    why = f"{fault}, {REFUSED}" if fault else _PLAIN_ONLY
                    self.notes.append(f"a text with {{% is left as written: {why}")
                    return template
                filled += (
                    _between(template[position : tag.start()], trims, tag[0][2] == "-"),
                    value := self._value(tag[0]),
                )
                size += len(value)
                if size > MAX_FILLED:
                    self.notes.append(
                        f"a text is left as written: filled in, it has over {MAX_FILLED:,} characters"
                    )
                    return template
                position, trims = tag.end(), tag[0][-3] == "-"
        except RefusedTemplateError as error:
            self.notes.append(f"a text is left as written: {error}, {REFUSED}")
            return template
        return "".join((*filled, _between(template[position:], trims, False)))

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
            unknown = [item for item in asked if item not in self.variables and item != _ENVIRONMENT]
            filled[name] = self.text(value) if not unknown and isinstance(value, str) else value
            if unknown != [""]:
                self.notes += [f"{item} in {name} is no variable here, and is left as written" for item in unknown]
        return replace(self, variables=filled)

    def _value(self, tag: str) -> str:
        if tag.startswith("{#"):
            return ""
        try:
            node = expression_of(tag)
        except RefusedTemplateError as error:
            return self._left(tag, f"{error}, {REFUSED}")
        if tag.startswith("{{{"):
            return self._left(tag, "Nunjucks takes it for the beginning of a table")
        if fault := self._fault(node):
            return self._left(tag, f"{fault}, {REFUSED}")
        filters: list[Node] = []
        while node.kind == "filter":
            filters.insert(0, node)
            node = node.parts[0]
        try:
            value = self._atom(tag, node)
            if not filters and (value is None or isinstance(value, Missing)):
                self.notes.append(f"{tag} has no value; nothing is sent in its place")
            value = self._through(value, filters, certain=not node.path or self._is_known(node.path[0]))
            text = printed(value)
            if TABLE in text and not isinstance(value, str):
                if not self.writes_tables:
                    return self._left(tag, "its value is not text")
                self.notes.append(f"{tag} has a table, of which {TABLE} is sent; | dump sends its JSON")
            return text
        except UncertainFilterError as why:
            return self._left(tag, str(why) or _NOT_CERTAIN)

    def _atom(self, tag: str, node: Node) -> Held:
        """Return what a tag begins with: a text, a number, a constant, or the value of a variable."""
        if node.kind == "text":
            return node.value
        if node.kind == "number" and node.value.isdecimal() and len(node.value) < _DIGITS:
            return int(node.value)
        if node.kind == "constant":
            constant = _CONSTANTS[node.value]
            if self.variables.get(node.value, constant) is not constant:
                self.notes.append(f"{tag} is a constant of Nunjucks, and not the variable of its name")
            return constant
        path = node.path
        if not path or not path[0].isidentifier() or (path[0] in _OWN and path[0] not in self.variables):
            raise UncertainFilterError(_PLAIN_ONLY)
        return self._variable(path)

    def _variable(self, path: list[str], methods: frozenset[str] | None = None) -> Held:
        """Return the value at a path of the variables; of texts and lists nothing but what is no method of theirs.

        Raises:
            UncertainFilterError: when JavaScript would look at more than a table of the file.
        """
        whole = path[0] == _ENVIRONMENT and _ENVIRONMENT not in self.variables
        value: Held = {_ENVIRONMENT: self.environment} if whole else self.variables
        for step in path:
            if value is None or isinstance(value, Missing):
                value = MISSING
            elif isinstance(value, dict):
                if step in _OF_EVERY_OBJECT and (step not in value or step == "__proto__"):
                    raise UncertainFilterError(f"{step} is what JavaScript has in every table")
                value = value.get(step, MISSING)
            elif methods and isinstance(value, str | list) and step not in methods | _OF_EVERY_OBJECT:
                value = MISSING
            else:
                raise UncertainFilterError("what it asks of a value is JavaScript's to say")
        if whole and (value is None or isinstance(value, Missing)):
            raise UncertainFilterError("the environment is not looked at")
        if self.elsewhere and path[0] not in self.variables:
            raise UncertainFilterError(self.elsewhere)
        return value

    def _is_known(self, name: str) -> bool:
        """Tell whether a variable has the value that it has here; one that is missing may be given to a run."""
        return name in self.variables and not self.changed

    def _fault(self, node: Node) -> str:
        """Return why a run ends with an error at what a tag says, in words; empty if that is not certain."""
        if fault := test_fault(node):
            return fault
        asked = asked_of(node)
        if asked is None or self.changed or asked.path[0] in _GLOBAL - self.variables.keys():
            return ""
        if asked.path[0].startswith("_") or (asked.how == "searched" and not self._is_known(asked.path[0])):
            return ""
        try:
            value = self._variable(asked.path, methods=METHODS)
        except UncertainFilterError:
            return ""
        if asked.how == "called":
            return f"{'.'.join(asked.path)} is nothing that can be called"
        kind = kind_of(value)
        return f"nothing can be looked for in what is {kind}" if kind in _HOLDS_NOTHING else ""

    def _through(self, value: Held, filters: Sequence[Node], *, certain: bool) -> Held:
        safe = False
        for _, name, (_, *written) in filters:
            if name in self.own_filters:
                raise UncertainFilterError(f"the filter {name} is a program of the config's own")
            if name not in FILTERS:
                raise UncertainFilterError(f"there is no filter {name}, {REFUSED}")
            if safe and name not in AFTER_SAFE:
                raise UncertainFilterError
            arguments = [*map(_literal, written)]
            if certain and not safe and (fault := filter_fault(name, kind_of(value), len(arguments))):
                raise UncertainFilterError(f"{fault}, {REFUSED}")
            if name not in _FILTERS:
                raise UncertainFilterError
            value = _FILTERS[name](value, arguments)
            safe = safe or name == "safe"
        return value

    def _left(self, tag: str, why: str) -> str:
        self.notes.append(f"{tag} is left as written: {why}")
        return tag


def _between(text: str, from_start: bool, from_end: bool) -> str:
    """Return the text between two tags, without the white space that a `-` in one of them takes away."""
    if from_end:
        text = text.rstrip(SPACE)
    return text.lstrip(SPACE) if from_start else text


def resolved(variables: Table, notes: list[str], literal: str = "") -> Table:
    """Return variables with those in their texts put in, one by one, for at most five rounds.

    promptfoo takes one line break off the end of a text before. The variable `literal` stays as it is.
    """
    entities: Table = {
        name: value.removesuffix("\n") if isinstance(value, str) and name != literal else value
        for name, value in variables.items()
    }
    for _ in range(_TIMES):
        changed = False
        for name, value in entities.items():
            match = _NAMED.search(value) if isinstance(value, str) and name != literal else None
            if (
                match is None
                or match[1] not in entities
                or not isinstance(value, str)
                or len(value) > MAX_VARIABLE_TEXT
            ):
                continue
            entity = entities[match[1]]
            put = "null" if entity is None else _replacement(printed(entity), match[0])
            if TABLE in put and not isinstance(entity, str):
                notes.append(f"{match[0]} in {name} has a table, of which {TABLE} is sent")
            entities[name] = value.replace(match[0], put, 1)
            changed = True
        if not changed:
            break
    return entities


def _replacement(text: str, match: str) -> str:
    """Return what `String.prototype.replace` makes of a text that is put in place of what was found."""
    return re.sub(r"\$([$&])", lambda sign: "$" if sign[1] == "$" else match, text)


_INTEGER = re.compile(r"\s*([+-]?\d{1,15})(?!\d)", re.ASCII)
_NUMBER = re.compile(r"\s*([+-]?(?:\d++\.?\d*+|\.\d++)(?:[eE][+-]?\d++)?)", re.ASCII)
_UNRESERVED = "-_.!~*'()"


class UncertainFilterError(Exception):
    """What a filter makes of a value is not known here."""


class Missing:
    """What stands for a value that is not there, JavaScript's `undefined`."""


MISSING = Missing()
Held: TypeAlias = "Plain | Missing"
"""A value, or none."""


TABLE = "[object Object]"
"""What JavaScript makes of a table as text."""


def printed(value: Held) -> str:
    """Return a value as a template prints it, and as JavaScript makes a text of it."""
    if value is None or isinstance(value, Missing):
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return TABLE
    if isinstance(value, list):
        return ",".join(map(printed, value))
    return stringify(value)


def _literal(node: Node) -> Plain:
    """Return an argument of a filter. Raises UncertainFilterError for any but a text, a whole number or a truth."""
    negated = node.kind == "signed" and node.value == "-"
    number = node.parts[0] if negated else node
    if node.kind == "text":
        return node.value
    if number.kind == "number" and number.value.isdecimal() and len(number.value) < _DIGITS:
        return -int(number.value) if negated else int(number.value)
    if node.kind == "constant" and node.value in ("true", "false"):
        return node.value == "true"
    raise UncertainFilterError


def _text(value: Held, arguments: Sequence[Plain]) -> str:
    """Return a text; those values that most filters take for none are one without characters."""
    if arguments:
        raise UncertainFilterError
    if value is None or value is False or isinstance(value, Missing):
        return ""
    if not isinstance(value, str):
        raise UncertainFilterError
    return value


def _units(text: str) -> str:
    """Return a text whose characters are JavaScript's as well."""
    if any(ord(character) > 0xFFFF for character in text):
        raise UncertainFilterError
    return text


def _only_text(value: Held, arguments: Sequence[Plain]) -> str:
    if not isinstance(value, str):
        raise UncertainFilterError
    return _text(value, arguments)


def _capitalized(text: str) -> str:
    lowered = text.lower()
    return _units(lowered[:1]).upper() + lowered[1:]


def _default(value: Held, arguments: Sequence[Plain]) -> Held:
    if not 1 <= len(arguments) <= 2:
        raise UncertainFilterError
    if len(arguments) > 1 and arguments[1]:
        empty = isinstance(value, Missing) or value is None or value is False or value in (0, "")
        return arguments[0] if empty else value
    return arguments[0] if isinstance(value, Missing) else value


def _join(value: Held, arguments: Sequence[Plain]) -> Held:
    if not isinstance(value, list) or len(arguments) > 1:
        raise UncertainFilterError
    between = arguments[0] if arguments else ""
    if not isinstance(between, str):
        raise UncertainFilterError
    return between.join(map(printed, value))


def _length(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, list | dict) and not arguments:
        return len(value)
    return len(_text(value, arguments).encode("utf-16-le", "surrogatepass")) // 2


def _replace(value: Held, arguments: Sequence[Plain]) -> Held:
    text = _only_text(value, ())
    if not 2 <= len(arguments) <= 3:
        raise UncertainFilterError
    old, new, most = arguments[0], arguments[1], arguments[2] if len(arguments) > 2 else -1
    if not isinstance(old, str) or not old or not isinstance(new, str) or isinstance(most, bool | str):
        raise UncertainFilterError
    if not isinstance(most, int) or most < -1:
        raise UncertainFilterError
    return text.replace(old, new, most)


def _end(index: int) -> Callable[[Held, Sequence[Plain]], Held]:
    def taken(value: Held, arguments: Sequence[Plain]) -> Held:
        if arguments or not isinstance(value, str | list):
            raise UncertainFilterError
        if isinstance(value, str):
            return _units(value)[index] if value else MISSING
        return value[index] if value else MISSING

    return taken


def _int(value: Held, arguments: Sequence[Plain]) -> Held:
    if len(arguments) > 1 or isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UncertainFilterError
    text = value if isinstance(value, str) else stringify(value)
    if "e" in text.lower() and not isinstance(value, str):
        raise UncertainFilterError
    match = _INTEGER.match(text)
    if match is None and re.match(r"\s*[+-]?\d", text, re.ASCII):
        raise UncertainFilterError
    if match:
        return int(match[1])
    return arguments[0] if arguments else MISSING


def _float(value: Held, arguments: Sequence[Plain]) -> Held:
    if len(arguments) > 1 or isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UncertainFilterError
    if not isinstance(value, str):
        return value
    if "Infinity" in value:
        raise UncertainFilterError
    match = _NUMBER.match(value)
    if match:
        return float(match[1])
    return arguments[0] if arguments else MISSING


def _round(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, bool) or not isinstance(value, int | float) or len(arguments) > 2:
        raise UncertainFilterError
    precision = arguments[0] if arguments else 0
    method = str(arguments[1]) if len(arguments) > 1 else "round"
    if isinstance(precision, bool) or not isinstance(precision, int) or not 0 <= precision <= 9:
        raise UncertainFilterError
    factor = 10.0**precision
    number = value * factor
    if not math.isfinite(number) or abs(number) > 2**52:
        raise UncertainFilterError
    below = math.floor(number)
    nearest = below + 1 if number - below >= 0.5 else below
    return {"ceil": math.ceil(number), "floor": below}.get(method, nearest) / factor


def _dump(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, Missing) and not arguments:
        return MISSING
    width = arguments[0] if arguments else 0
    if isinstance(value, Missing) or len(arguments) > 1 or isinstance(width, bool) or not isinstance(width, int):
        raise UncertainFilterError
    if not 0 <= width <= 10:
        raise UncertainFilterError
    return stringify(value, width) if width else stringify(value)


def _reverse(value: Held, arguments: Sequence[Plain]) -> Held:
    if isinstance(value, list) and not arguments:
        return value[::-1]
    return _units(_only_text(value, arguments))[::-1]


def _words(value: Held, arguments: Sequence[Plain]) -> Held:
    return len(re.findall(r"\w+", _text(value, arguments), re.ASCII)) or None


def _safe(value: Held, arguments: Sequence[Plain]) -> Held:
    if arguments or (isinstance(value, list) and not value):
        raise UncertainFilterError
    return printed(value)


_FILTERS: Mapping[str, Callable[[Held, Sequence[Plain]], Held]] = {
    "upper": lambda value, arguments: _text(value, arguments).upper(),
    "lower": lambda value, arguments: _text(value, arguments).lower(),
    "trim": lambda value, arguments: trim(_only_text(value, arguments)),
    "safe": _safe,
    "capitalize": lambda value, arguments: _capitalized(_text(value, arguments)),
    "title": lambda value, arguments: " ".join(map(_capitalized, _text(value, arguments).split(" "))),
    "default": _default,
    "d": _default,
    "join": _join,
    "length": _length,
    "replace": _replace,
    "first": _end(0),
    "last": _end(-1),
    "int": _int,
    "float": _float,
    "round": _round,
    "dump": _dump,
    "reverse": _reverse,
    "wordcount": _words,
    "urlencode": lambda value, arguments: quote(_only_text(value, arguments), safe=_UNRESERVED),
    "nl2br": lambda value, arguments: re.sub(r"\r?\n", "<br />\n", _only_text(value, arguments)),
}
AFTER_SAFE = frozenset({"upper", "lower", "trim", "safe"})
"""The filters that do to a text what they do to one that was called safe, which is another kind of value."""
