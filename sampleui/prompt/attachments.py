"""Attached files: found beside the deck, read only inside the project, never trusted.

A deck may come from a stranger, so the files it names are a stranger's choice. Where a path leads is decided before
anything is looked at: one that leaves the root is refused with the same words whether or not such a file exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sampleui.text.confined import (
    Confined,
    Refusal,
    RefusalKind,
    is_file,
    is_there,
    read_confined,
    real_path,
    status_of,
)
from sampleui.text.limits import MAX_ATTACHMENT_BYTES

CACHED_FILES = 64


class Problem(NamedTuple):
    """Why a file contributes nothing: the id of the rule, and words that follow its path."""

    rule: str
    reason: str


class Attachment(NamedTuple):
    """One attached file.

    Attributes:
        written: the path as the author wrote it.
        path: where the file really is (absolute, symlinks resolved), None when it was refused unseen.
        text: its text with LF line ends, None when it cannot be used.
        problem: why it cannot be used.
        guideline: whether its path matches the guideline patterns.
    """

    written: str
    path: Path | None = None
    text: str | None = None
    problem: Problem | None = None
    guideline: bool = False


NOT_FOUND = "file-not-found"
"""The rule of findings about a file that is not there."""

_RULES = {
    RefusalKind.NOT_FOUND: (NOT_FOUND, "does not exist"),
    RefusalKind.UNREADABLE: (NOT_FOUND, "cannot be read"),
    RefusalKind.OUTSIDE_ROOT: ("file-outside-root", "lies outside the project and is not read"),
    RefusalKind.TOO_LARGE: ("file-too-large", "is larger than 1 MiB and is not read"),
    RefusalKind.OF_ENVIRONMENT: ("file-of-environment", "holds values of the environment, which are hidden"),
    RefusalKind.NOT_REGULAR: ("file-not-text", "is not a regular file"),
}
_NOT_TEXT = Problem("file-not-text", "is not UTF-8 text")


class AttachmentReader(NamedTuple):
    """Reads the files that a deck attaches.

    A path is looked for in the deck's folder, then in each folder above it up to the root. One that begins with `/`
    may also be counted from any of them. What was read is kept until the file changes, so that
    rendering again at every key reads nothing twice.

    Attributes:
        folder: the deck's folder.
        root: the folder that every file must lie in, symlinks resolved.
        reads_environment: whether `.env` is read like any other file, for somebody who looks.
        looks_above: whether a path is looked for anywhere but in the deck's folder.
    """

    folder: Path
    root: Path
    reads_environment: bool = False
    looks_above: bool = True

    def read(self, written: str, guideline: bool = False) -> Attachment:
        """Read a file by the path its author wrote. What is wrong with it is in `problem`; nothing is raised."""
        target = self._find(written)
        if isinstance(target, RefusalKind):
            return Attachment(written, problem=_problem(target), guideline=guideline)
        content = _content(target, self.root, self.reads_environment)
        if isinstance(content, Problem):
            return Attachment(written, target, problem=content, guideline=guideline)
        return Attachment(written, target, content, guideline=guideline)

    def problem(self, written: str) -> Problem | None:
        """Return why a file cannot be used whatever it holds; None for one that is there. It is not read."""
        target = self._find(written)
        if isinstance(target, RefusalKind):
            return _problem(target)
        return None if is_file(target) else _problem(RefusalKind.NOT_REGULAR)

    def raw(self, written: str) -> bytes | None:
        """Return the bytes of a file, whatever they are; None for one that is not there or cannot be used."""
        target = self._find(written)
        if isinstance(target, RefusalKind):
            return None
        read = read_confined(
            str(target), (self.root,), self.root, MAX_ATTACHMENT_BYTES, environment=self.reads_environment
        )
        return read.data if isinstance(read, Confined) else None

    def _find(self, written: str) -> Path | RefusalKind:
        """Return where the file lies, or why it is not read. What exists in the deck's folder decides."""
        target = self._confined(self.folder / written)
        if isinstance(target, Path) or not self.looks_above:
            return target
        rooted = PurePosixPath(written).is_absolute()
        if target is RefusalKind.OUTSIDE_ROOT and not rooted and self.folder.is_relative_to(self.root):
            return target
        name = written.lstrip("/")
        others = (self._confined(folder / name) for folder in self._folders(rooted))
        return next((other for other in others if isinstance(other, Path)), target)

    def _folders(self, rooted: bool) -> Iterator[Path]:
        """Yield the folders above the deck's up to the root; for a path that begins with `/`, its own first."""
        if rooted:
            yield self.folder
        if self.folder.is_relative_to(self.root):
            yield from (folder for folder in self.folder.parents if folder.is_relative_to(self.root))
        else:
            yield self.root

    def _confined(self, candidate: Path) -> Path | RefusalKind:
        target = real_path(
            candidate
        )  # which never fails, so a loop or a missing folder outside tells nothing either
        if not target.is_relative_to(self.root):
            return RefusalKind.OUTSIDE_ROOT
        return target if is_there(target) else RefusalKind.NOT_FOUND


def _content(target: Path, root: Path, environment: bool) -> str | Problem:
    status = status_of(target)
    if status is None:
        return _problem(RefusalKind.UNREADABLE)
    stamp = (status.st_mtime_ns, status.st_ctime_ns, status.st_size, status.st_ino)
    return _read(target, root, environment, stamp)


@lru_cache(maxsize=CACHED_FILES)
def _read(target: Path, root: Path, environment: bool, _stamp: tuple[int, ...]) -> str | Problem:
    read = read_confined(str(target), (root,), root, MAX_ATTACHMENT_BYTES, environment=environment)
    if isinstance(read, Refusal):
        return _problem(read.kind)
    try:
        text = read.data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return _NOT_TEXT
    return _NOT_TEXT if "\0" in text else text.replace("\r\n", "\n")


def _problem(kind: RefusalKind) -> Problem:
    return Problem(*_RULES[kind])
