"""Which executable a call means, and the environment that it gets. Nothing is started here.

An executable is found as its project has it: in `node_modules/.bin` from the folder of the call up to the project's
root, then in the project's own environment of Python, then on PATH. The first of that name decides, even if it is
then refused: another one must not quietly stand in for it.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import CONTAINERS, Plain, Table, texts_in
from sampleui.text.confined import SCHEME, is_file, is_inside, is_there, opened, read_whole, real_path
from sampleui.text.limits import MAX_OWNER_BYTES, MAX_SCRIPT_MODULES, MAX_SCRIPT_WORDS
from sampleui.workspace.deck import Deck

USUAL = ("HOME", "LANG", "LANGUAGE", "LOGNAME", "SHELL", "TEMP", "TMP", "TMPDIR", "TZ", "USER", "XDG_RUNTIME_DIR")
"""Variables that a call gets as this process has them, beside PATH and those of the locale (`LC_…`)."""

_PYTHON = (".venv/bin", "venv/bin")
_LINKED = re.compile(r"python(?:3(?:\.\d+)?)?")
"""The names of a Python that an environment may be made with."""

_CHUNK = 1 << 20
_IMPORT = re.compile(
    r"^[ \t]*+(?:from[ \t]++\.?([\w.]++)[ \t]++import|import[ \t]++([\w.]++(?:[ \t]*+,[ \t]*+[\w.]++|)*+))",
    re.MULTILINE,
)
_WORD = re.compile(r"[^\s'\"=:;,()|&<>]+")


class Executable(NamedTuple):
    """A program that was found.

    Attributes:
        path: as it was found, by which it is called: programs look beside the name that they are called by.
        real: where that leads.
    """

    path: Path
    real: Path


class NotFound(NamedTuple):
    """Why there is no program to call, in words."""

    why: str


def search_path() -> str:
    """Return PATH without the folders that are counted from wherever one happens to be: a project is one."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(folder for folder in folders if os.path.isabs(folder))  # noqa: PTH117 (a text of PATH)


def find_executable(name: str, folder: Path, project: Path) -> Executable | NotFound:
    """Return the executable of a name.

    Args:
        name: its name, without a folder; or the absolute path that a person set.
        folder: the folder that the call is made in.
        project: the root of its project. What is found in it and leads out of it is refused, but for the Python of
            an environment, which is a link to the one that it was made with.
    """
    if os.path.isabs(name):  # noqa: PTH117
        return _checked(Path(name))
    if Path(name).name != name or name in ("", ".", ".."):
        return NotFound(f"{name!r} is not the name of a program")
    for above_folder in _own_places(folder, project):
        path = above_folder / name
        if is_there(path):
            if not is_inside(path, project) and not _is_linked_python(path, project):
                return NotFound(f"{path} leads out of the project, to {real_path(path)}, and is not run")
            return _checked(path)
    for path in (Path(above_folder) / name for above_folder in search_path().split(os.pathsep) if above_folder):
        if is_file(path) and os.access(path, os.X_OK):
            return _checked(path)
    return NotFound(f"there is no {name}, neither in the project nor on PATH")


def _is_linked_python(path: Path, project: Path) -> bool:
    """Tell whether a path is the Python of an environment in a project, which leads to a Python elsewhere."""
    folder = path.parent
    is_environment = is_inside(folder, project) and is_file(folder.parent / "pyvenv.cfg")
    return (
        is_environment
        and path.name in ("python", "python3")
        and _LINKED.fullmatch(real_path(path).name) is not None
    )


def _own_places(folder: Path, project: Path) -> Iterator[Path]:
    here, root = real_path(folder), real_path(project)
    above = [above_folder for above_folder in (here, *here.parents) if above_folder.is_relative_to(root)]
    yield from (above_folder / "node_modules" / ".bin" for above_folder in above)
    yield from (above_folder / environment for above_folder in above for environment in _PYTHON)


def _checked(path: Path) -> Executable | NotFound:
    if not is_file(path) or not os.access(path, os.X_OK):
        return NotFound(f"{path} cannot be run")
    return Executable(path, real_path(path))


def files_called(texts: Iterable[str], folders: Sequence[Path], project: Path) -> list[Path]:
    """Return the files of a project that words of commands name, each once: `node model.js` calls `model.js`.

    Args:
        texts: commands, and other texts.
        folders: those that a path may be counted from.
        project: what is outside of it is not named; a file in it that leads out is named where it is.
    """
    words = dict.fromkeys(word for text in texts for word in _WORD.findall(text))
    found: dict[Path, None] = {}
    for word in [*words][:MAX_SCRIPT_WORDS]:
        paths = (_in_project(real_path(folder), word, project) for folder in folders)
        path = next((path for path in paths if path is not None), None)
        if path is not None:
            found[path] = None
    return [*found]


def _in_project(folder: Path, word: str, project: Path) -> Path | None:
    path = folder / word
    if not is_file(path):
        return None
    if is_inside(path, project):
        return real_path(path)
    named = Path(os.path.normpath(path))  # not resolved: a link of the project is one of its files
    return named if named.is_relative_to(real_path(project)) else None


def files_of_deck(
    deck: Deck,
    more: Iterable[Plain],
    folders: Sequence[Path],
    project: Path,
    held: Sequence[str] = CONTAINERS,
) -> list[Path]:
    """Return the files of a project that a deck's values beside its samples and more values call, each once.

    A file of samples that the deck has read is none of them, unless it is called by something else as well: what of
    its samples may run something is among the other values, and what they merely ask runs nothing.

    Args:
        deck: the deck.
        more: the other values.
        folders: those that a path may be counted from.
        project: what is outside of it is not named.
        held: the keys under which the deck may name files of its samples.
    """

    def called(value: Plain) -> list[Path]:
        return files_called((text.replace(SCHEME, " ") for text in texts_in(value)), folders, project)

    beside: Table = {name: value for name, value in deck.around.items() if name not in held}
    samples = called([deck.around.get(name) for name in held])
    read = {real_path(source.path) for source in deck.files.sources}
    return [*dict.fromkeys((*called([beside, *more]), *(path for path in samples if path not in read)))]


def found_upward(written: str, folder: Path, project: Path) -> Path | None:
    """Return the nearest folder upward that has the file of a path that a run notes, None if the project has none.

    Args:
        written: the path as the run notes it, from wherever its program was called.
        folder: the first folder that is looked into.
        project: the root of the project, which neither the folder nor the file may leave.
    """
    folders = (here for here in (folder, *folder.parents) if is_inside(here, project))
    return next((here for here in folders if is_file(here / written) and is_inside(here / written, project)), None)


def modules_of(file: Path) -> Iterator[Path]:
    """Yield a file of Python, the modules beside it that it imports, and those that these import; 100 at most."""
    waiting, seen = [file], {file}
    while waiting and len(seen) <= MAX_SCRIPT_MODULES:
        path = waiting.pop(0)
        yield path
        try:
            text = read_whole(path, MAX_OWNER_BYTES).decode("utf-8", "replace")
        except OSError:
            continue
        for match in _IMPORT.finditer(text):
            for name in (match[1] or match[2]).split(","):
                base = file.parent.joinpath(*name.strip().split("."))
                for module in (base.with_suffix(".py"), base / "__init__.py"):
                    if module not in seen and is_file(module):
                        seen.add(module)
                        waiting.append(module)


def python_in(data: bytes) -> Sequence[ast.stmt]:
    """Return the statements of a program in Python, which is not run; none where it is no Python."""
    with warnings.catch_warnings():  # what a later version may read otherwise must not be written on the screen
        warnings.simplefilter("ignore")
        try:
            return ast.parse(data).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ()


def content_hash(path: Path) -> str:
    """Return the SHA-256 of a file's content: 64 hex digits.

    Raises:
        OSError: when it is no regular file, or cannot be read.
    """
    digest = hashlib.sha256()
    with opened(path) as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


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
