"""What a person is shown of a call before it is made, and what they have agreed to.

Agreed to is the hash of all that was shown: the program and its content, the arguments but for those that only
choose samples, the folder, the environment, and the files that run or are loaded. It is kept in the user's state by
the path of the project, and a change of any of it asks again.
"""

from __future__ import annotations

import hashlib
import json
import shlex
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import ResultsError
from sampleui.formats.data import Plain, as_list, as_table
from sampleui.runs.rerun.calls import Program, ProgramCall, Varying
from sampleui.runs.rerun.program import USUAL, Executable, NotFound, content_hash, environment, find_executable
from sampleui.text.confined import LeadsOutError, exists, read_whole, real_path
from sampleui.text.replacing import drafted, make_own_folder, own_path, put_in_place

OUT = "{out}"
"""What stands for the new folder of a call in what is shown: it has another name each time."""

MAX_AGREED, MAX_AGREED_BYTES = 500, 1 << 20
"""Hashes that are kept of one project, the last ones; bytes of the file with them."""

_ABSENT = "not there"
_OUTSIDE = "leads out of the project; what it holds can change unasked: "


class LoadedFile(NamedTuple):
    """A file that runs or is loaded.

    Attributes:
        path: the file.
        why: what it is to the call.
        hash: of what is agreed to of it.
        content: the hash of all of it, which may not change between showing a call and making it.
    """

    path: Path
    why: str
    hash: str
    content: str

    @property
    def is_unread(self) -> bool:
        """Tell whether `content` says in words why there is no hash of it."""
        return self.content == _ABSENT or self.content.startswith(_OUTSIDE)


class ShownCall(NamedTuple):
    """A call as it is shown, and as it will be made.

    Attributes:
        call: the call.
        executable: the program that was found for it.
        environment: all of its environment.
        passed: the names of the variables that the user's settings let through, whose values are not shown.
        loaded: what runs or is loaded, the program first.
    """

    call: ProgramCall
    executable: Executable
    environment: dict[str, str]
    passed: tuple[str, ...]
    loaded: tuple[LoadedFile, ...]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The whole call, the program first, exactly as it is started."""
        return str(self.executable.path), *self.call.arguments

    @property
    def digest(self) -> str:
        """The SHA-256 of all that is agreed to: 64 hex digits."""
        agreed_to = {name: value for name, value in self.environment.items() if name not in self._hidden}
        loaded = sorted((str(file.path), file.why, file.hash) for file in self.loaded)
        value: Plain = [
            str(self.executable.path),
            str(self.executable.real),
            [*self._fixed_arguments()],
            str(self.call.folder),
            {name: self._named(item) for name, item in agreed_to.items()},
            [*sorted(self._hidden & self.environment.keys())],
            [[path, why, content] for path, why, content in loaded],
            [*self.call.notes],
        ]
        return hashlib.sha256(json.dumps(value, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()

    def words(self) -> Iterator[str]:
        """Yield the lines that a person is shown."""
        yield "arguments: " + shlex.join(map(self._named, self.arguments))
        yield f"program: {self.executable.real}"
        yield f"folder: {self.call.folder}"
        variables_set = sorted(self.call.environment.items())
        variables = (f"{name}={self._named(value)}" for name, value in variables_set if value)
        yield "environment: " + ", ".join((*variables, *sorted({*self.environment} - {*self.call.environment})))
        if emptied := [name for name, value in variables_set if not value]:
            yield f"set to nothing: {', '.join(emptied)}"
        for file in self.loaded[1:]:
            yield f"{file.why}: {file.path}" + (f" ({file.content})" if file.is_unread else "")
        yield from self.call.notes

    def _fixed_arguments(self) -> Iterator[str | None]:
        """Yield the arguments, None in the place of those that only choose samples, however many there are."""
        for is_chosen, items in groupby(self.call.arguments, lambda item: isinstance(item, Varying)):
            yield from [None] if is_chosen else map(self._named, items)

    @property
    def _hidden(self) -> set[str]:
        """The variables of which only the names count: they are the person's own."""
        usual = {name for name in self.environment if name in USUAL or name[:3] == "LC_"}
        return {*usual, *self.passed} - {*self.call.environment}

    def _named(self, text: str) -> str:
        return text.replace(str(self.call.out), OUT)


def shown(call: ProgramCall, project: Path, passed: Sequence[str] = ()) -> ShownCall | NotFound:
    """Return a call as it is shown, or why it cannot be made.

    Args:
        call: the call.
        project: the root of its project.
        passed: the names of the variables that the user's settings let through.
    """
    executable = find_executable(call.program, call.folder, project)
    if isinstance(executable, NotFound):
        return executable
    files = (Program(executable.real, "program"), *call.programs)
    loaded = tuple(map(_loaded, files))
    variables = environment(call.environment, passed)
    return ShownCall(call, executable, variables, tuple(passed), loaded)


def is_unchanged(before: ShownCall) -> bool:
    """Tell whether all that was shown of a call is still so, now that it is to be made."""
    leads_there = real_path(before.executable.path) == before.executable.real
    return leads_there and all(_content(file.path) == file.content for file in before.loaded)


def _loaded(file: Program) -> LoadedFile:
    content = _content(file.path)
    agreed_to = content if file.counts is None else hashlib.sha256(file.counts).hexdigest()
    return LoadedFile(file.path, file.why, agreed_to, content)


def _content(path: Path) -> str:
    if not exists(path):
        return _ABSENT
    try:
        return content_hash(path)
    except LeadsOutError:
        return f"{_OUTSIDE}{real_path(path)}"
    except OSError as error:
        return f"unreadable: {error.strerror or error}"


def agreed(project: Path) -> tuple[str, ...]:
    """Return the hashes of what was agreed to in a project, the last one last; none where that cannot be read."""
    try:
        value: Plain = json.loads(read_whole(_file(project), MAX_AGREED_BYTES))
    except (OSError, ValueError, RecursionError):
        return ()
    table = as_table(value)
    if table.get("project") != str(real_path(project)):
        return ()
    return tuple(item for item in as_list(table.get("agreed")) if isinstance(item, str))


def agree(project: Path, calls: Iterable[ShownCall]) -> None:
    """Keep that a person agreed to calls.

    Raises:
        ResultsError: when that cannot be written.
    """
    path = _file(project)
    hashes = dict.fromkeys((*agreed(project), *(call.digest for call in calls)))
    value = {"project": str(real_path(project)), "agreed": [*hashes][-MAX_AGREED:]}
    try:
        make_own_folder(path.parent)
        with drafted(path, json.dumps(value).encode()) as draft:
            put_in_place(draft)
    except OSError as error:
        raise ResultsError(f"what was agreed cannot be kept: {error.strerror or error}", path) from error


def _file(project: Path) -> Path:
    return own_path("agreed", real_path(project), real_path(project).name, ".json")
