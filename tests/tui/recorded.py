"""What a recorded case of the author screen is: a deck, and keys typed into the app that has it open."""

from __future__ import annotations

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from textual._context import visible_screen_stack
from textual.events import Paste

from sampleui.formats.data import Plain, Table
from sampleui.settings.options import load_settings
from sampleui.text.edit import shared_end, shared_start
from sampleui.tui.author import editing, file_watch, problem_watch, seeking
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.screens import base
from sampleui.tui.screens.base import CommandScreen
from tests.recorded import folder_of_a_case, write

from .driver import Driver, opened, said
from .pressing import key_event

_HOMES = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")

_FRAMES = str.maketrans("│─╭╮╰╯", "|-....")
"""Frames are written as characters of ASCII, so that a case can be read."""

_NEVER = 1e6
_PACES = (
    (editing, "SETTLE", 0.0),
    (file_watch, "EVERY", _NEVER),
    (file_watch, "SETTLED", 0.0),
    (base, "_SAID_FOR", _NEVER),
    *((problem_watch, name, _NEVER) for name in ("_SLICE", "_IDLE_SLICE")),
    (problem_watch, "_FOLLOW", 0.0),
    (seeking, "_SLICE", _NEVER),
)
"""Seconds that depend on the machine, and what they are here: all is done at once, or never."""


def play(given: dict[str, Any]) -> Plain:
    """Type keys, each when all that the one before it caused has happened.

    Args:
        given: `files`, their texts by name, the deck first, None for one that is not there; those that are
            `committed` to git before; the `keys`; and the `size` of the terminal. Among the keys can be `again`,
            which is a crash and a new start; a `paste`; a `click` at a column and a line; an `editor`, a command
            that is $EDITOR from then on, where it was `true`; and `files` that others write or remove.

    Returns:
        What is `said` on the way, each once; what is `shown`, all of it first and then, for each key, what it
        changed, by line and column; the `deck` as it would be saved with how many steps of it can be undone,
        None if it is closed; what was `copied`; and the `files` that differ from what was given.
    """
    with folder_of_a_case() as home:
        folder = home / "decks"
        (folder / ".git").mkdir(parents=True)
        _commit(folder, given.get("committed", {}))
        _write(folder, given["files"])
        with _set_apart(home, folder):
            found = asyncio.run(Player(given).played())
        texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.is_file()}
        changed: Table = {file: text for file, text in texts.items() if given["files"].get(file) != text}
        return {**found, "files": dict(sorted(changed.items()))}


class Player:
    """The keys of a case, and what they bring about."""

    def __init__(self, given: dict[str, Any]) -> None:
        self._given = given
        self._said: list[Plain] = []
        self._shown: list[Plain] = []
        self._lines: list[str] = []

    async def played(self) -> Table:
        """Type all keys and return what came of it."""
        keys = [*self._given["keys"]]
        while "again" in keys:
            at = keys.index("again")
            await self._session(keys[:at])
            keys = keys[at + 1 :]
        found = await self._session(keys)
        return {"said": self._said, "shown": self._shown, **found}

    async def _session(self, keys: list[Any]) -> Table:
        path, (width, height) = Path(next(iter(self._given["files"]))), self._given["size"]
        async with opened(path, (width, height), load_settings(Path.cwd()), self._given.get("dialect")) as app:
            app.app.suspend = nullcontext  # type: ignore[method-assign]
            await self.look(app)
            for key in keys:
                await _press(app, key)
                await self.look(app)
            deck: Plain = [app.text, app.steps] if has_deck(app) else None
            if has_deck(app):
                _die(app)
            return {"deck": deck, "copied": app.app.clipboard}

    async def look(self, app: Driver) -> None:
        """Note what is shown and said."""
        while has_deck(app) and app.app.is_running and app.screen.editing._timer is not None:
            await asyncio.sleep(0)
            await app.rested()
        screen = app.app.screen
        visible_screen_stack.set(app.app._background_screens)  # below a box
        lines = [strip.text.translate(_FRAMES) for strip in screen._compositor.render_strips(screen.size)]
        self._shown.append(_changed(self._lines or [" " * screen.size.width] * len(lines), lines))
        self._lines = lines
        told = said(screen) if isinstance(screen, CommandScreen) else ""
        if told and told not in self._said[-1:]:
            self._said.append(told)


def _changed(before: list[str], after: list[str]) -> Table:
    """Return what is new in each line that is not as it was, by the number of the line and of the first column."""
    found: Table = {}
    for at, (old, new) in enumerate(zip(before, after, strict=True)):
        if old != new:
            start = shared_start(old, new)
            end = shared_end(old[start:], new[start:])
            found[f"{at}:{start}"] = new[start : len(new) - end].rstrip()
    return found


async def _press(app: Driver, key: Any) -> None:
    match key:
        case str():
            app.app.post_message(key_event(key))
        case {"paste": str(text)}:
            app.app.post_message(Paste(text))
        case {"click": [int(x), int(y)]}:
            await app.pilot.click(offset=(x, y))
        case {"editor": str(command)}:
            os.environ["EDITOR"] = command
        case {"files": dict(files)}:
            _write(Path.cwd(), files)
            if isinstance(app.app.screen, AuthorScreen):
                await app.app.screen.file_watch.look()
    await app.rested()


def has_deck(app: Driver) -> bool:
    """Tell whether a deck is open, if only below something else."""
    return any(isinstance(one, AuthorScreen) for one in app.app.screen_stack)


def _die(app: Driver) -> None:
    """Let go of the journal as a process that is killed does."""
    journal = app.screen.session.journal
    if journal._file is not None:
        journal._file.close()


def _write(folder: Path, files: dict[str, str | None]) -> None:
    write(folder, {name: text for name, text in files.items() if text is not None})
    for name in [name for name, text in files.items() if text is None]:
        (folder / name).unlink(missing_ok=True)


def _commit(folder: Path, files: dict[str, str]) -> None:
    if not files:
        return
    write(folder, files)
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b.c")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run([*git, *command], cwd=folder, check=True, capture_output=True)


@contextmanager
def _set_apart(home: Path, folder: Path) -> Iterator[None]:
    """Keep out whoever runs the tests, and how quick their machine is."""
    here = Path.cwd()
    with ExitStack() as stack:
        stack.enter_context(patch.dict(os.environ, dict.fromkeys(_HOMES, str(home))))
        stack.enter_context(patch.dict(os.environ, {"EDITOR": "true", "VISUAL": ""}))
        for module, name, seconds in _PACES:
            stack.enter_context(patch.object(module, name, seconds))
        os.chdir(folder)
        stack.callback(os.chdir, here)
        yield
