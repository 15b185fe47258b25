"""Tables taken into the project's settings file, which stays as its author formatted it."""

from __future__ import annotations

from pathlib import Path

from sampleui.errors import SettingsError
from sampleui.settings import PROJECT_FILE, project_file, read_settings
from sampleui.text.confined import project_root, read_whole
from sampleui.text.replacing import drafted, folders_held, put

_MAX_BYTES = 1 << 20


def take_table(folder: Path, text: str) -> Path:
    """Write a table below all that the project's file says, and return the file; it is made where there is none.

    Args:
        folder: the folder of the file that the table is for.
        text: the table, as `guess` prints it.

    Raises:
        SettingsError: when the file cannot be read or written, or has such a table already.
    """
    import tomli

    path = project_file(folder) or project_root(folder.resolve()) / PROJECT_FILE
    try:
        before = read_whole(path, _MAX_BYTES).decode("utf-8") if path.exists() else ""
        if before:
            read_settings(path)
        newline = "\r\n" if "\r\n" in before else "\n"
        gap = "" if not before else newline * (2 - before.endswith("\n"))
        after = before + gap + text.replace("\n", newline)
        tomli.loads(after.removeprefix("\ufeff"))
        with folders_held([path]), drafted(path, after.encode("utf-8")) as draft:
            put(draft)
    except tomli.TOMLDecodeError as error:
        raise SettingsError(f"the table is not taken, for one of its name is there: {error.msg}", path) from None
    except (OSError, ValueError) as error:
        why = error.strerror or error if isinstance(error, OSError) else error
        raise SettingsError(f"the table is not taken: {why}", path) from None
    return path
