"""The user's own editor, run on a text while the app steps aside."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.app import App, SuspendNotSupported

from sampleui.errors import EditError, EditRefusedError
from sampleui.text.confined import is_file, read_whole, size_and_time
from sampleui.text.limits import MAX_DECK_BYTES
from sampleui.text.replacing import write_new
from sampleui.tui.terminal import lent

if TYPE_CHECKING:
    from sampleui.tui.author.screen import AuthorScreen

_USUAL = "vi"
_PLUS = "+{line}"
_AT_LINE = {
    **dict.fromkeys(("vi", "vim", "nvim", "gvim", "nano", "emacs", "emacsclient", "micro", "kak", "joe"), _PLUS),
    **dict.fromkeys(("hx", "helix", "subl", "zed"), "{path}:{line}"),
    **dict.fromkeys(("code", "codium", "cursor"), "--wait\0--goto\0{path}:{line}"),
}
"""How a line is passed to editors, the words parted by NUL."""


_QUICK_RETURN_S = 2.0
"""Seconds within which an editor that changed nothing may have a window of its own, open still."""

_POLL_S = 0.5
"""Seconds between two looks at what such an editor saved."""


class Later(NamedTuple):
    """Where a text goes that an editor saves after it came back.

    Attributes:
        screen: the screen that the text came from.
        current: returns what is in its place now. A text is taken in only if that has not changed meanwhile.
    """

    screen: AuthorScreen
    current: Callable[[], object]


def edit_outside(
    app: App[Any],
    editor: str | None,
    text: str,
    name: str,
    take: Callable[[str], None] = lambda _: None,
    *,
    later: Later | None = None,
) -> None:
    """Run the editor of the settings, or else `$VISUAL` or `$EDITOR`, on a text.

    An editor that comes back at once, without a change, may have opened a window: its file stays then.

    Args:
        app: the app that steps aside.
        editor: the command of the settings, None for those of the environment.
        text: what to edit.
        name: the name of the file that the editor is given.
        take: is given what the editor left, if that is another text. What it refuses by a ValueError or an
            EditError is kept in its file.
        later: where what is saved after that goes; None where nothing is to be taken.

    Raises:
        EditRefusedError: when the editor is missing, failed or was ended, or when what it left is refused. Nothing
            is changed then, and the message names the file that holds what was written.
    """
    command = _command(editor)
    file = Path(tempfile.mkdtemp(prefix="sampleui-")) / name
    original = _encoded(text)
    try:
        write_new(file, original)
        begun = time.monotonic()
        _run(app, command, file)
        left = _read(read_whole(file, MAX_DECK_BYTES), text)
        if left != text:
            take(left)
        elif time.monotonic() - begun < _QUICK_RETURN_S:
            if later is not None:
                _StillOpen(app, file, text, take, later)
            return
    except (EditError, ValueError, OSError) as error:
        raise EditRefusedError(f"{_why(error)}{_draft_note(file, original)}") from None
    shutil.rmtree(file.parent, ignore_errors=True)


class _StillOpen:
    """A file that an editor which came back at once may have open still. What it saves is taken in, or kept."""

    def __init__(self, app: App[Any], file: Path, text: str, take: Callable[[str], None], later: Later) -> None:
        self._app, self._file, self._take, self._later = app, file, take, later
        self._text, self._current = text, later.current()
        self._read = self._last = size_and_time(file)
        app.set_interval(_POLL_S, self._look)
        later.screen.warn(f"the editor returned at once, without a change; what it saves in {file} is taken in")

    def _look(self) -> None:
        before, self._last = self._last, size_and_time(self._file)
        if self._last in (None, self._read) or self._last != before:
            return  # nothing is new, or it is being written
        screen = self._later.screen
        if screen.is_attached and (not screen.is_active or screen.typing):
            return
        self._read = self._last
        try:
            left = _read(read_whole(self._file, MAX_DECK_BYTES), self._text)
            if left == self._text:
                return
            if not screen.is_attached or self._later.current() != self._current:
                raise EditRefusedError("what it belongs to was changed or closed meanwhile")
            self._take(left)
            self._text, self._current = left, self._later.current()
            screen.say("took in what the editor saved")
        except (EditError, ValueError, OSError) as error:
            message = f"what the editor saved is not taken in: {_why(error)}; it is in {self._file}"
            (screen.warn if screen.is_attached else self._app.notify)(message)


def edit_place(app: App[Any], editor: str | None, path: Path, line: int) -> None:
    """Run the editor on a file itself, at a line, as far as the editor is known to take one.

    Raises:
        EditRefusedError: when the editor is missing, failed or was ended.
    """
    command = _command(editor)
    line_option = _AT_LINE.get(Path(command[0]).name, "")
    where = line_option.format(line=line, path=path)
    _run(app, [*command, *where.split("\0")] if where else command, path if "{path}" not in line_option else None)


def _command(editor: str | None) -> list[str]:
    asked = (editor, os.environ.get("VISUAL"), os.environ.get("EDITOR"), _USUAL)
    command = next(item for item in asked if item and item.strip())
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise EditRefusedError(f"the editor {command!r} is not a command: {error}") from None
    if shutil.which(words[0]) is None:
        raise EditRefusedError(f"there is no editor {words[0]!r}; name one by $EDITOR or `editor` in your settings")
    return words


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise EditRefusedError("this text holds half of a character, which no file can hold") from None


def _run(app: App[Any], command: list[str], file: Path | None) -> None:
    try:
        with lent(app):
            status = subprocess.run([*command, *([str(file)] if file else [])], check=False).returncode
    except SuspendNotSupported:
        raise EditRefusedError("there is no terminal that an editor could take over") from None
    except OSError as error:
        raise EditRefusedError(f"the editor {command[0]!r} did not start: {error.strerror}") from None
    if status < 0:
        raise EditRefusedError(f"the editor {command[0]!r} was ended by {_signal(-status)}; nothing was changed")
    if status:
        raise EditRefusedError(f"the editor {command[0]!r} failed with exit code {status}; nothing was changed")


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _read(left: bytes, before: str) -> str:
    try:
        text = left.decode()
    except UnicodeDecodeError as error:
        raise EditRefusedError(f"what the editor left is not UTF-8 at byte {error.start}") from None
    # Most editors end the last line; a text that did not end in a line feed is not meant to.
    return text if before.endswith("\n") else text.removesuffix("\n")


def _why(error: Exception) -> str:
    if isinstance(error, EditError):
        return str(error)
    if isinstance(error, OSError):
        return f"what the editor left cannot be read: {error.strerror}"
    return f"what the editor left is not valid: {error}"


def _holds(file: Path, data: bytes) -> bool:
    try:
        return read_whole(file, MAX_DECK_BYTES) == data
    except OSError:  # what the editor left is not what it was given
        return False


def _draft_note(file: Path, original: bytes) -> str:
    """Return where to find what was written, having removed a file in which nothing was."""
    if is_file(file) and not _holds(file, original):
        return f"; what was written is in {file}"
    shutil.rmtree(file.parent, ignore_errors=True)
    return ""
