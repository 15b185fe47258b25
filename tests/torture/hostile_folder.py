"""A folder that an enemy made, in a tree that has to stay as it is, with texts in it that nobody is to be told."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import socket
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from random import Random

from sampleui.text.confined import is_there

MARK = b"MARKED-TEXT-OF-"
"""How each text begins that lies outside of the folder; the name of its file follows."""

ROW = {"test_id": "a", "timestamp": "2026-01-01T00:00:00Z", "score": 0.1, "candidate_answer": "x"}

SOUND = "".join(
    f'[[samples]]\nid = "t{number}"\nnote = "n"\nmessages = [{{ role = "user", content = "hi" }}]\n\n'
    for number in range(3)
)
"""A deck in which nothing is wrong: of what cannot be read a command does little."""

STEMS = ["deck", "run", "promptfooconfig", "results", "x" * 240, "--help", "a b", "index", "$(touch x)"]
_ENDINGS = ".toml .yaml .json .jsonl .csv .md .deck.md .reviews.jsonl .results.jsonl .eval"
ENDINGS = ["", *_ENDINGS.split(" ")]
SPECIAL = [".sampleui.toml", ".env", ".gitignore", "run.reviews.jsonl", "run.reviews.jsonl.torn", "index.jsonl"]
OUTSIDE = (".bashrc", "deck.jsonl", "run.jsonl", "notes.md")
DECKS = ("deck.jsonl", "deck.toml", "index.jsonl", "run.jsonl")
"""The names under which the repository beside the folder has a deck; the folder has decks of these names too."""


ROOT = Path(__file__).parents[2]
_PATHS = re.compile(
    rb"""(?:file://|\.{0,2}/)?[\w./*-]{1,80}\.(?:ya?ml|jsonl?|toml|csv|tsv|md|txt|html|js|py|png|pdf|eval)\b"""
)
"""What looks like the path of a file in the files of tools."""

_MAX_WRITTEN = 1 << 18


@cache
def written_by_tools() -> tuple[tuple[Path, ...], ...]:
    """Return decks and runs as tools write them, the files of each folder together."""
    folders = [ROOT / "examples", *(ROOT / "tests" / "integrations").iterdir()]
    found: dict[Path, list[Path]] = {}
    for path in sorted(path for folder in folders if folder.is_dir() for path in folder.rglob("*")):
        is_data = path.suffix not in (".py", ".pyc", ".mjs") or "written" in path.parts
        if is_data and path.is_file() and path.stat().st_size < _MAX_WRITTEN:
            found.setdefault(path.parent, []).append(path)
    return tuple(map(tuple, found.values()))


def _git(folder: Path, *args: str) -> None:
    named = ["-c", "user.name=a", "-c", "user.email=a@b.c", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"]
    subprocess.run(["git", "-C", str(folder), *named, *args], check=True, capture_output=True)


@cache
def _private() -> Path:
    """Return a repository, made once, that has a marked deck in its last commit and its index."""
    folder = Path(tempfile.mkdtemp(prefix="private-"))
    _git(folder, "init", "-q", "--template=", "-b", "main")
    mark = f"{MARK.decode()}private"
    for name in DECKS:
        toml = f'[[samples]]\nid = "a"\nmessages = [{{ role = "user", content = "{mark}" }}]\n'
        sample = json.dumps({"id": "a", "messages": [{"role": "user", "content": mark}]}) + "\n"
        (folder / name).write_text(toml if name.endswith(".toml") else sample)
    _git(folder, "add", ".")
    _git(folder, "commit", "-qm", "x")
    return folder


@cache
def permissions_hold() -> bool:
    """Tell whether permissions stop this process, as they do nobody who is root with all that root may."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "closed"
        path.touch(mode=0)
        return not os.access(path, os.R_OK)


State = Mapping[Path, str]


class Folder:
    """A hostile folder inside a tree that must stay as it is. While `staying` is held, no file of it vanishes.

    Where it `vanishes`, a thread takes files away while they are read; where it `swaps`, links out stand for them,
    and for folders.
    """

    def __init__(self, top: Path, chance: Random) -> None:
        self.chance = chance
        self.vanishes = chance.random() < 0.3
        self.swaps = self.vanishes and chance.random() < 0.5
        self.staying = threading.Lock()
        self.around, self.inside = top / "around", top / "around" / "repo"
        self.home = self.around / "home"
        self.inside.mkdir(parents=True)
        self.home.mkdir()
        shutil.copytree(_private(), self.home / "private")
        self.outside = [self.home / name for name in OUTSIDE]
        self.lay_outside()
        self.folders = [self.inside]
        for name in chance.sample(["evals", "decks", "runs/r1", "a/b/c", ".agentv/results", "-x", "ä"], 4):
            folder = self.inside / name
            folder.mkdir(parents=True, exist_ok=True)
            self.folders.append(folder)
        for _ in range(chance.randint(8, 20)):
            with suppress(FileExistsError):
                self._add(self.chance.choice(self.folders))
        if chance.random() < 0.5:
            (self.inside / "way").symlink_to(chance.choice(["../home", str(self.home)]))
        for _ in range(chance.randint(0, 2)):
            self._add_written(chance.choice(self.folders))
        self.sound = [
            chance.choice(self.folders) / "sound.toml",
            chance.choice(self.folders) / "sound.results.jsonl",
        ]
        for path, text in zip(self.sound, (SOUND, self._results()), strict=True):
            path.write_text(text)
        if chance.random() < 0.2:
            log = self.sound[1].with_name("sound.reviews.jsonl")
            log.hardlink_to(self.outside[0])
        if chance.random() < 0.5:
            self._add_runners()
        self.again = self._add_project()
        self.repository = self._add_repository()
        for folder in reversed(self.folders[1:]):
            if chance.random() < 0.1:
                with suppress(PermissionError):  # one above it is closed already
                    folder.chmod(0)

    def lay_outside(self) -> None:
        """Write the files beside the folder, as they were at first."""
        for path in self.outside:
            mark = f"{MARK.decode()}{path.name}"
            row = {"id": "s", "messages": [{"role": "user", "content": mark}], "score": 1}
            path.write_text(json.dumps(row) + "\n" if path.suffix == ".jsonl" else f"# {mark}\n")

    def _add_repository(self) -> str:
        """Give the folder a repository, its own or one that leads to the one beside it; return which."""
        own, private = self.inside / ".git", self.home / "private" / ".git"
        kind = self.chance.choice(
            ["none", "empty", "empty", "empty", "own", "own", "file", "link", "alternates", "common", "objects"]
        )
        match kind:
            case "empty":
                own.mkdir()
            case "file":
                own.write_text(f"gitdir: {self.chance.choice(['../home/private/.git', str(private)])}\n")
            case "link":
                own.symlink_to("../home/private/.git")
            case "own":
                _git(self.inside, "init", "-q", "--template=")
                for name in DECKS:
                    with suppress(subprocess.CalledProcessError):
                        _git(self.inside, "add", "-f", "--", name)  # else it reads .gitignore, which may be a pipe
                _git(self.inside, "commit", "-qm", "x", "--allow-empty")
            case "alternates" | "common" | "objects":
                shutil.copytree(private, own)
                shutil.rmtree(own / "objects")
                if kind == "objects":
                    (own / "objects").symlink_to(private / "objects")
                else:
                    (own / "objects" / "info").mkdir(parents=True)
                if kind == "alternates":
                    (own / "objects" / "info" / "alternates").write_text(f"{private / 'objects'}\n")
                if kind == "common":
                    (own / "commondir").write_text("../../home/private/.git\n")
        if kind not in ("none", "empty"):
            for name in DECKS:
                path = self.inside / name
                if not is_there(path):
                    path.write_text(self._deck() if self.chance.random() < 0.5 else "", "utf-8", "replace")
        return kind

    def _add(self, folder: Path) -> None:
        chance, name = self.chance, self._name()
        path = folder / name
        if is_there(path):
            return
        match chance.choice([*range(12)] * 9 + [99]):
            case 99:
                path.touch()
                os.truncate(path, chance.choice([300 << 20, 5 << 30]))
            case 0 | 1 | 2:
                path.symlink_to(self._target(folder, name))
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
        if chance.random() < 0.1 and path.is_file() and not path.is_symlink():
            path.chmod(0)

    def _add_written(self, folder: Path) -> None:
        """Add some files of a tool, in which paths are others and of which some are links."""
        chance, files = self.chance, self.chance.choice(written_by_tools())

        def other(named: re.Match[bytes]) -> bytes:
            if chance.random() < 0.5:
                return named[0]
            path = self.path().replace("\ud800", "")[:300]
            scheme = "file://" if named[0].startswith(b"file://") and "://" not in path else ""
            return json.dumps(scheme + path)[1:-1].encode()

        for file in chance.sample(files, min(len(files), 8)):
            path = folder / file.name
            if is_there(path):
                continue
            if chance.random() < 0.1:
                path.symlink_to(self._target(folder, file.name))
                continue
            data = file.read_bytes()
            path.write_bytes(data if data.startswith(b"PK") else _PATHS.sub(other, data))

    def _add_runners(self) -> None:
        """Add programs named like those of tools, which leave a file outside if one of them is started."""
        for place in ("node_modules/.bin", ".venv/bin"):
            folder = self.inside / place
            folder.mkdir(parents=True, exist_ok=True)
            for name in ("promptfoo", "inspect", "agentv", "python", "lm_eval", "deepeval"):
                program = folder / name
                program.write_text(f"#!/bin/sh\ntouch '{self.home}/STARTED'\n")
                program.chmod(0o755)

    def _add_project(self) -> Path:
        """Add a project whose runs can be run again, where they would start something outside, and return it.

        What is in it does nothing; what is outside leaves a file there if it is started or loaded.
        """
        root, chance, evil = self.inside / "again", self.chance, self.home / "evil"
        (root / ".git").mkdir(parents=True)
        (evil / "bin").mkdir(parents=True)
        for name in ("python", "python3", "promptfoo", "inspect"):
            (evil / "bin" / name).write_text(f"#!/bin/sh\ntouch '{self.home}/STARTED'\n")
            (evil / "bin" / name).chmod(0o755)
        for name in ("h.py", "typing.py"):
            (evil / name).write_text(f"open({str(self.home / 'STARTED')!r}, 'w')\n")
        shutil.copy(evil / "typing.py", root)
        bins = [root / "node_modules" / ".bin", root / ".venv" / "bin"]
        for place, names in zip(bins, (("promptfoo",), ("python", "inspect")), strict=True):
            place.mkdir(parents=True)
            for name in names:
                if chance.random() < 0.4:
                    (place / name).symlink_to(evil / "bin" / name)
                    continue
                strange = chance.choice([str(evil / "bin" / "python"), "../../home/evil/bin/python"])
                (place / name).write_text(f"#!{chance.choice(['/bin/sh', strange])}\n")
                (place / name).chmod(0o755)
        home = chance.choice([evil / "bin", "../../home/evil/bin", "/usr/bin"])
        (root / ".venv" / "pyvenv.cfg").write_text(f"{chance.choice(['home', 'HOME', ' home'])} = {home}\n")
        if chance.random() < 0.3:
            (root / ".env").symlink_to(self.outside[0])
        if chance.random() < 0.1:
            runner = f'[runners.promptfoo]\ncommand = ["{evil}/bin/promptfoo", "{{out}}"]\n'
            (root / ".sampleui.toml").write_text(runner)
        config = json.dumps({"prompts": ["Q"], "providers": ["echo"], "tests": [{"vars": {"q": "x"}}]})
        name = chance.choice([*["promptfooconfig.yaml"] * 3, "cfg[1].yaml", "{a,b}.yaml"])
        (evil / "config.yaml").write_text(config)
        if chance.random() < 0.3:
            (root / name).symlink_to(evil / "config.yaml")
        else:
            (root / name).write_text(config)
        row = {"vars": {"q": "x"}, "testCase": {"vars": {"q": "x"}}, "provider": {"id": "echo"}, "success": False}
        (root / "out.json").write_text(json.dumps({"results": {"results": [{**row, "prompt": {"raw": "Q"}}]}}))
        (root / "h.py").symlink_to(evil / "h.py")
        task = chance.choice([f"{evil}/h.py@t", "../../home/evil/h.py@t", "h.py@t", "*", "hf/x/y", "t", "t", "t"])
        run = {"task": "t", "task_registry_name": task, "model": "mockllm/model", "dataset": {}, "config": {}}
        run |= chance.choice([{}, {}, {"task_file": f"{evil}/h.py"}, {"solver": f"{evil}/h.py@s"}])
        scores = {"match": {"value": "I"}}
        sample = {"id": "a", "epoch": 1, "input": "x", "target": "y", "scores": scores}
        (root / "log.json").write_text(
            json.dumps({"version": 2, "status": "success", "eval": run, "samples": [sample]})
        )
        return root

    def _target(self, folder: Path, name: str) -> str:
        return self.chance.choice(
            [
                *(os.path.relpath(path, folder) for path in self.outside),
                *map(str, self.outside),
                os.path.relpath(self.home, folder),
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

    def _name(self) -> str:
        name = self.chance.choice(STEMS) + self.chance.choice(ENDINGS)
        return self.chance.choice([name] * 3 + [self.chance.choice(SPECIAL)])

    def path(self) -> str:
        """Return a path as a row or a deck of an enemy has it."""
        return self.chance.choice(
            [
                "../home/deck.jsonl",
                "home/deck.jsonl",
                "home/notes.md",
                "way/deck.jsonl",
                "way/notes.md",
                "way/private/deck.toml",
                "way/*",
                "*/*.md",
                "/**/deck.jsonl",
                "{..,x}/home/*.jsonl",
                str(self.outside[1]),
                f"file://{self.outside[3]}",
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
        found = [
            Path(folder) / name
            for folder, _, names in os.walk(self.inside)
            if ".git" not in Path(folder).parts
            for name in names
        ]
        return sorted(found, key=os.fsencode)

    def vanish(self, stop: threading.Event) -> None:
        """Take files away while others read them, and put them back; in between, links out stand for some.

        So they do for some folders.
        """
        files = [path for path in self.files() if not path.is_symlink()]
        chance = Random(self.chance.random())
        folders = self.folders[1:] if self.swaps else []
        while files and not stop.is_set():
            path = chance.choice(folders if folders and chance.random() < 0.3 else files)
            gone = path.with_name("gone")
            with self.staying, suppress(OSError, ValueError):
                path.rename(gone)
                if self.swaps:
                    path.symlink_to(self.home / "private" if gone.is_dir() else self.outside[1])
                time.sleep(0.0005)
                if path.is_symlink():
                    path.unlink()
                gone.rename(path)

    def state(self) -> State:
        """Return what lies around the folder: of each path its mode, time of change and content, in a digest."""
        found = {}
        for base, folders, names in os.walk(self.around):
            folders[:] = [name for name in folders if Path(base) / name != self.inside]
            for path in map(Path(base).joinpath, [*folders, *names]):
                status = path.lstat()
                content = path.read_bytes() if stat.S_ISREG(status.st_mode) else b""
                told = f"{status.st_mode} {status.st_mtime_ns} ".encode() + content
                found[path] = hashlib.sha256(told).hexdigest()
        return found

    def marked(self) -> Iterator[tuple[Path, bytes]]:
        """Yield the files in the folder that hold a text from outside, and from which file."""
        for base, _, names in os.walk(self.inside):
            for path in map(Path(base).joinpath, names):
                with suppress(OSError):
                    status = path.lstat()
                    if stat.S_ISREG(status.st_mode) and status.st_nlink == 1 and not status.st_size >> 20:
                        for mark in marks_in(path.read_bytes()):
                            yield path, mark


def marks_in(data: bytes) -> set[bytes]:
    """Return the names of the files outside whose texts are in some bytes."""
    names = (*map(os.fsencode, OUTSIDE), b"private")
    return {name for name in names if MARK + name in data}
