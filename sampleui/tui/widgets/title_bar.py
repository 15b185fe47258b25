"""The first line: what is open, where in it one is, and whether it is sound and saved."""

from __future__ import annotations

from dataclasses import dataclass

from sampleui.text.visible import visible
from sampleui.tui.rows import Row, spread
from sampleui.tui.widgets.line_bar import LineBar


@dataclass(frozen=True, slots=True)
class Title:
    """What the bar shows.

    Attributes:
        name: what is open.
        about: what kind of thing it is; left out where there is little room.
        place: where in it one is.
        state: `saved`, `unsaved` or `read-only`.
        problems: a style and a text.
    """

    name: str = ""
    about: str = ""
    place: str = ""
    state: str = "saved"
    problems: tuple[str, str] = ("muted", "")


class TitleBar(LineBar):
    """The title line."""

    title: Title = Title()

    def show(self, title: Title) -> None:
        """Show another title."""
        self.title = title
        self.update()

    def row(self, width: int) -> Row:
        """Return the deck's name and state at the left, what is known of it at the right."""
        title = self.title
        state = {"unsaved": ("warning-bold", " ● unsaved"), "read-only": ("error-bold", " ⊘ read-only")}
        left = [("accent-bold", " sampleui "), ("title-bold", f" {visible(title.name)}")]
        left.append(state.get(title.state, ("muted", "")))
        about = f"{title.about} · {title.place}" if title.about and width >= 100 else title.place
        right = [("muted", visible(about)), ("text", "  "), title.problems, ("text", " ")]
        return spread(left, right, width)
