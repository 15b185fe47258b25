"""What a recorded case of the author screen is: a deck, and keys typed into the app that has it open."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sampleui.formats.data import Plain, Table
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.screens.base import CommandScreen
from tests.recorded import folder_of_a_case, write

from .driver import Driver, drawn_lines, opened, said


def play(given: dict[str, Any]) -> Plain:
    """Type keys, each when all that the one before it caused has happened.

    Args:
        given: `files`, their texts by name, the deck first; the `keys`; and the `size` of the terminal.

    Returns:
        What is `said` on the way, each once; the lines of the `screen` in the end; the `deck` as it would be saved
        with how many steps of it can be undone, None if it is closed; and the `files` that differ from what was
        given.
    """
    with folder_of_a_case() as home:
        folder = home / "decks"
        (folder / ".git").mkdir(parents=True)
        write(folder, given["files"])
        with patch.dict(os.environ, dict.fromkeys(_HOMES, str(home))):
            found = asyncio.run(_played(folder / next(iter(given["files"])), given["keys"], given["size"]))
        texts = {file.name: file.read_text(encoding="utf-8") for file in folder.iterdir() if file.is_file()}
        changed: Table = {file: text for file, text in texts.items() if given["files"].get(file) != text}
        return {**found, "files": dict(sorted(changed.items()))}


_HOMES = ("HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")


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
