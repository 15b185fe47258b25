"""What a person is asked before programs of a project are called, and the folders that they trust.

What a program loads cannot be known from outside. So a person is shown what is known, and trusts a folder, whatever
it holds: until sampleui is left, or always, which is kept in their own state. What is named outside of the folder
is refused, whoever is trusted.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import NamedTuple

from sampleui.errors import SampleUIError
from sampleui.formats.data import Plain, as_list, as_table
from sampleui.runs.rerun.calls import ProgramCall
from sampleui.runs.rerun.program import Executable, NotFound, environment, find_executable
from sampleui.text.confined import (
    ENVIRONMENT,
    is_inside,
    is_open_to_all,
    is_root,
    named,
    project_root,
    read_whole,
    real_path,
)
from sampleui.text.replacing import drafted, make_own_folder, put_in_place

OUT = "{out}"
"""What stands for the new folder of a call in what is shown: it has another name each time."""

_MAX_KEPT_BYTES = 1 << 20


class NoFolderError(SampleUIError):
    """There is no folder that a person could trust for what was to run."""


class ShownCall(NamedTuple):
    """A call as it is shown, and as it will be made.

    Attributes:
        call: the call.
        project: the folder that has to be trusted.
        passed: the names of the variables that the user's settings let through, whose values are not shown.
        executable: the program that was found for it.
        environment: all of its environment.
    """

    call: ProgramCall
    project: Path
    passed: tuple[str, ...]
    executable: Executable
    environment: dict[str, str]

    @property
    def arguments(self) -> tuple[str, ...]:
        """The whole call, the program first, exactly as it is started."""
        return str(self.executable.path), *self.call.arguments

    @property
    def is_unchanged(self) -> bool:
        """Whether all that was shown is still so, now that the call is to be made."""
        return shown(self.call, self.project, self.passed) == self

    def words(self) -> Iterator[str]:
        """Yield the lines that a person is shown of it."""
        executable = self.executable
        under = "" if executable.path == executable.real else f" as {executable.path}"
        yield f"program: {executable.real}, found {executable.found}{under}"
        yield "arguments: " + shlex.join(map(self._named, self.arguments))
        yield f"folder: {self.call.folder}"
        yield from self.call.notes
        variables_set = sorted(self.call.environment.items())
        variables = (f"{name}={self._named(value)}" for name, value in variables_set if value)
        yield "environment: " + ", ".join((*variables, *sorted({*self.environment} - {*self.call.environment})))
        if emptied := [name for name, value in variables_set if not value]:
            yield f"set to nothing: {', '.join(emptied)}"

    def _named(self, text: str) -> str:
        return text.replace(str(self.call.out), OUT)


def shown(call: ProgramCall, project: Path, passed: Sequence[str] = ()) -> ShownCall | NotFound:
    """Return a call as it is shown, or why it cannot be made.

    Args:
        call: the call.
        project: the folder that has to be trusted.
        passed: the names of the variables that the user's settings let through.
    """
    above = (folder for folder in (call.folder, *call.folder.parents) if is_inside(folder, project))
    for path in (call.folder, *call.named, *(folder / ENVIRONMENT for folder in above)):
        if not is_inside(path, project):
            leads = "" if real_path(path) == path else f", to {real_path(path)},"
            return NotFound(f"{path} leads out of {project}{leads} and nothing there is run")
    executable = find_executable(call.program, call.folder, project)
    if isinstance(executable, NotFound):
        return executable
    variables = environment(call.environment, passed)
    return ShownCall(call, project, tuple(passed), executable, variables)


def question(calls: Sequence[ShownCall]) -> Iterator[str]:
    """Yield what a person is shown before calls of one project are made, each line that they share once."""
    yield (
        f"The code in {calls[0].project} runs with your rights, whatever it loads, and can read, change and send "
        "all that you can."
    )
    yield f"calls: {len(calls):,}"
    yield from dict.fromkeys(line for call in calls for line in call.words())


def project_of(folder: Path) -> Path:
    """Return the folder that is asked about for what runs in a folder.

    That is the root of its project, or where nothing marks one, the folder above that one works in.

    Raises:
        NoFolderError: where that would be somebody's home, the folder of temporary files, or all that is above.
    """
    root, here = project_root(folder), real_path(Path())
    if not is_root(root) and root.is_relative_to(here) and not _is_too_wide(here):
        root = here
    if _is_too_wide(root):
        raise NoFolderError(f"{root} is no project: put what runs into a folder of its own")
    return root


def _is_too_wide(folder: Path) -> bool:
    temporary, home = real_path(gettempdir()), real_path(os.path.expanduser("~"))  # noqa: PTH111 (never raises)
    holds_all = any(other.is_relative_to(folder) for other in (home, temporary))
    return folder == temporary or is_open_to_all(folder) or (holds_all and not is_root(folder))


class TrustedFolders:
    """The folders that a person trusts: until this process ends, or always."""

    def __init__(self) -> None:
        self._for_now: set[Path] = set()

    def __contains__(self, project: Path) -> bool:
        """Tell whether a person trusts a folder; what is below another is a folder of its own."""
        return real_path(project) in {*self._for_now, *self.kept()}

    def add(self, project: Path, *, always: bool = False) -> None:
        """Trust a folder from now on.

        Args:
            project: the folder.
            always: whether that is kept for later.

        Raises:
            SampleUIError: when it cannot be kept.
        """
        folder = real_path(project)
        self._for_now.add(folder)
        if always:
            self._keep([*dict.fromkeys((*self.kept(), folder))])

    def remove(self, project: Path) -> bool:
        """Take trust back, and tell whether there was any. Raises SampleUIError when that cannot be kept."""
        folder = real_path(project)
        was_trusted = folder in self
        self._for_now.discard(folder)
        if folder in (before := self.kept()):
            self._keep([other for other in before if other != folder])
        return was_trusted

    def kept(self) -> tuple[Path, ...]:
        """Return the folders that are always trusted, none where that cannot be read."""
        try:
            value: Plain = json.loads(read_whole(_file(), _MAX_KEPT_BYTES))
        except (OSError, ValueError, RecursionError):
            return ()
        return tuple(Path(item) for item in as_list(as_table(value).get("folders")) if isinstance(item, str))

    def _keep(self, folders: Sequence[Path]) -> None:
        path = _file()
        text = json.dumps({"folders": [*map(str, folders)]}, indent=2)
        try:
            make_own_folder(path.parent)
            with drafted(path, text.encode()) as draft:
                put_in_place(draft)
        except OSError as error:
            raise SampleUIError(f"{path}: whom you trust cannot be kept: {error.strerror or error}") from error


TRUSTED = TrustedFolders()


def _file() -> Path:
    from platformdirs import user_state_path

    return named(user_state_path("sampleui")) / "trusted.json"
