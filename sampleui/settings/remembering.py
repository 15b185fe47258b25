"""One setting written into the user's own file, or into that of a project."""

from __future__ import annotations

from pathlib import Path

from sampleui.errors import SettingsError
from sampleui.settings.options import lies, user_file
from sampleui.text.confined import read_whole
from sampleui.text.limits import MAX_SETTINGS_BYTES
from sampleui.text.replacing import drafted, folders_held, put


def remember(name: str, value: str, path: Path | None = None) -> None:
    """Write one setting into a file of settings, as a whole; its comments, order and other settings stay.

    Args:
        name: the setting.
        value: what it is from now on.
        path: the file, whether it exists or not; None for the user's own.

    Raises:
        SettingsError: when the file cannot be read or written.
    """
    path = path or user_file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with folders_held([path]), drafted(path, _with(_text_of(path), name, value)) as draft:
            put(draft)
    except (OSError, ValueError) as error:
        why = error.strerror or error if isinstance(error, OSError) else error
        raise SettingsError(f"{name} is not remembered: {why}", path) from None


def _text_of(path: Path) -> str:
    try:
        return read_whole(path, MAX_SETTINGS_BYTES).decode("utf-8")
    except FileNotFoundError:
        if lies(path):
            raise
        return ""


def _with(text: str, name: str, value: str) -> bytes:
    """Return the text of a settings file with one setting changed, proved by reading it back.

    Raises:
        ValueError: when the text is not TOML, or cannot be changed without changing more.
    """
    import tomli
    import tomlkit

    mark = "\ufeff" * text.startswith("\ufeff")
    before = tomli.loads(text.removeprefix(mark))
    document = tomlkit.parse(text.removeprefix(mark))
    document[name] = value
    changed = tomlkit.dumps(document)
    if tomli.loads(changed) != {**before, name: value}:
        raise ValueError("no text for it reads back; write it into the file yourself")
    return (mark + changed).encode("utf-8")
