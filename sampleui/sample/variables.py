"""What stands in a sample for another value: `${{ NAME }}` of the environment, `{{ name }}` of its `vars`.

The environment is the process, then the `.env` files from the deck's folder up to the root.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain, Table, texts_in
from sampleui.integrations.javascript import stringify, trim
from sampleui.sample.model import Sample
from sampleui.text.confined import ENVIRONMENT, Confined, read_confined
from sampleui.text.limits import MAX_ENV_BYTES, MAX_FILLED

# Blank lines are passed over one by one, and a quote that is not closed is not tried again from its inside: a text
# of a stranger is read in time that grows with its size.
_LINE = re.compile(
    r"""^[^\S\n]*(?:export\s+)?([A-Za-z0-9_.-]+)(?:\s*=\s*?|:\s+?)
    (\s*'(?:\\'|[^']|)*+'|\s*"(?:\\"|[^"]|)*+"|\s*`(?:\\`|[^`]|)*+`|[^\#\r\n]+)?\s*(?:\#.*)?$""",
    re.MULTILINE | re.VERBOSE,
)
_LONG_VALUE = 4_096
_QUOTED = re.compile(r"""^(['"`])(.*)\1$""", re.DOTALL | re.MULTILINE)


class Environment(Mapping[str, str]):
    """The variables that a runner sees for a deck; the files are read when the first variable is asked for.

    A variable of the process wins, even an empty one; then the file that is nearest to the deck.

    Args:
        folder: the deck's folder.
        root: the project's; a file that leads out of it is not read.
        process: the variables of the process.
    """

    def __init__(self, folder: Path, root: Path, process: Mapping[str, str] = os.environ) -> None:
        self._folder = folder
        self._root = root
        self._process = process

    @cached_property
    def _all(self) -> Mapping[str, str]:
        inside = [folder for folder in (self._folder, *self._folder.parents) if folder.is_relative_to(self._root)]
        variables: dict[str, str] = {}
        for folder in (*inside, self._root):
            read = read_confined(ENVIRONMENT, (folder,), self._root, MAX_ENV_BYTES, environment=True)
            if isinstance(read, Confined):
                variables = parsed(read.data.decode("utf-8", "replace")) | variables
        return variables | {**self._process}

    def __getitem__(self, name: str) -> str:
        """Return what a variable holds."""
        return self._all[name]

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""
        return iter(self._all)

    def __len__(self) -> int:
        """Return how many variables there are."""
        return len(self._all)


def parsed(text: str) -> dict[str, str]:
    """Return the variables of a `.env` file (dotenv 16, `parse`)."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return {name: _value(trim(written)) for name, written in _LINE.findall(text)}


def _value(written: str) -> str:
    if len(written) > 1 and written[0] in "'\"`" and written[-1] == written[0]:
        value = written[1:-1]
    else:  # of several lines, which an unusual file may have in a value, each is looked at
        value = _QUOTED.sub(r"\2", written) if len(written) < _LONG_VALUE else written
    return value.replace("\\n", "\n").replace("\\r", "\r") if written.startswith('"') else value


_ENVIRONMENT = re.compile(r"\$\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}")
_VARIABLE = re.compile(r"\{\{\s*([A-Za-z_][A-Za-z0-9_.]*)\s*\}\}")
_EITHER = re.compile(rf"{_ENVIRONMENT.pattern}|{_VARIABLE.pattern}")
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_ABSENT = object()


class Piece(NamedTuple):
    """A part of a filled text: the author's own, or where `tag` is given what stands for that variable."""

    text: str
    tag: str = ""


def variables_of(sample: Sample) -> Table | None:
    """Return the variables of a sample, None if it has none: in a file of JSON lines nothing is filled."""
    variables = sample.data.get("vars")
    return variables if isinstance(variables, dict) and (sample.path.suffix != ".jsonl" or sample.context) else None


def pieces(template: str, variables: Table | None, environment: Mapping[str, str]) -> tuple[Piece, ...]:
    """Return a text with its variables filled in, part by part; one without a value stays as it is written."""
    parts: list[Piece] = []
    position = size = 0
    for tag in _EITHER.finditer(template):
        value = environment.get(tag[1], _ABSENT) if tag[1] else _looked_up(variables or {}, tag[2])
        size += 0 if value is _ABSENT else len(_written(value))
        if value is not _ABSENT and size <= MAX_FILLED:
            parts += [Piece(template[position : tag.start()]), Piece(_written(value), tag[0])]
            position = tag.end()
    return tuple(piece for piece in (*parts, Piece(template[position:])) if piece.text or piece.tag)


def names_in(*values: Plain) -> tuple[str, ...]:
    """Return the variables of the environment that some values name, each once, in order."""
    found = (name for text in texts_in([*values]) for name in _ENVIRONMENT.findall(text))
    return tuple(dict.fromkeys(found))


def with_environment(value: Plain, environment: Mapping[str, str] | None) -> Plain:
    """Return a value with `${{ NAME }}` filled in every text of it; one that is missing is empty.

    A text that is nothing but one such variable becomes a number or a truth value where the variable spells one.
    Where no environment is given, names stand as they are written.
    """
    if environment is None:
        return value

    def filled(text: str) -> Plain:
        whole = _ENVIRONMENT.fullmatch(text)
        if whole:
            return _coerced(environment.get(whole[1], ""))
        return _ENVIRONMENT.sub(lambda match: environment.get(match[1], ""), text)

    return with_templates(value, filled)


def with_variables(value: Plain, variables: Table | None) -> Plain:
    """Return a value with `{{ name }}` and `{{ name.key }}` filled in every text; one without a value stays.

    A text that is nothing but one variable becomes the variable's value, whatever it is.
    """
    table = variables or {}
    size = 0

    def shown(tag: re.Match[str]) -> str:
        nonlocal size
        value = _ABSENT if tag[1] else _looked_up(table, tag[2])
        written = tag[0] if value is _ABSENT else _written(value)
        size += len(written)
        return tag[0] if size > MAX_FILLED else written

    def filled(text: str) -> Plain:
        whole = _VARIABLE.fullmatch(text)
        if whole:
            value = _looked_up(table, whole[1])
            return text if value is _ABSENT else value  # type: ignore[return-value]
        return _EITHER.sub(shown, text)

    return with_templates(value, filled)


def with_templates(value: Plain, change: Callable[[str], Plain]) -> Plain:
    """Return a value with each text in it that may name a variable replaced by what a function makes of it."""
    if isinstance(value, str):
        return change(value) if "{{" in value else value
    if isinstance(value, list):
        return [with_templates(item, change) for item in value]
    if isinstance(value, dict):
        return {key: with_templates(item, change) for key, item in value.items()}
    return value


def _looked_up(variables: Table, path: str) -> object:
    value: object = variables
    for step in path.split("."):
        if not isinstance(value, dict) or step not in value:
            return _ABSENT
        value = value[step]
    return value


def _written(value: object) -> str:
    return value if isinstance(value, str) else stringify(value)  # type: ignore[arg-type]


def _coerced(text: str) -> Plain:
    if text in ("true", "false"):
        return text == "true"
    if _NUMBER.fullmatch(text):
        return float(text) if "." in text else int(text)
    return text
