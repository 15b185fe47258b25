"""Which executable a call means, and the environment that it gets. Nothing is started here.

An executable is found as its project has it: in `node_modules/.bin` from the folder of the call up to the project's
root, then in the project's own environment of Python, then on PATH. The first of that name decides, even if it is
then refused: another one must not quietly stand in for it.
"""

from __future__ import annotations

import ast
import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain, as_list
from sampleui.text.confined import is_file, is_inside, is_there, opened, real_path

USUAL = ("HOME", "LANG", "LANGUAGE", "LOGNAME", "SHELL", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "XDG_RUNTIME_DIR")
"""Variables that a call gets as this process has them, beside PATH and those of the locale (`LC_…`)."""

_PYTHON = (".venv/bin", "venv/bin")
_PYTHON_NAME = re.compile(r"python(?:3(?:\.\d+)?)?")
_FIRST_LINE = re.compile(r"\A#![ \t]*+(\S+)")
_MADE_WITH = re.compile(r"^[ \t]*+home[ \t]*+=[ \t]*+(.*\S)", re.IGNORECASE | re.MULTILINE)
"""The line of `pyvenv.cfg` that says where the Python is that an environment was made with, and its library."""

_MAX_HEAD_BYTES = 1 << 20


class Executable(NamedTuple):
    """A program that was found.

    Attributes:
        path: as it was found, by which it is called: programs look beside the name that they are called by.
        real: where that leads.
        found: where it was found, in words.
    """

    path: Path
    real: Path
    found: str


class NotFound(NamedTuple):
    """Why there is no program to call, in words."""

    why: str


def search_path() -> str:
    """Return PATH without the folders that are counted from wherever one happens to be: a project is one."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if os.path.isabs(folder))  # noqa: PTH117 (a text of PATH)


def find_executable(name: str, folder: Path, project: Path) -> Executable | NotFound:
    """Return the executable of a name.

    A program on a person's own PATH is theirs, and so is one that their settings name. What is found in a project
    and leads out of it is refused: as a link, by its first line, or by the Python of its environment.

    Args:
        name: its name, without a folder; or the absolute path that a person set.
        folder: the folder that the call is made in.
        project: the root of its project.
    """
    if os.path.isabs(name):  # noqa: PTH117
        return _checked(Path(name), "by your settings")
    if Path(name).name != name or name in ("", ".", ".."):
        return NotFound(f"{name!r} is not the name of a program")
    own = _own_folders()
    for place in _places_in(project, folder):
        if is_there(path := place / name):
            outside = None if real_path(place) in own else _outside(path, folder, project, own)
            if outside is not None:
                leads = "" if real_path(outside) == outside else f", to {real_path(outside)},"
                return NotFound(f"{path}: {outside} leads out of the project{leads} and is not run")
            return _checked(path, "in the project")
    for path in (Path(place) / name for place in search_path().split(os.pathsep) if place):
        if is_file(path) and os.access(path, os.X_OK):
            return _checked(path, "on your PATH")
    return NotFound(f"there is no {name}, neither in the project nor on PATH")


def _own_folders() -> frozenset[Path]:
    """Return the folders of a person's PATH, and those of the system and of this very Python."""
    base = Path(getattr(sys, "_base_executable", sys.executable))
    folders = (*search_path().split(os.pathsep), "/bin", "/usr/bin", str(base.parent), str(real_path(base).parent))
    return frozenset(real_path(folder) for folder in folders if folder)


def programs_named(command: Plain, folder: Path) -> Iterator[Path]:
    """Yield the files that a command names by paths, as a text or a list; none in a folder of one's PATH."""
    own = _own_folders()
    for word in command.split() if isinstance(command, str) else as_list(command):
        if isinstance(word, str) and os.sep in word and is_file(path := folder / word):
            yield from () if real_path(path).parent in own else (path,)


def _outside(path: Path, folder: Path, project: Path, own: frozenset[Path]) -> Path | None:
    """Return what a program of a project runs by that is neither the project's nor a person's own, if anything is.

    That may be the program itself, what its first line names, or the Python that its environment was made with.
    """

    def is_python(python: Path) -> bool:
        real = real_path(python)
        theirs = (real_path(own_folder / name) for own_folder in own for name in ("python", "python3", real.name))
        return _PYTHON_NAME.fullmatch(real.name) is not None and (real.parent in own or real in theirs)

    def is_theirs(program: Path) -> bool:
        return real_path(program).parent in own or is_python(program)

    settings = [file for above in (path.parent.parent, path.parent) if is_there(file := above / "pyvenv.cfg")]
    pythons = [path.parent / name for name in ("python", "python3")] if settings else []
    for program in filter(is_there, (path, *pythons, *settings)):
        if not is_inside(program, project) and not (pythons and is_python(program)):
            return program
    interpreter = _named_in(path, _FIRST_LINE, folder) if is_inside(path, project) else None
    if interpreter is not None and not (is_inside(interpreter, project) or is_theirs(interpreter)):
        return interpreter
    for home in filter(None, (_named_in(file, _MADE_WITH, folder) for file in settings)):
        python = home / real_path(path.parent / "python").name
        is_of_theirs = is_python(python) and real_path(python).parent == real_path(home)
        if not (real_path(home) in own or is_of_theirs or is_inside(home, project)):
            return home
    return None


def _named_in(file: Path, pattern: re.Pattern[str], folder: Path) -> Path | None:
    """Return the path that a pattern finds in the head of a file, if it is there."""
    try:
        with opened(real_path(file)) as head:
            found = pattern.search(os.fsdecode(head.read(_MAX_HEAD_BYTES)))
    except OSError:
        return None
    path = None if found is None else folder / found[1]
    return path if path is not None and is_there(path) else None


def _places_in(project: Path, folder: Path) -> Iterator[Path]:
    here, root = real_path(folder), real_path(project)
    above = [above_folder for above_folder in (here, *here.parents) if above_folder.is_relative_to(root)]
    yield from (above_folder / "node_modules" / ".bin" for above_folder in above)
    yield from (above_folder / environment for above_folder in above for environment in _PYTHON)


def _checked(path: Path, found: str) -> Executable | NotFound:
    if not is_file(path) or not os.access(path, os.X_OK):
        return NotFound(f"{path} cannot be run")
    return Executable(path, real_path(path), found)


def found_upward(written: str, folder: Path, project: Path) -> Path | None:
    """Return the nearest folder upward that has the file of a path that a run notes, None if the project has none.

    Args:
        written: the path as the run notes it, from wherever its program was called.
        folder: the first folder that is looked into.
        project: the root of the project, which neither the folder nor the file may leave.
    """
    folders = (here for here in (folder, *folder.parents) if is_inside(here, project))
    return next((here for here in folders if is_file(here / written) and is_inside(here / written, project)), None)


def python_in(data: bytes) -> Sequence[ast.stmt]:
    """Return the statements of a program in Python, which is not run; none where it is no Python."""
    with warnings.catch_warnings():  # what a later version may read otherwise must not be written on the screen
        warnings.simplefilter("ignore")
        try:
            return ast.parse(data).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ()


def environment(wanted: Mapping[str, str], passed: Sequence[str] = ()) -> dict[str, str]:
    """Return the environment of a call: the usual few variables, those that a person lets through, and its own.

    Args:
        wanted: the variables that the call sets, which win over all others.
        passed: the names that the user's settings let through, such as those of keys.
    """
    usual = {name: value for name, value in os.environ.items() if name in (*USUAL, *passed) or name[:3] == "LC_"}
    return {**usual, "PATH": search_path(), "TERM": "dumb", "NO_COLOR": "1", **wanted}


def is_supported() -> bool:
    """Tell whether this system has sessions and groups of processes, without which nothing is started."""
    return sys.platform != "win32"
