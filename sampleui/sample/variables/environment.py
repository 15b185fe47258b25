"""What `${{ NAME }}` stands for: the environment, then the `.env` files from the deck's folder up to the root."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

from sampleui.integrations.javascript import trim
from sampleui.text.confined import Confined, read_confined
from sampleui.text.limits import MAX_ENV_BYTES

NAME = ".env"
_LINE = re.compile(
    r"""^\s*(?:export\s+)?([A-Za-z0-9_.-]+)(?:\s*=\s*?|:\s+?)
    (\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^\#\r\n]+)?\s*(?:\#.*)?$""",
    re.MULTILINE | re.VERBOSE,
)
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
            read = read_confined(NAME, (folder,), self._root, MAX_ENV_BYTES)
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
    value = _QUOTED.sub(r"\2", written)
    return value.replace("\\n", "\n").replace("\\r", "\r") if written.startswith('"') else value
