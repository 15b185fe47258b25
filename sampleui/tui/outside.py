"""Opening a file or a medium with the system's own program for it, once a person has seen what and agreed."""

from __future__ import annotations

import atexit
import base64
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cache
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.errors import EditRefusedError
from sampleui.review.record import AnswerFile
from sampleui.runs.rerun.program import search_path
from sampleui.sample.media import Medium, Places
from sampleui.text.confined import Refusal, is_file, passes_link, real_path, status_of
from sampleui.text.limits import MAX_PICTURE_BYTES
from sampleui.text.replacing import write_new
from sampleui.text.temporary import temporary_folder
from sampleui.text.visible import one_line
from sampleui.tui.drawing.pictures import found_file, is_path
from sampleui.tui.screens import asking
from sampleui.tui.screens.base import in_background

if TYPE_CHECKING:
    from sampleui.tui.review.screen import ReviewScreen
    from sampleui.tui.screens.base import CommandScreen

_RUN = frozenset(
    """
    app appimage appref-ms bat bin cmd com command cpl deb desktop dmg exe fileloc hta inetloc jar jnlp js jse lnk
    msi
    osascript pif pkg ps1 py pyw rb reg rpm run scpt scr sh terminal tool url vbs webloc workflow wsf
    """.split()  # noqa: SIM905
)
"""Endings of names of files that a system may run or follow, rather than show."""

_ENDINGS = {
    **{f"image/{name}": name for name in ("png", "jpeg", "gif", "webp", "bmp")},
    **{f"audio/{name}": name for name in ("wav", "mpeg", "ogg", "flac")},
    "video/mp4": "mp4",
    "application/pdf": "pdf",
}
"""How the name of a file ends, by the kinds of data that are opened; what may run is not among them."""

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
    await _open(screen, path_to_open(files[name], screen.review.results.base_dir))


async def open_medium(screen: CommandScreen, media: Sequence[Medium], places: Places, other: str = "") -> bool:
    """Ask for one of some media, show the command that opens it, and run that if it is wanted.

    Args:
        screen: who is asked.
        media: the media.
        places: where the files of paths may be; without any none is opened.
        other: what else may be chosen.

    Returns:
        Whether that was chosen.

    Raises:
        EditRefusedError: if it cannot be opened, or may not be.
    """
    named = {f"{number} {one_line(medium.label, 100)}": medium for number, medium in enumerate(media, 1)}
    names = [*named, other] if other else [*named]
    name = names[0] if len(names) == 1 else await asking.pick(screen, "Open a medium", names)
    if name in named:
        await _open(screen, _file_of(named[name], places))
    return bool(name) and name == other


def _file_of(medium: Medium, places: Places) -> Path:
    """Return the file of a medium; for data one with it, which is there until the app ends."""
    if medium.url.startswith("data:"):
        ending = _ENDINGS.get(medium.media_type)
        head, _, text = medium.url.partition(",")
        if ending is None or not head.endswith(";base64"):
            raise EditRefusedError(f"data of the kind {one_line(medium.media_type, 60) or 'unknown'} is not opened")
        path = _kept() / f"medium-{next(_NUMBERS)}.{ending}"
        try:
            write_new(path, base64.b64decode(text))
        except (ValueError, OSError) as error:
            raise EditRefusedError(f"its data cannot be written: {error}") from error
        return path
    if not places or not is_path(medium.url):
        raise EditRefusedError(f"nothing is fetched: {one_line(medium.url or medium.label, 200)}")
    read = found_file(medium.url, places, MAX_PICTURE_BYTES)
    if isinstance(read, Refusal):
        raise EditRefusedError(read.reason)
    return path_to_open(AnswerFile(read.path.name, len(read.data), read.path.name), read.path.parent)


_NUMBERS = count(1)


@cache
def _kept() -> Path:
    """Return a folder that is there until this process ends."""
    held = ExitStack()
    atexit.register(held.close)
    return held.enter_context(temporary_folder("sampleui-media-"))


async def _open(screen: CommandScreen, path: Path) -> None:
    program = opener()
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
