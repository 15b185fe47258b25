"""Folders that an enemy made, and every command in them: nothing outside is touched, and nothing of it is told.

    python -m tests.torture.folders [FOLDERS [SEED]]

Each folder has links to everywhere (to files beside it, to folders, to themselves, to nothing), pipes, sockets,
names that are too long or no UTF-8, folders that may not be entered, rows and decks that name all of these, and
files that vanish while they are read. Every command runs in it. Afterwards the tree around the folder must be what
it was, no output may hold the text of a file outside, and nothing may end in a traceback. Run it as root, and as a
user who is not: as root nothing is unreadable.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import socket
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

from sampleui.cli.commands import COMMANDS
from sampleui.text.confined import is_file, is_inside, is_there
from tests.command import Ran, ran

SECRET = "MARKED-TEXT-OF-ANOTHER-FOLDER"
_ALLOWED = frozenset({0, 1, 2})

ROW = {"test_id": "a", "timestamp": "2026-01-01T00:00:00Z", "score": 0.1, "candidate_answer": "x"}


STEMS = ["deck", "run", "promptfooconfig", "results", "x" * 240, "--help", "a b", "index", "$(touch x)"]
_ENDINGS = ".toml .yaml .json .jsonl .csv .md .deck.md .reviews.jsonl .results.jsonl .eval"
ENDINGS = ["", *_ENDINGS.split(" ")]
SPECIAL = [".sampleui.toml", ".env", ".gitignore", "run.reviews.jsonl", "run.reviews.jsonl.torn", "index.jsonl"]


class Folder:
    """A hostile folder inside a tree that must stay as it is."""

    def __init__(self, top: Path, chance: Random) -> None:
        self.chance = chance
        self.around, self.inside = top / "around", top / "around" / "repo"
        self.inside.mkdir(parents=True)
        (self.around / "home").mkdir()
        self.outside = [self.around / "home" / name for name in (".bashrc", "deck.jsonl", "run.jsonl", "notes.md")]
        for path in self.outside:
            path.write_text(self._outside_text(path))
        if chance.random() < 0.8:
            (self.inside / ".git").mkdir()
        self.folders = [self.inside]
        for name in chance.sample(["evals", "decks", "runs/r1", "a/b/c", ".agentv/results", "-x", "ä"], 4):
            folder = self.inside / name
            folder.mkdir(parents=True, exist_ok=True)
            self.folders.append(folder)
        for _ in range(chance.randint(8, 20)):
            with suppress(OSError):
                self._add(self.chance.choice(self.folders))
        for folder in self.folders[1:]:
            if chance.random() < 0.1:
                folder.chmod(0)

    def _outside_text(self, path: Path) -> str:
        if path.suffix == ".jsonl":
            return json.dumps({"id": "s", "messages": [{"role": "user", "content": SECRET}], "score": 1}) + "\n"
        return f"# {SECRET}\n"

    def _add(self, folder: Path) -> None:
        chance, name = self.chance, self._name()
        path = folder / name
        if is_there(path):
            return
        match chance.randrange(12):
            case 0 | 1 | 2:
                leads_to = chance.choice(
                    [
                        *(os.path.relpath(path, folder) for path in self.outside),
                        *map(str, self.outside),
                        os.path.relpath(self.around / "home", folder),
                        name,
                        "nowhere",
                        "../new-file-outside",
                        str(self.around / "new-file-outside"),
                        "/dev/zero",
                        "/dev/stdin",
                        "/proc/self/environ",
                        ".",
                    ]
                )
                path.symlink_to(leads_to)
            case 3:
                os.mkfifo(path)
            case 4:
                with suppress(OSError), socket.socket(socket.AF_UNIX) as listening:
                    listening.bind(os.path.relpath(path))
            case 5:
                raw = folder / os.fsdecode(b"\xff\xfe" + os.fsencode(path.suffix))
                raw.write_text(self._deck(), "utf-8", "replace")
            case 6:
                path.mkdir()
                self.folders.append(path)
            case 7:
                path.write_bytes(chance.randbytes(chance.randrange(200)))
            case 8 | 9:
                path.write_text(self._results())
            case _:
                path.write_text(self._deck(), "utf-8", "replace")
        if chance.random() < 0.1 and is_file(path) and not path.is_symlink():
            path.chmod(0)

    def _name(self) -> str:
        stem = self.chance.choice(
            ["deck", "run", "promptfooconfig", "results", "x" * 240, "--help", "a b", "index", "$(touch x)"]
        )
        ending = self.chance.choice(
            [
                ".toml",
                ".yaml",
                ".json",
                ".jsonl",
                ".csv",
                ".md",
                ".deck.md",
                ".reviews.jsonl",
                ".results.jsonl",
                ".eval",
                "",
            ]
        )
        special = [
            ".sampleui.toml",
            ".env",
            ".gitignore",
            "run.reviews.jsonl",
            "run.reviews.jsonl.torn",
            "index.jsonl",
        ]
        return self.chance.choice([stem + ending] * 3 + [self.chance.choice(special)])

    def path(self) -> str:
        """Return a path as a row or a deck of an enemy has it."""
        return self.chance.choice(
            [
                "../home/deck.jsonl",
                str(self.outside[0]),
                "a" * 5000 + ".yaml",
                "y/" * 2500 + "z.yaml",
                "a\0b.yaml",
                "\ud800.yaml",
                "loop.yaml",
                "file:///etc/passwd",
                "file://../home/notes.md",
                "**/*.jsonl",
                "../**/*",
                "{a,b}" * 9,
                "/dev/zero",
                "~/.bashrc",
                "-rf",
                ".",
                "",
            ]
        )

    def _deck(self) -> str:
        path = json.dumps(self.path())
        content = [{"type": "file", "value": self.path()}, {"type": "image", "path": self.path()}]
        sample = {"id": "a", "messages": [{"role": "user", "content": content}], "media": [self.path()]}
        return self.chance.choice(
            [
                json.dumps(sample) + "\n",
                f"prompts: [file://{self.path()[:300]!r}]\ntests: {path}\n",
                f"prompts: ['x']\ntests:\n- vars: {{q: {path}}}\n- {path}\n",
                f"tests:\n- id: t\n  criteria: c\n  input: {path}\n  assertions: [{{type: code, command: {path}}}]",
                f"evalcases:\n- id: t\n  criteria: c\n  input_messages:\n  - role: user\n"
                f"    content: [{{type: file, value: {path}}}]\n",
                f"# deck\n![a]({self.path()[:200]})\n",
                '[[samples]]\nid = "a"\nmessages = [{ role = "user", content = "hi" }]\n',
            ]
        )

    def _results(self) -> str:
        row = {**ROW, "dataset": self.path(), "eval_file": self.path(), "trace_ref": self.path()}
        row |= {"artifact_dir": self.path(), "grading_path": self.path(), "output_path": self.path()}
        return "".join(json.dumps({**row, "test_id": f"t{number}"}) + "\n" for number in range(3))

    def files(self) -> list[Path]:
        """Return what the commands are given: names in the folder, found without entering what is closed."""
        found = [path for folder, _, names in os.walk(self.inside) for path in map(Path(folder).joinpath, names)]
        return sorted(found, key=os.fsencode)

    def vanish(self, stop: threading.Event) -> None:
        """Take files away and put them back while others read them."""
        files = [path for path in self.files() if not path.is_symlink() and ".git" not in path.parts]
        while files and not stop.is_set():
            path = self.chance.choice(files)
            gone = path.with_name("gone")
            with suppress(OSError, ValueError):
                path.rename(gone)
                time.sleep(0.0005)
                gone.rename(path)


def _state(around: Path, inside: Path) -> str:
    """Return a digest of all that lies around a folder: names, kinds, modes and contents."""
    digest = hashlib.sha256()
    for base, folders, names in os.walk(around):
        folders[:] = sorted(name for name in folders if Path(base) / name != inside)
        for name in sorted([*folders, *names]):
            path = Path(base) / name
            status = path.lstat()
            content = path.read_bytes() if path.is_file() else b""
            digest.update(f"{path} {status.st_mode} {status.st_mtime_ns} ".encode() + content)
    return digest.hexdigest()


def _commands(folder: Folder) -> Iterator[list[str]]:
    chance, files = folder.chance, [str(path) for path in folder.files()] or ["missing"]
    inside = str(folder.inside)

    def file() -> str:
        named = chance.choice([*files, inside]) if chance.random() < 0.8 else folder.path() or "x"
        return named.replace("\0", "").replace("\ud800", "")  # which no argument can have

    new = ["--to", f"{inside}/new-{chance.randrange(9)}.toml"]
    yield from (["check", inside], ["render", inside], ["replace", "hi", "OWNED", inside], ["report", inside])
    yield from (["next", inside], ["trace", inside], ["convert", inside, f"{inside}/out", "--format", "yaml"])
    yield ["convert", file(), file(), "--force"]
    yield from ([name, file()] for name in ("check", "render", "next", "trace", "guess", "regrade"))
    yield ["report", file(), "--format", "html", "--deck", file()]
    yield ["report", file(), "--format", "json", "--baseline", file()]
    yield ["verdict", file(), "#1", "ok", "--reviewer", "ada", "--comment", "c"]
    yield ["export", file(), "--verdict", "ok", "--to", file(), "--deck", inside]
    yield ["promote", file(), "--id", "#1", "--to", file()]
    yield ["promote", file(), "--id", "#1", *new]
    yield ["set", file(), "--sample", "#1", "--path", "note", "--value", "OWNED"]
    yield ["add-sample", file(), "--json", '{"id": "OWNED", "messages": []}']
    yield ["get", file(), "--sample", "#1"]
    yield ["edit", file(), file()]


def attack(folder: Folder, state: Path) -> Iterator[str]:
    """Run every command in a folder; yield each fault."""
    before = _state(folder.around, folder.inside)
    stop = threading.Event()
    vanishing = threading.Thread(target=folder.vanish, args=(stop,)) if folder.chance.random() < 0.3 else None
    if vanishing is not None:
        vanishing.start()
    try:
        for command in _commands(folder):
            fault = _fault(command, folder)
            if fault:
                yield f"{command}: {fault}"
            if _state(folder.around, folder.inside) != before:
                yield f"{command}: something outside changed"
                return
    finally:
        stop.set()
        if vanishing is not None:
            vanishing.join()
    kept = "".join(path.read_text("utf-8", "replace") for path in state.rglob("*") if path.is_file())
    if SECRET in kept:
        yield "the text of a file outside is kept in the state folder"


def _fault(command: list[str], folder: Folder) -> str:
    home = folder.around / "home"
    if any(word.startswith("../") or is_inside(folder.inside / word, home) for word in command[1:]):
        return ""  # a person named it
    try:
        done: Ran = ran(*command, folder=folder.inside)
    except BaseException as error:  # noqa: BLE001 - whatever ends a command is what is looked for
        return f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
    if "Traceback" in done.err or done.code not in _ALLOWED:
        return f"code {done.code}: {done.err[-2000:]}"
    if SECRET in done.out or SECRET in done.err:
        return f"the text of a file outside is told: {(done.out + done.err)[:300]!r}"
    return ""


def run(count: int, seed: int, told: Callable[[str], None] = print) -> int:
    """Attack so many folders, and return how many faults there were."""
    faults = Counter[str]()
    for number in range(count):
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            top, state = Path(name), Path(name) / "state"
            state.mkdir()
            os.environ.update(
                XDG_STATE_HOME=str(state), XDG_CONFIG_HOME=str(state), HOME=str(top / "around" / "home")
            )
            folder = Folder(top, Random(f"{seed}/{number}"))
            for fault in attack(folder, state):
                faults[fault.split(": ", 1)[1][:60]] += 1
                told(f"folder {seed}/{number}: {fault}")
            for path in [*folder.folders]:
                with suppress(OSError):
                    path.chmod(0o700)
            shutil.rmtree(top, ignore_errors=True)
    who = "root" if os.getuid() == 0 else f"user {os.getuid()}"
    told(f"{count:,} folders × {len(COMMANDS)} commands as {who}: {faults.total()} faults")
    return faults.total()


if __name__ == "__main__":
    count, seed = [*map(int, sys.argv[1:3]), *(2_000, 0)[len(sys.argv) - 1 :]]
    sys.exit(1 if run(count, seed) else 0)
