"""The list of fields that may be added, each with its type and a line of help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.widgets import Input

from sampleui.text.visible import visible
from sampleui.tui.author.offers import Offer, narrowed
from sampleui.tui.rows import Row, fitted
from sampleui.tui.screens.dialogs import Choices, Pick


class FieldChoices(Choices):
    """Rows of a name, a type and a line of help."""

    offers: Mapping[str, Offer] = {}

    def row(self, index: int, width: int) -> Row:
        """Return a field."""
        one = self.offers[self.names[index]]
        name = fitted(visible(one.name), max(width // 3, 20))
        words = fitted(one.words, 22)
        wide = max(width // 3, 20)
        left = max(width - wide - 26, 0)
        return (
            ("text", f" {name.ljust(wide)} "),
            ("accent", f"{words.ljust(22)} "),
            ("muted", fitted(visible(one.help), left)),
        )


class FieldPick(Pick):
    """Fields to pick from by typing a part of a name; any other name may be the answer too."""

    DEFAULT_CSS = """
    FieldPick > .box { width: 110; max-width: 96%; }
    """

    def __init__(self, offered: Sequence[Offer], around: str) -> None:
        super().__init__("Add a field: a name, or a.b and a[0].b for what is inside", (), free=True)
        self._offered = offered
        self._around = around
        self._fields = FieldChoices()
        self._list = self._fields

    def all_names(self) -> Sequence[str]:
        """Return the names of all fields that may be added."""
        return self._fit("")

    def _fit(self, typed: str) -> list[str]:
        found = narrowed(self._offered, typed.strip(), self._around)
        self._fields.offers = {one.name: one for one in found}
        return list(self._fields.offers)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Show the fields that fit what was typed."""
        event.stop()
        event.prevent_default()
        self._show(self._fit(event.value))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the row that has the cursor."""
        event.prevent_default()
        self.dismiss(self.picked)
