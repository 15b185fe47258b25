"""A skill as its evals need it: where its folder is, what `SKILL.md` says, and where the files of an eval are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from sampleui.errors import FormatError
from sampleui.formats.data import Table
from sampleui.formats.yaml.pieces import value_of
from sampleui.text.confined import Confined, Refusal, RefusalKind, is_file, project_root, read_confined
from sampleui.text.limits import MAX_ATTACHMENT_BYTES

SKILL = "SKILL.md"
_FRONT = re.compile(r"---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|\Z)", re.DOTALL)


class Skill(NamedTuple):
    """A skill.

    Attributes:
        folder: the folder of `SKILL.md`.
        name, description: as its front matter has them; empty if it has not.
        text: the file as a whole.
        problem: why it cannot be read; empty if it can.
    """

    folder: Path
    name: str = ""
    description: str = ""
    text: str = ""
    problem: str = ""


def skill_of(path: Path) -> Skill | None:
    """Return the skill that a file of evals is in: of its folder, or of the one above; None if there is none."""
    folder = path.absolute().parent
    root = project_root(folder)
    for home in (folder, folder.parent):
        if not (home / SKILL).is_relative_to(home) or not is_file(home / SKILL):
            continue
        read = read_confined(SKILL, (home,), home if not home.is_relative_to(root) else root, MAX_ATTACHMENT_BYTES)
        if isinstance(read, Refusal):
            return Skill(home, problem=read.reason)
        return _parsed(home, read)
    return None


def _parsed(folder: Path, read: Confined) -> Skill:
    text = read.data.decode("utf-8", "replace").removeprefix("\ufeff")
    front = _FRONT.match(text)
    if front is None:
        return Skill(folder, text=text, problem="it has no front matter between lines of ---")
    try:
        table = value_of(front[1])
    except FormatError as error:
        return Skill(folder, text=text, problem=f"its front matter is not YAML: {error.message}")
    if not isinstance(table, dict):
        return Skill(folder, text=text, problem="its front matter is not a table")
    name, description = (_said(table, key) for key in ("name", "description"))
    return Skill(folder, name, description, text)


def _said(table: Table, key: str) -> str:
    value = table.get(key)
    return value.strip() if isinstance(value, str) else ""


def folders_of_files(path: Path) -> tuple[Path, ...]:
    """Return where the files of an eval are looked for: below the skill, beside the evals, below the project."""
    folder = path.absolute().parent
    skill = skill_of(path)
    return (*dict.fromkeys((skill.folder if skill else folder.parent, folder, project_root(folder))),)


def missing_file(written: str, path: Path) -> str:
    """Return, in words, why a file of an eval cannot be given to an agent; empty if it can.

    Args:
        written: the path as it is written.
        path: the file of evals.
    """
    if not written.strip():
        return "The path is empty"
    folders = folders_of_files(path)
    root = max((project_root(folders[0]), folders[0]), key=lambda folder: -len(folder.parts))
    read = read_confined(written, folders, root, MAX_ATTACHMENT_BYTES)
    if isinstance(read, Confined) or read.kind in (RefusalKind.TOO_LARGE, RefusalKind.NOT_REGULAR):
        return ""
    if read.kind is RefusalKind.NOT_FOUND:
        return f"{written} is not below the skill, evals/ or the project"
    return read.reason
