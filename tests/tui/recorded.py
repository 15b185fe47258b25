"""What a recorded case of the author screen is: a deck, and keys typed into the app that has it open."""

from __future__ import annotations

import asyncio
import os
import tempfile
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sampleui.formats.data import Plain, Table
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.screens.base import CommandScreen

from .driver import Driver, drawn_lines, opened, said

FASTEST = Path("/dev/shm")
"""A file system in memory, where there is one."""


def play(given: dict[str, Any]) -> Plain:
    """Type keys, each when all that the one before it caused has happened.

    Args:
        given: `files`, their texts by name, the deck first; the `keys`; and the `size` of the terminal.

    Returns:
        What is `said` on the way, each once; the lines of the `screen` in the end; the `deck` as it would be saved
        with how many steps of it can be undone, None if it is closed; and the `files` that differ from what was
        given.
    """
    with tempfile.TemporaryDirectory(dir=FASTEST if FASTEST.is_dir() else None) as name:
        folder = Path(name, "decks")
        (folder / ".git").mkdir(parents=True)
        for file, text in given["files"].items():
            (folder / file).write_text(text, encoding="utf-8", newline="")
        with patch.dict(os.environ, {"HOME": name, **dict.fromkeys(_HOMES, name)}):
            found = asyncio.run(_played(folder / next(iter(given["files"])), given["keys"], given["size"]))
        texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.is_file()}
        changed: Table = {file: text for file, text in texts.items() if given["files"].get(file) != text}
        return {**found, "files": dict(sorted(changed.items()))}


_HOMES = ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")


async def _played(path: Path, keys: list[str], size: list[int]) -> Table:
    heard: list[Plain] = []
    async with opened(path, (size[0], size[1])) as app:
        for key in keys:
            await app.press(key)
            told = _said(app)
            if told and told not in heard[-1:]:
                heard.append(told)
        await app.rested()
        lines = [line.rstrip() for line in drawn_lines(app.app.screen)]
        deck: Plain = [app.text, app.steps] if _has_deck(app) else None
        return {"said": heard, "screen": "\n".join(lines).rstrip(), "deck": deck}


def _has_deck(app: Driver) -> bool:
    return any(isinstance(one, AuthorScreen) for one in app.app.screen_stack)


def _said(app: Driver) -> str:
    screen = app.app.screen
    return said(screen) if isinstance(screen, CommandScreen) else ""
