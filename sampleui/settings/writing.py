"""Files of settings written: one setting, or the table of a dialect, with all other text of the file kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sampleui.errors import SettingsError
from sampleui.formats.data import Plain
from sampleui.settings.options import (
    PROJECT_FILE,
    Value,
    error_in,
    project_file,
    read_settings,
    settings_in,
    user_file,
)
from sampleui.settings.vocabulary import Fault, UserTable
from sampleui.text.confined import folder_held, is_there, project_root, read_whole, real_path
from sampleui.text.limits import MAX_SETTINGS_BYTES
from sampleui.text.replacing import drafted, folders_held, put_in_place

if TYPE_CHECKING:  # most settings have no view
    from sampleui.settings.views import View

DIALECTS, RESULTS = SETTINGS = ("dialects", "results")
"""The settings that hold tables by their names."""

VIEW = "view"
"""The setting that holds views, by the names of such tables."""

_REFUSED = "the table is not taken"


class NamedTable(NamedTuple):
    """A table of the settings: the setting that it is under, its name, and what it says.

    Attributes:
        view: how what it describes is shown, where that stands beside it.
    """

    setting: str
    name: str
    table: UserTable
    view: View | None = None

    @property
    def reads_rows(self) -> bool:
        """Whether it says how results are read, and not decks."""
        return self.setting == RESULTS


def table_in(text: str, path: Path) -> NamedTable:
    """Return the one table that a text holds, which may be written below a settings file, with a view of its name.

    Args:
        text: the table under its header, as `guess` prints it; then its view, if it has one.
        path: the settings file that it is for.

    Raises:
        SettingsError: when it is not TOML, when the table is wrong, and when there is something else, at its place.
    """
    settings = settings_in(text, path)
    other = next((name for name in settings if name not in (*SETTINGS, VIEW)), None)
    if other is not None:
        message = f"{other} is not the table of a dialect; only that is taken"
        raise error_in(text, path, Fault((other,), message))
    tables = [NamedTable(name, key, table) for name in SETTINGS for key, table in _tables(settings, name).items()]
    if len(tables) != 1:
        message = f"there is no table, [{SETTINGS[0]}.NAME] or [{SETTINGS[1]}.NAME]"
        raise SettingsError("there are several tables; one is taken" if tables else message, path, 1, 1)
    views = _tables(settings, VIEW)
    other = next((name for name in views if name != tables[0].name), None)
    if other is not None:
        message = f"[view.{other}] is of another name than the table; it is taken as [view.{tables[0].name}]"
        raise error_in(text, path, Fault((VIEW, other), message))
    return tables[0]._replace(view=views.get(tables[0].name))


def settings_file(folder: Path) -> Path:
    """Return the project's file that tables for the files of a folder are written into; it need not exist."""
    return project_file(folder) or project_root(real_path(folder)) / PROJECT_FILE


def take_table(folder: Path, text: str) -> Path:
    """Write a table below all that the project's file says, and return the file; it is made if there is none.

    Args:
        folder: the folder of the file that the table is for.
        text: the table, as `guess` prints it.

    Raises:
        SettingsError: when the file cannot be read or written, or has such a table already, and when the table is
            wrong. Nothing is written then.
    """
    path = settings_file(folder)
    _write(path, lambda: _with(path, text).encode("utf-8"), _REFUSED)
    return path


def _write(path: Path, changed: Callable[[], bytes], refused: str) -> None:
    """Replace a file of settings by what it is changed to, while its folder is held."""
    try:
        # A person may keep the settings of their own behind a link; what a project has is not written through one.
        is_users = path == user_file()
        trusted = None if is_users else Path(path.anchor)  # its folder was found by a path without links
        with (
            folder_held(path.parent, create=True),
            folders_held([path]),
            drafted(path, changed(), through_link=is_users, trusted=trusted) as draft,
        ):
            put_in_place(draft)
    except (OSError, ValueError) as error:
        why = error.strerror or error if isinstance(error, OSError) else error
        raise SettingsError(f"{refused}: {why}", path) from None


def _with(path: Path, text: str) -> str:
    """Return the text of a settings file with a table below it, proved by reading it back.

    Raises:
        SettingsError, OSError, ValueError: as `take_table` says.
    """
    from sampleui.settings.edited_text import with_below

    present = read_settings(path) if is_there(path) else {}
    before = _text_of(path)
    table = _table_of(text, path)
    if table.name in _tables(present, table.setting):
        message = f"[{table.setting}.{table.name}] is there already; give it another name"
        raise SettingsError(f"{_REFUSED}: {message}", path)
    after = with_below(before, text)
    tables = {table.setting: {**_tables(present, table.setting), table.name: table.table}}
    if table.view is not None:
        if table.name in _tables(present, VIEW):
            raise SettingsError(f"{_REFUSED}: [view.{table.name}] is there already", path)
        tables |= {VIEW: {**_tables(present, VIEW), table.name: table.view}}
    if _read_back(after, path) != {**present, **tables}:
        raise ValueError("at the end of the file it would mean something else; write it into the file yourself")
    return after


def _read_back(text: str, path: Path) -> Mapping[str, Value] | None:
    try:
        return settings_in(text, path)
    except SettingsError:
        return None


def _table_of(text: str, path: Path) -> NamedTable:
    try:
        return table_in(text, path)
    except SettingsError as error:  # its place is one in the text, and not in the file
        raise SettingsError(f"{_REFUSED}: {error.message}", path) from None


def _tables(settings: Mapping[str, Value], setting: str) -> Mapping[str, Any]:
    tables = settings.get(setting)
    return tables if isinstance(tables, Mapping) else {}


def keep_view(folder: Path, name: str, view: View) -> Path:
    """Write a view into the project's file, which is made if there is none, and return the file.

    All other text of the file stays, and so does that of the fields that do not change, with their comments.

    Args:
        folder: the folder of the file whose records are shown.
        name: the dialect whose records or samples the view shows.
        view: its fields.

    Raises:
        SettingsError: when the file cannot be read or written. Nothing is written then.
    """
    from sampleui.settings.edited_text import with_view

    path = settings_file(folder)

    def changed() -> bytes:
        present = read_settings(path) if is_there(path) else {}
        after = with_view(_text_of(path), name, view, _tables(present, VIEW))
        if _read_back(after, path) != {**present, VIEW: {**_tables(present, VIEW), name: view}}:
            raise ValueError("nothing that could be written for it reads back; write it into the file yourself")
        return after.encode("utf-8")

    _write(path, changed, "the view is not kept")
    return path


def remember(name: str, value: str | list[str], path: Path | None = None) -> None:
    """Write one setting into a file of settings, as a whole; its comments, order and other settings stay.

    Args:
        name: the setting.
        value: what it is from now on.
        path: the file, whether it exists or not; None for the user's own.

    Raises:
        SettingsError: when the file cannot be read or written.
    """
    from sampleui.settings.edited_text import with_setting

    kept: Plain = [*value] if isinstance(value, list) else value
    path = path or user_file()
    _write(path, lambda: with_setting(_text_of(path), name, kept).encode("utf-8"), f"{name} is not remembered")


def _text_of(path: Path) -> str:
    try:
        return read_whole(path, MAX_SETTINGS_BYTES).decode("utf-8")
    except FileNotFoundError:
        if is_there(path):
            raise
        return ""
