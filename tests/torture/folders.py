"""Folders that an enemy made, and every command and the app in them: nothing outside is touched or told.

    python -m tests.torture.folders [FOLDERS [SEED]]

Each folder has links to everywhere (to files beside it, to folders, to themselves, to nothing), pipes, sockets,
names that are too long or no UTF-8, folders that may not be entered, rows and decks that name all of these, files
that vanish while they are read, a project whose runs would start or load something outside, and often a repository,
of its own or one that leads to another beside it. Every command runs in it, and in every fortieth the app: the list
of the folder, a deck, a run. Afterwards the tree around the folder must be what it was, nothing told or written may
hold the text of a file outside, none of them may have been opened, and nothing may end in a traceback. Where an
argument leads out of the folder a person named that file: it alone may be told or changed.

Run it as root, and as one whom permissions stop. The last lines say what ran, how often.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import stat
import sys
import tempfile
import threading
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from sampleui.cli.commands import COMMANDS
from sampleui.review.log.store import log_path
from sampleui.text import confined
from sampleui.text.confined import real_path, status_of
from tests.command import ran

from .hostile_app import KEYS, Sitting
from .hostile_folder import Folder, State, marks_in, permissions_hold

_ALLOWED = frozenset({0, 1, 2})


class OpenedOutside:
    """The files outside of a folder that this process opens while a command or the app runs."""

    def __init__(self) -> None:
        self.found: set[Path] = set()
        self._folder: Folder | None = None
        sys.addaudithook(self._hear)  # which nothing takes away again

    @contextmanager
    def watching(self, folder: Folder) -> Iterator[None]:
        """Hear of what is opened around a folder, but not in it."""
        self.found = set()
        self._folder = folder
        try:
            yield
        finally:
            self._folder = None

    def _hear(self, event: str, args: tuple[object, ...]) -> None:
        if event != "open" or self._folder is None or not isinstance(args[0], str | bytes):
            return
        path = Path(os.fsdecode(args[0]))
        follows = not (isinstance(args[2], int) and args[2] & os.O_NOFOLLOW)
        path = real_path(path) if follows else real_path(path.parent) / path.name
        if _is_outside(self._folder, path) and status_of(path) is not None and not path.is_dir():
            self.found.add(path)


OPENED = OpenedOutside()
_APP_EVERY = 40


@dataclass
class Counts:
    """What ran, and what came of it."""

    folders: int = 0
    commands: Counter[str] = field(default_factory=Counter)
    codes: Counter[int] = field(default_factory=Counter)
    named: int = 0
    app: Counter[str] = field(default_factory=Counter)
    keys: int = 0
    repositories: Counter[str] = field(default_factory=Counter)
    faults: int = 0

    def told(self) -> Iterator[str]:
        """Yield the closing lines."""
        held = "permissions hold" if permissions_hold() else "no permission holds"
        yield f"{self.folders:,} folders as user {os.getuid()}, for whom {held}: {self.faults:,} faults"
        yield f"repositories: {_listed(self.repositories)}"
        yield f"{self.commands.total():,} command lines, none left out: {_listed(self.commands)}"
        missing = [name for name in COMMANDS if name not in self.commands]
        yield f"commands that never ran: {', '.join(missing) or 'none'}"
        yield f"exit codes: {_listed(self.codes)}; {self.named:,} named a file outside, and had that alone"
        yield f"the app, {self.keys:,} keys: {_listed(self.app) or 'never opened'}"


def _listed(counter: Counter[str] | Counter[int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in sorted(counter.items()))


def _commands(folder: Folder) -> Iterator[list[str]]:
    chance, files = folder.chance, [str(path) for path in folder.files()] or ["missing"]
    inside = str(folder.inside)

    def file() -> str:
        roll = chance.random()
        if roll < 0.5:
            named = chance.choice([*files, inside])
        else:
            named = str(chance.choice(folder.sound)) if roll < 0.85 else folder.path() or "x"
        named = named.replace("\0", "").replace("\ud800", "")  # which no argument can have
        return named.replace("/**", "**")  # a person's own glob may look through the whole disk

    first = ["--sample", "#1"]
    turn = [*first, "--path", "messages[0]"]
    yield from (["check", inside], ["render", inside], ["replace", "hi", "OWNED", inside], ["report", inside])
    yield from (["next", inside], ["trace", inside], ["convert", inside, f"{inside}/out", "--format", "yaml"])
    yield ["convert", file(), file(), "--force"]
    yield from ([name, file()] for name in ("check", "render", "next", "trace", "guess", "regrade", "review"))
    yield ["report", file(), "--format", "html", "--deck", file()]
    yield ["report", file(), "--format", "json", "--baseline", file()]
    yield ["verdict", file(), "#1", "ok", "--reviewer", "ada", "--comment", "c"]
    yield ["verdict", file(), "#1", "ok", "--as", "agent:eve"]
    yield ["comment", file(), "#1", "OWNED", "--as", "agent:eve"]
    yield ["comment", file(), "#1", "OWNED", "--reviewer", "ada"]
    yield ["comments", file(), "--format", "json"]
    yield ["code", "add", file(), "OWNED", "OWNED"]
    yield ["code", "add", file(), file(), "--as", "agent:eve"]
    yield ["code", "list", file(), "--format", "json"]
    yield ["label", file(), file(), "--as", "agent:eve"]
    yield ["proposals", file()]
    yield ["labels", file(), "--from", file(), "--code", "OWNED", "--reviewer", "ada"]
    yield ["labels", file(), "--to", f"{inside}/new-{chance.randrange(9)}.jsonl", "--code", "OWNED"]
    yield ["verdicts", file(), "--to", chance.choice(["skills", "agentv"])]
    copy = f"{inside}/new-{chance.randrange(9)}.{chance.choice(['eval', 'json'])}"
    yield ["verdicts", file(), "--to", chance.choice(["inspect", "promptfoo"]), "-o", copy]
    yield ["verdicts", file(), "--to", "inspect", "--in-place"]
    yield ["rerun", file(), *chance.choice([["--id", "#1"], ["--failed"]]), "--n", "2", "--deck", file()]
    yield ["rerun", inside, "--failed"]
    again = folder.again
    yield ["rerun", f"{again}/out.json", "--failed", "--yes"]
    yield ["rerun", f"{again}/log.json", "--failed", "--yes"]
    yield ["verdict", f"{again}/log.json", "#1", "grader-wrong", "--reviewer", "ada"]
    yield ["verdicts", f"{again}/log.json", "--to", "inspect", "-o", f"{again}/new.json", "--yes"]
    yield ["trust"]
    yield ["trust", "--remove", file()]
    yield ["set", file(), *first, "--path", "note", "--value", "OWNED", "--propose", "--as", "agent:eve"]
    yield ["skill", "--to", f"{inside}/skill-{chance.randrange(3)}"]
    yield ["export", file(), "--verdict", "ok", "--to", file(), "--deck", inside]
    yield ["promote", file(), "--id", "#1", "--to", file()]
    yield ["promote", file(), "--id", "#1", "--to", f"{inside}/new-{chance.randrange(9)}.toml"]
    yield ["get", file(), *first]
    yield ["set", file(), *first, "--path", "note", "--value", "OWNED"]
    yield ["set", file(), *first, "--path", "note", "--file", file()]
    yield ["insert", file(), *turn, "--json", '{"role": "user", "content": "OWNED"}']
    yield ["rename", file(), *first, "--path", "note", "--to", "note2"]
    yield ["move", file(), *turn, "--to", "1"]
    yield ["delete", file(), *turn]
    yield ["add-sample", file(), "--json", '{"id": "OWNED", "messages": []}']
    yield ["rename-sample", file(), *first, "--to", "OWNED2"]
    yield ["move-sample", file(), *first, "--to", "#2"]
    yield ["delete-sample", file(), *first]
    yield ["edit", file(), file()]
    yield ["schema", chance.choice(["calibrate", "agentv", file()])]
    yield ["completion", chance.choice(["bash", "zsh", "fish"])]


def attack(folder: Folder, kept: Path, counts: Counts, *, app: bool) -> Iterator[str]:
    """Run every command in a folder, and the app if it is to be; yield each fault.

    Args:
        folder: the folder.
        kept: the folder of the program's own state.
        counts: what is counted.
        app: whether the app is opened in it.
    """
    before = folder.state()
    stop = threading.Event()
    vanishing = threading.Thread(target=folder.vanish, args=(stop,)) if folder.vanishes else None
    if vanishing is not None:
        vanishing.start()
    try:
        for command in _commands(folder):
            named = _named(folder, command)
            counts.commands[command[0]] += 1
            counts.named += bool(named)
            yield from (f"{command}: {fault}" for fault in _faults(command, folder, named, counts))
            now = folder.state()
            yield from (f"{command}: {fault}" for fault in _changed(folder, before, now, command, named))
            if named:
                _forget(folder, kept)
                now = folder.state()
            before = now
        if app:
            sitting = Sitting(folder)
            for face in KEYS:
                counts.app[face] += 1
                _forget_names()
                with OPENED.watching(folder):
                    faults = asyncio.run(sitting.face(face))
                if OPENED.found and not folder.swaps:
                    faults.append(f"outside {sorted(map(str, OPENED.found))} opened")
                yield from (f"app, {face}: {fault}" for fault in faults)
                now = folder.state()
                yield from (f"app, {face}: {fault}" for fault in _changed(folder, before, now, ["app", "."], []))
                before = now
            counts.keys += sitting.keys
            counts.app.update(sitting.screens)
    finally:
        stop.set()
        if vanishing is not None:
            vanishing.join()
    for path, mark in folder.marked():
        yield f"{path} has been given the text of {mark!r}, outside"
    for path in kept.rglob("*"):
        if path.is_file() and (found := marks_in(path.read_bytes())):
            yield f"the state folder keeps the text of {found}, outside"


def _named(folder: Folder, command: Sequence[str]) -> list[Path]:
    """Return the files outside that the arguments of a command lead to; all of them for a glob that leads there."""
    arguments = (real_path(folder.inside / word) for word in command[1:])
    named = [path for path in arguments if _is_outside(folder, path)]
    if any(_is_shared(folder.inside / word) for word in command[1:]):
        named.append(folder.outside[0])
    if any("*" in word or "{" in word for word in command):
        named += [*folder.outside, *(folder.home / "private").glob("*.*"), *(folder.home / "evil").glob("*.*")]
    if folder.swaps and any(word.startswith(f"{folder.inside}/") for word in command[1:]):
        # A person's own path is followed wherever it leads by now.
        named += [folder.outside[1], *(folder.home / "private").glob("*.*")]
    return [*named, folder.home / "private"] if any(folder.home in path.parents for path in named) else named


def _is_shared(path: Path) -> bool:
    """Tell whether a file is one outside by a second name."""
    status = status_of(path)
    return status is not None and stat.S_ISREG(status.st_mode) and status.st_nlink > 1


def _is_outside(folder: Folder, path: Path) -> bool:
    return path.is_relative_to(folder.around) and not path.is_relative_to(folder.inside) and path != folder.around


def _forget_names() -> None:
    """Let a command know of no name that an earlier one was given: a person runs each in a process of its own."""
    confined.NAMES = confined.NamedPaths()


def _faults(command: list[str], folder: Folder, named: Sequence[Path], counts: Counts) -> Iterator[str]:
    _forget_names()
    try:
        with OPENED.watching(folder):
            done = ran(*command, folder=folder.inside)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever ends a command is what is looked for
        yield f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
        return
    counts.codes[done.code] += 1
    if not folder.swaps and (read := OPENED.found - {*named}):
        yield f"outside {sorted(map(str, read))} opened"
    if "Traceback" in done.err or done.code not in _ALLOWED:
        yield f"code {done.code}: {done.err[-2000:]}"
    told = marks_in((done.out + done.err).encode("utf-8", "replace"))
    if strange := told - {os.fsencode(path.name) for path in named}:
        yield f"the text of {strange}, outside, is told: {(done.out + done.err)[:300]!r}"


def _changed(
    folder: Folder, before: State, now: State, command: Sequence[str], named: Sequence[Path]
) -> Iterator[str]:
    """Yield what changed outside, except for files that a person named, and the log beside one where it lies.

    The folder itself is one where it is opened as a run: its log lies beside it.
    """
    changed = {path for path in {*before, *now} if before.get(path) != now.get(path)}
    theirs = [*named]
    for word in command[1:]:
        log = log_path(folder.inside / word) if len(word) < 1000 else folder.inside
        theirs.append(real_path(log.parent) / log.name)
        deck = real_path(folder.inside / word) if len(word) < 1000 else folder.inside
        theirs.append(deck.with_name(f"{deck.name}.proposals.jsonl"))
    for path in sorted(changed):
        if not any(path.is_relative_to(own) or own.is_relative_to(path) for own in theirs):
            yield f"outside {path} changed"


def _forget(folder: Folder, kept: Path) -> None:
    """Take away what a command may have written that was given a file outside, and lay the files outside again."""
    with folder.staying:
        for path, _ in [*folder.marked()]:
            path.unlink(missing_ok=True)
    shutil.rmtree(kept)
    kept.mkdir()
    for path in [*folder.around.iterdir(), *folder.home.iterdir()]:
        if path not in (folder.inside, folder.home, folder.home / "private", *folder.outside):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()
    folder.lay_outside()


def run(numbers: Iterable[int], seed: int, told: Callable[[str], None] = print) -> Counts:
    """Attack folders, each made by its number, and return what ran and how many faults there were."""
    counts = Counts()
    for number in numbers:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            top, kept = real_path(name), real_path(name) / "kept"
            kept.mkdir()
            os.environ.update(
                XDG_STATE_HOME=str(kept), XDG_CONFIG_HOME=str(kept), HOME=str(top / "around" / "home")
            )
            folder = Folder(top, Random(f"{seed}/{number}"))
            counts.folders += 1
            counts.repositories[folder.repository] += 1
            for fault in attack(folder, kept, counts, app=number % _APP_EVERY == 0):
                counts.faults += 1
                told(f"folder {seed}/{number}: {fault}")
            for path in folder.folders:
                with suppress(OSError):
                    path.chmod(0o700)
    for line in counts.told():
        told(line)
    return counts


if __name__ == "__main__":
    count, seed = [*map(int, sys.argv[1:3]), *(2_000, 0)[len(sys.argv) - 1 :]]
    sys.exit(1 if run(range(count), seed).faults else 0)
