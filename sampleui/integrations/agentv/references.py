"""A test that leaves its suite: it takes along what the file says for all samples, and its paths are adjusted."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from sampleui.formats.data import Plain, Table, as_table
from sampleui.integrations.integration import References
from sampleui.prompt.library import Library
from sampleui.sample.model import Sample
from sampleui.sample.parse import as_messages, conversation, dialect_of, skips_defaults
from sampleui.sample.variables import pieces, variables_of
from sampleui.text.confined import exists, real_path

ASSERTIONS = ("assertions", "assert")
_FOR_ALL = ("input", "assertions", "input_files")
_FOLDED = frozenset({"input", "input_files", *ASSERTIONS})
_OF_THE_FILE = frozenset({"$schema", "name", "description", "version", "author", "license", "tests"})
_PATHS = frozenset({"prompt", "script", "cwd", "command"})


@dataclass
class _Move:
    """The move of a sample from one folder to another, and what to report about it."""

    library: Library
    target: Path
    variables: Table | None
    notes: list[str] = field(default_factory=list)

    def path(self, written: str) -> str:
        """Return a path counted from the target, variables filled in; one that leads nowhere stays, and is told."""
        filled = "".join(piece.text for piece in pieces(written, self.variables, {}))
        attachment = self.library.read(filled)
        if attachment.path is None:
            self.notes.append(f"the path {written} leads to no file and stays as written")
            return written
        return self._from_target(attachment.path)

    def value(self, value: Plain) -> Plain:
        """Return a value with the paths of its file segments and of the programs and prompts of its graders."""
        if isinstance(value, list):
            return [self.value(item) for item in value]
        if not isinstance(value, dict):
            return value
        names_file = value.get("type") in ("file", "image") and isinstance(value.get("value"), str)
        moved = {key: self._program(item) if key in _PATHS else self.value(item) for key, item in value.items()}
        if names_file:
            moved["value"] = self.path(str(value["value"]))
        return moved

    def _program(self, value: Plain) -> Plain:
        """Return a prompt or a command with those of its words adjusted that are files."""
        if isinstance(value, list):
            return [self._program(item) for item in value]
        if not isinstance(value, str) or "\n" in value or len(value) > 300 or "{{" in value:
            return self.value(value)
        candidate = real_path(self.library.folder / value)
        inside = candidate.is_relative_to(self.library.attachments.root)
        return self._from_target(candidate) if "/" in value and inside and exists(candidate) else value

    def _from_target(self, path: Path) -> str:
        relative = os.path.relpath(path, self.target).replace(os.sep, "/")
        return relative if relative.startswith("../") else f"./{relative}"


def detached(sample: Sample, folder: Path, around: Table) -> tuple[Sample, tuple[str, ...]]:
    """Return a test as it may be in a file of another folder, and what did not move as it was.

    What a suite says for all tests (`input`, `input_files`, assertions) becomes the test's own; the paths of its
    files are counted from the folder.

    Args:
        sample: the test.
        folder: the folder that it moves to.
        around: what the file there says for all of its tests; if it asks or asserts something, this one opts out.
    """
    shared = any(around.get(key) for key in _FOR_ALL)
    move = _Move(Library(sample.folder), real_path(folder), variables_of(sample))
    data = dict(sample.data)
    if not skips_defaults(data):
        data |= _folded(sample)
        if "input_files" in sample.context and isinstance(data.get("input"), list):
            data.pop("input_files", None)
    moved = {key: move.value(value) for key, value in data.items()}
    files = data.get("input_files")
    if isinstance(files, list):
        moved["input_files"] = [move.path(item) if isinstance(item, str) else item for item in files]
    if shared and not skips_defaults(data):
        execution = moved.get("execution")
        moved["execution"] = {**as_table(execution), "skip_defaults": True}
    left = [key for key in sample.context if key not in _FOLDED | _OF_THE_FILE]
    notes = (
        *move.notes,
        *(f"{key} of {sample.path.name} holds for all its samples and is not carried over" for key in left),
    )
    path = ("input",) if "input" in moved and "input" not in sample.data else sample.messages_path
    own_sample = Sample(
        sample.id, sample.index, moved, sample.dialect, path, sample.path, sample.line, kind=sample.kind
    )
    return own_sample, notes


def _folded(sample: Sample) -> Table:
    """Return the keys of a sample that its suite adds to."""
    dialect = dialect_of(sample)
    folded: Table = {}
    turns = conversation(sample)
    first = as_messages(sample.context.get("input"), {}, dialect) or []
    if first or sample.context.get("input_files") is not None:
        folded["input"] = [*first, *turns]
    if any(isinstance(sample.context.get(key), list) for key in ASSERTIONS):
        folded[next((key for key in ASSERTIONS if key in sample.data), ASSERTIONS[0])] = assertions(sample)
    return folded


def assertions(sample: Sample) -> list[Plain]:
    """Return the assertions of an AgentV sample and, unless it opts out, those that its suite has for all tests."""
    holders = (sample.data,) if skips_defaults(sample.data) else (sample.data, sample.context)
    lists = (next((around[key] for key in ASSERTIONS if key in around), None) for around in holders)
    return [item for listed in lists if isinstance(listed, list) for item in listed]


REFERENCES = References(detach=detached)
