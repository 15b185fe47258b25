"""What a screen asks by a box over it: a question, a name, a text. Nothing of it is on a first frame."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sampleui.sample.dialects.shipped import DIALECTS
from sampleui.settings.writing import remember
from sampleui.text.visible import one_line
from sampleui.tui.drawing.rows import fitted
from sampleui.tui.screens.dialogs import Ask, Confirm, Pick, ThemePicker, Write, likely_first, project_files
from sampleui.tui.themes import theme_names, use_theme
from sampleui.workspace.deck import Deck, new_deck
from sampleui.workspace.reading import PromptOptions, dialects_of_new

if TYPE_CHECKING:
    from sampleui.sample.dialects.dialect import Dialect
    from sampleui.tui.screens.base import CommandScreen

_CHOICE = 50
"""Cells of a line of a box that offers a text to copy: what it is, and how it begins."""


async def confirm(
    screen: CommandScreen,
    question: str,
    answers: Mapping[str, str],
    cancel: str = "Cancel",
    *,
    safe: bool = False,
    again: Sequence[str] = (),
) -> str:
    """Ask a question and return the key of the answer; empty for none, which `cancel` says in words.

    The cursor begins on the first answer, or on `cancel` if only that is `safe`. The keys of `again`, which
    asked, give that answer as `Enter` does.
    """
    return await screen.answer_to(Confirm(question, answers, cancel, safe=safe, again=again)) or ""


async def pick(
    screen: CommandScreen,
    title: str,
    names: Sequence[str] | Mapping[str, str],
    *,
    free: bool = False,
    texts: bool = False,
) -> str:
    """Ask for one of several names, each with what it is for if that is known, and return it; empty for none.

    With `free`, any other name may be typed, with `texts` any text, such as a path.
    """
    return await screen.answer_to(Pick(title, names, free=free, texts=texts)) or ""


async def begin_deck(screen: CommandScreen, path: Path, likely: Dialect | None = None) -> Deck | None:
    """Ask for the dialect of a deck that does not exist yet, and return that deck; None for no answer.

    A `likely` dialect is offered first, but for one that was guessed.
    """
    prompts = PromptOptions.of(screen.settings)
    dialects = dialects_of_new(path, prompts)
    if likely is not None and (likely.name in DIALECTS or likely in prompts.dialects):
        dialects = {likely.title: likely, **dialects}
    purposes = {title: dialect.purpose for title, dialect in dialects.items()}
    title = await pick(screen, f"{path.name} is new: its dialect", purposes)
    return new_deck(path, dialects[title].name, prompts) if title else None


async def ask(screen: CommandScreen, title: str, text: str = "") -> str:
    """Ask for one line and return it; empty for none."""
    return (await screen.answer_to(Ask(title, text)) or "").strip()


async def write(screen: CommandScreen, title: str, text: str = "") -> str:
    """Ask for a text of several lines and return it; empty for none."""
    return await screen.answer_to(Write(title, text)) or ""


async def pick_file(screen: CommandScreen, folder: Path) -> str:
    """Ask for a file of the project and return its path as a deck in the folder would write it."""
    names = likely_first(await asyncio.to_thread(project_files, folder))
    return await pick(screen, "Attach a file or a URL", names, texts=True)


async def copy_one_of(screen: CommandScreen, name: str, title: str, texts: Mapping[str, tuple[str, str]]) -> None:
    """Ask which of several texts to copy, each by a key with what it is and the text itself, and copy it.

    The keys of the command of that name take the first one when they are pressed again.
    """
    named = {
        key: fitted(f"{what[0].upper()}{what[1:]}  {one_line(text, _CHOICE)}", _CHOICE)
        for key, (what, text) in texts.items()
    }
    picked = await confirm(screen, title, named, again=screen.keymap.keys(screen.registry[name]))
    if picked:
        what, text = texts[picked]
        screen.copy(text, what)


async def choose_theme(screen: CommandScreen) -> None:
    """Ask for a theme, each shown while the cursor is on it, and remember it."""
    before = screen.app.theme
    picked = await screen.app.push_screen_wait(ThemePicker(theme_names(screen.app), before))
    use_theme(screen.app, picked or before)
    if picked:
        remember("theme", picked)
        screen.say(f"{picked} is your theme from now on")
