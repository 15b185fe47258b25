"""What tools keep in files beside their own: texts and values that configs name, tables beside what runs wrote."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path, PurePath

from sampleui.errors import FormatError
from sampleui.formats.data import Plain, Table, json_or_text
from sampleui.formats.registry import BY_SUFFIX
from sampleui.formats.yaml.pieces import value_of
from sampleui.prompt.attachments import Attachment
from sampleui.text.confined import SCHEME, Confined, read_confined


def table_in(written: str, folder: Path, most: int) -> Table | None:
    """Return the object in a JSON file of a folder; None where there is none, or none that may be read.

    Args:
        written: its path from the folder, which it may not leave.
        folder: the folder.
        most: how many bytes of it are read.
    """
    file = read_confined(written, (folder,), folder, most)
    data = json_or_text(file.data.decode("utf-8-sig", "replace")) if isinstance(file, Confined) else None
    return data if isinstance(data, dict) else None


ReadsFile = Callable[[str], Attachment]


def text_of(path: str, read: ReadsFile, notes: list[str]) -> str | None:
    """Return the text of a file, None if it is not read; what is wrong is noted."""
    if "*" in path:
        notes.append(f"{path} stands for several files, which are not read")
        return None
    file = read(path)
    if file.text is None:
        notes.append(f"{path} {file.problem.reason if file.problem else 'is not read'}")
    return file.text


def yaml_in(path: str, text: str, notes: list[str]) -> Plain:
    """Return the value of a YAML or JSON file, None if it is not read; what is wrong is noted."""
    try:
        return value_of(text)
    except FormatError as error:
        notes.append(f"{path} cannot be read: {error.message} in line {error.line}")
        return None


def kept_default(named: str, read: ReadsFile, notes: list[str]) -> Table | None:
    """Return the `defaultTest` that is kept in a file, None if it is not read."""
    path = named.removeprefix(SCHEME)
    text = text_of(path, read, notes) if named.startswith(SCHEME) else None
    if text is not None and path.lower().endswith((".yaml", ".yml", ".json")):
        try:
            return BY_SUFFIX[PurePath(path.lower()).suffix].whole(text).read(0)
        except FormatError as error:
            notes.append(f"{path} cannot be read: {error.message}")
    return None
