"""The app in a hostile folder, as a person uses it: by its keys, and by what it draws."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from sampleui.errors import SampleUIError
from sampleui.settings.options import Settings, load_settings
from sampleui.text.confined import is_inside, named
from sampleui.tui.app import SampleUI
from sampleui.tui.opening import first_screen
from sampleui.tui.review.first_screen import usual_review
from sampleui.tui.screens.base import ScreenMaker
from sampleui.tui.workspace.screen import WorkspaceScreen
from tests.tui.driver import drawn_lines, keys_of
from tests.tui.pressing import press, rested

from .hostile_folder import Folder, marks_in

_OUT = ("escape",) * 3
_STEPS = 9
_TRIED = 6

DECK_KEYS = {
    "edit": ("2", "e", *keys_of("OWNED"), "escape", *_OUT),
    "new sample": ("n", *keys_of("OWNED"), "escape", *_OUT),
    "delete": ("1", "d", "enter", *_OUT),
    "duplicate": ("1", "D", *_OUT),
    "set a field": ("S", *keys_of("note = OWNED"), "enter", *_OUT),
    "bring up to date": ("M", "enter", "enter", *_OUT),
    "compare with the index": ("c", *keys_of("index"), "enter", "P", *_OUT),
    "compare with the last commit": ("c", *keys_of("last"), "enter", "P", *_OUT),
    "take a change back": ("U", "enter", *_OUT),
    "attach": ("2", "a"),
    "save": ("ctrl+s", "enter", *_OUT),
    "save as": ("A", "ctrl+u"),
    "save a copy": ("C", "ctrl+u"),
    "export": ("1", "X"),
    "preview": ("p", "p", "p", "=", "p", "p"),
    "replace": ("ctrl+f", *keys_of("hi"), "enter", "r", *keys_of("OWNED"), "enter", "enter", *_OUT),
    "open another": ("ctrl+o", *keys_of("de"), "enter", *_OUT),
}
RUN_KEYS = {
    "decide": ("1", "c", *keys_of("why"), "enter", *_OUT),
    "decide again": ("2", "N", "5", *_OUT),
    "comment": ("]", "c", *keys_of("why"), "enter", *_OUT),
    "tag": ("#", *keys_of("kind"), "enter", *_OUT),
    "take back": ("u", *_OUT),
    "take the answer": ("x", "enter", "enter", *_OUT),
    "fix": ("e", *keys_of("OWNED"), "escape", "ctrl+s", *_OUT),
    "promote": ("n",),
    "figures": ("R", "escape", "B", "escape", "s", "escape", "M", *_OUT),
    "scorer": ("D", "enter", *_OUT),
    "other runs": ("O", "j", "enter", *_OUT),
    "trace": ("t", "p", "p", "n"),
    "views": ("v", "v", "v", "/", *keys_of("x"), "enter", *_OUT),
}
LIST_KEYS = {
    "open": ("j", "enter", *_OUT),
    "open and edit": ("enter", "2", "e", *keys_of("OWNED"), "escape", *_OUT),
    "open and decide": ("G", "enter", "1", *_OUT),
    "find and replace": ("ctrl+f", *keys_of("hi"), "enter", "r", *keys_of("OWNED"), "enter", "enter", *_OUT),
    "open by name": ("ctrl+o", *keys_of("a"), "enter", *_OUT),
    "filter": ("/", *keys_of("de"), "enter", *_OUT),
    "save all": ("ctrl+s", *_OUT),
    "look again": ("ctrl+l", *_OUT),
}
KEYS = {"a folder": LIST_KEYS, "a deck": DECK_KEYS, "a run": RUN_KEYS}


class Sitting:
    """One person's time with the app in a hostile folder.

    Attributes:
        keys: how many keys were pressed.
        screens: how often each kind of screen was on top after some keys.
    """

    def __init__(self, folder: Folder) -> None:
        self.keys = 0
        self.screens = Counter[str]()
        self._folder = folder

    async def face(self, face: str) -> list[str]:
        """Open a face of the app on the first path of some that it takes, press keys, and return the faults."""
        files = [path for path in self._folder.files() if not self._leads_out(path)]
        self._folder.chance.shuffle(files)
        named(self._folder.inside)  # as the command line does
        if self._folder.chance.random() < 0.5:
            files = [path for path in self._folder.sound if path in files][:: -1 if face == "a run" else 1] + files
        for path in [*files[:_TRIED], self._folder.inside / "missing.toml"]:
            try:
                settings = load_settings(self._folder.inside, {"reviewer": "ada"})
                return await self._used(SampleUI(self._first(face, path, settings), settings), face, path)
            except SampleUIError:
                self.screens["refused"] += 1
            except (Exception, SystemExit):  # noqa: BLE001 - whatever ends the app is what is looked for
                return [f"{path}: {traceback.format_exc()}"]
        return []

    async def _used(self, app: SampleUI, face: str, path: Path) -> list[str]:
        keys = KEYS[face]
        played: list[str] = []
        faults: list[str] = []
        async with app.run_test(size=(120, 40)):
            await rested(app)
            for step in self._folder.chance.choices(sorted(keys), k=_STEPS):
                faults += self._told(app, path, played)
                if not app.is_running:
                    break
                played.append(step)
                pressed = (*keys[step], *self._answer(keys[step]))
                self.keys += len(pressed)
                await press(app, *pressed)
            faults += self._told(app, path, played)
        return faults

    def _leads_out(self, path: Path) -> bool:
        return path.is_symlink() and not is_inside(path, self._folder.inside)

    def _first(self, face: str, path: Path, settings: Settings) -> ScreenMaker:
        match face:
            case "a folder":
                return lambda: WorkspaceScreen([self._folder.inside], settings)
            case "a deck":
                return first_screen(path, settings, None)
            case _:
                return usual_review(path, settings)

    def _answer(self, keys: tuple[str, ...]) -> tuple[str, ...]:
        """Return the keys that answer a question for a file, by the name of one that is in the folder."""
        if keys[-len(_OUT) :] == _OUT:
            return ()
        names = [path.name for path in self._folder.files() if path.name.isascii() and len(path.name) < 40]
        name = self._folder.chance.choice(["new.toml", "new.jsonl", *names])
        return (*keys_of(name), "enter", "enter", *_OUT)

    def _told(self, app: SampleUI, path: Path, played: list[str]) -> Iterator[str]:
        if app.is_running and app.screen_stack:
            self.screens[type(app.screen).__name__] += 1
            if marks := marks_in("\n".join(drawn_lines(app.screen)).encode("utf-8", "replace")):
                yield f"{path}: {played}: the text of {marks}, outside, is shown"
