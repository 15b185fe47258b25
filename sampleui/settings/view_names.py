"""Views of a project's settings that show nothing, since nothing has their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from difflib import get_close_matches
from pathlib import Path

from sampleui.integrations import index
from sampleui.settings.options import Settings, load_settings, project_file, read_settings, settings_text
from sampleui.settings.vocabulary import CONVERSATION, table_key_offset
from sampleui.text.confined import is_there
from sampleui.text.diagnostic import Diagnostic, Severity
from sampleui.text.position import position_at

_RULE = "view-unknown"


def unknown_views(folder: Path, also: Collection[str] = ()) -> tuple[Diagnostic, ...]:
    """Return what is to be told of the views in the settings of a folder's project whose names nobody knows.

    A view of the user's own settings may be for another project, and is not asked about.

    Args:
        folder: the folder of a deck or of results.
        also: names that are known as well.

    Raises:
        SettingsError: as `load_settings` does.
    """
    path = project_file(folder)
    if path is None or not is_there(path):
        return ()
    views = read_settings(path).get("view", {})
    assert isinstance(views, Mapping)
    if not views:
        return ()
    known = [*_known_names(load_settings(folder)), *also]
    text = settings_text(path)
    return tuple(_told(path, text, name, known) for name in views if name not in known)


def _known_names(settings: Settings) -> list[str]:
    """Return the names that a view may have: of tables of the settings, and of what is shipped or of packages."""
    tools = (entry.result_dialect for entry in index.entries() if entry.result_dialect)
    return [*dict.fromkeys((*settings.results, *settings.dialects, *tools, *index.dialects(), CONVERSATION))]


def _told(path: Path, text: str, name: str, known: list[str]) -> Diagnostic:
    """Return what is told of a view: a warning where another name is meant, else it may be that of a guess."""
    position = position_at(text, table_key_offset(text, (name,), "view") or 0)
    near = get_close_matches(name, known, n=1)
    meant = f"did you mean {near[0]}?" if near else "it shows records for which a table of this name is guessed"
    message = f"there is a view of {name}, as no table here and no tool is called; {meant}"
    return Diagnostic(
        _RULE, Severity.WARNING if near else Severity.INFO, message, path, position.line, position.column
    )
