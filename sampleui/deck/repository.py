"""Git, asked about files of a tree that anyone may have made: it reads the tree's own repository and no other.

A folder that came from others may have a `.git` that names, in one way or another, a repository beside it: a link,
a file with `gitdir:`, a `commondir`, alternates, an included configuration. So before git is asked for anything,
each of these has to lead to where only the tree itself, or the person who works in it, can have put it
(`repository_of`).
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import SampleUIError
from sampleui.text.confined import (
    below,
    is_file,
    is_folder,
    is_inside,
    is_link,
    is_there,
    listed,
    read_whole,
    real_path,
)
from sampleui.text.limits import MAX_GIT_FILE_BYTES

_SECONDS = 20
_SAFE = (
    *("-c", "core.fsmonitor=false"),
    *("-c", "core.hooksPath=/dev/null"),
    *("-c", "protocol.allow=never"),
    *("-c", "safe.bareRepository=explicit"),
    "--no-replace-objects",
)
QUIET: Mapping[str, str] = {
    # What a repository says of protocols counts less than this; versions before 2.45 fetch without asking.
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "",
    "SSH_ASKPASS": "",
    "LC_ALL": "C",
}
"""What git is told by its environment. Of the reader's own, no variable of git counts: they lead it elsewhere."""


class NoBaseError(SampleUIError):
    """Git has nothing to compare with, in words: it is missing, there is no repository, or it has no such deck."""


class Repository(NamedTuple):
    """Where git reads.

    Attributes:
        tree: the folder that has `.git`, without links.
        folder: the git directory of the tree, with its HEAD and index.
        common: the git directory with its objects; another than `folder` in a worktree.
    """

    tree: Path
    folder: Path
    common: Path

    def ran(self, folder: Path, *args: str) -> subprocess.CompletedProcess[bytes]:
        """Run git in a folder of the tree, for this repository and no other.

        Raises:
            NoBaseError: if git is not installed or does not answer.
        """
        return _ran("-C", str(folder), f"--git-dir={self.folder}", f"--work-tree={self.tree}", *args)


def repository_of(folder: Path) -> Repository:
    """Return the repository that a folder belongs to, every part of which lies in its own git directory.

    Raises:
        NoBaseError: if there is none, or if it would have git read elsewhere.
    """
    repository = _found(real_path(folder))
    for why in _elsewhere(repository):
        raise NoBaseError(f"git is not asked: {why}")
    # Git has the last word on whether this is a repository, and on whom it belongs to.
    ran = _ran("-C", str(repository.tree), "rev-parse", "--absolute-git-dir")
    if ran.returncode != 0:
        raise NoBaseError(f"git has nothing to compare with: {words_of(ran)}")
    if real_path(os.fsdecode(ran.stdout.rstrip(b"\r\n"))) != repository.folder:
        raise NoBaseError(f"git is not asked: {repository.tree / '.git'} is not a git directory")
    return repository


def words_of(ran: subprocess.CompletedProcess[bytes]) -> str:
    """Return what git complained of."""
    return ran.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")


def _ran(*args: str) -> subprocess.CompletedProcess[bytes]:
    environment = {name: value for name, value in os.environ.items() if not name.upper().startswith("GIT_")}
    command = ["git", *_SAFE, *args]
    try:
        return subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            env={**environment, **QUIET},
        )
    except FileNotFoundError:
        raise NoBaseError("git is not installed") from None
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise NoBaseError("git did not answer") from None


def _found(folder: Path) -> Repository:
    tree = next((tree for tree in (folder, *folder.parents) if is_there(tree / ".git")), None)
    if tree is None:
        raise NoBaseError(f"git has nothing to compare with: {folder} is not in a git repository")
    mark = tree / ".git"
    if is_link(mark):
        raise NoBaseError(f"git is not asked: {mark} is a link")
    if is_folder(mark):
        if is_there(mark / "commondir"):
            raise NoBaseError(f"git is not asked: {mark} says that its objects are elsewhere")
        return Repository(tree, mark, mark)
    target = _named_in(mark, "gitdir: ")
    if target is None:
        raise NoBaseError(f"git is not asked: {mark} cannot be read")
    common = _named_in(target / "commondir")
    if common is not None:
        if target.parent == common / "worktrees" and _named_in(target / "gitdir") == mark:
            return Repository(tree, target, common)
    elif _is_submodule(tree, target):
        return Repository(tree, target, target)
    raise NoBaseError(
        f"git is not asked: {mark} names {target}, which does not say that it is a worktree or a submodule here"
    )


def _named_in(file: Path, before: str = "") -> Path | None:
    """Return the path that a file of git consists of, relative to the file's folder; None if it has none."""
    try:
        text = os.fsdecode(read_whole(file, MAX_GIT_FILE_BYTES)).rstrip("\r\n")
    except OSError:
        return None
    return real_path(file.parent / text.removeprefix(before)) if text.startswith(before) else None


def _is_submodule(tree: Path, target: Path) -> bool:
    """Tell whether a git directory is a submodule's of the repository around a tree, and of this tree."""
    try:
        above = _found(tree.parent) if tree.parent != tree else None
    except NoBaseError:
        return False
    if above is None or not target.is_relative_to(above.folder / "modules"):
        return False
    worktrees = [value for key, value in _settings(target / "config") if key == "core.worktree"]
    return bool(worktrees) and real_path(target / worktrees[-1]) == tree


def _elsewhere(repository: Repository) -> Iterator[str]:
    """Yield, in words, by what a repository would have git read outside of it."""
    common = repository.common
    roots = (repository.tree, common.parent if common.name == ".git" else common)
    for folder in dict.fromkeys((repository.folder, common)):
        entries = listed(folder)
        if entries.refusal is not None:
            yield f"{folder}: {entries.refusal.reason}"
        for path in entries.paths:
            if is_link(path) and not _is_inside(path, roots):
                yield f"{path} is a link out of the repository"
        for name in ("config", "config.worktree"):
            yield from _included(folder / name, roots, set())
    yield from _linked(common / "refs", roots)
    yield from _objects(common / "objects", roots, set())


def _objects(folder: Path, roots: tuple[Path, ...], seen: set[Path]) -> Iterator[str]:
    """Yield by what a folder of objects leads out of a repository: links, or alternates at whatever remove."""
    if folder in seen:
        return
    seen.add(folder)
    yield from _linked(folder, roots)
    alternates = folder / "info" / "alternates"
    try:
        lines = read_whole(alternates, MAX_GIT_FILE_BYTES).splitlines() if is_there(alternates) else []
    except OSError:
        yield f"{alternates} cannot be read"
        return
    for line in lines:
        if line and not line.startswith(b"#"):
            other = real_path(folder / os.fsdecode(line))
            if line.startswith(b'"') or not _is_inside(other, roots):
                yield f"{alternates} names the objects of another repository"
                return
            yield from _objects(other, roots, seen)


def _linked(folder: Path, roots: tuple[Path, ...]) -> Iterator[str]:
    for base, folders, files in below(folder):
        for name in (*folders, *files):
            if is_link(base / name) and not _is_inside(base / name, roots):
                yield f"{base / name} is a link out of the repository"


def _included(config: Path, roots: tuple[Path, ...], seen: set[Path]) -> Iterator[str]:
    """Yield which files outside of a repository its configuration includes, at whatever remove."""
    if config in seen or not is_file(config):
        return
    seen.add(config)
    for key, value in _settings(config):
        if key.startswith(("include.", "includeif.")) and key.endswith(".path"):
            other = real_path(config.parent / value)
            if value.startswith(("~", "%")) or not _is_inside(other, roots):
                yield f"{config} includes {value}, which is outside of the repository"
            else:
                yield from _included(other, roots, seen)


def _settings(config: Path) -> list[tuple[str, str]]:
    """Return what a file of git's configuration says, in its order, without what it includes.

    Raises:
        NoBaseError: if git cannot read it.
    """
    ran = _ran("config", "--file", str(config), "--no-includes", "--null", "--list")
    if ran.returncode != 0:
        raise NoBaseError(f"git is not asked: {config} cannot be read")
    pairs = [item.partition("\n") for item in os.fsdecode(ran.stdout).split("\0") if item]
    return [(key.lower(), value) for key, _, value in pairs]


def _is_inside(path: Path, roots: tuple[Path, ...]) -> bool:
    return any(is_inside(path, root) for root in roots)
