"""The files that a run of a skill left in `outputs/`, as the answer of its record: what may be shown as text is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain
from sampleui.integrations.skills.layout import OUTPUTS
from sampleui.review.record import AnswerFile
from sampleui.text.confined import Confined, is_folder, is_link, listed, read_confined, size_of

NO_OUTPUT = frozenset({"transcript.md", "user_notes.md", "metrics.json"})
"""Files of that folder which say how the outputs were made."""

_MAX_FILES = 100
"""Files that are read, and that the text of an answer names."""

_MAX_LISTED = 1_000
_DEEPEST = 4
_MAX_NOTES = 20
_MAX_SHOWN = 48 << 10
"""Bytes of one file that are shown."""

_MAX_IN_ALL = 192 << 10
_JSON_LINES = 12
_TEXTS = frozenset(
    """
    md markdown txt csv tsv json html htm xml yaml yml toml ini cfg log py js ts tsx jsx sh sql css rst tex svg diff
    patch r rb go rs java c h cpp
    """.split()  # noqa: SIM905
)


class Outputs(NamedTuple):
    """The files, and what is to be told of what is left out, a line each; where nothing is, these are all."""

    files: tuple[AnswerFile, ...]
    notes: tuple[str, ...] = ()

    def to_data(self) -> list[Plain]:
        """Return the files as a record has them."""
        return [{"name": item.name, "bytes": item.size} for item in self.files]


def outputs_of(folder: Path) -> Outputs:
    """Return the files in the folder of outputs, the first `_MAX_LISTED` by their names; no link is followed."""
    files, notes = list[AnswerFile](), list[str]()
    for found in _found(folder, "", 0):
        if isinstance(found, str):
            notes.append(found)
        elif len(files) == _MAX_LISTED:
            notes.append(f"more than {_MAX_LISTED:,} files; the others are left out")
            break
        else:
            files.append(found)
    more = len(notes) - _MAX_NOTES
    return Outputs(
        tuple(files), (*notes[:_MAX_NOTES], *([f"and {more:,} more that are left out"] if more > 0 else []))
    )


def _found(folder: Path, above: str, depth: int) -> Iterator[AnswerFile | str]:
    """Yield the files below a folder, and in words what is left out."""
    here = above or OUTPUTS
    if is_link(folder):
        yield f"{here}: a link, which is not followed"
    elif depth > _DEEPEST:
        yield f"{here}: not looked into, so deep are no outputs"
    elif is_folder(folder):
        found = listed(folder)
        if found.refusal is not None:
            yield f"{here}: {found.refusal.reason}"
        for path in found.paths:
            name = f"{above}{path.name}"
            if is_folder(path) and not is_link(path):
                yield from _found(path, f"{name}/", depth + 1)
            elif is_link(path):
                yield f"{name}: a link, which is not followed"
            elif above or path.name not in NO_OUTPUT:
                yield AnswerFile(name, size_of(path))


def read(folder: Path, files: Sequence[AnswerFile]) -> tuple[AnswerFile, ...]:
    """Return files with what they say: of the first, those that are texts, as far as there is room."""
    left, seen = _MAX_IN_ALL, list[AnswerFile]()
    for file in files[:_MAX_FILES]:
        seen.append(_read(folder, file, min(left, _MAX_IN_ALL if len(files) == 1 else _MAX_SHOWN)))
        left -= len(seen[-1].text or "")
    return (*seen, *files[_MAX_FILES:])


def joined(files: Sequence[AnswerFile]) -> str:
    """Return files that were read as the text of an answer: a single text as it is, several below their names."""
    if len(files) == 1 and files[0].text is not None:
        return _folded(files[0])
    parts = [
        f"── {file.told}" + (f"\n{_folded(file).rstrip()}\n" if file.text else "") for file in files[:_MAX_FILES]
    ]
    if len(files) > _MAX_FILES:
        parts.append(f"── and {len(files) - _MAX_FILES:,} more files")
    return "\n".join(parts)


def _read(folder: Path, file: AnswerFile, most: int) -> AnswerFile:
    if file.suffix not in _TEXTS:
        return file
    if file.size > most:
        return file._replace(note="too large to be shown")
    found = read_confined(file.name, (folder,), folder, most)
    if not isinstance(found, Confined):
        return file._replace(note=found.reason)
    return file._replace(text=found.data.decode("utf-8", "replace"))


def _folded(file: AnswerFile) -> str:
    text = file.text or ""
    if file.suffix != "json":
        return text
    lines = text.splitlines()
    more = len(lines) - _JSON_LINES
    return text if more <= 0 else "\n".join((*lines[:_JSON_LINES], f"… {more:,} more lines"))
