"""Every command of every screen, run on files of odd values: nothing but a message may come of it.

    python -m tests.torture.oddities [SEED [KIND NAME]]

Each file is opened in the app once for each way to answer questions, with Enter or with Escape. From several
places of the cursor (chosen by the seed) every command of the screen is run, as the palette does. What it asks
is answered, and what it edited is mostly taken back. What ends the app is raised with the commands that led to
it, and a file that changed though nothing was saved is a fault.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from textual.screen import Screen

from sampleui.review.queue import ReviewOptions
from sampleui.runs.records import open_run
from sampleui.settings.options import Settings
from sampleui.tui.app import SampleUI
from sampleui.tui.author.screen import AuthorScreen
from sampleui.tui.opening import first_screen
from sampleui.tui.review.first_screen import first_review
from sampleui.tui.screens.base import CommandScreen
from sampleui.tui.trace.screen import TraceScreen
from sampleui.tui.workspace.screen import WorkspaceScreen
from tests.tui.pressing import press, rested

from .odd_files import DECKS, RESULTS

HOMES = ("HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
KINDS: Mapping[str, Mapping[str, Mapping[str, str]]] = {
    "author": DECKS,
    "review": RESULTS,
    "trace": RESULTS,
    "workspace": {"all": {name: text for files in DECKS.values() for name, text in files.items()}},
    "found": {"all": {name: text for files in DECKS.values() for name, text in files.items()}},
}
"""What each kind of screen is opened on, by name: the files, the first of which is the one that is opened."""

_LEAVING = frozenset({"app.quit", "app.suspend"})
_SAVING = frozenset({"deck.save", "deck.save-as", "deck.save-copy", "sample.export", "record.promote"})
"""Commands that may write a file as soon as what they ask is answered."""

_MOVES = ("1", "2", "3", "4", "j", "k", "l", "h", "p", "[", "]", "G", "g", "home", "end", "tab")
_PLACES: Mapping[str, Sequence[tuple[str, ...]]] = {
    "author": ((), ("2",), ("2", "j", "j", "j"), ("2", "end", "l"), ("2", "end", "k", "l", "l"), ("1", "home", "k"))
}
"""The keys to the places that are tried first: a turn, a field, a value inside it, beside the samples."""

Made = Callable[[], Screen[int]]


@dataclass
class Tried:
    """What was run of each screen, in order, and what came of it."""

    commands: int = 0
    played: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


def maker(kind: str, path: Path) -> Made:
    """Return what makes the screen of a kind for a file."""
    settings = Settings()
    if kind == "author":
        return first_screen(path, settings, None)
    if kind == "review":
        return first_review(ReviewOptions(results=path, reviewer="ada", everything=True), settings)
    if kind == "trace":
        run = open_run(path)
        return lambda: TraceScreen(run, settings)
    return lambda: WorkspaceScreen((path.parent,), settings)


async def _at_rest(app: SampleUI, below: CommandScreen) -> None:
    """Leave what lies over a screen, and what is typed into."""
    for _ in range(8):
        if app.screen is below and not below.scope:
            break
        if app.screen is below and below.scope not in ("editor", "line", "filter", "comment"):
            break
        await press(app, *(("escape",) if app.screen is below or not _commanding(app) else ("ctrl+q",)))
        if not app.is_running:
            break


def _commanding(app: SampleUI) -> bool:
    return isinstance(app.screen, CommandScreen)


async def _answered(app: SampleUI, below: CommandScreen, answer: str, chance: Random) -> None:
    for _ in range(4):
        if not app.is_running or app.screen is below or _commanding(app):
            break
        if answer == "enter":
            await press(app, *chance.choice(((), ("a",), ("x",), tuple("a=1"), ("down",))))
        await press(app, answer)


async def _play(
    app: SampleUI, kind: str, folder: Path, answer: str, places: int, chance: Random, tried: Tried, most: int
) -> str:
    """Run every command, or some, from some places of a screen; return what went wrong, nothing if all is well."""
    await rested(app)
    if kind == "found":
        await press(app, "ctrl+f", "a", "enter")
        await asyncio.sleep(0.2)
        await rested(app)
    while not isinstance(app.screen, CommandScreen):  # a question before the first screen
        await press(app, "enter")
    below, before = app.screen, _bytes(folder)
    for place in range(places):
        first = _PLACES.get(kind, ((),))
        keys = first[place] if place < len(first) else tuple(chance.choices(_MOVES, k=chance.randint(1, 8)))
        tried.played.append(" ".join(keys))
        await press(app, *keys)
        commands = [command for command in below.registry if command.id not in _LEAVING]
        chance.shuffle(commands)
        for command in commands[:most]:
            tried.played.append(command.id)
            tried.commands += not command.needs(below)
            below.run_command(command)
            await rested(app)
            await _answered(app, below, answer, chance)
            await _at_rest(app, below)
            if not app.is_running or app.screen is not below:
                return f"{command.id} left the screen"
            if isinstance(below, AuthorScreen) and chance.random() < 0.7:
                while below.session.history.last is not None:
                    below.run_command(below.registry["deck.undo"])
                    await rested(app)
                    await _at_rest(app, below)
            if command.id in _SAVING or answer == "enter":
                before = _bytes(folder)
            elif before != _bytes(folder):
                return f"{command.id} changed a file"
    return ""


def _bytes(folder: Path) -> dict[str, bytes]:
    """Return the files there, but for the logs of decisions, which commands of a review write."""
    files = (path for path in folder.iterdir() if path.is_file() and ".reviews.jsonl" not in path.name)
    return {path.name: path.read_bytes() for path in files}


async def try_file(
    kind: str, name: str, answer: str, seed: str, places: int, tried: Tried, most: int = 1000
) -> None:
    """Open a file in an app and run commands there, all or some. What ends it is raised, with what led to it."""
    chance = Random(f"{seed}/{kind}/{name}/{answer}")
    with tempfile.TemporaryDirectory() as folder:
        files = KINDS[kind][name]
        for file, text in files.items():
            (Path(folder) / file).write_text(text, encoding="utf-8", newline="")
        app = SampleUI(maker(kind, Path(folder) / next(iter(files))), Settings())
        tried.played.clear()
        try:
            async with app.run_test(size=chance.choice(((80, 24), (140, 40)))):
                fault = await _play(app, kind, Path(folder), answer, places, chance, tried, most)
        except BaseException as error:
            error.add_note(f"{kind} {name} {answer}: {tried.played[-12:]}")
            raise
        if fault:
            tried.faults.append(f"{kind} {name} {answer}: {tried.played[-12:]}: {fault}")


async def run(seed: str, places: int, kinds: Iterable[str], names: Iterable[str] | None = None) -> Tried:
    """Try the files of kinds, all or those with names, with each answer."""
    tried = Tried()
    for kind in kinds:
        for name in KINDS[kind] if names is None else names:
            for answer in ("enter", "escape"):
                await try_file(kind, name, answer, seed, places, tried)
    return tried


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(dict.fromkeys(HOMES, home))
        seed = sys.argv[1] if len(sys.argv) > 1 else "1"
        done = asyncio.run(run(seed, 8, sys.argv[2:3] or KINDS, sys.argv[3:] or None))
        print(f"{done.commands} commands, {len(done.faults)} faults", *done.faults, sep="\n")
