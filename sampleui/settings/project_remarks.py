"""What a project's settings say in vain: what only a person's own may set, and views that have nobody's name."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from sampleui.integrations import index
from sampleui.settings.edited_text import place_in
from sampleui.settings.options import (
    FORMER,
    Settings,
    load_settings,
    project_file,
    settings_in,
    settings_text,
    user_file,
)
from sampleui.settings.vocabulary import CONVERSATION
from sampleui.text.diagnostic import Diagnostic, Severity
from sampleui.text.position import key_offset

_VIEW, _LEFT = "view-unknown", "setting-left"


def remarks(folder: Path, also: Collection[str] = ()) -> tuple[Diagnostic, ...]:
    """Return what is to be told of the settings of a folder's project: those that are left, and views of nothing.

    A view of the user's own settings may be for another project, and is not asked about.

    Args:
        folder: the folder of a deck or of results.
        also: names that are known as well.

    Raises:
        SettingsError: as `load_settings` does.
    """
    path = project_file(folder)
    if path is None:
        return ()
    text, settings = settings_text(path), load_settings(folder)
    views = settings_in(text, path).get("view", {})
    assert isinstance(views, Mapping)
    known = [*_known_names(settings), *also] if views else []
    former = (name for name in FORMER if key_offset(text, name) is not None)
    told = [(left_words(settings.left), settings.left[0])] if settings.left else []
    told += ((f"{name} is left out: {FORMER[name]}", name) for name in former)
    return (
        *(Diagnostic(_LEFT, Severity.INFO, words, path, *place_in(text, (name,))) for words, name in told),
        *(_told(path, text, name, known) for name in views if name not in known),
    )


def left_words(names: Sequence[str]) -> str:
    """Say that settings of a project's file are left."""
    here = "it is left out here" if len(names) == 1 else "they are left out here"
    return f"{' and '.join(names)} can only be set in your own settings, {user_file()}; {here}"


def _known_names(settings: Settings) -> list[str]:
    """Return the names that a view may have: of tables of the settings, and of what is shipped or of packages."""
    tools = (entry.result_dialect for entry in index.entries() if entry.result_dialect)
    return [*dict.fromkeys((*settings.results, *settings.dialects, *tools, *index.dialects(), CONVERSATION))]


def _told(path: Path, text: str, name: str, known: list[str]) -> Diagnostic:
    """Return what is told of a view: a warning where another name is meant, else it may be that of a guess."""
    near = get_close_matches(name, known, n=1)
    meant = f"did you mean {near[0]}?" if near else "it shows records for which a table of this name is guessed"
    message = f"there is a view of {name}, as no table here and no tool is called; {meant}"
    severity = Severity.WARNING if near else Severity.INFO
    return Diagnostic(_VIEW, severity, message, path, *place_in(text, ("view", name)))
