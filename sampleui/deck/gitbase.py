"""What git has of a deck's files, in its index or in the last commit, to compare them with.

No program that a repository's own configuration names is run: objects are only read, and none is fetched.
"""

from __future__ import annotations

import os
import subprocess

from sampleui.deck.model import Base, DeckFiles, Source
from sampleui.errors import FormatError, SampleUIError
from sampleui.formats.document import Document
from sampleui.formats.registry import form_named, parse_case, parse_document
from sampleui.formats.yaml.single_sample import CaseDocument

_SECONDS = 20
_SAFE = ("-c", "core.fsmonitor=false", "-c", "protocol.allow=never", "--no-replace-objects")
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_LAZY_FETCH": "1", "LC_ALL": "C"}
_NOT_THERE = (
    "does not exist",
    "exists on disk, but not in",
    "invalid object name 'HEAD'",
    "Not a valid object name",
)


_SPELLED = {Base.INDEX: ":", Base.HEAD: "HEAD:"}


class NoBaseError(SampleUIError):
    """Git has nothing to compare with, in words: it is missing, there is no repository, or it has no such deck."""


def documents_of(files: DeckFiles, base: Base) -> tuple[Document, ...] | None:
    """Return the files of a deck as a base has them, in their order; one that it has not as without samples.

    None stands for the files on disk.

    Raises:
        NoBaseError: if there is nothing to compare with.
    """
    return None if base is Base.DISK else tuple(_document(source, base) for source in files.sources)


def _document(source: Source, base: Base) -> Document:
    text = _text(source, base)
    try:
        if text is None:
            return form_named(source.path).vacant(("samples",))
        if "\r\n" in source.disk.saved.text and "\r" not in text:
            text = text.replace("\n", "\r\n")  # as git checks it out here
        case = isinstance(source.document, CaseDocument)
        return parse_case(text) if case else parse_document(text, source.path)
    except FormatError as error:
        raise NoBaseError(f"{source.path.name} in {base} cannot be read: {error.message}") from None


def _text(source: Source, base: Base) -> str | None:
    path = source.path.resolve()
    command = ["git", *_SAFE, "-C", str(path.parent), "cat-file", "blob", f"{_SPELLED[base]}./{path.name}"]
    try:
        ran = subprocess.run(
            command, capture_output=True, check=False, timeout=_SECONDS, env={**os.environ, **_QUIET}
        )
        if ran.returncode == 0:
            return ran.stdout.decode("utf-8")
    except FileNotFoundError:
        raise NoBaseError("git is not installed") from None
    except (OSError, subprocess.TimeoutExpired):
        raise NoBaseError("git did not answer") from None
    except UnicodeDecodeError:
        raise NoBaseError(f"{path.name} in {base} is not UTF-8") from None
    said = ran.stderr.decode("utf-8", "replace").strip()
    if any(item in said for item in _NOT_THERE):
        return None
    raise NoBaseError(f"git has nothing to compare {path.name} with: {said.removeprefix('fatal: ')}")
