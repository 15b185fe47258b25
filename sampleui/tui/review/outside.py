"""Opening a file of an answer with the system's own program for it, once a person has seen what and agreed."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.review.record import AnswerFile
from sampleui.runs.rerun.program import search_path
from sampleui.text.confined import is_file, passes_link, real_path, status_of
from sampleui.text.visible import one_line
from sampleui.tui.screens import asking
from sampleui.tui.screens.base import in_background

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen

_RUN = frozenset(
    """
    app appimage appref-ms bat bin cmd com command cpl deb desktop dmg exe fileloc hta inetloc jar jnlp js jse lnk
    msi
    osascript pif pkg ps1 py pyw rb reg rpm run scpt scr sh terminal tool url vbs webloc workflow wsf
    """.split()  # noqa: SIM905
)
"""Endings of names of files that a system may run or follow, rather than show."""

_OPEN_TIMEOUT_S = 5.0
"""How long a program may take to say that it cannot open a file."""


def opener() -> str:
    """Return the path of the program by which this system opens files. Raises EditRefusedError if there is none."""
    name = "open" if sys.platform == "darwin" else "xdg-open"
    found = shutil.which(name, path=search_path())
    if found is None:
        raise EditRefusedError(f"{name}, which opens files, is not installed")
    return found


def path_to_open(file: AnswerFile, base: Path) -> Path:
    """Return where a file of an answer is.

    Args:
        file: the file.
        base: the folder that its place is counted from.

    Raises:
        EditRefusedError: if it is no longer there, is reached through a link, or may be run instead of shown.
    """
    path = base / file.path
    if not file.path or not is_file(path):
        raise EditRefusedError(f"{one_line(file.name, 80)} is not there")
    if passes_link(path, base):
        raise EditRefusedError(f"{one_line(file.name, 80)} is reached through a link, which is not followed")
    status = status_of(path)
    if file.suffix in _RUN or status is None or status.st_mode & 0o111:
        raise EditRefusedError(
            f"{one_line(file.name, 80)} could be run by opening it; it is at {one_line(str(path), 200)}"
        )
    return real_path(path)


async def open_file(screen: ReviewScreen) -> None:
    """Ask for a file of the answer, show the command that opens it, and run that if it is wanted."""
    record = screen.shown.record
    files = {file.told: file for file in record.files} if record is not None else {}
    name = next(iter(files)) if len(files) == 1 else await asking.pick(screen, "Open a file", [*files])
    if name not in files:
        return
    program, path = opener(), path_to_open(files[name], screen.review.results.base_dir)
    if await asking.confirm(screen, f"{program} {one_line(str(path), 300)}", {"o": "Open it"}):
        why = await _started(program, path)
        screen.refuse(why) if why else screen.say(f"{one_line(path.name, 80)} was given to {program}")


async def _started(program: str, path: Path) -> str:
    """Start a program on a file, and return why it did not open it as far as it soon says so."""
    try:
        process = subprocess.Popen(
            [program, str(path)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )
    except OSError as error:
        return f"{program} could not be started: {error.strerror}"
    try:
        code = await in_background(process.wait, _OPEN_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        return ""
    return f"{program} ended with exit code {code}" if code else ""
