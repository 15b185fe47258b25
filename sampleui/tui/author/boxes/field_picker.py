"""The list of fields that may be added, each with its type and a line of help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len

from sampleui.text.visible import visible
from sampleui.tui.author.offers import Offer, narrowed
from sampleui.tui.drawing.rows import Row, fitted
from sampleui.tui.screens.dialogs import Choices, Pick


class FieldChoices(Choices):
    """Rows of a name, a type and a line of help."""

    offers: Mapping[str, Offer] = {}

    def row(self, index: int, width: int) -> Row:
        """Return a field."""
        one, offers = self.offers[self.names[index]], self.offers.values()
        # As wide as the longest: two names may differ in their ends alone.
        wide = min(max(cell_len(visible(each.name)) for each in offers), width // 2)
        typed = min(max(cell_len(each.words) for each in offers), width // 3)
        return (
            ("text", f" {_padded(visible(one.name), wide)}  "),
            ("accent", f"{_padded(one.words, typed)}  "),
            ("muted", fitted(visible(one.help), max(width - wide - typed - 5, 0))),
        )


def _padded(text: str, cells: int) -> str:
    shown = fitted(text, cells)
    return shown + " " * (cells - cell_len(shown))


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

    def narrowed(self, typed: str) -> Sequence[str]:
        """Return the names of the fields that fit what was typed, and what may be meant by it otherwise."""
        return self._fit(typed)
