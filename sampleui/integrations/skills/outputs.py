"""The files that a run of a skill left in `outputs/`, as the answer of its record: what may be shown as text is."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from sampleui.formats.data import Plain
from sampleui.text.confined import Confined, is_folder, is_link, listed, read_confined, size_of

NO_OUTPUT = frozenset({"transcript.md", "user_notes.md", "metrics.json"})
"""Files of that folder which say how the outputs were made."""

_MOST_FILES = 200
_MOST_LISTED = 1_000
_DEEPEST = 4
_MOST_SHOWN = 48 << 10
"""Bytes of one file that are shown."""

_MOST_IN_ALL = 192 << 10
_JSON_LINES = 12
_TEXTS = frozenset(
    """
    .md .markdown .txt .csv .tsv .html .htm .xml .yaml .yml .toml .ini .cfg .log .py .js .ts .tsx .jsx .sh .sql .css
    .rst .tex .svg .diff .patch .r .rb .go .rs .java .c .h .cpp
    """.split()  # noqa: SIM905
)
_KINDS = {".md": "Markdown", ".markdown": "Markdown", ".csv": "CSV", ".tsv": "TSV", ".json": "JSON", ".txt": "text"}


class Output(NamedTuple):
    """A file of the outputs: its path below them, and its bytes."""

    name: str
    size: int

    @property
    def kind(self) -> str:
        """What kind of file it is, by its name."""
        suffix = Path(self.name).suffix.lower()
        return _KINDS.get(suffix, suffix.removeprefix(".") or "a file")

    @property
    def told(self) -> str:
        """The file in a line."""
        return f"{self.name} · {self.size:,} bytes · {self.kind}"


class Outputs(NamedTuple):
    """The files, and what is to be told of those that are left out, a line each."""

    files: tuple[Output, ...]
    notes: tuple[str, ...] = ()

    def to_data(self) -> list[Plain]:
        """Return the files as a record has them."""
        return [{"name": item.name, "bytes": item.size} for item in self.files]


def outputs_of(folder: Path) -> Outputs:
    """Return the files in the folder of outputs, by their names; no link is followed."""
    files: list[Output] = []
    notes: dict[str, None] = {}
    _collect(folder, "", 0, files, notes)
    return Outputs(tuple(files), tuple(notes))


def _collect(folder: Path, above: str, depth: int, files: list[Output], notes: dict[str, None]) -> None:
    if is_link(folder):
        notes[f"{above or 'outputs'}: a link, which is not followed"] = None
        return
    found = listed(folder, _MOST_LISTED) if is_folder(folder) else None
    if found is None:
        return
    if found.refusal is not None:
        notes[f"{above or 'outputs'}: {found.refusal.reason}"] = None
    for path in found.paths:
        name = f"{above}{path.name}"
        if is_link(path):
            notes[f"{name}: a link, which is not followed"] = None
        elif is_folder(path):
            if depth < _DEEPEST:
                _collect(path, f"{name}/", depth + 1, files, notes)
        elif above or path.name not in NO_OUTPUT:
            if len(files) >= _MOST_LISTED:
                notes[f"more than {_MOST_LISTED:,} files; the others are left out"] = None
                return
            files.append(Output(name, size_of(path)))


def shown(folder: Path, files: tuple[Output, ...]) -> str:
    """Return files as the text of an answer: one that is a text as it is, several each below its name."""
    if len(files) == 1 and (text := _text(folder, files[0], _MOST_IN_ALL)) is not None:
        return text
    left, parts = _MOST_IN_ALL, []
    for item in files[:_MOST_FILES]:
        text = _text(folder, item, min(left, _MOST_SHOWN)) if left > 0 else None
        left -= len(text or "")
        parts.append(f"── {item.told}" + (f"\n{text.rstrip()}\n" if text else ""))
    if len(files) > _MOST_FILES:
        parts.append(f"── and {len(files) - _MOST_FILES:,} more files")
    return "\n".join(parts)


def _text(folder: Path, item: Output, most: int) -> str | None:
    """Return what a file says, cut where it is too long; None for what is no text, or too large to be read."""
    suffix = Path(item.name).suffix.lower()
    if suffix not in _TEXTS and suffix != ".json":
        return None
    if item.size > most:
        return f"(too large to be shown: {item.size:,} bytes)"
    read = read_confined(item.name, (folder,), folder, most)
    if not isinstance(read, Confined):
        return f"({read.reason})"
    text = read.data.decode("utf-8", "replace")
    if suffix != ".json":
        return text
    lines = text.splitlines()
    more = len(lines) - _JSON_LINES
    return text if more <= 0 else "\n".join((*lines[:_JSON_LINES], f"… {more:,} more lines"))
