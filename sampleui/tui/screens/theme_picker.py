"""The theme picker: the theme with the cursor is the one shown."""

from __future__ import annotations

from sampleui.tui.screens.dialogs import Pick
from sampleui.tui.themes import theme_names, use_theme


class ThemePicker(Pick):
    """All themes: the shipped ones, the user's own, then Textual's. Escape goes back to the one before."""

    def __init__(self) -> None:
        super().__init__("Theme", ())
        self._before = ""

    def on_mount(self) -> None:
        """Show the themes, the present one under the cursor."""
        self._before = self.app.theme
        self._names = theme_names(self.app)
        self._show(self._names)
        self._list.reload(list(self._names).index(self._before))

    def picked_row_changed(self) -> None:
        """Try the theme on."""
        if self.picked and self._before:
            use_theme(self.app, self.picked)
