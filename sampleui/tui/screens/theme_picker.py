"""The theme picker: the theme with the cursor is the one shown."""

from __future__ import annotations

from collections.abc import Sequence

from sampleui.tui.screens.dialogs import Pick
from sampleui.tui.themes import theme_names, use_theme


class ThemePicker(Pick):
    """All themes: the shipped ones, the user's own, then Textual's. Escape goes back to the one before."""

    def __init__(self) -> None:
        super().__init__("Theme", ())

    def all_names(self) -> Sequence[str]:
        """Return the themes."""
        return theme_names(self.app)

    def first_row(self) -> int:
        """Return the row of the present theme."""
        return list(self._names).index(self.app.theme)

    def on_virtual_list_moved(self) -> None:
        """Try the theme on."""
        if self.picked:
            use_theme(self.app, self.picked)
